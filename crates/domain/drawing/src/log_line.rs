//! An entry of the log as a line of JSON, as the public log has it.

use crate::{DrawingId, Hash, LogAction, LogEntry, NewLogEntry, Seed, text};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The text is not an entry of the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an entry of the log: {0}")]
pub struct InvalidLogLine(String);

/// The members in the order of the specification.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Members {
    id: i64,
    #[serde(with = "text")]
    action: LogAction,
    #[serde(deserialize_with = "text::null_or")]
    drawing: Option<i64>,
    details: String,
    #[serde(with = "text::or_null")]
    random_seed: Option<PublicSeed>,
    #[serde(deserialize_with = "text::null_or")]
    participant_count: Option<u64>,
    #[serde(with = "text::or_null")]
    verification_hash: Option<Hash>,
    #[serde(deserialize_with = "text::null_or")]
    session: Option<i64>,
    #[serde(with = "text::moment")]
    at: DateTime<Utc>,
    #[serde(with = "text")]
    previous: Hash,
    #[serde(with = "text")]
    hash: Hash,
}

/// A seed that the log reveals. [`Seed`] itself does not print its bytes.
struct PublicSeed(Seed);

impl std::fmt::Display for PublicSeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.reveal())
    }
}

impl std::str::FromStr for PublicSeed {
    type Err = crate::InvalidHex;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl LogEntry {
    /// The entry as one line of JSON, without the line end.
    pub fn to_json(&self) -> String {
        // It cannot fail: all keys are strings.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads an entry from JSON. It does not check the hash: [`crate::verify_log`] does.
    ///
    /// # Errors
    /// When a member is missing, or a value is spelled in another way than [`LogEntry::to_json`] spells it.
    pub fn from_json(line: &str) -> Result<Self, InvalidLogLine> {
        serde_json::from_str(line).map_err(|error| InvalidLogLine(error.to_string()))
    }
}

impl Serialize for LogEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = &self.entry;
        let members = Members {
            id: self.id,
            action: entry.action,
            drawing: entry.drawing.map(DrawingId::get),
            details: entry.details.clone(),
            random_seed: entry.random_seed.map(PublicSeed),
            participant_count: entry.participant_count,
            verification_hash: entry.verification_hash,
            session: entry.session,
            at: entry.at,
            previous: self.previous,
            hash: self.hash,
        };
        members.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LogEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Members::deserialize(deserializer)?;
        // The hashed text has one line for each member, so no member may have two.
        if members.details.contains('\n') {
            return Err(serde::de::Error::custom("the details have more than one line"));
        }
        Ok(Self {
            id: members.id,
            entry: NewLogEntry {
                action: members.action,
                drawing: members.drawing.map(DrawingId::new),
                details: members.details,
                random_seed: members.random_seed.map(|seed| seed.0),
                participant_count: members.participant_count,
                verification_hash: members.verification_hash,
                session: members.session,
                at: members.at,
            },
            previous: members.previous,
            hash: members.hash,
        })
    }
}
