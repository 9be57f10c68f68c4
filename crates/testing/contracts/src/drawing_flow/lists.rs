//! What is on a list, and who is drawn from it.

use super::kit::{entered_with_friends, find, many_entrants, now};
use super::{Kit, drawn, waiting};
use crate::Store;
use crate::purchases::{dispute, purchase_with_status, refund, reverse};
use crate::support::{at_once, entered_through};
use chrono::TimeDelta;
use drawing::steps::DrawingState;
use drawing::{DrawingId, DrawingLog, FrozenEntrants, Hash, Leaf, Outcome, SealDetails, Tree, is_included};
use fraud::{Flags, NewFlag, PublicReason};
use kernel::{EntrantId, PersonTag, StoreError};
use pricing::DisputeStatus::Open;
use pricing::PurchaseStatus::Completed;
use std::collections::BTreeSet;
use usecases::drawings::{FindDrawingError, own_leaf, proof};

fn flag<S: Store>(store: &S, entrant: EntrantId) {
    let flag = NewFlag {
        entrant,
        reason: "Test".to_owned(),
        public_reason: PublicReason::Rules,
    };
    store.transaction(|tx| tx.flag(&flag)).unwrap();
}

/// The weight of an entrant in a sealed drawing.
fn weight_of<S: Store>(store: &S, state: &DrawingState, entrant: EntrantId) -> u64 {
    let list = list_of(store, state);
    let found = list.iter().find(|(id, _)| *id == entrant);
    found.unwrap().1.weight
}

/// The published leaves of a sealed drawing, made again from its chunks, with the entrant behind each.
fn list_of<S: Store>(store: &S, state: &DrawingState) -> Vec<(EntrantId, Leaf)> {
    let salt_key = state.seal.as_ref().unwrap().step.salt_key;
    let chunk = |number| store.read(|tx| tx.find_chunk(state.id, number)).unwrap();
    let mut list = Vec::new();
    for chunk in (0..).map_while(chunk) {
        let tags = store.read(|tx| tx.tags_of(&chunk.ids().unwrap())).unwrap();
        let participants = chunk.participants(&salt_key, &tags).unwrap();
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
pub(super) fn assert_holds<S: Store>(store: &S, state: &DrawingState) {
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
    let [refunded, disputed] = [(); 2].map(|()| purchase_with_status(store, popular.id, Completed));
    let sealed = waiting(store, &kit);
    let list = list_of(store, &sealed);
    let weight = |state: &DrawingState| weight_of(store, state, popular.id);
    assert!(weight(&sealed) > 5, "with the purchases");
    refund(store, refunded);
    reverse(store, disputed, &dispute(disputed, Open));
    let now_without_them = waiting(store, &Kit::with_beacon(48));
    assert_eq!(weight(&now_without_them), 5);
    entered_through(store, 50, &popular.referral_code);
    list.iter().for_each(|(id, _)| flag(store, *id));
    assert_eq!(list_of(store, &sealed), list);
    assert_eq!(find(store, sealed.id), sealed);
    let drawn = kit.draw(store, &sealed).unwrap();
    assert_eq!(
        drawn.result.as_ref().unwrap().step.ranks.len(),
        5,
        "flags, refunds and disputes come too late"
    );
    assert_holds(store, &drawn);
}

pub fn a_list_of_several_chunks_is_drawn<S: Store>(store: &S) {
    let kit = Kit::with_beacon(47);
    many_entrants(store, 4_200);
    let sealed = waiting(store, &kit);
    assert_eq!(sealed.seal.as_ref().unwrap().step.participants, 4_200);
    assert_holds(store, &kit.draw(store, &sealed).unwrap());
}

pub fn steps_of_concurrent_drawings_are_one_chain<S: Store>(store: &S) {
    entered_with_friends(store, 1, 9);
    let states = at_once(8, |n| match n % 2 {
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

pub fn each_entrant_finds_only_their_own_leaf<S: Store>(store: &S) {
    let kit = Kit::with_beacon(48);
    let popular = entered_with_friends(store, 1, 8);
    let sealed = waiting(store, &kit);
    let late = entered_with_friends(store, 100, 0);
    let root = sealed.seal.as_ref().unwrap().step.root;
    let list = list_of(store, &sealed);
    for (entrant, leaf) in &list {
        let own = own_leaf(store, sealed.id, *entrant).unwrap();
        assert_eq!((own.participant.id, own.participant.leaf), (*entrant, *leaf));
        let tag = PersonTag::of(&own.person_salt.unwrap(), &own.phone);
        assert_eq!(tag, own.tag, "the number is the one that entered");
        assert_eq!(own.participant.salt.blind(*entrant, &tag), leaf.blinded_id);
        assert!(is_included(
            leaf.hash(),
            leaf.index,
            list.len() as u64,
            &own.path,
            &root
        ));
    }
    for stranger in [
        late.id,
        EntrantId::new(popular.id.get() - 1),
        EntrantId::new(i64::MAX),
    ] {
        let refused = own_leaf(store, sealed.id, stranger);
        assert!(matches!(refused, Err(FindDrawingError::NotInIt)), "{refused:?}");
    }
    let unknown = DrawingId::new(sealed.id.get() + 1);
    let refused = own_leaf(store, unknown, popular.id);
    assert!(
        matches!(refused, Err(FindDrawingError::UnknownDrawing)),
        "{refused:?}"
    );
}

pub fn a_proof_has_what_the_steps_have_so_far<S: Store>(store: &S) {
    let kit = Kit::with_beacon(49);
    entered_with_friends(store, 1, 12);
    let announced = kit.announce_by_hand(store, |_, _| ());
    let refused = proof(store, announced.id);
    assert!(
        matches!(refused, Err(FindDrawingError::UnknownDrawing)),
        "it has no list yet"
    );
    let sealed = usecases::drawings::seal(store, kit.tools(), announced.id).unwrap();
    let found = proof(store, sealed.id).unwrap();
    assert_eq!(found.outcome, Outcome::Sealed { waiting_since: None });
    assert_eq!(found.seal, sealed.seal.as_ref().unwrap().entry);
    assert_eq!(found.announcement, sealed.announcement.entry);

    let drawn = kit.draw(store, &sealed).unwrap();
    let found = proof(store, sealed.id).unwrap();
    let result = found.drawn().unwrap();
    assert_eq!(Some(found.record_of(result)), drawn.record());
    let ranks = &result.ranks;
    assert_eq!(ranks.len(), 10);
    let (root, size) = (found.root, found.participants);
    for rank in ranks {
        let leaf = &rank.proven.leaf;
        assert!(leaf.holds(rank.entry_number));
        assert!(is_included(
            leaf.hash(),
            leaf.index,
            size,
            &rank.proven.path,
            &root
        ));
    }
}

pub fn a_seal_sees_each_sign_up_completely_or_not_at_all<S: Store>(store: &S) {
    let popular = entered_with_friends(store, 1, 3);
    let drawings = at_once(6, |n| match n {
        0 | 1 => (0..4)
            .map(|run| drawn(store, &Kit::new(u64::from(n) * 10 + run + 200)))
            .collect(),
        _ => {
            for friend in 0..15 {
                entered_through(store, n * 1000 + friend, &popular.referral_code);
            }
            Vec::new()
        }
    });
    for state in drawings.iter().flatten() {
        // Every entrant but the first was referred, which earned the referrer one entry.
        let seal = &state.seal.as_ref().unwrap().step;
        assert_eq!(seal.entries, seal.participants + (seal.participants - 1));
        assert_eq!(weight_of(store, state, popular.id), seal.participants);
        assert_holds(store, state);
    }
}
