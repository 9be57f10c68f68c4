use crate::Store;
use crate::support::{
    assert_balanced, at_once, clear, code, entered, entered_from, entered_through, fold, ledger_of,
    new_entrant, noon,
};
use chrono::TimeDelta;
use fraud::{
    FlagOutcome, FlaggedEntrant, FlaggedFilter, FlaggedSort, Flags, FraudRules, NewFlag, PublicReason,
};
use kernel::{DatabaseClock, EntrantId, PageRequest, SortOrder, StoreError, StoredText, TextSearch};
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG, KITCHEN_GARDEN};
use raffle::{Entrants, EntryKind, NewEntrant};
use referral::{FriendCounts, Referrals};
use staff::ClearingKind;

pub(crate) const RULES: FraudRules = FraudRules {
    accounts_per_network: 3,
    flag_shared_networks: true,
};

pub(crate) fn detect_by<S: Store>(store: &S, rules: &FraudRules) -> i64 {
    fold(store);
    let mut flagged = 0;
    loop {
        let part = store.transaction(|tx| tx.flag_suspicious(rules)).unwrap();
        flagged += part.flagged;
        if part.is_complete {
            return flagged;
        }
    }
}

pub(crate) fn detect<S: Store>(store: &S) -> i64 {
    detect_by(store, &RULES)
}

pub(crate) fn flagged<S: Store>(store: &S) -> Vec<i64> {
    let rows = list(store, &FlaggedFilter::default(), PageRequest::default());
    let count = store.read(|tx| tx.count_flagged(&FlaggedFilter::default()));
    assert_eq!(count.unwrap(), rows.len() as i64);
    rows.iter().map(|row| row.id.get()).collect()
}

/// Flagged entrants, newest flag first.
pub(crate) fn list<S: Store>(store: &S, filter: &FlaggedFilter, page: PageRequest) -> Vec<FlaggedEntrant> {
    let (sort, order) = (FlaggedSort::default(), SortOrder::default());
    store
        .read(|tx| tx.list_flagged(filter, sort, order, page))
        .unwrap()
}

pub(crate) fn flag(entrant: EntrantId) -> NewFlag {
    NewFlag {
        entrant,
        reason: "a reason".to_owned(),
        public_reason: PublicReason::Rules,
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
    let raffles = [KITCHEN_GARDEN, FRESH_SIPS, FRESH_SIPS];
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
    assert_eq!(matching(Some(FRESH_SIPS), None), [ids[2], ids[1]]);
    assert_eq!(matching(Some(GARDEN_BAG), None), []);
    assert_eq!(matching(None, Some(0)), [ids[2], ids[1]]);
    assert_eq!(matching(None, Some(1)), []);
    assert_eq!(matching(Some(FRESH_SIPS), Some(2)), [ids[1]]);
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

pub(crate) fn bonus_and_friends<S: Store>(store: &S, id: EntrantId) -> (i64, FriendCounts) {
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
    let rows = store.read(|tx| ledger_of(tx, popular.id)).unwrap();
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
