//! `crates/adapters/payments-stripe` compares the stand-in with a client that others wrote.

mod browser;
mod client;
mod validation;
mod webhooks;
