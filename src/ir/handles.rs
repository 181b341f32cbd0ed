//! Value handles. A handle shows whether its value still exists.

use std::ptr::NonNull;

use super::llvm::prelude::LLVMValueRef;
use super::value::Value;

/// A list of handles; its fields are private to C++.
#[repr(C)]
struct List {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn bpa_new_handles(values: *const Value<'_>, count: usize) -> NonNull<List>;
    fn bpa_drop_handles(handles: NonNull<List>);
    fn bpa_add_handle(handles: NonNull<List>, value: Option<Value>);
    fn bpa_handle(handles: NonNull<List>, place: usize) -> LLVMValueRef;
}

/// Handles of values. A handle shows whether its value has been deleted. The address of a value is not sufficient,
/// because LLVM can allocate another value at the same address.
pub(crate) struct Handles {
    list: NonNull<List>,
    count: usize,
}

impl Handles {
    /// Creates a list with one handle for each of `values`, in the same order.
    pub(super) fn new(values: &[Value]) -> Self {
        // SAFETY: the pointer and the length belong to a slice of valid values.
        Handles { list: unsafe { bpa_new_handles(values.as_ptr(), values.len()) }, count: values.len() }
    }

    /// Adds a handle. If `value` is `None`, the new handle counts as the handle of a deleted value.
    pub(super) fn push(&mut self, value: Option<Value>) {
        // SAFETY: the list and the value are valid.
        unsafe { bpa_add_handle(self.list, value) };
        self.count += 1;
    }

    /// Whether the value at index `place` still exists.
    ///
    /// # Panics
    ///
    /// Panics if the list has no handle with the index `place`.
    pub fn is_alive(&self, place: usize) -> bool {
        assert!(place < self.count, "handle {place} does not exist");
        // SAFETY: `place` is less than the number of handles.
        !unsafe { bpa_handle(self.list, place) }.is_null()
    }

    /// Whether all values still exist.
    pub fn are_alive(&self) -> bool {
        (0..self.count).all(|place| self.is_alive(place))
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        // SAFETY: nothing else uses the list.
        unsafe { bpa_drop_handles(self.list) }
    }
}
