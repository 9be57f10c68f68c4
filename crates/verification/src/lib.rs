//! One-time codes that prove a phone number, and how many of them are sent.
//!
//! Invariants: a code completes the one verification it was made for, once, within [`CODE_LIFE`] and [`TRIES`] tries, and
//! only in the browser that began it. The [`limits`](Usage::wait) are counted in the store, so they hold over servers and
//! restarts.
//!
//! Start reading at `tests/story.rs`, then at [`Verifications`], the port.

mod id;
mod key;
mod limits;
mod ports;
mod verification;

pub use id::VerificationId;
pub use kernel::{BrowserHash, BrowserSecret, Code, InvalidCode};
pub use key::{CodeHash, NumberTag, PrefixTag, VerificationKey};
pub use limits::{
    PER_DAY, PER_DAY_AND_NETWORK, PER_MINUTE, PER_NETWORK_AND_MINUTE, PER_PREFIX_AND_HOUR,
    PER_PREFIX_NETWORK_AND_HOUR, PER_TEN_MINUTES, SentCode, Unfinished, Usage,
};
pub use ports::{NewVerification, Sender, Verifications};
pub use verification::{Attempt, CODE_LIFE, RESEND_AFTER, TRIES, Verification};
