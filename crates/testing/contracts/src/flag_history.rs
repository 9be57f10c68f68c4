//! Referrers have one entry for each friend who is not flagged, after thousands of random steps and in races.

use crate::Store;
use crate::appeals::{appeal, decide};
use crate::flags::{RULES, bonus_and_friends, detect, detect_by, flag};
use crate::moves::move_on;
use crate::purchase_history::Dice;
use crate::purchases::{bought_unless_flagged, refund};
use crate::support::{Noon, SeededEntropy, assert_balanced, at_once, clear, command, entered, noon, phone};
use fraud::{
    AppealCase, AppealStatus, Appeals, Decision, FlaggedFilter, FlaggedSort, Flags, FraudRules,
    NewSharedNetwork, SharedNetworks,
};
use kernel::{EntrantId, PageRequest, ReferralCode, SortOrder};
use pricing::PurchaseId;
use raffle::Entrant;
use staff::ClearingKind;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Mutex;

/// With proved numbers.
const MILD: FraudRules = FraudRules {
    flag_shared_networks: false,
    ..RULES
};

/// Who enters from where: twelve networks of both kinds.
fn address(n: usize) -> IpAddr {
    match n % 2 {
        0 => IpAddr::from([198, 51, 100, (n % 12) as u8]),
        _ => format!("2001:db8:0:{:x}::{n:x}", n % 12).parse().unwrap(),
    }
}

fn enters<S: Store>(store: &S, n: u32, through: Option<&ReferralCode>) -> Entrant {
    let mut command = command(phone(n), through);
    command.origin.address = Some(address(n as usize));
    // Most have the same browser, so that their networks are suspicious also where numbers are proved.
    command.fingerprint = Some((n % 5).min(1).to_string());
    usecases::entering::enter(store, &Noon, &SeededEntropy::new(n.into()), &command, None)
        .unwrap()
        .entrant
}

fn all_flagged<S: Store>(store: &S) -> BTreeSet<EntrantId> {
    let (filter, sort, order) = (
        FlaggedFilter::default(),
        FlaggedSort::default(),
        SortOrder::default(),
    );
    let rows = store
        .read(|tx| tx.list_flagged(&filter, sort, order, PageRequest::default()))
        .unwrap();
    rows.into_iter().map(|row| row.id).collect()
}

fn appeals<S: Store>(store: &S, status: Option<AppealStatus>) -> Vec<AppealCase> {
    store
        .read(|tx| tx.list_appeals(status, PageRequest::default()))
        .unwrap()
}

fn shared_network(n: usize) -> NewSharedNetwork {
    let network = NewSharedNetwork::read_network(&address(n).to_string()).unwrap();
    NewSharedNetwork::new(network, NewSharedNetwork::read_label("a school").unwrap())
}

/// A kind of step: its name, how often it is taken, and what it does. It returns whether something changed.
type Step<World> = (&'static str, usize, fn(&mut World) -> bool);

/// What the store should contain.
struct World<'a, S> {
    store: &'a S,
    dice: Dice,
    /// Few enough that each is flagged and unflagged many times.
    most_entrants: usize,
    entrants: Vec<Entrant>,
    /// The referrer of each friend, since referrals were cleared.
    referrers: BTreeMap<EntrantId, EntrantId>,
    /// The friends whose referrers have moved to another raffle since.
    moved_out: BTreeSet<EntrantId>,
    purchases: Vec<PurchaseId>,
    /// How often each step changed something.
    done: BTreeMap<&'static str, usize>,
}

impl<S: Store> World<'_, S> {
    fn step(&mut self) {
        let steps: [Step<Self>; 12] = [
            ("enter", 5, Self::enter),
            ("flag", 20, Self::flag),
            ("unflag", 20, Self::unflag),
            ("detect", 5, |world| detect(world.store) > 0),
            ("detect mildly", 5, |world| detect_by(world.store, &MILD) > 0),
            ("share a network", 3, Self::share_network),
            ("appeal", 15, Self::appeal),
            ("decide", 8, Self::decide),
            ("buy", 3, Self::buy),
            ("refund", 3, Self::refund),
            ("move", 3, Self::move_on),
            ("clear referrals", 1, Self::clear_referrals),
        ];
        let mut left = self.dice.below(steps.iter().map(|(_, weight, _)| weight).sum());
        for (name, weight, step) in steps {
            if left < weight {
                let changed = step(self);
                *self.done.entry(name).or_default() += usize::from(changed);
                return;
            }
            left -= weight;
        }
    }

    fn any_entrant(&self) -> Option<Entrant> {
        self.dice.one_of(&self.entrants).cloned()
    }

    /// Most through the link of the first entrant. Sometimes with a number that is in already, which changes nothing.
    fn enter(&mut self) -> bool {
        let newest = self.entrants.len().min(self.most_entrants - 1);
        let n = match self.dice.below(5) {
            0 => self.dice.below(newest + 1),
            _ => newest,
        } as u32;
        let referrer = match self.dice.below(4) {
            0 => None,
            1 => self.any_entrant(),
            _ => self.entrants.first().cloned(),
        };
        let entrant = enters(
            self.store,
            n,
            referrer.as_ref().map(|referrer| &referrer.referral_code),
        );
        if self.entrants.iter().any(|known| known.id == entrant.id) {
            return false;
        }
        if let Some(referrer) = referrer {
            self.referrers.insert(entrant.id, referrer.id);
        }
        self.entrants.push(entrant);
        true
    }

    fn flag(&mut self) -> bool {
        let Some(entrant) = self.any_entrant() else {
            return false;
        };
        let outcome = self.store.transaction(|tx| tx.flag(&flag(entrant.id))).unwrap();
        outcome == fraud::FlagOutcome::Changed
    }

    fn unflag(&mut self) -> bool {
        let Some(entrant) = self.any_entrant() else {
            return false;
        };
        let outcome = self
            .store
            .transaction(|tx| tx.unflag(entrant.id, noon()))
            .unwrap();
        outcome == fraud::FlagOutcome::Changed
    }

    /// Lists a network, or removes one that is listed.
    fn share_network(&mut self) -> bool {
        let new = shared_network(self.dice.below(12));
        let listed = self
            .store
            .read(|tx| tx.list_shared_networks(PageRequest::default()))
            .unwrap();
        let known = listed.iter().find(|shared| shared.network == new.network());
        match known {
            Some(shared) => self
                .store
                .transaction(|tx| tx.remove_shared_network(shared.id))
                .unwrap()
                .is_some(),
            None => self
                .store
                .transaction(|tx| tx.add_shared_network(&new, noon()))
                .unwrap()
                .is_some(),
        }
    }

    fn appeal(&mut self) -> bool {
        let Some(entrant) = self.any_entrant() else {
            return false;
        };
        matches!(appeal(self.store, entrant.id, 0), fraud::AppealOutcome::Added(_))
    }

    fn decide(&mut self) -> bool {
        let open = appeals(self.store, Some(AppealStatus::Open));
        let Some(case) = self.dice.one_of(&open) else {
            return false;
        };
        let decision = *self.dice.one_of(&[Decision::Accept, Decision::Reject]).unwrap();
        decide(self.store, case.appeal.id, decision).unwrap();
        true
    }

    fn buy(&mut self) -> bool {
        let Some(buyer) = self.any_entrant() else {
            return false;
        };
        let bought = bought_unless_flagged(self.store, buyer.id);
        self.purchases.extend(bought);
        bought.is_some()
    }

    fn refund(&mut self) -> bool {
        let purchase = self.dice.one_of(&self.purchases);
        purchase.is_some_and(|id| refund(self.store, *id))
    }

    /// Moves somebody to another raffle: the entries for friends are out for good, and so are those of purchases.
    fn move_on(&mut self) -> bool {
        let Some(mover) = self.any_entrant() else {
            return false;
        };
        move_on(self.store, mover.id);
        self.moved_out.extend(
            self.referrers
                .iter()
                .filter(|(_, by)| **by == mover.id)
                .map(|(friend, _)| *friend),
        );
        true
    }

    fn clear_referrals(&mut self) -> bool {
        clear(self.store, ClearingKind::ClearReferrals);
        self.referrers.clear();
        self.moved_out.clear();
        true
    }

    /// A referrer has one entry for each friend since the last move who is not flagged, and an open appeal belongs to a flag.
    fn check(&self) {
        assert_balanced(self.store);
        let flagged = all_flagged(self.store);
        for entrant in &self.entrants {
            let friends = self.referrers.iter().filter(|(_, by)| **by == entrant.id);
            let (held, counted): (Vec<_>, Vec<_>) = friends.partition(|(friend, _)| flagged.contains(friend));
            let (bonus, counts) = bonus_and_friends(self.store, entrant.id);
            let of_now = counted
                .iter()
                .filter(|(friend, _)| !self.moved_out.contains(*friend));
            let expected = (of_now.count() as i64, held.len() as i64);
            assert_eq!((bonus, counts.on_hold), expected, "{}", entrant.id);
            assert_eq!(counts.all, (counted.len() + held.len()) as i64);
        }
        let open = appeals(self.store, Some(AppealStatus::Open));
        assert!(
            open.iter()
                .all(|case| case.is_flagged && flagged.contains(&case.entrant))
        );
    }
}

pub fn entries_follow_flags_after_any_history<S: Store>(store: &S) {
    entries_follow_flags_after(store, 1_000, 0);
}

/// A history of so many steps, a multiple of a thousand, in which each kind of step changes something at least so often.
pub(crate) fn entries_follow_flags_after<S: Store>(store: &S, steps: usize, least: usize) {
    let mut world = World {
        store,
        dice: Dice(SeededEntropy::new(36)),
        most_entrants: steps / 1_000 * 30,
        entrants: Vec::new(),
        referrers: BTreeMap::new(),
        moved_out: BTreeSet::new(),
        purchases: Vec::new(),
        done: BTreeMap::new(),
    };
    for step in 0..steps {
        world.step();
        if step % 50 == 0 {
            assert_balanced(store);
        }
        if step % 1_000 == 0 {
            world.check();
        }
    }
    world.check();
    assert_eq!(world.entrants.len(), world.most_entrants);
    for (step, times) in &world.done {
        assert!(*times >= least, "{step}: only {times} times");
    }
    assert_eq!(world.done.len(), 12, "{:?}", world.done);
    assert_eq!(
        usecases::rollups::verify(store, chrono_tz::Tz::UTC).unwrap(),
        [""; 0]
    );
}

/// Sign-ups through one link, flags of staff and of detection, appeals and their decisions, purchases and refunds, moves to other
/// raffles, and a clearing, all at once.
pub fn everything_at_once_keeps_ledger_and_counters_equal<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let friends: Vec<_> = (0..8)
        .map(|n| enters(store, 10 + n, Some(&popular.referral_code)).id)
        .collect();
    let bought = Mutex::new(Vec::new());
    at_once(10, |n| match n {
        0 | 1 => {
            (0..20).for_each(|run| drop(enters(store, 100 + n * 50 + run, Some(&popular.referral_code))))
        }
        2 => (0..5).for_each(|_| {
            detect(store);
        }),
        3 => (0..10).for_each(|run| toggle(store, &friends, run)),
        4 => (0..10).flat_map(|_| &friends).for_each(|id| {
            appeal(store, *id, 0);
        }),
        5 => (0..20).for_each(|run| decide_open(store, run)),
        6 => friends.iter().for_each(|id| {
            let mut bought = bought.lock().unwrap();
            bought.extend(bought_unless_flagged(store, *id));
            if let Some(middle) = bought.get(bought.len() / 2) {
                refund(store, *middle);
            }
        }),
        7 => drop(clear(store, ClearingKind::ClearReferrals)),
        8 => (0..10).for_each(|_| move_on(store, popular.id)),
        _ => friends.iter().for_each(|id| move_on(store, *id)),
    });
    assert_balanced(store);
    // Whatever came last: nothing is left of before, and from now on all counts.
    move_on(store, popular.id);
    clear(store, ClearingKind::ClearReferrals);
    for n in 0..5 {
        enters(store, 1_000 + n, Some(&popular.referral_code));
    }
    let flagged = all_flagged(store);
    let (bonus, counts) = bonus_and_friends(store, popular.id);
    assert_eq!((bonus, counts.all), (5 - counts.on_hold, 5));
    assert!(counts.on_hold <= flagged.len() as i64);
    for id in &flagged {
        store.transaction(|tx| tx.unflag(*id, noon())).unwrap();
    }
    let (bonus, counts) = bonus_and_friends(store, popular.id);
    assert_eq!((bonus, counts.on_hold), (counts.all, 0));
    assert!(appeals(store, Some(AppealStatus::Open)).is_empty());
    assert_balanced(store);
}

/// Flags every other friend, and unflags the others.
fn toggle<S: Store>(store: &S, friends: &[EntrantId], run: usize) {
    for (n, id) in friends.iter().enumerate() {
        let outcome = match (n + run) % 2 {
            0 => store.transaction(|tx| tx.flag(&flag(*id))),
            _ => store.transaction(|tx| tx.unflag(*id, noon())),
        };
        outcome.unwrap();
    }
}

/// Decides all open appeals, unless somebody else was faster.
fn decide_open<S: Store>(store: &S, run: usize) {
    for (n, case) in appeals(store, Some(AppealStatus::Open)).iter().enumerate() {
        let decision = if (n + run).is_multiple_of(2) {
            Decision::Accept
        } else {
            Decision::Reject
        };
        match decide(store, case.appeal.id, decision) {
            Ok(_) | Err(usecases::appeals::DecideError::DecidedBefore) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}
