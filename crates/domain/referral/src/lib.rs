//! Referral codes, referral rewards, referral links.
//!
//! Invariants: an entrant was referred by at most one other, and each referral earns the referrer
//! [`REWARD`] once, however often it is credited.
//!
//! Bob enters through Ann's link. While he is flagged, the entry that she got for him is taken back:
//!
//! ```
//! use kernel::{EntrantId, ReferralCode};
//! use raffle::{Entries, RaffleKey};
//! use referral::{Credit, REWARD, referral_link, reward_for};
//!
//! let code = ReferralCode::parse("cdfg3467").unwrap(); // friends may type it in either case
//! let raffle = RaffleKey::new("summer-box").unwrap();
//! let link = referral_link("https://example.org", raffle, &code);
//! assert_eq!(link, "https://example.org/summer-box/ref/CDFG3467");
//!
//! let (ann, bob) = (EntrantId::new(1), EntrantId::new(2));
//! let earned = Some(reward_for(bob));
//! assert_eq!(Entries::of(earned).bonus, REWARD);
//! let (credit, taken) = Credit::new(ann, bob).reverse().unwrap();
//! assert_eq!(Entries::of([earned, taken].into_iter().flatten()).bonus, 0);
//! let (_, given) = credit.restore().unwrap();
//! assert_eq!(Entries::of([earned, taken, given].into_iter().flatten()).bonus, REWARD);
//! ```
//!
//! Start reading at `crates/flows/usecases/tests/flows/stories/referral.rs`, then at [`Referrals`], the port.

mod code;
mod link;
mod ports;
mod reward;

pub use code::new_code;
pub use link::referral_link;
pub use ports::{FriendCounts, NewReferral, Referral, Referrals};
pub use reward::{Credit, CreditChange, REWARD, earner, reward_for};
