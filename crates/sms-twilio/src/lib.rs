//! The texts gateway over Twilio's HTTP API; it also verifies the signatures of Twilio's callbacks (D18, D19, D23).
//!
//! Nothing is tried again here: whoever sends decides, by [`sms::SendError`]. What is not known to be unsent is said to
//! be maybe sent. No phone number, text or secret is in any error. Start reading at [`TwilioSms`].

mod answers;
mod callbacks;
mod reasons;
mod sender;
mod signature;

pub use callbacks::TwilioCallbacks;
pub use sender::{API_BASE, Timeouts, TwilioSms};
