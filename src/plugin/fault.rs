//! Fault injection for tests. Release builds have none.
//!
//! `BPA_FAULT=frequencies` requests a panic where frequencies are computed, `BPA_FAULT=frequencies@f` only for the
//! function `f`. `BPA_FAULT=check` requests wrong numbers where ours are compared with the host's.

use crate::ir::LiveFunction;

/// Panics if a fault is requested at this place.
#[inline]
pub(super) fn point(place: &str, live: Option<&LiveFunction>) {
    assert!(!is_wanted(place, live), "BPA_FAULT asks for it");
}

/// Whether a fault is requested at this place.
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
