//! Prints a profile with Cranelift's block names.

use std::fmt;

use bpa_core::profile::Profile;
use cranelift_codegen::ir::{self, Function};

/// Prints every block with its frequency per call of the function, and then the block's successors with their
/// probabilities.
pub struct Listing<'a> {
    /// The function.
    pub function: &'a Function,
    /// The profile of the function.
    pub profile: &'a Profile,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "{}", self.function.name)?;
        let names: Vec<ir::Block> = self.function.layout.blocks().collect();
        for block in self.profile.blocks() {
            let frequency = self.profile.frequency(block).to_string();
            writeln!(out, "  {:<8} {frequency}", names[block.as_u32() as usize].to_string())?;
            let edges = self.profile.successors(block).iter().zip(self.profile.probabilities(block));
            for (successor, probability) in edges {
                let name = names[successor.as_u32() as usize].to_string();
                writeln!(out, "    {name:<8} {:6.2}%", probability.to_f64() * 100.0)?;
            }
        }
        Ok(())
    }
}
