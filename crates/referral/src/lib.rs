//! Referral codes, referral rewards, referral links.
//!
//! Invariants: an entrant was referred by at most one other, and each referral earns the referrer
//! [`REWARD`] once, however often it is credited.
//!
//! The link ends in the code, and friends may type it in either case:
//!
//! ```
//! use kernel::{Raffle, ReferralCode};
//! use referral::referral_link;
//!
//! let code = ReferralCode::parse("CDFG3467").unwrap();
//! let link = referral_link("https://example.org", Raffle::GardenBag, &code);
//! assert_eq!(link, "https://example.org/garden-bag/ref/CDFG3467");
//! assert_eq!(ReferralCode::parse("cdfg3467"), Ok(code));
//!
//! // Characters that look like others, such as 0 and O, are in no code.
//! assert!(ReferralCode::parse("CDFG3460").is_err());
//! ```
//!
//! Start reading at `crates/usecases/tests/flows/stories/referral.rs`, then at [`Referrals`], the port.

mod code;
mod link;
mod ports;
mod reward;

pub use code::new_code;
pub use link::referral_link;
pub use ports::{FriendCounts, NewReferral, Referral, Referrals};
pub use reward::{Credit, REWARD, earner, reward_for};
