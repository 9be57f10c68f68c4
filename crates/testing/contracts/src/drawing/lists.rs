//! The lists of drawings, and which entrants can win.

use super::{RAFFLE, add, chunk, entered_in, flag};
use crate::Store;
use crate::support::{by_id, entered_through};
use chrono::{DateTime, Utc};
use drawing::{Chunk, DrawingId, Drawings, FrozenEntrants, Hash, RaffleStatistics};
use kernel::{EntrantId, PersonTag, StoreError};
use raffle::RaffleKey;
use raffle::fixtures::FOUR;
use raffle::fixtures::{GARDEN_BAG, KITCHEN_GARDEN, SUSTAINABLE_LIVING};
use usecases::Ports;

pub fn chunks_are_found_by_number_entry_and_tag<S: Store>(store: &S) {
    const LARGE: u64 = (1 << 53) - 1;
    let tag = |n| PersonTag::new([n; 32]);
    let chunks = [
        chunk(0, 1, tag(10)),
        chunk(1, 50, tag(20)),
        chunk(2, LARGE, tag(255)),
    ];
    let keep = |n, chunks: &[Chunk]| {
        let perform = |tx: &mut S::Tx| {
            tx.begin_drawing()?;
            let drawing = add(tx, n)?;
            tx.add_chunks(drawing, &chunks[..chunks.len() - 1])?;
            tx.add_chunks(drawing, &chunks[chunks.len() - 1..])?;
            tx.add_chunks(drawing, &[])?;
            Ok(drawing)
        };
        store.transaction::<_, StoreError>(perform).unwrap()
    };
    let other = keep(
        1,
        &[chunk(0, 5, tag(5)), chunk(1, 60, tag(15)), chunk(3, 70, tag(25))],
    );
    let drawing = keep(2, &chunks);
    let roots = store.read(|tx| tx.chunk_roots(drawing)).unwrap();
    assert_eq!(roots, [0, 1, 2].map(|n| Hash::new([n; 32])));
    let [first, second, third] = chunks.map(Some);
    let by_number = |drawing, n| store.read(|tx| tx.find_chunk(drawing, n)).unwrap();
    assert_eq!(
        [0, 1, 2].map(|n| by_number(drawing, n)),
        [&first, &second, &third].map(Clone::clone)
    );
    assert_eq!(
        (by_number(drawing, 3), by_number(drawing, u32::MAX)),
        (None, None)
    );
    assert_eq!(by_number(other, 2), None);
    let by_entry = |entry| store.read(|tx| tx.find_chunk_with_entry(drawing, entry)).unwrap();
    let found = [1, 49, 50, LARGE - 1, LARGE, u64::MAX].map(by_entry);
    let expected = [&first, &first, &second, &second, &third, &third].map(Clone::clone);
    assert_eq!((by_entry(0), found), (None, expected));
    let by_tag = |n| store.read(|tx| tx.find_chunk_with_tag(drawing, &tag(n))).unwrap();
    let found = [10, 19, 20, 254, 255].map(by_tag);
    let expected = [&first, &first, &second, &second, &third].map(Clone::clone);
    assert_eq!((by_tag(9), by_tag(0), found), (None, None, expected));
    let nowhere = DrawingId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.chunk_roots(nowhere)).unwrap(), []);
    assert_eq!(by_number(nowhere, 0), None);
}

/// Later than every row.
pub(super) const NO_CUT_OFF: DateTime<Utc> = DateTime::<Utc>::MAX_UTC;

/// Reads the participants of a drawing and their weights, in parts of this size, and checks that they come by ascending
/// tag. Returns them by ascending id.
pub(super) fn participants<T: Ports>(
    tx: &T,
    raffle: RaffleKey,
    cut_off: DateTime<Utc>,
    part: u32,
) -> Result<Vec<(EntrantId, u64)>, StoreError> {
    let (mut all, mut tags) = (Vec::new(), Vec::<PersonTag>::new());
    loop {
        let (before, after) = (all.len(), tags.last().copied());
        tx.read_participants(raffle, cut_off, after, part, &mut |candidate| {
            all.push((candidate.id, candidate.entries.total()));
            tags.push(candidate.tag);
        })?;
        if all.len() - before < part as usize {
            break;
        }
    }
    let ids: Vec<_> = all.iter().map(|(id, _)| *id).collect();
    assert_eq!(tx.tags_of(&ids)?, tags);
    assert!(tags.is_sorted());
    Ok(by_id(all))
}

pub fn participants_are_read_in_order_of_tag_and_in_parts<S: Store>(store: &S) {
    let read = |raffle, part| {
        store
            .transaction(|tx| {
                tx.begin_drawing()?;
                participants(tx, raffle, NO_CUT_OFF, part)
            })
            .unwrap()
    };
    assert_eq!(read(RAFFLE, 3), []);
    let popular = entered_in(store, 1, RAFFLE);
    let mut expected = vec![(popular.id, 3)];
    for n in 10..18 {
        let raffle = if n % 2 == 0 { GARDEN_BAG } else { RAFFLE };
        let entrant = entered_in(store, n, raffle);
        if raffle == RAFFLE {
            expected.push((entrant.id, 1));
        }
    }
    flag(store, &entered_in(store, 20, RAFFLE));
    for n in 30..32 {
        let friend = entered_through(store, n, &popular.referral_code);
        expected.push((friend.id, 1));
    }
    let expected = by_id(expected);
    for part in [1, 2, 3, 6, 7, 8, 500] {
        assert_eq!(read(RAFFLE, part), expected, "in parts of {part}");
    }
    assert_eq!(read(GARDEN_BAG, 500).len(), 4);
    assert_eq!(read(KITCHEN_GARDEN, 500), []);
    let snapshot = store
        .snapshot(|tx| participants(tx, RAFFLE, NO_CUT_OFF, 4))
        .unwrap();
    assert_eq!(snapshot, expected);
}

pub fn no_participant_is_read_after_the_last_or_with_a_limit_of_zero<S: Store>(store: &S) {
    let ids = [1, 2].map(|n| entered_in(store, n, RAFFLE).id);
    let mut tags = store.read(|tx| tx.tags_of(&ids)).unwrap();
    tags.sort();
    let read = |after: Option<PersonTag>, limit| {
        let mut read = Vec::new();
        store
            .snapshot(|tx| {
                read.clear();
                tx.read_participants(RAFFLE, NO_CUT_OFF, after, limit, &mut |one| read.push(one.tag))
            })
            .unwrap();
        read
    };
    assert_eq!(read(None, 0), []);
    assert_eq!(read(None, u32::MAX), tags);
    assert_eq!(read(Some(tags[0]), u32::MAX), tags[1..]);
    assert_eq!(read(Some(tags[1]), u32::MAX), []);
    assert_eq!(read(Some(PersonTag::new([255; 32])), u32::MAX), []);
}

pub fn statistics_count_entrants_who_can_win<S: Store>(store: &S) {
    let read = || store.snapshot(|tx| tx.raffle_statistics()).unwrap();
    let none = FOUR.into_iter().map(|raffle| RaffleStatistics {
        raffle,
        participants: 0,
        entries: 0,
    });
    let none: Vec<_> = none.collect();
    assert_eq!(read(), none);
    let popular = entered_in(store, 1, RAFFLE);
    for n in 10..12 {
        entered_through(store, n, &popular.referral_code);
    }
    entered_in(store, 20, SUSTAINABLE_LIVING);
    flag(store, &entered_in(store, 21, SUSTAINABLE_LIVING));
    let mut expected = none;
    (expected[1].participants, expected[1].entries) = (3, 5);
    (expected[3].participants, expected[3].entries) = (1, 1);
    assert_eq!(read(), expected);
}
