//! A module as plain data: functions, what they call in which block, and what says how often they are called.

use cranelift_entity::PrimaryMap;

use super::graph::CallNode;
use crate::bfi::Scaled;
use crate::cfg::{Block, Graph};

/// All functions of a module, defined or not.
#[derive(Clone, Debug, Default)]
pub struct ModuleFacts {
    /// The functions in the order of the module.
    pub functions: PrimaryMap<CallNode, ModuleFunction>,
}

/// What is known of a function from outside of it, and its body.
#[derive(Clone, Debug, Default)]
pub struct ModuleFunction {
    /// Its name, as bytes: LLVM allows any.
    pub name: Vec<u8>,
    /// What stands at its head.
    pub attributes: FunctionAttributes,
    /// By which type it may be called through a pointer; none if nobody takes its address.
    pub address_taken: Option<Signature>,
    /// Its blocks; none if it is only declared.
    pub body: Option<Body>,
}

/// What stands at the head of a function, or is said of it elsewhere in the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionAttributes(u32);

impl FunctionAttributes {
    /// Functions of other modules may call it.
    pub const VISIBLE: FunctionAttributes = FunctionAttributes(1);
    /// It runs once, before `main` or after it.
    pub const RUNS_ONCE: FunctionAttributes = FunctionAttributes(2);
    /// The source or its section says that it runs rarely.
    pub const COLD: FunctionAttributes = FunctionAttributes(4);
    /// The source or its section says that it runs often.
    pub const HOT: FunctionAttributes = FunctionAttributes(8);
    /// It is marked as one that never returns.
    pub const NEVER_RETURNS: FunctionAttributes = FunctionAttributes(16);

    /// The marks of which bit by bit is told whether they are there, from the first constant on.
    pub const fn from_bits(bits: u32) -> Self {
        FunctionAttributes(bits)
    }

    /// These marks and `other`.
    pub const fn with(self, other: FunctionAttributes) -> Self {
        FunctionAttributes(self.0 | other.0)
    }

    /// Whether all of `other` are among them.
    pub const fn has(self, other: FunctionAttributes) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A function type, as far as it decides who may be meant by a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The same for all that have the same type.
    pub number: u32,
    /// How many parameters it has.
    pub parameters: u32,
}

/// What frequencies of blocks rest on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Rules, which have a few numbers for all branches.
    #[default]
    Rules,
    /// A model that is learned from profiles.
    Model,
    /// A measured profile.
    Measured,
}

/// The blocks of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Blocks and edges.
    pub graph: Graph,
    /// How often each block runs for each time that the function is called.
    pub frequencies: PrimaryMap<Block, Scaled>,
    /// How many loops are around each block.
    pub depths: PrimaryMap<Block, u32>,
    /// How many instructions each block has.
    pub sizes: PrimaryMap<Block, u32>,
    /// The blocks that end in a return, or in what else leads back to the caller.
    pub returns: PrimaryMap<Block, bool>,
    /// What the frequencies rest on.
    pub basis: Basis,
    /// What is called, in the order of blocks.
    pub calls: Vec<CallSite>,
}

impl Body {
    /// How many instructions run for each time that the function is called, without what it calls.
    pub fn time(&self) -> Scaled {
        self.time_at(&self.frequencies)
    }

    /// The same if blocks run as often as `frequencies` says.
    pub(super) fn time_at(&self, frequencies: &PrimaryMap<Block, Scaled>) -> Scaled {
        let sizes = self.sizes.values().map(|&size| Scaled::new(size.into(), 0));
        sizes.zip(frequencies.values()).fold(Scaled::ZERO, |sum, (size, &frequency)| sum + size * frequency)
    }
}

/// Something that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Where.
    pub block: Block,
    /// What.
    pub target: Target,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A function by its name; what follows the call runs only if it returns.
    Function(CallNode),
    /// The same where an exception leads on.
    Invoked(CallNode),
    /// A function whose address is handed to another that calls it so many times.
    Callback(CallNode, u32),
    /// Whatever is behind a pointer.
    Pointer(Signature),
}
