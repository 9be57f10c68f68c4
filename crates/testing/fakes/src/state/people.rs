//! What the store has of `people`.

use super::{State, next_id};
use chrono::{DateTime, Utc};
use kernel::EntrantId;
use people::{
    ClaimLine, DataSource, DuplicateRef, LedgerLine, Newest, Notes, PeopleFilter, PeopleQuery, PersonRef,
    PersonRow, Profile, ReferralLine,
};
use raffle::Entrant;
use std::collections::BTreeMap;

/// What staff noted.
#[derive(Clone, Default)]
pub(crate) struct PeopleState {
    pub(crate) noted: BTreeMap<EntrantId, Noted>,
    pub(crate) erased: BTreeMap<EntrantId, (Entrant, DateTime<Utc>)>,
}

#[derive(Clone, Default)]
pub(crate) struct Noted {
    pub(crate) notes: Notes,
    pub(crate) mark: Option<Mark>,
    /// The import that the entrant came with, and why we may text them.
    pub(crate) imported: Option<(String, String)>,
}

#[derive(Clone)]
pub(crate) struct Mark {
    pub(crate) original: EntrantId,
    pub(crate) reason: String,
    pub(crate) at: DateTime<Utc>,
    pub(crate) has_set_flag: bool,
}

impl PeopleState {
    pub(crate) fn mark_of(&self, id: EntrantId) -> Option<&Mark> {
        self.noted.get(&id).and_then(|noted| noted.mark.as_ref())
    }

    pub(crate) fn notes_of(&self, id: EntrantId) -> Notes {
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
    pub(crate) fn matches(&self, filter: &PeopleFilter, entrant: &Entrant) -> bool {
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

    pub(crate) fn answers(&self, query: &PeopleQuery, entrant: &Entrant) -> bool {
        query.phone.as_ref() == Some(&entrant.phone)
            || query.last_four.as_deref() == Some(entrant.phone.last_four())
            || query.code.as_ref() == Some(&entrant.referral_code)
            || query.id == Some(entrant.id)
    }

    pub(crate) fn person_row(&self, entrant: &Entrant) -> PersonRow {
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

    pub(crate) fn profile(&self, entrant: &Entrant) -> Profile {
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

    pub(crate) fn person_ref(&self, id: EntrantId) -> PersonRef {
        PersonRef {
            id,
            phone: self.entrant(id).map(|entrant| entrant.phone.clone()),
        }
    }

    pub(crate) fn duplicate_ref(&self, id: EntrantId, mark: &Mark) -> DuplicateRef {
        DuplicateRef {
            person: self.person_ref(id),
            reason: mark.reason.clone(),
            merged_at: mark.at,
        }
    }

    pub(crate) fn duplicates_of(&self, original: EntrantId) -> Vec<DuplicateRef> {
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

    pub(crate) fn ledger_lines(&self, id: EntrantId) -> Vec<LedgerLine> {
        let rows = self.ledger.iter().enumerate().rev();
        let line = |(index, posted): (usize, &super::PostedRow)| LedgerLine {
            id: next_id(index),
            kind: posted.row.kind.as_str().to_owned(),
            delta: posted.row.delta,
            cause: posted.row.cause,
            created_at: posted.at,
        };
        rows.filter(|(_, posted)| posted.of == id).map(line).collect()
    }

    pub(crate) fn referral_lines(&self, id: EntrantId) -> Vec<ReferralLine> {
        let newest_first = self.referrals.iter().rev().filter(|(by, ..)| *by == id);
        let line = |(_, friend, referral): &(EntrantId, EntrantId, referral::Referral)| ReferralLine {
            friend: self.person_ref(*friend),
            is_reversed: self
                .credits
                .get(friend)
                .is_some_and(|(credit, _)| credit.is_reversed),
            created_at: referral.created_at,
        };
        newest_first.map(line).collect()
    }

    pub(crate) fn newest_claims(&self, id: EntrantId) -> Vec<ClaimLine> {
        let mut claims = self.claims.lines_of(id);
        claims.truncate(Newest::MOST as usize);
        claims
    }
}
