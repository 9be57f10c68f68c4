//! The raffles: which there are, what they say, and when they are open (D56).

mod opening;
mod publishing;
mod reading;
mod writing;

pub use opening::{ChangeOpening, ChangedOpening, MOST_OPEN, OpeningError, When, close, open};
pub use publishing::{Publish, PublishError, publish};
pub use reading::{PublicRaffle, RaffleFile, ShownRaffle, ShownRaffles, file, public, public_version, shown};
pub use writing::{EditError, SaveDraft, copy, create, delete, order, save_draft};
