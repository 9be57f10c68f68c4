//! Free entries: what money buys can be had free, once on each date, up to the same cap.

use crate::entrants::{FindEntrantError, find_in};
use chrono::{DateTime, Utc};
use kernel::{Clock, EntrantId, StoreError, UnitOfWork};
use pricing::{CapRules, FreeEntries, FreeOutcome};
use raffle::{Entrants, Entries};

/// Why no free entries were given.
#[derive(Debug, thiserror::Error)]
pub enum FreeEntriesError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The entrant is flagged: the entries would not count.
    #[error("on hold")]
    OnHold,
    /// The entrant has claimed on this date before.
    #[error("claimed before on this date")]
    AlreadyClaimed {
        /// When the next date begins.
        again_at: DateTime<Utc>,
    },
    /// Nothing fits under the cap of the month.
    #[error("nothing fits under the cap")]
    EntryCap,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What an entrant can have for free now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeOffer {
    /// The entries that a claim would give now; 0 when the entrant has claimed on this date, or nothing fits under the cap.
    pub entries: i64,
    /// Whether the entrant has claimed on this date.
    pub is_claimed: bool,
    /// When the next date begins.
    pub again_at: DateTime<Utc>,
    /// The bought and free entries that count toward the cap of this month.
    pub used: i64,
    /// The cap.
    pub cap: i64,
}

/// Free entries that were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeClaim {
    /// How many.
    pub entries: i64,
    /// When the next date begins.
    pub again_at: DateTime<Utc>,
}

/// What an entrant can have for free now.
///
/// # Errors
/// [`FindEntrantError`].
pub fn offer<S>(
    store: &S,
    clock: &dyn Clock,
    rules: CapRules,
    entrant: EntrantId,
) -> Result<FreeOffer, FindEntrantError>
where
    S: UnitOfWork<Tx: FreeEntries + Entrants>,
{
    let now = clock.now();
    let day = rules.date_at(now);
    store.read(|tx| {
        find_in(tx, entrant)?;
        let used = tx.capped_entries(entrant, day)?;
        let is_claimed = tx.has_claimed_free(entrant, day)?;
        Ok(FreeOffer {
            entries: if is_claimed { 0 } else { day.free_entries(used) },
            is_claimed,
            again_at: rules.next_date_at(now),
            used,
            cap: rules.cap.get(),
        })
    })
}

/// Gives an entrant the free entries of this date.
///
/// # Errors
/// [`FreeEntriesError`].
pub fn claim<S>(
    store: &S,
    clock: &dyn Clock,
    rules: CapRules,
    entrant: EntrantId,
) -> Result<FreeClaim, FreeEntriesError>
where
    S: UnitOfWork<Tx: FreeEntries>,
{
    let now = clock.now();
    let again_at = rules.next_date_at(now);
    let given = store.transaction::<_, StoreError>(|tx| tx.give_free_entries(entrant, rules.date_at(now)))?;
    match given {
        FreeOutcome::Given(entries) => Ok(FreeClaim { entries, again_at }),
        FreeOutcome::AlreadyClaimed => Err(FreeEntriesError::AlreadyClaimed { again_at }),
        FreeOutcome::OverCap => Err(FreeEntriesError::EntryCap),
        FreeOutcome::OnHold => Err(FreeEntriesError::OnHold),
        FreeOutcome::UnknownEntrant => Err(FreeEntriesError::UnknownEntrant),
    }
}

/// The entries of an entrant that take part in a drawing, of all that do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds {
    /// The entrant's entries; 0 for an entrant who does not take part.
    pub entries: i64,
    /// The entries of all who take part, the entrant's included.
    pub total: i64,
}

impl Odds {
    /// Of the entrant's entries and a total that may have been counted a little earlier.
    pub fn of(entries: Entries, is_flagged: bool, total: i64) -> Self {
        let entries = if is_flagged { 0 } else { entries.in_drawings() };
        Self {
            entries,
            total: total.max(entries),
        }
    }

    /// The probability that the first drawn entry is the entrant's, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "entries are below 2^53")]
    pub fn probability(self) -> f64 {
        if self.total == 0 {
            return 0.0;
        }
        self.entries as f64 / self.total as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_between_0_and_1() {
        let five = Entries {
            base: 1,
            bonus: 2,
            paid: 4,
            held: 2,
        };
        assert_eq!(Odds::of(five, false, 20).probability(), 0.25);
        assert_eq!(Odds::of(five, true, 20).probability(), 0.0);
        assert_eq!(
            Odds::of(five, false, 3).probability(),
            1.0,
            "the total is older than the entries"
        );
        assert_eq!(Odds::of(Entries::default(), false, 0).probability(), 0.0);
    }
}
