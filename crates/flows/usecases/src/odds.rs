//! An entrant's odds in the drawing of the raffle.

use crate::entrants::{FindEntrantError, find_in};
use chrono::{DateTime, Utc};
use drawing::Drawings;
use fraud::Appeals;
use kernel::{DatabaseClock, EntrantId, StoreError, UnitOfWork};
use raffle::{Entrants, EntryLedger, RaffleKey};
use std::collections::BTreeMap;

/// The entries of each raffle that take part in drawings, as they were at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaffleTotals {
    /// The moment, by the store's clock.
    pub counted_at: DateTime<Utc>,
    /// By raffle.
    pub entries: BTreeMap<RaffleKey, i64>,
}

impl RaffleTotals {
    fn of(&self, raffle: RaffleKey) -> i64 {
        self.entries.get(&raffle).copied().unwrap_or_default()
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
    /// The probability that the first drawn entry is the entrant's, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "entries are below 2^53")]
    pub fn probability(self) -> f64 {
        if self.total == 0 {
            return 0.0;
        }
        self.entries as f64 / self.total as f64
    }
}

/// Counts the entries of all raffles. It reads every entrant, so the answer is to be kept for a while.
pub fn count<S>(store: &S) -> Result<RaffleTotals, StoreError>
where
    S: UnitOfWork<Tx: Drawings + DatabaseClock>,
{
    store.snapshot(|tx| {
        let counted_at = tx.database_time()?;
        let statistics = tx.raffle_statistics()?;
        let total = |entries| i64::try_from(entries).unwrap_or(i64::MAX);
        let entries = statistics.iter().map(|each| (each.raffle, total(each.entries)));
        Ok(RaffleTotals {
            counted_at,
            entries: entries.collect(),
        })
    })
}

/// An entrant's odds by totals that were counted a little earlier. What the entrant got since then is in both figures, so
/// that they are of one moment (D77). In the entrant's own browser, entries on hold are 0.
///
/// # Errors
/// [`FindEntrantError`].
pub fn odds<S>(
    store: &S,
    totals: &RaffleTotals,
    id: EntrantId,
    is_own_browser: bool,
) -> Result<Odds, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + EntryLedger + Appeals>,
{
    store.snapshot(|tx| {
        let entrant = find_in(tx, id)?;
        let total = totals.of(entrant.raffle);
        if is_own_browser && tx.find_hold(id)?.is_some() {
            return Ok(Odds { entries: 0, total });
        }
        let entries = entrant.entries.in_drawings();
        let since = tx.entries_since(id, totals.counted_at)?;
        Ok(Odds {
            entries,
            total: (total + since).max(entries),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probability_is_between_0_and_1() {
        let probability = |entries, total| Odds { entries, total }.probability();
        assert_eq!(probability(5, 20), 0.25);
        assert_eq!(probability(0, 20), 0.0);
        assert_eq!(probability(3, 3), 1.0);
        assert_eq!(probability(0, 0), 0.0);
    }
}
