//! A module as plain data: its functions, their attributes, and their calls by block.

use cranelift_entity::PrimaryMap;

use super::graph::CallNode;
use crate::bfi::Scaled;
use crate::cfg::{Block, Graph};
use bpa_schema::{Basis, Linkage};

/// All functions of a module, definitions and declarations.
#[derive(Clone, Debug, Default)]
pub struct ModuleFacts {
    /// The functions in the order of the module.
    pub functions: PrimaryMap<CallNode, ModuleFunction>,
}

/// A function: its attributes and its body.
#[derive(Clone, Debug, Default)]
pub struct ModuleFunction {
    /// The function's name. The name is a byte string because LLVM allows any bytes.
    pub name: Vec<u8>,
    /// The function's attributes.
    pub attributes: FunctionAttributes,
    /// How the function takes part in linking.
    pub linkage: Linkage,
    /// The type of the function.
    pub signature: Signature,
    /// 0 if the function cannot be called through a pointer. If only tables of constants contain the function's
    /// address: the number of functions of its type in one table, which is a virtual table of a closure, for example.
    /// Code outside the program that gets the table calls one of these functions. If several tables contain the
    /// address, the smallest number. Otherwise 1.
    pub alternatives: u32,
    /// The function's body, or `None` for a declaration.
    pub body: Option<Body>,
}

impl ModuleFunction {
    /// Whether the function can be called through a pointer.
    pub fn is_address_taken(&self) -> bool {
        self.alternatives > 0
    }

    /// The number of instructions that each call of the function executes, not counting instructions of its callees.
    /// For a declaration, the number is 0.
    pub fn time(&self) -> Scaled {
        self.body.as_ref().map_or(Scaled::ZERO, Body::time)
    }
}

/// Attributes of a function. Some attributes depend only on the function. Other attributes also depend on globals of
/// the module, for example on `llvm.global_ctors`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionAttributes(u32);

impl FunctionAttributes {
    /// Functions of other modules can call the function.
    pub const VISIBLE: FunctionAttributes = FunctionAttributes(1);
    /// The function runs once, before or after `main`.
    pub const RUNS_ONCE: FunctionAttributes = FunctionAttributes(2);
    /// The source code declares that the function is cold, or the function is in a section for cold code.
    pub const COLD: FunctionAttributes = FunctionAttributes(4);
    /// The source code declares that the function is hot, or the function is in a section for hot code.
    pub const HOT: FunctionAttributes = FunctionAttributes(8);
    /// An attribute of the function declares that the function never returns.
    pub const NEVER_RETURNS: FunctionAttributes = FunctionAttributes(16);

    /// Creates attributes from bits. Each constant of this type is one bit.
    pub const fn from_bits(bits: u32) -> Self {
        FunctionAttributes(bits)
    }

    /// The attributes as bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The union of `self` and `other`.
    pub const fn with(self, other: FunctionAttributes) -> Self {
        FunctionAttributes(self.0 | other.0)
    }

    /// Whether `self` has all attributes of `other`.
    pub const fn has(self, other: FunctionAttributes) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A function type, reduced to the data that is needed to find the possible callees of a call through a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// A number that identifies the type.
    pub number: u32,
    /// The number of parameters.
    pub parameters: u32,
}

/// The blocks and calls of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The blocks and edges of the function.
    pub graph: Graph,
    /// For each block, the number of executions per call of the function.
    pub frequencies: PrimaryMap<Block, Scaled>,
    /// The loop depth of each block.
    pub depths: PrimaryMap<Block, u32>,
    /// The number of instructions of each block.
    pub sizes: PrimaryMap<Block, u32>,
    /// For each block, whether it ends in a return or in another exit to the caller.
    pub returns: PrimaryMap<Block, bool>,
    /// The source of the frequencies.
    pub basis: Basis,
    /// The call sites, in the order of blocks.
    pub calls: Vec<CallSite>,
}

impl Body {
    /// The number of instructions that each call of the function executes, not counting instructions of its callees.
    pub(crate) fn time(&self) -> Scaled {
        self.time_at(&self.frequencies)
    }

    /// The number of instructions that each call of the function executes, if its block frequencies are `frequencies`.
    pub(super) fn time_at(&self, frequencies: &PrimaryMap<Block, Scaled>) -> Scaled {
        let sizes = self.sizes.values().map(|&size| Scaled::new(size.into(), 0));
        sizes.zip(frequencies.values()).fold(Scaled::ZERO, |sum, (size, &frequency)| sum + size * frequency)
    }
}

/// A call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The block of the call.
    pub block: Block,
    /// The callee.
    pub target: Target,
}

/// The callee of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A direct call. The code after the call runs only if the callee returns.
    Function(CallNode),
    /// A direct call by `invoke`. After an exception, execution continues at the unwind destination.
    Invoked(CallNode),
    /// A function that is an argument of a call.
    Callback {
        /// The function that is the argument.
        function: CallNode,
        /// The number of calls of `function` in one execution of the callee.
        times: u32,
        /// The callee, if the module only declares the callee.
        receiver: Option<CallNode>,
    },
    /// A call through a pointer of this type.
    Pointer(Signature),
}
