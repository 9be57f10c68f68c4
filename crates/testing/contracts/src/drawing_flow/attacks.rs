//! What an operator could try at the store, and what becomes of it.

use super::kit::{additional, entered_with_friends, find, now, seal_by_hand, whole_log};
use super::{Kit, drawn, log_actions, performed, waiting};
use crate::Store;
use chrono::TimeDelta;
use drawing::steps::{DrawingStatus, DrawingSteps, Drawn, DrawnRank, Logged, Plan, Voided};
use drawing::{Announcement, DrawingKind, Drawings, Hash};
use kernel::{DatabaseClock, StoreError};

/// Whoever holds a seal back until its round is known could choose among several.
pub fn a_seal_cannot_be_held_open_until_its_round_is_known<S: Store>(store: &S) {
    let kit = Kit::with_beacon(61);
    let announced = kit.announce_by_hand(store, |_, step| {
        step.seal_before = Some(step.seal_due_at + TimeDelta::milliseconds(400));
    });
    let deadline = announced.announcement.step.seal_before.unwrap();
    let held: Result<(), StoreError> = store.transaction(|tx| {
        tx.begin_drawing()?;
        seal_by_hand(tx, &announced)?;
        while tx.database_time()? <= deadline {
            std::thread::yield_now();
        }
        Ok(())
    });
    assert!(matches!(held, Err(StoreError::TooLate)), "{held:?}");
    assert_eq!(find(store, announced.id), announced);
    assert_eq!(log_actions(store), ["drawing_announced"]);
}

pub fn a_drawing_has_one_seal<S: Store>(store: &S) {
    let kit = Kit::with_beacon(62);
    let popular = entered_with_friends(store, 1, 3);
    let sealed = waiting(store, &kit);
    let second: Result<(), StoreError> = store.transaction(|tx| {
        tx.begin_drawing()?;
        seal_by_hand(tx, &sealed)
    });
    assert!(matches!(second, Err(StoreError::Failed(_))), "{second:?}");
    crate::support::entered_through(store, 50, &popular.referral_code);
    let again = usecases::drawings::seal(store, kit.tools(), sealed.id).unwrap();
    assert_eq!(again, sealed);
    assert_eq!(find(store, sealed.id), sealed);
}

pub fn a_step_that_the_status_does_not_allow_fails<S: Store>(store: &S) {
    let kit = Kit::with_beacon(63);
    let winner = entered_with_friends(store, 1, 3);
    let done = drawn(store, &Kit::new(64));
    let announced = kit.announce_by_hand(store, |plan, _| plan.kind = DrawingKind::Additional);
    let entry = whole_log(store).pop().unwrap();
    let again = Logged {
        step: drawing::steps::Announced {
            number: 2,
            ..done.announcement.step
        },
        entry: entry.clone(),
    };
    let result = Logged {
        step: Drawn {
            signature: None,
            ranks: vec![DrawnRank {
                rank: 0,
                entry_number: 1,
                index: 0,
                entrant: winner.id,
            }],
            winner_phone: Some(winner.phone),
            verification_hash: Hash::ZERO,
        },
        entry: entry.clone(),
    };
    let void = Logged {
        step: Voided {
            reason: "a reason".to_owned(),
        },
        entry,
    };
    type Step<'a, T> = &'a dyn Fn(&mut T) -> Result<(), StoreError>;
    let steps: [Step<S::Tx>; 5] = [
        &|tx| tx.add_announcement(done.id, &again),
        &|tx| seal_by_hand(tx, &done),
        &|tx| tx.add_result(done.id, &result),
        &|tx| tx.add_void(done.id, &void),
        &|tx| tx.add_result(announced.id, &result),
    ];
    for (n, step) in steps.iter().enumerate() {
        let refused: Result<(), StoreError> = store.transaction(|tx| {
            tx.begin_drawing()?;
            step(tx)
        });
        assert!(refused.is_err(), "step {n}");
    }
    assert_eq!(find(store, done.id), done);
    assert_eq!(find(store, announced.id), announced);
}

pub fn a_month_has_one_regular_drawing_and_a_commitment_one_seal<S: Store>(store: &S) {
    let kit = Kit::new(65);
    entered_with_friends(store, 1, 3);
    let done = drawn(store, &kit);
    let add = |change: fn(&mut Plan)| {
        let mut plan = Plan {
            commitment: Hash::new([77; 32]),
            ..done.plan.clone()
        };
        change(&mut plan);
        store.transaction::<(), StoreError>(|tx| {
            tx.begin_drawing()?;
            let id = tx.reserve_drawing_id()?;
            tx.add_plan(id, &plan)
        })
    };
    assert!(add(|_| ()).is_err(), "a second regular drawing");
    let used = Plan {
        kind: DrawingKind::Additional,
        ..done.plan.clone()
    };
    let reused: Result<(), StoreError> = store.transaction(|tx| {
        tx.begin_drawing()?;
        let id = tx.reserve_drawing_id()?;
        tx.add_plan(id, &used)
    });
    assert!(reused.is_err(), "a seed that everybody knows");
}

/// A second try has to be additional, and says so in public before anything is drawn.
pub fn a_second_try_is_public_and_replaces_nothing<S: Store>(store: &S) {
    let kit = Kit::with_beacon(66);
    entered_with_friends(store, 1, 9);
    let sealed = waiting(store, &kit);
    let first = kit.draw(store, &sealed).unwrap();
    let before = now(store);
    let second = performed(store, &kit, &additional("We did not like the winner"));
    assert_eq!(second.status, DrawingStatus::Sealed);
    let log = whole_log(store);
    let announcement = Announcement::from_details(&log[3].entry.details).unwrap();
    assert_eq!(announcement.kind, DrawingKind::Additional);
    assert_eq!(announcement.reason.as_deref(), Some("We did not like the winner"));
    assert_eq!(
        announcement.version, first.plan.prize.version,
        "it has the prize of the month"
    );
    assert!(log[3].entry.at >= before);
    let void = usecases::drawings::missing_round(store, second.id);
    assert!(void.is_err(), "its round has not even come, so it is not voided");
    kit.draw(store, &second).unwrap();
    assert_eq!(find(store, first.id), first, "the first result stands");
    let month = store.read(|tx| tx.regular_drawing_of(first.plan.raffle, first.plan.period));
    assert_eq!(month.unwrap(), Some(first));
}
