//! One module per user-visible flow; the only place that opens a transaction or spans domains.
//!
//! A flow takes its store, clock and randomness as arguments, and reads downwards. Start at [`enter()`].

mod enter;
mod fold;
mod look_up;

pub use enter::{EnterCommand, EnterError, Entered, enter};
pub use fold::{fold, rebuild, verify};
pub use look_up::{LookUpError, ReferralList, Stats, find_entrant, list_referrals, stats};
