//! How far entrants have come with sharing their link. It grants no entries.

use analytics::{NewShare, ShareProgress, Sharing};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use kernel::{Clock, EntrantId, StoreError, UnitOfWork};
use referral::Referrals;

/// An entrant's progress, as of now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenProgress {
    /// What is stored; the default for an entrant who has not shared.
    pub progress: ShareProgress,
    /// The days in a row that still go on today.
    pub streak: i64,
    /// How many friends entered through the entrant's link.
    pub friends: i64,
}

/// Counts a share of an entrant, once. Returns whether it counts.
///
/// # Errors
/// When the store fails.
pub fn record<S>(store: &S, zone: Tz, entrant: EntrantId, share: &NewShare) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Sharing>,
{
    store.transaction(|tx| {
        let Some(mut progress) = tx.lock_share_progress(entrant)? else {
            return Ok(false);
        };
        let date = date_at(share.at, zone);
        let counts = progress.share(share.platform, date, share.event_id.as_ref());
        if counts {
            tx.save_share_progress(entrant, &progress, share.at)?;
        }
        Ok(counts)
    })
}

/// The progress of an entrant.
///
/// # Errors
/// When the store fails.
pub fn progress<S>(
    store: &S,
    clock: &dyn Clock,
    zone: Tz,
    entrant: EntrantId,
) -> Result<SeenProgress, StoreError>
where
    S: UnitOfWork<Tx: Sharing + Referrals>,
{
    let today = date_at(clock.now(), zone);
    store.snapshot(|tx| {
        let progress = tx.find_share_progress(entrant)?.unwrap_or_default();
        Ok(SeenProgress {
            streak: progress.streak_at(today),
            friends: tx.count_referrals(entrant)?.all,
            progress,
        })
    })
}

fn date_at(time: DateTime<Utc>, zone: Tz) -> NaiveDate {
    time.with_timezone(&zone).date_naive()
}
