//! The payments gateway over Stripe's HTTP API; it also verifies the signatures of Stripe's webhooks.
//!
//! Requests and answers are `async-stripe`'s, connections, time-outs and retries are ours: `docs/adr/0003-stripe-client.md`
//! tells why. Secrets and client secrets are in no `Debug` and no log line. Start reading at [`StripePayments`].

mod events;
mod payments;
mod retries;
mod signature;
mod transport;

pub use events::StripeWebhooks;
pub use payments::StripePayments;
pub use retries::Timeouts;
pub use transport::{API_BASE, StripeConfig};
