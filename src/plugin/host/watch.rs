//! Watches the passes of a pipeline. After each pass, a closure gets the functions whose IR has changed.

use std::borrow::Cow;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use super::analyses::FunctionAnalyses;
use super::{drop_boxed, Host};
use crate::ir::llvm::prelude::{LLVMModuleRef, LLVMValueRef};
use crate::ir::{FunctionRef, LiveFunction, Module};
use crate::plugin::guard::guard;

/// The `Watch` of `watch.cpp`.
#[repr(C)]
struct Watched {
    _opaque: [u8; 0],
}

/// A shared pointer to a [`Watched`], in memory of C++.
#[repr(C)]
struct SharedWatch {
    _opaque: [u8; 0],
}

/// The row that C++ passes for a changed function.
#[repr(C)]
struct Row {
    function: LLVMValueRef,
    index: u32,
    preserves_probabilities: u8,
    preserves_frequencies: u8,
    unit: u8,
}

/// The values of [`Row::unit`] that concern loop passes, in the order of `watch.cpp`.
const LOOP: u8 = 4;
const LOOP_ADAPTOR: u8 = 5;

layout!(Row, 16: function 0, index 8, preserves_probabilities 12, preserves_frequencies 13, unit 14);

/// The functions that C++ calls, in the order of `watch.cpp`.
#[repr(C)]
struct Callbacks {
    passed: unsafe extern "C" fn(&Work, NonNull<Watched>, LLVMModuleRef, *const u8, usize, *const Row, usize),
    drop: extern "C" fn(Box<Work>),
}

static CALLBACKS: Callbacks = Callbacks { passed, drop: drop_boxed };

unsafe extern "C" {
    fn bpa_new_watch(builder: *mut c_void) -> NonNull<SharedWatch>;
    fn bpa_drop_watch(watch: NonNull<SharedWatch>);
    fn bpa_start_watch(
        watch: NonNull<SharedWatch>,
        module: LLVMModuleRef,
        manager: *mut c_void,
        work: *mut c_void,
        callbacks: *const c_void,
    ) -> bool;
    fn bpa_stop_watch(watch: NonNull<SharedWatch>);
    fn bpa_watched(watch: NonNull<SharedWatch>) -> NonNull<Watched>;
    fn bpa_list_watched(
        watch: NonNull<Watched>,
        context: *mut c_void,
        add: unsafe extern "C" fn(&mut Vec<(LLVMValueRef, u32)>, LLVMValueRef, u32),
    );
    fn bpa_if_changed(watch: NonNull<Watched>, index: u32) -> LLVMValueRef;
    fn bpa_cached_results(
        watch: NonNull<Watched>,
        function: LLVMValueRef,
        probabilities: *mut u32,
        edge_count: usize,
        frequencies: *mut u64,
        block_count: usize,
    ) -> u8;
}

/// A closure that C++ calls after each pass.
type Work = Box<dyn Fn(Passed<'_>)>;

/// Watches the passes of the pipelines that one pass builder creates.
pub(in crate::plugin) struct PassWatch(NonNull<SharedWatch>);

// SAFETY: a pass builder and its pipelines are never used by two threads at the same time.
unsafe impl Send for PassWatch {}
unsafe impl Sync for PassWatch {}

impl Host<'_> {
    /// Creates a watch, which does not watch anything yet.
    pub fn pass_watch(&self) -> PassWatch {
        // SAFETY: the builder is alive during registration.
        PassWatch(unsafe { bpa_new_watch(self.builder) })
    }
}

impl Drop for PassWatch {
    fn drop(&mut self) {
        // SAFETY: callbacks of the pipeline have their own shared pointers.
        unsafe { bpa_drop_watch(self.0) }
    }
}

impl PassWatch {
    /// Calls `work` after each pass from now on. The result is `None` if the host does not report its passes.
    pub fn start(
        &self,
        module: &Module,
        functions: &FunctionAnalyses,
        work: impl Fn(Passed<'_>) + 'static,
    ) -> Option<Watching<'_>> {
        let work: Box<Work> = Box::new(Box::new(work));
        // SAFETY: the module and the analyses are alive until the pipeline ends. C++ owns the closure.
        unsafe {
            let (work, callbacks) = (Box::into_raw(work).cast(), (&raw const CALLBACKS).cast());
            let starts = bpa_start_watch(self.0, module.as_raw(), functions.as_raw(), work, callbacks);
            starts.then(|| Watching { watch: bpa_watched(self.0), while_alive: PhantomData })
        }
    }

    /// Stops to watch.
    pub fn stop(&self) {
        // SAFETY: no callback is running, because a pass of this plugin is running.
        unsafe { bpa_stop_watch(self.0) }
    }
}

/// A pass that has run.
pub(in crate::plugin) struct Passed<'a> {
    /// LLVM's name of the class of the pass.
    pub pass: Cow<'a, str>,
    pub module: Module<'a>,
    pub watching: Watching<'a>,
    rows: &'a [Row],
    /// The indices of the deleted functions.
    deleted: Vec<u32>,
}

/// The watched functions of a module.
#[derive(Clone, Copy)]
pub(in crate::plugin) struct Watching<'a> {
    watch: NonNull<Watched>,
    while_alive: PhantomData<&'a ()>,
}

/// A function that a pass has changed.
pub(in crate::plugin) struct Changed<'a> {
    /// Functions keep their indices. A function with a new index is new.
    pub index: u32,
    /// `None` if the function was deleted, or is only declared now.
    pub live: Option<LiveFunction<'a>>,
    pub results: CachedAfter,
}

/// What happens to the cached results of LLVM's two analyses after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plugin) enum CachedAfter {
    /// The pass declares what it preserves.
    Preserved(Preserves),
    /// Loop passes keep all results. Their adaptor declares later what they have preserved.
    Undecided,
    /// The loop passes before, which did not change the function again, preserved these results.
    Decided(Preserves),
}

/// Whether cached results of LLVM's two analyses are preserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plugin) struct Preserves {
    pub probabilities: bool,
    pub frequencies: bool,
}

/// The cached results of LLVM's two analyses.
#[derive(Default)]
pub(in crate::plugin) struct CachedResults {
    /// The numerators of all edges.
    pub probabilities: Option<Vec<u32>>,
    /// The integer frequencies of all blocks.
    pub frequencies: Option<Vec<u64>>,
}

impl<'a> Passed<'a> {
    /// The changed functions.
    pub fn changed(&self) -> impl Iterator<Item = Changed<'a>> + use<'a> {
        let rows = self.rows;
        rows.iter().map(|row| {
            let preserves = Preserves {
                probabilities: row.preserves_probabilities != 0,
                frequencies: row.preserves_frequencies != 0,
            };
            let results = match row.unit {
                LOOP => CachedAfter::Undecided,
                LOOP_ADAPTOR => CachedAfter::Decided(preserves),
                _ => CachedAfter::Preserved(preserves),
            };
            Changed { index: row.index, live: live(row.function), results }
        })
    }

    /// The cached results of LLVM's analyses that a function with `edges` edges has after the pass, or `None` if there
    /// are none.
    pub fn cached(&self, live: &LiveFunction, edges: usize, results: CachedAfter) -> Option<CachedResults> {
        let kept = match results {
            CachedAfter::Preserved(preserves) => preserves,
            _ => Preserves { probabilities: true, frequencies: true },
        };
        if !kept.probabilities && !kept.frequencies {
            return None;
        }
        let (mut probabilities, mut frequencies) = (vec![0; edges], vec![0; live.block_count()]);
        // SAFETY: C++ checks that the vectors have the right lengths.
        let found = unsafe {
            bpa_cached_results(
                self.watching.watch,
                live.as_raw(),
                probabilities.as_mut_ptr(),
                probabilities.len(),
                frequencies.as_mut_ptr(),
                frequencies.len(),
            )
        };
        let cached = CachedResults {
            probabilities: (kept.probabilities && found & 1 != 0).then_some(probabilities),
            frequencies: (kept.frequencies && found & 2 != 0).then_some(frequencies),
        };
        (cached.probabilities.is_some() || cached.frequencies.is_some()).then_some(cached)
    }

    /// Whether the pass has deleted the function with this index.
    pub fn has_deleted(&self, index: u32) -> bool {
        self.deleted.contains(&index)
    }
}

impl<'a> Watching<'a> {
    /// All functions that the module defines, with their indices.
    pub fn all_functions(&self) -> Vec<(u32, LiveFunction<'a>)> {
        unsafe extern "C" fn add(list: &mut Vec<(LLVMValueRef, u32)>, function: LLVMValueRef, index: u32) {
            list.push((function, index));
        }
        let mut list = Vec::new();
        // SAFETY: C++ calls `add` only during this call.
        unsafe { bpa_list_watched(self.watch, (&raw mut list).cast(), add) };
        list.into_iter().filter_map(|(function, index)| Some((index, live(function)?))).collect()
    }

    /// The function with this index if it has changed although it was not reported.
    pub fn if_changed(&self, index: u32) -> Option<LiveFunction<'a>> {
        // SAFETY: C++ checks the index.
        live(unsafe { bpa_if_changed(self.watch, index) })
    }
}

/// The live function, or `None` if the pointer is null or the function is only declared.
fn live<'a>(function: LLVMValueRef) -> Option<LiveFunction<'a>> {
    let function = NonNull::new(function)?;
    // SAFETY: C++ reports only valid functions. The closure uses them only before the next pass.
    LiveFunction::new(unsafe { FunctionRef::new(function.as_ptr()) })
}

/// # Safety
///
/// All pointers must be valid during the call.
unsafe extern "C" fn passed(
    work: &Work,
    watch: NonNull<Watched>,
    module: LLVMModuleRef,
    name: *const u8,
    length: usize,
    rows: *const Row,
    count: usize,
) {
    // SAFETY: the caller guarantees that the pointers are valid.
    let passed = unsafe {
        let rows = if count == 0 { &[] } else { std::slice::from_raw_parts(rows, count) };
        let pass = String::from_utf8_lossy(std::slice::from_raw_parts(name, length));
        let watching = Watching { watch, while_alive: PhantomData };
        let deleted = rows.iter().filter(|row| row.function.is_null()).map(|row| row.index).collect();
        Passed { pass, module: Module::from_raw(module), watching, rows, deleted }
    };
    let name = passed.pass.clone();
    guard(
        || format!("rust-audit after {name}"),
        || {
            work(passed);
            Ok(())
        },
    );
}
