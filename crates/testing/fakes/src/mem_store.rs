use crate::state::{State, next_id, storable};
use chrono::{DateTime, Utc};
use drawing::Period;
use drawing::rules::Rules;
use kernel::{
    EntrantId, PageRequest, PersonSalt, PersonTag, Phone, ReferralCode, StoreError, UniqueKey, UnitOfWork,
    WriteProbe,
};
use push::Endpoint;
use raffle::{
    BrowserStanding, BrowserToken, Content, Entrant, Entrants, Entries, EntryLedger, LedgerCheckpoint,
    LedgerRow, NewEntrant, RaffleKey, RaffleMove, Recalled, SignOut,
};
use referral::{Credit, FriendCounts, NewReferral, Referral, Referrals, reward_for};
use sms::{ConsentId, Consents, Message, NewConsent, StoredConsent, restored_by_start, revoked_by_stop};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tombola's data in memory. Transactions run one at a time; clones share the data.
#[derive(Clone, Default)]
pub struct MemStore {
    committed: Arc<Mutex<MemTx>>,
    next_failure: Arc<Mutex<Option<StoreError>>>,
}

/// An open transaction: a copy of the data that replaces the data on commit. Reads use the data directly.
#[derive(Default)]
pub struct MemTx(pub(crate) State);

impl MemStore {
    /// A store with nothing but official rules, which every announcement of a drawing names.
    pub fn with_rules() -> Self {
        let store = Self::default();
        let long_ago = Period::new(2000, 1);
        let rules = long_ago.and_then(|month| Rules::after(None, "Be fair.", month, DateTime::UNIX_EPOCH));
        let numbered = rules.map(|rules| (rules.head.stamp.version, rules));
        lock(&store.committed).0.drawing.rules.extend(numbered);
        store
    }

    /// Makes the next unit of work fail with this error before it begins.
    pub fn fail_next(&self, error: StoreError) {
        *lock(&self.next_failure) = Some(error);
    }

    /// Stops the store's clock at this time, which ledger rows and flags get from now on.
    pub fn set_time(&self, time: DateTime<Utc>) {
        lock(&self.committed).0.clock.set(time);
    }

    /// Changes what the newest version of a raffle says.
    pub fn change_content(&self, raffle: RaffleKey, change: impl FnOnce(&mut Content)) {
        let versions = &mut lock(&self.committed).0.raffles.versions;
        let of_raffle = versions.iter_mut().filter(|version| version.raffle == raffle);
        if let Some(newest) = of_raffle.max_by_key(|version| version.number) {
            change(&mut newest.content);
        }
    }

    /// An entrant's rows of the ledger, oldest first.
    pub fn ledger_of(&self, id: EntrantId) -> Vec<LedgerRow> {
        lock(&self.committed).0.rows_of(id).collect()
    }

    /// The texts to an entrant, oldest first.
    pub fn messages_to(&self, entrant: EntrantId) -> Vec<Message> {
        lock(&self.committed).0.sms.messages_to(entrant)
    }

    /// The active push subscriptions of an entrant, oldest first.
    pub fn endpoints_of(&self, entrant: EntrantId) -> Vec<Endpoint> {
        lock(&self.committed).0.push.endpoints_of(entrant)
    }

    /// The number of entrants.
    pub fn count_entrants(&self) -> usize {
        lock(&self.committed).0.entrants.len()
    }

    fn write<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut MemTx) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut committed = self.begin()?;
        let mut tx = MemTx(committed.0.clone());
        let value = work(&mut tx)?;
        let now = tx.0.clock.now();
        tx.0.drawing.steps.commit(now)?;
        *committed = tx;
        Ok(value)
    }

    fn run_read<T, E: From<StoreError>>(&self, mut work: impl FnMut(&MemTx) -> Result<T, E>) -> Result<T, E> {
        work(&*self.begin()?)
    }

    fn begin(&self) -> Result<MutexGuard<'_, MemTx>, StoreError> {
        match lock(&self.next_failure).take() {
            Some(error) => Err(error),
            None => Ok(lock(&self.committed)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl UnitOfWork for MemStore {
    type Tx = MemTx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut MemTx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write(work)
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut MemTx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.write(work)
    }

    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&MemTx) -> Result<T, E>) -> Result<T, E> {
        self.run_read(work)
    }

    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&MemTx) -> Result<T, E>) -> Result<T, E> {
        self.run_read(work)
    }
}

impl WriteProbe for MemTx {
    fn probe_write(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

impl MemTx {
    /// `first`: the ledger row of their first entry.
    pub(crate) fn add_with(
        &mut self,
        new: &NewEntrant,
        first: LedgerRow,
    ) -> Result<Option<EntrantId>, StoreError> {
        storable(new.origin.user_agent.as_deref())?;
        storable(new.fingerprint.as_deref())?;
        if self.0.entrants.iter().any(|entrant| entrant.phone == new.phone) {
            return Ok(None);
        }
        if self
            .0
            .entrants
            .iter()
            .any(|entrant| entrant.referral_code == new.referral_code)
            || self.0.erasure.has_code(&new.referral_code)
        {
            return Err(StoreError::Duplicate(UniqueKey::ReferralCode));
        }
        let id = new.id;
        if self.0.entrants.iter().any(|entrant| entrant.id == id) || self.0.erasure.is_erased(id) {
            return Err(StoreError::Duplicate(UniqueKey::EntrantId));
        }
        self.0.entrants.push(Entrant {
            id,
            phone: new.phone.clone(),
            referral_code: new.referral_code.clone(),
            raffle: new.raffle,
            entries: Entries::default(),
            created_at: new.created_at,
        });
        self.0.addresses.push((id, new.origin.address));
        if let Some(user_agent) = &new.origin.user_agent {
            self.0.user_agents.insert(id, user_agent.clone());
        }
        if let Some(fingerprint) = &new.fingerprint {
            self.0.fingerprints.insert(id, fingerprint.clone());
        }
        self.0.persons.insert(id, (new.person_salt, new.person_tag()));
        self.0.post(id, first);
        Ok(Some(id))
    }
}

impl Entrants for MemTx {
    fn add_entrant(&mut self, new: &NewEntrant) -> Result<Option<EntrantId>, StoreError> {
        self.add_with(new, LedgerRow::base(new.id))
    }

    fn recall_number(
        &mut self,
        id: EntrantId,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Recalled, StoreError> {
        Ok(self.0.recall(id, phone, now))
    }

    fn flag_again(&mut self, id: EntrantId) -> Result<(), StoreError> {
        self.flag_recalled(id);
        Ok(())
    }

    fn find_entrant(&self, id: EntrantId) -> Result<Option<Entrant>, StoreError> {
        Ok(self.0.entrants.iter().find(|entrant| entrant.id == id).cloned())
    }

    fn find_entrant_by_phone(&self, phone: &Phone) -> Result<Option<Entrant>, StoreError> {
        Ok(self
            .0
            .entrants
            .iter()
            .find(|entrant| entrant.phone == *phone)
            .cloned())
    }

    fn find_person(&self, id: EntrantId) -> Result<Option<(Option<PersonSalt>, PersonTag)>, StoreError> {
        let is_erased = self.0.erasure.is_erased(id);
        let person = self.0.persons.get(&id);
        Ok(person.map(|(salt, tag)| ((!is_erased).then_some(*salt), *tag)))
    }

    fn browser_standing(&self, token: &BrowserToken) -> Result<BrowserStanding, StoreError> {
        let is_erased = self.0.erasure.is_erased(token.entrant);
        if !is_erased && self.0.entrant(token.entrant).is_none() {
            return Ok(BrowserStanding::Unknown);
        }
        let sign_out = self.0.sign_outs.get(&token.entrant).copied();
        Ok(BrowserStanding::of(token, is_erased, sign_out))
    }

    fn sign_out_others(&mut self, token: &BrowserToken, at: DateTime<Utc>) -> Result<(), StoreError> {
        let kept = token.hash;
        self.0.sign_outs.insert(token.entrant, SignOut { at, kept });
        Ok(())
    }

    fn move_entrant(&mut self, id: EntrantId, from: RaffleKey, to: RaffleKey) -> Result<bool, StoreError> {
        let Some(before) = self.0.entrant(id).filter(|entrant| entrant.raffle == from) else {
            return Ok(false);
        };
        let (entries, free) = (before.entries, self.free_entries_of(id)?);
        let (at, number) = (self.0.clock.now(), next_id(self.0.move_count(id)));
        for row in entries.moved_out(free, number).chain([LedgerRow::base(id)]) {
            self.0.post_at(id, row, at);
        }
        self.0.moves.push((id, RaffleMove { from, to, at }));
        for entrant in self.0.entrants.iter_mut().filter(|entrant| entrant.id == id) {
            entrant.raffle = to;
        }
        Ok(true)
    }

    fn moves_of(&self, id: EntrantId) -> Result<Vec<RaffleMove>, StoreError> {
        Ok(self.0.moves_of(id).copied().collect())
    }

    fn has_entrants(&self) -> Result<bool, StoreError> {
        Ok(!self.0.entrants.is_empty())
    }
}

impl EntryLedger for MemTx {
    fn ledger_checkpoint(&self, before: DateTime<Utc>) -> Result<LedgerCheckpoint, StoreError> {
        let mut checkpoint = LedgerCheckpoint::default();
        for posted in self.0.ledger.iter().filter(|posted| posted.at < before) {
            checkpoint.rows += 1;
            checkpoint.sum += posted.row.delta;
        }
        Ok(checkpoint)
    }

    fn entries_since(&self, entrant: EntrantId, after: DateTime<Utc>) -> Result<i64, StoreError> {
        let own = self.0.ledger.iter().filter(|posted| posted.of == entrant);
        let rows = own.filter(|posted| posted.at > after).map(|posted| posted.row);
        Ok(Entries::of(rows).in_drawings())
    }

    fn free_entries_of(&self, entrant: EntrantId) -> Result<i64, StoreError> {
        let free = self
            .0
            .rows_of(entrant)
            .filter(|row| row.kind.is_of_free_entries());
        Ok(free.map(|row| row.delta).sum())
    }

    fn unbalanced_entrants(&self) -> Result<Vec<EntrantId>, StoreError> {
        let entrants = self
            .0
            .entrants
            .iter()
            .map(|entrant| (entrant.id, entrant.entries));
        let all = entrants.chain(self.0.erasure.entries());
        let unbalanced = all.filter(|(id, entries)| Entries::of(self.0.rows_of(*id)) != *entries);
        Ok(unbalanced.map(|(id, _)| id).collect())
    }
}

impl Referrals for MemTx {
    fn find_referrer(&self, code: &ReferralCode) -> Result<Option<EntrantId>, StoreError> {
        Ok(self
            .0
            .entrants
            .iter()
            .find(|entrant| entrant.referral_code == *code)
            .map(|entrant| entrant.id))
    }

    fn credit_referral(&mut self, new: &NewReferral) -> Result<bool, StoreError> {
        let mut friends = self.0.referrals.iter().map(|(_, friend, _)| *friend);
        if friends.any(|friend| friend == new.referred) {
            return Ok(false);
        }
        let id = next_id(self.0.referrals.len());
        let referral = Referral {
            id,
            referred_phone: Some(new.referred_phone.clone()),
            created_at: new.created_at,
        };
        self.0.referrals.push((new.referrer, new.referred, referral));
        let credit = Credit::new(new.referrer, new.referred);
        let moves = self.0.move_count(new.referrer);
        self.0.credits.insert(new.referred, (credit, moves));
        self.0.post(new.referrer, reward_for(new.referred));
        Ok(true)
    }

    fn count_referrals(&self, referrer: EntrantId) -> Result<FriendCounts, StoreError> {
        let mut counts = FriendCounts::default();
        for (_, friend, _) in self.0.referrals.iter().filter(|(by, ..)| *by == referrer) {
            counts.all += 1;
            counts.on_hold += i64::from(
                self.0
                    .credits
                    .get(friend)
                    .is_some_and(|(credit, _)| credit.is_reversed),
            );
        }
        Ok(counts)
    }

    fn list_referrals(&self, referrer: EntrantId, page: PageRequest) -> Result<Vec<Referral>, StoreError> {
        let newest_first = self.0.referrals.iter().rev().filter(|(by, ..)| *by == referrer);
        let part = newest_first.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.map(|(.., referral)| referral.clone()).collect())
    }
}

impl Consents for MemTx {
    fn record_consent(&mut self, new: &NewConsent) -> Result<(), StoreError> {
        storable(new.user_agent.as_deref())?;
        let consents = &mut self.0.consents;
        consents.push(StoredConsent {
            id: ConsentId::new(next_id(consents.len())),
            entrant: new.entrant,
            consent: new.consent,
            wording: new.wording.version.to_owned(),
            address: new.address,
            at: new.at,
            revoked_at: None,
        });
        Ok(())
    }

    fn find_consent(&self, id: ConsentId) -> Result<Option<StoredConsent>, StoreError> {
        let mut consents = self.0.consents.iter();
        Ok(consents.find(|consent| consent.id == id).cloned())
    }

    fn has_campaign_consent(&self, entrant: EntrantId) -> Result<bool, StoreError> {
        Ok(self.0.campaign_consent(entrant).is_some())
    }

    fn revoke_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        let Some((entrant, _)) = self.0.entrant_at(phone) else {
            return Ok(());
        };
        let of_entrant = self.0.consents.iter().filter(|row| row.entrant == entrant);
        let revoked = revoked_by_stop(of_entrant.map(StoredConsent::answer));
        for row in &mut self.0.consents {
            if revoked.contains(&row.id) {
                row.revoked_at = Some(at);
            }
        }
        Ok(())
    }

    fn restore_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        let newest = self
            .0
            .entrant_at(phone)
            .and_then(|(id, _)| self.0.newest_consent(id));
        let restored = newest.and_then(|row| Some((row.clone(), restored_by_start(row.answer())?)));
        let Some((earlier, consent)) = restored else {
            return Ok(());
        };
        let id = ConsentId::new(next_id(self.0.consents.len()));
        self.0.consents.push(StoredConsent {
            id,
            consent,
            address: None,
            at,
            revoked_at: None,
            ..earlier
        });
        Ok(())
    }
}
