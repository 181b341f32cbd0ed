//! Conversion of results to schema types.

/// Like `Into`, for conversions between types of other crates.
pub(crate) trait IntoSchema<T> {
    /// The schema's type with the same value.
    fn into_schema(self) -> T;
}
