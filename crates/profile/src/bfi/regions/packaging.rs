//! Opens regions for the solver. Replaces each solved region by a single node in the enclosing region or function.

use super::{Region, Regions, Shape};
use crate::bfi::{Mass, Scaled};

impl Regions {
    /// Prepares `region` for the solver. From now on, the exits of `region` are on top of the stack.
    pub(crate) fn open(&mut self, region: Region) {
        let top = self.exits.len() as u32;
        let shape = &mut self.shapes[region];
        (shape.first_exit, shape.end_exit, shape.exits_floor) = (top, top, top);
    }

    /// Discards the results of an attempt to solve the natural loop `region`.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::updateLoopWithIrreducible`.
    pub(crate) fn abandon(&mut self, region: Region) {
        let Shape { first_exit, first_back_mass, .. } = self.shapes[region];
        self.exits.truncate(first_exit as usize);
        self.shapes[region].end_exit = first_exit;
        self.back_masses[first_back_mass as usize] = Mass::EMPTY;
    }

    /// Removes a node from the natural loop `region` if the node is now inside a solved irreducible region.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::updateLoopWithIrreducible`.
    pub(crate) fn drop_packaged_members(&mut self, region: Region) {
        let places = self.member_places(region);
        let mut kept = places.start;
        for place in places {
            let member = self.members[place];
            if self.nodes[member.node].representative == member.node {
                self.members[kept] = member;
                kept += 1;
            }
        }
        self.shapes[region].end_member = kept as u32;
    }

    /// Replaces a region by a single node in the enclosing region or function.
    ///
    /// The exits of the inner regions are no longer needed. An inner region becomes a node earlier than its outer
    /// region. The exits of inner regions are therefore directly below the exits of `region` on the stack. If `region`
    /// is a natural loop, its exits overwrite the exits of its inner regions on the stack. If several irreducible
    /// regions have the same enclosing region, their exits are next to each other on the stack. An enclosing natural
    /// loop later overwrites the exits of all these irreducible regions.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::packageLoop`.
    pub(crate) fn package(&mut self, region: Region, scale: Scaled) {
        self.scales[region] = scale;
        let places = self.member_places(region);
        let header = self.members[places.start].node;
        let mut floor = self.shapes[region].first_exit;
        for member in &mut self.members[places] {
            member.package = self.nodes[member.node].package;
            if let Some(inner) = member.package.expand() {
                floor = floor.min(self.shapes[inner].exits_floor);
            }
            self.nodes[member.node].representative = header;
        }
        self.nodes[header].package = region.into();
        self.nodes[header].level = self.shapes[region].parent;
        self.shapes[region].exits_floor = floor;
        if self.header_count(region) == 1 {
            self.move_exits_down(region);
        }
        self.packaged.push(region);
    }

    fn move_exits_down(&mut self, region: Region) {
        let own = self.exit_places(region);
        let floor = self.shapes[region].exits_floor;
        self.exits.copy_within(own.clone(), floor as usize);
        self.exits.truncate(floor as usize + own.len());
        let shape = &mut self.shapes[region];
        shape.first_exit = floor;
        shape.end_exit = floor + own.len() as u32;
    }
}

#[cfg(test)]
mod tests {
    use crate::bfi::distribution::Evidence;
    use crate::bfi::flow::{Flow, FlowInput};
    use crate::bfi::test_function::TestFunction;
    use crate::dialect::{HashProbing, IrreducibleMass};

    #[test]
    fn a_nest_keeps_the_exits_of_one_loop_for_each_level() {
        // The function has 50 nested loops. Each loop has two exits to the latch of the next outer loop.
        let depth = 50;
        let mut text = String::from("entry -> h0;");
        for level in 0..depth {
            let inner = if level + 1 < depth { format!("h{}", level + 1) } else { format!("l{level}") };
            let outer = if level > 0 { format!("l{}", level - 1) } else { "end".into() };
            text += &format!("h{level} -> {inner} {outer}; l{level} -> h{level} {outer};");
        }
        let (function, _) = TestFunction::new(&(text + "end"));
        let input = function.input();
        let mut flow = Flow::default();
        let (graph, tree, loops) = (input.graph, input.graph.tree(), input.graph.loops());
        let (irreducible, probing) = (IrreducibleMass::ByHeaders, HashProbing::Growing);
        flow.run(&FlowInput { graph, tree, loops, evidence: Evidence::Absent, irreducible, probing });
        assert_eq!((loops.count(), flow.regions.exits.len()), (depth, 2));
    }
}
