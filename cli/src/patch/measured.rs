//! The branches of a program that ran, and the hints that they want, as the plugin tells them.

use crate::error::Result;
use crate::opt::read_lines;
use crate::program::{Program, Unit, Whose};
use bpa_schema::{Kind, Position, ScoredBranch};

/// A two-way branch that ran.
pub struct Measured {
    /// The module that it is in, by its place in the program.
    pub module: usize,
    /// What the IR calls the function.
    pub symbol: String,
    /// Whether another module may have another function of that name.
    pub is_local: bool,
    pub number: usize,
    pub block: String,
    pub position: Option<Position<'static>>,
    /// The blocks that its edges lead to.
    pub targets: [usize; 2],
    /// How often it took each edge.
    pub edges: [f64; 2],
    pub hint: Option<Hint>,
}

/// A hint that a branch wants.
pub struct Hint {
    symbol: String,
    number: usize,
    pub source: Option<Position<'static>>,
    pub cost: f64,
    /// Whether a hint in the source expects something.
    is_about_hint: bool,
    pub is_chosen: bool,
}

impl From<bpa_schema::Hint<'static>> for Hint {
    fn from(hint: bpa_schema::Hint<'static>) -> Self {
        Hint {
            symbol: hint.symbol.into_owned(),
            number: hint.number,
            source: hint.source,
            cost: hint.cost.to_f64(),
            is_about_hint: hint.expected.is_some(),
            is_chosen: false,
        }
    }
}

impl Hint {
    /// Whether it is about a hint that is in the source.
    pub fn is_about_hint(&self) -> bool {
        self.is_about_hint
    }
}

/// The branches of all modules of `program`, and the hints that are about no such branch.
pub fn read(program: &Program) -> Result<(Vec<Measured>, Vec<Hint>)> {
    let (mut branches, mut others) = (Vec::new(), Vec::new());
    let read = program.each_unit("measuring", |unit| read_module(program, unit))?;
    for (of_module, rest) in read {
        branches.extend(of_module);
        others.extend(rest);
    }
    Ok((branches, others))
}

fn read_module(program: &Program, unit: &Unit) -> Result<(Vec<Measured>, Vec<Hint>)> {
    let passes =
        format!("rust-bpi<hints;json;most={};output=hints>,rust-bpi<score;json;output=scored>", u32::MAX);
    let [hints, scored] = program.run_passes(unit, &passes, &Whose::default(), ["hints", "scored"])?;
    let hints: Vec<bpa_schema::Hint> = read_lines(&hints)?;
    let mut hints: Vec<Hint> = hints.into_iter().map(Hint::from).collect();
    let scored: Vec<ScoredBranch> = read_lines(&scored)?;
    let branches = scored.into_iter().filter_map(|branch| measured(branch, unit.place, &mut hints)).collect();
    Ok((branches, hints))
}

/// `branch` with the hint of `hints` that is about it.
fn measured(branch: ScoredBranch<'static>, module: usize, hints: &mut Vec<Hint>) -> Option<Measured> {
    let executions = branch.executions.to_f64();
    let [Some(first), Some(second)] = [0, 1].map(|edge| branch.edges.get(edge)?.true_weight) else {
        return None;
    };
    let total = f64::from(first) + f64::from(second);
    if branch.place.kind != Kind::TwoWay || executions <= 0.0 || total <= 0.0 {
        return None;
    }
    let is_its = |hint: &Hint| hint.symbol == branch.place.function && hint.number == branch.place.number;
    let hint = hints.iter().position(is_its).map(|place| hints.swap_remove(place));
    Some(Measured {
        module,
        symbol: branch.place.function.into_owned(),
        is_local: branch.place.local,
        number: branch.place.number,
        block: branch.place.block.into_owned(),
        position: branch.source,
        targets: [0, 1].map(|edge| branch.edges[edge].to),
        edges: [first, second].map(|weight| executions * f64::from(weight) / total),
        hint,
    })
}

impl Measured {
    /// The edge that it took more often.
    pub fn likely_edge(&self) -> usize {
        usize::from(self.edges[1] > self.edges[0])
    }
}
