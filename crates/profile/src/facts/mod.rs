//! The input of the analyses: the graph of a function, and the facts about each block that the rules use.
//!
//! [`FunctionFacts`] are plain data, collected in one pass over the function. Some data are expensive to collect, and
//! are needed only for few blocks. Methods of two traits query these data: [`LoopConditions`] provides data
//! for a rule, and [`IrText`] provides data for explanations.

mod block;
mod builder;
mod condition;
mod error;
mod function;
mod queries;

pub use block::{BlockFacts, BlockProperties, Terminator, WeightIndex};
pub use builder::FunctionFactsBuilder;
pub use condition::{Condition, ConstantKind, FloatPredicate, IntegerOperand, Predicate};
pub use error::FactsError;
pub(crate) use function::header_weight;
pub use function::{EntryCount, FactsParts, FunctionFacts};
pub use queries::{IrText, LoopAround, LoopConditions, NoConditions, UnreadProfile};
