//! The command `cargo bpa`, and the wrapper by which it learns how cargo compiles.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    bpa_cli::run_for_cargo(std::env::args_os())
}
