//! A module as plain data: functions, their calls by block, and their attributes.

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

/// A function: its attributes and its body.
#[derive(Clone, Debug, Default)]
pub struct ModuleFunction {
    /// Its name, as bytes, because LLVM allows any bytes.
    pub name: Vec<u8>,
    /// Its attributes.
    pub attributes: FunctionAttributes,
    /// The type by which it may be called through a pointer; none if its address is not taken.
    pub address_taken: Option<Signature>,
    /// Its body; none for a declaration.
    pub body: Option<Body>,
}

/// Attributes of a function, from its definition or from elsewhere in the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionAttributes(u32);

impl FunctionAttributes {
    /// Functions of other modules may call it.
    pub const VISIBLE: FunctionAttributes = FunctionAttributes(1);
    /// It runs once, before `main` or after it.
    pub const RUNS_ONCE: FunctionAttributes = FunctionAttributes(2);
    /// The source or its section states that it runs rarely.
    pub const COLD: FunctionAttributes = FunctionAttributes(4);
    /// The source or its section states that it runs often.
    pub const HOT: FunctionAttributes = FunctionAttributes(8);
    /// It has an attribute that it never returns.
    pub const NEVER_RETURNS: FunctionAttributes = FunctionAttributes(16);

    /// The attributes whose bits are set, as in the constants.
    pub const fn from_bits(bits: u32) -> Self {
        FunctionAttributes(bits)
    }

    /// These attributes and `other`.
    pub const fn with(self, other: FunctionAttributes) -> Self {
        FunctionAttributes(self.0 | other.0)
    }

    /// Whether it has all attributes of `other`.
    pub const fn has(self, other: FunctionAttributes) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A function type, as needed to find the possible callees of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Equal for equal types.
    pub number: u32,
    /// The number of parameters.
    pub parameters: u32,
}

/// The source of block frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Rules, with a few weights for all branches.
    #[default]
    Rules,
    /// A model that is learned from profiles.
    Model,
    /// A profile.
    Measured,
}

/// The blocks of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Blocks and edges.
    pub graph: Graph,
    /// The executions of each block for each call of the function.
    pub frequencies: PrimaryMap<Block, Scaled>,
    /// The loop depth of each block.
    pub depths: PrimaryMap<Block, u32>,
    /// The number of instructions of each block.
    pub sizes: PrimaryMap<Block, u32>,
    /// The blocks that end in a return, or in another exit to the caller.
    pub returns: PrimaryMap<Block, bool>,
    /// The source of the frequencies.
    pub basis: Basis,
    /// The call sites, in the order of blocks.
    pub calls: Vec<CallSite>,
}

impl Body {
    /// The instructions that are executed for each call of the function, without its callees.
    pub(crate) fn time(&self) -> Scaled {
        self.time_at(&self.frequencies)
    }

    /// The same with other `frequencies`.
    pub(super) fn time_at(&self, frequencies: &PrimaryMap<Block, Scaled>) -> Scaled {
        let sizes = self.sizes.values().map(|&size| Scaled::new(size.into(), 0));
        sizes.zip(frequencies.values()).fold(Scaled::ZERO, |sum, (size, &frequency)| sum + size * frequency)
    }
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The block of the call.
    pub block: Block,
    /// The callee.
    pub target: Target,
}

/// A callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A function, called directly. The code after the call runs only if it returns.
    Function(CallNode),
    /// The same by `invoke`: an exception continues elsewhere.
    Invoked(CallNode),
    /// A function that is passed to another function, which calls it this often.
    Callback(CallNode, u32),
    /// A call through a pointer of this type.
    Pointer(Signature),
}
