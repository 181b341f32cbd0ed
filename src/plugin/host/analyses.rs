//! Replaces LLVM's own analyses of branch probabilities, block frequencies and loops. The objects of the results belong to
//! C++ (`analyses.cpp`).

use std::cell::RefCell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::slice;
use std::sync::Arc;

use bpa_core::bpi::{Probability, Rule};
use bpa_core::cfg::{Block, ControlFlow};
use bpa_core::facts::FunctionFacts;
use bpa_core::profile::Profile;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::{drop_boxed, Host};
use crate::host_dialect;
use crate::ir::llvm::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMValueRef};
use crate::ir::{FunctionRef, LiveFunction, Module, Numbering};
use crate::plugin::fault;
use crate::plugin::guard::guard;
use crate::plugin::message::Failure;

/// LLVM's `BranchProbabilityInfo`.
#[repr(C)]
struct ProbabilityInfo {
    _opaque: [u8; 0],
}

/// LLVM's `BlockFrequencyInfo`.
#[repr(C)]
struct FrequencyInfo {
    _opaque: [u8; 0],
}

/// LLVM's `LoopInfo`.
#[repr(C)]
struct LoopInfo {
    _opaque: [u8; 0],
}

/// A block with probabilities, and the range of its edges.
#[repr(C)]
struct EdgeRow {
    block: LLVMBasicBlockRef,
    first: u32,
    count: u32,
}

layout!(EdgeRow, 16: block 0, first 8, count 12);

/// A reachable block.
#[repr(C)]
struct FrequencyRow {
    block: LLVMBasicBlockRef,
    digits: u64,
    integer: u64,
    exponent: i16,
    is_irreducible_header: bool,
}

layout!(FrequencyRow, 32: block 0, digits 8, integer 16, exponent 24, is_irreducible_header 26);

/// A loop with its header, or a block with the index of its innermost loop.
#[repr(C)]
struct LoopRow {
    block: LLVMBasicBlockRef,
    /// The index of the loop around this loop or block, or [`NO_LOOP`].
    around: u32,
    size: u32,
}

layout!(LoopRow, 16: block 0, around 8, size 12);

const NO_LOOP: u32 = u32::MAX;

/// The functions that C++ calls, in the order of `analyses.cpp`.
#[repr(C)]
struct Callbacks {
    probabilities: unsafe extern "C" fn(&Source, LLVMValueRef, *mut ProbabilityInfo, bool),
    frequencies: unsafe extern "C" fn(&Source, LLVMValueRef, *const ProbabilityInfo, *mut FrequencyInfo),
    loops: unsafe extern "C" fn(&Source, LLVMValueRef, *mut LoopInfo),
    forget: extern "C" fn(&Source),
    differ: unsafe extern "C" fn(LLVMValueRef, *const u8, usize),
    drop: extern "C" fn(Box<Source>),
}

static CALLBACKS: Callbacks =
    Callbacks { probabilities, frequencies, loops, forget, differ, drop: drop_boxed };

/// The functions of a closure for C++.
#[repr(C)]
struct WorkCallbacks {
    run: unsafe extern "C" fn(&Work, *mut c_void),
    drop: extern "C" fn(Box<Work>),
}

static WORK_CALLBACKS: WorkCallbacks = WorkCallbacks { run: do_work, drop: drop_boxed };

unsafe extern "C" {
    fn bpa_replace_analyses(
        manager: *mut c_void,
        module: LLVMModuleRef,
        source: *mut c_void,
        callbacks: *const c_void,
        is_like_llvm: bool,
        is_checked: bool,
    );
    fn bpa_set_probabilities(
        info: *mut ProbabilityInfo,
        function: LLVMValueRef,
        rows: *const EdgeRow,
        count: usize,
        numerators: *const u32,
        edges: usize,
    );
    fn bpa_current_probabilities(info: *const ProbabilityInfo, function: LLVMValueRef, numerators: *mut u32);
    fn bpa_set_loops(
        info: *mut LoopInfo,
        rows: *const LoopRow,
        count: usize,
        blocks: *const LoopRow,
        block_count: usize,
    );
    fn bpa_set_frequencies(info: *mut FrequencyInfo, rows: *const FrequencyRow, count: usize);
    fn bpa_when_analyses_register(builder: *mut c_void, work: *mut c_void, callbacks: *const c_void);
}

/// Computes profiles in place of LLVM.
pub(in crate::plugin) trait ComputeProfile: Send + Sync {
    /// Predicts the function. The result does not contain frequencies yet.
    fn predict(&self, live: &LiveFunction) -> Profile;

    /// The profile of a function with these probabilities. `facts` contains the graph and the header weights.
    fn with_probabilities(&self, facts: FunctionFacts, probabilities: Vec<Probability>) -> Profile;

    /// Whether the results are equal to the results of the host's LLVM.
    fn is_like_llvm(&self) -> bool;

    /// Whether LLVM's analysis also runs, so that its results can be compared.
    fn is_checked(&self) -> bool;
}

/// Computes the results for one analysis manager. A manager belongs to one thread.
struct Source {
    compute: Arc<dyn ComputeProfile>,
    kept: RefCell<Option<Kept>>,
}

/// The profile whose probabilities were computed last, if the loops or the frequencies are computed next.
struct Kept {
    profile: Profile,
    numbering: Numbering,
}

/// The analyses of functions, LLVM's `FunctionAnalysisManager`.
pub(in crate::plugin) struct FunctionAnalyses<'a> {
    manager: *mut c_void,
    while_alive: PhantomData<&'a ()>,
}

/// A closure that is called when the host registers analyses.
type Work = Box<dyn Fn(FunctionAnalyses)>;

impl FunctionAnalyses<'_> {
    /// # Safety
    ///
    /// `manager` must be LLVM's `FunctionAnalysisManager`, and must stay valid while the result is used.
    pub unsafe fn from_raw(manager: *mut c_void) -> Self {
        FunctionAnalyses { manager, while_alive: PhantomData }
    }

    pub(super) fn as_raw(&self) -> *mut c_void {
        self.manager
    }

    /// From now on, uses `compute` instead of LLVM's analyses. If the numbers can differ from the cached numbers, drops
    /// the cached results for the functions of `module`.
    pub fn replace(&self, compute: Arc<dyn ComputeProfile>, module: Option<&Module>) {
        let (is_like_llvm, is_checked) = (compute.is_like_llvm(), compute.is_checked());
        let source = Box::new(Source { compute, kept: RefCell::default() });
        let module = module.map_or(ptr::null_mut(), |module| module.as_raw());
        let (source, callbacks) = (Box::into_raw(source).cast(), (&raw const CALLBACKS).cast());
        // SAFETY: the caller of `from_raw` guarantees that the manager is valid. C++ owns `source`.
        unsafe {
            bpa_replace_analyses(self.manager, module, source, callbacks, is_like_llvm, is_checked);
        }
    }
}

impl Host<'_> {
    /// Calls `work` each time the host registers analyses. The host registers analyses after all plugins are loaded.
    pub fn when_analyses_register(&self, work: impl Fn(FunctionAnalyses) + 'static) {
        let work: Box<Work> = Box::new(Box::new(work));
        // SAFETY: the builder is alive during registration. C++ owns the closure, and returns it to Rust when the
        // builder is destroyed.
        unsafe {
            let work = Box::into_raw(work).cast();
            bpa_when_analyses_register(self.builder, work, (&raw const WORK_CALLBACKS).cast());
        }
    }
}

/// # Safety
///
/// `manager` must be valid during the call.
unsafe extern "C" fn do_work(work: &Work, manager: *mut c_void) {
    // SAFETY: the caller guarantees that the manager is valid.
    work(unsafe { FunctionAnalyses::from_raw(manager) });
}

/// Runs `work` on a function for which LLVM requests an analysis. A `numbering` must be of this function.
///
/// # Safety
///
/// `function` must be a valid function with a body, and must not change during the call.
unsafe fn on_function(
    function: LLVMValueRef,
    numbering: Option<Numbering>,
    work: impl FnOnce(LiveFunction) -> Result<(), Failure>,
) {
    // SAFETY: the caller guarantees that the function is valid and does not change.
    let function = unsafe { FunctionRef::new(function) };
    let live = || match numbering {
        Some(numbering) => Some(LiveFunction::numbered(function, numbering)),
        None => LiveFunction::new(function),
    };
    guard(
        || format!("rust-analyses on function '{}'", function.display_name()),
        || live().map_or(Ok(()), work),
    );
}

/// Computes probabilities, and sets them in `info`. A block to which no rule applies gets no probabilities, as in LLVM.
///
/// # Safety
///
/// As [`on_function`]. `info` must be a new object.
unsafe extern "C" fn probabilities(
    source: &Source,
    function: LLVMValueRef,
    info: *mut ProbabilityInfo,
    keep: bool,
) {
    let work = |live: LiveFunction| {
        let mut profile = source.compute.predict(&live);
        let (graph, edges) = (profile.graph(), profile.branch_probabilities());
        let is_complete = fault::is_wanted("even-probabilities", None);
        let has_rule =
            |&block: &_| graph.edges(block).len() > 1 && (edges.rule(block) != Rule::Even || is_complete);
        let row = |block| {
            let range = graph.edges(block);
            EdgeRow {
                block: live.addresses()[block.index()],
                first: range.start as u32,
                count: range.len() as u32,
            }
        };
        let rows: Vec<EdgeRow> = graph.blocks().filter(has_rule).map(row).collect();
        let count = rows.iter().map(|row| row.count as usize).sum();
        let mut numerators: Vec<u32> = edges.probabilities().iter().map(|edge| edge.numerator()).collect();
        if fault::is_wanted("edge-order", None) {
            numerators.reverse();
        }
        // SAFETY: the blocks belong to the function, and each range of edges is in `numerators`.
        unsafe {
            bpa_set_probabilities(info, function, rows.as_ptr(), rows.len(), numerators.as_ptr(), count)
        };
        match keep {
            true => {
                let numbering = live.into_numbering();
                *source.kept.borrow_mut() = Some(Kept { profile, numbering });
            }
            false => profile.forget_structure(),
        }
        Ok(())
    };
    // SAFETY: the caller guarantees that the function is valid.
    unsafe { on_function(function, None, work) }
}

/// Computes frequencies from the probabilities in `current`, and sets them in `info`.
///
/// # Safety
///
/// As [`on_function`]. Both objects must be valid.
unsafe extern "C" fn frequencies(
    source: &Source,
    function: LLVMValueRef,
    current: *const ProbabilityInfo,
    info: *mut FrequencyInfo,
) {
    let (kept, numbering) = source.kept.take().map(|kept| (kept.profile, kept.numbering)).unzip();
    let work = |live: LiveFunction| {
        let mut profile = kept.unwrap_or_else(|| {
            let facts = live.flow_facts(host_dialect());
            let mut numerators = vec![0; facts.graph().edge_count()];
            // SAFETY: there is space for all edges of the function.
            unsafe { bpa_current_probabilities(current, function, numerators.as_mut_ptr()) };
            if fault::is_wanted("current-probabilities", None) {
                numerators.fill(Probability::ONE.numerator());
            }
            let probabilities = numerators.into_iter().map(Probability::from_numerator).collect();
            source.compute.with_probabilities(facts, probabilities)
        });
        profile.compute_frequencies();
        let frequencies = profile.block_frequencies();
        let is_reducible = profile.loops().is_reducible();
        let row = |block| {
            let scaled = frequencies.scaled(block);
            FrequencyRow {
                block: live.addresses()[block.index()],
                digits: scaled.digits(),
                integer: frequencies.integer(block),
                exponent: scaled.exponent(),
                is_irreducible_header: !is_reducible
                    && profile.nest().is_irreducible_header(block)
                    && !fault::is_wanted("irreducible-headers", None),
            }
        };
        let is_reachable = |&block: &_| frequencies.integer(block) > 0;
        let rows: Vec<FrequencyRow> = profile.blocks().filter(is_reachable).map(row).collect();
        // SAFETY: the blocks belong to the function, and the entry is the first block.
        unsafe { bpa_set_frequencies(info, rows.as_ptr(), rows.len()) };
        profile.forget_structure();
        Ok(())
    };
    // SAFETY: the caller guarantees that the function is valid.
    unsafe { on_function(function, numbering, work) }
}

/// Finds the loops, and adds them to `info`.
///
/// # Safety
///
/// As [`on_function`]. `info` must be a new object. If a profile is kept, it must be a profile of this function.
unsafe extern "C" fn loops(source: &Source, function: LLVMValueRef, info: *mut LoopInfo) {
    if let Some(Kept { profile, numbering }) = &*source.kept.borrow() {
        return set_loops(numbering.blocks(), profile.graph(), info);
    }
    let work = |live: LiveFunction| {
        set_loops(live.blocks(), &live.control_flow_for_loops(), info);
        Ok(())
    };
    // SAFETY: the caller guarantees that the function is valid.
    unsafe { on_function(function, None, work) }
}

/// The entry has no incoming edges, so a loop needs two edges.
fn has_loops(graph: &ControlFlow) -> bool {
    graph.edge_count() > 1 && graph.loops().count() > 0
}

/// Adds the loops of `graph`, whose blocks have the addresses `blocks`.
fn set_loops(blocks: &PrimaryMap<Block, LLVMBasicBlockRef>, graph: &ControlFlow, info: *mut LoopInfo) {
    if !has_loops(graph) {
        return;
    }
    let loops = graph.loops();
    let row = |natural| LoopRow {
        block: blocks[loops.header(natural)],
        around: loops.parent(natural).map_or(NO_LOOP, |around| around.index() as u32),
        size: loops.members(natural).len() as u32,
    };
    let rows: Vec<LoopRow> = loops.loops().map(row).collect();
    let block_row = |&block: &Block| {
        let innermost = loops.innermost(block)?;
        Some(LoopRow { block: blocks[block], around: innermost.index() as u32, size: 0 })
    };
    let mut inside: Vec<LoopRow> = graph.tree().postorder().iter().rev().filter_map(block_row).collect();
    if fault::is_wanted("loop-order", None) {
        inside.reverse();
    }
    // SAFETY: the blocks belong to the function, and each index is the index of a row.
    unsafe { bpa_set_loops(info, rows.as_ptr(), rows.len(), inside.as_ptr(), inside.len()) };
}

/// Drops the kept profile.
extern "C" fn forget(source: &Source) {
    if let Some(mut kept) = source.kept.take() {
        kept.profile.forget_structure();
    }
}

/// Ends the process, because the results differ from LLVM's results.
///
/// # Safety
///
/// `function` must be valid, and `text` must point to `length` bytes.
unsafe extern "C" fn differ(function: LLVMValueRef, text: *const u8, length: usize) {
    // SAFETY: the caller guarantees that the pointer and the length belong together.
    let text = String::from_utf8_lossy(unsafe { slice::from_raw_parts(text, length) });
    let fail = |live: LiveFunction| {
        Err(Failure(format!("rust-analyses<check>: function '{}', {text}", live.display_name())))
    };
    // SAFETY: the caller guarantees that the function is valid.
    unsafe { on_function(function, None, fail) }
}
