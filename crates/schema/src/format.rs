//! The version of the format of JSON lines.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of the format of all JSON lines. The version changes if a field is removed, or if the meaning of a field
/// changes. The version does not change if a field is added.
pub const FORMAT: u32 = 3;

/// The field `format`. The value of this field is always [`FORMAT`]. Reading a line with another value is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format;

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(FORMAT)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            FORMAT => Ok(Format),
            other => Err(serde::de::Error::custom(format_args!(
                "the line has format {other}, but bpa reads format {FORMAT}"
            ))),
        }
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Format {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "format".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": FORMAT })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_format_is_an_error() {
        assert_eq!(serde_json::to_string(&Format).unwrap(), "3");
        assert_eq!(serde_json::from_str::<Format>("3").unwrap(), Format);
        let error = serde_json::from_str::<Format>("2").unwrap_err().to_string();
        assert!(error.starts_with("the line has format 2, but bpa reads format 3"), "{error}");
    }
}
