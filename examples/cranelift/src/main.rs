//! Prints how often each block of some Cranelift functions runs, and how likely each of its edges is.
//!
//! ```text
//! cargo run -p cranelift-profile -- FILE.clif...
//! ```

#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;

use bpa_core::dialect::Dialect;
use bpa_core::profile::Profile;
use cranelift_profile::Listing;

fn main() -> ExitCode {
    let mut files = std::env::args().skip(1).peekable();
    if files.peek().is_none() {
        eprintln!("usage: cranelift-profile FILE.clif...");
        return ExitCode::FAILURE;
    }
    for file in files {
        if let Err(error) = print(&file) {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Prints the functions of `file`, predicted as the newest LLVM does.
fn print(file: &str) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let newest = Dialect::named("23").expect("supported");
    for function in cranelift_reader::parse_functions(&text)? {
        let facts =
            cranelift_profile::facts(&function).map_err(|error| format!("{}: {error}", function.name))?;
        let profile = &Profile::new(facts, newest);
        print!("{}", Listing { function: &function, profile });
    }
    Ok(())
}
