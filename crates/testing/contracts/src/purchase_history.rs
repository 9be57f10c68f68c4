//! Entries equal payments without what was refunded or disputed, after thousands of random steps with random failures of the
//! store and the provider.

mod world;

use world::World;

use crate::Store;
use crate::support::{SeededEntropy, noon};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EntrantId, Entropy, Money, StoreError, UnitOfWork};
use pricing::{EntryCount, Intent, IntentId, NewPackage, PackageId, PackageText, PurchaseId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};

/// The buyers of a history of so many steps: more in a long one, because the file of one person lists a hundred rows.
const fn buyers(steps: u32) -> u32 {
    if steps > 3_000 { 5 * (steps / 3_000) } else { 5 }
}

pub fn entries_equal_payments_without_refunds_and_disputes<S: Store>(store: &S) {
    entries_equal_payments_after(store, 1_000);
}

/// A history of so many steps.
pub(crate) fn entries_equal_payments_after<S: Store>(store: &S, steps: u32) {
    let mut world = World::new(store, 3, buyers(steps));
    for step in 0..steps {
        world.step();
        if step % 200 == 0 {
            world.assert_only_payments_are_credited();
        }
    }
    world.store.fails.store(false, Ordering::Relaxed);
    world.reconcile_open_purchases();
    world.deliver_all_events();
    world.assert_entries_follow_payments();
    let failures = world.store.failures.load(Ordering::Relaxed);
    assert!(failures > steps / 20, "{failures} store failures are too few");
    assert!(
        world.provider_failures > steps / 50,
        "{}",
        world.provider_failures
    );
    for (step, times) in &world.done {
        assert!(*times > steps / 200, "{step}: only {times} times");
    }
}

pub(crate) struct Dice(pub(crate) SeededEntropy);

impl Dice {
    pub(crate) fn below(&self, bound: usize) -> usize {
        let mut bytes = [0; 4];
        self.0.fill(&mut bytes);
        u32::from_le_bytes(bytes) as usize % bound
    }

    pub(crate) fn one_of<'a, T>(&self, list: &'a [T]) -> Option<&'a T> {
        match list.len() {
            0 => None,
            len => list.get(self.below(len)),
        }
    }
}

/// A clock that counts minutes after noon and is set by the test.
struct MovingClock(AtomicI64);

impl Clock for MovingClock {
    fn now(&self) -> DateTime<Utc> {
        noon() + TimeDelta::minutes(self.0.load(Ordering::Relaxed))
    }
}

fn offer(entries: usize, cents: usize) -> NewPackage {
    NewPackage {
        name: PackageText::parse("Starter", 80).unwrap(),
        description: PackageText::parse("A few more", 300).unwrap(),
        entries: EntryCount::new(entries as i64).unwrap(),
        price: Money::from_cents(cents as i64).unwrap(),
        is_popular: false,
        is_active: true,
        sort_order: 0,
    }
}

fn purchase(intent: &Intent) -> PurchaseId {
    intent.purchase.unwrap()
}

/// A store that sometimes fails, either before the work or after it has committed.
#[derive(Clone)]
struct FlakyStore<S> {
    store: S,
    dice: Arc<Dice>,
    fails: Arc<AtomicBool>,
    failures: Arc<AtomicU32>,
}

impl<S: UnitOfWork> FlakyStore<S> {
    fn run<T, E: From<StoreError>>(&self, work: impl FnOnce(&S) -> Result<T, E>) -> Result<T, E> {
        if !self.fails.load(Ordering::Relaxed) || self.dice.below(8) > 0 {
            return work(&self.store);
        }
        self.failures.fetch_add(1, Ordering::Relaxed);
        if self.dice.below(2) == 0 {
            work(&self.store)?;
        }
        Err(StoreError::Unavailable("random failure".into()).into())
    }
}

impl<S: UnitOfWork> UnitOfWork for FlakyStore<S> {
    type Tx = S::Tx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(|store| store.transaction(work))
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(|store| store.serializable(work))
    }

    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&S::Tx) -> Result<T, E>) -> Result<T, E> {
        self.run(|store| store.snapshot(work))
    }

    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&S::Tx) -> Result<T, E>) -> Result<T, E> {
        self.run(|store| store.read(work))
    }
}

/// A payment that was started successfully and can be paid.
#[derive(Clone)]
struct Payable {
    intent: IntentId,
    entrant: EntrantId,
    package: PackageId,
}
