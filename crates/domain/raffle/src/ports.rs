use crate::pictures::Pictures;
use crate::{
    BrowserStanding, BrowserToken, Drafts, Entrant, LedgerCheckpoint, NewEntrant, Openings, PageDifferences,
    Raffle, RaffleKey, RaffleList, RaffleMove, RaffleStatus, Recalled, Versions,
};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PersonSalt, PersonTag, Phone, StoreError};
use std::collections::BTreeMap;

/// The raffles, as they are until the end of a unit of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldRaffles {
    /// All of them.
    pub raffles: RaffleList,
    /// Since when they are held, by the store's clock. Their status at this moment counts.
    pub since: DateTime<Utc>,
}

impl HeldRaffles {
    /// The raffle with this key, if it is open, or without a key the default raffle.
    ///
    /// # Errors
    /// [`NotOpen`].
    pub fn open(&self, key: Option<RaffleKey>) -> Result<&Raffle, NotOpen> {
        let Some(key) = key else {
            return self.raffles.default_at(self.since).ok_or(NotOpen::Closed);
        };
        let raffle = self.raffles.find(key).ok_or(NotOpen::Unknown)?;
        match raffle.status_at(self.since) {
            RaffleStatus::Open => Ok(raffle),
            RaffleStatus::Closed => Err(NotOpen::Closed),
            RaffleStatus::Draft => Err(NotOpen::Unknown),
        }
    }
}

/// Why nobody can enter a raffle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotOpen {
    /// There is no such raffle, or it was never open, which only staff know.
    #[error("unknown raffle")]
    Unknown,
    /// It has ended. Without a key: all have.
    #[error("the raffle is closed")]
    Closed,
}

/// The raffles.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Raffles {
    /// All raffles, drafts too, in the order in which they are shown.
    fn list_raffles(&self) -> Result<RaffleList, StoreError>;

    /// How the pages of raffles differ from those of others; only raffles that do.
    fn page_differences(&self) -> Result<BTreeMap<RaffleKey, PageDifferences>, StoreError>;

    /// All raffles, and none of them opens or closes until this unit of work ends. Whoever decides by a raffle's status calls
    /// it first in a [`kernel::UnitOfWork::transaction`]. Any number of units of work can hold the raffles at the same time.
    fn hold_raffles(&mut self) -> Result<HeldRaffles, StoreError>;

    /// The same, and nobody else holds them: it waits until all units of work have ended that do, and then nobody enters a
    /// raffle that closes now.
    fn hold_raffles_alone(&mut self) -> Result<HeldRaffles, StoreError>;

    /// Stores when a raffle is open. Call [`Raffles::hold_raffles_alone`] before.
    ///
    /// # Errors
    /// [`StoreError::Failed`] when it changes the past.
    fn save_openings(&mut self, raffle: RaffleKey, openings: &Openings) -> Result<(), StoreError>;

    /// Adds a raffle that was never open, after all others. Save its draft in the same unit of work.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::RaffleKey`] when there is one with this key.
    fn add_raffle(&mut self, key: RaffleKey) -> Result<(), StoreError>;

    /// Deletes a raffle with its draft and its versions, if it was never open and nothing else names it. Call
    /// [`Raffles::hold_raffles_alone`] before.
    fn delete_raffle(&mut self, key: RaffleKey) -> Result<Deleted, StoreError>;

    /// Sets the order in which raffles are shown; `keys` are all of them. Call [`Raffles::hold_raffles_alone`] before.
    fn order_raffles(&mut self, keys: &[RaffleKey]) -> Result<(), StoreError>;
}

/// What became of a raffle that was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// It is deleted.
    Yes,
    /// It was open, or something names it.
    InUse,
}

/// The entrants of the raffles.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Entrants {
    /// Adds an entrant with one base entry: counter and ledger row together.
    ///
    /// Returns the entrant's id, or `None` when the phone number is taken; nothing has changed then. Of any number of
    /// calls at the same time with one number, exactly one adds an entrant.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] of [`kernel::UniqueKey::ReferralCode`] when another entrant has the code, and of
    /// [`kernel::UniqueKey::EntrantId`] when another entrant has the id.
    fn add_entrant(&mut self, entrant: &NewEntrant) -> Result<Option<EntrantId>, StoreError>;

    /// What is kept of an erased person with the number of an entrant who was just added. Gives the number its STOP and
    /// its counts of campaign texts back, and the entrant what counts toward the monthly caps of entries and the mark as a
    /// duplicate. Call it after [`Entrants::add_entrant`], which waits for an erasure that is under way.
    fn recall_number(
        &mut self,
        id: EntrantId,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Recalled, StoreError>;

    /// Flags a new entrant whose number was flagged when it was erased, and takes back what the sign-up earned a referrer.
    fn flag_again(&mut self, id: EntrantId) -> Result<(), StoreError>;

    /// The entrant with this id. This and the other look-ups find nobody who was erased, if they do not say so.
    fn find_entrant(&self, id: EntrantId) -> Result<Option<Entrant>, StoreError>;

    /// The entrant with this phone number.
    fn find_entrant_by_phone(&self, phone: &Phone) -> Result<Option<Entrant>, StoreError>;

    /// An entrant's tag, and the salt that it was made with; no salt once the person was erased. It finds erased ones, too.
    fn find_person(&self, id: EntrantId) -> Result<Option<(Option<PersonSalt>, PersonTag)>, StoreError>;

    /// What a browser's token is good for, by the last sign-out of its entrant, which [admits](crate::SignOut::admits) it or not.
    fn browser_standing(&self, token: &BrowserToken) -> Result<BrowserStanding, StoreError>;

    /// Signs out all browsers of the token's entrant but the one with the token, in the place of an earlier sign-out.
    fn sign_out_others(&mut self, token: &BrowserToken, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Moves an entrant to another raffle (D56a): takes all entries out of the ledger and the counters, gives one base entry, and
    /// records the move. Returns whether that happened: not if the entrant is in another raffle than `from` by now, or was
    /// erased. Referrals, purchases and clearings from before change no entries from then on, whatever becomes of them. Of
    /// any number of calls at the same time, one moves the entrant, also at read committed.
    fn move_entrant(&mut self, id: EntrantId, from: RaffleKey, to: RaffleKey) -> Result<bool, StoreError>;

    /// The moves of an entrant, oldest first.
    fn moves_of(&self, id: EntrantId) -> Result<Vec<RaffleMove>, StoreError>;

    /// Whether there is any entrant at all.
    fn has_entrants(&self) -> Result<bool, StoreError>;
}

/// The append-only ledger of entries.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait EntryLedger {
    /// The number and the sum of all rows from before a time. Call it in a [`kernel::UnitOfWork::snapshot`]: it reads the
    /// whole ledger, and may take minutes.
    fn ledger_checkpoint(&self, before: DateTime<Utc>) -> Result<LedgerCheckpoint, StoreError>;

    /// The entries for drawings that an entrant got after a time, less those that were taken or held since.
    fn entries_since(&self, entrant: EntrantId, after: DateTime<Utc>) -> Result<i64, StoreError>;

    /// The free entries of an entrant, of all days.
    fn free_entries_of(&self, entrant: EntrantId) -> Result<i64, StoreError>;

    /// Entrants whose counters differ from the sums of their ledger rows. The list is empty unless there is a bug.
    fn unbalanced_entrants(&self) -> Result<Vec<EntrantId>, StoreError>;
}

/// All store ports of raffles and entrants. Every type that implements them implements this.
pub trait RaffleStore: Raffles + Versions + Drafts + Pictures + Entrants + EntryLedger {}

impl<T: Raffles + Versions + Drafts + Pictures + Entrants + EntryLedger> RaffleStore for T {}
