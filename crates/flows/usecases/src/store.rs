use ::analytics::AnalyticsStore;
use ::claims::Claims;
use ::codes::Codes;
use ::privacy::retention::Retention;
use ::privacy::{DataRequests, Erasure, Exports};
use drawing::DrawingStore;
use fraud::FraudStore;
use kernel::{UnitOfWork, WriteProbe};
use people::People;
use pricing::PricingStore;
use push::PushStore;
use raffle::{RaffleStore, WaitingSignUps};
use referral::Referrals;
use sms::SmsStore;
use staff::StaffStore;

/// The store ports of all domains. Every type that implements them implements this.
pub trait Ports:
    RaffleStore
    + Referrals
    + SmsStore
    + DrawingStore
    + Claims
    + PricingStore
    + AnalyticsStore
    + FraudStore
    + StaffStore
    + Codes
    + WaitingSignUps
    + Retention
    + People
    + Erasure
    + DataRequests
    + Exports
    + PushStore
    + WriteProbe
{
}

impl<T> Ports for T where
    T: RaffleStore
        + Referrals
        + SmsStore
        + DrawingStore
        + Claims
        + PricingStore
        + AnalyticsStore
        + FraudStore
        + StaffStore
        + Codes
        + WaitingSignUps
        + Retention
        + People
        + Erasure
        + DataRequests
        + Exports
        + PushStore
        + WriteProbe
{
}

/// A store that every flow can run on. A flow itself names only the ports that it calls.
pub trait Store: UnitOfWork<Tx: Ports> {}

impl<S: UnitOfWork<Tx: Ports>> Store for S {}
