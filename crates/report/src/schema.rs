//! What becomes of answers in JSON.

/// `Into`, for types that are both of other crates.
pub(crate) trait IntoSchema<T> {
    /// The same as the schema has it.
    fn into_schema(self) -> T;
}
