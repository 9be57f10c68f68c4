//! The program is killed at every unit of work, and goes on later.

use super::kit::{add_rules, entered_with_friends, find, request, whole_log};
use super::{Kit, performed};
use crate::Store;
use drawing::steps::{DrawingState, DrawingStatus, DrawingSteps};
use kernel::{StoreError, UnitOfWork};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use usecases::drawings::Performed;

pub(super) const KILLS: [Kill; 3] = [Kill::Before, Kill::BeforeCommit, Kill::AfterCommit];

/// What happens to the unit of work that is hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kill {
    /// It does not begin.
    Before,
    /// It does everything, and is rolled back.
    BeforeCommit,
    /// It commits, and nobody learns of it.
    AfterCommit,
}

/// A store in which one unit of work is hit.
#[derive(Clone)]
pub(super) struct Faulty<S> {
    store: S,
    kill: Kill,
    left: Arc<AtomicI64>,
}

impl<S: Clone> Faulty<S> {
    pub(super) fn new(store: &S, kill: Kill, nth: i64) -> Self {
        Self {
            store: store.clone(),
            kill,
            left: Arc::new(AtomicI64::new(nth)),
        }
    }

    /// Whether the unit of work has come that is hit.
    pub(super) fn was_hit(&self) -> bool {
        self.left.load(Ordering::SeqCst) < 0
    }
}

impl<S> Faulty<S> {
    fn is_hit(&self) -> bool {
        self.left.fetch_sub(1, Ordering::SeqCst) == 0
    }
}

fn killed() -> StoreError {
    StoreError::Unavailable("killed".into())
}

impl<S: UnitOfWork> UnitOfWork for Faulty<S> {
    type Tx = S::Tx;

    fn transaction<T, E: From<StoreError>>(
        &self,
        mut work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.is_hit() {
            return self.store.transaction(work);
        }
        match self.kill {
            Kill::Before => Err(killed().into()),
            Kill::BeforeCommit => self.store.transaction(|tx| {
                work(tx)?;
                Err(killed().into())
            }),
            Kill::AfterCommit => self.store.transaction(work).and(Err(killed().into())),
        }
    }

    fn serializable<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut S::Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        self.store.serializable(work)
    }

    fn snapshot<T, E: From<StoreError>>(&self, work: impl FnMut(&S::Tx) -> Result<T, E>) -> Result<T, E> {
        match self.is_hit() {
            true => Err(killed().into()),
            false => self.store.snapshot(work),
        }
    }

    fn read<T, E: From<StoreError>>(&self, work: impl FnMut(&S::Tx) -> Result<T, E>) -> Result<T, E> {
        match self.is_hit() {
            true => Err(killed().into()),
            false => self.store.read(work),
        }
    }
}

/// Performs a drawing until it is sealed or drawn, with unit of work `nth` hit. Returns the drawing, or nothing when there
/// are not so many units of work.
fn perform_with_fault<S: Store>(store: &S, kit: &Kit, kill: Kill, nth: i64) -> Option<DrawingState> {
    add_rules(store);
    let faulty = Faulty::new(store, kill, nth);
    let key = format!("{kill:?}-{nth}-{}", kit.chain.is_some());
    let request = request(Some(&key));
    let first = usecases::drawings::perform(&faulty, kit.tools(), &request);
    if !faulty.was_hit() {
        return None;
    }
    assert!(first.is_err(), "{key}");
    let (Performed::Drawn(state) | Performed::Waiting(state)) =
        usecases::drawings::perform(&faulty, kit.tools(), &request).unwrap();
    assert_eq!(performed(store, kit, &request), state, "{key}");
    Some(state)
}

pub fn a_kill_anywhere_leaves_no_step_or_a_whole_one<S: Store>(store: &S) {
    entered_with_friends(store, 1, 3);
    for (n, kill) in (0..).zip(KILLS) {
        for kit in [Kit::new(700 + n), Kit::with_beacon(710 + n)] {
            let expected = match kit.chain {
                None => (DrawingStatus::Drawn, 3),
                Some(_) => (DrawingStatus::Sealed, 2),
            };
            for nth in 0.. {
                let before = whole_log(store).len();
                let Some(state) = perform_with_fault(store, &kit, kill, nth) else {
                    assert!(nth > 2, "several units of work were hit");
                    break;
                };
                let entries = whole_log(store).len() - before;
                assert_eq!((state.status, entries), expected, "{kill:?} {nth}");
            }
        }
    }
    let log = whole_log(store);
    let chained = log
        .iter()
        .try_fold(None, |last, entry| drawing::verify_log(last, entry).map(Some));
    assert_eq!(chained.unwrap().map(|(id, _)| id), Some(log.len() as i64));
}

pub fn a_kill_while_drawing_changes_no_winner<S: Store>(store: &S) {
    entered_with_friends(store, 1, 9);
    let kit = Kit::with_beacon(73);
    for kill in KILLS {
        for nth in 0..2 {
            let sealed = performed(store, &kit, &request(Some(&format!("{kill:?}-{nth}"))));
            let faulty = Faulty::new(store, kill, nth);
            assert!(kit.draw(&faulty, &sealed).is_err());
            let left = find(store, sealed.id);
            let drawn = kit.draw(&faulty, &sealed).unwrap();
            assert!(left == sealed || left == drawn, "{kill:?} {nth}");
            let facts = sealed.facts(drawn.record().unwrap().facts.beacon).unwrap();
            assert_eq!(drawn.record().unwrap().facts, facts);
        }
    }
    let due = store.read(|tx| tx.list_due()).unwrap();
    assert!(due.to_seal.is_empty() && due.to_draw.is_empty());
}
