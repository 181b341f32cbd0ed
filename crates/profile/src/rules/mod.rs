//! Which rules there are, in which order they are asked, and with which numbers they answer: as data.
//!
//! [`RuleSet::llvm`] is LLVM's. Another one is read from a text, in which a rule has other numbers, or another place,
//! or none: [`RuleSet::read`]. What a rule looks at stays what it is.
//!
//! ```
//! use bpa_profile::bpi::Rule;
//! use bpa_profile::rules::RuleSet;
//!
//! let pointers_alone = RuleSet::read("mine", "
//!     rules = ['pointer']
//!     pointer.equal = [1, 9]
//! ").unwrap();
//! assert_eq!(pointers_alone.rules(), [Rule::Pointer]);
//!
//! let error = RuleSet::read("mine", "rules = ['pointer', 'pionter']").unwrap_err();
//! assert_eq!(error.line, 1);
//! ```

mod comparisons;
mod error;
mod estimates;
mod file;
mod llvm;
mod named;
mod numbers;
mod rule;

use std::borrow::Cow;

pub use comparisons::{BranchWeights, ConstantWeights, FloatWeights, PointerWeights, PredicateWeights};
pub use error::RuleSetError;
pub use estimates::EstimateWeights;
pub use rule::Rule;

/// Rules in their order, and their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    pub(crate) name: Cow<'static, str>,
    pub(crate) rules: Cow<'static, [Rule]>,
    pub(crate) estimates: EstimateWeights,
    pub(crate) pointer: PointerWeights,
    pub(crate) constant: ConstantWeights,
    pub(crate) floating_point: FloatWeights,
}

impl RuleSet {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules that are asked, one after the other. Where none has an answer, all edges are alike.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether it answers as LLVM does, whatever it is called.
    pub fn is_like_llvm(&self) -> bool {
        let llvm = RuleSet::llvm();
        *self == RuleSet { name: self.name.clone(), ..llvm.clone() }
    }

    /// LLVM's rules and numbers, and before all but metadata [predictions](crate::bpi::Predictions); called `name`.
    pub fn with_predictions(name: &str) -> Self {
        let llvm = RuleSet::llvm();
        let others = llvm.rules.iter().filter(|&&rule| rule != Rule::Metadata);
        let rules = [Rule::Metadata, Rule::Learned].iter().chain(others).copied().collect();
        RuleSet { name: Cow::Owned(name.to_string()), rules: Cow::Owned(rules), ..llvm.clone() }
    }

    /// By which numbers cold blocks and loops tell.
    pub fn estimates(&self) -> &EstimateWeights {
        &self.estimates
    }
}
