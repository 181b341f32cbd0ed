//! Which of the cycles that were passed on the way up are worth another look.
//!
//! A cycle can be weighed when the weights of all its exits are known. Until then every look at it is in vain, and a
//! cycle may be passed by as many ways as there are blocks. So what has been looked at in vain waits for one of its
//! exits, and is left out until all are known.
//!
//! On a way up a chain the topmost of the cycles that are left comes first. A tournament tree over all passages, whose
//! winners are the least lowest links, finds it: the loops that hold the way's lower end too reach further down.

use super::chains::{Link, Passage, Stretch};
use super::cycles::{Cycle, Cycles};
use super::estimate::Weighed;

/// Not in the tournament: below every link.
const OUT: Link = Link(u32::MAX);

/// No cycle, no passage: the end of a list.
const END: u32 = u32::MAX;

/// The passages worth a look, and the cycles that wait.
pub(super) struct Lookout {
    /// Winners of the tournament: the root is 1, those below `n` are `2n` and `2n + 1`, the second half are leaves.
    winners: Vec<Link>,
    /// The lowest link of each passage and the next passage of the same cycle.
    passages: Vec<(Link, u32)>,
    first_passages: Vec<u32>,
    /// The first cycle that waits for each cycle and, behind those, for each block.
    waiting: Vec<u32>,
    /// For each cycle that waits, the next one that waits for the same.
    states: Vec<Option<u32>>,
}

impl Lookout {
    /// Everything is worth a first look.
    pub fn new(cycles: &Cycles, passages: &[Passage]) -> Self {
        let mut first_passages = vec![END; cycles.count()];
        let next = |(place, passage): (usize, &Passage)| {
            let number = cycles.number(passage.cycle).expect("a passage leaves a cycle");
            (passage.lowest, std::mem::replace(&mut first_passages[number as usize], place as u32))
        };
        let passages: Vec<(Link, u32)> = passages.iter().enumerate().map(next).collect();
        let leaves = passages.len().next_power_of_two();
        let mut winners = vec![OUT; 2 * leaves];
        passages.iter().zip(&mut winners[leaves..]).for_each(|(passage, leaf)| *leaf = passage.0);
        for node in (1..leaves).rev() {
            winners[node] = winners[2 * node].min(winners[2 * node + 1]);
        }
        let waiting = vec![END; cycles.graph.block_count() + cycles.count()];
        Lookout { winners, passages, first_passages, waiting, states: vec![None; cycles.count()] }
    }

    /// The topmost passage on `way` that is worth a look, which it is not any more then.
    pub fn next(&mut self, way: Stretch) -> Option<u32> {
        let leaves = self.winners.len() / 2;
        let mut node = leaves + way.first as usize;
        while self.winners.get(node)? >= &way.below {
            // On to the next subtree on the right, which is larger where this one was a right one itself.
            node >>= node.trailing_ones();
            if node == 0 {
                return None;
            }
            node += 1;
        }
        while node < leaves {
            node *= 2;
            if self.winners[node] >= way.below {
                node += 1;
            }
        }
        // What begins at the way's end or below it does not end above.
        let passage = (node - leaves) as u32;
        self.enter(passage, OUT);
        Some(passage)
    }

    fn enter(&mut self, passage: u32, lowest: Link) {
        let mut node = self.winners.len() / 2 + passage as usize;
        self.winners[node] = lowest;
        while node > 1 {
            node /= 2;
            self.winners[node] = self.winners[2 * node].min(self.winners[2 * node + 1]);
        }
    }

    /// Whether `cycle` waits for something.
    pub fn waits(&self, cycles: &Cycles, cycle: Cycle) -> bool {
        cycles.number(cycle).is_some_and(|number| self.states[number as usize].is_some())
    }

    /// Has `cycle`, which does not wait yet, wait for something whose weight is not known.
    pub fn wait(&mut self, cycles: &Cycles, cycle: Cycle, awaited: Weighed) {
        let Some(number) = cycles.number(cycle) else { return };
        let first = self.first_waiting(cycles, awaited);
        self.states[number as usize] = Some(std::mem::replace(first, number));
    }

    fn first_waiting(&mut self, cycles: &Cycles, awaited: Weighed) -> &mut u32 {
        let cycle_number = |cycle| cycles.number(cycle).expect("what is awaited is a cycle");
        &mut self.waiting[match awaited {
            Weighed::Cycle(cycle) => cycle_number(cycle) as usize,
            Weighed::Block(block) => cycles.count() + block.as_u32() as usize,
        }]
    }

    /// All cycles that wait for `known`, which thereby stop waiting, as a list for [`Lookout::next_released`].
    pub fn release(&mut self, cycles: &Cycles, known: Weighed) -> Released {
        Released(std::mem::replace(self.first_waiting(cycles, known), END))
    }

    /// Takes a cycle off the list.
    pub fn next_released(&mut self, cycles: &Cycles, released: &mut Released) -> Option<Cycle> {
        let number = (released.0 != END).then_some(released.0)?;
        released.0 = self.states[number as usize].take().expect("it waits");
        Some(cycles.numbered(number))
    }

    /// Has `cycle`, whose exits all have a weight now, looked at wherever it is passed.
    pub fn announce(&mut self, cycles: &Cycles, cycle: Cycle) {
        let Some(number) = cycles.number(cycle) else { return };
        let mut passage = self.first_passages[number as usize];
        while passage != END {
            let (lowest, next) = self.passages[passage as usize];
            self.enter(passage, lowest);
            passage = next;
        }
    }
}

/// Cycles that have been waiting.
pub(super) struct Released(u32);

#[cfg(test)]
mod tests {
    use super::super::chains::{Chains, Stretch};
    use super::super::cycles::Cycle;
    use super::super::estimate::Weighed;
    use super::super::test_support::{draw, Drawn};
    use super::Lookout;

    /// Three loops in a row and one around the last two, on one chain.
    const ROW: &str = "entry -> a; a -> a o; o -> b; b -> b c; c -> c latch; latch -> o end; end: cold";

    struct Row {
        drawn: Drawn,
        chains: Chains,
        lookout: Lookout,
    }

    impl Row {
        fn new() -> Self {
            let drawn = draw(ROW);
            let chains = drawn.chains();
            let lookout = Lookout::new(&drawn.cycles(), chains.passages());
            Row { drawn, chains, lookout }
        }

        fn cycle(&self, name: &str) -> Cycle {
            self.drawn.cycles().of(self.drawn.block(name))
        }

        /// The cycle that is next on the way from the block `name` to the top of the chain.
        fn next(&mut self, name: &str) -> Option<Cycle> {
            let below = self.chains.link(self.drawn.block(name)).unwrap();
            let passage = self.lookout.next(Stretch { first: 0, below })?;
            Some(self.chains.passages()[passage as usize].cycle)
        }
    }

    /// On the way up from the latch, the loop around it is not left; from the end it is.
    #[test]
    fn the_topmost_cycle_left_comes_first_and_each_once() {
        let mut row = Row::new();
        let [a, o, b, c] = ["a", "o", "b", "c"].map(|name| row.cycle(name));
        assert_eq!([(); 4].map(|()| row.next("latch")), [Some(a), Some(b), Some(c), None]);
        assert_eq!([(); 2].map(|()| row.next("end")), [Some(o), None]);
    }

    #[test]
    fn a_cycle_is_looked_at_again_when_what_it_waits_for_is_known() {
        let mut row = Row::new();
        let [a, o, b] = ["a", "o", "b"].map(|name| row.cycle(name));
        while row.next("end").is_some() {}
        let Row { drawn, lookout, .. } = &mut row;
        let cycles = drawn.cycles();
        lookout.wait(&cycles, a, Weighed::Cycle(o));
        lookout.wait(&cycles, b, Weighed::Cycle(o));
        assert!(lookout.waits(&cycles, a) && lookout.waits(&cycles, b) && !lookout.waits(&cycles, o));
        let mut none = lookout.release(&cycles, Weighed::Cycle(a));
        assert!(lookout.next_released(&cycles, &mut none).is_none());
        let mut released = lookout.release(&cycles, Weighed::Cycle(o));
        let all = [(); 3].map(|()| lookout.next_released(&cycles, &mut released));
        assert_eq!(all, [Some(b), Some(a), None]);
        assert!(!lookout.waits(&cycles, a));
        lookout.announce(&cycles, b);
        assert_eq!([(); 2].map(|()| row.next("end")), [Some(b), None]);
    }
}
