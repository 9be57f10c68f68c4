use crate::{BrowserHash, CodeHash, NumberTag, PrefixTag, Usage, Verification, VerificationId};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError};
use raffle::SignUp;
use std::net::IpAddr;

/// Who a code goes to and who asked for it, as far as limits count it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender {
    /// The number.
    pub number: NumberTag,
    /// Its dialing prefix.
    pub prefix: PrefixTag,
    /// The network that asked: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
}

/// A verification to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVerification {
    /// The id.
    pub id: VerificationId,
    /// The browser that begins it.
    pub browser: BrowserHash,
    /// The hash of its code.
    pub code: CodeHash,
    /// What limits count.
    pub sender: Sender,
    /// The present moment.
    pub at: DateTime<Utc>,
    /// From when on the code is no longer valid.
    pub expires_at: DateTime<Utc>,
    /// From when on another code may be sent.
    pub resend_at: DateTime<Utc>,
    /// The sign-up.
    pub sign_up: SignUp,
}

/// Verifications, and the codes that were sent for them.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Verifications {
    /// What was sent before, as far as it counts for another code. `except` is the verification that it is for, if that
    /// has begun. Until the transaction ends, requests for the same number, prefix or network wait here.
    fn lock_usage(
        &mut self,
        sender: &Sender,
        except: Option<VerificationId>,
        now: DateTime<Utc>,
    ) -> Result<Usage, StoreError>;

    /// Stores a verification and counts its first code.
    fn add_verification(&mut self, new: &NewVerification) -> Result<(), StoreError>;

    /// The newest verification of this number that this browser began and that is still [open](Verification::is_open).
    fn find_open_verification(
        &self,
        browser: &BrowserHash,
        number: &NumberTag,
        now: DateTime<Utc>,
    ) -> Result<Option<Verification>, StoreError>;

    /// A verification, locked until the transaction ends.
    fn lock_verification(&mut self, id: VerificationId) -> Result<Option<Verification>, StoreError>;

    /// Replaces the sign-up of a verification: the form was sent again.
    fn replace_sign_up(&mut self, id: VerificationId, sign_up: &SignUp) -> Result<(), StoreError>;

    /// Replaces the code of a verification, and counts the new one.
    fn replace_code(
        &mut self,
        id: VerificationId,
        code: &CodeHash,
        sender: &Sender,
        at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
        resend_at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Counts a wrong try.
    fn count_try(&mut self, id: VerificationId) -> Result<(), StoreError>;

    /// Completes a verification: the entrant is known, and the sign-up is forgotten.
    fn complete_verification(
        &mut self,
        id: VerificationId,
        entrant: EntrantId,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Forgets the sign-ups of verifications that expired before `now`, and everything about those that began before
    /// `counted_since`, which no limit counts any more. Returns how many rows changed.
    fn forget_verifications(
        &mut self,
        now: DateTime<Utc>,
        counted_since: DateTime<Utc>,
    ) -> Result<i64, StoreError>;
}
