use crate::{SignUp, SignUpId};
use chrono::{DateTime, Utc};
use kernel::{BrowserHash, EntrantId, Phone, StoreError};

/// A sign-up to be stored until its number is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWaitingSignUp {
    /// The id.
    pub id: SignUpId,
    /// The browser that sent it. No other one can complete it.
    pub browser: BrowserHash,
    /// What it sent.
    pub sign_up: SignUp,
    /// The present moment.
    pub at: DateTime<Utc>,
    /// From when on it waits no longer.
    pub expires_at: DateTime<Utc>,
}

/// A sign-up that waits until its number is proved, or that was completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingSignUp {
    /// The id.
    pub id: SignUpId,
    /// The browser that sent it.
    pub browser: BrowserHash,
    /// From when on it waits no longer.
    pub expires_at: DateTime<Utc>,
    /// What was sent; `None` once it was completed or forgotten.
    pub sign_up: Option<SignUp>,
    /// The entrant, once it was completed, and whether they were new.
    pub entered: Option<(EntrantId, bool)>,
}

impl WaitingSignUp {
    /// What waits now.
    pub fn waits(&self, now: DateTime<Utc>) -> Option<&SignUp> {
        self.sign_up.as_ref().filter(|_| now < self.expires_at)
    }
}

/// Sign-ups that wait until their numbers are proved.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait WaitingSignUps {
    /// Stores a sign-up.
    fn add_waiting_sign_up(&mut self, new: &NewWaitingSignUp) -> Result<(), StoreError>;

    /// The newest sign-up with this number that this browser sent and that waits now.
    fn find_waiting_sign_up(
        &self,
        browser: &BrowserHash,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Option<SignUpId>, StoreError>;

    /// A sign-up, locked until the transaction ends.
    fn lock_waiting_sign_up(&mut self, id: SignUpId) -> Result<Option<WaitingSignUp>, StoreError>;

    /// Replaces what a sign-up says: the form was sent again.
    fn replace_sign_up(&mut self, id: SignUpId, sign_up: &SignUp) -> Result<(), StoreError>;

    /// Lets a sign-up wait longer: another code was sent.
    fn extend_sign_up(&mut self, id: SignUpId, expires_at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Completes a sign-up: the entrant is known, and what was sent is forgotten.
    fn complete_sign_up(&mut self, id: SignUpId, entrant: EntrantId, is_new: bool) -> Result<(), StoreError>;

    /// Forgets what sign-ups said that expired before `now`, and everything about those that were sent before `kept_since`.
    /// Returns how many rows changed.
    fn forget_sign_ups(&mut self, now: DateTime<Utc>, kept_since: DateTime<Utc>) -> Result<i64, StoreError>;
}
