//! What each domain crate is for, told as a visit to the site. The flows and the store in memory are only here, so that the
//! tests of a domain crate compile that crate and little else.

mod analytics;
mod drawing;
mod pricing;
mod raffle;
mod referral;
mod sms;
