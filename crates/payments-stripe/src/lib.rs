//! The payments gateway over Stripe's HTTP API; it also verifies the signatures of Stripe's webhooks.
//!
//! Why it will stand on `async-stripe` is written in `docs/adr/0003-stripe-client.md`. It has no work until
//! packages are sold.
