//! The official rules of the raffles: their text, and its versions.
//!
//! A version counts from the beginning of a month on, so the rules of a month do not change while it lasts. The
//! announcement of a drawing has the [`RulesStamp`] of its month.

mod text;

pub use text::{RulesFacts, RulesSchedule};

use crate::{Hash, Period, text as spelled};
use chrono::{DateTime, Utc};
use kernel::StoreError;
use serde::{Deserialize, Serialize};

/// How a value in the rules begins that is not set. Rules with one of them are a draft: they name no sponsor.
pub const PLACEHOLDER: &str = "[placeholder: ";

/// Which rules hold: a version, and the SHA-256 of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesStamp {
    /// The number of the version, from 1.
    pub version: u32,
    /// The SHA-256 of the bytes of its text.
    #[serde(with = "spelled")]
    pub hash: Hash,
}

/// What is known of a version besides its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesHead {
    /// Its number and the hash of its text.
    pub stamp: RulesStamp,
    /// The first month for which it counts.
    pub from: Period,
    /// When it was stored, in whole microseconds.
    pub at: DateTime<Utc>,
}

/// A version of the rules. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// What is known of it.
    pub head: RulesHead,
    /// Its text, in paragraphs that an empty line separates.
    pub text: String,
}

impl Rules {
    /// The version that follows the newest one, if this text is not already the newest.
    ///
    /// The first version counts at once, and so does one that replaces a draft. Any other one counts from the next month,
    /// because the rules of a month that has begun stay as they are.
    pub fn after(newest: Option<&Self>, text: &str, now: Period, at: DateTime<Utc>) -> Option<Self> {
        let (version, from) = match newest {
            None => (1, now),
            Some(newest) if newest.text == text => return None,
            Some(newest) => {
                let earliest = if newest.is_draft() { now } else { now.next()? };
                (newest.head.stamp.version + 1, earliest.max(newest.head.from))
            }
        };
        Some(Self {
            head: RulesHead {
                stamp: RulesStamp {
                    version,
                    hash: Hash::of(text),
                },
                from,
                at,
            },
            text: text.to_owned(),
        })
    }

    /// Whether a value in the text is not set. It happens in development only.
    pub fn is_draft(&self) -> bool {
        self.text.contains(PLACEHOLDER)
    }
}

/// The versions of the official rules. They are added, and never changed or deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait OfficialRules {
    /// Adds a version. `false` when there is one with this number; that one stays.
    fn add_rules(&mut self, rules: &Rules) -> Result<bool, StoreError>;

    /// The version with the highest number, whether it counts already or not.
    fn newest_rules(&self) -> Result<Option<Rules>, StoreError>;

    /// The version with this number.
    fn find_rules(&self, version: u32) -> Result<Option<Rules>, StoreError>;

    /// The rules of a month: of the versions that count from that month or an earlier one, the one with the highest number.
    fn rules_of(&self, period: Period) -> Result<Option<Rules>, StoreError>;

    /// The version and hash of the rules of a month: as [`OfficialRules::rules_of`], without reading the text.
    fn rules_stamp_of(&self, period: Period) -> Result<Option<RulesStamp>, StoreError>;

    /// All versions, the newest first.
    fn list_rules(&self) -> Result<Vec<RulesHead>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(text: &str) -> Period {
        text.parse().unwrap()
    }

    fn after(newest: Option<&Rules>, text: &str, now: &str) -> Option<Rules> {
        Rules::after(newest, text, period(now), DateTime::UNIX_EPOCH)
    }

    #[test]
    fn the_first_version_counts_at_once() {
        let first = after(None, "Be fair.", "2026-11").unwrap();
        assert_eq!(
            (first.head.stamp.version, first.head.from),
            (1, period("2026-11"))
        );
        // printf 'Be fair.' | sha256sum
        let hash = "3a6dbe170a446109a3ae9f6732646528cffc87e5d344466615d2d977904fa878";
        assert_eq!(first.head.stamp.hash.to_string(), hash);
    }

    #[test]
    fn a_changed_text_counts_from_the_next_month() {
        let first = after(None, "one", "2026-11").unwrap();
        assert_eq!(after(Some(&first), "one", "2026-12"), None);
        let second = after(Some(&first), "two", "2026-12").unwrap();
        assert_eq!(
            (second.head.stamp.version, second.head.from),
            (2, period("2027-01"))
        );
        // A text that is taken back before it counted is a version of its own.
        let third = after(Some(&second), "one", "2026-12").unwrap();
        assert_eq!(
            (third.head.stamp.version, third.head.from),
            (3, period("2027-01"))
        );
        assert_eq!(third.head.stamp.hash, first.head.stamp.hash);
    }

    #[test]
    fn a_version_that_replaces_a_draft_counts_at_once() {
        let draft = after(None, "[placeholder: SPONSOR_NAME is not set]", "2026-11").unwrap();
        assert!(draft.is_draft());
        let second = after(Some(&draft), "Honey, Inc.", "2026-11").unwrap();
        assert_eq!(
            (second.head.stamp.version, second.head.from),
            (2, period("2026-11"))
        );
        assert!(!second.is_draft());
    }

    #[test]
    fn a_version_never_counts_before_the_one_that_it_replaces() {
        let first = after(None, "one", "2027-03").unwrap();
        // The clock, or the zone of the site, was changed.
        let second = after(Some(&first), "two", "2026-11").unwrap();
        assert_eq!(second.head.from, period("2027-03"));
    }
}
