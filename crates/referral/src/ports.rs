use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, Phone, ReferralCode, StoreError};
use std::net::IpAddr;

/// A friend who entered through somebody's link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referral {
    /// Which referral.
    pub id: i64,
    /// The friend's phone number.
    pub referred_phone: Phone,
    /// When the friend entered.
    pub created_at: DateTime<Utc>,
}

/// A referral about to be credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReferral {
    /// Whose link it was.
    pub referrer: EntrantId,
    /// Who entered through it.
    pub referred: EntrantId,
    /// The friend's phone number.
    pub referred_phone: Phone,
    /// Where the friend's request came from.
    pub address: Option<IpAddr>,
    /// Now.
    pub created_at: DateTime<Utc>,
}

/// Who brought whom.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Referrals {
    /// Whose code this is.
    fn find_referrer(&self, code: &ReferralCode) -> Result<Option<EntrantId>, StoreError>;

    /// Records the referral and gives the referrer `reward` entries: row, counter and ledger together.
    ///
    /// `false` when that friend was credited to somebody already, and then nothing has changed. Any number of
    /// friends of one referrer may be credited at once; each counts.
    fn credit_referral(&mut self, referral: &NewReferral, reward: i64) -> Result<bool, StoreError>;

    /// How many friends entered through this entrant's link.
    fn count_referrals(&self, referrer: EntrantId) -> Result<i64, StoreError>;

    /// Those friends, newest first.
    fn list_referrals(&self, referrer: EntrantId, page: PageRequest) -> Result<Vec<Referral>, StoreError>;
}

/// All store ports of referrals. Every type that implements them implements this.
pub trait ReferralStore: Referrals {}

impl<T: Referrals> ReferralStore for T {}
