//! The command `bpa`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    bpa_cli::run(std::env::args_os())
}
