//! The messages gateway over Twilio's HTTP API, and the verification of Twilio's callback signatures.
//!
//! Nothing is retried here: the caller decides by [`sms::SendError`]. A message that is not known to be unsent counts as
//! maybe sent. Errors contain no phone numbers, message texts or credentials. Start reading at [`TwilioSms`].

mod callbacks;
mod error_codes;
mod responses;
mod sender;
mod signature;

pub use callbacks::TwilioCallbacks;
pub use sender::{API_BASE, Timeouts, TwilioSms};
