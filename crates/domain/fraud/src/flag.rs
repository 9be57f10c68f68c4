//! Flags, which exclude entrants from drawings.

use crate::Evidence;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Network, Phone, TextSearch, without_addresses};
use raffle::RaffleKey;
use std::net::IpAddr;

/// How a reason of detection begins; the network follows.
pub const REASON_OF_DETECTION: &str = "Multiple accounts from IP ";
/// What it becomes when the addresses of its account are erased.
pub const REASON_WITHOUT_ADDRESS: &str = "Multiple accounts from one network";

/// The reason of a flag that detection sets.
pub fn reason_of_detection(network: Network) -> String {
    format!("{REASON_OF_DETECTION}{network}")
}

/// A reason that staff wrote, as it is stored: without addresses. When the addresses of an account are erased, only a reason
/// of detection is changed.
pub fn reason_of_staff(written: &str) -> String {
    match written.starts_with(REASON_OF_DETECTION) {
        true => written.to_owned(),
        false => without_addresses(written),
    }
}

/// What an entrant reads about a flag that staff set (D68).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum PublicReason {
    /// One person seems to have entered with several numbers.
    SeveralAccounts,
    /// Another entry of the same person counts.
    Duplicate,
    /// A program seems to have entered.
    Automated,
    /// The entrant may not take part.
    NotEligible,
    /// The entrant broke another rule.
    Rules,
}

impl PublicReason {
    /// The name in rows and requests.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A flag that staff set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFlag {
    /// The entrant.
    pub entrant: EntrantId,
    /// The reason, in the words of staff and for staff.
    pub reason: String,
    /// What the entrant reads.
    pub public_reason: PublicReason,
}

/// The result of setting or removing a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagOutcome {
    /// The flag was set or removed.
    Changed,
    /// The flag was set or removed before.
    Unchanged,
    /// There is no such entrant.
    UnknownEntrant,
}

/// What a part of detection did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// How many entrants were flagged.
    pub flagged: i64,
    /// Whether no network is left to check.
    pub is_complete: bool,
}

/// A flagged entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlaggedEntrant {
    /// The id.
    pub id: EntrantId,
    /// The phone number.
    pub phone: Phone,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The entrant's entries, which do not count while the flag is set.
    pub total_entries: i64,
    /// The address from which the entrant entered.
    pub address: Option<IpAddr>,
    /// When the entrant entered.
    pub created_at: DateTime<Utc>,
    /// The reason of the flag.
    pub reason: String,
    /// What detection found; empty for a flag that staff set.
    pub evidence: Vec<Evidence>,
    /// When the flag was set.
    pub flagged_at: DateTime<Utc>,
}

/// Which flagged entrants to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlaggedFilter {
    /// Only entrants whose number, address or reason contains this.
    pub search: Option<TextSearch>,
    /// Only entrants of this raffle.
    pub raffle: Option<RaffleKey>,
    /// Only entrants who come after this one in the list with the newest flag first.
    pub after: Option<FlagPosition>,
}

/// The place of a flagged entrant in the list with the newest flag first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlagPosition {
    /// When the flag was set.
    pub flagged_at: DateTime<Utc>,
    /// The entrant; flags of the same moment are sorted by id.
    pub id: EntrantId,
}

impl FlaggedEntrant {
    /// The place in the list with the newest flag first.
    pub const fn position(&self) -> FlagPosition {
        FlagPosition {
            flagged_at: self.flagged_at,
            id: self.id,
        }
    }
}

/// The column that flagged entrants are sorted by. Equal ones are sorted by id.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "camelCase")]
pub enum FlaggedSort {
    /// When the flag was set.
    #[default]
    FlaggedAt,
    /// When the entrant entered.
    CreatedAt,
    /// The entries.
    TotalEntries,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reason_of_detection_keeps_its_address() {
        let detected = "Multiple accounts from IP 198.51.100.2";
        assert_eq!(reason_of_staff(detected), detected);
        assert_eq!(reason_of_staff("Both from 198.51.100.2."), "Both from [address].");
    }
}
