//! What the stand-ins for Stripe, Twilio and drand share: an HTTP server that starts and stops, the `/control` endpoints for
//! tests, checks against a provider's official schemas, planned failures, and a test client.
//!
//! A stand-in implements [`Provider`] for its configuration; [`StandIn::start`] serves it. Start reading there.

mod call;
mod clock;
mod contract;
mod control;
mod failures;
mod form;
mod program;
mod random;
mod responses;
mod server;
mod shared;
pub mod testing;

pub use call::ApiCall;
pub use clock::unix_millis;
pub use contract::{Contract, contracts_folder};
pub use control::{accepted, bad_request, control_scope};
pub use failures::FailureQueue;
pub use form::FormFields;
pub use program::{contracts_or_warning, serve_until_interrupted};
pub use random::random_bytes;
pub use responses::{broken_response, response};
pub use server::{Provider, Service, StandIn};
pub use shared::Shared;
