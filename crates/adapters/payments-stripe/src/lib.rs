//! The payments gateway over Stripe's HTTP API, and the verification of Stripe's webhook signatures.
//!
//! Requests and responses are types of `async-stripe`; connections, timeouts and retries are our own
//! (`docs/adr/0003-stripe-client.md`). `Debug` output and logs contain no keys and no client secrets. Start reading at
//! [`StripePayments`].

mod events;
mod payments;
mod retries;
mod signature;
mod transport;

pub use events::StripeWebhooks;
pub use payments::StripePayments;
pub use retries::Timeouts;
pub use transport::{API_BASE, StripeConfig};
