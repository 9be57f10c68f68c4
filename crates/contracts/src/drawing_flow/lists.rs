//! What is on a list, and who is drawn from it.

use super::kit::{entered_with_friends, find, now};
use super::{Kit, RAFFLE, drawn, waiting};
use crate::Store;
use crate::support::{code, entered_through, new_entrant};
use analytics::{Flags, NewFlag};
use chrono::TimeDelta;
use drawing::steps::DrawingState;
use drawing::v2::SealDetails;
use drawing::{DrawingLog, FrozenEntrants, Hash, Leaf, Tree};
use kernel::{EntrantId, StoreError};
use raffle::Entrants;
use std::collections::BTreeSet;

fn flag<S: Store>(store: &S, entrant: EntrantId) {
    let flag = NewFlag {
        entrant,
        reason: "Test".to_owned(),
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}

/// The published leaves of a sealed drawing, made again from its chunks, with the entrant behind each.
fn list_of<S: Store>(store: &S, state: &DrawingState) -> Vec<(EntrantId, Leaf)> {
    let salt_key = state.seal.as_ref().unwrap().step.salt_key;
    let chunk = |number| store.read(|tx| tx.find_chunk(state.id, number)).unwrap();
    let mut list = Vec::new();
    for chunk in (0..).map_while(chunk) {
        let tags = store.read(|tx| tx.tags_of(&chunk.ids().unwrap())).unwrap();
        let participants = chunk.tagged_participants(&salt_key, &tags).unwrap();
        list.extend(
            participants
                .iter()
                .map(|participant| (participant.id, participant.leaf)),
        );
    }
    list
}

fn root_of(list: &[(EntrantId, Leaf)]) -> Hash {
    let mut tree = Tree::default();
    list.iter().for_each(|(_, leaf)| tree.push(leaf.hash()));
    tree.root().unwrap()
}

/// The list gives the root of the seal, and the holders of the drawn entries are those who were drawn.
fn assert_holds<S: Store>(store: &S, state: &DrawingState) {
    let list = list_of(store, state);
    let seal = &state.seal.as_ref().unwrap().step;
    assert_eq!(root_of(&list), seal.root);
    assert_eq!(list.len() as u64, seal.participants);
    let holder = |entry| {
        let holder = list.iter().find(|(_, leaf)| leaf.holds(entry)).unwrap();
        Ok::<_, StoreError>(holder.1.index)
    };
    let ranks = state.record().unwrap().facts.ranks(holder).unwrap();
    let stored = &state.result.as_ref().unwrap().step.ranks;
    assert_eq!(ranks.len(), stored.len());
    for (rank, stored) in ranks.iter().zip(stored) {
        assert_eq!((rank.rank, rank.entry_number), (stored.rank, stored.entry_number));
        let (entrant, leaf) = list[usize::try_from(rank.index).unwrap()];
        assert_eq!((entrant, leaf.index), (stored.entrant, stored.index));
    }
}

pub fn ten_different_entrants_are_drawn<S: Store>(store: &S) {
    let kit = Kit::new(41);
    entered_with_friends(store, 1, 29);
    let state = drawn(store, &kit);
    assert_eq!(find(store, state.id), state);
    let ranks = &state.result.as_ref().unwrap().step.ranks;
    let entrants: BTreeSet<_> = ranks.iter().map(|rank| rank.entrant).collect();
    assert_eq!((ranks.len(), entrants.len()), (10, 10));
    assert_holds(store, &state);
}

pub fn a_short_list_is_drawn_to_its_end<S: Store>(store: &S) {
    let kit = Kit::new(42);
    entered_with_friends(store, 1, 2);
    let state = drawn(store, &kit);
    assert_eq!(state.result.as_ref().unwrap().step.ranks.len(), 3);
    assert_holds(store, &state);
}

pub fn only_entries_from_before_the_cut_off_count<S: Store>(store: &S) {
    let kit = Kit::with_beacon(43);
    let popular = entered_with_friends(store, 1, 2);
    let cut_off = now(store);
    let announced = kit.announce_by_hand(store, |plan, _| plan.cut_off = Some(cut_off));
    entered_through(store, 10, &popular.referral_code);
    let sealed = usecases::drawings::seal(store, kit.tools(), announced.id).unwrap();
    let seal = sealed.seal.clone().unwrap().step;
    assert_eq!((seal.participants, seal.entries, seal.cut_off), (3, 5, cut_off));
    let without_one = waiting(store, &Kit::with_beacon(44));
    assert_eq!(without_one.seal.unwrap().step.entries, 7);
}

pub fn flagged_entrants_are_left_out_and_counted<S: Store>(store: &S) {
    let kit = Kit::with_beacon(45);
    let popular = entered_with_friends(store, 1, 20);
    flag(store, popular.id);
    let sealed = waiting(store, &kit);
    let seal = sealed.seal.as_ref().unwrap();
    assert_eq!((seal.step.participants, seal.step.entries), (20, 20));
    let details = SealDetails::from_details(&seal.entry.entry.details).unwrap();
    assert_eq!(details.left_out.flagged, 1);
    assert_eq!(details.left_out.flagged_last_48_hours, 1);
}

pub fn nothing_touches_a_drawing_after_its_seal<S: Store>(store: &S) {
    let kit = Kit::with_beacon(46);
    let popular = entered_with_friends(store, 1, 4);
    let sealed = waiting(store, &kit);
    let list = list_of(store, &sealed);
    entered_through(store, 50, &popular.referral_code);
    list.iter().for_each(|(id, _)| flag(store, *id));
    assert_eq!(list_of(store, &sealed), list);
    assert_eq!(find(store, sealed.id), sealed);
    let drawn = kit.draw(store, &sealed).unwrap();
    assert_eq!(
        drawn.result.as_ref().unwrap().step.ranks.len(),
        5,
        "flags come too late"
    );
    assert_holds(store, &drawn);
}

pub fn a_list_of_several_chunks_is_drawn<S: Store>(store: &S) {
    let kit = Kit::with_beacon(47);
    let add_entrant = |tx: &mut S::Tx| {
        (0..4_200u32).try_for_each(|n| {
            let mut new = new_entrant(n, &distinct_code(n));
            new.raffle = RAFFLE;
            tx.add_entrant(&new).map(drop)
        })
    };
    store.transaction::<_, StoreError>(add_entrant).unwrap();
    let sealed = waiting(store, &kit);
    assert_eq!(sealed.seal.as_ref().unwrap().step.participants, 4_200);
    assert_holds(store, &kit.draw(store, &sealed).unwrap());
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

pub fn steps_of_concurrent_drawings_are_one_chain<S: Store>(store: &S) {
    entered_with_friends(store, 1, 9);
    let states = crate::support::at_once(8, |n| match n % 2 {
        0 => drawn(store, &Kit::new(u64::from(n) + 50)),
        _ => {
            let kit = Kit::with_beacon(u64::from(n) + 50);
            let sealed = waiting(store, &kit);
            kit.draw(store, &sealed).unwrap()
        }
    });
    let log = store.read(|tx| tx.list_log(0, 1_000)).unwrap();
    let chained = log
        .iter()
        .try_fold(None, |last, entry| drawing::verify_log(last, entry).map(Some));
    assert_eq!(chained, Ok(Some((24, log[23].hash))));
    states.iter().for_each(|state| assert_holds(store, state));
    let report = usecases::drawings::verify_log(store).unwrap();
    assert_eq!((report.drawings, report.entries), (8, 24));
    let commitments: BTreeSet<_> = states
        .iter()
        .map(|state| state.plan.commitment.to_string())
        .collect();
    assert_eq!(commitments.len(), 8);
    let late = now(store) + TimeDelta::hours(1);
    assert!(states.iter().all(|state| state.plan.at < late));
}
