//! One-time codes that prove a phone number, and how many of them are sent.
//!
//! Invariants: a code completes the one verification it was made for, once, within [`CODE_LIFE`] and [`TRIES`] tries, and
//! only in the browser that began it. The [`limits`](Usage::wait) are counted in the store, so they hold over servers and
//! restarts.
//!
//! A code was sent to a number, and the same network asks for another one:
//!
//! ```
//! use chrono::{DateTime, TimeDelta};
//! use verification::{SentCode, Usage};
//!
//! let second = |n| DateTime::UNIX_EPOCH + TimeDelta::seconds(n);
//! let usage = Usage {
//!     number: vec![SentCode {
//!         at: second(0),
//!         same_network: true,
//!     }],
//!     ..Usage::default()
//! };
//! assert_eq!(usage.wait(second(20)), Some(TimeDelta::seconds(40)));
//! assert_eq!(usage.wait(second(60)), None);
//! ```
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
