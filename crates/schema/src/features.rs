//! Lines of `rust-bpi<features>`.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{BranchPlace, Digits, Format, Rule, Scaled};

/// A line of `rust-bpi<features>` about a branch. docs/src/reference/features.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct BranchFeatures<'a> {
    /// The version of the format.
    pub format: Format,
    /// The LLVM version whose rules predict the branches.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The position of the branch in the module.
    #[serde(flatten)]
    pub place: BranchPlace<'a>,
    /// The rule that decided the prediction.
    pub rule: Rule,
    /// The profiled executions of the branch. The field is omitted if the profile has no executions of the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<Digits>,
    /// The features of the branch.
    pub features: Named<'a>,
    /// The successor blocks of the branch, in the order of the terminator.
    pub successors: Vec<SuccessorFeatures<'a>>,
}

/// A successor block of a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SuccessorFeatures<'a> {
    /// The number of the successor block.
    pub to: usize,
    /// The probability that LLVM predicts, as a numerator over 2^31.
    pub numerator: u32,
    /// A weight that is proportional to the profiled count of the successor block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<u64>,
    /// The features of the successor block.
    pub features: Named<'a>,
}

/// A line of `rust-entry-counts<features>`: one defined function. docs/src/reference/features.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct FunctionFeatures<'a> {
    /// The version of the format.
    pub format: Format,
    /// The LLVM version whose rules predict the branches.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The function's name.
    pub function: Cow<'a, str>,
    /// The profiled calls of the function. The field is omitted if the function has no profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Digits>,
    /// The profiled number of instructions that the function executes, without the instructions of its callees. The
    /// number is rounded to nearest. The field is omitted if the function has no profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Digits>,
    /// The estimated calls of the function. The estimate ignores the profile.
    pub estimated_calls: Scaled,
    /// The estimated number of instructions that the function executes. The estimate ignores the profile.
    pub estimated_instructions: Scaled,
    /// The features of the function.
    pub features: Named<'a>,
}

/// Integers with names, in the order of their output.
pub type Named<'a> = IndexMap<Cow<'a, str>, i32>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_order() {
        let named = Named::from([("b".into(), 1), ("a".into(), -2)]);
        let text = serde_json::to_string(&named).unwrap();
        assert_eq!(text, r#"{"b":1,"a":-2}"#);
        assert_eq!(serde_json::from_str::<Named>(&text).unwrap(), named);
    }
}
