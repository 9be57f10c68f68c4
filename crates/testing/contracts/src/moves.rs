//! Moving from a raffle that is over to another one (D56a).

use crate::Store;
use crate::drawing::list_at;
use crate::drawing_flow::kit::{Kit, RAFFLE, add_rules, now, request};
use crate::flags::flag;
use crate::people::import_into;
use crate::purchases::{begun, bought_unless_flagged, dispute, found, refund, reverse};
use crate::support::{
    Noon, SeededEntropy, assert_balanced, at_once, clear, command, entered, entered_through, free_date,
    ledger_of, noon, phone, staff_actor,
};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use drawing::FrozenEntrants;
use fraud::Flags;
use kernel::{DatabaseClock, EntrantId, StoreError};
use pricing::{
    CompleteOutcome, DisputeStatus, EntryCap, FreeEntries, FreeOutcome, PurchaseStatus, Purchases,
};
use raffle::fixtures::{FRESH_SIPS, KITCHEN_GARDEN};
use raffle::{Entrant, Entrants, Entries, EntryKind, EntryLedger, RaffleKey, RaffleMove, Raffles};
use staff::{ClearingKind, SecondPerson};
use usecases::drawings::{DrawingTimes, LastDrawing};
use usecases::entering::{EnterError, Entered, OwnEntrant};
use usecases::raffles::{ChangeOpening, When};

/// Moves an entrant to another raffle, whatever is to come there.
pub(crate) fn move_on<S: Store>(store: &S, id: EntrantId) {
    store
        .transaction::<_, StoreError>(|tx| {
            let from = tx.find_entrant(id)?.unwrap().raffle;
            let to = match from == FRESH_SIPS {
                true => KITCHEN_GARDEN,
                false => FRESH_SIPS,
            };
            tx.move_entrant(id, from, to)
        })
        .unwrap();
}

fn find<S: Store>(store: &S, id: EntrantId) -> Entrant {
    store.read(|tx| tx.find_entrant(id)).unwrap().unwrap()
}

fn entries<S: Store>(store: &S, id: EntrantId) -> Entries {
    assert_balanced(store);
    find(store, id).entries
}

fn moves<S: Store>(store: &S, id: EntrantId) -> Vec<RaffleMove> {
    store.read(|tx| tx.moves_of(id)).unwrap()
}

fn cap() -> EntryCap {
    EntryCap::new(1_000).unwrap()
}

fn claim_free<S: Store>(store: &S, id: EntrantId) -> FreeOutcome {
    let date = free_date(noon(), cap());
    store.transaction(|tx| tx.give_free_entries(id, date)).unwrap()
}

pub fn a_move_takes_all_entries_out_and_gives_one<S: Store>(store: &S) {
    let ann = entered(store, 1);
    entered_through(store, 2, &ann.referral_code);
    let FreeOutcome::Given(free) = claim_free(store, ann.id) else {
        panic!("nothing was given");
    };
    let bought = bought_unless_flagged(store, ann.id).unwrap();
    reverse(store, bought, &dispute(bought, DisputeStatus::Open));
    let before = entries(store, ann.id);
    assert!(before.held > 0 && before.bonus == 1 + free, "{before:?}");

    let start = now(store);
    move_on(store, ann.id);
    let moved = find(store, ann.id);
    let expected = Entrant {
        raffle: KITCHEN_GARDEN,
        entries: Entries::NEW,
        ..ann.clone()
    };
    assert_eq!(moved, expected, "the same id and code");
    assert_eq!(entries(store, ann.id), Entries::NEW);
    let rows = store.read(|tx| ledger_of(tx, ann.id)).unwrap();
    let last: Vec<_> = rows
        .iter()
        .rev()
        .take(6)
        .rev()
        .map(|row| (row.kind, row.delta))
        .collect();
    use EntryKind::{Base, MovedBase, MovedFree, MovedHeld, MovedPaid, MovedReferrals};
    let taken = [
        (MovedBase, -1),
        (MovedReferrals, -1),
        (MovedFree, -free),
        (MovedPaid, -before.paid),
        (MovedHeld, before.held),
        (Base, 1),
    ];
    assert_eq!(last, taken);
    let [only] = moves(store, ann.id)[..] else {
        panic!("not one move");
    };
    assert_eq!((only.from, only.to), (FRESH_SIPS, KITCHEN_GARDEN));
    assert!((start..=now(store)).contains(&only.at), "{only:?}");
    assert_eq!(store.read(|tx| tx.free_entries_of(ann.id)).unwrap(), 0);
    let just_before = only.at - TimeDelta::microseconds(1);
    let since = store.read(|tx| tx.entries_since(ann.id, just_before)).unwrap();
    assert_eq!(
        since,
        1 - before.in_drawings(),
        "all rows of a move have one time"
    );
}

pub fn what_was_earned_before_a_move_changes_nothing_after_it<S: Store>(store: &S) {
    let ann = entered(store, 1);
    let [bob, cleo] = [2, 3].map(|n| entered_through(store, n, &ann.referral_code).id);
    store.transaction(|tx| tx.flag(&flag(cleo))).unwrap();
    let [refunded, won, lost] = [(); 3].map(|()| bought_unless_flagged(store, ann.id).unwrap());
    reverse(store, won, &dispute(won, DisputeStatus::Open));
    move_on(store, ann.id);
    let unchanged = |what: &str| assert_eq!(entries(store, ann.id), Entries::NEW, "{what}");

    store.transaction(|tx| tx.flag(&flag(bob))).unwrap();
    unchanged("a friend is flagged");
    for friend in [bob, cleo] {
        store.transaction(|tx| tx.unflag(friend, noon())).unwrap();
        unchanged("a flag is removed");
    }
    assert!(refund(store, refunded));
    assert_eq!(found(store, refunded).status, PurchaseStatus::Refunded);
    assert!(reverse(store, won, &dispute(won, DisputeStatus::Won)));
    assert!(reverse(store, lost, &dispute(lost, DisputeStatus::Open)));
    assert!(reverse(store, lost, &dispute(lost, DisputeStatus::Lost)));
    assert_eq!(found(store, lost).status, PurchaseStatus::Refunded);
    assert!(!refund(store, refunded), "a report that is repeated");
    unchanged("refunds and disputes");
    clear(store, ClearingKind::ClearReferrals);
    unchanged("a clearing");
    assert_eq!(
        usecases::rollups::verify(store, Tz::UTC).unwrap(),
        [""; 0],
        "what was counted for the raffle of then stays there"
    );
}

pub fn what_is_earned_after_a_move_counts<S: Store>(store: &S) {
    let ann = entered(store, 1);
    entered_through(store, 2, &ann.referral_code);
    bought_unless_flagged(store, ann.id).unwrap();
    move_on(store, ann.id);
    let friend = entered_through(store, 3, &ann.referral_code).id;
    let bought = bought_unless_flagged(store, ann.id).unwrap();
    let after = entries(store, ann.id);
    assert_eq!((after.base, after.bonus), (1, 1));
    assert!(after.paid > 0);
    store.transaction(|tx| tx.flag(&flag(friend))).unwrap();
    assert_eq!(entries(store, ann.id).bonus, 0);
    store.transaction(|tx| tx.unflag(friend, noon())).unwrap();
    assert_eq!(entries(store, ann.id).bonus, 1);
    assert!(refund(store, bought));
    assert_eq!(entries(store, ann.id).paid, 0);
    clear(store, ClearingKind::ClearReferrals);
    assert_eq!(
        entries(store, ann.id),
        Entries::NEW,
        "it takes the entry for the one friend"
    );
}

pub fn an_open_purchase_of_before_a_move_is_refunded_when_it_is_paid<S: Store>(store: &S) {
    let ann = entered(store, 1).id;
    let (pending, canceled) = (begun(store, ann, 20), begun(store, ann, 20));
    let end = |tx: &mut S::Tx| tx.end_purchase(canceled, PurchaseStatus::Canceled, noon());
    store.transaction(end).unwrap();
    move_on(store, ann);
    for id in [pending, canceled] {
        let pay = || store.transaction(|tx| tx.complete_purchase(id, noon())).unwrap();
        assert_eq!(pay(), CompleteOutcome::Moved);
        assert_eq!(pay(), CompleteOutcome::Unchanged);
        assert_eq!(found(store, id).status, PurchaseStatus::Refunding);
        refund(store, id);
    }
    assert_eq!(entries(store, ann), Entries::NEW);
    let next = begun(store, ann, 20);
    let paid = store
        .transaction(|tx| tx.complete_purchase(next, noon()))
        .unwrap();
    assert_eq!((paid, entries(store, ann).paid), (CompleteOutcome::Credited, 20));
}

pub fn the_cap_and_the_free_entries_of_a_day_outlast_a_move<S: Store>(store: &S) {
    let ann = entered(store, 1).id;
    let day = free_date(noon(), cap()).day();
    claim_free(store, ann);
    bought_unless_flagged(store, ann).unwrap();
    let used = || store.read(|tx| tx.capped_entries(ann, day)).unwrap();
    let before = used();
    move_on(store, ann);
    assert_eq!(used(), before, "another raffle is no second cap");
    assert_eq!(claim_free(store, ann), FreeOutcome::AlreadyClaimed);
    assert_eq!(entries(store, ann), Entries::NEW);
}

pub fn a_list_has_those_who_were_in_the_raffle_at_its_cut_off<S: Store>(store: &S) {
    let [ann, bob, cleo] = [1, 2, 3].map(|n| entered(store, n));
    entered_through(store, 4, &ann.referral_code);
    let moment = || store.read(|tx| tx.database_time()).unwrap();
    let first = moment();
    move_on(store, ann.id);
    let second = moment();
    move_on(store, bob.id);
    move_on(store, ann.id);
    let third = moment();
    let list = |raffle: RaffleKey, cut_off: DateTime<Utc>| {
        let mut list = list_at(store, raffle, cut_off);
        list.retain(|(id, _)| [ann.id, bob.id, cleo.id].contains(id));
        list.sort();
        list
    };
    let of = |rows: &[(&Entrant, u64)]| {
        let mut rows: Vec<_> = rows
            .iter()
            .map(|(entrant, weight)| (entrant.id, *weight))
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(list(FRESH_SIPS, first), of(&[(&ann, 2), (&bob, 1), (&cleo, 1)]));
    assert_eq!(list(KITCHEN_GARDEN, first), []);
    assert_eq!(list(FRESH_SIPS, second), of(&[(&bob, 1), (&cleo, 1)]));
    assert_eq!(list(KITCHEN_GARDEN, second), of(&[(&ann, 1)]));
    assert_eq!(list(FRESH_SIPS, third), of(&[(&ann, 1), (&cleo, 1)]));
    assert_eq!(list(KITCHEN_GARDEN, third), of(&[(&bob, 1)]));

    // In parts, too, whoever has gone stands where the tag belongs.
    let mut parts = Vec::new();
    let mut after = None;
    store
        .snapshot::<_, StoreError>(|tx| {
            loop {
                let before = parts.len();
                tx.read_participants(FRESH_SIPS, first, after, 1, &mut |one| parts.push(one.tag))?;
                after = parts.last().copied();
                if parts.len() == before {
                    return Ok(());
                }
            }
        })
        .unwrap();
    assert_eq!(parts.len(), 4);
    assert!(parts.is_sorted());

    store.transaction(|tx| tx.flag(&flag(bob.id))).unwrap();
    let flagged = |raffle, cut_off| store.snapshot(|tx| tx.left_out(raffle, cut_off)).unwrap().flagged;
    assert_eq!(
        [flagged(FRESH_SIPS, second), flagged(KITCHEN_GARDEN, second)],
        [1, 0]
    );
    assert_eq!(
        [flagged(FRESH_SIPS, third), flagged(KITCHEN_GARDEN, third)],
        [0, 1]
    );
}

pub fn imported_entries_stay_with_the_raffle_of_the_import<S: Store>(store: &S) {
    import_into(store, KITCHEN_GARDEN, [1, 2]);
    let before = now(store);
    let imported = |raffle, cut_off| store.snapshot(|tx| tx.imported_entries(raffle, cut_off)).unwrap();
    let id = store
        .read(|tx| tx.find_entrant_by_phone(&phone(1)))
        .unwrap()
        .unwrap()
        .id;
    move_on(store, id);
    let after = now(store);
    assert_eq!(
        [imported(KITCHEN_GARDEN, before), imported(FRESH_SIPS, before)],
        [2, 0]
    );
    assert_eq!(
        [imported(KITCHEN_GARDEN, after), imported(FRESH_SIPS, after)],
        [1, 0]
    );
    import_into(store, KITCHEN_GARDEN, []);
    assert_eq!(find(store, id).raffle, FRESH_SIPS);
}

pub fn of_many_moves_at_once_one_is_made<S: Store>(store: &S) {
    let ann = entered(store, 1);
    let made = at_once(20, |n| {
        if n % 4 == 0 {
            entered_through(store, 100 + n, &ann.referral_code);
            return false;
        }
        if n % 4 == 1 {
            bought_unless_flagged(store, ann.id);
            return false;
        }
        let move_it = |tx: &mut S::Tx| tx.move_entrant(ann.id, FRESH_SIPS, KITCHEN_GARDEN);
        store.transaction(move_it).unwrap()
    });
    assert_eq!(made.into_iter().filter(|made| *made).count(), 1);
    assert_eq!(moves(store, ann.id).len(), 1);
    entries(store, ann.id);
    // What came before the move is out, and what came after it counts.
    move_on(store, ann.id);
    assert_eq!(entries(store, ann.id), Entries::NEW);
}

// ---- entering another raffle ----

const TIMES: DrawingTimes = DrawingTimes::DEFAULT;

fn change() -> ChangeOpening {
    ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: RAFFLE,
        when: When::Now,
        reason: Some("The prize is gone".to_owned()),
    }
}

fn close<S: Store>(store: &S) {
    usecases::raffles::close(store, Tz::UTC, &change()).unwrap();
}

/// Enters with the number `n`. `own`: the entrant that the browser's token names.
fn try_to_enter<S: Store>(
    store: &S,
    n: u32,
    raffle: RaffleKey,
    own: Option<EntrantId>,
) -> Result<Entered, EnterError> {
    let mut command = command(phone(n), None);
    command.raffle = Some(raffle);
    let own = own.map(|id| OwnEntrant { id, times: TIMES });
    usecases::entering::enter(
        store,
        &Noon,
        &SeededEntropy::new(u64::from(n) + 500),
        &command,
        own,
    )
}

fn enter<S: Store>(store: &S, n: u32, raffle: RaffleKey, own: Option<EntrantId>) -> Entered {
    try_to_enter(store, n, raffle, own).unwrap()
}

fn assert_unchanged<S: Store>(store: &S, entered: &Entered, before: &Entrant) {
    assert_eq!(
        (&entered.entrant, entered.is_new, entered.moved_from),
        (before, false, None)
    );
    assert_eq!(find(store, before.id), *before);
    assert_eq!(moves(store, before.id), []);
}

pub fn a_number_stays_in_its_raffle_until_its_last_drawing<S: Store>(store: &S) {
    let ann = entered(store, 1);
    let stays = || {
        let entered = enter(store, 1, KITCHEN_GARDEN, Some(ann.id));
        assert_unchanged(store, &entered, &ann);
    };
    let last = || usecases::drawings::last_drawing(store, DrawingTimes::DEFAULT, FRESH_SIPS).unwrap();
    stays(); // it is open
    assert_eq!(last(), None);
    close(store);
    stays(); // staff can still draw the month
    assert_eq!(last(), Some(LastDrawing { due_at: None }));
    let kit = Kit::with_beacon(5);
    let waiting = kit.perform(store, &request(None)).unwrap();
    let usecases::drawings::Performed::Waiting(state) = waiting else {
        panic!("{waiting:?}");
    };
    assert!(state.seal.is_some());
    stays(); // its list is sealed, and its round is to come
    let due_at = state.announcement.step.round_at;
    assert!(due_at.is_some());
    assert_eq!(last(), Some(LastDrawing { due_at }));
    kit.draw(store, &state).unwrap();
    assert_eq!(last(), None);
    let entered = enter(store, 1, KITCHEN_GARDEN, Some(ann.id));
    assert_eq!(entered.moved_from, Some(FRESH_SIPS));
}

pub fn whoever_proves_the_number_moves_after_the_last_drawing<S: Store>(store: &S) {
    let (ann, bob) = (entered(store, 1), entered(store, 2));
    Kit::new(6).perform(store, &request(None)).unwrap();
    close(store);
    for own in [None, Some(bob.id)] {
        let entered = enter(store, 1, KITCHEN_GARDEN, own);
        assert_unchanged(store, &entered, &ann);
    }
    let closed = try_to_enter(store, 1, FRESH_SIPS, Some(ann.id));
    assert!(matches!(closed, Err(EnterError::NotOpen(_))), "{closed:?}");

    let mut through_a_friend = command(phone(1), Some(&bob.referral_code));
    through_a_friend.raffle = Some(KITCHEN_GARDEN);
    let own = OwnEntrant {
        id: ann.id,
        times: TIMES,
    };
    let entropy = SeededEntropy::new(7);
    let entered = usecases::entering::enter(store, &Noon, &entropy, &through_a_friend, Some(own)).unwrap();
    assert_eq!((entered.is_new, entered.moved_from), (false, Some(FRESH_SIPS)));
    assert_eq!(
        (entered.entrant.raffle, entered.entrant.entries),
        (KITCHEN_GARDEN, Entries::NEW)
    );
    assert_eq!(entered.entrant, find(store, ann.id));
    assert_eq!(entries(store, bob.id), Entries::NEW, "nobody is credited");
    assert_eq!(entered.entrant.referral_code, ann.referral_code);

    let again = enter(store, 1, KITCHEN_GARDEN, Some(ann.id));
    assert_eq!((again.is_new, again.moved_from), (false, None));
    assert_eq!(moves(store, ann.id).len(), 1);
}

/// Into a raffle that opened again: its entries of before do not come back.
pub fn a_number_moves_once_and_back<S: Store>(store: &S) {
    let ann = entered(store, 1);
    entered_through(store, 2, &ann.referral_code);
    Kit::new(6).perform(store, &request(None)).unwrap();
    close(store);
    enter(store, 1, KITCHEN_GARDEN, Some(ann.id));
    usecases::raffles::open(store, Tz::UTC, &change()).unwrap();
    let stays = enter(store, 1, FRESH_SIPS, Some(ann.id));
    assert_eq!(stays.moved_from, None, "the other one is open");
    let kitchen = ChangeOpening {
        raffle: KITCHEN_GARDEN,
        ..change()
    };
    let mut draw = request(None);
    draw.raffle = KITCHEN_GARDEN;
    Kit::new(8).perform(store, &draw).unwrap();
    usecases::raffles::close(store, Tz::UTC, &kitchen).unwrap();
    let back = enter(store, 1, FRESH_SIPS, Some(ann.id));
    assert_eq!(back.moved_from, Some(KITCHEN_GARDEN));
    assert_eq!(entries(store, ann.id), Entries::NEW);
    assert_eq!(moves(store, ann.id).len(), 2);
}

/// Some enter, some move, some buy and claim free entries, while both raffles close and open.
pub fn entering_moving_and_closing_at_once_leave_nobody_in_a_closed_raffle<S: Store>(store: &S) {
    const PEOPLE: u32 = 6;
    let people: Vec<_> = (0..PEOPLE).map(|n| entered(store, n).id).collect();
    add_rules(store);
    Kit::new(6).perform(store, &request(None)).unwrap();
    close(store);
    let rounds = 20;
    at_once(8, |thread| {
        for round in 0..rounds {
            let n = (thread + round) % PEOPLE;
            let id = people[n as usize];
            match thread {
                0 => {
                    let kitchen = ChangeOpening {
                        raffle: KITCHEN_GARDEN,
                        ..change()
                    };
                    let changed = match round % 2 {
                        0 => usecases::raffles::close(store, Tz::UTC, &kitchen),
                        _ => usecases::raffles::open(store, Tz::UTC, &kitchen),
                    };
                    changed.unwrap();
                }
                1 => drop(try_to_enter(store, 50 + round, KITCHEN_GARDEN, None)),
                2 => drop(bought_unless_flagged(store, id)),
                3 => drop(claim_free(store, id)),
                4 => {
                    let own = find(store, id).referral_code;
                    let mut through = command(phone(200 + round), Some(&own));
                    through.raffle = Some(KITCHEN_GARDEN);
                    let entropy = SeededEntropy::new(u64::from(round) + 9_000);
                    drop(usecases::entering::enter(store, &Noon, &entropy, &through, None));
                }
                _ => drop(try_to_enter(store, n, KITCHEN_GARDEN, Some(id))),
            }
        }
    });
    let raffles = store.read(|tx| tx.list_raffles()).unwrap();
    let was_open = |raffle, at| raffles.find(raffle).unwrap().is_open_at(at);
    let mut moved = 0;
    for id in &people {
        entries(store, *id);
        let moves = moves(store, *id);
        assert!(moves.len() <= 1, "{moves:?}");
        for each in moves {
            moved += 1;
            assert_eq!((each.from, each.to), (FRESH_SIPS, KITCHEN_GARDEN));
            assert!(was_open(KITCHEN_GARDEN, each.at), "it was open when {id} came");
        }
    }
    assert!(moved > 0);
    for n in (50..50 + rounds).chain(200..200 + rounds) {
        let found = store.read(|tx| tx.find_entrant_by_phone(&phone(n))).unwrap();
        if let Some(entrant) = found {
            let rows = store
                .read(|tx| tx.entries_since(entrant.id, DateTime::UNIX_EPOCH))
                .unwrap();
            assert_eq!((entrant.raffle, rows), (KITCHEN_GARDEN, 1));
        }
    }
}
