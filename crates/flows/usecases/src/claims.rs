//! How a drawn entrant claims the prize.
//!
//! [`drawings::draw`](crate::drawings::draw()) adds the claim of rank 0. The winner's steps are in [`winner`], those of staff in
//! [`review`], and [`advance()`] takes the steps that time brings. Whatever ends a claim without a prize asks the next rank
//! in the same transaction, so nobody can skip a rank.

mod advance;
mod asking;
mod last_winner;
mod own;
mod public;
mod reading;
pub mod review;
mod shipping;
pub mod winner;

pub use advance::{Advanced, advance};
pub use last_winner::{LastWinner, last_winner};
pub use own::{OwnClaim, OwnDrawing, own_drawing};
pub use public::{PublicClaim, PublicRecord, public_records};
pub use reading::count;
pub use shipping::{Parcel, shipping_list};

pub(crate) use asking::ask_first;
pub(crate) use review::open_details;

use crate::codes::CodeTools;
use ::claims::{Claim, ClaimKey, ClaimSecrets, ClaimToken, Claims};
use ::codes::Codes;
use chrono_tz::Tz;
use drawing::FrozenEntrants;
use drawing::steps::DrawingSteps;
use kernel::{Entropy, Sealer, StoreError};
use pricing::Purchases;
use raffle::Entrants;
use sms::{DailyCounts, OptOuts, Outbox, SealedText, SmsCountries};
use staff::AuditLog;

/// What the texts about claims are made with.
#[derive(Clone, Copy)]
pub struct ClaimNotices<'a> {
    /// Makes the tokens of new links, and hashes the codes of calls.
    pub key: &'a ClaimKey,
    /// The keys before it, which made the links of claims from their time.
    pub earlier: &'a [ClaimKey],
    /// Encrypts the bodies of texts.
    pub sealer: &'a dyn Sealer<SealedText>,
    /// The site's origin, for the links.
    pub public_origin: &'a str,
    /// The site's name.
    pub site_name: &'a str,
}

impl ClaimNotices<'_> {
    /// The secret link of a claim.
    fn link(&self, tx: &impl Claims, claim: &Claim) -> Result<String, StoreError> {
        let token = self.token(tx, claim)?.to_text();
        Ok(format!("{}/claim/{token}", self.public_origin))
    }

    /// The token of a claim. It needs the key that was the current one when the rank was asked; without it, no claim has the
    /// token.
    fn token(&self, tx: &impl Claims, claim: &Claim) -> Result<ClaimToken, StoreError> {
        let mut token = self.key.token(claim.drawing, claim.rank);
        for key in std::iter::once(self.key).chain(self.earlier) {
            let made = key.token(claim.drawing, claim.rank);
            if tx.find_claim_by_token(&made.hash())?.is_some() {
                token = made;
                break;
            }
        }
        Ok(token)
    }
}

/// Everything that claims need besides the store. Times come from the store.
#[derive(Clone, Copy)]
pub struct ClaimTools<'a> {
    /// What texts are made with.
    pub notices: ClaimNotices<'a>,
    /// What codes are sent with.
    pub codes: CodeTools<'a>,
    /// Randomness for the codes of calls.
    pub entropy: &'a dyn Entropy,
    /// Encrypts the winner's details.
    pub details: &'a dyn Sealer<ClaimSecrets>,
    /// The countries whose numbers get texts.
    pub countries: &'a SmsCountries,
    /// The site's time zone, in which days of calls are counted and dates are written.
    pub time_zone: Tz,
}

/// The store ports that claims use. Every type that implements them implements this.
pub trait ClaimTx:
    Claims
    + Codes
    + DrawingSteps
    + FrozenEntrants
    + Entrants
    + Purchases
    + Outbox
    + OptOuts
    + DailyCounts
    + AuditLog
{
}

impl<T> ClaimTx for T where
    T: Claims
        + Codes
        + DrawingSteps
        + FrozenEntrants
        + Entrants
        + Purchases
        + Outbox
        + OptOuts
        + DailyCounts
        + AuditLog
{
}
