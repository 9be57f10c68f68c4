//! The names of a body's fields in JSON, which its derived `Deserialize` knows.

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;
use std::fmt;

/// The names of the fields of a struct.
pub(crate) fn names_of<T: DeserializeOwned>() -> &'static [&'static str] {
    match T::deserialize(AskForNames) {
        Ok(_) => &[],
        Err(Names(names)) => names,
    }
}

/// Gives a type no values, and keeps the names that it asks for.
struct AskForNames;

#[derive(Debug)]
struct Names(&'static [&'static str]);

impl fmt::Display for Names {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.0)
    }
}

impl std::error::Error for Names {}

impl Error for Names {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for AskForNames {
    type Error = Names;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Names> {
        Err(Names(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Names> {
        Err(Names(fields))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only their names matter")]
    struct Body {
        phone_number: String,
        #[serde(rename = "event_id")]
        event: Option<String>,
    }

    #[test]
    fn the_names_are_those_of_the_json() {
        assert_eq!(names_of::<Body>(), ["phoneNumber", "event_id"]);
        assert!(names_of::<String>().is_empty());
    }
}
