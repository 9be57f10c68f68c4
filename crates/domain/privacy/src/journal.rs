//! The journal of erasures: it stands outside of the database, so that a restored backup can be brought up to date.

use chrono::{DateTime, SecondsFormat, Utc};
use kernel::EntrantId;
use std::str::FromStr;

/// One erasure. It names the id only: the number is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalEntry {
    /// The entrant.
    pub entrant: EntrantId,
    /// When the erasure was asked for and checked.
    pub at: DateTime<Utc>,
}

impl JournalEntry {
    /// The line without its line break: time and id.
    pub fn to_line(self) -> String {
        let at = self.at.to_rfc3339_opts(SecondsFormat::Micros, true);
        format!("{at} {}", self.entrant)
    }
}

/// The line is not one of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAnEntry;

impl FromStr for JournalEntry {
    type Err = NotAnEntry;

    fn from_str(line: &str) -> Result<Self, NotAnEntry> {
        let (at, id) = line.split_once(' ').ok_or(NotAnEntry)?;
        let at = DateTime::parse_from_rfc3339(at).map_err(|_| NotAnEntry)?;
        let id: i64 = id.parse().map_err(|_| NotAnEntry)?;
        Ok(Self {
            entrant: EntrantId::new(id),
            at: at.with_timezone(&Utc),
        })
    }
}

/// The journal cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the journal of erasures")]
pub struct JournalError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Where erasures are noted, outside of the database.
pub trait Journal: Send + Sync {
    /// Adds an entry. It is durable when this returns.
    ///
    /// # Errors
    /// [`JournalError`]; then nobody may be erased.
    fn append(&self, entry: JournalEntry) -> Result<(), JournalError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_and_the_id_and_can_be_read_back() {
        let entry = JournalEntry {
            entrant: EntrantId::new(4_503_599_627_370_495),
            at: DateTime::from_timestamp_micros(1_790_000_000_000_001).unwrap(),
        };
        let line = entry.to_line();
        assert_eq!(line, "2026-09-21T14:13:20.000001Z 4503599627370495");
        assert_eq!(line.parse(), Ok(entry));
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "",
            "7",
            "today 7",
            "2026-09-21T14:13:20Z",
            "2026-09-21T14:13:20Z x",
            "2026-09-21T14:13:20Z 7 8",
        ] {
            assert_eq!(line.parse::<JournalEntry>(), Err(NotAnEntry), "{line}");
        }
    }
}
