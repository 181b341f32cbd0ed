//! Memory that something leaves to the next of its kind on the same thread: functions are mostly looked at one after
//! another.

use std::cell::Cell;
use std::thread::LocalKey;

/// A place for such memory, for `thread_local!`.
pub type Spare<T> = Cell<Option<T>>;

/// What was left at `place`, whatever is in it; something new if nothing was.
pub fn take<T: Default>(place: &'static LocalKey<Spare<T>>) -> T {
    place.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

/// Leaves `memory` at `place`, in place of what may be there.
pub fn leave<T>(place: &'static LocalKey<Spare<T>>, memory: T) {
    // A thread that ends may have ended the place before.
    let _ = place.try_with(|place| place.set(Some(memory)));
}
