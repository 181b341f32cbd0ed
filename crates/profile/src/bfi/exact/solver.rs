//! Solves one irreducible region by elimination, and by iteration if too many nodes remain.

use super::elimination::Elimination;
use super::elimination_graph::WeightedEdge;
use super::iteration::Iteration;
use super::real::Real;

/// The number of edges that elimination may visit. This number suffices for 400 nodes with edges between all pairs.
const MOST_WORK: u64 = 1 << 25;

/// The solver of irreducible regions. The memory is reused for the next region.
pub(crate) struct Solver {
    pub region: Elimination,
    iteration: Iteration,
    most_work: u64,
    /// The greatest relative residual among the equations of all regions that were solved so far. The residual does not
    /// include rounding errors.
    pub residual: Real,
}

impl Default for Solver {
    fn default() -> Self {
        let (region, iteration) = (Elimination::default(), Iteration::default());
        Solver { region, iteration, most_work: MOST_WORK, residual: Real::ZERO }
    }
}

impl Solver {
    /// Sets the number of edges that elimination may visit.
    #[cfg(test)]
    pub(crate) fn set_most_work(&mut self, most: u64) {
        self.most_work = most;
    }

    /// Computes the flow into each node of the region.
    pub(crate) fn solve(&mut self) {
        self.region.eliminate(self.most_work);
        let left = self.region.left();
        if !left.is_empty() {
            self.iterate(&left);
        }
        self.region.substitute();
    }

    /// Computes the flow into each node that is not eliminated.
    fn iterate(&mut self, left: &[u32]) {
        let Solver { region, iteration, .. } = self;
        let mut numbers = vec![0; region.solution().len()];
        left.iter().zip(0..).for_each(|(&node, number)| numbers[node as usize] = number);
        let mut columns: Vec<Vec<WeightedEdge>> = vec![Vec::new(); left.len()];
        for (number, &node) in (0..).zip(left) {
            for edge in region.node(node).0 {
                let column = &mut columns[numbers[edge.node as usize] as usize];
                column.push(WeightedEdge { node: number, weight: edge.weight });
            }
        }
        iteration.start();
        for (&node, column) in left.iter().zip(columns) {
            let (row, leaving, inflow) = region.node(node);
            let weight = row.iter().fold(leaving, |sum, edge| sum + edge.weight);
            iteration.add(column.into_iter(), leaving, inflow, weight);
        }
        let (solution, residual) = iteration.solve();
        self.residual = self.residual.max(residual);
        left.iter().zip(solution).for_each(|(&node, &came)| region.set_solution(node, came));
    }
}
