//! Free entries: what money buys can be had free, up to the same cap, spread over the dates that are left (D68).

use crate::entrants::{FindEntrantError, find_in};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingSteps;
use kernel::{Clock, EntrantId, StoreError, UnitOfWork};
use pricing::{CapRules, FreeDate, FreeEntries, FreeOutcome};
use raffle::{Entrant, Entrants, Raffles};

/// Why no free entries were given.
#[derive(Debug, thiserror::Error)]
pub enum FreeEntriesError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The entrant is flagged: the entries would not count.
    #[error("on hold")]
    OnHold,
    /// The entrant's raffle has ended.
    #[error("the raffle is closed")]
    RaffleClosed,
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
    /// The bought and free entries of this month, without those of payments that were only begun.
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
    S: UnitOfWork<Tx: FreeEntries + Entrants + DrawingSteps>,
{
    let now = clock.now();
    store.read(|tx| {
        let date = date_of(tx, rules, &find_in(tx, entrant)?, now)?;
        let used = tx.capped_entries(entrant, date.day())?;
        let is_claimed = tx.has_claimed_free(entrant, date.day())?;
        Ok(FreeOffer {
            entries: if is_claimed { 0 } else { date.free_entries(used) },
            is_claimed,
            again_at: rules.next_date_at(now),
            used: used.had,
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
    S: UnitOfWork<Tx: Raffles + FreeEntries + Entrants + DrawingSteps>,
{
    let now = clock.now();
    let again_at = rules.next_date_at(now);
    let given = store.transaction::<_, FreeEntriesError>(|tx| {
        let held = tx.hold_raffles()?;
        let Some(found) = tx.find_entrant(entrant)? else {
            return Ok(FreeOutcome::UnknownEntrant);
        };
        held.open(Some(found.raffle))
            .map_err(|_| FreeEntriesError::RaffleClosed)?;
        Ok(tx.give_free_entries(entrant, date_of(tx, rules, &found, now)?)?)
    })?;
    match given {
        FreeOutcome::Given(entries) => Ok(FreeClaim { entries, again_at }),
        FreeOutcome::AlreadyClaimed => Err(FreeEntriesError::AlreadyClaimed { again_at }),
        FreeOutcome::OverCap => Err(FreeEntriesError::EntryCap),
        FreeOutcome::OnHold => Err(FreeEntriesError::OnHold),
        FreeOutcome::UnknownEntrant => Err(FreeEntriesError::UnknownEntrant),
    }
}

/// The date on which an entrant claims: what is left is spread until the next drawing of the entrant's raffle.
fn date_of(
    tx: &impl DrawingSteps,
    rules: CapRules,
    entrant: &Entrant,
    now: DateTime<Utc>,
) -> Result<FreeDate, StoreError> {
    let cut_off = tx.next_cut_off(entrant.raffle, now)?;
    Ok(rules.free_date_at(now, cut_off))
}
