//! Converts results of analyses to schema types.

/// A trait like `Into`, for conversions between types of other crates.
pub(crate) trait IntoSchema<T> {
    /// Converts the value to the corresponding type of `bpa-schema`.
    fn into_schema(self) -> T;
}
