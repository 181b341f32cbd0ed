//! What the plugin prints as data: docs/json.md, docs/score.md and docs/entry-counts.md describe it.

use serde::Deserialize;

/// Probabilities are over this.
pub const WHOLE: u32 = 1 << 31;

/// A line of `rust-bfi<json>`.
#[derive(Clone, Debug, Deserialize)]
pub struct Function {
    pub function: String,
    pub display_name: Option<String>,
    pub source: Option<FunctionSource>,
    pub entry_count: Option<EntryCount>,
    pub blocks: Vec<Block>,
    pub edges: Vec<Edge>,
    pub loops: Vec<Loop>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct FunctionSource {
    pub file: String,
    pub directory: Option<String>,
    pub line: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub struct EntryCount {
    pub count: String,
    pub synthetic: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Block {
    pub name: String,
    #[serde(rename = "loop")]
    pub innermost: Option<usize>,
    pub frequency: Scaled,
    /// Where its branch stands.
    pub source: Option<Position>,
    /// Where its first instruction stands.
    pub first: Option<Position>,
    /// The lines of the function's own file that its instructions belong to.
    #[serde(default)]
    pub lines: Vec<u32>,
}

/// A number of any size; the nearest double serves here.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Scaled {
    pub value: f64,
}

/// A place in the source, and where what it stands in was inlined.
#[derive(Clone, Debug, Deserialize)]
pub struct Position {
    pub file: String,
    pub directory: Option<String>,
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    pub function: Option<String>,
    pub inlined_at: Option<Box<Position>>,
}

impl Position {
    /// It, and outwards the calls by which it was inlined.
    pub fn outwards(&self) -> impl Iterator<Item = &Position> {
        std::iter::successors(Some(self), |position| position.inlined_at.as_deref())
    }

    pub fn outermost(&self) -> &Position {
        self.outwards().last().unwrap_or(self)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub numerator: u32,
    pub rule: String,
    #[serde(default)]
    pub why: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Loop {
    pub headers: Vec<usize>,
    pub irreducible: bool,
    pub parent: Option<usize>,
    pub entries: Scaled,
    pub scale: Scaled,
}

/// A line of `rust-bpi<score;json>`.
#[derive(Clone, Debug, Deserialize)]
pub struct ScoredBranch {
    pub function: String,
    /// The block that it ends.
    pub number: usize,
    pub executions: String,
    pub rule: String,
    /// Whether another module may have another function of that name.
    #[serde(default)]
    pub local: bool,
    #[serde(default)]
    pub block: String,
    #[serde(default)]
    pub kind: String,
    pub source: Option<Position>,
    pub edges: Vec<ScoredEdge>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct ScoredEdge {
    pub to: usize,
    pub numerator: u32,
    pub true_weight: Option<u32>,
}

/// A line of `rust-entry-counts<json>`.
#[derive(Clone, Debug, Deserialize)]
pub struct Calls {
    pub function: String,
    pub calls: Scaled,
    pub instructions: Scaled,
}
