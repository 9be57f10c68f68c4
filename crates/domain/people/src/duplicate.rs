use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoredText};

/// A mark of staff: these two entries are the same person's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMark {
    /// The entry that is left out of drawings from now on.
    pub duplicate: EntrantId,
    /// The entry that stays.
    pub original: EntrantId,
    /// Why, in the words of staff: 3 to 500 characters.
    pub reason: StoredText,
    /// The present moment.
    pub at: DateTime<Utc>,
}

impl NewMark {
    /// The least characters of a reason.
    pub const LEAST_REASON_CHARS: usize = 3;
    /// The most characters of a reason.
    pub const MOST_REASON_CHARS: usize = 500;

    /// The reason of the flag that a mark sets.
    pub fn flag_reason(&self) -> String {
        format!("The same person as entry {}", self.original)
    }
}

/// What became of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkOutcome {
    /// It is stored.
    Marked,
    /// There is no such entry to mark.
    UnknownDuplicate,
    /// There is no such entry that stays.
    UnknownOriginal,
    /// Both are the same entry.
    Oneself,
    /// The entry that stays is a duplicate itself.
    OriginalIsDuplicate,
    /// The entry is marked already.
    AlreadyMarked,
}

/// What became of the end of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnmarkOutcome {
    /// The mark is gone. `must_unflag` says whether it had set the flag, which then goes too.
    Unmarked {
        /// Whether the flag was set by the mark.
        must_unflag: bool,
        /// The entry that the mark named.
        original: EntrantId,
    },
    /// There was no mark, or no such entry.
    NotMarked,
}
