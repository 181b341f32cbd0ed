//! Fault injection for tests. Release builds inject no faults.
//!
//! `BPA_FAULT=frequencies` requests a panic in the computation of frequencies. `BPA_FAULT=frequencies@f` requests the
//! panic only for the function `f`. With `BPA_FAULT=check`, the option `check` uses wrong
//! numbers and compares these numbers with the host's results.

use crate::ir::LiveFunction;

/// Panics if `BPA_FAULT` requests a fault at `place`.
#[inline]
pub(super) fn point(place: &str, live: Option<&LiveFunction>) {
    assert!(!is_wanted(place, live), "BPA_FAULT requests this panic");
}

/// Whether `BPA_FAULT` requests a fault at `place`.
#[inline]
pub(super) fn is_wanted(place: &str, live: Option<&LiveFunction>) -> bool {
    cfg!(debug_assertions) && {
        let wanted = std::env::var("BPA_FAULT").unwrap_or_default();
        let (wanted, function) = match wanted.split_once('@') {
            Some((wanted, function)) => (wanted, Some(function)),
            None => (&*wanted, None),
        };
        wanted == place && function.is_none_or(|name| live.is_some_and(|live| live.name() == name.as_bytes()))
    }
}
