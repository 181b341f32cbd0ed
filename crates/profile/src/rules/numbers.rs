//! Reads the tables and numbers of rule files.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use toml::Spanned;

/// The greatest number that is allowed in a rule file. The sum of two such numbers and a rounding error must fit in 32
/// bits.
const GREATEST: u32 = (1 << 31) - 1;

/// Reads a table. Rejects a list, although `serde` would accept a list of the fields in order.
pub(super) fn table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    struct Tables<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Tables<T> {
        type Value = T;

        fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
            out.write_str("a table")
        }

        fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(entries))
        }
    }

    from.deserialize_map(Tables(PhantomData))
}

/// Reads a table and its position in the text.
pub(super) fn spanned_table<'de, D, T>(from: D) -> Result<Option<Spanned<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(serde::Deserialize)]
    #[serde(transparent, bound = "T: Deserialize<'de>")]
    struct Table<T>(#[serde(deserialize_with = "table")] T);

    let table = Spanned::<Table<T>>::deserialize(from)?;
    Ok(Some(Spanned::new(table.span(), table.into_inner().0)))
}

/// Reads a number.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 0)
}

/// Reads a number above 0.
pub(super) fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 1)
}

fn whole<'de, D: Deserializer<'de>>(from: D, least: u32) -> Result<u32, D::Error> {
    let number = u32::deserialize(from).ok().filter(|number| (least..=GREATEST).contains(number));
    number.ok_or_else(|| D::Error::custom(format!("expected a whole number from {least} to {GREATEST}")))
}

/// Reads a ratio of two numbers. The second number must not be greater than the first number.
pub(super) fn ratio<'de, D: Deserializer<'de>>(from: D) -> Result<[u32; 2], D::Error> {
    pair(from)
        .filter(|&[more, less]| (1..=GREATEST).contains(&more) && (1..=more).contains(&less))
        .ok_or_else(|| {
            D::Error::custom(format!(
                "expected two whole numbers from 1 to {GREATEST}; the second number must not be greater than the first"
            ))
        })
}

/// Reads the weights of a comparison.
pub(super) fn weights<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[u32; 2]>, D::Error> {
    let weights =
        pair(from).filter(|weights| weights.iter().all(|weight| *weight <= GREATEST) && *weights != [0, 0]);
    let expected = || format!("expected two whole numbers from 0 to {GREATEST}, not both 0");
    weights.map(Some).ok_or_else(|| D::Error::custom(expected()))
}

fn pair<'de, D: Deserializer<'de>>(from: D) -> Option<[u32; 2]> {
    // The type is not an array, because deserializing an array would silently ignore the third number of a list.
    Vec::<u32>::deserialize(from).ok()?.try_into().ok()
}
