//! The whole application over the fakes, as a browser and as a stranger would use it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod audit;
mod campaigns;
mod collecting;
mod console;
mod drawing;
mod entering;
mod errors;
mod packages;
mod pages;
mod payments;
mod signing_in;
mod site;
mod sms_account;
mod sms_templates;
mod texting;
mod texts;
mod welcome_sms;
