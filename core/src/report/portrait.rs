//! Everything that is known of one function, for reports that show all of it.

use cranelift_entity::PrimaryMap;

use crate::bfi::bias::BlockBiases;
use crate::bfi::nest::LoopNest;
use crate::bfi::BlockFrequencies;
use crate::bpi::BranchProbabilities;
use crate::cfg::Block;
use crate::dialect::Dialect;
use crate::facts::FunctionFacts;

/// A function and its profile.
pub struct Portrait<'a> {
    /// The module's name, which is mostly that of a file.
    pub module: &'a [u8],
    /// The function's name.
    pub function: &'a [u8],
    /// The name of each block as LLVM's assembly writes an operand: `%entry`, `%7`, `%"a b"`. Always ASCII.
    pub names: PrimaryMap<Block, String>,
    /// Which LLVM's answer this is.
    pub dialect: &'a Dialect,
    /// The function's graph and facts.
    pub snapshot: &'a FunctionFacts,
    /// Its branch probabilities.
    pub probabilities: &'a BranchProbabilities,
    /// Its loops.
    pub nest: LoopNest,
    /// Its block frequencies and biases, if they are part of the picture.
    pub frequencies: Option<Frequencies<'a>>,
}

/// How often blocks run.
pub struct Frequencies<'a> {
    /// The frequencies.
    pub frequencies: &'a BlockFrequencies,
    /// What evidence does to them.
    pub biases: BlockBiases,
}
