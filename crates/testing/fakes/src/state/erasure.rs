//! What the store has of `erasure`.

use super::State;
use super::people::Mark;
use chrono::{DateTime, Months, NaiveDate, Utc};
use kernel::{EntrantId, Phone, ReferralCode};
use pricing::{CapSource, MonthEntries};
use raffle::{Entries, Recalled};
use std::collections::{BTreeMap, HashMap};

/// Erased entrants, and what is kept of their numbers.
#[derive(Clone, Default)]
pub(crate) struct ErasureState {
    pub(crate) tombstones: BTreeMap<EntrantId, Tombstone>,
    /// By the number itself, which PostgreSQL has only a keyed hash of.
    pub(crate) kept: HashMap<Phone, Kept>,
    /// What entrants inherited of the caps of months.
    pub(crate) inherited: BTreeMap<(EntrantId, NaiveDate), i64>,
}

#[derive(Clone)]
pub(crate) struct Tombstone {
    pub(crate) code: ReferralCode,
    pub(crate) entries: Entries,
}

#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) opted_out_at: Option<DateTime<Utc>>,
    pub(crate) recalled: Recalled,
    /// The mark as a duplicate, if there was one.
    pub(crate) mark: Option<Mark>,
    pub(crate) counts: BTreeMap<NaiveDate, u32>,
    /// The entries that count toward the cap of each month, by its first day.
    pub(crate) entries: BTreeMap<NaiveDate, i64>,
    pub(crate) expires_at: DateTime<Utc>,
}

impl ErasureState {
    pub(crate) fn is_erased(&self, id: EntrantId) -> bool {
        self.tombstones.contains_key(&id)
    }

    /// Whether something is kept of this number.
    pub(crate) fn keeps(&self, phone: &Phone) -> bool {
        self.kept.contains_key(phone)
    }

    pub(crate) fn has_code(&self, code: &ReferralCode) -> bool {
        self.tombstones.values().any(|tombstone| tombstone.code == *code)
    }

    /// The counters of an erased entrant, whose ledger goes on.
    pub(crate) fn entries_mut(&mut self, id: EntrantId) -> Option<&mut Entries> {
        self.tombstones
            .get_mut(&id)
            .map(|tombstone| &mut tombstone.entries)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (EntrantId, Entries)> {
        self.tombstones
            .iter()
            .map(|(id, tombstone)| (*id, tombstone.entries))
    }

    /// The entries of an erased person that count toward the caps of an entrant.
    pub(crate) fn inherited(&self, entrant: EntrantId) -> impl Iterator<Item = MonthEntries> {
        let of_entrant = self.inherited.iter().filter(move |((of, _), _)| *of == entrant);
        of_entrant.map(|((_, month), entries)| MonthEntries {
            month: *month,
            source: CapSource::Inherited,
            entries: *entries,
        })
    }

    pub(crate) fn stop_of(&self, phone: &Phone) -> Option<DateTime<Utc>> {
        self.kept.get(phone)?.opted_out_at
    }
}

impl State {
    /// The counters of an entrant, erased or not.
    pub(crate) fn counters_mut(&mut self, id: EntrantId) -> Option<&mut Entries> {
        let known = self.entrants.iter_mut().find(|entrant| entrant.id == id);
        match known {
            Some(entrant) => Some(&mut entrant.entries),
            None => self.erasure.entries_mut(id),
        }
    }

    /// Gives a number its STOP back. A START or STOP that came after the erasure wins.
    pub(crate) fn recall_stop(&mut self, phone: &Phone) {
        if let Some(at) = self.erasure.stop_of(phone) {
            self.sms.recall_stop(phone, at);
        }
    }

    pub(crate) fn recall(&mut self, entrant: EntrantId, phone: &Phone, now: DateTime<Utc>) -> Recalled {
        self.recall_stop(phone);
        let kept = self.erasure.kept.get(phone).filter(|kept| kept.expires_at > now);
        let Some(kept) = kept.cloned() else {
            return Recalled::default();
        };
        self.sms.recall_counts(phone, &kept.counts);
        for (month, entries) in kept.entries {
            self.erasure.inherited.insert((entrant, month), entries);
        }
        self.people.noted.entry(entrant).or_default().mark = kept.mark.map(|mark| Mark { at: now, ..mark });
        kept.recalled
    }

    pub(crate) fn keep(&mut self, entrant: EntrantId, phone: &Phone, at: DateTime<Utc>) {
        let earlier = self.erasure.kept.get(phone).filter(|kept| kept.expires_at > at);
        let credited_before = earlier.is_some_and(|kept| kept.recalled.was_credited);
        let is_credited = self.referrals.iter().any(|(_, friend, _)| *friend == entrant);
        let used = MonthEntries::used_by_month(self.month_entries(entrant));
        let kept = Kept {
            opted_out_at: self.sms.opted_out_at(phone),
            recalled: Recalled {
                was_credited: is_credited || credited_before,
                was_flagged: self.fraud.flags.contains_key(&entrant),
            },
            mark: self.people.mark_of(entrant).map(|mark| Mark {
                reason: "This number was marked as a duplicate before its data was erased".to_owned(),
                ..mark.clone()
            }),
            counts: self.sms.counts_of(phone),
            entries: used
                .into_iter()
                .map(|(month, used)| (month, used.all()))
                .collect(),
            expires_at: at + Months::new(13),
        };
        self.erasure.kept.insert(phone.clone(), kept);
    }

    pub(crate) fn erase(&mut self, entrant: EntrantId, at: DateTime<Utc>) {
        let Some(place) = self.entrants.iter().position(|known| known.id == entrant) else {
            return;
        };
        let person = self.entrants.remove(place);
        self.keep(entrant, &person.phone, at);
        self.addresses.retain(|(of, _)| *of != entrant);
        self.user_agents.remove(&entrant);
        self.people.erase(person.clone(), at);
        self.fingerprints.remove(&entrant);
        let friends = self
            .referrals
            .iter_mut()
            .filter(|(_, friend, _)| *friend == entrant);
        friends.for_each(|(.., referral)| referral.referred_phone = None);
        self.erase_consent_origins(entrant);
        self.sms.erase(entrant, &person.phone);
        self.drawing.steps.erase(entrant);
        self.claims.erase(entrant, at);
        let claims = self.claims.ids_of(entrant);
        self.staff.erase_notes_to(&claims);
        self.analytics.erase(entrant);
        self.fraud.erase(entrant);
        self.codes.erase(entrant, &person.phone);
        self.requests.erase(entrant);
        self.push.erase(entrant);
        let tombstone = Tombstone {
            code: person.referral_code,
            entries: person.entries,
        };
        self.erasure.tombstones.insert(entrant, tombstone);
    }
}
