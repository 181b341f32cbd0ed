//! Names the points of the pass pipeline at which bpa can analyse a module.

/// The point of the pass pipeline at which bpa analyses a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The output of clang's front end for the requested optimisation level, before any pass. Each branch of the source
    /// occurs once, and no pass has removed the hints of the source.
    Source,
    /// The module right after the pass that reads the profile. Branch weights are counts.
    Profile,
    /// For Rust with a profile: the module right before the pass that reads the profile. Branch weights come from
    /// hints.
    BeforeProfile,
    Optimised,
}
