//! What takes part in a drawing at its cut-off, and what is left out.

use super::lists::{NO_CUT_OFF, participants};
use super::{RAFFLE, entered_in, flag};
use crate::Store;
use crate::people::{import_into, mark, unmark};
use crate::purchases::{dispute, purchase_with_status, refund, reverse};
use crate::support::{by_id, clear, entered_through, phone};
use chrono::{DateTime, TimeDelta, Utc};
use drawing::{Candidate, CutOffs, EntriesByKind, FrozenEntrants, LeftOut};
use kernel::{DatabaseClock, EntrantId, PersonTag, StoreError};
use pricing::DisputeStatus::{Open, Won};
use pricing::PurchaseStatus::Completed;
use raffle::fixtures::GARDEN_BAG;
use raffle::{Entrants, EntryLedger, LedgerCheckpoint, RaffleKey};
use staff::ClearingKind;

fn time<S: Store>(store: &S) -> DateTime<Utc> {
    store.read(|tx| tx.database_time()).unwrap()
}

/// The list at this cut-off.
pub(crate) fn list_at<S: Store>(
    store: &S,
    raffle: RaffleKey,
    cut_off: DateTime<Utc>,
) -> Vec<(EntrantId, u64)> {
    store.snapshot(|tx| participants(tx, raffle, cut_off, 3)).unwrap()
}

fn kinds<S: Store>(store: &S, cut_off: DateTime<Utc>) -> EntriesByKind {
    let mut sums = EntriesByKind::default();
    let mut add = |candidate: Candidate| sums += candidate.entries;
    store
        .snapshot(|tx| tx.read_participants(RAFFLE, cut_off, None, u32::MAX, &mut add))
        .unwrap();
    sums
}

fn left_out<S: Store>(store: &S, cut_off: DateTime<Utc>) -> LeftOut {
    store.snapshot(|tx| tx.left_out(RAFFLE, cut_off)).unwrap()
}

pub fn the_stores_clock_does_not_stand_still_or_run_backwards<S: Store>(store: &S) {
    let times: Vec<_> = (0..5).map(|_| time(store)).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
}

pub fn entries_since_the_cut_off_do_not_count<S: Store>(store: &S) {
    let start = time(store);
    let popular = entered_in(store, 1, RAFFLE);
    let early = entered_through(store, 10, &popular.referral_code);
    let cut_off = time(store);
    let late = entered_through(store, 11, &popular.referral_code);
    assert_eq!(list_at(store, RAFFLE, start), []);
    assert_eq!(
        list_at(store, RAFFLE, cut_off),
        by_id([(popular.id, 2), (early.id, 1)])
    );
    let all = by_id([(popular.id, 3), (early.id, 1), (late.id, 1)]);
    for cut_off in [time(store), NO_CUT_OFF] {
        assert_eq!(list_at(store, RAFFLE, cut_off), all);
    }
    assert_eq!(list_at(store, GARDEN_BAG, NO_CUT_OFF), []);
}

pub fn entries_taken_or_held_since_the_cut_off_still_count<S: Store>(store: &S) {
    let buyer = entered_in(store, 1, RAFFLE);
    let friend = entered_through(store, 10, &buyer.referral_code);
    let [refunded, disputed] = [(); 2].map(|()| purchase_with_status(store, buyer.id, Completed));
    let at_first = list_at(store, RAFFLE, NO_CUT_OFF);
    let cut_off = time(store);
    clear(store, ClearingKind::ClearReferrals);
    refund(store, refunded);
    reverse(store, disputed, &dispute(disputed, Open));
    assert_eq!(
        list_at(store, RAFFLE, NO_CUT_OFF),
        by_id([(buyer.id, 1), (friend.id, 1)])
    );
    assert_eq!(list_at(store, RAFFLE, cut_off), at_first);
    // And those that come back since a cut-off do not count yet.
    let later = time(store);
    reverse(store, disputed, &dispute(disputed, Won));
    assert!(list_at(store, RAFFLE, later).contains(&(buyer.id, 1)));
    let now = list_at(store, RAFFLE, NO_CUT_OFF);
    assert!(
        now.iter().any(|(id, entries)| *id == buyer.id && *entries > 1),
        "{now:?}"
    );
    assert_eq!(list_at(store, RAFFLE, cut_off), at_first);
}

pub fn tags_come_in_the_order_of_the_ids<S: Store>(store: &S) {
    let ids = [1, 2, 3].map(|n| entered_in(store, n, RAFFLE).id);
    let tag = |id| store.read(|tx| tx.find_person(id)).unwrap().unwrap().1;
    let [one, two, three] = ids.map(tag);
    let tags = |ids: &[EntrantId]| store.read(|tx| tx.tags_of(ids));
    assert_eq!(tags(&[]).unwrap(), []);
    assert_eq!(tags(&[ids[2], ids[0], ids[2]]).unwrap(), [three, one, three]);
    assert_eq!(tags(&ids).unwrap(), [one, two, three]);
    let missing: Result<Vec<PersonTag>, _> = tags(&[ids[0], EntrantId::new(99)]);
    let corrupt = matches!(
        missing,
        Err(StoreError::Corrupt {
            table: "users",
            column: "person_tag",
            row: 99
        })
    );
    assert!(corrupt, "{missing:?}");
}

pub fn those_left_out_are_counted_by_reason<S: Store>(store: &S) {
    assert_eq!(left_out(store, NO_CUT_OFF), LeftOut::default());
    let [buyer, flagged_buyer, flagged] = [1, 2, 3].map(|n| entered_in(store, n, RAFFLE));
    let elsewhere = entered_in(store, 4, GARDEN_BAG);
    let [held, held_too] = [&buyer, &flagged_buyer].map(|of| purchase_with_status(store, of.id, Completed));
    reverse(store, held, &dispute(held, Open));
    let cut_off = time(store);
    reverse(store, held_too, &dispute(held_too, Open));
    for entrant in [
        &flagged_buyer,
        &flagged,
        &elsewhere,
        &entered_in(store, 5, RAFFLE),
    ] {
        flag(store, entrant);
    }
    let expected = |flagged| LeftOut {
        flagged,
        flagged_last_48_hours: flagged,
        duplicate: 0,
        disputed: 1,
    };
    assert_eq!(left_out(store, cut_off), expected(2), "one entered after it");
    assert_eq!(left_out(store, NO_CUT_OFF), expected(3));
    reverse(store, held, &dispute(held, Won));
    assert_eq!(left_out(store, cut_off), expected(2), "it was held at that time");
    assert_eq!(left_out(store, NO_CUT_OFF).disputed, 0);
}

pub fn duplicates_are_counted_apart_from_flags<S: Store>(store: &S) {
    let [original, duplicate, flagged_before] = [1, 2, 3].map(|n| entered_in(store, n, RAFFLE));
    flag(store, &flagged_before);
    for marked in [&duplicate, &flagged_before] {
        mark(store, marked.id, original.id).unwrap();
    }
    let expected = LeftOut {
        flagged: 1,
        flagged_last_48_hours: 1,
        duplicate: 1,
        disputed: 0,
    };
    assert_eq!(left_out(store, NO_CUT_OFF), expected);
    unmark(store, duplicate.id).unwrap();
    let flag_alone = LeftOut {
        duplicate: 0,
        ..expected
    };
    assert_eq!(left_out(store, NO_CUT_OFF), flag_alone);
}

pub fn entries_of_imported_people_are_counted_apart<S: Store>(store: &S) {
    let imported = |cut_off| store.snapshot(|tx| tx.imported_entries(RAFFLE, cut_off)).unwrap();
    entered_in(store, 1, RAFFLE);
    entered_in(store, 2, GARDEN_BAG);
    assert_eq!(imported(NO_CUT_OFF), 0);
    import_into(store, RAFFLE, 10..=12);
    import_into(store, GARDEN_BAG, 20..=20);
    let cut_off = time(store);
    import_into(store, RAFFLE, 13..=13);
    assert_eq!((imported(cut_off), imported(NO_CUT_OFF)), (3, 4));
    let [flagged, friendly] = [10, 11].map(|n| {
        let find = store.read(|tx| tx.find_entrant_by_phone(&phone(n)));
        find.unwrap().unwrap()
    });
    flag(store, &flagged);
    entered_through(store, 30, &friendly.referral_code);
    assert_eq!((imported(cut_off), imported(NO_CUT_OFF)), (2, 3));
    assert_eq!(
        kinds(store, NO_CUT_OFF).with_imported(3).base,
        2,
        "one entered on the site, and one through a friend"
    );
}

pub fn entries_are_counted_by_kind_without_those_left_out<S: Store>(store: &S) {
    assert_eq!(kinds(store, NO_CUT_OFF), EntriesByKind::default());
    let buyer = entered_in(store, 1, RAFFLE);
    entered_through(store, 10, &buyer.referral_code);
    let bought = |of: EntrantId| purchase_with_status(store, of, Completed);
    bought(buyer.id);
    let paid = |store: &S| {
        store
            .read(|tx| tx.find_entrant(buyer.id))
            .unwrap()
            .unwrap()
            .entries
            .paid
    };
    let each = u64::try_from(paid(store)).unwrap();
    let early = EntriesByKind {
        base: 2,
        imported: 0,
        bonus: 1,
        purchased: each,
    };
    assert_eq!(kinds(store, NO_CUT_OFF), early);
    let cut_off = time(store);
    let held = bought(buyer.id);
    reverse(store, held, &dispute(held, Open));
    bought(buyer.id);
    let flagged = entered_through(store, 11, &buyer.referral_code);
    bought(flagged.id);
    flag(store, &flagged);
    assert_eq!(kinds(store, cut_off), early);
    // The flag also took back the entry for the flagged friend.
    let now = EntriesByKind {
        base: 2,
        imported: 0,
        bonus: 1,
        purchased: 2 * each,
    };
    assert_eq!(kinds(store, NO_CUT_OFF), now);
    assert_eq!(now.total(), 3 + 2 * each);
}

pub fn a_checkpoint_has_the_rows_from_before_its_time<S: Store>(store: &S) {
    let checkpoint = |before| store.snapshot(|tx| tx.ledger_checkpoint(before)).unwrap();
    assert_eq!(checkpoint(NO_CUT_OFF), LedgerCheckpoint::default());
    let popular = entered_in(store, 1, RAFFLE);
    entered_through(store, 10, &popular.referral_code);
    let cut_off = time(store);
    clear(store, ClearingKind::ClearReferrals);
    assert_eq!(checkpoint(cut_off), LedgerCheckpoint { rows: 3, sum: 3 });
    assert_eq!(checkpoint(NO_CUT_OFF), LedgerCheckpoint { rows: 4, sum: 2 });
}

pub fn nothing_is_waited_for_when_nobody_writes<S: Store>(store: &S) {
    entered_in(store, 1, RAFFLE);
    let cut_off = time(store);
    store
        .read(|tx| tx.wait_for_earlier_transactions(cut_off))
        .unwrap();
    let earlier = cut_off - TimeDelta::days(1);
    store
        .read(|tx| tx.wait_for_earlier_transactions(earlier))
        .unwrap();
}
