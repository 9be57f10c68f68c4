use crate::{Entrant, LedgerRow, NewEntrant};
use kernel::{EntrantId, Phone, StoreError};

/// Who is in.
pub trait Entrants {
    /// Lets somebody in with one base entry, counter and ledger row together.
    ///
    /// `None` when the phone number is in already, and then nothing has changed. However many do this at once
    /// with one number, exactly one gets an id.
    ///
    /// # Errors
    /// `Duplicate(ReferralCode)` when another entrant has the code.
    fn add_entrant(&mut self, entrant: &NewEntrant) -> Result<Option<EntrantId>, StoreError>;

    /// The entrant with this id.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_entrant(&self, id: EntrantId) -> Result<Option<Entrant>, StoreError>;

    /// The entrant with this phone number.
    ///
    /// # Errors
    /// Only the store's own.
    fn find_entrant_by_phone(&self, phone: &Phone) -> Result<Option<Entrant>, StoreError>;

    /// Whether there is any entrant at all.
    ///
    /// # Errors
    /// Only the store's own.
    fn has_entrants(&self) -> Result<bool, StoreError>;
}

/// The append-only record behind every entry.
pub trait EntryLedger {
    /// An entrant's rows, oldest first.
    ///
    /// # Errors
    /// Only the store's own.
    fn ledger_of(&self, id: EntrantId) -> Result<Vec<LedgerRow>, StoreError>;

    /// Entrants whose counters are not their ledger's sums: none, or something is broken.
    ///
    /// # Errors
    /// Only the store's own.
    fn unbalanced_entrants(&self) -> Result<Vec<EntrantId>, StoreError>;
}
