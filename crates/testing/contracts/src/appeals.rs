//! Appeals of flagged entrants.

use crate::Store;
use crate::detection::evidence_of;
use crate::flags::{bonus_and_friends, detect, flag, flagged};
use crate::people::{mark, unmark};
use crate::support::{
    Noon, assert_balanced, at_once, entered, entered_from, entered_through, noon, staff_actor,
};
use chrono::{DateTime, TimeDelta, Utc};
use fraud::{
    Appeal, AppealCase, AppealId, AppealMessage, AppealOutcome, AppealStatus, Appeals, Decision,
    DecisionOutcome, Flags, Hold, NewAppeal, NewFlag, PublicReason, Verdict,
};
use kernel::{EntrantId, PageRequest, StoreError, StoredText};
use staff::{Action, AuditFilter, AuditLog};
use strum::IntoEnumIterator;
use usecases::appeals::{DecideCommand, DecideError};

fn later(minutes: i64) -> DateTime<Utc> {
    noon() + TimeDelta::minutes(minutes)
}

pub(crate) fn appeal<S: Store>(store: &S, entrant: EntrantId, minute: i64) -> AppealOutcome {
    let new = NewAppeal {
        entrant,
        message: AppealMessage::parse("We are a family.").unwrap(),
        at: later(minute),
    };
    store.transaction(|tx| tx.add_appeal(&new)).unwrap()
}

fn appealed<S: Store>(store: &S, entrant: EntrantId, minute: i64) -> AppealId {
    match appeal(store, entrant, minute) {
        AppealOutcome::Added(id) => id,
        other => panic!("{other:?}"),
    }
}

/// Decides as staff do.
pub(crate) fn decide<S: Store>(
    store: &S,
    appeal: AppealId,
    decision: Decision,
) -> Result<AppealCase, DecideError> {
    let command = DecideCommand {
        appeal,
        decision,
        note: Some(StoredText::line("We looked at it.", 500).unwrap()),
    };
    usecases::appeals::decide(store, &Noon, staff_actor(), &command)
}

fn set_flag<S: Store>(store: &S, entrant: EntrantId) {
    store.transaction(|tx| tx.flag(&flag(entrant))).unwrap();
}

fn flagged_entrant<S: Store>(store: &S, n: u32) -> EntrantId {
    let id = entered(store, n).id;
    set_flag(store, id);
    id
}

fn newest<S: Store>(store: &S, entrant: EntrantId) -> Option<Appeal> {
    store.read(|tx| tx.newest_appeal(entrant)).unwrap()
}

fn status<S: Store>(store: &S, entrant: EntrantId) -> Option<AppealStatus> {
    newest(store, entrant).map(|appeal| appeal.status)
}

fn find<S: Store>(store: &S, id: AppealId) -> AppealCase {
    store.read(|tx| tx.find_appeal(id)).unwrap().unwrap()
}

pub fn an_appeal_reads_back_with_the_flag_of_its_time<S: Store>(store: &S) {
    let ids = [0, 1, 2].map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id);
    assert_eq!(detect(store), 3);
    let evidence = evidence_of(store, ids[0]);
    let hold = store.read(|tx| tx.find_hold(ids[0])).unwrap();
    let same = evidence.clone();
    assert_eq!(hold, Some(Hold::new(None, false, same)));
    let id = appealed(store, ids[0], 3);
    let written = Appeal {
        id,
        message: "We are a family.".to_owned(),
        status: AppealStatus::Open,
        note: None,
        created_at: later(3),
        decided_at: None,
    };
    assert_eq!(newest(store, ids[0]), Some(written.clone()));
    let case = find(store, id);
    assert_eq!(
        (&case.appeal, case.entrant, case.is_flagged),
        (&written, ids[0], true)
    );
    assert_eq!((case.total_entries, &case.evidence), (1, &evidence));
    assert_eq!(case.reason, "Multiple accounts from IP 198.51.100.1");

    let decided = decide(store, id, Decision::Accept).unwrap();
    let appeal = Appeal {
        status: AppealStatus::Accepted,
        note: Some("We looked at it.".to_owned()),
        decided_at: Some(noon()),
        ..written
    };
    let expected = AppealCase {
        appeal: appeal.clone(),
        is_flagged: false,
        ..case
    };
    assert_eq!((&decided, find(store, id)), (&expected, expected.clone()));
    assert_eq!(newest(store, ids[0]), Some(appeal));
    assert_eq!(store.read(|tx| tx.find_hold(ids[0])).unwrap(), None);
    assert_eq!(newest(store, ids[1]), None);
    assert_eq!(
        store.read(|tx| tx.find_appeal(AppealId::new(i64::MAX))).unwrap(),
        None
    );
}

/// A flag by hand has the reason that staff chose, a duplicate that it is one, and a flag from before an erasure none.
pub fn a_hold_says_what_the_entrant_reads<S: Store>(store: &S) {
    let reason = |id| {
        store
            .read(|tx| tx.find_hold(id))
            .unwrap()
            .map(|hold| hold.public_reason)
    };
    let original = entered(store, 9).id;
    for (n, chosen) in (10..).zip(PublicReason::iter()) {
        let id = entered(store, n).id;
        let flag = NewFlag {
            public_reason: chosen,
            ..crate::flags::flag(id)
        };
        store.transaction(|tx| tx.flag(&flag)).unwrap();
        assert_eq!(reason(id), Some(Some(chosen)));
        mark(store, id, original).unwrap();
        assert_eq!(reason(id), Some(Some(PublicReason::Duplicate)));
        unmark(store, id).unwrap();
        assert_eq!(reason(id), Some(Some(chosen)), "the flag is older than the mark");
        store.transaction(|tx| tx.unflag(id, noon())).unwrap();
        assert_eq!(reason(id), None);
    }
    let id = entered(store, 20).id;
    mark(store, id, original).unwrap();
    assert_eq!(reason(id), Some(Some(PublicReason::Duplicate)));
    unmark(store, id).unwrap();
    assert_eq!(reason(id), None);
}

pub fn only_flagged_entrants_appeal_and_one_at_a_time<S: Store>(store: &S) {
    let id = entered(store, 1).id;
    assert_eq!(appeal(store, id, 0), AppealOutcome::NotFlagged);
    assert_eq!(
        appeal(store, EntrantId::new(i64::MAX), 0),
        AppealOutcome::NotFlagged
    );
    assert_eq!(store.read(|tx| tx.find_hold(id)).unwrap(), None);
    set_flag(store, id);
    let by_hand = Hold::new(Some(PublicReason::Rules), false, vec![]);
    assert_eq!(store.read(|tx| tx.find_hold(id)).unwrap(), Some(by_hand));
    let first = appealed(store, id, 0);
    assert_eq!(appeal(store, id, 1), AppealOutcome::AlreadyOpen);
    decide(store, first, Decision::Reject).unwrap();
    let second = appealed(store, id, 2);
    assert_ne!(first, second);
    assert_eq!(newest(store, id).map(|appeal| appeal.id), Some(second));
    decide(store, second, Decision::Accept).unwrap();
    assert_eq!(appeal(store, id, 3), AppealOutcome::NotFlagged);
    set_flag(store, id);
    appealed(store, id, 4);
}

pub fn an_appeal_is_decided_once<S: Store>(store: &S) {
    let id = flagged_entrant(store, 1);
    let open = appealed(store, id, 0);
    decide(store, open, Decision::Reject).unwrap();
    for decision in [Decision::Accept, Decision::Reject] {
        let again = decide(store, open, decision);
        assert!(matches!(again, Err(DecideError::DecidedBefore)), "{again:?}");
    }
    assert_eq!(
        (status(store, id), flagged(store)),
        (Some(AppealStatus::Rejected), vec![id.get()])
    );
    let unknown = decide(store, AppealId::new(i64::MAX), Decision::Accept);
    assert!(matches!(unknown, Err(DecideError::UnknownAppeal)), "{unknown:?}");
    let filter = AuditFilter {
        action: Some(Action::DecideAppeal),
        ..AuditFilter::default()
    };
    let recorded = store.read(|tx| tx.count_audit(&filter)).unwrap();
    assert_eq!(recorded, 1, "a refused decision is not in the audit log");
}

pub fn accepting_an_appeal_gives_the_referrers_entry_back<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let friends = [2, 3].map(|n| entered_through(store, n, &popular.referral_code).id);
    friends.iter().for_each(|id| set_flag(store, *id));
    assert_eq!(bonus_and_friends(store, popular.id).0, 0);
    let [accepted, rejected] = friends.map(|id| appealed(store, id, 0));
    decide(store, rejected, Decision::Reject).unwrap();
    decide(store, accepted, Decision::Accept).unwrap();
    let (bonus, counts) = bonus_and_friends(store, popular.id);
    assert_eq!((bonus, counts.on_hold), (1, 1));
    assert_balanced(store);
}

pub fn the_end_of_a_flag_accepts_the_open_appeal<S: Store>(store: &S) {
    let id = flagged_entrant(store, 1);
    let rejected = appealed(store, id, 0);
    decide(store, rejected, Decision::Reject).unwrap();
    let open = appealed(store, id, 1);
    store.transaction(|tx| tx.unflag(id, later(2))).unwrap();
    let closed = find(store, open).appeal;
    assert_eq!((closed.status, closed.note), (AppealStatus::Accepted, None));
    assert_eq!(closed.decided_at, Some(later(2)));
    assert_eq!(find(store, rejected).appeal.status, AppealStatus::Rejected);
    let again = decide(store, open, Decision::Reject);
    assert!(matches!(again, Err(DecideError::DecidedBefore)), "{again:?}");
}

pub fn open_appeals_are_listed_first_and_in_pages<S: Store>(store: &S) {
    let entrants = [1, 2, 3, 4, 5].map(|n| flagged_entrant(store, n));
    let appeals = entrants.map(|id| appealed(store, id, 0));
    let verdict = |decision, minute| Verdict {
        decision,
        note: None,
        at: later(minute),
    };
    for (n, decision, minute) in [
        (0, Decision::Reject, 5),
        (3, Decision::Accept, 9),
        (1, Decision::Reject, 7),
    ] {
        let verdict = verdict(decision, minute);
        let decided = store
            .transaction(|tx| tx.decide_appeal(appeals[n], &verdict))
            .unwrap();
        assert_eq!(decided, DecisionOutcome::Decided(entrants[n]));
    }
    let listed = |status, limit, offset| {
        let page = PageRequest { limit, offset };
        let rows = store.read(|tx| tx.list_appeals(status, page)).unwrap();
        let place = |row: AppealCase| appeals.iter().position(|id| *id == row.appeal.id).unwrap();
        rows.into_iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(listed(None, 9, 0), [2, 4, 3, 1, 0]);
    assert_eq!(listed(None, 2, 1), [4, 3]);
    assert_eq!(listed(Some(AppealStatus::Open), 9, 0), [2, 4]);
    assert_eq!(listed(Some(AppealStatus::Rejected), 9, 0), [1, 0]);
    assert_eq!(listed(Some(AppealStatus::Accepted), 9, 0), [3]);
    let count = |status| store.read(|tx| tx.count_appeals(status)).unwrap();
    assert_eq!((count(None), count(Some(AppealStatus::Open))), (5, 2));
}

pub fn of_concurrent_appeals_one_is_added<S: Store>(store: &S) {
    let id = flagged_entrant(store, 1);
    let outcomes = at_once(8, |n| appeal(store, id, n.into()));
    let added = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, AppealOutcome::Added(_)));
    assert_eq!(added.count(), 1);
    assert_eq!(store.read(|tx| tx.count_appeals(None)).unwrap(), 1);
}

pub fn of_concurrent_decisions_and_ends_of_the_flag_one_decides<S: Store>(store: &S) {
    let popular = entered(store, 1);
    for round in 0..5 {
        let id = entered_through(store, 10 + round, &popular.referral_code).id;
        set_flag(store, id);
        let open = appealed(store, id, 0);
        let decided = at_once(6, |n| match n {
            0 | 1 => decide(store, open, Decision::Accept).is_ok(),
            2 | 3 => decide(store, open, Decision::Reject).is_ok(),
            _ => store
                .transaction(|tx| tx.unflag(id, noon()).map(|_| false))
                .unwrap(),
        });
        let times = decided.iter().filter(|decided| **decided).count();
        assert!(times <= 1, "{decided:?}");
        let note = newest(store, id).unwrap().note;
        assert_eq!(note.is_some(), times == 1, "who ended the flag left no note");
        assert_eq!(flagged(store), [0; 0]);
        assert_eq!(bonus_and_friends(store, popular.id).0, i64::from(round) + 1);
        assert_balanced(store);
    }
}

/// An appeal that is being added holds up the end of the flag, which then accepts it.
pub fn no_appeal_stays_open_without_a_flag<S: Store>(store: &S) {
    for n in 0..10 {
        let id = flagged_entrant(store, n);
        at_once(2, |turn| match turn {
            0 => drop(appeal(store, id, 0)),
            _ => store
                .transaction::<_, StoreError>(|tx| tx.unflag(id, noon()).map(drop))
                .unwrap(),
        });
        assert_ne!(status(store, id), Some(AppealStatus::Open));
    }
}
