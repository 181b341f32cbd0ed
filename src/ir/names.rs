//! Names of blocks and identifiers, as LLVM prints them.

use std::cell::OnceCell;

use cranelift_entity::PrimaryMap;

use super::live::LiveFunction;
use super::value::Value;
use bpa_core::cfg::{table, Block};
use bpa_core::dialect::BlockNameStyle;
use bpa_core::report::Names;

/// Writes block names in a given style.
pub struct BlockNames<'a> {
    live: &'a LiveFunction<'a>,
    style: BlockNameStyle,
    /// Slot numbers of unnamed blocks, computed when a number is first needed.
    slots: OnceCell<PrimaryMap<Block, u32>>,
}

impl<'a> BlockNames<'a> {
    /// Names of the blocks of `live`.
    pub fn new(live: &'a LiveFunction, style: BlockNameStyle) -> Self {
        BlockNames { live, style, slots: OnceCell::new() }
    }

    /// Appends the name of `block` to `text`.
    ///
    /// LLVM: `getBlockName`, `Value::printAsOperand`.
    pub fn write(&self, block: Block, text: &mut Vec<u8>) {
        match self.style {
            BlockNameStyle::Bare => text.extend_from_slice(self.bare(block)),
            BlockNameStyle::Operand => text.extend_from_slice(self.operand(block).as_bytes()),
        }
    }

    /// The name of `block` as an operand. The result is the same with all LLVM versions, although their printers write
    /// block names in different styles. The text is ASCII, and other bytes are escaped.
    pub fn operand(&self, block: Block) -> String {
        match self.bare(block) {
            [] => format!("%{}", self.slots.get_or_init(|| count_slots(self.live))[block]),
            name => format!("%{}", identifier(name)),
        }
    }

    fn bare(&self, block: Block) -> &[u8] {
        self.live.block(block).value().name()
    }
}

impl LiveFunction<'_> {
    /// The names of the function and of all its blocks.
    pub(crate) fn names(&self) -> Names<'_> {
        let names = BlockNames::new(self, BlockNameStyle::Operand);
        let blocks = self.layout().map(|block| names.operand(block)).collect();
        Names { module: self.module_name(), function: self.name(), blocks }
    }
}

/// Slot numbers of unnamed blocks.
fn count_slots(live: &LiveFunction) -> PrimaryMap<Block, u32> {
    let mut slots = table(live.block_count(), 0);
    for_each_slot(live, |block, _, slot| {
        if let Some(block) = block {
            slots[block] = slot;
        }
    });
    slots
}

/// Numbers the slots in the order of LLVM's assembly writer: first unnamed arguments, then unnamed blocks and results.
/// `visit` gets each unnamed value with its slot number, and the block if the value is a block.
///
/// LLVM: `SlotTracker::processFunction`.
pub(super) fn for_each_slot<'ir>(
    live: &'ir LiveFunction<'ir>,
    mut visit: impl FnMut(Option<Block>, Value<'ir>, u32),
) {
    let mut next = 0;
    let mut count = |block: Option<Block>, value: Value<'ir>| {
        if value.name().is_empty() {
            visit(block, value, next);
            next += 1;
        }
    };
    for argument in live.value().arguments() {
        count(None, argument);
    }
    for (block, basic_block) in live.basic_blocks() {
        count(Some(block), basic_block.value());
        for instruction in basic_block.instructions().filter(|instruction| !instruction.type_of().is_void()) {
            count(None, *instruction);
        }
    }
}

/// Writes `name` as an identifier of LLVM assembly.
///
/// LLVM: `printLLVMNameWithoutPrefix`.
pub(super) fn identifier(name: &[u8]) -> String {
    let plain = |c: &u8| c.is_ascii_alphanumeric() || b"-._".contains(c);
    let is_plain = !name[0].is_ascii_digit() && name.iter().all(plain);
    if is_plain {
        escaped(name)
    } else {
        format!("\"{}\"", escaped(name))
    }
}

/// Escapes bytes of `name` that are not printable ASCII.
///
/// LLVM: `printEscapedString`.
pub(super) fn escaped(name: &[u8]) -> String {
    let mut text = String::new();
    for &byte in name {
        match byte {
            b'\\' => text.push_str(r"\\"),
            b' '..=b'~' if byte != b'"' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_if_necessary() {
        assert_eq!(identifier(b"for.body-2_x"), "for.body-2_x");
        assert_eq!(identifier(b"2nd"), r#""2nd""#);
        assert_eq!(identifier(b"a \"b\" \\ \xC3\n"), r#""a \22b\22 \\ \C3\0A""#);
    }
}
