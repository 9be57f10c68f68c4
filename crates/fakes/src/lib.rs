//! Stand-ins for the ports, for tests without a database.
//!
//! [`MemStore`] is held to the same contract as PostgreSQL (`contracts::store_contract!`); a behaviour that no contract
//! covers does not exist. The one exception is failure injection, [`MemStore::fail_next`].

mod analytics;
mod clock;
mod drawing;
mod entropy;
mod mem_store;
mod payments;
mod pricing;
mod sealer;
mod seeds;
mod sms;
mod sms_sender;
mod staff;

pub use clock::FixedClock;
pub use entropy::SeededEntropy;
pub use mem_store::{MemStore, MemTx};
pub use payments::FakePayments;
pub use sealer::PlainSealer;
pub use seeds::FakeSeeds;
pub use sms_sender::{FakeSms, SentMessage, SmsAnswer};
