//! Writes a table that compares estimated entry counts with a profile.

use crate::WriteText;
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
