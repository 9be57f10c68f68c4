use crate::mem_store::{MemTx, State, next_id, storable};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Origin, PageRequest, Phone, StoreError};
use people::{
    ClaimLine, DataSource, DuplicateRef, LedgerLine, MarkOutcome, NewMark, NewPerson, Newest, Notes, People,
    PeopleFilter, PeopleQuery, Person, PersonEdit, PersonRef, PersonRow, Profile, ReferralLine,
    UnmarkOutcome,
};
use raffle::{Entrant, Entrants, NewEntrant};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What staff noted.
#[derive(Clone, Default)]
pub(crate) struct PeopleState {
    noted: BTreeMap<EntrantId, Noted>,
    erased: BTreeMap<EntrantId, (Entrant, DateTime<Utc>)>,
}

#[derive(Clone, Default)]
struct Noted {
    notes: Notes,
    mark: Option<Mark>,
    /// The import that the entrant came with, and why we may text them.
    imported: Option<(String, String)>,
}

#[derive(Clone)]
struct Mark {
    original: EntrantId,
    reason: String,
    at: DateTime<Utc>,
    has_set_flag: bool,
}

impl PeopleState {
    fn mark_of(&self, id: EntrantId) -> Option<&Mark> {
        self.noted.get(&id).and_then(|noted| noted.mark.as_ref())
    }

    fn notes_of(&self, id: EntrantId) -> Notes {
        self.noted
            .get(&id)
            .map(|noted| noted.notes.clone())
            .unwrap_or_default()
    }

    /// Forgets what staff noted about an entrant. Their file stays, without their number.
    pub(crate) fn erase(&mut self, entrant: Entrant, at: DateTime<Utc>) {
        self.noted.remove(&entrant.id);
        self.erased.insert(entrant.id, (entrant, at));
    }

    /// Removes the mark of an entry, if it has one.
    pub(crate) fn end_mark(&mut self, id: EntrantId) {
        if let Some(noted) = self.noted.get_mut(&id) {
            noted.mark = None;
        }
    }
}

impl State {
    fn matches(&self, filter: &PeopleFilter, entrant: &Entrant) -> bool {
        let is_flagged = self.fraud.flags.contains_key(&entrant.id);
        let notes = self.people.notes_of(entrant.id);
        filter.is_flagged.is_none_or(|wanted| wanted == is_flagged)
            && filter.raffle.is_none_or(|raffle| raffle == entrant.raffle)
            && filter.tag.as_ref().is_none_or(|tag| notes.tags.contains(tag))
            && filter
                .query
                .as_ref()
                .is_none_or(|query| self.answers(query, entrant))
    }

    fn answers(&self, query: &PeopleQuery, entrant: &Entrant) -> bool {
        query.phone.as_ref() == Some(&entrant.phone)
            || query.last_four.as_deref() == Some(entrant.phone.last_four())
            || query.code.as_ref() == Some(&entrant.referral_code)
            || query.id == Some(entrant.id)
    }

    fn person_row(&self, entrant: &Entrant) -> PersonRow {
        PersonRow {
            id: entrant.id,
            phone: self.entrant(entrant.id).map(|known| known.phone.clone()),
            referral_code: entrant.referral_code.clone(),
            raffle: entrant.raffle,
            total_entries: entrant.entries.total(),
            is_flagged: self.fraud.flags.contains_key(&entrant.id),
            is_duplicate: self.people.mark_of(entrant.id).is_some(),
            tags: self.people.notes_of(entrant.id).tags,
            created_at: entrant.created_at,
        }
    }

    fn profile(&self, entrant: &Entrant) -> Profile {
        let address = self.addresses.iter().find(|(of, _)| *of == entrant.id);
        let noted = self.people.noted.get(&entrant.id);
        let imported = noted.and_then(|noted| noted.imported.clone());
        Profile {
            row: self.person_row(entrant),
            address: address.and_then(|(_, address)| *address),
            user_agent: self.user_agents.get(&entrant.id).cloned(),
            base_entries: entrant.entries.base,
            bonus_entries: entrant.entries.bonus,
            paid_entries: entrant.entries.paid,
            held_entries: entrant.entries.held,
            has_opted_out: self.entrant(entrant.id).is_some() && self.sms.has_opted_out(&entrant.phone),
            sms_campaigns: self.campaign_consent(entrant.id).is_some(),
            data_source: match imported {
                Some(_) => DataSource::Import,
                None => DataSource::Site,
            },
            import_batch: imported.clone().map(|(batch, _)| batch),
            consent_basis: imported.map(|(_, basis)| basis),
            erased_at: self.people.erased.get(&entrant.id).map(|(_, at)| *at),
        }
    }

    fn person_ref(&self, id: EntrantId) -> PersonRef {
        PersonRef {
            id,
            phone: self.entrant(id).map(|entrant| entrant.phone.clone()),
        }
    }

    fn duplicate_ref(&self, id: EntrantId, mark: &Mark) -> DuplicateRef {
        DuplicateRef {
            person: self.person_ref(id),
            reason: mark.reason.clone(),
            merged_at: mark.at,
        }
    }

    fn duplicates_of(&self, original: EntrantId) -> Vec<DuplicateRef> {
        let marks = self.people.noted.iter();
        let marks = marks.filter_map(|(id, noted)| Some((*id, noted.mark.as_ref()?)));
        let mut duplicates: Vec<_> = marks
            .filter(|(_, mark)| mark.original == original)
            .map(|(id, mark)| self.duplicate_ref(id, mark))
            .collect();
        duplicates.sort_by_key(|duplicate| std::cmp::Reverse((duplicate.merged_at, duplicate.person.id)));
        duplicates.truncate(Newest::MOST as usize);
        duplicates
    }

    fn ledger_lines(&self, id: EntrantId) -> Vec<LedgerLine> {
        let rows = self.ledger.iter().enumerate().rev();
        let line = |(index, posted): (usize, &crate::mem_store::PostedRow)| LedgerLine {
            id: next_id(index),
            kind: posted.row.kind.as_str().to_owned(),
            delta: posted.row.delta,
            cause: posted.row.cause,
            created_at: posted.at,
        };
        rows.filter(|(_, posted)| posted.of == id).map(line).collect()
    }

    fn referral_lines(&self, id: EntrantId) -> Vec<ReferralLine> {
        let newest_first = self.referrals.iter().rev().filter(|(by, ..)| *by == id);
        let line = |(_, friend, referral): &(EntrantId, EntrantId, referral::Referral)| ReferralLine {
            friend: self.person_ref(*friend),
            is_reversed: self.credits.get(friend).is_some_and(|credit| credit.is_reversed),
            created_at: referral.created_at,
        };
        newest_first.map(line).collect()
    }

    fn newest_claims(&self, id: EntrantId) -> Vec<ClaimLine> {
        let mut claims = self.claims.lines_of(id);
        claims.truncate(Newest::MOST as usize);
        claims
    }
}

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
            if let Ok(Some(id)) = self.add_entrant(&new) {
                let basis = person.consent_basis.as_str().to_owned();
                let noted = self.0.people.noted.entry(id).or_default();
                noted.imported = Some((batch.to_owned(), basis));
                added.push(person.phone.clone());
            }
        }
        Ok(added)
    }

    fn kept_numbers(&self, phones: &HashSet<Phone>) -> Result<Vec<Phone>, StoreError> {
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
