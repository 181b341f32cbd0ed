//! The command `cargo bpa`, and the wrapper that records the command lines of cargo.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    bpa_cli::run_for_cargo(std::env::args_os())
}
