//! What an entrant's success screen reads.

use kernel::{EntrantId, PageRequest, StoreError, UnitOfWork};
use raffle::{Entrant, Entrants, Entries};
use referral::{Referral, Referrals};

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum FindEntrantError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The figures on the three tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// The entrant's chances.
    pub entries: Entries,
    /// Friends who entered through the link.
    pub referral_count: i64,
}

/// Friends who entered through somebody's link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferralList {
    /// The part that was asked for, newest first.
    pub referrals: Vec<Referral>,
    /// How many there are in all.
    pub total: i64,
}

/// The entrant with this id.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`] when there is none.
pub fn find<S>(store: &S, id: EntrantId) -> Result<Entrant, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    store.read(|tx| tx.find_entrant(id)?.ok_or(FindEntrantError::UnknownEntrant))
}

/// An entrant's figures.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`] when there is no such entrant.
pub fn stats<S>(store: &S, id: EntrantId) -> Result<Stats, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Referrals>,
{
    store.read(|tx| {
        let entrant = tx.find_entrant(id)?.ok_or(FindEntrantError::UnknownEntrant)?;
        Ok(Stats {
            entries: entrant.entries,
            referral_count: tx.count_referrals(id)?,
        })
    })
}

/// An entrant's referrals, newest first.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`] when there is no such entrant.
pub fn list_referrals<S>(
    store: &S,
    id: EntrantId,
    page: PageRequest,
) -> Result<ReferralList, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Referrals>,
{
    store.read(|tx| {
        tx.find_entrant(id)?.ok_or(FindEntrantError::UnknownEntrant)?;
        Ok(ReferralList {
            referrals: tx.list_referrals(id, page)?,
            total: tx.count_referrals(id)?,
        })
    })
}
