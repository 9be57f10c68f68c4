use crate::Store;
use crate::support::{
    assert_balanced, at_once, clear, code, entered, entered_from, entered_from_through, entered_through,
    fold, new_entrant, noon,
};
use analytics::{
    Figures, FlagOutcome, FlaggedEntrant, FlaggedFilter, FlaggedSort, Flags, NewFlag, SuspiciousAddress,
};
use chrono::TimeDelta;
use drawing::CutOffs;
use kernel::{EntrantId, PageRequest, Raffle, SortOrder, StoreError, StoredText, TextSearch};
use raffle::{Entrants, EntryKind, EntryLedger, NewEntrant};
use referral::{FriendCounts, Referrals};
use staff::ClearingKind;

fn detect<S: Store>(store: &S) -> i64 {
    fold(store);
    store.transaction(|tx| tx.flag_suspicious(3)).unwrap()
}

fn flagged<S: Store>(store: &S) -> Vec<i64> {
    let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
    let count = store.read(|tx| tx.count_flagged(&FlaggedFilter::default()));
    assert_eq!(count.unwrap(), rows.len() as i64);
    rows.iter().map(|row| row.id.get()).collect()
}

/// Flagged entrants, newest flag first.
fn list<S: Store>(store: &S, filter: &FlaggedFilter, page: PageRequest) -> Vec<FlaggedEntrant> {
    let (sort, order) = (FlaggedSort::default(), SortOrder::default());
    store
        .read(|tx| tx.list_flagged(filter, sort, order, page))
        .unwrap()
}

fn flag(entrant: EntrantId) -> NewFlag {
    NewFlag {
        entrant,
        reason: "a reason".to_owned(),
    }
}

pub fn a_flag_is_set_once_and_removed_once<S: Store>(store: &S) {
    let entrant = entered(store, 1).id;
    let set = || store.transaction(|tx| tx.flag(&flag(entrant))).unwrap();
    let time = || store.read(|tx| tx.database_time()).unwrap();
    let take = || store.transaction(|tx| tx.unflag(entrant, noon())).unwrap();
    assert_eq!(take(), FlagOutcome::Unchanged);
    let before = time();
    assert_eq!(set(), FlagOutcome::Changed);
    let after = time();
    assert_eq!(set(), FlagOutcome::Unchanged);
    let row = list(store, &FlaggedFilter::default(), PageRequest::default()).remove(0);
    assert_eq!((row.id, row.reason.as_str()), (entrant, "a reason"));
    assert!(
        (before..after).contains(&row.flagged_at),
        "{before} {row:?} {after}"
    );
    assert_eq!((row.total_entries, row.address), (1, Some([192, 0, 2, 7].into())));
    assert_eq!((take(), take()), (FlagOutcome::Changed, FlagOutcome::Unchanged));
    assert_eq!(flagged(store), [0; 0]);
    let unknown = EntrantId::new(i64::MAX);
    assert_eq!(
        store.transaction(|tx| tx.flag(&flag(unknown))).unwrap(),
        FlagOutcome::UnknownEntrant
    );
    assert_eq!(
        store.transaction(|tx| tx.unflag(unknown, noon())).unwrap(),
        FlagOutcome::UnknownEntrant
    );
}

pub fn flagged_entrants_are_listed_newest_first_in_pages<S: Store>(store: &S) {
    let ids: Vec<_> = (0..3).map(|n| entered(store, n).id).collect();
    for id in &ids {
        store.transaction(|tx| tx.flag(&flag(*id))).unwrap();
    }
    assert_eq!(flagged(store), [ids[2].get(), ids[1].get(), ids[0].get()]);
    let part = PageRequest { limit: 1, offset: 1 };
    let rows = list(store, &FlaggedFilter::default(), part);
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [ids[1]]);
}

pub fn flagged_entrants_are_sorted_and_filtered<S: Store>(store: &S) {
    let codes = ["CDFGHJKM", "DFGHJKMN", "FGHJKMNP"];
    let raffles = [Raffle::KitchenGarden, Raffle::FreshSips, Raffle::FreshSips];
    let entered_at = [1, 2, 0];
    let ids = [0, 1, 2].map(|n| {
        let new = NewEntrant {
            raffle: raffles[n],
            created_at: noon() + TimeDelta::minutes(entered_at[n]),
            ..new_entrant(n as u32, codes[n])
        };
        store.transaction(|tx| tx.add_entrant(&new)).unwrap().unwrap()
    });
    for n in [1, 2, 0] {
        store.transaction(|tx| tx.flag(&flag(ids[n]))).unwrap();
    }
    entered_through(store, 10, &code(codes[2]));
    let sorted = |sort, order, limit, offset| {
        let (filter, page) = (FlaggedFilter::default(), PageRequest { limit, offset });
        let rows = store.read(|tx| tx.list_flagged(&filter, sort, order, page));
        let place = |row: FlaggedEntrant| ids.iter().position(|id| *id == row.id).unwrap();
        rows.unwrap().into_iter().map(place).collect::<Vec<_>>()
    };
    for (sort, mut expected) in [
        (FlaggedSort::FlaggedAt, [1, 2, 0]),
        (FlaggedSort::CreatedAt, [2, 0, 1]),
        (FlaggedSort::TotalEntries, [0, 1, 2]),
    ] {
        assert_eq!(sorted(sort, SortOrder::Ascending, 9, 0), expected, "{sort:?}");
        expected.reverse();
        assert_eq!(sorted(sort, SortOrder::Descending, 9, 0), expected, "{sort:?}");
        assert_eq!(
            sorted(sort, SortOrder::Descending, 1, 1),
            expected[1..2],
            "{sort:?}"
        );
    }
    let matching = |raffle, after: Option<usize>| {
        let position = |n: usize| {
            let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
            rows.iter().find(|row| row.id == ids[n]).unwrap().position()
        };
        let after = after.map(position);
        let filter = FlaggedFilter {
            raffle,
            after,
            ..FlaggedFilter::default()
        };
        let rows = list(store, &filter, PageRequest::default());
        assert_eq!(
            store.read(|tx| tx.count_flagged(&filter)).unwrap(),
            rows.len() as i64
        );
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(matching(Some(Raffle::FreshSips), None), [ids[2], ids[1]]);
    assert_eq!(matching(Some(Raffle::GardenBag), None), []);
    assert_eq!(matching(None, Some(0)), [ids[2], ids[1]]);
    assert_eq!(matching(None, Some(1)), []);
    assert_eq!(matching(Some(Raffle::FreshSips), Some(2)), [ids[1]]);
}

pub fn flagged_entrants_are_searched<S: Store>(store: &S) {
    let reasons = ["100% the same phrase", "my_name", "a Family of four"];
    for (n, reason) in (1_u8..).zip(reasons) {
        let id = entered_from(store, 4_560 + u32::from(n), [203, 0, 113, n].into()).id;
        let flag = NewFlag {
            reason: reason.to_owned(),
            ..flag(id)
        };
        store.transaction(|tx| tx.flag(&flag)).unwrap();
    }
    let found = |text: &str| {
        let text = StoredText::line(text, 80).unwrap();
        let filter = FlaggedFilter {
            search: Some(TextSearch::new(text)),
            ..FlaggedFilter::default()
        };
        let rows = list(store, &filter, PageRequest::default());
        assert_eq!(
            store.read(|tx| tx.count_flagged(&filter)).unwrap(),
            rows.len() as i64
        );
        rows.into_iter().map(|row| row.reason).collect::<Vec<_>>()
    };
    assert_eq!(found("FAMILY"), ["a Family of four"]);
    assert_eq!(found("%"), ["100% the same phrase"], "no pattern");
    assert_eq!(found("_"), ["my_name"]);
    assert_eq!(found("456-2"), ["my_name"], "a part of a number");
    assert_eq!(found("0.113.3"), ["a Family of four"], "a part of an address");
    assert_eq!(
        found("203.0.113."),
        ["a Family of four", "my_name", "100% the same phrase"]
    );
    assert_eq!(found("4561 family"), [""; 0]);
}

pub fn flags_of_the_same_moment_are_read_in_parts_by_id<S: Store>(store: &S) {
    let address = [198, 51, 100, 1].into();
    let mut ids: Vec<_> = (0..3).map(|n| entered_from(store, n, address).id).collect();
    ids.sort();
    assert_eq!(detect(store), 3);
    let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
    assert!(
        rows.iter().all(|row| row.flagged_at == rows[0].flagged_at),
        "{rows:?}"
    );
    let (mut filter, mut read) = (FlaggedFilter::default(), Vec::new());
    let part = PageRequest { limit: 1, offset: 0 };
    while let Some(row) = list(store, &filter, part).pop() {
        filter.after = Some(row.position());
        read.push(row.id);
    }
    assert_eq!(read, [ids[2], ids[1], ids[0]]);
}

pub fn detection_flags_every_account_of_a_suspicious_address<S: Store>(store: &S) {
    let pair: Vec<_> = (0..2)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    let mut trio: Vec<_> = (10..13)
        .map(|n| entered_from(store, n, [198, 51, 100, 2].into()).id)
        .collect();
    trio.sort();
    assert_eq!(detect(store), 3);
    assert_eq!(flagged(store), [trio[2].get(), trio[1].get(), trio[0].get()]);
    let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
    assert_eq!(rows[0].reason, "Multiple accounts from IP 198.51.100.2");
    assert_eq!(detect(store), 0);
    entered_from(store, 20, [198, 51, 100, 1].into());
    entered_from(store, 21, [198, 51, 100, 2].into());
    assert_eq!(detect(store), 4, "the pair became three, and the trio four");
    assert_eq!(pair.len(), 2);
}

pub fn detection_skips_entrants_whom_staff_unflagged<S: Store>(store: &S) {
    let mut ids: Vec<_> = (0..3)
        .map(|n| entered_from(store, n, [198, 51, 100, 1].into()).id)
        .collect();
    ids.sort();
    assert_eq!(detect(store), 3);
    store.transaction(|tx| tx.unflag(ids[1], noon())).unwrap();
    let newcomer = entered_from(store, 10, [198, 51, 100, 1].into()).id;
    assert_eq!(detect(store), 1);
    assert_eq!(flagged(store), [newcomer.get(), ids[2].get(), ids[0].get()]);
    assert_eq!(
        store.transaction(|tx| tx.flag(&flag(ids[1]))).unwrap(),
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
    store.transaction(|tx| tx.flag(&flag(ids[2]))).unwrap();
    assert_eq!(row(), expected(3, ids[2], true));
    let newcomer = entered_from(store, 10, address).id;
    assert_eq!(row(), expected(4, newcomer, false));
    assert_eq!(store.snapshot(|tx| tx.dashboard(5)).unwrap().suspicious, []);
}

fn bonus_and_friends<S: Store>(store: &S, id: EntrantId) -> (i64, FriendCounts) {
    store
        .read::<_, StoreError>(|tx| {
            let entrant = tx.find_entrant(id)?.unwrap();
            Ok((entrant.entries.bonus, tx.count_referrals(id)?))
        })
        .unwrap()
}

pub fn a_flag_takes_back_what_the_sign_up_earned_and_its_end_gives_it_back<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let [friend, _other] = [2, 3].map(|n| entered_through(store, n, &popular.referral_code).id);
    let set = || store.transaction(|tx| tx.flag(&flag(friend))).unwrap();
    let take = || store.transaction(|tx| tx.unflag(friend, noon())).unwrap();
    let counts = |on_hold| FriendCounts { all: 2, on_hold };
    for _ in 0..3 {
        set();
        set();
        assert_eq!(bonus_and_friends(store, popular.id), (1, counts(1)));
        assert_balanced(store);
        take();
        take();
        assert_eq!(bonus_and_friends(store, popular.id), (2, counts(0)));
        assert_balanced(store);
    }
    let rows = store.read(|tx| tx.ledger_of(popular.id)).unwrap();
    let of_friend = rows
        .iter()
        .filter(|row| row.cause == friend.get() && row.kind != EntryKind::Base);
    let deltas: Vec<_> = of_friend.map(|row| (row.kind, row.delta)).collect();
    let (reversed, restored) = (
        (EntryKind::ReferralReversed, -1),
        (EntryKind::ReferralRestored, 1),
    );
    assert_eq!(deltas[0], (EntryKind::Referral, 1));
    assert_eq!(
        deltas[1..],
        [reversed, restored, reversed, restored, reversed, restored]
    );
}

pub fn a_flag_of_the_referrer_leaves_their_entries<S: Store>(store: &S) {
    let popular = entered(store, 1);
    entered_through(store, 2, &popular.referral_code);
    store.transaction(|tx| tx.flag(&flag(popular.id))).unwrap();
    assert_eq!(bonus_and_friends(store, popular.id).0, 1);
    assert_balanced(store);
}

pub fn detection_takes_back_what_all_flagged_sign_ups_earned<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let chain = entered_through(store, 2, &popular.referral_code);
    // Four accounts of one address: two through each of two links, one of which belongs to one of the four.
    let address = [198, 51, 100, 7].into();
    let [first, ..] = [(3, &popular), (4, &popular), (5, &chain)]
        .map(|(n, through)| entered_from_through(store, n, address, &through.referral_code));
    entered_from_through(store, 6, address, &first.referral_code);
    assert_eq!(detect(store), 4);
    let on_hold = |id| {
        let (bonus, friends) = bonus_and_friends(store, id);
        (bonus, friends.all, friends.on_hold)
    };
    assert_eq!(on_hold(popular.id), (1, 3, 2));
    assert_eq!(on_hold(chain.id), (0, 1, 1));
    assert_eq!(on_hold(first.id), (0, 1, 1));
    assert_balanced(store);
}

pub fn entries_that_were_cleared_are_neither_taken_back_nor_given_back<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let [flagged_before, flagged_after] =
        [2, 3].map(|n| entered_through(store, n, &popular.referral_code).id);
    store.transaction(|tx| tx.flag(&flag(flagged_before))).unwrap();
    clear(store, ClearingKind::ClearReferrals);
    assert_eq!(bonus_and_friends(store, popular.id), (0, FriendCounts::default()));
    store.transaction(|tx| tx.flag(&flag(flagged_after))).unwrap();
    for id in [flagged_before, flagged_after] {
        store.transaction(|tx| tx.unflag(id, noon())).unwrap();
    }
    assert_eq!(bonus_and_friends(store, popular.id).0, 0);
    assert_balanced(store);
}

pub fn concurrent_flags_and_sign_ups_keep_ledger_and_counters_equal<S: Store>(store: &S) {
    let popular = entered(store, 1);
    let friends: Vec<_> = (0..6)
        .map(|n| entered_through(store, 10 + n, &popular.referral_code).id)
        .collect();
    at_once(8, |n| match n {
        0 | 1 => (0..20).for_each(|run| {
            entered_through(store, 100 + n * 50 + run, &popular.referral_code);
        }),
        2 | 3 => drop(clear(store, ClearingKind::ClearReferrals)),
        _ => friends
            .iter()
            .cycle()
            .take(60)
            .enumerate()
            .for_each(|(turn, id)| {
                // The four threads flag and unflag the same friends.
                let outcome = match (turn + n as usize) % 2 {
                    0 => store.transaction(|tx| tx.flag(&flag(*id))),
                    _ => store.transaction(|tx| tx.unflag(*id, noon())),
                };
                outcome.unwrap();
            }),
    });
    assert_balanced(store);
    for id in &friends {
        store.transaction(|tx| tx.unflag(*id, noon())).unwrap();
    }
    let (bonus, friends) = bonus_and_friends(store, popular.id);
    assert_eq!((bonus, friends.on_hold), (friends.all, 0));
    assert_balanced(store);
}

pub fn concurrent_detections_flag_each_entrant_once<S: Store>(store: &S) {
    for n in 0..10 {
        entered_from(store, n, [198, 51, 100, 1].into());
    }
    fold(store);
    let counts = at_once(4, |_| store.transaction(|tx| tx.flag_suspicious(3)).unwrap());
    assert_eq!(counts.iter().sum::<i64>(), 10);
}
