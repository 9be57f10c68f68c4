//! Free entries and the cap.

use crate::Store;
use crate::drawing_steps::sample::{announce, announcement, plan};
use crate::flags::flag;
use crate::support::{Noon, SeededEntropy, assert_balanced, at_once, entered, free_date, ledger_of, noon};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use drawing::steps::Plan;
use fraud::Flags;
use kernel::{EntrantId, Entropy, EventId, Money, StoreError};
use pricing::{
    BeginOutcome, CapDate, CapRules, CompleteOutcome, DisputeId, DisputeStatus, EntryCap, EntryCount,
    FreeEntries, FreeOutcome, IntentId, NewPurchase, PackageId, PurchaseId, PurchaseStatus, Purchases,
    Reversal,
};
use raffle::{Entrant, Entrants, EntryKind};
use std::collections::BTreeMap;

const PRICE: i64 = 1_000;

fn cap() -> EntryCap {
    EntryCap::new(100).unwrap()
}

fn on(time: DateTime<Utc>) -> CapDate {
    free_date(time, cap()).day()
}

/// So many days after noon of the first day of a month.
fn day(days: i64) -> DateTime<Utc> {
    let first = noon().date_naive();
    let first = chrono::Datelike::with_day(&first, 1).unwrap();
    first.and_hms_opt(12, 0, 0).unwrap().and_utc() + TimeDelta::days(days)
}

fn claim<S: Store>(store: &S, entrant: EntrantId, time: DateTime<Utc>) -> FreeOutcome {
    store
        .transaction(|tx| tx.give_free_entries(entrant, free_date(time, cap())))
        .unwrap()
}

fn used<S: Store>(store: &S, entrant: EntrantId, time: DateTime<Utc>) -> i64 {
    let used = store.read(|tx| tx.capped_entries(entrant, on(time))).unwrap();
    used.all()
}

fn sold(entrant: EntrantId, entries: i64, name: &str, time: DateTime<Utc>) -> NewPurchase {
    NewPurchase {
        entrant,
        package: PackageId::new(1),
        price: Money::from_cents(PRICE).unwrap(),
        entries: EntryCount::new(entries).unwrap(),
        event_id: EventId::parse(name).unwrap(),
        at: time,
    }
}

fn intent(name: &str) -> IntentId {
    IntentId::parse(&format!("pi_{}", name.replace('-', "_"))).unwrap()
}

fn begin<S: Store>(
    store: &S,
    entrant: EntrantId,
    entries: i64,
    name: &str,
    time: DateTime<Utc>,
) -> BeginOutcome {
    let new = sold(entrant, entries, name, time);
    let begin = |tx: &mut S::Tx| -> Result<_, StoreError> {
        let outcome = tx.begin_purchase(&new, u32::MAX, on(time))?;
        if let BeginOutcome::Begun(id) = outcome {
            tx.record_intent_id(id, &intent(name))?;
        }
        Ok(outcome)
    };
    store.transaction(begin).unwrap()
}

fn begun<S: Store>(
    store: &S,
    entrant: EntrantId,
    entries: i64,
    name: &str,
    time: DateTime<Utc>,
) -> PurchaseId {
    match begin(store, entrant, entries, name, time) {
        BeginOutcome::Begun(id) => id,
        outcome => panic!("{outcome:?}"),
    }
}

fn complete<S: Store>(store: &S, id: PurchaseId, time: DateTime<Utc>) -> CompleteOutcome {
    store.transaction(|tx| tx.complete_purchase(id, time)).unwrap()
}

fn cancel<S: Store>(store: &S, id: PurchaseId, time: DateTime<Utc>) -> bool {
    store
        .transaction(|tx| tx.end_purchase(id, PurchaseStatus::Canceled, time))
        .unwrap()
}

fn status<S: Store>(store: &S, id: PurchaseId) -> PurchaseStatus {
    store.read(|tx| tx.find_purchase(id)).unwrap().unwrap().status
}

fn bonus_and_paid<S: Store>(store: &S, entrant: EntrantId) -> (i64, i64) {
    let found = store.read(|tx| tx.find_entrant(entrant)).unwrap().unwrap();
    (found.entries.bonus, found.entries.paid)
}

pub fn free_entries_are_given_once_a_day<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    assert_eq!(claim(store, entrant, day(0)), FreeOutcome::Given(4));
    assert_eq!(claim(store, entrant, day(0)), FreeOutcome::AlreadyClaimed);
    let midnight = day(0) + TimeDelta::hours(12);
    assert_eq!(
        claim(store, entrant, midnight - TimeDelta::seconds(1)),
        FreeOutcome::AlreadyClaimed
    );
    let claimed = |time| store.read(|tx| tx.has_claimed_free(entrant, on(time))).unwrap();
    assert!(claimed(day(0)) && !claimed(midnight));
    assert_eq!(claim(store, entrant, midnight), FreeOutcome::Given(4));
    assert_eq!(
        (bonus_and_paid(store, entrant), used(store, entrant, day(0))),
        ((8, 0), 8)
    );
    let unknown = EntrantId::new(entrant.get() + 1);
    assert_eq!(claim(store, unknown, day(0)), FreeOutcome::UnknownEntrant);
    assert_balanced(store);
}

pub fn free_entries_are_spread_until_the_next_drawing<S: Store>(store: &S) {
    let Entrant {
        id: entrant, raffle, ..
    } = entered(store, 1);
    let rules = CapRules {
        cap: cap(),
        zone: Tz::UTC,
    };
    let offer = || usecases::free_entries::offer(store, &Noon, rules, entrant).unwrap();
    assert_eq!(offer().entries, 4, "100 over the 31 dates of August");
    let plan = Plan {
        raffle,
        cut_off: Some(noon() + TimeDelta::days(3)),
        ..plan(1, 8)
    };
    announce(store, &plan, announcement(1)).unwrap();
    assert_eq!(offer().entries, 25, "over the four dates before the cut-off");
    let claimed = usecases::free_entries::claim(store, &Noon, rules, entrant).unwrap();
    assert_eq!((claimed.entries, offer().used), (25, 25));
}

/// A total that was counted a while ago stands beside entries of now.
pub fn odds_are_of_one_moment<S: Store>(store: &S) {
    let [one, two] = [1, 2].map(|n| entered(store, n).id);
    claim(store, two, day(0));
    let totals = usecases::odds::count(store).unwrap();
    let odds = |of| {
        let odds = usecases::odds::odds(store, &totals, of, true).unwrap();
        (odds.entries, odds.total)
    };
    assert_eq!([odds(one), odds(two)], [(1, 6), (5, 6)]);
    claim(store, one, day(0));
    let bought = begun(store, one, 10, "one", day(0));
    assert_eq!(odds(one), (5, 10), "what is not paid counts in neither");
    complete(store, bought, day(0));
    assert_eq!([odds(one), odds(two)], [(15, 20), (5, 6)]);
    let dispute = Reversal::Dispute(DisputeId::parse("du_1").unwrap(), DisputeStatus::Open);
    reverse(store, "one", &dispute, day(0));
    assert_eq!(odds(one), (5, 10), "held entries count in neither");
    let stats = usecases::entrants::stats(store, one).unwrap();
    assert_eq!((stats.free, stats.entries.bonus, stats.entries.paid), (4, 4, 10));
    store.transaction(|tx| tx.flag(&flag(one))).unwrap();
    assert_eq!(odds(one).0, 0);
    let strangers = usecases::odds::odds(store, &totals, one, false).unwrap();
    assert_eq!(
        strangers.entries, 5,
        "nobody else learns that somebody is flagged"
    );
}

pub fn the_last_claim_of_a_month_gives_what_still_fits<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let bought = begun(store, entrant, 97, "one", day(0));
    assert_eq!(complete(store, bought, day(0)), CompleteOutcome::Credited);
    assert_eq!(claim(store, entrant, day(1)), FreeOutcome::Given(1));
    assert_eq!(claim(store, entrant, day(30)), FreeOutcome::Given(2));
    assert_eq!(claim(store, entrant, day(30)), FreeOutcome::AlreadyClaimed);
    assert_eq!(begin(store, entrant, 1, "two", day(30)), BeginOutcome::OverCap(0));
    let buyer = entered(store, 2).id;
    complete(store, begun(store, buyer, 100, "all", day(0)), day(0));
    assert_eq!(claim(store, buyer, day(30)), FreeOutcome::OverCap);
    let next_month = day(31);
    assert_eq!(claim(store, entrant, next_month), FreeOutcome::Given(4));
    assert_eq!(
        begin(store, entrant, 97, "three", next_month),
        BeginOutcome::OverCap(96)
    );
    assert!(matches!(
        begin(store, entrant, 96, "four", next_month),
        BeginOutcome::Begun(_)
    ));
    assert_eq!(
        (used(store, entrant, day(0)), used(store, entrant, next_month)),
        (100, 100)
    );
    assert_balanced(store);
}

pub fn a_late_payment_of_an_erased_person_goes_back<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let purchase = begun(store, entrant, 60, "one", day(0));
    assert!(cancel(store, purchase, day(0)));
    let erase = |tx: &mut S::Tx| privacy::Erasure::erase_person(tx, entrant, day(0));
    let erased = store.transaction::<_, kernel::StoreError>(erase).unwrap();
    assert_eq!(erased, privacy::Erased::Done);
    assert_eq!(complete(store, purchase, day(1)), CompleteOutcome::OverCap);
    assert_balanced(store);
}

pub fn a_purchase_reserves_its_entries_until_it_is_canceled<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let open = begun(store, entrant, 60, "one", day(0));
    assert_eq!(
        begin(store, entrant, 41, "two", day(0)),
        BeginOutcome::OverCap(40)
    );
    assert!(cancel(store, open, day(0)));
    assert_eq!(used(store, entrant, day(0)), 0);
    let other = begun(store, entrant, 41, "two", day(0));
    assert_eq!(complete(store, other, day(0)), CompleteOutcome::Credited);

    assert_eq!(
        complete(store, open, day(1)),
        CompleteOutcome::OverCap,
        "60 no longer fit"
    );
    assert_eq!(status(store, open), PurchaseStatus::Refunding);
    assert_eq!(complete(store, open, day(1)), CompleteOutcome::Unchanged);
    assert_eq!(bonus_and_paid(store, entrant), (0, 41));
    assert_balanced(store);
}

pub fn bought_entries_count_toward_the_cap_until_they_are_given_up<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let of_cap = |expected: i64, when: &str| assert_eq!(used(store, entrant, day(0)), expected, "{when}");
    let bought = begun(store, entrant, 40, "one", day(0));
    let decline = |tx: &mut S::Tx| tx.end_purchase(bought, PurchaseStatus::Failed, day(0));
    assert!(store.transaction(decline).unwrap());
    of_cap(40, "the payment may still succeed");
    assert_eq!(complete(store, bought, day(0)), CompleteOutcome::Credited);
    reverse(store, "one", &Reversal::Refunded(PRICE / 4), day(0));
    of_cap(30, "10 were taken back");
    let dispute = |status| Reversal::Dispute(DisputeId::parse("du_1").unwrap(), status);
    reverse(store, "one", &dispute(DisputeStatus::Open), day(0));
    of_cap(30, "held entries count");
    reverse(store, "one", &dispute(DisputeStatus::Lost), day(0));
    of_cap(0, "all were taken back");

    let late = begun(store, entrant, 100, "two", day(0));
    assert!(cancel(store, late, day(0)));
    begun(store, entrant, 1, "three", day(0));
    assert_eq!(complete(store, late, day(0)), CompleteOutcome::OverCap);
    of_cap(1, "the late payment goes back");
    assert_balanced(store);
}

pub fn a_canceled_purchase_that_still_fits_is_credited_when_it_is_paid<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let open = begun(store, entrant, 60, "one", day(0));
    assert!(cancel(store, open, day(0)));
    assert_eq!(claim(store, entrant, day(0)), FreeOutcome::Given(4));
    assert_eq!(complete(store, open, day(40)), CompleteOutcome::Credited);
    assert_eq!(
        used(store, entrant, day(0)),
        64,
        "it counts in the month in which it began"
    );
    assert_eq!(used(store, entrant, day(40)), 0);
    assert_balanced(store);
}

pub fn a_payment_that_no_longer_fits_is_refunded_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let late = begun(store, entrant, 60, "one", day(0));
    cancel(store, late, day(0));
    complete(store, begun(store, entrant, 60, "two", day(0)), day(0));
    complete(store, late, day(1));

    let due = |time| store.transaction(|tx| tx.claim_open_purchases(10, time)).unwrap();
    assert_eq!(due(day(1)).iter().map(|due| due.id).collect::<Vec<_>>(), [late]);
    let refunded = Reversal::Refunded(PRICE);
    let apply = |tx: &mut S::Tx| tx.reverse_purchase(&intent("one"), &refunded, day(1));
    assert!(
        !store.transaction(apply).unwrap(),
        "it has no entries to take back"
    );
    let end = |id| store.transaction(|tx| tx.end_refund(id, day(1))).unwrap();
    assert!(end(late) && !end(late));
    assert_eq!(status(store, late), PurchaseStatus::Refunded);
    assert_eq!(due(day(2)), []);
    assert_eq!(complete(store, late, day(2)), CompleteOutcome::Unchanged);
    assert_eq!(bonus_and_paid(store, entrant), (0, 60));
    assert_balanced(store);
}

pub fn fifty_claims_and_purchases_at_once_never_pass_the_cap<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    complete(store, begun(store, entrant, 75, "first", day(0)), day(0));
    let given = at_once(50, |n| match n % 2 {
        0 => matches!(claim(store, entrant, day((n / 10).into())), FreeOutcome::Given(_)),
        _ => {
            let name = format!("event-{n}");
            match begin(store, entrant, 7, &name, day(0)) {
                BeginOutcome::Begun(id) => complete(store, id, day(0)) == CompleteOutcome::Credited,
                _ => false,
            }
        }
    });
    assert!(given.into_iter().any(|given| given));
    let (bonus, paid) = bonus_and_paid(store, entrant);
    assert!(bonus + paid <= 100, "{bonus} free and {paid} bought");
    assert_eq!(used(store, entrant, day(0)), bonus + paid);
    assert_balanced(store);
}

pub fn a_late_payment_and_a_claim_at_once_never_pass_the_cap<S: Store>(store: &S) {
    for n in 0..10 {
        let entrant = entered(store, n).id;
        let late = begun(store, entrant, 98, &format!("late-{n}"), day(0));
        cancel(store, late, day(0));
        at_once(2, |turn| match turn {
            0 => drop(complete(store, late, day(0))),
            _ => drop(claim(store, entrant, day(0))),
        });
        let (bonus, paid) = bonus_and_paid(store, entrant);
        assert!(
            [(1, 98), (4, 0)].contains(&(bonus, paid)),
            "{bonus} free and {paid} bought"
        );
        let is_paid = status(store, late) == PurchaseStatus::Completed;
        assert_eq!(is_paid, paid == 98);
    }
    assert_balanced(store);
}

/// A purchase of the random history.
struct Bought {
    id: PurchaseId,
    name: String,
    entries: i64,
    month: i64,
    was_paid: bool,
    refunded: i64,
}

struct History<'a, S> {
    store: &'a S,
    entrant: EntrantId,
    dice: SeededEntropy,
    /// Days since the first of the first month.
    today: i64,
    bought: Vec<Bought>,
    free: BTreeMap<i64, i64>,
}

impl<S: Store> History<'_, S> {
    fn roll(&self, sides: usize) -> usize {
        let mut bytes = [0; 8];
        self.dice.fill(&mut bytes);
        (u64::from_le_bytes(bytes) % sides as u64) as usize
    }

    fn month(&self) -> i64 {
        month_of(day(self.today))
    }

    fn act(&mut self) {
        match self.roll(10) {
            0 | 1 => self.today += 1 + self.roll(4) as i64,
            2..4 => self.claim(),
            4..6 => self.begin(),
            _ => self.change_purchase(),
        }
    }

    fn claim(&mut self) {
        if let FreeOutcome::Given(entries) = claim(self.store, self.entrant, day(self.today)) {
            assert!((1..=100).contains(&entries));
            *self.free.entry(self.month()).or_default() += entries;
        }
    }

    fn begin(&mut self) {
        let name = format!("event-{}-{}", self.entrant.get(), self.bought.len());
        let entries = 1 + self.roll(60) as i64;
        let before = used(self.store, self.entrant, day(self.today));
        match begin(self.store, self.entrant, entries, &name, day(self.today)) {
            BeginOutcome::Begun(id) => self.bought.push(Bought {
                id,
                name,
                entries,
                month: self.month(),
                was_paid: false,
                refunded: 0,
            }),
            outcome => assert_eq!(outcome, BeginOutcome::OverCap(100 - before)),
        }
    }

    fn change_purchase(&mut self) {
        if self.bought.is_empty() {
            return;
        }
        let (which, act, cents) = (self.roll(self.bought.len()), self.roll(5), self.roll(1_000));
        let (store, time) = (self.store, day(self.today));
        let bought = &mut self.bought[which];
        match act {
            0 => drop(cancel(store, bought.id, time)),
            1 | 2 => {
                let before = status(store, bought.id);
                let outcome = complete(store, bought.id, time);
                let can_be_late = before == PurchaseStatus::Canceled;
                assert!(
                    can_be_late || outcome != CompleteOutcome::OverCap,
                    "it was reserved"
                );
                bought.was_paid |= outcome != CompleteOutcome::Unchanged;
            }
            3 if bought.was_paid => {
                bought.refunded = bought.refunded.max(cents as i64);
                reverse(store, &bought.name, &Reversal::Refunded(bought.refunded), time);
            }
            4 if bought.was_paid => {
                let dispute = DisputeId::parse(&format!("du_{}", bought.name.replace('-', "_"))).unwrap();
                let status = [DisputeStatus::Open, DisputeStatus::Won][cents % 2];
                reverse(store, &bought.name, &Reversal::Dispute(dispute, status), time);
            }
            _ => {}
        }
    }

    /// Nothing passes the cap, and whoever paid has the entries or gets the money back.
    fn check(&self) {
        for purchase in &self.bought {
            let status = status(self.store, purchase.id);
            let has_effect = matches!(
                status,
                PurchaseStatus::Completed | PurchaseStatus::Refunding | PurchaseStatus::Refunded
            );
            assert_eq!(has_effect, purchase.was_paid, "{status:?}");
        }
        let rows = self.store.read(|tx| ledger_of(tx, self.entrant)).unwrap();
        let mut months: BTreeMap<i64, i64> = BTreeMap::new();
        for row in rows {
            match row.kind {
                EntryKind::Free => *months.entry(row.cause / 100).or_default() += row.delta,
                EntryKind::Purchase | EntryKind::Refund => {
                    let bought = self.bought.iter().find(|bought| bought.id.get() == row.cause);
                    *months.entry(bought.unwrap().month).or_default() += row.delta;
                }
                _ => {}
            }
        }
        assert!(
            months.values().all(|entries| (0..=100).contains(entries)),
            "{months:?}"
        );
        let paid: i64 = self.bought.iter().map(|bought| bought.entries).sum();
        assert!(bonus_and_paid(self.store, self.entrant).1 <= paid);
        assert_balanced(self.store);
    }
}

/// A month as a number, such as 202611.
fn month_of(time: DateTime<Utc>) -> i64 {
    on(time).cause() / 100
}

fn reverse<S: Store>(store: &S, name: &str, reversal: &Reversal, time: DateTime<Utc>) {
    store
        .transaction(|tx| tx.reverse_purchase(&intent(name), reversal, time))
        .unwrap();
}

pub fn no_random_history_passes_the_cap<S: Store>(store: &S) {
    for seed in 0..4 {
        let mut history = History {
            store,
            entrant: entered(store, 100 + seed).id,
            dice: SeededEntropy::new(u64::from(seed)),
            today: 0,
            bought: Vec::new(),
            free: BTreeMap::new(),
        };
        for _ in 0..200 {
            history.act();
        }
        history.check();
        assert!(history.bought.iter().any(|bought| bought.was_paid));
        assert!(!history.free.is_empty());
    }
}

/// Of a flag and claims or purchases at once, none comes after the flag. What was begun before is credited.
pub fn flagged_entrants_are_sold_and_given_nothing<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let bought = begun(store, entrant, 5, "one", day(0));
    store.transaction(|tx| tx.flag(&flag(entrant))).unwrap();
    assert_eq!(claim(store, entrant, day(0)), FreeOutcome::OnHold);
    assert_eq!(begin(store, entrant, 1, "two", day(0)), BeginOutcome::OnHold);
    assert_eq!(complete(store, bought, day(0)), CompleteOutcome::Credited);
    store.transaction(|tx| tx.unflag(entrant, day(0))).unwrap();
    assert_eq!(claim(store, entrant, day(0)), FreeOutcome::Given(4));

    let other = entered(store, 2).id;
    let outcomes = at_once(8, |n| match n {
        0 => {
            store.transaction(|tx| tx.flag(&flag(other))).unwrap();
            None
        }
        _ => Some(begin(store, other, 1, &format!("race-{n}"), day(0))),
    });
    let is_known = |outcome: &BeginOutcome| matches!(outcome, BeginOutcome::Begun(_) | BeginOutcome::OnHold);
    assert!(outcomes.iter().flatten().all(is_known), "{outcomes:?}");
    assert_eq!(begin(store, other, 1, "after", day(0)), BeginOutcome::OnHold);
    assert_balanced(store);
}
