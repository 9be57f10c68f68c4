use crate::{CodeHash, CodeId, Holder, Request, SentCode, Share, Subject, Usage};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, MessageId, StoreError};

/// A code to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewCode {
    /// The request for it.
    pub request: Request,
    /// On what it counts.
    pub share: Share,
    /// Its hash.
    pub hash: CodeHash,
    /// The text that it stands in.
    pub message: MessageId,
    /// The entrant whose number it is sent to, if that is known already.
    pub entrant: Option<EntrantId>,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// Codes that were sent. The codes themselves are not stored.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Codes {
    /// What was sent before, as far as it counts for this request. Until the transaction ends, requests for the same number
    /// or from the same block of networks wait here.
    fn lock_code_usage(&mut self, request: &Request, now: DateTime<Utc>) -> Result<Usage, StoreError>;

    /// Stores a code. The one before of this subject and holder ends.
    fn add_code(&mut self, new: &NewCode) -> Result<(), StoreError>;

    /// The code that was sent last for a subject and a holder.
    fn find_code(&self, subject: Subject, holder: Holder) -> Result<Option<SentCode>, StoreError>;

    /// The same, locked until the transaction ends.
    fn lock_code(&mut self, subject: Subject, holder: Holder) -> Result<Option<SentCode>, StoreError>;

    /// Counts a wrong try.
    fn count_wrong_try(&mut self, code: CodeId) -> Result<(), StoreError>;

    /// Notes that what the codes of a subject and a holder are for was done, by this entrant.
    fn complete_codes(
        &mut self,
        subject: Subject,
        holder: Holder,
        entrant: EntrantId,
    ) -> Result<(), StoreError>;

    /// Deletes codes that were sent before `counted_since`, which no limit counts any more. Returns how many there were.
    fn forget_codes(&mut self, counted_since: DateTime<Utc>) -> Result<i64, StoreError>;
}
