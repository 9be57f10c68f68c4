//! Reading an entrant, with figures and referrals, for the success screen.

use kernel::{Clock, EntrantId, PageRequest, StoreError, UnitOfWork};
use raffle::{BrowserStanding, BrowserToken, Entrant, Entrants, Entries, EntryLedger};
use referral::{FriendCounts, Referral, Referrals};

/// Why an entrant cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum FindEntrantError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An entrant's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// The entrant's entries.
    pub entries: Entries,
    /// Those of the bonus entries that were claimed for free.
    pub free: i64,
    /// The friends who entered through the link.
    pub friends: FriendCounts,
}

/// A page of an entrant's referrals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferralList {
    /// The referrals of the page, newest first.
    pub referrals: Vec<Referral>,
    /// The number of all referrals of the entrant.
    pub total: i64,
}

pub(crate) fn find_in(tx: &impl Entrants, id: EntrantId) -> Result<Entrant, FindEntrantError> {
    tx.find_entrant(id)?.ok_or(FindEntrantError::UnknownEntrant)
}

/// Finds an entrant.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn find<S>(store: &S, id: EntrantId) -> Result<Entrant, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    store.read(|tx| find_in(tx, id))
}

/// What a browser's token is good for.
///
/// # Errors
/// When the store fails.
pub fn browser_standing<S>(store: &S, token: &BrowserToken) -> Result<BrowserStanding, StoreError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    store.read(|tx| tx.browser_standing(token))
}

/// Ends the tokens of all browsers of an entrant but this one's (D75).
///
/// # Errors
/// When the store fails.
pub fn sign_out_others<S>(store: &S, clock: &dyn Clock, token: &BrowserToken) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    store.transaction(|tx| tx.sign_out_others(token, clock.now()))
}

/// An entrant's figures.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn stats<S>(store: &S, id: EntrantId) -> Result<Stats, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + EntryLedger + Referrals>,
{
    store.snapshot(|tx| {
        Ok(Stats {
            entries: find_in(tx, id)?.entries,
            free: tx.free_entries_of(id)?,
            friends: tx.count_referrals(id)?,
        })
    })
}

/// A page of an entrant's referrals, newest first.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn list_referrals<S>(
    store: &S,
    id: EntrantId,
    page: PageRequest,
) -> Result<ReferralList, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Referrals>,
{
    store.read(|tx| {
        find_in(tx, id)?;
        Ok(ReferralList {
            referrals: tx.list_referrals(id, page)?,
            total: tx.count_referrals(id)?.all,
        })
    })
}
