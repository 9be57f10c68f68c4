//! Which entrants can win, and what each entrant can verify.

use super::{
    Kit, RAFFLE, assert_holds, committed, draw, draw_with, entered_with_friends, flag, list_of, proof_of,
};
use crate::Store;
use crate::support::{Noon, SMALL_BATCHES, clear, code, entered_through, new_entrant, new_job};
use drawing::{DrawingId, FrozenEntrants, Seed, is_included, winning_entry_number};
use kernel::{EntrantId, StoreError};
use raffle::Entrants;
use staff::ClearingKind;
use std::num::NonZeroU64;
use usecases::clearing::{self, Step};
use usecases::drawings::FindDrawingError;
use usecases::perform_drawing::PerformDrawingError;

pub fn a_flagged_entrant_wins_none_of_a_million_drawings<S: Store>(store: &S) {
    let kit = Kit::new(9);
    committed(store, &kit);
    let flagged = entered_with_friends(store, 1, 20);
    flag(store, flagged.id);
    let drawing = draw(store, &kit);
    let record = &drawing.record;
    assert_eq!(
        (record.participants, record.entries),
        (20, 20),
        "the flagged entrant's 21 entries are left out"
    );
    let chunk = store
        .read(|tx| tx.find_chunk(record.drawing, 0))
        .unwrap()
        .unwrap();
    let list = chunk.participants(&drawing.salt_key).unwrap();
    let entries = NonZeroU64::new(record.entries).unwrap();
    let mut won = 0;
    for n in 0..1_000_000u32 {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&n.to_be_bytes());
        let number = winning_entry_number(&Seed::new(seed), &record.root, record.participants, entries);
        let winner = list.iter().find(|participant| participant.leaf.holds(number));
        won += u32::from(winner.unwrap().id == flagged.id);
    }
    assert_eq!(won, 0);
}

pub fn each_entrant_finds_only_their_own_leaf<S: Store>(store: &S) {
    let kit = Kit::new(10);
    committed(store, &kit);
    let popular = entered_with_friends(store, 1, 8);
    let drawing = draw(store, &kit);
    let id = drawing.record.drawing;
    let late = entered_with_friends(store, 100, 0);
    let list = list_of(store, &drawing);
    for leaf in &list {
        let entrant = EntrantId::new(popular.id.get() + i64::try_from(leaf.index).unwrap());
        let own = usecases::drawings::own_leaf(store, id, entrant).unwrap();
        assert_eq!((own.participant.id, own.participant.leaf), (entrant, *leaf));
        assert_eq!(own.participant.salt.blind(entrant), leaf.blinded_id);
        let size = list.len() as u64;
        assert!(is_included(
            leaf.hash(),
            leaf.index,
            size,
            &own.path,
            &drawing.record.root
        ));
    }
    for stranger in [
        late.id,
        EntrantId::new(popular.id.get() - 1),
        EntrantId::new(i64::MAX),
    ] {
        let refused = usecases::drawings::own_leaf(store, id, stranger);
        assert!(matches!(refused, Err(FindDrawingError::NotInIt)), "{refused:?}");
    }
    let unknown = DrawingId::new(id.get() + 1);
    let refused = usecases::drawings::own_leaf(store, unknown, popular.id);
    assert!(
        matches!(refused, Err(FindDrawingError::UnknownDrawing)),
        "{refused:?}"
    );
    let refused = usecases::drawings::proof(store, unknown);
    assert!(
        matches!(refused, Err(FindDrawingError::UnknownDrawing)),
        "{refused:?}"
    );
}

pub fn later_changes_do_not_affect_a_drawing<S: Store>(store: &S) {
    let kit = Kit::new(11);
    committed(store, &kit);
    let popular = entered_with_friends(store, 1, 4);
    let drawing = draw(store, &kit);
    let (proof, list) = (proof_of(store, &drawing), list_of(store, &drawing));
    entered_through(store, 50, &popular.referral_code);
    clear(store, ClearingKind::ClearReferrals);
    flag(store, popular.id);
    draw(store, &kit);
    assert_eq!(proof_of(store, &drawing), proof);
    assert_eq!(list_of(store, &drawing), list);
    assert_holds(store, &drawing);
}

/// Some entrants would still have the entries for their friends, and others not.
pub fn no_drawing_happens_while_referrals_are_partly_cleared<S: Store>(store: &S) {
    let kit = Kit::new(12);
    committed(store, &kit);
    for popular in [10, 20, 30] {
        entered_with_friends(store, popular, 2);
    }
    let id = new_job(store, ClearingKind::ClearReferrals);
    let step = || clearing::step(store, &Noon, id, SMALL_BATCHES).unwrap();
    let is_refused = || {
        matches!(
            draw_with(store, &kit, None),
            Err(PerformDrawingError::ClearingUnfinished)
        )
    };
    assert_eq!(step(), Step::Progress, "it counts");
    draw(store, &kit);
    assert_eq!(step(), Step::Progress, "it deletes the referrals");
    assert!(is_refused());
    while step() == Step::Progress {
        assert!(is_refused());
    }
    let drawn = draw(store, &kit);
    assert_eq!(drawn.record.entries, 9, "one for each entrant");
}

pub fn a_list_of_several_chunks_is_valid<S: Store>(store: &S) {
    let kit = Kit::new(12);
    committed(store, &kit);
    many_entrants(store, 4_200);
    let drawing = draw(store, &kit);
    assert_eq!(drawing.record.participants, 4_200);
    assert_holds(store, &drawing);
    let id = drawing.record.drawing;
    let leaves = |chunk| usecases::published_lists::frozen_leaves(store, id, chunk).unwrap();
    assert_eq!(leaves(1).unwrap().len(), 104);
    assert_eq!(leaves(2), None);
}

/// Adds so many entrants to the raffle in one transaction.
pub(crate) fn many_entrants<S: Store>(store: &S, count: u32) {
    let add_entrants = |tx: &mut S::Tx| {
        (0..count).try_for_each(|n| {
            let mut new = new_entrant(n, &distinct_code(n));
            new.raffle = RAFFLE;
            tx.add_entrant(&new).map(drop)
        })
    };
    store.transaction::<_, StoreError>(add_entrants).unwrap();
}

fn distinct_code(mut n: u32) -> String {
    const LETTERS: &[u8] = b"CDFGHJKMNP";
    let mut text = String::new();
    for _ in 0..8 {
        text.push(char::from(LETTERS[(n % 10) as usize]));
        n /= 10;
    }
    code(&text).to_string()
}
