//! Loads built-in predictors by their names, and other predictors from files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use bpa_core::rules::RuleSet;
use bpa_core::Predictor;

use super::options::OptionError;

/// The maximum size of a predictor file, in bytes. This is more than five times the size of a file with all entries.
const MOST_BYTES: u64 = 1 << 20;

/// Loads the predictor `name`, or the predictor in the file `name`. `None` means LLVM's rules.
pub(super) fn load(name: &str) -> Result<Option<Arc<Predictor>>, OptionError> {
    if name == "calibrated" && !Path::new(name).exists() {
        let problem = "predictor 'calibrated' no longer exists: use 'bpa', which is better, or a rules file";
        return Err(OptionError::Predictor { problem: problem.to_string() });
    }
    let predictor = match Predictor::named(name) {
        Some(predictor) => predictor,
        None => read(name).map_err(|problem| OptionError::Predictor { problem })?,
    };
    let is_llvm = predictor.name() == RuleSet::llvm().name();
    Ok((!is_llvm).then(|| Arc::new(predictor)))
}

/// Reads the predictor in the file `name`. Returns an error message if the file cannot be read.
fn read(name: &str) -> Result<Predictor, String> {
    let bytes = content(name).map_err(|reason| format!("cannot read predictor '{name}': {reason}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("{name}:1: expected at most {MOST_BYTES} bytes"));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        format!("{name}:{line}: expected UTF-8")
    })?;
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    // If a built-in predictor has the same name as the stem of the file, the full file name is the name of the
    // predictor.
    let stem = if Predictor::named(&stem).is_some() { name.into() } else { stem };
    Predictor::read(&stem, text).map_err(|error| format!("{name}:{error}"))
}

/// The content of a file. If the file is longer than [`MOST_BYTES`], the result is its first `MOST_BYTES + 1` bytes.
fn content(name: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(name)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
