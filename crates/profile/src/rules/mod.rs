//! Rules, their order and their weights, as data.
//!
//! [`RuleSet::llvm`] has LLVM's rules. [`RuleSet::read`] reads another rule set from a file. The file can change the
//! weights and the order of rules, and omit rules. The file cannot change the conditions under which a rule applies.
//!
//! ```
//! use bpa_profile::rules::{Rule, RuleSet};
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

mod file;
mod llvm;
mod weights;

use std::borrow::Cow;

pub use bpa_schema::Rule;
pub use file::RuleSetError;
pub use weights::EstimateWeights;
pub(crate) use weights::{BranchWeights, ConstantWeights, FloatWeights, PointerWeights};

/// Rules in the order of their evaluation, with their weights.
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
    /// The name of the rule set.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules in the order of their evaluation. If no rule applies to a block, all edges of the block are equally
    /// likely.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether the rules and weights equal LLVM's rules and weights, even if the rule set has another name.
    pub fn is_like_llvm(&self) -> bool {
        self.rules == RuleSet::llvm().rules && self.has_llvms_weights()
    }

    /// Creates a rule set with the name `name`. The rule set contains LLVM's rules and weights, and, after the rule for
    /// metadata, [`Rule::Learned`].
    pub fn with_predictions(name: &str) -> Self {
        let rules = Cow::Owned(rules_with_predictions().collect());
        RuleSet { name: Cow::Owned(name.to_string()), rules, ..RuleSet::llvm().clone() }
    }

    /// Whether this rule set, apart from its name, equals the result of [`with_predictions`](Self::with_predictions).
    pub(crate) fn are_llvms_with_predictions(&self) -> bool {
        self.rules.iter().copied().eq(rules_with_predictions()) && self.has_llvms_weights()
    }

    /// Whether all weights equal LLVM's weights.
    fn has_llvms_weights(&self) -> bool {
        let RuleSet { name: _, rules: _, estimates, pointer, constant, floating_point } = self;
        let llvm = RuleSet::llvm();
        (estimates, pointer, constant, floating_point)
            == (&llvm.estimates, &llvm.pointer, &llvm.constant, &llvm.floating_point)
    }

    /// The weights that the rule `estimated weights` uses.
    pub fn estimates(&self) -> &EstimateWeights {
        &self.estimates
    }
}

/// LLVM's rules, and the rule that uses predictions after the rule for metadata.
fn rules_with_predictions() -> impl Iterator<Item = Rule> {
    let others = RuleSet::llvm().rules.iter().copied().filter(|&rule| rule != Rule::Metadata);
    [Rule::Metadata, Rule::Learned].into_iter().chain(others)
}
