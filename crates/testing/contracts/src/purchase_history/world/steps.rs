//! The random steps of a history of purchases.

#![expect(clippy::panic, reason = "this is a test")]

use super::super::{Payable, offer, purchase};
use super::{TIMES, World};
use crate::Store;
use crate::support::Inline;
use fakes::{FakePayments, poll_once};
use kernel::{Clock, EntrantId, EventId, StoreError};
use pricing::{
    CapRules, DisputeId, DisputeStatus, EntryCap, Intent, IntentId, IntentStatus, NewPackage, PackageId,
    Packages, Payments, PurchaseStatus, Webhooks,
};
use std::sync::atomic::Ordering;
use usecases::purchases::{ConfirmCommand, ConfirmError, PurchaseCommand, PurchaseError};

fn confirm_command(payable: Payable) -> ConfirmCommand {
    ConfirmCommand {
        intent: payable.intent,
        entrant: payable.entrant,
        package: payable.package,
        session: None,
    }
}

/// A cap that no history reaches.
const PLENTY: CapRules = CapRules {
    cap: EntryCap::HIGHEST,
    ..CapRules::DEFAULT
};

impl<S: Store> World<S> {
    pub(super) fn buy(&mut self) {
        let entrant = self.entrants[self.dice.below(self.entrants.len())];
        let package = self.packages[self.dice.below(self.packages.len())];
        let known = self.plain.read(|tx| tx.find_package(package)).unwrap();
        let sold = known.unwrap().offer;
        let wrong = self.dice.below(10);
        let command = PurchaseCommand {
            entrant,
            package,
            amount: sold.price.cents() - i64::from(wrong == 0),
            entries: sold.entries.get() + i64::from(wrong == 1),
            session: None,
        };
        let begun = match usecases::purchases::begin_purchase(
            &self.store,
            self.clock.now(),
            PLENTY,
            EventId::random(&self.dice.0),
            &command,
        ) {
            Ok(begun) if wrong > 1 => begun,
            Err(PurchaseError::OfferMismatch { .. }) if wrong < 2 => {
                return self.count("a purchase with a wrong price");
            }
            Err(PurchaseError::RaffleClosed) if self.is_closed => return,
            Err(PurchaseError::Store(_) | PurchaseError::NotForSale | PurchaseError::TooManyOpen { .. }) => {
                return;
            }
            other => panic!("{wrong}: {other:?}"),
        };
        self.sold.insert(begun.intent.purchase, command.entries);
        self.begun_after
            .insert(begun.intent.purchase, self.moves(entrant));
        self.maybe_fail_next_call();
        let Ok(created) = poll_once(self.provider.create_intent(&begun.intent)) else {
            return;
        };
        // Without a response there is no client secret, so the payment cannot be made.
        if usecases::purchases::record_intent_id(&self.store, &begun, &created.id).is_ok() {
            self.payable.push(Payable {
                intent: created.id,
                entrant,
                package,
            });
            self.count("a purchase");
        }
    }

    /// Picks mostly one of the latest payments, so that most of them progress, and sometimes any.
    fn pick_payable(&self) -> Option<Payable> {
        let latest = self.payable.len().saturating_sub(12);
        let from = if self.dice.below(4) == 0 { 0 } else { latest };
        self.dice.one_of(self.payable.get(from..)?).cloned()
    }

    fn with_status(&self, wanted: fn(&Intent) -> bool) -> Option<IntentId> {
        let id = self.pick_payable()?.intent;
        let intents = self.provider.intents();
        intents
            .into_iter()
            .find(|intent| intent.id == id && wanted(intent))?;
        Some(id)
    }

    pub(super) fn pay(&mut self) {
        if let Some(id) = self.with_status(|intent| intent.status == IntentStatus::Open) {
            self.provider.succeed(&id);
            self.count("a payment");
        }
    }

    pub(super) fn decline_or_cancel(&mut self) {
        if let Some(id) = self.with_status(|intent| intent.status == IntentStatus::Open) {
            match self.dice.below(2) {
                0 => self.provider.decline(&id),
                _ => self.provider.cancel(&id),
            };
            self.count("a decline or a cancellation");
        }
    }

    pub(super) fn refund(&mut self) {
        let is_paid = |intent: &Intent| intent.status == IntentStatus::Succeeded && !intent.is_refunded();
        let Some(id) = self.with_status(is_paid) else {
            return;
        };
        match self.dice.below(2) {
            0 => self.provider.lose(&id),
            _ => self
                .provider
                .refund_part(&id, 1 + i64::try_from(self.dice.below(300)).unwrap()),
        };
        self.count("a refund");
    }

    /// Opens a dispute over a paid purchase, or closes the one it has.
    pub(super) fn dispute(&mut self) {
        let Some(intent) = self.with_status(|intent| intent.status == IntentStatus::Succeeded) else {
            return;
        };
        let intents = self.provider.intents();
        let Some(disputed) = intents.iter().rfind(|known| known.id == intent).map(purchase) else {
            return;
        };
        let next = match self.disputes.get(&disputed) {
            None => DisputeStatus::Open,
            Some((_, DisputeStatus::Open)) if self.dice.below(2) == 0 => DisputeStatus::Won,
            Some((_, DisputeStatus::Open)) => DisputeStatus::Lost,
            Some(_) => return,
        };
        let id = DisputeId::parse(&format!("du_{disputed}")).unwrap();
        self.provider.dispute(&intent, &id, next);
        self.disputes.insert(disputed, (id, next));
        self.count("a dispute");
    }

    pub(super) fn confirm(&mut self) {
        let Some(command) = self.pick_payable().map(confirm_command) else {
            return;
        };
        match self.try_to_confirm(&command) {
            Ok(()) => self.count("a confirmation"),
            Err(ConfirmError::RaffleEnded) if self.is_closed || self.moves(command.entrant) > 0 => {}
            Err(ConfirmError::NotPaid | ConfirmError::PaidTooLate | ConfirmError::Store(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    }

    /// Confirms as the HTTP route does.
    fn try_to_confirm(&mut self, command: &ConfirmCommand) -> Result<(), ConfirmError> {
        let purchase = usecases::purchases::purchase_to_confirm(&self.store, command)?;
        self.maybe_fail_next_call();
        let intent = match purchase.status {
            PurchaseStatus::Completed => None,
            _ => poll_once(self.provider.retrieve_intent(&command.intent)).unwrap_or(None),
        };
        usecases::purchases::confirm_purchase(
            &self.store,
            self.clock.now(),
            TIMES,
            command,
            &purchase,
            intent.as_ref(),
        )
    }

    pub(super) fn confirm_with_wrong_data(&mut self) {
        let Some(command) = self.pick_payable().map(confirm_command) else {
            return;
        };
        let wrong_entrant = self.dice.below(2) == 0;
        let command = ConfirmCommand {
            entrant: EntrantId::new(command.entrant.get() + i64::from(wrong_entrant)),
            package: PackageId::new(command.package.get() + i64::from(!wrong_entrant)),
            ..command
        };
        match (wrong_entrant, self.try_to_confirm(&command)) {
            (true, Err(ConfirmError::NotYours)) | (false, Err(ConfirmError::NotPaid)) => {
                self.count("a confirmation with wrong data");
            }
            (_, Err(ConfirmError::Store(_))) => {}
            (_, other) => panic!("{wrong_entrant}: {other:?}"),
        }
    }

    /// Delivers a random event: any of all events, so late, out of order, or repeatedly.
    pub(super) fn deliver(&mut self) {
        let events = self.provider.events();
        let latest = events.len().saturating_sub(12);
        let from = if self.dice.below(2) == 0 { 0 } else { latest };
        if let Some(body) = self.dice.one_of(&events[from..])
            && self.apply(body).is_ok()
        {
            self.count("an event");
        }
    }

    pub(super) fn apply(&self, body: &[u8]) -> Result<(), StoreError> {
        let event = self
            .provider
            .read_event(body, FakePayments::SIGNATURE, self.clock.now());
        usecases::purchases::apply_event(&self.store, &self.clock, TIMES, &event.unwrap())
    }

    pub(super) fn forge(&mut self) {
        let body = format!("evt_{}", self.dice.below(50));
        let read = self
            .provider
            .read_event(body.as_bytes(), "forged", self.clock.now());
        assert!(read.is_err());
        self.count("a forged event");
    }

    pub(super) fn reconcile(&mut self) {
        self.maybe_fail_next_call();
        let (store, clock, provider) = (&self.store, &self.clock, &self.provider);
        let reconciled = usecases::reconcile::reconcile(store, &Inline, clock, provider, TIMES, &Inline);
        if poll_once(reconciled).is_ok() {
            self.count("a reconciliation");
        }
    }

    pub(super) fn change_package(&mut self) {
        let package = self.packages[self.dice.below(self.packages.len())];
        let changed = NewPackage {
            is_active: self.dice.below(4) > 0,
            ..offer(1 + self.dice.below(50), 1 + self.dice.below(5_000))
        };
        self.plain
            .transaction(|tx| tx.change_package(package, &changed))
            .unwrap();
        self.count("a changed package");
    }

    /// Advances the clock by minutes, or sometimes by four days, after which open purchases are given up.
    pub(super) fn wait(&mut self) {
        let minutes = if self.dice.below(40) == 0 { 4 * 24 * 60 } else { 2 };
        self.clock.0.fetch_add(minutes, Ordering::Relaxed);
    }
}
