//! All results for one function in one object. This object is the interface for reports, for plugins that link this
//! library, and for other compilers.
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
//! // Without other evidence, a loop continues with probability 31/32.
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
//! If a pass transforms a function, the pass applies the same changes to the profile. The results then describe the
//! changed function. Edges and probabilities change immediately. Dominators, post-dominators, loops, components, the
//! loop nest and biases are recomputed on next use. Frequencies are not recomputed automatically, because a pass
//! usually knows the new frequencies. The pass [sets](Profile::set_frequency) the frequencies that change, or
//! [recomputes](Profile::recompute) all of them.
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
//! // A pass inserts a block on the edge from entry to end.
//! let middle = profile.add_block(profile.edge_frequency(entry, 1));
//! profile.set_successors(middle, &[(end, Probability::ONE)])?;
//! let half = Probability::ratio(1, 2);
//! profile.set_successors(entry, &[(then, half), (middle, half)])?;
//! assert_eq!(profile.frequency(middle), profile.frequency(then));
//! assert_eq!(profile.dominators().idom(middle), Some(entry));
//! # Ok::<(), bpa_profile::profile::UpdateError>(())
//! ```
//!
//! | file | contains |
//! | --- | --- |
//! | `profile` | the profile, which computes each part on first use |
//! | `queries` | queries about edges and blocks |
//! | `update` | single updates, and the changed edges |
//! | `edits` | common edits of passes: splitting an edge, removing an edge, merging two blocks |
//! | `frequency` | frequencies that can be compared, added and scaled |

mod edits;
mod frequency;
#[cfg(test)]
mod predicted;
#[allow(clippy::module_inception, reason = "the main type of the module")]
mod profile;
#[cfg(test)]
mod properties;
mod queries;
mod update;

pub use frequency::BlockFrequency;
pub use profile::{Profile, ProfileBuilder};
pub use update::UpdateError;
