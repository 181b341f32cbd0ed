//! Which rules there are, in which order they are asked, and with which numbers they answer: as data.
//!
//! [`Predictor::llvm`] is LLVM's. Another one is read from a text, in which a rule has other numbers, or another place,
//! or none: [`Predictor::read`]. What a rule looks at stays what it is.
//!
//! ```
//! use bpa_profile::bpi::Rule;
//! use bpa_profile::predictor::Predictor;
//!
//! let pointers_alone = Predictor::read("mine", "
//!     rules = ['pointer']
//!     pointer.equal = [1, 9]
//! ").unwrap();
//! assert_eq!(pointers_alone.rules(), [Rule::Pointer]);
//!
//! let error = Predictor::read("mine", "rules = ['pointer', 'pionter']").unwrap_err();
//! assert_eq!(error.line, 1);
//! ```

mod comparisons;
mod entries;
mod error;
mod estimates;
mod file;
mod llvm;
mod model;
mod named;

use std::borrow::Cow;
use std::sync::Arc;

use crate::bpi::Rule;

pub use comparisons::{BranchWeights, ConstantWeights, FloatWeights, PointerWeights, PredicateWeights};
pub use error::PredictorError;
pub use estimates::EstimateWeights;
pub(crate) use model::probability;
pub use model::{Contribution, Model, ModelPart, Trees};

/// Rules in their order, and their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictor {
    pub(crate) name: Cow<'static, str>,
    pub(crate) rules: Cow<'static, [Rule]>,
    pub(crate) estimates: EstimateWeights,
    pub(crate) pointer: PointerWeights,
    pub(crate) constant: ConstantWeights,
    pub(crate) floating_point: FloatWeights,
    pub(crate) model: Option<Arc<Model>>,
}

impl Predictor {
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
        let llvm = Predictor::llvm();
        *self == Predictor { name: self.name.clone(), ..llvm.clone() }
    }

    /// The model that answers by [`Rule::Learned`], if there is one.
    pub fn model(&self) -> Option<&Model> {
        self.model.as_deref()
    }

    /// LLVM's rules, and before all but metadata what `model` says.
    fn of_model(name: &str, model: Model) -> Self {
        let llvm = Predictor::llvm();
        let others = llvm.rules.iter().filter(|&&rule| rule != Rule::Metadata);
        let rules = [Rule::Metadata, Rule::Learned].iter().chain(others).copied().collect();
        Predictor {
            name: Cow::Owned(name.to_string()),
            rules: Cow::Owned(rules),
            model: Some(Arc::new(model)),
            ..llvm.clone()
        }
    }

    /// By which numbers cold blocks and loops tell.
    pub fn estimates(&self) -> &EstimateWeights {
        &self.estimates
    }
}
