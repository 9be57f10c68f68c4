use crate::mem_store::MemTx;
use crate::state::people::Mark;
use crate::state::storable;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Origin, PageRequest, Phone, StoreError};
use people::{
    MarkOutcome, NewMark, NewPerson, Newest, Notes, People, PeopleFilter, Person, PersonEdit, PersonRow,
    UnmarkOutcome,
};
use raffle::{LedgerRow, NewEntrant};
use std::collections::{BTreeSet, HashSet};

/// The newest of all rows, which are sorted.
fn newest<T>(mut rows: Vec<T>) -> Newest<T> {
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    rows.truncate(Newest::MOST as usize);
    Newest { total, rows }
}

impl People for MemTx {
    fn list_people(&self, filter: &PeopleFilter, page: PageRequest) -> Result<Vec<PersonRow>, StoreError> {
        let newest_first = self.0.entrants.iter().rev();
        let matching = newest_first.filter(|entrant| self.0.matches(filter, entrant));
        let part = matching.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.map(|entrant| self.0.person_row(entrant)).collect())
    }

    fn count_people(&self, filter: &PeopleFilter, most: u32) -> Result<i64, StoreError> {
        let entrants = self.0.entrants.iter();
        let matching = entrants.filter(|entrant| self.0.matches(filter, entrant));
        Ok(i64::try_from(matching.take(most as usize).count()).unwrap_or(i64::MAX))
    }

    fn find_person_file(&self, id: EntrantId) -> Result<Option<Person>, StoreError> {
        let state = &self.0;
        let erased = state.people.erased.get(&id);
        let Some(entrant) = state.entrant(id).or(erased.map(|(entrant, _)| entrant)) else {
            return Ok(None);
        };
        let mark = state.people.mark_of(id);
        Ok(Some(Person {
            profile: state.profile(entrant),
            notes: state.people.notes_of(id),
            referred_by: state.referrer_of(id).map(|by| state.person_ref(by)),
            duplicate_of: mark.map(|mark| state.duplicate_ref(mark.original, mark)),
            duplicates: state.duplicates_of(id),
            ledger: newest(state.ledger_lines(id)),
            referrals: newest(state.referral_lines(id)),
            purchases: newest(state.pricing.lines_of(id)),
            texts: newest(state.sms.texts_to(id)),
            replies: newest(state.sms.replies_of(id)),
            claims: state.newest_claims(id),
        }))
    }

    fn list_tags(&self) -> Result<Vec<String>, StoreError> {
        let noted = self.0.people.noted.values();
        let tags: BTreeSet<_> = noted.flat_map(|noted| noted.notes.tags.iter().cloned()).collect();
        Ok(tags.into_iter().collect())
    }

    fn known_numbers(&self, phones: &[Phone]) -> Result<Vec<Phone>, StoreError> {
        let entrants = self.0.entrants.iter().map(|entrant| &entrant.phone);
        let known: HashSet<&Phone> = entrants.collect();
        Ok(phones
            .iter()
            .filter(|phone| known.contains(phone))
            .cloned()
            .collect())
    }

    fn add_people(
        &mut self,
        people: &[NewPerson],
        batch: &str,
        at: DateTime<Utc>,
    ) -> Result<Vec<Phone>, StoreError> {
        let mut added = Vec::new();
        for person in people {
            let new = NewEntrant {
                id: person.id,
                phone: person.phone.clone(),
                person_salt: person.salt,
                referral_code: person.referral_code.clone(),
                raffle: person.raffle,
                event_id: None,
                origin: Origin::default(),
                fingerprint: None,
                created_at: at,
            };
            if let Ok(Some(id)) = self.add_with(&new, LedgerRow::imported(new.id)) {
                let basis = person.consent_basis.as_str().to_owned();
                let noted = self.0.people.noted.entry(id).or_default();
                noted.imported = Some((batch.to_owned(), basis));
                added.push(person.phone.clone());
            }
        }
        Ok(added)
    }

    fn erased_numbers(&self, phones: &HashSet<Phone>) -> Result<Vec<Phone>, StoreError> {
        let kept = phones.iter().filter(|phone| self.0.erasure.keeps(phone));
        Ok(kept.cloned().collect())
    }

    fn edit_person(&mut self, edit: &PersonEdit) -> Result<Option<Notes>, StoreError> {
        storable(edit.tags.iter().flatten().map(String::as_str))?;
        storable(edit.notes.as_deref())?;
        if self.0.entrant(edit.entrant).is_none() {
            return Ok(None);
        }
        let notes = &mut self.0.people.noted.entry(edit.entrant).or_default().notes;
        if let Some(tags) = &edit.tags {
            notes.tags.clone_from(tags);
        }
        if let Some(text) = &edit.notes {
            notes.notes.clone_from(text);
        }
        Ok(Some(notes.clone()))
    }

    fn mark_duplicate(&mut self, mark: &NewMark) -> Result<MarkOutcome, StoreError> {
        storable([mark.reason.as_str()])?;
        let state = &mut self.0;
        if state.entrant(mark.duplicate).is_none() {
            return Ok(MarkOutcome::UnknownDuplicate);
        }
        if mark.duplicate == mark.original {
            return Ok(MarkOutcome::Oneself);
        }
        if state.entrant(mark.original).is_none() {
            return Ok(MarkOutcome::UnknownOriginal);
        }
        if state.people.mark_of(mark.duplicate).is_some() {
            return Ok(MarkOutcome::AlreadyMarked);
        }
        if state.people.mark_of(mark.original).is_some() {
            return Ok(MarkOutcome::OriginalIsDuplicate);
        }
        let has_set_flag = !state.fraud.flags.contains_key(&mark.duplicate);
        state.people.noted.entry(mark.duplicate).or_default().mark = Some(Mark {
            original: mark.original,
            reason: mark.reason.as_str().to_owned(),
            at: mark.at,
            has_set_flag,
        });
        Ok(MarkOutcome::Marked)
    }

    fn unmark_duplicate(
        &mut self,
        duplicate: EntrantId,
        _: DateTime<Utc>,
    ) -> Result<UnmarkOutcome, StoreError> {
        let noted = self.0.people.noted.get_mut(&duplicate);
        Ok(match noted.and_then(|noted| noted.mark.take()) {
            Some(mark) => UnmarkOutcome::Unmarked {
                must_unflag: mark.has_set_flag,
                original: mark.original,
            },
            None => UnmarkOutcome::NotMarked,
        })
    }
}
