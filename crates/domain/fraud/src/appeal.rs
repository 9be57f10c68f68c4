//! Appeals: flagged entrants say why they should not be flagged.

use crate::{Evidence, PublicReason};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, StoredText, StoredTextError};
use raffle::RaffleKey;

kernel::id_type! {
    /// The id of an appeal.
    pub struct AppealId
}

/// Whether an appeal was decided, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AppealStatus {
    /// Staff have not decided yet. An entrant has at most one open appeal.
    Open,
    /// The flag was removed.
    Accepted,
    /// The flag stays.
    Rejected,
}

impl AppealStatus {
    /// The name in rows, queries and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// What an entrant writes: 10 to 500 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealMessage(StoredText);

/// Why a text is no message of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AppealMessageError {
    /// It has fewer than ten characters.
    #[error("Please write at least 10 characters")]
    TooShort,
    /// It has more than 500 characters.
    #[error("Please write at most 500 characters")]
    TooLong,
    /// It has a control character.
    #[error("Must not contain control characters")]
    ControlCharacter,
}

impl AppealMessage {
    /// The shortest message, in characters.
    pub const LEAST_CHARS: usize = 10;
    /// The longest message, in characters.
    pub const MOST_CHARS: usize = 500;

    /// Reads a message, which may have several lines.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn parse(text: &str) -> Result<Self, AppealMessageError> {
        let text = StoredText::lines(text, Self::MOST_CHARS).map_err(|error| match error {
            StoredTextError::Blank => AppealMessageError::TooShort,
            StoredTextError::TooLong => AppealMessageError::TooLong,
            StoredTextError::ControlCharacter => AppealMessageError::ControlCharacter,
        })?;
        if text.as_str().chars().count() < Self::LEAST_CHARS {
            return Err(AppealMessageError::TooShort);
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// An appeal to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAppeal {
    /// The flagged entrant.
    pub entrant: EntrantId,
    /// What they write.
    pub message: AppealMessage,
    /// The time.
    pub at: DateTime<Utc>,
}

/// The result of adding an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppealOutcome {
    /// It was added.
    Added(AppealId),
    /// The entrant is not flagged.
    NotFlagged,
    /// The entrant has an open appeal.
    AlreadyOpen,
}

/// How staff decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// The flag is removed.
    Accept,
    /// The flag stays.
    Reject,
}

impl Decision {
    /// The status of the appeal afterwards.
    pub const fn status(self) -> AppealStatus {
        match self {
            Self::Accept => AppealStatus::Accepted,
            Self::Reject => AppealStatus::Rejected,
        }
    }

    /// The name in requests and records.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The decision of an appeal, with what the entrant reads about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The note of staff.
    pub note: Option<StoredText>,
    /// The time.
    pub at: DateTime<Utc>,
}

impl Verdict {
    /// The longest note, in characters.
    pub const NOTE_CHARS: usize = 500;
}

/// The result of deciding an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionOutcome {
    /// It was decided now; the entrant's.
    Decided(EntrantId),
    /// It was decided before.
    DecidedBefore,
    /// There is no such appeal.
    UnknownAppeal,
}

/// An appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appeal {
    /// The id.
    pub id: AppealId,
    /// What the entrant wrote.
    pub message: String,
    /// Whether it was decided, and how.
    pub status: AppealStatus,
    /// What staff wrote about the decision.
    pub note: Option<String>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was decided.
    pub decided_at: Option<DateTime<Utc>>,
}

/// An appeal with what staff need to decide it. The flag is that of the time of the appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealCase {
    /// The appeal.
    pub appeal: Appeal,
    /// The entrant.
    pub entrant: EntrantId,
    /// Their phone number.
    pub phone: Phone,
    /// Their raffle.
    pub raffle: RaffleKey,
    /// Their entries.
    pub total_entries: i64,
    /// Whether they are flagged now.
    pub is_flagged: bool,
    /// The reason of the flag.
    pub reason: String,
    /// What detection found; empty for a flag of staff.
    pub evidence: Vec<Evidence>,
    /// When the flag was set.
    pub flagged_at: DateTime<Utc>,
}

/// Why an entrant's entries are on hold. Of an entry that was flagged before its person's data was erased, neither is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// What staff chose for the entrant to read.
    pub public_reason: Option<PublicReason>,
    /// What detection found; empty for a flag of staff.
    pub evidence: Vec<Evidence>,
}

impl Hold {
    /// A duplicate reads that it is one, whatever it was flagged for before it was marked.
    pub fn new(public_reason: Option<PublicReason>, is_duplicate: bool, evidence: Vec<Evidence>) -> Self {
        Self {
            public_reason: if is_duplicate {
                Some(PublicReason::Duplicate)
            } else {
                public_reason
            },
            evidence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_10_to_500_characters_without_the_spaces_around_it() {
        let read = |text: &str| AppealMessage::parse(text).map(|message| message.as_str().to_owned());
        assert_eq!(read(" It is me.\nÜ ").as_deref(), Ok("It is me.\nÜ"));
        assert_eq!(read(&"ü".repeat(500)).unwrap().chars().count(), 500);
        assert_eq!(read(&"x".repeat(501)), Err(AppealMessageError::TooLong));
        for short in ["", "  ", "123456789", "  123456789  "] {
            assert_eq!(read(short), Err(AppealMessageError::TooShort), "{short:?}");
        }
        assert_eq!(read("It is me.\0..."), Err(AppealMessageError::ControlCharacter));
    }
}
