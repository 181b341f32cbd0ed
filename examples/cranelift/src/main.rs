//! Prints the frequencies of blocks and the probabilities of edges for Cranelift functions in files.
//!
//! ```text
//! cargo run -p cranelift-profile -- [--predictor=NAME] FILE.clif...
//! ```
//!
//! The default predictor is LLVM's rules. `--predictor=bpa` selects a model that was trained on profiles.

#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;

use bpa_core::dialect::Dialect;
use bpa_core::Predictor;
use cranelift_profile::Listing;

fn main() -> ExitCode {
    let mut files = std::env::args().skip(1).peekable();
    let name = files.next_if(|argument| argument.starts_with("--predictor="));
    let name = name.as_deref().map_or("llvm", |argument| &argument["--predictor=".len()..]);
    let Some(predictor) = Predictor::named(name) else {
        eprintln!("no predictor {name}; there are {}", Predictor::names());
        return ExitCode::FAILURE;
    };
    if files.peek().is_none() {
        eprintln!("usage: cranelift-profile [--predictor=NAME] FILE.clif...");
        return ExitCode::FAILURE;
    }
    for file in files {
        if let Err(error) = print(&file, &predictor) {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Prints the functions of `file` with the predictions of `predictor` for the newest LLVM.
fn print(file: &str, predictor: &Predictor) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let newest = Dialect::NEWEST;
    for function in cranelift_reader::parse_functions(&text)? {
        let profile = &cranelift_profile::profile(&function, predictor, newest)
            .map_err(|error| format!("{}: {error}", function.name))?;
        print!("{}", Listing { function: &function, profile });
    }
    Ok(())
}
