//! A value that is computed at its first use.

use std::sync::OnceLock;

/// A value that is computed at its first use. Code with exclusive access (`&mut`) can insert the value before
/// the first use.
///
/// The first use through a shared reference takes about 100 instructions for synchronization, because another thread
/// can use the value at the same time. [`insert`](Self::insert) needs no synchronization.
#[derive(Clone, Debug)]
pub struct Lazy<T> {
    inserted: Option<T>,
    /// The value that was computed at the first use. If `inserted` is `Some`, this cell is empty.
    computed: OnceLock<T>,
}

impl<T> Lazy<T> {
    /// A value that has not been computed.
    pub const fn new() -> Self {
        Lazy { inserted: None, computed: OnceLock::new() }
    }

    /// Returns the value. If the value has not been computed, returns `None`.
    pub fn get(&self) -> Option<&T> {
        self.inserted.as_ref().or_else(|| self.computed.get())
    }

    /// Returns the value. If the value has not been computed, computes it with `compute`.
    pub fn get_or_init(&self, compute: impl FnOnce() -> T) -> &T {
        match &self.inserted {
            Some(value) => value,
            None => self.computed.get_or_init(compute),
        }
    }

    /// Returns a mutable reference to the value, or `None` if the value has not been computed.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.inserted.as_mut().or_else(|| self.computed.get_mut())
    }

    /// Sets the value, and drops an earlier value.
    pub fn insert(&mut self, value: T) {
        self.computed.take();
        self.inserted = Some(value);
    }

    /// Removes the value and returns it. The next use computes the value again.
    pub fn take(&mut self) -> Option<T> {
        self.inserted.take().or_else(|| self.computed.take())
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self::new()
    }
}
