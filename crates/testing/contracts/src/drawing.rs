mod cut_offs;
mod lists;

pub(crate) use cut_offs::list_at;
pub use cut_offs::*;
pub use lists::*;

use crate::Store;
use crate::drawing_steps::sample::{RAFFLE, announce, announcement, log, logged, plan};
use crate::support::{Noon, SeededEntropy, at_once, command, entered, messages_to, noon, phone};
use drawing::steps::DrawingSteps;
use drawing::{Chunk, DrawingId, DrawingLog, Drawings, FrozenEntrants, Hash, LogAction, verify_log};
use fraud::{Flags, NewFlag, PublicReason};
use kernel::{PersonTag, StoreError};
use raffle::{Entrant, RaffleKey};
use sms::{MessageKind, NewMessage, Outbox};
use std::collections::BTreeSet;
use usecases::Ports;

/// Stores a drawing with values derived from `n`, in the same unit of work.
fn add<T: Ports>(tx: &mut T, n: u8) -> Result<DrawingId, StoreError> {
    let id = tx.reserve_drawing_id()?;
    tx.add_plan(id, &plan(n, n.into()))?;
    let announced = logged(tx, id, LogAction::DrawingAnnounced, announcement(1))?;
    tx.add_announcement(id, &announced)?;
    Ok(id)
}

fn entered_in<S: Store>(store: &S, n: u32, raffle: RaffleKey) -> Entrant {
    let mut command = command(phone(n), None);
    command.raffle = Some(raffle);
    usecases::entering::enter(store, &Noon, &SeededEntropy::new(n.into()), &command, None)
        .unwrap()
        .entrant
}

fn flag<S: Store>(store: &S, entrant: &Entrant) {
    let flag = NewFlag {
        entrant: entrant.id,
        reason: "a reason".to_owned(),
        public_reason: PublicReason::Rules,
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}

pub fn a_rolled_back_drawing_leaves_nothing<S: Store>(store: &S) {
    let winner = entered(store, 1);
    let message = NewMessage {
        kind: MessageKind::Victory,
        entrant: Some(winner.id),
        phone: winner.phone.clone(),
        body: Some("You won! \u{1f331}".to_owned().into()),
        at: noon(),
    };
    let mut id = None;
    let refused: Result<(), StoreError> = store.transaction(|tx| {
        tx.begin_drawing()?;
        let added = add(tx, 1)?;
        id = Some(added);
        tx.add_chunks(added, &[chunk(0, 1, PersonTag::new([1; 32]))])?;
        tx.queue_message(&message)?;
        assert!(tx.find_state(added)?.is_some());
        Err(StoreError::Conflict)
    });
    assert!(refused.is_err());
    let id = id.unwrap();
    assert_eq!(store.read(|tx| tx.find_state(id)).unwrap(), None);
    assert_eq!(store.read(|tx| tx.chunk_roots(id)).unwrap(), []);
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), None);
    let messages = store.read(|tx| messages_to(tx, winner.id)).unwrap();
    assert!(
        messages
            .iter()
            .all(|message| message.content.kind == MessageKind::Welcome)
    );
    let next = announce(store, &plan(2, 2), announcement(1)).unwrap();
    assert!(next.id > id, "ids are not reused");
}

pub fn the_log_is_read_in_order_and_in_parts<S: Store>(store: &S) {
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), None);
    let mut expected = Vec::new();
    for n in 0..4 {
        store
            .transaction::<_, StoreError>(|tx| {
                tx.begin_drawing()?;
                expected.truncate(n);
                expected.push(log(tx, None, LogAction::Checkpoint)?);
                Ok(())
            })
            .unwrap();
    }
    expected.push(
        announce(store, &plan(9, 9), announcement(1))
            .unwrap()
            .announcement
            .entry,
    );
    let list = |after, limit| store.read(|tx| tx.list_log(after, limit)).unwrap();
    let log = list(0, 500);
    assert_eq!(log, expected);
    assert_eq!((list(1, 2), list(3, 9)), (log[1..3].to_vec(), log[3..].to_vec()));
    assert_eq!((list(0, 0), list(5, 9)), (vec![], vec![]));
    let last = store.read(|tx| tx.last_log_entry()).unwrap();
    assert_eq!(last, Some((5, log[4].hash)));
}

pub fn concurrent_drawings_run_one_after_the_other<S: Store>(store: &S) {
    let seen = at_once(8, |n| {
        let add_after_others = |tx: &mut S::Tx| {
            tx.begin_drawing()?;
            let before = tx.last_log_entry()?.map_or(0, |(id, _)| id);
            add(tx, n as u8 + 1)?;
            Ok(before)
        };
        store.transaction::<_, StoreError>(add_after_others).unwrap()
    });
    assert_eq!(BTreeSet::from_iter(seen), BTreeSet::from_iter(0..8));
    let log = store.read(|tx| tx.list_log(0, 500)).unwrap();
    let chained = log
        .iter()
        .try_fold(None, |last, entry| verify_log(last, entry).map(Some));
    assert_eq!(chained, Ok(Some((8, log[7].hash))));
}

pub(crate) fn chunk(number: u32, first_entry: u64, first_tag: PersonTag) -> Chunk {
    Chunk {
        number,
        first_entry,
        first_tag,
        root: Hash::new([number as u8; 32]),
        packed: vec![0, 255, number as u8],
    }
}
