//! What the analyses know of a function: its graph and, for each block, the facts that the rules look at.
//!
//! [`FunctionFacts`] are plain data, taken from the function in one walk. The few questions that are worth asking
//! only of some blocks, and late, go through traits: [`LoopConditions`] for a rule, [`IrText`] for explanations.

mod block;
mod builder;
mod check;
mod condition;
mod error;
mod function;
mod ir_text;
mod loop_conditions;
mod parts;

pub use block::{BlockFacts, Marks, Terminator, WeightsPlace};
pub use builder::FunctionFactsBuilder;
pub use condition::{Condition, FloatPredicate, IntegerConstant, IntegerOperand, IntegerPredicate};
pub use error::FactsError;
pub(crate) use function::header_weight;
pub use function::{EntryCount, FunctionFacts};
pub use ir_text::{IrText, UnreadProfile};
pub use loop_conditions::{LoopAround, LoopConditions, NoConditions};
pub use parts::FactsParts;
