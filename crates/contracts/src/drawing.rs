mod cut_offs;
mod lists;

pub(crate) use cut_offs::list_at;
pub use cut_offs::*;
pub use lists::*;

use crate::Store;
use crate::support::{Noon, SeededEntropy, at_once, command, entered, noon, phone};
use analytics::{Flags, NewFlag};
use chrono::{DateTime, TimeDelta, Utc};
use drawing::{
    Chunk, Commitment, Commitments, Drawing, DrawingId, DrawingLog, DrawingSort, Drawings, FrozenEntrants,
    Hash, LogAction, LogEntry, NewCommitment, NewDrawing, NewLogEntry, Record, SaltKey, Seed, SeedSource,
    verify_log,
};
use kernel::{EntrantId, IdempotencyKey, PageRequest, Raffle, SortOrder, StoreError};
use raffle::Entrant;
use sms::{MessageKind, NewMessage, Outbox};
use std::collections::BTreeSet;
use usecases::Ports;

const RAFFLE: Raffle = Raffle::FreshSips;

/// Moments that differ by microseconds.
fn moment(n: u8) -> DateTime<Utc> {
    noon() + TimeDelta::microseconds(i64::from(n))
}

fn commitment(raffle: Raffle, n: u8) -> NewCommitment {
    NewCommitment {
        raffle,
        commitment: Hash::new([n; 32]),
        source: SeedSource::Os,
        sealed: vec![n, 0, 255],
        at: moment(n),
    }
}

fn open<S: Store>(store: &S, raffle: Raffle) -> Option<Commitment> {
    store.read(|tx| tx.open_commitment(raffle)).unwrap()
}

/// A new drawing with its own commitment, won by this entrant, with values derived from `n`; not stored yet.
fn drawing<T: Ports>(tx: &mut T, n: u8, winner: &Entrant) -> Result<NewDrawing, StoreError> {
    tx.add_commitment(&commitment(winner.raffle, n))?;
    let open = tx.open_commitment(winner.raffle)?.unwrap();
    let record = Record {
        drawing: tx.reserve_drawing_id()?,
        raffle: winner.raffle,
        commitment: open.commitment,
        committed_at: open.committed_at,
        seed_source: open.source,
        seed: Seed::new([n; 32]),
        root: Hash::new([!n; 32]),
        participants: 100,
        entries: 200,
        winning_entry_number: 150,
        drawn_at: moment(n),
    };
    Ok(NewDrawing {
        record,
        commitment: open.id,
        salt_key: SaltKey::new([n; 32]),
        winner: winner.id,
        winner_phone: winner.phone.clone(),
        winner_index: 75,
        idempotency_key: None,
        session: 7,
    })
}

/// Stores a drawing and its log entry. Returns the drawing as it is to be read back.
fn add<T: Ports>(tx: &mut T, new: &NewDrawing) -> Result<Drawing, StoreError> {
    let entry = NewLogEntry {
        drawing: Some(new.record.drawing),
        ..performed(&new.record)
    };
    let entry = LogEntry::after(tx.last_log_entry()?, entry);
    tx.add_log_entry(&entry)?;
    tx.add_drawing(new)?;
    Ok(Drawing {
        record: new.record.clone(),
        verification_hash: new.record.verification_hash(),
        audit_log_hash: entry.hash,
        salt_key: new.salt_key,
        winner: new.winner,
        winner_phone: Some(new.winner_phone.clone()),
        winner_index: new.winner_index,
    })
}

fn performed(record: &Record) -> NewLogEntry {
    NewLogEntry {
        action: LogAction::DrawingPerformed,
        drawing: None,
        details: r#"{"b": 1,  "a":"ü"}"#.to_owned(),
        random_seed: Some(record.seed),
        participant_count: Some(record.participants),
        verification_hash: Some(record.verification_hash()),
        session: Some(7),
        at: record.drawn_at,
    }
}

fn opened(n: u8) -> NewLogEntry {
    NewLogEntry {
        action: LogAction::CommitmentOpened,
        drawing: None,
        details: "{}".to_owned(),
        random_seed: None,
        participant_count: None,
        verification_hash: None,
        session: None,
        at: moment(n),
    }
}

/// Stores drawing `n` after changing it.
pub(crate) fn draw<S: Store>(
    store: &S,
    n: u8,
    winner: &Entrant,
    change: impl Fn(&mut NewDrawing),
) -> Drawing {
    let perform = |tx: &mut S::Tx| {
        tx.begin_drawing()?;
        let mut new = drawing(tx, n, winner)?;
        change(&mut new);
        add(tx, &new)
    };
    store.transaction::<_, StoreError>(perform).unwrap()
}

fn entered_in<S: Store>(store: &S, n: u32, raffle: Raffle) -> Entrant {
    let mut command = command(phone(n), None);
    command.raffle = raffle;
    usecases::entering::enter(store, &Noon, &SeededEntropy::new(n.into()), &command)
        .unwrap()
        .entrant
}

fn flag<S: Store>(store: &S, entrant: &Entrant) {
    let flag = NewFlag {
        entrant: entrant.id,
        reason: "a reason".to_owned(),
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}

pub fn a_commitment_is_open_until_a_drawing_uses_it<S: Store>(store: &S) {
    let winner = entered(store, 1);
    assert_eq!(open(store, RAFFLE), None);
    let add = |n| {
        store
            .transaction(|tx| tx.add_commitment(&commitment(RAFFLE, n)))
            .unwrap()
    };
    let id = add(1).unwrap();
    let expected = Commitment {
        id,
        raffle: RAFFLE,
        commitment: Hash::new([1; 32]),
        source: SeedSource::Os,
        sealed: vec![1, 0, 255],
        committed_at: moment(1),
    };
    assert_eq!(open(store, RAFFLE), Some(expected));
    assert_eq!(open(store, Raffle::GardenBag), None);
    assert_eq!(add(2), None, "a commitment is already open");
    draw(store, 3, &winner, |drawing| assert_eq!(drawing.commitment, id));
    assert_eq!(open(store, RAFFLE), None);
    let next = add(4).unwrap();
    assert_eq!(open(store, RAFFLE).unwrap().id, next);
    assert_eq!(open(store, RAFFLE).unwrap().commitment, Hash::new([4; 32]));
}

pub fn one_of_several_concurrent_commitments_is_stored<S: Store>(store: &S) {
    let opened = at_once(8, |n| {
        let new = commitment(RAFFLE, n as u8);
        let add_commitment = |tx: &mut S::Tx| tx.add_commitment(&new);
        match n % 2 {
            0 => store.serializable(add_commitment).unwrap(),
            _ => store.transaction(add_commitment).unwrap(),
        }
    });
    let ids: Vec<_> = opened.into_iter().flatten().collect();
    assert_eq!(ids, [open(store, RAFFLE).unwrap().id]);
}

pub fn a_drawing_reads_back<S: Store>(store: &S) {
    const MOST: u64 = (1 << 53) - 1;
    let winner = entered(store, 1);
    let small = draw(store, 1, &winner, |new| {
        new.record.participants = 1;
        new.record.entries = 1;
        new.record.winning_entry_number = 1;
        new.winner_index = 0;
    });
    let large = draw(store, 2, &winner, |new| {
        new.record.participants = MOST;
        new.record.entries = MOST;
        new.record.winning_entry_number = MOST;
        new.winner_index = MOST - 1;
    });
    assert_eq!(large.record.entries, MOST);
    for drawing in [small, large] {
        let found = store.read(|tx| tx.find_drawing(drawing.record.drawing)).unwrap();
        assert_eq!(found, Some(drawing));
    }
    for id in [-1, 0, i64::MAX] {
        let found = store.read(|tx| tx.find_drawing(DrawingId::new(id))).unwrap();
        assert_eq!(found, None);
    }
}

pub fn a_drawing_is_found_by_its_idempotency_key<S: Store>(store: &S) {
    let winner = entered(store, 1);
    let key = |text| IdempotencyKey::parse(text).unwrap();
    let find = |text| store.read(|tx| tx.find_drawing_by_key(&key(text))).unwrap();
    draw(store, 1, &winner, |_| ());
    draw(store, 2, &winner, |_| ());
    assert_eq!(find("one"), None);
    let drawn = draw(store, 3, &winner, |new| new.idempotency_key = Some(key("one")));
    assert_eq!((find("one"), find("two"), find("One")), (Some(drawn), None, None));
}

pub fn drawings_are_sorted_by_each_column_and_paged<S: Store>(store: &S) {
    let winners = [
        Raffle::KitchenGarden,
        Raffle::FreshSips,
        Raffle::KitchenGarden,
        Raffle::GardenBag,
    ];
    let figures = [(0, 5, 9, 30), (2, 3, 8, 10), (1, 9, 9, 20), (2, 5, 7, 40)];
    for (n, (minute, participants, winning, entries)) in (0..).zip(figures) {
        let winner = entered_in(store, n.into(), winners[usize::from(n)]);
        draw(store, n, &winner, |new| {
            new.record.drawn_at = noon() + TimeDelta::minutes(minute);
            new.record.participants = participants;
            new.record.winning_entry_number = winning;
            new.record.entries = entries;
            new.winner_index = 0;
        });
    }
    assert_eq!(store.read(|tx| tx.count_drawings()).unwrap(), 4);
    let all = PageRequest::default();
    let ids = |sort, order, page| -> Vec<i64> {
        let list = store.read(|tx| tx.list_drawings(sort, order, page)).unwrap();
        list.iter().map(|drawing| drawing.record.drawing.get()).collect()
    };
    let in_order = ids(DrawingSort::CreatedAt, SortOrder::Ascending, all);
    // They were drawn in the order 0, 2, 1, 3.
    let id = [in_order[0], in_order[2], in_order[1], in_order[3]];
    assert!(id.is_sorted());
    let ascending = [
        (DrawingSort::CreatedAt, [0, 2, 1, 3]),
        (DrawingSort::Raffle, [1, 3, 0, 2]),
        (DrawingSort::WinningEntryNumber, [3, 1, 0, 2]),
        (DrawingSort::TotalParticipants, [1, 0, 3, 2]),
        (DrawingSort::TotalEntries, [1, 2, 0, 3]),
    ];
    for (sort, expected) in ascending {
        let mut expected = expected.map(|n| id[n]);
        assert_eq!(ids(sort, SortOrder::Ascending, all), expected, "{sort:?}");
        expected.reverse();
        assert_eq!(ids(sort, SortOrder::Descending, all), expected, "{sort:?}");
    }
    let part = |limit, offset| {
        let page = PageRequest { limit, offset };
        ids(DrawingSort::default(), SortOrder::default(), page)
    };
    assert_eq!(part(2, 0), [id[3], id[1]]);
    assert_eq!(part(2, 1), [id[1], id[2]]);
    assert_eq!(part(2, 3), [id[0]]);
    assert_eq!((part(0, 0), part(2, 4)), (vec![], vec![]));
}

pub fn a_rolled_back_drawing_leaves_nothing<S: Store>(store: &S) {
    let winner = entered(store, 1);
    let message = victory_message(&winner, 1);
    let mut id = None;
    let refused: Result<(), StoreError> = store.transaction(|tx| {
        tx.begin_drawing()?;
        let new = drawing(tx, 1, &winner)?;
        id = Some(new.record.drawing);
        tx.add_chunks(new.record.drawing, &[chunk(0, 1, winner.id)])?;
        add(tx, &new)?;
        tx.queue_message(&message)?;
        assert_eq!(tx.count_drawings()?, 1);
        Err(StoreError::Conflict)
    });
    assert!(refused.is_err());
    let id = id.unwrap();
    assert_eq!(store.read(|tx| tx.find_drawing(id)).unwrap(), None);
    assert_eq!(store.read(|tx| tx.count_drawings()).unwrap(), 0);
    assert_eq!(open(store, RAFFLE), None);
    assert_eq!(store.read(|tx| tx.chunk_roots(id)).unwrap(), []);
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), None);
    let messages = store.read(|tx| tx.list_messages_to(winner.id)).unwrap();
    assert!(
        messages
            .iter()
            .all(|message| message.content.kind == MessageKind::Welcome)
    );
    let next = draw(store, 2, &winner, |_| ());
    assert!(next.record.drawing > id, "ids are not reused");
}

pub fn the_log_is_read_in_order_and_in_parts<S: Store>(store: &S) {
    let winner = entered(store, 1);
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), None);
    let mut expected = Vec::new();
    for n in 0..4 {
        store
            .transaction::<_, StoreError>(|tx| {
                tx.begin_drawing()?;
                let entry = LogEntry::after(tx.last_log_entry()?, opened(n));
                tx.add_log_entry(&entry)?;
                expected.truncate(usize::from(n));
                expected.push(entry);
                Ok(())
            })
            .unwrap();
    }
    let drawn = draw(store, 9, &winner, |_| ());
    let list = |after, limit| store.read(|tx| tx.list_log(after, limit)).unwrap();
    let log = list(0, 500);
    assert_eq!(log[..4], expected);
    let last = LogEntry::after(
        Some((4, log[3].hash)),
        NewLogEntry {
            drawing: Some(drawn.record.drawing),
            ..performed(&drawn.record)
        },
    );
    assert_eq!(log[4..], [last]);
    assert_eq!((list(1, 2), list(3, 9)), (log[1..3].to_vec(), log[3..].to_vec()));
    assert_eq!((list(0, 0), list(5, 9)), (vec![], vec![]));
    let last = store.read(|tx| tx.last_log_entry()).unwrap();
    assert_eq!(last, Some((5, drawn.audit_log_hash)));
}

pub fn concurrent_drawings_run_one_after_the_other<S: Store>(store: &S) {
    let winner = entered(store, 1);
    let seen = at_once(8, |n| {
        let draw_after_others = |tx: &mut S::Tx| {
            tx.begin_drawing()?;
            let before = tx.count_drawings()?;
            let new = drawing(tx, n as u8, &winner)?;
            add(tx, &new)?;
            Ok(before)
        };
        store.transaction::<_, StoreError>(draw_after_others).unwrap()
    });
    assert_eq!(BTreeSet::from_iter(seen), BTreeSet::from_iter(0..8));
    let log = store.read(|tx| tx.list_log(0, 500)).unwrap();
    let chained = log
        .iter()
        .try_fold(None, |last, entry| verify_log(last, entry).map(Some));
    assert_eq!(chained, Ok(Some((8, log[7].hash))));
}

fn victory_message(entrant: &Entrant, n: u8) -> NewMessage {
    NewMessage {
        kind: MessageKind::Victory,
        entrant: Some(entrant.id),
        phone: entrant.phone.clone(),
        body: Some(format!("You won! {n} \u{1f331}").into()),
        at: moment(n),
    }
}

pub(crate) fn chunk(number: u32, first_entry: u64, first_id: EntrantId) -> Chunk {
    Chunk {
        number,
        first_entry,
        first_id,
        root: Hash::new([number as u8; 32]),
        packed: vec![0, 255, number as u8],
    }
}
