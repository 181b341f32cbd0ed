//! Holds the frequencies that `rust-bfi<json;exact>` prints against rational arithmetic.
//!
//! It reads the numerators of the edges, and nothing else of how frequencies come about: the equations of flow are
//! written down once more here, and solved by another method, to the last digit. Given a file of JSON lines,
//!
//! - `judge solve FILE` prints a line for each function: its name, the worst relative error of any block as a binary
//!   logarithm, and the exact frequency of each block as a decimal number;
//! - `judge residual FILE` prints a line for each function: its name, how many blocks are reached, the worst relative
//!   residual of any equation as a binary logarithm, and how many frequencies have saturated.
//!
//! Names are as JSON has them, with what is no letter, digit, `.` or `_` in hexadecimal.

mod function;
mod lifting;
mod modular;
mod residual;

use std::fmt::Write;
use std::fs::File;
use std::io::{BufRead, BufReader, Write as _};

use function::Function;
use num_bigint::BigInt;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [mode, file] = &words[..] else { panic!("judge solve|residual FILE") };
    let work = match mode.as_str() {
        "solve" => solve,
        "residual" => residual::line,
        other => panic!("no way to judge called {other}"),
    };
    let lines = BufReader::new(File::open(file).expect("a file to read")).lines();
    let mut out = std::io::stdout().lock();
    for line in lines {
        let function = Function::read(&line.expect("a line"));
        writeln!(out, "{}", work(&function)).expect("somebody who reads");
    }
}

/// The worst error of a function, and what is right.
fn solve(function: &Function) -> String {
    let solution = lifting::solve(function);
    let mut worst = f64::NEG_INFINITY;
    let mut text = String::new();
    for (block, exact) in solution.iter().enumerate() {
        match exact {
            Some((numerator, denominator)) => {
                worst = worst.max(function.log2_error(block, numerator, denominator));
                write!(text, " {}", decimal(numerator, denominator)).expect("memory");
            }
            None => {
                assert!(function.printed[block].is_zero(), "a frequency where nothing leads to");
                text += " 0";
            }
        }
    }
    format!("{} {worst:.2}{text}", function.name)
}

/// A positive fraction to 25 decimal digits, cut off: `1234567890123456789012345e-24`.
fn decimal(numerator: &BigInt, denominator: &BigInt) -> String {
    const DIGITS: i64 = 25;
    let estimate = (numerator.bits() as i64 - denominator.bits() as i64) * 30103 / 100_000;
    let shift = DIGITS - estimate;
    let power = BigInt::from(10).pow(shift.unsigned_abs() as u32);
    let digits = if shift >= 0 { numerator * power / denominator } else { numerator / (denominator * power) };
    format!("{digits}e{}", -shift)
}
