use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, Phone, ReferralCode, StoreError};
use std::net::IpAddr;

/// A friend who entered through an entrant's link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referral {
    /// The number of the referral.
    pub id: i64,
    /// The friend's phone number, until the person is erased.
    pub referred_phone: Option<Phone>,
    /// When the friend entered.
    pub created_at: DateTime<Utc>,
}

/// How many friends entered through an entrant's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FriendCounts {
    /// All of them.
    pub all: i64,
    /// Those who are flagged: the entries for them are on hold.
    pub on_hold: i64,
}

/// A referral to be credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReferral {
    /// The entrant whose link it was.
    pub referrer: EntrantId,
    /// The friend.
    pub referred: EntrantId,
    /// The friend's phone number.
    pub referred_phone: Phone,
    /// The friend's IP address.
    pub address: Option<IpAddr>,
    /// The time of the sign-up.
    pub created_at: DateTime<Utc>,
}

/// Referrals and their rewards.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Referrals {
    /// The entrant with this referral code.
    fn find_referrer(&self, code: &ReferralCode) -> Result<Option<EntrantId>, StoreError>;

    /// Records the referral and gives the referrer [`crate::reward_for`] the friend: row, counter and ledger together.
    ///
    /// `false` when the friend was credited to an entrant before; nothing has changed then. Any number of friends of
    /// one referrer may be credited at the same time, and each counts.
    fn credit_referral(&mut self, referral: &NewReferral) -> Result<bool, StoreError>;

    /// How many friends entered through this entrant's link.
    fn count_referrals(&self, referrer: EntrantId) -> Result<FriendCounts, StoreError>;

    /// The friends who entered through this entrant's link, newest first.
    fn list_referrals(&self, referrer: EntrantId, page: PageRequest) -> Result<Vec<Referral>, StoreError>;
}
