//! The public type for a live function. Other plugins use this type.

use std::rc::Rc;

use super::cache::ProfileCache;
use super::explained::Explanations;
use super::inkwell::attributes::{Attribute, AttributeLoc};
use super::inkwell::values::{AsValueRef, FunctionValue, InstructionValue};
use super::live::LiveFunction;
use super::llvm::prelude::LLVMValueRef;
use super::numbered::{CachedProfile, LiveControlFlow, LiveProfile, Numbered, WatchedBlocks};
use super::statistics::FITS;
use super::value::{FunctionRef, Instruction};
use crate::host_dialect;
use bpa_core::bfi::FrequencyMethod;
use bpa_core::cfg::ControlFlow;
use bpa_core::facts::{FunctionFacts, LoopConditions};
use bpa_core::profile::{Profile, ProfileBuilder};
use bpa_core::Predictor;

/// An LLVM function that has a body.
///
/// This type stores only a reference to the function. Every method reads the current IR, so a pass may change the
/// function and call a method again. Each result has [numbers](Numbered) for the blocks that exist at the time of the
/// call.
///
/// The module must outlive the values that belong to it, as inkwell requires.
///
/// ```
/// use bpa::inkwell::context::Context;
/// use bpa::inkwell::memory_buffer::MemoryBuffer;
/// use bpa::{Function, Probability};
///
/// const IR: &str = "
///     declare void @complain() cold
///     define i32 @f(i32 %x) {
///     entry:
///       %bad = icmp ugt i32 %x, 100
///       br i1 %bad, label %rare, label %usual
///     rare:
///       call void @complain()
///       br label %usual
///     usual:
///       ret i32 %x
///     }\0";
/// let context = Context::create();
/// let buffer = MemoryBuffer::create_from_memory_range_copy(IR.as_bytes(), "f.ll");
/// let module = context.create_module_from_ir(buffer).unwrap();
///
/// let function = Function::new(module.get_function("f").unwrap()).unwrap();
/// let profile = function.profile();
/// let rare = function.value().get_last_basic_block().unwrap().get_previous_basic_block().unwrap();
/// let (entry, rare) = (profile.graph().entry(), profile.block(rare).unwrap());
/// assert_eq!(profile.block_name(rare), "%rare");
/// assert!(!profile.is_edge_above(entry, rare, Probability::ratio(6, 100)));
/// assert!(profile.frequency(rare) < profile.frequency(entry));
/// ```
///
/// # Panics
///
/// Every method that reads the function panics in two cases: the function no longer has blocks, or a block has a
/// successor in another function. A block without a terminator has no successors.
pub struct Function<'ctx> {
    value: FunctionValue<'ctx>,
    cache: Option<&'ctx dyn ProfileCache>,
}

impl<'ctx> Function<'ctx> {
    /// Wraps inkwell's `FunctionValue`. The result is `None` if the function is only declared.
    pub fn new(function: FunctionValue<'ctx>) -> Option<Self> {
        // SAFETY: a `FunctionValue` of inkwell always refers to a valid function.
        unsafe { Self::from_raw(function.as_value_ref()) }
    }

    /// Wraps LLVM's own reference to a function, for plugins that do not use inkwell. The result is `None` if the
    /// function is only declared.
    ///
    /// # Safety
    ///
    /// `function` must be a valid function, and must stay valid for `'ctx`.
    pub unsafe fn from_raw(function: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller guarantees that the function is valid.
        let value = unsafe { FunctionValue::new(function) }?;
        value.get_first_basic_block()?;
        Some(Function { value, cache: None })
    }

    /// Creates a `Function` from a live function. `cache` is the cache for the profile of this function.
    pub(crate) fn with_cache(live: &'ctx LiveFunction<'_>, cache: &'ctx dyn ProfileCache) -> Self {
        // SAFETY: the function of a `LiveFunction` is valid.
        let value = unsafe { FunctionValue::new(live.value().raw()) }.expect("a function");
        Function { value, cache: Some(cache) }
    }

    /// The function as a value of inkwell.
    pub fn value(&self) -> FunctionValue<'ctx> {
        self.value
    }

    /// The function's name. Bytes that are not UTF-8 become U+FFFD.
    pub fn name(&self) -> String {
        FunctionRef::of(self.value).display_name()
    }

    /// Whether the function has the attribute `optnone`. Passes should not transform a function with this attribute.
    pub fn is_optnone(&self) -> bool {
        let optnone = Attribute::get_named_enum_kind_id("optnone");
        self.value.get_enum_attribute(AttributeLoc::Function, optnone).is_some()
    }

    /// Computes the profile of the function's current IR. Branch probabilities are computed immediately. Block
    /// frequencies, dominators and loops are computed at their first use. A pass that changes the function afterwards
    /// must update the profile or compute a new profile.
    pub fn profile(&self) -> LiveProfile<'ctx> {
        let live = self.live();
        self.numbered(compute(&live), &live)
    }

    /// Computes the profile with a [`Predictor`]. A predictor is a set of rules or a trained model.
    pub fn profile_with(&self, predictor: &Predictor) -> LiveProfile<'ctx> {
        let live = self.live();
        let statistics = |facts: &FunctionFacts| live.statistics(facts);
        let profile = predictor.profile(builder(&live), &mut conditions(&live), statistics);
        self.numbered(profile.expect(FITS), &live)
    }

    /// Computes the profile with exact block frequencies. Exact frequencies solve the flow equations, even if control
    /// flow is irreducible. `rust-bfi<exact>` prints these frequencies.
    pub fn exact_profile(&self) -> LiveProfile<'ctx> {
        let live = self.live();
        let profile = builder(&live).method(FrequencyMethod::Exact).build_with(&mut conditions(&live));
        self.numbered(profile, &live)
    }

    /// Returns the profile that the pass manager caches for the function, and computes the profile if necessary. Later
    /// passes, including bpa's own passes, use the cached profile until a pass reports a change.
    ///
    /// A pass that changes the function must call this method before its first change. The cached profile does not
    /// contain changes of the current pass. For a function that does not come from a pass manager, nothing is cached.
    pub fn cached_profile(&self) -> CachedProfile<'ctx> {
        let live = self.live();
        let (profile, blocks) = match self.cache {
            Some(cache) => cache.profile(&live),
            None => (compute(&live).into(), WatchedBlocks::new(&live).into()),
        };
        Numbered::new(profile, self.value, blocks)
    }

    /// Returns the result of an analysis that the pass manager caches for the function, and computes the result if
    /// necessary. The cache drops the result together with the [cached profile](Self::cached_profile): when LLVM has
    /// changed the function, or when a pass reports a change. For a function that does not come from a pass manager,
    /// nothing is cached.
    ///
    /// A pass that changes the function must call this method before its first change.
    pub fn cached<A: Analysis>(&self) -> Rc<A> {
        match self.cache {
            Some(cache) => cache.results().get(|| A::compute(self)),
            None => A::compute(self).into(),
        }
    }

    /// The control-flow graph of the function's current IR, for passes that need no probabilities. The method reads
    /// only terminators. Dominators, post-dominators and loops are computed at their first use.
    pub fn control_flow(&self) -> LiveControlFlow<'ctx> {
        let live = self.live();
        self.numbered(ControlFlow::new(live.graph()), &live)
    }

    /// Reads the function's current IR as plain data.
    pub fn facts(&self) -> FunctionFacts {
        self.live().facts(host_dialect())
    }

    /// Explains the profile of the function's current IR. The result contains the explanations as data and as text. The
    /// text is the output of `rust-bpi<explain>` and `rust-bfi<explain>`.
    pub fn explanations(&self) -> Numbered<'ctx, Explanations> {
        let live = self.live();
        self.numbered(Explanations::new(&live, compute(&live)), &live)
    }

    fn live(&self) -> LiveFunction<'_> {
        LiveFunction::new(FunctionRef::of(self.value)).expect("a function with blocks")
    }

    fn numbered<T>(&self, known: T, live: &LiveFunction) -> Numbered<'ctx, T> {
        Numbered::new(known, self.value, WatchedBlocks::new(live).into())
    }
}

/// The result of an analysis that a plugin defines for functions. [`Function::cached`] caches the result.
///
/// ```
/// use bpa::{Analysis, Function};
///
/// /// How many loops a function has.
/// struct LoopCount(usize);
///
/// impl Analysis for LoopCount {
///     fn compute(function: &Function<'_>) -> Self {
///         LoopCount(function.cached_profile().loops().loops().count())
///     }
/// }
///
/// fn report(function: &Function) {
///     eprintln!("{}: {} loops", function.name(), function.cached::<LoopCount>().0);
/// }
/// ```
pub trait Analysis: Sized + 'static {
    /// Computes the result. This method can request the cached results of other analyses. The result refers to blocks
    /// by their numbers. [`Function::cached_profile`] translates these numbers to blocks.
    fn compute(function: &Function<'_>) -> Self;
}

/// A profile builder with the facts of `live`.
fn builder(live: &LiveFunction) -> ProfileBuilder {
    let dialect = host_dialect();
    Profile::builder(live.facts(dialect), dialect)
}

fn conditions<'a>(live: &'a LiveFunction<'a>) -> impl LoopConditions + 'a {
    live.conditions(host_dialect())
}

fn compute(live: &LiveFunction) -> Profile {
    builder(live).build_with(&mut conditions(live))
}

/// The callee of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Callee<'ctx> {
    /// The call is direct and calls this function.
    Function(FunctionValue<'ctx>),
    /// The call is through a pointer, or the callee is inline assembly.
    Value,
}

impl<'ctx> Callee<'ctx> {
    /// The callee of a `call`, `invoke` or `callbr`; `None` for other instructions. (In older versions of inkwell,
    /// inkwell's own method panics for indirect calls.)
    pub fn of(instruction: InstructionValue<'ctx>) -> Option<Self> {
        let function = Instruction::of(instruction).callee()?.function();
        // SAFETY: `function` is valid as long as the instruction is valid.
        let function = function.and_then(|function| unsafe { FunctionValue::new(function.raw()) });
        Some(function.map_or(Callee::Value, Callee::Function))
    }
}

#[cfg(test)]
mod tests;
