use crate::{
    MarkOutcome, NewMark, NewPerson, Notes, PeopleFilter, Person, PersonEdit, PersonRow, UnmarkOutcome,
};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, Phone, StoreError};
use std::collections::HashSet;

/// What staff see and note about entrants.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait People {
    /// A page of the entrants who match, the newest first, without those who were erased.
    fn list_people(&self, filter: &PeopleFilter, page: PageRequest) -> Result<Vec<PersonRow>, StoreError>;

    /// The number of entrants who match, but at most `most`: nobody waits for a count of millions.
    fn count_people(&self, filter: &PeopleFilter, most: u32) -> Result<i64, StoreError>;

    /// Everything about an entrant; `None` when there is none with this id. Several look-ups, so call it in a snapshot. Of an
    /// erased one there is what has to stay, such as the ledger.
    fn find_person_file(&self, id: EntrantId) -> Result<Option<Person>, StoreError>;

    /// All tags that entrants have, sorted.
    fn list_tags(&self) -> Result<Vec<String>, StoreError>;

    /// Which of these numbers have entered.
    fn known_numbers(&self, phones: &[Phone]) -> Result<Vec<Phone>, StoreError>;

    /// Adds imported people, each with one base entry, and returns their numbers. Whose number, id or referral code is taken
    /// is not added.
    fn add_people(
        &mut self,
        people: &[NewPerson],
        batch: &str,
        at: DateTime<Utc>,
    ) -> Result<Vec<Phone>, StoreError>;

    /// Which of these numbers an erased person had. They are forgotten after the time that the privacy domain keeps them.
    fn erased_numbers(&self, phones: &HashSet<Phone>) -> Result<Vec<Phone>, StoreError>;

    /// Changes tags or notes, and returns them; `None` when there is no such entrant.
    fn edit_person(&mut self, edit: &PersonEdit) -> Result<Option<Notes>, StoreError>;

    /// Marks a duplicate. Both entrants are locked, in the order of their ids, so that of two marks that would make a
    /// circle the second is refused. The caller then sets the flag, in the same transaction.
    fn mark_duplicate(&mut self, mark: &NewMark) -> Result<MarkOutcome, StoreError>;

    /// Removes the mark of a duplicate. The caller then removes the flag if the mark had set it. The end of a flag
    /// (`Flags::unflag` of the fraud domain) removes the mark too.
    fn unmark_duplicate(
        &mut self,
        duplicate: EntrantId,
        at: DateTime<Utc>,
    ) -> Result<UnmarkOutcome, StoreError>;
}
