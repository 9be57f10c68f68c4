//! Drawings on the store: `usecases::drawings`, from the announcement to the winner.
//!
//! Nobody can set the clock of a database, so drawings whose time has come are announced by hand, through the ports. The
//! tests with months and days run on the fakes: `crates/flows/usecases/tests/drawings`.

mod attacks;
mod beacon;
pub(crate) mod calendar;
mod faults;
pub(crate) mod kit;
mod lists;
mod requests;
pub(crate) mod void;

pub use attacks::*;
pub use beacon::*;
pub use faults::*;
pub use lists::*;
pub use requests::*;
pub use void::*;

use kit::{Kit, RAFFLE, drawn, log_actions, performed, waiting};
