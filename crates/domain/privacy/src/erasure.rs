use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};

/// What came of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erased {
    /// The person is erased now.
    Done,
    /// The person was erased before.
    Before,
    /// A claim of the person has not ended, so the prize could not be delivered. Nothing has changed.
    OpenClaim,
    /// A purchase of the person may still be paid. Nothing has changed.
    OpenPurchase,
    /// There is no such entrant. Nothing has changed.
    Unknown,
}

/// Erasing people.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Erasure {
    /// Erases a person: number, addresses, user agents, fingerprints, texts, replies, appeals, what staff wrote, and every
    /// copy of them. The id stays, with its ledger, its drawings and its consents without their origin, so the ledger is
    /// balanced and old proofs do not change.
    ///
    /// Texts that wait are skipped. A text that is being sent loses its number and its body when it is known what became of
    /// it: none is lost or sent twice.
    ///
    /// By a keyed hash of the number, 13 months are kept: the flag, how many campaign texts it got in each month, and
    /// whether a referral of it was credited; and a STOP for good. The next entrant with the number inherits it
    /// (`Entrants::recall_number`).
    fn erase_person(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError>;

    /// What stands against erasing a person now: [`Erased::Done`] if nothing does. Changes nothing.
    fn check_erasure(&self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError>;

    /// Whether the entrant was drawn, first or as an alternate who was asked.
    fn is_winner(&self, entrant: EntrantId) -> Result<bool, StoreError>;

    /// Forgets what was kept of numbers whose 13 months are over, but not their STOP. Returns how many there were. Call it
    /// once a day.
    fn forget_numbers(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError>;
}
