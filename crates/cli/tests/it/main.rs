//! Tests that run the executable `bpa`. All these tests are in one test program, because each test program links the
//! whole crate.

mod audit;
mod cargo;
mod command;
mod executables;
mod explain;
mod hints;
mod patches;
mod profile_errors;
mod profiles;
mod projects;
mod score;
mod support;
