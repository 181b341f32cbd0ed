//! The names of the rules.

/// The rule that decided the probabilities of a block.
///
/// Rules are tried in this order; the first rule that applies decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// `branch_weights` metadata on the terminator.
    Metadata,
    /// [Predictions](crate::bpi::Predictions), for example of a model trained on profiles. LLVM has no such rule.
    Learned,
    /// Weights estimated from cold, unreachable and exceptional blocks and from loops.
    EstimatedWeights,
    /// Two pointers are rarely equal.
    Pointer,
    /// A value is rarely zero, negative or minus one; strings are rarely equal.
    Constant,
    /// Floating point numbers are rarely NaN.
    FloatingPoint,
    /// No rule applies: all successors are equally likely.
    #[default]
    Even,
    /// A pass that changed the function set the probabilities; no rule was applied.
    Update,
}

impl Rule {
    /// The rule's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Metadata => "metadata",
            Rule::Learned => "learned",
            Rule::EstimatedWeights => "estimated weights",
            Rule::Pointer => "pointer",
            Rule::Constant => "constant",
            Rule::FloatingPoint => "floating point",
            Rule::Even => "even",
            Rule::Update => "update",
        }
    }
}

impl From<Rule> for bpa_schema::Rule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Metadata => bpa_schema::Rule::Metadata,
            Rule::Learned => bpa_schema::Rule::Learned,
            Rule::EstimatedWeights => bpa_schema::Rule::EstimatedWeights,
            Rule::Pointer => bpa_schema::Rule::Pointer,
            Rule::Constant => bpa_schema::Rule::Constant,
            Rule::FloatingPoint => bpa_schema::Rule::FloatingPoint,
            Rule::Even => bpa_schema::Rule::Even,
            Rule::Update => bpa_schema::Rule::Update,
        }
    }
}
