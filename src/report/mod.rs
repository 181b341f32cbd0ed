//! Results as text.
//!
//! Writers append to a page of bytes, since names may be any bytes. They are given the name of a block by a
//! function, so that they need to know nothing of live IR.

mod biases;
mod difference;
mod frequencies;
mod probabilities;

pub use biases::write_biases;
pub use difference::write_difference;
pub use frequencies::write_frequencies;
pub use probabilities::write_probabilities;

/// Appends the line that a printer begins with.
pub fn write_header(header: &str, function: &[u8], page: &mut Vec<u8>) {
    for part in [header.as_bytes(), b" '", function, b"':\n"] {
        page.extend_from_slice(part);
    }
}

/// Appends formatted text.
fn write(page: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    page.write_fmt(text).expect("writing to memory does not fail");
}
