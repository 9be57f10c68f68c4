//! How values stand in JSON text: as they print, and only in that spelling, because the text is hashed.

use crate::beacon::Round;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt::Display;
use std::str::FromStr;

/// A timestamp as it is hashed and published: UTC with microseconds.
pub fn moment_text(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// A moment from the text that [`moment_text`] writes; `None` for any other spelling.
pub fn parse_moment(text: &str) -> Option<DateTime<Utc>> {
    let moment = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    (moment_text(moment) == text).then_some(moment)
}

pub(crate) fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(crate) fn deserialize<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    String::deserialize(deserializer)?
        .parse()
        .map_err(D::Error::custom)
}

/// A value that may be `null`. The member itself must be there.
pub(crate) mod or_null {
    use super::{Deserialize, Deserializer, Display, Error, FromStr, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<impl Display>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        D: Deserializer<'de>,
        T: FromStr<Err: Display>,
    {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom))
            .transpose()
    }
}

/// A moment, as [`moment_text`] writes it.
pub(crate) mod moment {
    use super::{DateTime, Deserialize, Deserializer, Error, Serializer, Utc, moment_text, parse_moment};

    pub(crate) fn serialize<S: Serializer>(value: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&moment_text(*value))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_moment(&text).ok_or_else(|| D::Error::custom("not a time in UTC with microseconds"))
    }
}

/// A moment that may be `null`. The member itself must be there.
pub(crate) mod moment_or_null {
    use super::{
        DateTime, Deserialize, Deserializer, Error, Serialize, Serializer, Utc, moment_text, parse_moment,
    };

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<DateTime<Utc>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(moment_text).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<DateTime<Utc>>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let moment = parse_moment(&text);
        moment
            .map(Some)
            .ok_or_else(|| D::Error::custom("not a time in UTC with microseconds"))
    }
}

/// A round, which is 0 when the beacon is off.
pub(crate) mod round_or_zero {
    use super::{Deserialize, Deserializer, Error, Round, Serializer};

    pub(crate) fn serialize<S: Serializer>(round: &Option<Round>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(round.map_or(0, Round::number))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Round>, D::Error> {
        let number = u64::deserialize(deserializer)?;
        let round = Round::new(number);
        match number == 0 || round.is_some() {
            true => Ok(round),
            false => Err(D::Error::custom("not a round")),
        }
    }
}

/// `null`, or a value. Unlike a plain `Option`, the member must be there.
pub(crate) fn null_or<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}
