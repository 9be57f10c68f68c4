//! Referral codes, referral rewards, referral links.
//!
//! Invariants: an entrant was referred by at most one other, and each referral earns the referrer
//! [`REWARD`] once, however often it is credited.
//!
//! Start reading at `tests/story.rs`, then at [`Referrals`], the port.

mod code;
mod link;
mod ports;
mod reward;

pub use code::new_code;
pub use link::referral_link;
pub use ports::{FriendCounts, NewReferral, Referral, Referrals};
pub use reward::{Credit, REWARD, earner, reward_for};
