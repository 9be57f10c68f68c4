//! Fakes of the ports, for tests without a database.
//!
//! [`MemStore`] passes the same contract tests as PostgreSQL (`contracts::store_contract!`), and has no other behavior.
//! The only exceptions are failure injection with [`MemStore::fail_next`] and the time of [`MemStore::set_time`].

mod accounts;
mod analytics;
mod approvals;
mod beacon;
mod claims;
mod clock;
mod codes;
mod drawing;
mod entropy;
mod erasure;
mod fraud;
mod mem_store;
mod payments;
mod people;
mod picture_maker;
mod pictures;
mod poll;
mod pricing;
mod privacy;
mod push;
mod raffles;
mod sealer;
mod search;
mod seeds;
mod sms;
mod sms_sender;
mod staff;
mod state;
mod store_clock;

pub use beacon::FakeBeacon;
pub use clock::FixedClock;
pub use entropy::SeededEntropy;
pub use mem_store::{MemStore, MemTx};
pub use payments::FakePayments;
pub use picture_maker::FakePictures;
pub use poll::poll_once;
pub use sealer::PlainSealer;
pub use seeds::FakeSeeds;
pub use sms_sender::{FakeSms, SentMessage, SmsAnswer};
