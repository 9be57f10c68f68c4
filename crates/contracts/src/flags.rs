use crate::Store;
use crate::support::{at_once, entered, entered_from, fold, noon};
use analytics::{Figures, FlagOutcome, Flags, NewFlag, SuspiciousAddress};
use chrono::TimeDelta;
use kernel::{EntrantId, PageRequest};

fn detect<S: Store>(store: &S) -> i64 {
    fold(store);
    store.transaction(|tx| tx.flag_suspicious(3, noon())).unwrap()
}

fn flagged<S: Store>(store: &S) -> Vec<i64> {
    let rows = store.read(|tx| tx.list_flagged(PageRequest::default())).unwrap();
    assert_eq!(store.read(|tx| tx.count_flagged()).unwrap(), rows.len() as i64);
    rows.iter().map(|row| row.id.get()).collect()
}

fn flag(entrant: EntrantId, minute: i64) -> NewFlag {
    NewFlag {
        entrant,
        reason: "a reason".to_owned(),
        at: noon() + TimeDelta::minutes(minute),
    }
}

pub fn a_flag_is_set_once_and_removed_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let set = |minute| store.transaction(|tx| tx.flag(&flag(entrant, minute))).unwrap();
    let take = || store.transaction(|tx| tx.unflag(entrant, noon())).unwrap();
    assert_eq!(take(), FlagOutcome::Unchanged);
    assert_eq!((set(0), set(1)), (FlagOutcome::Changed, FlagOutcome::Unchanged));
    let row = store
        .read(|tx| tx.list_flagged(PageRequest::default()))
        .unwrap()
        .remove(0);
    assert_eq!(
        (row.id, row.reason.as_str(), row.flagged_at),
        (entrant, "a reason", noon())
    );
    assert_eq!((row.total_entries, row.address), (1, Some([192, 0, 2, 7].into())));
    assert_eq!((take(), take()), (FlagOutcome::Changed, FlagOutcome::Unchanged));
    assert_eq!(flagged(store), [0; 0]);
    let unknown = EntrantId::new(i64::MAX);
    assert_eq!(
        store.transaction(|tx| tx.flag(&flag(unknown, 0))).unwrap(),
        FlagOutcome::UnknownEntrant
    );
    assert_eq!(
        store.transaction(|tx| tx.unflag(unknown, noon())).unwrap(),
        FlagOutcome::UnknownEntrant
    );
}

pub fn flagged_entrants_are_listed_newest_first_in_pages<S: Store>(store: &S) {
    let ids: Vec<_> = (0..3).map(|n| entered(store, n).id).collect();
    for (minute, id) in ids.iter().enumerate() {
        store
            .transaction(|tx| tx.flag(&flag(*id, minute as i64)))
            .unwrap();
    }
    assert_eq!(flagged(store), [ids[2].get(), ids[1].get(), ids[0].get()]);
    let part = PageRequest { limit: 1, offset: 1 };
    let rows = store.read(|tx| tx.list_flagged(part)).unwrap();
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [ids[1]]);
}

pub fn detection_flags_every_account_of_a_suspicious_address<S: Store>(store: &S) {
    let pair: Vec<_> = (0..2)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    let trio: Vec<_> = (10..13)
        .map(|n| entered_from(store, n, [198, 51, 100, 2].into()).id)
        .collect();
    assert_eq!(detect(store), 3);
    assert_eq!(flagged(store), [trio[2].get(), trio[1].get(), trio[0].get()]);
    let rows = store.read(|tx| tx.list_flagged(PageRequest::default())).unwrap();
    assert_eq!(rows[0].reason, "Multiple accounts from IP 198.51.100.2");
    assert_eq!(detect(store), 0);
    entered_from(store, 20, [198, 51, 100, 1].into());
    entered_from(store, 21, [198, 51, 100, 2].into());
    assert_eq!(detect(store), 4, "the pair became three, and the trio four");
    assert_eq!(pair.len(), 2);
}

pub fn detection_skips_entrants_whom_staff_unflagged<S: Store>(store: &S) {
    let ids: Vec<_> = (0..3)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    assert_eq!(detect(store), 3);
    store.transaction(|tx| tx.unflag(ids[1], noon())).unwrap();
    let newcomer = entered_from(store, 10, [198, 51, 100, 1].into()).id;
    assert_eq!(detect(store), 1);
    assert_eq!(flagged(store), [newcomer.get(), ids[2].get(), ids[0].get()]);
    assert_eq!(
        store.transaction(|tx| tx.flag(&flag(ids[1], 1))).unwrap(),
        FlagOutcome::Changed
    );
}

pub fn an_address_is_flagged_when_its_newest_account_is<S: Store>(store: &S) {
    let address = [198, 51, 100, 1].into();
    let ids: Vec<_> = (0..3).map(|n| entered_from(store, n, address).id).collect();
    let row = || {
        fold(store);
        store.snapshot(|tx| tx.dashboard(3)).unwrap().suspicious
    };
    let expected = |accounts, newest, flagged| {
        [SuspiciousAddress {
            address,
            accounts,
            newest: Some(newest),
            flagged,
        }]
    };
    assert_eq!(row(), expected(3, ids[2], false));
    store.transaction(|tx| tx.flag(&flag(ids[2], 0))).unwrap();
    assert_eq!(row(), expected(3, ids[2], true));
    let newcomer = entered_from(store, 10, address).id;
    assert_eq!(row(), expected(4, newcomer, false));
    assert_eq!(store.snapshot(|tx| tx.dashboard(5)).unwrap().suspicious, []);
}

pub fn concurrent_detections_flag_each_entrant_once<S: Store>(store: &S) {
    for n in 0..10 {
        entered_from(store, n, [198, 51, 100, 1].into());
    }
    fold(store);
    let counts = at_once(4, |_| {
        store.transaction(|tx| tx.flag_suspicious(3, noon())).unwrap()
    });
    assert_eq!(counts.iter().sum::<i64>(), 10);
}
