//! Compares estimated entry counts with a profile: writes a table of scores, or the features of functions.

use bpa_schema::{Digits, Format, FunctionFeatures};

use crate::features::named;
use crate::json::write_line;
use crate::WriteText;
use bpa_model::features::{function_features, FUNCTION_NAMES};
use bpa_profile::calls::{found, Counted, Estimate, Guess, Measured};

/// The percentages in the titles of the table's columns.
const PERCENTS: [usize; 3] = [5, 10, 25];

/// Appends the table to `out`. The table shows how many of the most executed functions, blocks and call sites of
/// `module` the estimate finds.
pub fn write_entry_count_score(module: &[u8], estimate: &Estimate, measured: &Measured, out: &mut Vec<u8>) {
    let functions = measured.calls.values().flatten().count();
    out.extend([b"Score of entry counts of module '", module, b"': "].concat());
    writeln!(out, "{functions} functions measured");
    writeln!(out, "{:<20}{:<12}{:>8}{:>8}{:>8}", "", "", "5%", "10%", "25%");
    for counted in Counted::ALL {
        for guess in Guess::ALL.into_iter().filter(|guess| guess.applies_to(counted)) {
            write!(out, "{:<20}{:<12}", counted.name(), guess.name());
            for percent in PERCENTS {
                match found(counted, guess, estimate, measured, percent) {
                    Some(part) => write!(out, "{:>7.1}%", 100.0 * part.to_f64()),
                    None => write!(out, "{:>8}", "-"),
                }
            }
            out.push(b'\n');
        }
    }
    out.push(b'\n');
}

/// Appends a line of JSON for each defined function of `module`, in the order of the module. The line has the features
/// of the function, and its profiled calls and instructions. The features are computed with the rules of LLVM version
/// `llvm`, or with a model.
pub fn write_function_features_json(
    module: &[u8],
    estimate: &Estimate,
    measured: &Measured,
    llvm: u32,
    out: &mut Vec<u8>,
) {
    for (node, features) in estimate.defined().zip(function_features(estimate)) {
        let row = FunctionFeatures {
            format: Format,
            llvm,
            module: String::from_utf8_lossy(module),
            function: String::from_utf8_lossy(&estimate.module().functions[node].name),
            calls: measured.calls[node].map(Digits),
            instructions: measured.time(node).map(|time| Digits(time.to_nearest_u64())),
            estimated_calls: estimate.calls(node).into(),
            estimated_instructions: estimate.time(node).into(),
            features: named(&FUNCTION_NAMES, &features),
        };
        write_line(&row, out);
    }
}
