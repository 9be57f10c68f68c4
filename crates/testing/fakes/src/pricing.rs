use crate::mem_store::MemTx;
use crate::state::pricing::StoredPurchase;
use crate::state::{next_id, storable};
use chrono::{DateTime, Datelike, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, PageRequest, StoreError};
use pricing::{
    BeginOutcome, CapDate, CapUse, CompleteOutcome, CustomerId, FreeDate, FreeEntries, FreeOutcome, IntentId,
    ListedPurchase, NewPackage, NewPurchase, Package, PackageId, Packages, PricingSettings, ProviderEvents,
    Purchase, PurchaseFilter, PurchaseId, PurchaseList, PurchaseSearch, PurchaseState, PurchaseStatus,
    Purchases, Reversal, Reversals, Sold, SoldLine, next_check,
};
use raffle::EntryKind;
use std::sync::atomic::Ordering;

impl MemTx {
    /// Takes back and holds the entries of a completed purchase as its reversals demand.
    fn apply_reversals(&mut self, id: PurchaseId) -> bool {
        let now = self.0.clock.now();
        let Some(buyer) = self.0.pricing.find(|purchase| purchase.id == id) else {
            return false;
        };
        let moves = self.0.move_count(buyer.sold.entrant);
        let pricing = &mut self.0.pricing;
        let mut purchases = pricing.purchases.iter_mut();
        let is_credited =
            |stored: &&mut StoredPurchase| stored.purchase.id == id && stored.reversed(moves).was_credited();
        let Some(stored) = purchases.find(is_credited) else {
            return false;
        };
        let intent = stored.purchase.intent.as_ref().map(IntentId::as_str);
        let Some(reversals) = intent.and_then(|intent| pricing.reversals.get(intent)) else {
            return false;
        };
        let sold = &stored.purchase.sold;
        stored.returned = reversals.returned(sold.price);
        let effect = reversals.effect(sold.price, sold.entries);
        let known = self.0.entrants.iter().map(|found| (found.id, found.entries));
        let all = known.chain(self.0.erasure.entries());
        let buyer = all.filter(|(id, _)| *id == sold.entrant);
        let (paid, held) = buyer.fold((0, 0), |_, (_, entries)| (entries.paid, entries.held));
        let Some(change) = effect.change(&stored.reversed(moves), paid, held) else {
            return false;
        };
        stored.taken += change.taken;
        stored.held += change.held;
        stored.steps += 1;
        stored.purchase.status = change.status;
        stored.refunded_at = effect.is_all_taken.then_some(now);
        let entrant = sold.entrant;
        change.rows(id).for_each(|row| self.0.post(entrant, row));
        true
    }
}

impl MemTx {
    /// Whether a purchase can still be credited. That of an erased person cannot: the money goes back.
    fn fits(&self, stored: &StoredPurchase) -> bool {
        let (sold, day) = (&stored.purchase.sold, stored.day);
        let used = day.used(self.0.month_entries(sold.entrant));
        !self.0.erasure.is_erased(sold.entrant) && day.has_room(used, sold.entries)
    }
}

impl FreeEntries for MemTx {
    fn give_free_entries(&mut self, entrant: EntrantId, date: FreeDate) -> Result<FreeOutcome, StoreError> {
        if !self.0.entrants.iter().any(|known| known.id == entrant) {
            return Ok(FreeOutcome::UnknownEntrant);
        }
        let is_claimed = self.has_claimed_free(entrant, date.day())?;
        let outcome = date.when_claimed(
            self.0.fraud.flags.contains_key(&entrant),
            is_claimed,
            self.capped_entries(entrant, date.day())?,
        );
        let FreeOutcome::Given(entries) = outcome else {
            return Ok(outcome);
        };
        self.0.post(entrant, date.day().free_row(entries));
        Ok(outcome)
    }

    fn capped_entries(&self, entrant: EntrantId, day: CapDate) -> Result<CapUse, StoreError> {
        Ok(day.used(self.0.month_entries(entrant)))
    }

    fn has_claimed_free(&self, entrant: EntrantId, day: CapDate) -> Result<bool, StoreError> {
        let mut rows = self.0.rows_of(entrant);
        Ok(rows.any(|row| row.kind == EntryKind::Free && row.cause == day.cause()))
    }
}

impl Packages for MemTx {
    fn add_package(&mut self, offer: &NewPackage, at: DateTime<Utc>) -> Result<PackageId, StoreError> {
        storable([offer.name.as_str(), offer.description.as_str()])?;
        let pricing = &mut self.0.pricing;
        let last = pricing.last_package.fetch_add(1, Ordering::Relaxed);
        let id = PackageId::new(last + 1);
        pricing.packages.push(Package {
            id,
            offer: offer.clone(),
            created_at: at,
        });
        Ok(id)
    }

    fn change_package(&mut self, id: PackageId, offer: &NewPackage) -> Result<bool, StoreError> {
        storable([offer.name.as_str(), offer.description.as_str()])?;
        let mut packages = self.0.pricing.packages.iter_mut();
        let package = packages.find(|package| package.id == id);
        Ok(package.map(|package| package.offer = offer.clone()).is_some())
    }

    fn delete_package(&mut self, id: PackageId) -> Result<bool, StoreError> {
        let packages = &mut self.0.pricing.packages;
        let before = packages.len();
        packages.retain(|package| package.id != id);
        Ok(packages.len() < before)
    }

    fn find_package(&self, id: PackageId) -> Result<Option<Package>, StoreError> {
        let mut packages = self.0.pricing.packages.iter();
        Ok(packages.find(|package| package.id == id).cloned())
    }

    fn list_packages(&self, only_active: bool, page: PageRequest) -> Result<Vec<Package>, StoreError> {
        let packages = self.0.pricing.packages.iter();
        let listed = packages.filter(|package| package.offer.is_active || !only_active);
        let mut listed: Vec<_> = listed.cloned().collect();
        listed.sort_by_key(|package| (package.offer.sort_order, package.id));
        let part = listed.into_iter().skip(page.offset as usize);
        Ok(part.take(page.limit as usize).collect())
    }

    fn count_packages(&self) -> Result<i64, StoreError> {
        Ok(i64::try_from(self.0.pricing.packages.len()).unwrap_or(i64::MAX))
    }
}

impl PricingSettings for MemTx {
    fn show_pricing(&self) -> Result<bool, StoreError> {
        Ok(self.0.pricing.show_pricing)
    }

    fn set_show_pricing(&mut self, show: bool, _: DateTime<Utc>) -> Result<(), StoreError> {
        self.0.pricing.show_pricing = show;
        Ok(())
    }
}

impl Purchases for MemTx {
    fn begin_purchase(
        &mut self,
        new: &NewPurchase,
        most_open: u32,
        day: CapDate,
    ) -> Result<BeginOutcome, StoreError> {
        let Some(raffle) = self.0.entrant(new.entrant).map(|buyer| buyer.raffle) else {
            return Ok(BeginOutcome::UnknownEntrant);
        };
        let is_flagged = self.0.fraud.flags.contains_key(&new.entrant);
        let used = self.capped_entries(new.entrant, day)?;
        let open = self.open_purchases(new.entrant)?;
        let open = open.iter().map(|purchase| purchase.sold.at);
        if let Some(refusal) = new.refusal(is_flagged, day, used, open, most_open) {
            return Ok(refusal);
        }
        let moves = self.0.move_count(new.entrant);
        let purchases = &mut self.0.pricing.purchases;
        let id = PurchaseId::new(next_id(purchases.len()));
        let purchase = Purchase {
            id,
            sold: new.clone(),
            intent: None,
            status: PurchaseStatus::Pending,
        };
        purchases.push(StoredPurchase {
            purchase,
            raffle,
            returned: 0,
            day,
            moves,
            taken: 0,
            held: 0,
            steps: 0,
            completed_at: None,
            refunded_at: None,
            checks: 0,
            next_check: next_check(new.at, 0, new.at),
        });
        Ok(BeginOutcome::Begun(id))
    }

    fn open_purchases(&self, entrant: EntrantId) -> Result<Vec<Purchase>, StoreError> {
        let own = self.0.pricing.of(entrant).map(|stored| &stored.purchase);
        Ok(own
            .filter(|purchase| purchase.status.is_open())
            .cloned()
            .collect())
    }

    fn paid_purchases(&self, entrant: EntrantId, limit: u32) -> Result<Vec<Purchase>, StoreError> {
        let own = self.0.pricing.of(entrant).rev();
        Ok(own
            .map(|stored| &stored.purchase)
            .filter(|purchase| purchase.status.is_paid())
            .take(limit as usize)
            .cloned()
            .collect())
    }

    fn find_customer(&self, entrant: EntrantId) -> Result<Option<CustomerId>, StoreError> {
        Ok(self.0.pricing.customers.get(&entrant).cloned())
    }

    fn record_customer(
        &mut self,
        entrant: EntrantId,
        customer: &CustomerId,
    ) -> Result<Option<CustomerId>, StoreError> {
        if !self.0.entrants.iter().any(|known| known.id == entrant) {
            return Ok(None);
        }
        let customers = &mut self.0.pricing.customers;
        let known = customers.entry(entrant).or_insert_with(|| customer.clone());
        Ok(Some(known.clone()))
    }

    fn record_intent_id(&mut self, id: PurchaseId, intent: &IntentId) -> Result<(), StoreError> {
        let purchases = self.0.pricing.purchases.iter_mut();
        for stored in purchases.filter(|stored| stored.purchase.id == id) {
            stored.purchase.intent.get_or_insert_with(|| intent.clone());
        }
        Ok(())
    }

    fn find_purchase(&self, id: PurchaseId) -> Result<Option<Purchase>, StoreError> {
        Ok(self.0.pricing.find(|purchase| purchase.id == id))
    }

    fn find_purchase_by_intent(&self, intent: &IntentId) -> Result<Option<Purchase>, StoreError> {
        Ok(self
            .0
            .pricing
            .find(|purchase| purchase.intent.as_ref() == Some(intent)))
    }

    fn complete_purchase(
        &mut self,
        id: PurchaseId,
        at: DateTime<Utc>,
    ) -> Result<CompleteOutcome, StoreError> {
        let mut purchases = self.0.pricing.purchases.iter();
        let Some(stored) = purchases.find(|stored| stored.purchase.id == id) else {
            return Ok(CompleteOutcome::Unchanged);
        };
        let (status, sold) = (stored.purchase.status, stored.purchase.sold.clone());
        let has_moved = stored.moves < self.0.move_count(sold.entrant);
        let outcome = status.when_paid(has_moved, || Ok::<_, StoreError>(self.fits(stored)))?;
        match outcome {
            CompleteOutcome::Unchanged => {}
            CompleteOutcome::OverCap | CompleteOutcome::Moved => drop(self.refuse_purchase(id, at)?),
            CompleteOutcome::Credited => {
                self.0.pricing.change(id, |stored| {
                    stored.purchase.status = PurchaseStatus::Completed;
                    stored.completed_at = Some(at);
                });
                self.0.post(sold.entrant, id.credit(sold.entries));
                self.apply_reversals(id);
            }
        }
        Ok(outcome)
    }

    fn refuse_purchase(&mut self, id: PurchaseId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let pricing = &mut self.0.pricing;
        let is_refused = pricing.set_status(id, PurchaseStatus::may_be_refused, PurchaseStatus::Refunding);
        if is_refused {
            pricing.change(id, |stored| {
                stored.next_check = at;
                stored.completed_at = Some(at);
                stored.returned = stored.purchase.sold.price.cents();
            });
        }
        Ok(is_refused)
    }

    fn end_refund(&mut self, id: PurchaseId, _: DateTime<Utc>) -> Result<bool, StoreError> {
        let is_due = |status| status == PurchaseStatus::Refunding;
        Ok(self.0.pricing.set_status(id, is_due, PurchaseStatus::Refunded))
    }

    fn reverse_purchase(
        &mut self,
        intent: &IntentId,
        reversal: &Reversal,
        _: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let pricing = &mut self.0.pricing;
        let known = pricing.reversals.entry(intent.as_str().to_owned()).or_default();
        known.record(reversal);
        let purchase = pricing.find(|purchase| purchase.intent.as_ref() == Some(intent));
        Ok(purchase.is_some_and(|purchase| self.apply_reversals(purchase.id)))
    }

    fn has_open_dispute(
        &self,
        entrant: EntrantId,
        credited_before: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let pricing = &self.0.pricing;
        let is_counted = |id: PurchaseId| {
            self.0.ledger.iter().any(|posted| {
                let row = posted.row;
                let is_its = posted.of == entrant && row.kind == EntryKind::Purchase && row.cause == id.get();
                is_its && posted.at < credited_before
            })
        };
        let is_disputed = |purchase: &Purchase| {
            let intent = purchase.intent.as_ref().map(IntentId::as_str);
            let reversals = intent.and_then(|intent| pricing.reversals.get(intent));
            reversals.is_some_and(Reversals::has_open_dispute)
        };
        let mut own = pricing.of(entrant).map(|stored| &stored.purchase);
        Ok(own.any(|purchase| is_counted(purchase.id) && is_disputed(purchase)))
    }

    fn end_purchase(
        &mut self,
        id: PurchaseId,
        status: PurchaseStatus,
        _: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let may_end = |before: PurchaseStatus| before.may_end_as(status);
        Ok(self.0.pricing.set_status(id, may_end, status))
    }

    fn claim_open_purchases(&mut self, limit: u32, now: DateTime<Utc>) -> Result<Vec<Purchase>, StoreError> {
        let purchases = self.0.pricing.purchases.iter_mut();
        let due = purchases.filter(|stored| stored.purchase.status.is_checked() && stored.next_check <= now);
        let mut due: Vec<_> = due.collect();
        due.sort_by_key(|stored| (stored.next_check, stored.purchase.id));
        let taken = due.into_iter().take(limit as usize).map(|stored| {
            stored.checks += 1;
            stored.next_check = next_check(stored.purchase.sold.at, stored.checks, now);
            stored.purchase.clone()
        });
        Ok(taken.collect())
    }

    fn recheck_open_purchases(&mut self, now: DateTime<Utc>) -> Result<(), StoreError> {
        for stored in &mut self.0.pricing.purchases {
            if stored.purchase.status.is_open() && stored.purchase.sold.at <= now {
                stored.next_check = stored.next_check.min(now);
            }
        }
        Ok(())
    }
}

impl MemTx {
    fn listed(&self, stored: &StoredPurchase) -> ListedPurchase {
        let Purchase {
            id,
            sold,
            intent,
            status,
        } = stored.purchase.clone();
        let reversals = intent
            .as_ref()
            .and_then(|intent| self.0.pricing.reversals.get(intent.as_str()));
        let is_disputed = reversals.is_some_and(Reversals::is_disputed);
        ListedPurchase {
            id,
            entrant: sold.entrant,
            phone: self.0.entrant(sold.entrant).map(|buyer| buyer.phone.clone()),
            raffle: stored.raffle,
            package: sold.package,
            entries: sold.entries,
            price: sold.price,
            returned: stored.returned,
            state: PurchaseState::of(status, stored.returned, is_disputed),
            intent,
            begun_at: sold.at,
            paid_at: stored.completed_at,
        }
    }

    /// The purchases that a filter lets through, the newest first.
    fn matching<'a>(&'a self, filter: &'a PurchaseFilter) -> impl Iterator<Item = ListedPurchase> + 'a {
        let newest_first = self.0.pricing.purchases.iter().rev();
        newest_first.map(|stored| self.listed(stored)).filter(|listed| {
            let is_found = match &filter.search {
                None => true,
                Some(PurchaseSearch::Buyers(buyers)) => buyers.contains(&listed.entrant),
                Some(PurchaseSearch::Payment(intent)) => listed.intent.as_ref() == Some(intent),
            };
            is_found
                && filter.state.is_none_or(|state| state == listed.state)
                && filter.raffle.is_none_or(|raffle| raffle == listed.raffle)
                && is_within(listed.paid_at, filter.paid_from, filter.paid_until)
                && filter.after.is_none_or(|after| listed.id < after)
        })
    }
}

fn is_within(
    paid_at: Option<DateTime<Utc>>,
    from: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
) -> bool {
    from.is_none_or(|from| paid_at.is_some_and(|at| at >= from))
        && until.is_none_or(|until| paid_at.is_some_and(|at| at < until))
}

impl PurchaseList for MemTx {
    fn list_purchases(
        &self,
        filter: &PurchaseFilter,
        page: PageRequest,
    ) -> Result<Vec<ListedPurchase>, StoreError> {
        let part = self.matching(filter).skip(page.offset as usize);
        Ok(part.take(page.limit as usize).collect())
    }

    fn count_purchases(&self, filter: &PurchaseFilter, most: u32) -> Result<i64, StoreError> {
        let counted = self.matching(filter).take(most as usize).count();
        Ok(i64::try_from(counted).unwrap_or(i64::MAX))
    }

    fn sold(
        &self,
        from: Option<DateTime<Utc>>,
        until: Option<DateTime<Utc>>,
        zone: Tz,
    ) -> Result<Vec<SoldLine>, StoreError> {
        let paid = self.0.pricing.purchases.iter().filter_map(|stored| {
            let day = stored.completed_at?.with_timezone(&zone).date_naive();
            is_within(stored.completed_at, from, until).then_some(SoldLine {
                month: day.with_day(1)?,
                raffle: stored.raffle,
                package: stored.purchase.sold.package,
                sold: Sold {
                    purchases: 1,
                    gross: stored.purchase.sold.price.cents(),
                    returned: stored.returned,
                },
            })
        });
        Ok(paid.collect())
    }
}

impl ProviderEvents for MemTx {
    fn record_event(&mut self, id: &str, at: DateTime<Utc>) -> Result<bool, StoreError> {
        storable([id])?;
        Ok(self.0.pricing.events.insert(id.to_owned(), at).is_none())
    }
}
