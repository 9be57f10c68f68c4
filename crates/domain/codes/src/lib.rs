//! One-time codes that prove a phone number: for a sign-up, for the claim of a prize, for a request for data (D64).
//!
//! Invariants: a code counts for one [`Subject`] and in the browser that asked for it, for [`CODE_LIFE`] and [`TRIES`] wrong
//! tries; other browsers can neither use it nor end it. The [limits](Usage::share) are counted in the store, so they hold over
//! servers and restarts, and each [`Purpose`] has its own.
//!
//! A code was sent to a number, and the same network asks for another one:
//!
//! ```
//! use chrono::{DateTime, TimeDelta};
//! use codes::{Counted, Purpose, Share, Usage};
//!
//! let second = |n| DateTime::UNIX_EPOCH + TimeDelta::seconds(n);
//! let usage = Usage {
//!     codes: vec![Counted {
//!         at: second(0),
//!         same_network: true,
//!         share: Share::Everybody,
//!     }],
//!     ..Usage::default()
//! };
//! let share = |now| usage.share(Purpose::SignUp, false, now);
//! assert_eq!(share(second(20)), Err(TimeDelta::seconds(40)));
//! assert_eq!(share(second(60)), Ok(Share::Everybody));
//! ```
//!
//! Start reading at `tests/story.rs`, then at [`SentCode`] and at [`Codes`], the port.

mod code;
mod key;
mod limits;
mod ports;
mod sent_code;
mod subject;

pub use code::{Code, InvalidCode};
pub use kernel::{BrowserHash, BrowserSecret};
pub use key::{CodeHash, CodeKey, NumberTag};
pub use limits::{
    Counted, FOR_OWN_BROWSERS, PER_BLOCK, PER_NETWORK, PER_NUMBER_AND_NETWORK, RESEND_AFTER, Share, Usage,
    for_everybody,
};
pub use ports::{Codes, NewCode};
pub use sent_code::{Attempt, CODE_LIFE, CodeId, SentCode, TRIES};
pub use subject::{Holder, Purpose, Request, Subject, block_of};
