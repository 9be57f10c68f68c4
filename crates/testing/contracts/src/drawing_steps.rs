//! The steps of drawings as they are stored.

pub(crate) mod sample;

use crate::Store;
use crate::support::{at_once, entered, noon};
use chrono::TimeDelta;
use drawing::beacon::Round;
use drawing::steps::{
    Announced, DrawingState, DrawingStatus, DrawingSteps, Drawn, DueDrawings, KeyedRequest, Plan, Sealed,
};
use drawing::{
    BeaconChoice, DrawingId, DrawingKind, DrawingLog, DrawingPrize, DrawingSort, Drawings, Hash, LogAction,
};
use kernel::{PageRequest, SortOrder, StoreError};
use raffle::fixtures::{GARDEN_BAG, KITCHEN_GARDEN};
use sample::{
    RAFFLE, announce, announce_again, announcement, assert_refused, draw_it, find, key, log, logged, moment,
    never, period, plan, prize, result, seal, seal_it, void_it,
};

pub fn a_drawing_reads_back_after_each_step<S: Store>(store: &S) {
    let winners = [1, 2, 3].map(|n| entered(store, n));
    let plan = Plan {
        kind: DrawingKind::Additional,
        reason: Some("a second chance 🌱".to_owned()),
        prize: DrawingPrize::own(prize("Basket")),
        cut_off: Some(moment(200)),
        request: Some(KeyedRequest {
            key: key("one"),
            body: Hash::new([5; 32]),
        }),
        session: Some(8),
        ..plan(1, 11)
    };
    let mut state = announce(store, &plan, announcement(1)).unwrap();
    let assert_reads_back = |state: &DrawingState| {
        assert_eq!(find(store, state.id).as_ref(), Some(state));
        let by_key = store.read(|tx| tx.find_state_by_key(&key("one"))).unwrap();
        assert_eq!(by_key.as_ref(), Some(state));
    };
    assert_reads_back(&state);
    let later = Announced {
        round: Some(Round::MAX),
        round_at: Some(never() - TimeDelta::hours(1)),
        ..announcement(2)
    };
    announce_again(store, &mut state, later).unwrap();
    assert_reads_back(&state);
    seal_it(store, &mut state, &seal(1)).unwrap();
    assert_reads_back(&state);
    draw_it(store, &mut state, &result(&winners)).unwrap();
    assert_reads_back(&state);

    assert_eq!(find(store, DrawingId::new(i64::MAX)), None);
    assert_eq!(store.read(|tx| tx.find_state_by_key(&key("two"))).unwrap(), None);
}

pub fn a_drawing_without_a_beacon_takes_all_steps_at_once<S: Store>(store: &S) {
    let winner = entered(store, 1);
    let plan = Plan {
        beacon: BeaconChoice::Off,
        ..plan(1, 11)
    };
    let off = Announced {
        number: 1,
        round: None,
        round_at: None,
        seal_due_at: noon(),
        seal_before: None,
    };
    let drawn = Drawn {
        signature: None,
        ..result(&[winner])
    };
    let state = store
        .transaction::<_, StoreError>(|tx| {
            tx.begin_drawing()?;
            let id = tx.reserve_drawing_id()?;
            tx.add_plan(id, &plan)?;
            let announcement = logged(tx, id, LogAction::DrawingAnnounced, off)?;
            tx.add_announcement(id, &announcement)?;
            let sealed = logged(tx, id, LogAction::DrawingSealed, seal(1))?;
            tx.add_seal(id, &sealed)?;
            let drawn = logged(tx, id, LogAction::DrawingPerformed, drawn.clone())?;
            tx.add_result(id, &drawn)?;
            Ok(DrawingState {
                id,
                plan: plan.clone(),
                status: DrawingStatus::Drawn,
                announcement,
                seal: Some(sealed),
                result: Some(drawn),
                void: None,
                late: None,
            })
        })
        .unwrap();
    assert_eq!(find(store, state.id), Some(state));
}

pub fn a_void_drawing_reads_back<S: Store>(store: &S) {
    let mut empty = announce(store, &plan(1, 11), announcement(1)).unwrap();
    void_it(store, &mut empty).unwrap();
    assert_eq!(find(store, empty.id), Some(empty));
    let mut sealed = announce(store, &plan(2, 11), announcement(1)).unwrap();
    seal_it(store, &mut sealed, &seal(2)).unwrap();
    void_it(store, &mut sealed).unwrap();
    assert_eq!(find(store, sealed.id), Some(sealed));
}

pub fn a_drawing_takes_no_step_that_its_status_does_not_allow<S: Store>(store: &S) {
    let winner = [entered(store, 1)];
    let mut state = announce(store, &plan(1, 11), announcement(1)).unwrap();
    let steps = |next: &[u8], state: &DrawingState| {
        for step in next {
            let mut state = state.clone();
            assert_refused(match step {
                0 => announce_again(store, &mut state, announcement(2)),
                1 => seal_it(store, &mut state, &seal(1)),
                2 => draw_it(store, &mut state, &result(&winner)),
                _ => void_it(store, &mut state),
            });
        }
        assert_eq!(find(store, state.id).as_ref(), Some(state));
    };
    steps(&[2], &state);
    assert_refused(announce_again(store, &mut state.clone(), announcement(3)));
    seal_it(store, &mut state, &seal(1)).unwrap();
    steps(&[0, 1], &state);
    draw_it(store, &mut state, &result(&winner)).unwrap();
    steps(&[0, 1, 2, 3], &state);
    let mut void = announce(store, &plan(2, 12), announcement(1)).unwrap();
    void_it(store, &mut void).unwrap();
    steps(&[0, 1, 2, 3], &void);
}

pub fn a_raffle_has_one_regular_drawing_of_a_period<S: Store>(store: &S) {
    let regular = |month| {
        store
            .read(|tx| tx.regular_drawing_of(RAFFLE, period(month)))
            .unwrap()
    };
    let replaced = || store.read(|tx| tx.unreplaced_void(RAFFLE)).unwrap();
    assert_eq!((regular(11), replaced()), (None, None));
    let mut first = announce(store, &plan(1, 11), announcement(1)).unwrap();
    assert_eq!(regular(11), Some(first.clone()));
    assert_eq!(regular(12), None);
    assert_refused(announce(store, &plan(2, 11), announcement(1)));
    let without_reason = Plan {
        kind: DrawingKind::Additional,
        ..plan(2, 11)
    };
    assert_refused(announce(store, &without_reason, announcement(1)));
    let elsewhere = Plan {
        raffle: GARDEN_BAG,
        ..plan(3, 11)
    };
    announce(store, &elsewhere, announcement(1)).unwrap();
    let additional = Plan {
        kind: DrawingKind::Additional,
        reason: Some("not stated".to_owned()),
        ..plan(4, 11)
    };
    announce(store, &additional, announcement(1)).unwrap();
    assert_eq!(regular(11), Some(first.clone()));

    seal_it(store, &mut first, &seal(1)).unwrap();
    assert_eq!(replaced(), None);
    void_it(store, &mut first).unwrap();
    assert_eq!((regular(11), replaced()), (None, Some(first.clone())));
    let taking = Plan {
        replaces: Some(first.id),
        ..plan(5, 11)
    };
    let mut second = announce(store, &taking, announcement(1)).unwrap();
    assert_eq!((regular(11), replaced()), (Some(second.clone()), None));
    void_it(store, &mut second).unwrap();
    assert_eq!(
        (regular(11), replaced()),
        (None, Some(first)),
        "one that was never sealed replaces nothing"
    );
}

pub fn a_commitment_is_lent_only_while_its_seed_is_secret<S: Store>(store: &S) {
    let unused = || store.read(|tx| tx.unused_commitment(RAFFLE)).unwrap();
    let mut empty = announce(store, &plan(1, 11), announcement(1)).unwrap();
    assert_eq!(unused(), None);
    assert_refused(announce(store, &plan(1, 12), announcement(1)));
    void_it(store, &mut empty).unwrap();
    assert_eq!(unused(), Some(empty));
    assert_eq!(store.read(|tx| tx.unused_commitment(GARDEN_BAG)).unwrap(), None);

    let mut borrower = announce(store, &plan(1, 12), announcement(1)).unwrap();
    assert_eq!(unused(), None);
    seal_it(store, &mut borrower, &seal(1)).unwrap();
    void_it(store, &mut borrower).unwrap();
    assert_eq!(unused(), None);
    assert_refused(announce(store, &plan(1, 12), announcement(1)));
}

pub fn the_newest_open_drawing_of_a_raffle_is_found<S: Store>(store: &S) {
    let open = || store.read(|tx| tx.open_drawing(RAFFLE)).unwrap();
    assert_eq!(open(), None);
    let mut first = announce(store, &plan(1, 11), announcement(1)).unwrap();
    let mut second = announce(store, &plan(2, 12), announcement(1)).unwrap();
    assert_eq!(open(), Some(second.clone()));
    void_it(store, &mut second).unwrap();
    assert_eq!(open(), Some(first.clone()));
    seal_it(store, &mut first, &seal(1)).unwrap();
    assert_eq!(open(), Some(first.clone()));
    draw_it(store, &mut first, &result(&[entered(store, 1)])).unwrap();
    assert_eq!(open(), None);
}

pub fn the_next_cut_off_is_of_an_announced_drawing_with_a_list_of_its_own<S: Store>(store: &S) {
    let next = |after| store.read(|tx| tx.next_cut_off(RAFFLE, moment(after))).unwrap();
    assert_eq!(next(0), None);
    let with_cut_off = |n, month, cut_off| Plan {
        cut_off: Some(moment(cut_off)),
        ..plan(n, month)
    };
    let mut voided = announce(store, &plan(1, 10), announcement(1)).unwrap();
    seal_it(store, &mut voided, &seal(1)).unwrap();
    void_it(store, &mut voided).unwrap();
    let replacing = Plan {
        replaces: Some(voided.id),
        ..with_cut_off(4, 10, 40)
    };
    announce(store, &replacing, announcement(1)).unwrap();
    assert_eq!(next(0), None, "its list is that of the void one");

    let mut late = announce(store, &with_cut_off(2, 11, 100), announcement(1)).unwrap();
    let by_hand = Plan {
        kind: DrawingKind::Additional,
        reason: Some("a second chance".to_owned()),
        prize: DrawingPrize::own(prize("Basket")),
        ..plan(3, 11)
    };
    let due = Announced {
        seal_due_at: moment(50),
        ..announcement(1)
    };
    let mut early = announce(store, &by_hand, due).unwrap();
    assert_eq!(
        [0, 49, 50, 99, 100].map(next),
        [Some(50), Some(50), Some(100), Some(100), None].map(|at| at.map(moment))
    );
    let other = store.read(|tx| tx.next_cut_off(KITCHEN_GARDEN, moment(0)));
    assert_eq!(other.unwrap(), None);
    let again = Announced {
        seal_due_at: moment(60),
        ..announcement(2)
    };
    announce_again(store, &mut early, again).unwrap();
    assert_eq!(next(0), Some(moment(60)), "the newest announcement counts");
    void_it(store, &mut early).unwrap();
    assert_eq!(next(0), Some(moment(100)));
    seal_it(store, &mut late, &seal(2)).unwrap();
    assert_eq!(next(0), None, "its list is frozen");
}

pub fn a_seal_is_not_committed_after_its_time<S: Store>(store: &S) {
    let late = Announced {
        seal_before: Some(noon()),
        ..announcement(1)
    };
    let mut state = announce(store, &plan(1, 11), late).unwrap();
    let log_before = store.read(|tx| tx.last_log_entry()).unwrap();
    let mut work = 0;
    let refused = store.transaction::<_, StoreError>(|tx| {
        work += 1;
        tx.begin_drawing()?;
        let sealed = logged(tx, state.id, LogAction::DrawingSealed, seal(1))?;
        tx.add_seal(state.id, &sealed)
    });
    assert!(matches!(refused, Err(StoreError::TooLate)), "{refused:?}");
    assert_eq!(work, 1, "it is not tried again");
    assert_eq!(find(store, state.id).as_ref(), Some(&state));
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), log_before);

    announce_again(store, &mut state, announcement(2)).unwrap();
    seal_it(store, &mut state, &seal(1)).unwrap();
    assert_eq!(find(store, state.id), Some(state));
}

pub fn drawings_are_due_when_their_time_has_come<S: Store>(store: &S) {
    let due = || store.read(|tx| tx.list_due()).unwrap();
    assert_eq!(due(), DueDrawings::default());
    let early = Announced {
        seal_due_at: never(),
        ..announcement(1)
    };
    let mut later = announce(store, &plan(1, 11), early).unwrap();
    let mut now = announce(store, &plan(2, 12), announcement(1)).unwrap();
    let list = |to_seal: &[&DrawingState], to_draw: &[&DrawingState]| DueDrawings {
        to_seal: to_seal.iter().map(|state| state.id).collect(),
        to_draw: to_draw.iter().map(|state| state.id).collect(),
    };
    assert_eq!(due(), list(&[&now], &[]));
    announce_again(store, &mut later, announcement(2)).unwrap();
    assert_eq!(
        due(),
        list(&[&later, &now], &[]),
        "the newest announcement counts"
    );
    let past = Announced {
        round_at: Some(noon()),
        ..announcement(2)
    };
    announce_again(store, &mut now, past).unwrap();
    seal_it(store, &mut later, &seal(1)).unwrap();
    seal_it(store, &mut now, &seal(2)).unwrap();
    assert_eq!(due(), list(&[], &[&now]), "the round of the other one is to come");
    void_it(store, &mut now).unwrap();
    assert_eq!(due(), DueDrawings::default());
}

pub fn drawings_with_a_list_are_sorted_and_paged<S: Store>(store: &S) {
    let winner = entered(store, 1);
    let mut ids = Vec::new();
    let rows = [
        (1, KITCHEN_GARDEN, moment(1), 5, 9, Some(4)),
        (2, RAFFLE, moment(3), 7, 8, None),
        (3, KITCHEN_GARDEN, moment(2), 6, 8, Some(9)),
    ];
    for (n, raffle, at, participants, entries, winning) in rows {
        let plan = Plan {
            raffle,
            at,
            ..plan(n, n.into())
        };
        let mut state = announce(store, &plan, announcement(1)).unwrap();
        let sealed = Sealed {
            participants,
            entries,
            ..seal(n)
        };
        seal_it(store, &mut state, &sealed).unwrap();
        if let Some(entry_number) = winning {
            let mut drawn = result(std::slice::from_ref(&winner));
            drawn.ranks[0].entry_number = entry_number.min(entries);
            draw_it(store, &mut state, &drawn).unwrap();
        }
        ids.push(state.id);
    }
    let mut void = announce(store, &plan(4, 4), announcement(1)).unwrap();
    seal_it(store, &mut void, &seal(4)).unwrap();
    void_it(store, &mut void).unwrap();
    ids.push(void.id);
    let mut empty = announce(store, &plan(5, 5), announcement(1)).unwrap();
    void_it(store, &mut empty).unwrap();
    announce(store, &plan(6, 6), announcement(1)).unwrap();

    let list = |sort, order, limit, offset| {
        let page = PageRequest { limit, offset };
        let list = store
            .read(|tx| tx.list_drawings(None, sort, order, page))
            .unwrap();
        for drawing in &list {
            assert_eq!(find(store, drawing.id).as_ref(), Some(drawing));
        }
        let place = |drawing: &DrawingState| ids.iter().position(|id| *id == drawing.id).unwrap();
        list.iter().map(place).collect::<Vec<_>>()
    };
    let (up, down) = (SortOrder::Ascending, SortOrder::Descending);
    assert_eq!(list(DrawingSort::CreatedAt, up, 9, 0), [0, 2, 1, 3]);
    assert_eq!(list(DrawingSort::CreatedAt, down, 2, 1), [1, 2]);
    assert_eq!(list(DrawingSort::Raffle, up, 9, 0), [1, 3, 0, 2]);
    assert_eq!(list(DrawingSort::Raffle, down, 9, 0), [2, 0, 3, 1]);
    assert_eq!(list(DrawingSort::TotalParticipants, down, 9, 0), [3, 1, 2, 0]);
    assert_eq!(list(DrawingSort::TotalEntries, up, 9, 0), [1, 2, 0, 3]);
    assert_eq!(
        list(DrawingSort::WinningEntryNumber, up, 9, 0),
        [0, 2, 1, 3],
        "without a value last"
    );
    assert_eq!(
        list(DrawingSort::WinningEntryNumber, down, 9, 0),
        [2, 0, 3, 1],
        "without a value last"
    );
    assert!(
        list(DrawingSort::CreatedAt, up, 0, 0).is_empty()
            && list(DrawingSort::CreatedAt, up, 9, 4).is_empty()
    );
    let count = |raffle| store.read(|tx| tx.count_drawings(raffle)).unwrap();
    assert_eq!(
        (count(None), count(Some(KITCHEN_GARDEN)), count(Some(GARDEN_BAG))),
        (4, 2, 0)
    );
    let (sort, page) = (DrawingSort::CreatedAt, PageRequest { limit: 1, offset: 1 });
    let of_raffle = |raffle| {
        let list = store.read(|tx| tx.list_drawings(Some(raffle), sort, up, page));
        list.unwrap().iter().map(|drawing| drawing.id).collect::<Vec<_>>()
    };
    assert_eq!(of_raffle(KITCHEN_GARDEN), [ids[2]]);
    assert_eq!(of_raffle(GARDEN_BAG), []);
    let voids = |raffle| store.read(|tx| tx.count_voids(raffle)).unwrap();
    assert_eq!((voids(RAFFLE), voids(GARDEN_BAG)), (1, 0));
}

pub fn the_newest_checkpoint_is_found<S: Store>(store: &S) {
    let last = || store.read(|tx| tx.last_checkpoint_at()).unwrap();
    assert_eq!(last(), None);
    announce(store, &plan(1, 11), announcement(1)).unwrap();
    assert_eq!(last(), None);
    for _ in 0..2 {
        let at = store
            .transaction::<_, StoreError>(|tx| {
                tx.begin_drawing()?;
                Ok(log(tx, None, LogAction::Checkpoint)?.entry.at)
            })
            .unwrap();
        assert_eq!(last(), Some(at));
    }
}

pub fn an_idempotency_key_has_one_drawing<S: Store>(store: &S) {
    let keyed = |n, month| Plan {
        request: Some(KeyedRequest {
            key: key("one"),
            body: Hash::new([n; 32]),
        }),
        ..plan(n, month)
    };
    let first = announce(store, &keyed(1, 11), announcement(1)).unwrap();
    assert_refused(announce(store, &keyed(2, 12), announcement(1)));
    assert_eq!(
        store.read(|tx| tx.find_state_by_key(&key("one"))).unwrap(),
        Some(first)
    );
}

pub fn a_step_that_is_rolled_back_leaves_nothing<S: Store>(store: &S) {
    let state = announce(store, &plan(1, 11), announcement(1)).unwrap();
    let log_before = store.read(|tx| tx.last_log_entry()).unwrap();
    let rolled_back = store.transaction::<(), StoreError>(|tx| {
        tx.begin_drawing()?;
        let sealed = logged(tx, state.id, LogAction::DrawingSealed, seal(1))?;
        tx.add_seal(state.id, &sealed)?;
        assert_eq!(
            tx.find_state(state.id)?.map(|state| state.status),
            Some(DrawingStatus::Sealed)
        );
        Err(StoreError::Conflict)
    });
    assert!(rolled_back.is_err());
    assert_eq!(find(store, state.id), Some(state));
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), log_before);
}

pub fn one_of_several_concurrent_steps_is_taken<S: Store>(store: &S) {
    let state = announce(store, &plan(1, 11), announcement(1)).unwrap();
    let taken = at_once(8, |_| {
        let seal_once = |tx: &mut S::Tx| {
            tx.begin_drawing()?;
            if tx.find_state(state.id)?.map(|state| state.status) != Some(DrawingStatus::Announced) {
                return Ok(false);
            }
            let sealed = logged(tx, state.id, LogAction::DrawingSealed, seal(1))?;
            tx.add_seal(state.id, &sealed)?;
            Ok(true)
        };
        store.transaction::<_, StoreError>(seal_once).unwrap()
    });
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1);
    let sealed = find(store, state.id).unwrap();
    assert_eq!(sealed.status, DrawingStatus::Sealed);
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap().unwrap().0, 2);
}
