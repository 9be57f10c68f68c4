//! What staff note about entrants: tags, notes, duplicates and imports.
//!
//! A duplicate is flagged, so that drawings leave it out and its entrant can appeal; the end of the flag ends the mark.
//! Nothing of an entry moves: the ledger of a duplicate stays as it is. A duplicate names an entry that is none itself, so
//! marks make no circle.
//!
//! What staff type is searched for in each way in which it can be read:
//!
//! ```
//! use kernel::EntrantId;
//! use people::{PeopleQuery, UnreadableQuery};
//!
//! let query = PeopleQuery::parse(" 4567 ").unwrap().unwrap();
//! assert_eq!(query.last_four.as_deref(), Some("4567"));
//! assert_eq!(query.id, Some(EntrantId::new(4567)));
//! assert_eq!(query.phone, None);
//! assert_eq!(PeopleQuery::parse("hello there"), Err(UnreadableQuery));
//! ```
//!
//! Start reading at [`PeopleQuery`], then at [`People`].

mod duplicate;
mod import;
mod notes;
mod person;
mod ports;
mod query;

pub use duplicate::{MarkOutcome, NewMark, UnmarkOutcome};
pub use import::{
    BadLine, IMPORT_COLUMNS, ImportFile, ImportLine, MOST_BASIS_CHARS, MOST_IMPORTED, MOST_IMPORTED_ALONE,
    NewPerson, read_lines,
};
pub use notes::{Notes, NotesError, PersonEdit, read_notes, read_tags};
pub use person::{
    ClaimLine, DataSource, DuplicateRef, LedgerLine, Newest, Person, PersonRef, PersonRow, Profile,
    PurchaseLine, ReferralLine, ReplyLine, TextLine,
};
pub use ports::People;
pub use query::{PeopleFilter, PeopleQuery, UnreadableQuery};
