//! Everything that is known of one function, in one object: for reports, for plugins that link this library, for other
//! compilers.
//!
//! ```
//! use bpa_profile::bpi::Probability;
//! use bpa_profile::cfg::parse_graph;
//! use bpa_profile::dialect::Dialect;
//! use bpa_profile::facts::FunctionFacts;
//! use bpa_profile::profile::{BlockFrequency, Profile};
//!
//! let llvm16 = Dialect::named("16").unwrap();
//! let (graph, block) = parse_graph("entry -> loop; loop -> loop exit; exit").unwrap();
//! let profile = Profile::new(FunctionFacts::from(graph), llvm16);
//!
//! // A loop goes round 31 times in 32 where nothing else is known of it.
//! assert_eq!(profile.successor_probability(block("loop"), block("exit")), Probability::ratio(1, 32));
//! assert!(profile.is_edge_hot(block("loop"), block("loop")));
//! assert_eq!(profile.hot_successor(block("loop")), Some(block("loop")));
//! assert_eq!(profile.frequency(block("loop")).to_string(), "32.0");
//! assert_eq!(profile.frequency(block("exit")), BlockFrequency::UNITY);
//!
//! assert!(profile.dominators().dominates(block("loop"), block("exit")));
//! let natural = profile.loops().innermost(block("loop")).unwrap();
//! assert_eq!(profile.loops().preheader(profile.graph(), natural), Some(block("entry")));
//! ```
//!
//! # Updates
//!
//! A pass that transforms a function tells the profile what it does. Each answer then is of the function as it has
//! become: edges and probabilities are those told, dominators, post-dominators, loops, components, the loop nest and
//! biases are computed anew when they are next asked for. Frequencies alone stay as they are, since a pass mostly knows
//! them: it [sets](Profile::set_frequency) those that change, or has all of them [recomputed](Profile::recompute).
//!
//! ```
//! use bpa_profile::bpi::Probability;
//! use bpa_profile::cfg::parse_graph;
//! use bpa_profile::dialect::Dialect;
//! use bpa_profile::facts::FunctionFacts;
//! use bpa_profile::profile::Profile;
//!
//! let llvm16 = Dialect::named("16").unwrap();
//! let (graph, block) = parse_graph("entry -> then end; then -> end; end").unwrap();
//! let mut profile = Profile::new(FunctionFacts::from(graph), llvm16);
//! let (entry, then, end) = (block("entry"), block("then"), block("end"));
//!
//! // A pass puts a block on the edge from entry to end.
//! let middle = profile.add_block(profile.edge_frequency(entry, 1));
//! profile.set_successors(middle, &[(end, Probability::ONE)])?;
//! let half = Probability::ratio(1, 2);
//! profile.set_successors(entry, &[(then, half), (middle, half)])?;
//! assert_eq!(profile.frequency(middle), profile.frequency(then));
//! assert_eq!(profile.dominators().idom(middle), Some(entry));
//! # Ok::<(), bpa_profile::profile::UpdateError>(())
//! ```
//!
//! | file | its one idea |
//! | --- | --- |
//! | `profile` | each part when it is first asked for |
//! | `queries` | questions to edges and blocks |
//! | `update` | changes |
//! | `edits` | changes as passes make them: split an edge, remove one, merge two blocks |
//! | `edges` | edges in a form that can be changed |
//! | `frequency` | frequencies that can be compared, added and scaled |

mod edges;
mod edits;
mod frequency;
#[allow(clippy::module_inception, reason = "the one thing in here that is called so")]
mod profile;
#[cfg(test)]
mod properties;
mod queries;
mod update;

pub use frequency::BlockFrequency;
pub use profile::{Profile, ProfileBuilder};
pub use update::UpdateError;
