//! Faults on demand, by which tests see what a fault comes to. Release builds have none of it.
//!
//! `BPA_FAULT=frequencies` asks for a panic where frequencies are computed, `BPA_FAULT=frequencies@f` for one where
//! those of the function `f` are. `BPA_FAULT=check` asks for wrong numbers where ours are compared with the host's.

use crate::ir::LiveFunction;

/// Panics if it is asked for one in this place.
#[inline]
pub(super) fn point(place: &str, live: Option<&LiveFunction>) {
    assert!(!is_wanted(place, live), "BPA_FAULT asks for it");
}

/// Whether a fault is asked for in this place.
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
