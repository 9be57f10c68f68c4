//! Erasing people and replaying the journal, on the fakes.

use chrono::{DateTime, Utc};
use fakes::{FixedClock, MemStore, SeededEntropy};
use kernel::{Clock, EntrantId, Origin, Phone, StoreError, UnitOfWork};
use privacy::{Journal, JournalEntry, JournalError};
use raffle::fixtures::GARDEN_BAG;
use raffle::{Entrant, Entrants, SignUp};
use std::sync::Mutex;
use usecases::privacy::erasure::{EraseError, Replayed, erase, erase_and, replay};

/// A journal in memory, which can be broken.
#[derive(Default)]
struct Lines {
    entries: Mutex<Vec<JournalEntry>>,
    is_broken: bool,
}

impl Journal for Lines {
    fn append(&self, entry: JournalEntry) -> Result<(), JournalError> {
        match self.is_broken {
            true => Err(JournalError("the disk is full".into())),
            false => {
                self.entries.lock().unwrap().push(entry);
                Ok(())
            }
        }
    }
}

impl Lines {
    fn ids(&self) -> Vec<EntrantId> {
        self.entries
            .lock()
            .unwrap()
            .iter()
            .map(|entry| entry.entrant)
            .collect()
    }
}

fn now() -> DateTime<Utc> {
    FixedClock::default().now()
}

fn entered(store: &MemStore, n: u32) -> Entrant {
    let command = SignUp {
        phone: Phone::parse(&format!("555{n:07}")).unwrap(),
        raffle: Some(GARDEN_BAG),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    };
    let entropy = SeededEntropy::new(n.into());
    usecases::entering::enter(store, &FixedClock::default(), &entropy, &command, None)
        .unwrap()
        .entrant
}

fn is_known(store: &MemStore, entrant: &Entrant) -> bool {
    store.read(|tx| tx.find_entrant(entrant.id)).unwrap().is_some()
}

#[test]
fn an_erasure_is_in_the_journal() {
    let (store, journal) = (MemStore::default(), Lines::default());
    let entrant = entered(&store, 1);
    erase(&store, &journal, entrant.id, now()).unwrap();
    assert!(!is_known(&store, &entrant));
    assert_eq!(journal.ids(), [entrant.id]);
}

#[test]
fn without_the_journal_nobody_is_erased() {
    let store = MemStore::default();
    let journal = Lines {
        is_broken: true,
        ..Lines::default()
    };
    let entrant = entered(&store, 1);
    let error = erase(&store, &journal, entrant.id, now()).unwrap_err();
    assert!(matches!(error, EraseError::Journal(_)), "{error:?}");
    assert!(is_known(&store, &entrant));
}

#[test]
fn who_is_unknown_or_was_erased_is_not_in_the_journal_again() {
    let (store, journal) = (MemStore::default(), Lines::default());
    let entrant = entered(&store, 1);
    erase(&store, &journal, entrant.id, now()).unwrap();
    for id in [entrant.id, EntrantId::new(7)] {
        let error = erase(&store, &journal, id, now()).unwrap_err();
        assert!(matches!(error, EraseError::UnknownEntrant), "{error:?}");
    }
    assert_eq!(journal.ids().len(), 1);
}

#[test]
fn an_erasure_that_failed_after_the_journal_is_done_by_the_replay() {
    let (store, journal) = (MemStore::default(), Lines::default());
    let entrant = entered(&store, 1);
    let failed = erase_and(&store, &journal, entrant.id, now(), |_| {
        Err(EraseError::Store(StoreError::Conflict))
    });
    assert!(matches!(failed, Err(EraseError::Store(StoreError::Conflict))));
    assert!(is_known(&store, &entrant), "nothing has changed");
    let entries = journal.entries.lock().unwrap().clone();
    let replayed = replay(&store, entries).unwrap();
    assert_eq!(replayed.erased, 1);
    assert!(!is_known(&store, &entrant));
}

#[test]
fn a_replay_can_run_again() {
    let (store, journal) = (MemStore::default(), Lines::default());
    let (one, two) = (entered(&store, 1), entered(&store, 2));
    erase(&store, &journal, one.id, now()).unwrap();
    let backup = MemStore::default();
    entered(&backup, 1);
    entered(&backup, 2);
    let mut entries = journal.entries.lock().unwrap().clone();
    entries.push(JournalEntry {
        entrant: EntrantId::new(7),
        at: now(),
    });
    let first = Replayed {
        erased: 1,
        before: 0,
        unknown: 1,
        open: vec![],
    };
    assert_eq!(replay(&backup, entries.clone()).unwrap(), first);
    assert!(!is_known(&backup, &one) && is_known(&backup, &two));
    let second = Replayed {
        erased: 0,
        before: 1,
        ..first
    };
    assert_eq!(replay(&backup, entries).unwrap(), second);
}
