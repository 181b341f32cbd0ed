//! The command `bpa` as users run it. One test program: each further one would link the whole crate again.

mod cargo;
mod command;
mod explain;
mod hints;
mod patches;
mod profiles;
mod projects;
mod reference;
mod support;
