use crate::announcement::{ThisScheme, read, write};
use crate::beacon::Round;
use crate::{Hash, InvalidDetails, text};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// A list's entries by what they were given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntriesByKind {
    /// For entering.
    pub base: u64,
    /// For being imported from a file by staff.
    pub imported: u64,
    /// For referrals and other bonuses.
    pub bonus: u64,
    /// Bought.
    pub purchased: u64,
}

impl EntriesByKind {
    /// All entries together: `totalEntries`.
    pub const fn total(&self) -> u64 {
        self.base
            .saturating_add(self.imported)
            .saturating_add(self.bonus)
            .saturating_add(self.purchased)
    }

    /// These entries, when `imported` of those in `base` were given to imported people.
    #[must_use]
    pub const fn with_imported(self, imported: u64) -> Self {
        Self {
            base: self.base.saturating_sub(imported),
            imported,
            ..self
        }
    }
}

impl AddAssign for EntriesByKind {
    fn add_assign(&mut self, other: Self) {
        self.base = self.base.saturating_add(other.base);
        self.imported = self.imported.saturating_add(other.imported);
        self.bonus = self.bonus.saturating_add(other.bonus);
        self.purchased = self.purchased.saturating_add(other.purchased);
    }
}

/// How many entrants with entries from before the cut-off lose entries in a drawing, by reason. Each entrant is counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LeftOut {
    /// They are flagged, and not only because they are marked as a duplicate.
    pub flagged: u64,
    /// Of these, flagged in the last 48 hours.
    pub flagged_last_48_hours: u64,
    /// They are flagged because staff marked them as the same person as another entrant.
    pub duplicate: u64,
    /// They are not flagged, and a dispute holds some of their entries. They are on the list with the others.
    pub disputed: u64,
}

/// What an entry `drawing_sealed` says about the frozen list, besides the seed and the number of entrants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealDetails {
    /// The hash of the announcement's entry.
    pub opening: Hash,
    /// The beacon's round, as announced; `None`, written as 0, when the beacon is off.
    pub round: Option<Round>,
    /// Only entries from before this time count.
    pub cut_off: DateTime<Utc>,
    /// The Merkle root of the entrants' leaves.
    pub root: Hash,
    /// The hash of their weights.
    pub weights_hash: Hash,
    /// How many entries they hold.
    pub entries: u64,
    /// The same by kind.
    pub entries_by_kind: EntriesByKind,
    /// Who is not on the list.
    pub left_out: LeftOut,
}

/// The members in the order of the specification.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Members {
    #[serde(with = "text")]
    scheme: ThisScheme,
    #[serde(with = "text")]
    opening: Hash,
    #[serde(with = "text::round_or_zero")]
    round: Option<Round>,
    #[serde(with = "text::moment")]
    cut_off: DateTime<Utc>,
    #[serde(with = "text")]
    root: Hash,
    #[serde(with = "text")]
    weights_hash: Hash,
    total_entries: u64,
    entries_by_kind: EntriesByKind,
    left_out: LeftOut,
}

impl SealDetails {
    /// The details of the entry, as one line of JSON.
    pub fn details(&self) -> String {
        write(&Members {
            scheme: ThisScheme,
            opening: self.opening,
            round: self.round,
            cut_off: self.cut_off,
            root: self.root,
            weights_hash: self.weights_hash,
            total_entries: self.entries,
            entries_by_kind: self.entries_by_kind,
            left_out: self.left_out,
        })
    }

    /// Reads the details of an entry.
    ///
    /// # Errors
    /// When a member is missing, unknown, or not spelled as [`SealDetails::details`] spells it.
    pub fn from_details(details: &str) -> Result<Self, InvalidDetails> {
        let members: Members = read(details)?;
        Ok(Self {
            opening: members.opening,
            round: members.round,
            cut_off: members.cut_off,
            root: members.root,
            weights_hash: members.weights_hash,
            entries: members.total_entries,
            entries_by_kind: members.entries_by_kind,
            left_out: members.left_out,
        })
    }
}
