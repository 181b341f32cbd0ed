//! Numbers with more precision or a larger range than doubles.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The denominator of all probabilities.
pub const WHOLE: u32 = 1 << 31;

/// A 64-bit number. JSON contains the number as a string of digits. Many readers would parse a JSON number as a double,
/// which is only exact up to 2^53.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digits(pub u64);

impl Digits {
    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        self.0 as f64
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Digits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        digits.parse().map(Digits).map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Digits {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "u64".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]{0,19})$" })
    }
}

/// The number `digits` x 2^`exponent`, and the nearest double. For numbers above the range of doubles, `value` is the
/// largest double.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Scaled {
    /// The digits.
    pub digits: Digits,
    /// The exponent of the power of two by which the digits are multiplied.
    #[cfg_attr(feature = "schemars", schemars(range(min = -16382, max = 16383)))]
    pub exponent: i16,
    /// The nearest double.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0)))]
    pub value: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_exact() {
        let text = format!("\"{}\"", u64::MAX);
        assert_eq!(serde_json::to_string(&Digits(u64::MAX)).unwrap(), text);
        assert_eq!(serde_json::from_str::<Digits>(&text).unwrap(), Digits(u64::MAX));
        assert!(serde_json::from_str::<Digits>("\"18446744073709551616\"").is_err());
    }
}
