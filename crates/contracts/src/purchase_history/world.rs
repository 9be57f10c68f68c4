//! Entrants, a store and a provider, and what happens to them.

#![expect(clippy::panic, reason = "this is a test")]

use super::{Dice, ENTRANTS, Flaky, Moving, Payable, offer, purchase};
use crate::Store;
use crate::support::{Spread, assert_balanced, entered, noon};
use chrono::TimeDelta;
use fakes::FakePayments;
use kernel::{Clock, EntrantId, StoreError};
use pricing::{
    Intent, IntentId, IntentStatus, NewPackage, PackageId, Packages, Payments, PaymentsError,
    PricingSettings, PurchaseId, PurchaseStatus, Purchases, Webhooks,
};
use raffle::Entrants;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};
use usecases::purchases::{ConfirmCommand, ConfirmError, PurchaseCommand, PurchaseError};

pub(super) struct World<S> {
    plain: S,
    pub(super) store: Flaky<S>,
    bank: FakePayments,
    pub(super) provider_failures: u32,
    dice: Arc<Dice>,
    clock: Moving,
    entrants: Vec<EntrantId>,
    packages: Vec<PackageId>,
    payable: Vec<Payable>,
    /// How many entries each purchase is for.
    sold: BTreeMap<PurchaseId, i64>,
    pub(super) done: BTreeMap<&'static str, u32>,
}

/// The fake provider never waits, and neither does what waits for it alone.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

impl<S: Store> World<S> {
    pub(super) fn new(store: &S, seed: u64) -> Self {
        let dice = Arc::new(Dice(Spread::new(seed)));
        let packages = store.transaction::<_, StoreError>(|tx| {
            tx.set_show_pricing(true, noon())?;
            (1..4)
                .map(|n| tx.add_package(&offer(n * 7, n * 500), noon()))
                .collect()
        });
        Self {
            plain: store.clone(),
            store: Flaky {
                store: store.clone(),
                dice: dice.clone(),
                fails: Arc::new(AtomicBool::new(true)),
                failures: Arc::default(),
            },
            bank: FakePayments::default(),
            provider_failures: 0,
            dice,
            clock: Moving(AtomicI64::new(0)),
            entrants: (0..ENTRANTS).map(|n| entered(store, n).id).collect(),
            packages: packages.unwrap(),
            payable: Vec::new(),
            sold: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    pub(super) fn step(&mut self) {
        match self.dice.below(32) {
            0..6 => self.buy(),
            6..12 => self.pay(),
            12 => self.decline_or_cancel(),
            13 => self.pay_back(),
            14..20 => self.confirm(),
            20 => self.confirm_with_a_lie(),
            21..27 => self.deliver(),
            27 => self.forge(),
            28 => self.reconcile(),
            29 => self.change_what_is_sold(),
            _ => self.wait(),
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.done.entry(what).or_default() += 1;
    }

    /// Now and then the provider's next call fails, or succeeds without our hearing of it.
    fn trouble_the_provider(&mut self) {
        match self.dice.below(12) {
            0 => self
                .bank
                .fail_next(PaymentsError::Unavailable("the dice said so".into())),
            1 => self.bank.lose_next_answer(),
            _ => return,
        }
        self.provider_failures += 1;
    }

    fn buy(&mut self) {
        let entrant = self.entrants[self.dice.below(self.entrants.len())];
        let package = self.packages[self.dice.below(self.packages.len())];
        let known = self.plain.read(|tx| tx.find_package(package)).unwrap();
        let sold = known.unwrap().offer;
        let lie = self.dice.below(10);
        let command = PurchaseCommand {
            entrant,
            package,
            amount: sold.price.cents() - i64::from(lie == 0),
            entries: sold.entries.get() + i64::from(lie == 1),
            session: None,
        };
        let begun =
            match usecases::purchases::begin_purchase(&self.store, &self.clock, &self.dice.0, &command) {
                Ok(begun) if lie > 1 => begun,
                Err(PurchaseError::OfferMismatch { .. }) if lie < 2 => {
                    return self.count("a lie about the price");
                }
                Err(PurchaseError::Store(_) | PurchaseError::NotForSale) => return,
                other => panic!("{lie}: {other:?}"),
            };
        self.sold.insert(begun.intent.purchase, command.entries);
        self.trouble_the_provider();
        let Ok(created) = at_once(self.bank.create_intent(&begun.intent)) else {
            return;
        };
        // Whoever gets no answer gets no secret, and cannot pay.
        if usecases::purchases::record_intent_id(&self.store, &begun, &created.id).is_ok() {
            self.payable.push(Payable {
                intent: created.id,
                entrant,
                package,
            });
            self.count("a purchase");
        }
    }

    /// One of the latest, so that most go on, and now and then any.
    fn somebodys(&self) -> Option<Payable> {
        let latest = self.payable.len().saturating_sub(12);
        let from = if self.dice.below(4) == 0 { 0 } else { latest };
        self.dice.one_of(self.payable.get(from..)?).cloned()
    }

    fn with_status(&self, wanted: fn(&Intent) -> bool) -> Option<IntentId> {
        let id = self.somebodys()?.intent;
        let intents = self.bank.intents();
        intents
            .into_iter()
            .find(|intent| intent.id == id && wanted(intent))?;
        Some(id)
    }

    fn pay(&mut self) {
        if let Some(id) = self.with_status(|intent| intent.status == IntentStatus::Open) {
            self.bank.succeed(&id);
            self.count("a payment");
        }
    }

    fn decline_or_cancel(&mut self) {
        if let Some(id) = self.with_status(|intent| intent.status == IntentStatus::Open) {
            match self.dice.below(2) {
                0 => self.bank.decline(&id),
                _ => self.bank.cancel(&id),
            };
            self.count("a decline or an end");
        }
    }

    fn pay_back(&mut self) {
        let is_paid = |intent: &Intent| intent.status == IntentStatus::Succeeded && !intent.refunded;
        if let Some(id) = self.with_status(is_paid) {
            self.bank.lose(&id);
            self.count("a refund");
        }
    }

    fn confirm(&mut self) {
        let Some(Payable {
            intent,
            entrant,
            package,
        }) = self.somebodys()
        else {
            return;
        };
        let command = ConfirmCommand {
            intent,
            entrant,
            package,
            session: None,
        };
        match self.try_to_confirm(&command) {
            Ok(()) => self.count("a confirmation"),
            Err(ConfirmError::NotPaid | ConfirmError::Store(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
    }

    /// As the route does.
    fn try_to_confirm(&mut self, command: &ConfirmCommand) -> Result<(), ConfirmError> {
        let purchase = usecases::purchases::purchase_to_confirm(&self.store, command)?;
        self.trouble_the_provider();
        let intent = match purchase.status {
            PurchaseStatus::Completed => None,
            _ => at_once(self.bank.retrieve_intent(&command.intent)).unwrap_or(None),
        };
        usecases::purchases::confirm_purchase(&self.store, &self.clock, command, &purchase, intent.as_ref())
    }

    fn confirm_with_a_lie(&mut self) {
        let Some(Payable {
            intent,
            entrant,
            package,
        }) = self.somebodys()
        else {
            return;
        };
        let other = |is_other: bool| i64::from(is_other);
        let who = self.dice.below(2) == 0;
        let command = ConfirmCommand {
            intent,
            entrant: EntrantId::new(entrant.get() + other(who)),
            package: PackageId::new(package.get() + other(!who)),
            session: None,
        };
        match (who, self.try_to_confirm(&command)) {
            (true, Err(ConfirmError::NotYours)) | (false, Err(ConfirmError::NotPaid)) => {
                self.count("a lie about a payment");
            }
            (_, Err(ConfirmError::Store(_))) => {}
            (who, other) => panic!("{who}: {other:?}"),
        }
    }

    /// Any event of all there were: late, in any order, and as often as the dice say.
    fn deliver(&mut self) {
        let events = self.bank.events();
        let latest = events.len().saturating_sub(12);
        let from = if self.dice.below(2) == 0 { 0 } else { latest };
        if let Some(body) = self.dice.one_of(&events[from..])
            && self.apply(body).is_ok()
        {
            self.count("an event");
        }
    }

    fn apply(&self, body: &[u8]) -> Result<(), StoreError> {
        let event = self
            .bank
            .read_event(body, FakePayments::SIGNATURE, self.clock.now());
        usecases::purchases::apply_event(&self.store, &self.clock, &event.unwrap())
    }

    fn forge(&mut self) {
        let body = format!("evt_{}", self.dice.below(50));
        let read = self.bank.read_event(body.as_bytes(), "forged", self.clock.now());
        assert!(read.is_err());
        self.count("a forged event");
    }

    fn reconcile(&mut self) {
        self.trouble_the_provider();
        let reconciled = usecases::reconcile::reconcile(
            &self.store,
            &self.clock,
            &self.bank,
            TimeDelta::minutes(3),
            |_, _| {},
        );
        if at_once(reconciled).is_ok() {
            self.count("a look at what is not settled");
        }
    }

    fn change_what_is_sold(&mut self) {
        let package = self.packages[self.dice.below(self.packages.len())];
        let changed = NewPackage {
            is_active: self.dice.below(4) > 0,
            ..offer(1 + self.dice.below(50), 1 + self.dice.below(5_000))
        };
        self.plain
            .transaction(|tx| tx.change_package(package, &changed))
            .unwrap();
        self.count("another price");
    }

    /// Mostly minutes, and now and then four days, after which the provider knows no keys and we have given up.
    fn wait(&mut self) {
        let minutes = if self.dice.below(40) == 0 { 4 * 24 * 60 } else { 2 };
        self.clock.0.fetch_add(minutes, Ordering::Relaxed);
    }

    /// As if no event came any more: asking the provider alone settles what nothing was heard of.
    pub(super) fn ask_about_what_is_not_settled(&mut self) {
        for _ in 0..30 {
            self.buy();
        }
        let is_unsettled = |id| matches!(self.status(id), PurchaseStatus::Pending | PurchaseStatus::Failed);
        let unsettled = self.bank.intents().into_iter();
        let unsettled: Vec<Intent> = unsettled
            .filter(|intent| is_unsettled(purchase(intent)))
            .collect();
        let payable = self.payable.iter().map(|payable| &payable.intent).rev();
        for (n, id) in payable.take(20).enumerate() {
            if n % 5 > 0 {
                self.bank.succeed(id);
            }
            if n % 5 > 2 {
                self.bank.lose(id);
            }
        }
        self.clock.0.fetch_add(4 * 24 * 60, Ordering::Relaxed);
        for _ in 0..200 {
            let (quiet_for, nobody_listens) = (TimeDelta::minutes(3), |_: &_, _: &_| {});
            let asked = usecases::reconcile::reconcile(
                &self.store,
                &self.clock,
                &self.bank,
                quiet_for,
                nobody_listens,
            );
            if at_once(asked).unwrap() == 0 {
                break;
            }
            self.clock.0.fetch_add(10, Ordering::Relaxed);
        }
        let intents = self.bank.intents();
        let now = intents
            .iter()
            .filter(|intent| unsettled.iter().any(|known| known.id == intent.id));
        for intent in now {
            let expected = match (intent.status, intent.refunded) {
                (IntentStatus::Succeeded, false) => PurchaseStatus::Completed,
                (IntentStatus::Succeeded, true) => PurchaseStatus::Refunded,
                (IntentStatus::Open | IntentStatus::Canceled, _) => PurchaseStatus::Canceled,
            };
            assert_eq!(self.status(purchase(intent)), expected, "{intent:?}");
        }
    }

    fn status(&self, id: PurchaseId) -> PurchaseStatus {
        self.plain
            .read(|tx| tx.find_purchase(id))
            .unwrap()
            .unwrap()
            .status
    }

    /// All events there were, in any order, and then all of them again.
    pub(super) fn hear_everything(&mut self) {
        let mut events = self.bank.events();
        for place in (1..events.len()).rev() {
            events.swap(place, self.dice.below(place + 1));
        }
        for body in events.iter().chain(&events) {
            self.apply(body).unwrap();
        }
    }

    /// By entrant, the entries of payments that are like this.
    fn sold_by(&self, wanted: fn(&Intent) -> bool) -> BTreeMap<EntrantId, i64> {
        let mut sold: BTreeMap<EntrantId, i64> = self.entrants.iter().map(|id| (*id, 0)).collect();
        for intent in self.bank.intents().iter().filter(|intent| wanted(intent)) {
            *sold.get_mut(&intent.entrant.unwrap()).unwrap() += self.sold[&purchase(intent)];
        }
        sold
    }

    fn credited(&self) -> BTreeMap<EntrantId, i64> {
        assert_balanced(&self.plain);
        let paid = |id| {
            self.plain
                .read(|tx| tx.find_entrant(id))
                .unwrap()
                .unwrap()
                .entries
                .paid
        };
        self.entrants.iter().map(|id| (*id, paid(*id))).collect()
    }

    pub(super) fn assert_nothing_unpaid_is_credited(&self) {
        let paid = self.sold_by(|intent| intent.status == IntentStatus::Succeeded);
        for (id, credited) in self.credited() {
            assert!((0..=paid[&id]).contains(&credited), "{credited} of {}", paid[&id]);
        }
    }

    pub(super) fn assert_all_that_was_kept_is_credited(&self) {
        let kept = self.sold_by(|intent| intent.status == IntentStatus::Succeeded && !intent.refunded);
        assert_eq!(self.credited(), kept);
        assert!(kept.values().all(|entries| *entries > 0), "{kept:?}");
    }
}
