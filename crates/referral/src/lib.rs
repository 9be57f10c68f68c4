//! Referral codes, who earns what, links.
//!
//! Invariants: an entrant was referred by one person at most, and each such edge earns the referrer
//! [`REWARD`] once, however often it is tried.
//!
//! Start reading at [`Referrals`], the port.

mod code;
mod link;
mod ports;

pub use code::new_code;
pub use link::referral_link;
pub use ports::{NewReferral, Referral, ReferralStore, Referrals};

/// Entries a referrer earns for each friend who enters through the link.
pub const REWARD: i64 = 1;
