//! Winners' claims on the fakes: every step in every status, and what time brings. `crates/testing/contracts` has the races.

mod clock;
mod fixture;
mod staff;
mod unreached;
mod winner;
