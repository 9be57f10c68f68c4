//! Reading an entrant, with figures and referrals, for the success screen.

use kernel::{EntrantId, PageRequest, StoreError, UnitOfWork};
use raffle::{Entrant, Entrants, Entries};
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

/// An entrant whom a browser asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedEntrant {
    /// The id in the address.
    pub id: EntrantId,
    /// The entrant whom the browser's token names, if it has one.
    pub token: Option<EntrantId>,
}

impl AskedEntrant {
    /// Asked for by a browser without a token.
    pub const fn without_token(id: EntrantId) -> Self {
        Self { id, token: None }
    }
}

/// Something of an entrant, and whether the browser that asks entered them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<T> {
    /// What was found.
    pub found: T,
    /// Whether the browser's token names the entrant.
    pub is_own: bool,
}

/// The entrant whom a browser's token names, by the id that they have now: a token may be older than ids that are random
/// (D35).
pub(crate) fn entrant_of_token(tx: &impl Entrants, named: EntrantId) -> Result<Option<Entrant>, StoreError> {
    if let Some(entrant) = tx.find_entrant(named)? {
        return Ok(Some(entrant));
    }
    match tx.find_by_former_id(named)? {
        Some(id) => tx.find_entrant(id),
        None => Ok(None),
    }
}

/// The entrant whom a browser's token names, by the id that they have now. `None` if they are erased.
///
/// # Errors
/// When the store fails.
pub fn of_token<S>(store: &S, named: EntrantId) -> Result<Option<EntrantId>, StoreError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    let found = store.snapshot(|tx| entrant_of_token(tx, named))?;
    Ok(found.map(|entrant| entrant.id))
}

/// An address that ends in a former id works only in the browser whose token names it: strangers could count such ids.
pub(crate) fn find_in(tx: &impl Entrants, asked: AskedEntrant) -> Result<Found<Entrant>, FindEntrantError> {
    if asked.token == Some(asked.id) {
        let own = entrant_of_token(tx, asked.id)?.ok_or(FindEntrantError::UnknownEntrant)?;
        return Ok(Found {
            found: own,
            is_own: true,
        });
    }
    let found = tx
        .find_entrant(asked.id)?
        .ok_or(FindEntrantError::UnknownEntrant)?;
    let named = asked.token.map(|named| tx.find_by_former_id(named)).transpose()?;
    let is_own = named.flatten() == Some(found.id);
    Ok(Found { found, is_own })
}

/// Finds an entrant.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn find<S>(store: &S, asked: AskedEntrant) -> Result<Found<Entrant>, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    store.read(|tx| find_in(tx, asked))
}

/// Whether the browser's token names the entrant whom it asks for.
///
/// # Errors
/// When the store fails.
pub fn is_own<S>(store: &S, asked: AskedEntrant) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Entrants>,
{
    match find(store, asked) {
        Ok(found) => Ok(found.is_own),
        Err(FindEntrantError::UnknownEntrant) => Ok(false),
        Err(FindEntrantError::Store(error)) => Err(error),
    }
}

/// An entrant's figures.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn stats<S>(store: &S, asked: AskedEntrant) -> Result<Stats, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Referrals>,
{
    store.read(|tx| {
        let entrant = find_in(tx, asked)?.found;
        Ok(Stats {
            entries: entrant.entries,
            friends: tx.count_referrals(entrant.id)?,
        })
    })
}

/// A page of an entrant's referrals, newest first.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn list_referrals<S>(
    store: &S,
    asked: AskedEntrant,
    page: PageRequest,
) -> Result<Found<ReferralList>, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Referrals>,
{
    store.read(|tx| {
        let Found {
            found: entrant,
            is_own,
        } = find_in(tx, asked)?;
        let list = ReferralList {
            referrals: tx.list_referrals(entrant.id, page)?,
            total: tx.count_referrals(entrant.id)?.all,
        };
        Ok(Found { found: list, is_own })
    })
}
