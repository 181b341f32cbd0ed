//! Exits of natural loops.

use cranelift_entity::PrimaryMap;

use super::cycles::Cycles;
use crate::cfg::{table, Block, Loop};

/// The destinations of each natural loop's exits, without duplicates.
///
/// There are two kinds of exits of a loop: edges from a block whose innermost loop is this loop, and exits of an inner
/// loop that also leave this loop. The constructor processes inner loops first. The constructor therefore visits an
/// edge once for every loop that the edge leaves, instead of once for every loop around the source of the edge.
pub(super) struct LoopExits {
    targets: PrimaryMap<Loop, Vec<Block>>,
}

impl LoopExits {
    /// Finds the exits of all loops.
    pub(crate) fn new(cycles: &Cycles) -> Self {
        let loops = cycles.loops;
        let mut targets: PrimaryMap<Loop, Vec<Block>> = table(loops.count(), Vec::new());
        let mut seen: PrimaryMap<Block, Option<Loop>> = table(cycles.graph.block_count(), None);
        for natural in loops.loops().rev() {
            // If an exit of an inner loop also leaves the loop `natural`, the exit is already in the list.
            let mut exits = std::mem::take(&mut targets[natural]);
            let own = loops.own_members(natural).iter().flat_map(|&block| cycles.graph.successors(block));
            exits.extend(own.filter(|&&target| !loops.contains_block(natural, target)));
            exits.retain(|&target| seen[target].replace(natural) != Some(natural));
            if let Some(parent) = loops.parent(natural) {
                let leaves_both = |target: &&Block| !loops.contains_block(parent, **target);
                targets[parent].extend(exits.iter().filter(leaves_both));
            }
            targets[natural] = exits;
        }
        LoopExits { targets }
    }

    /// The destinations of the exits of a natural loop.
    pub(crate) fn of(&self, natural: Loop) -> &[Block] {
        &self.targets[natural]
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycles::Cycle;
    use super::super::test_support::parse_function;
    use super::LoopExits;

    /// One edge leads from the inner loop to a block of the outer loop. Two parallel edges lead from the inner loop to
    /// a block outside both loops.
    #[test]
    fn parallel_edges_out_of_two_loops_are_one_exit_of_both() {
        let parsed = parse_function(
            "entry -> outer; outer -> inner; inner -> inner latch out out; latch -> outer end; out; end",
        );
        let cycles = parsed.cycles();
        let exits = LoopExits::new(&cycles);
        let of = |name: &str| match cycles.of(parsed.block(name)) {
            Cycle::Nested(natural) => exits.of(natural).to_vec(),
            _ => panic!("{name} is not in a natural loop"),
        };
        assert_eq!(of("inner"), [parsed.block("latch"), parsed.block("out")]);
        assert_eq!(of("outer"), [parsed.block("out"), parsed.block("end")]);
    }
}
