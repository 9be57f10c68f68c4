//! Rounds of the beacon, and refused seals.

use super::kit::{OpenVerifier, chain, entered_with_friends, find, request, sign, whole_log};
use super::void::stuck;
use super::{Kit, drawn, log_actions, performed, waiting};
use crate::Store;
use crate::support::at_once;
use chrono::TimeDelta;
use drawing::DrawingKind;
use drawing::beacon::{Chain, ChainHash, Round};
use drawing::steps::{DrawingState, DrawingStatus, DrawingSteps, RefusalDetails};
use usecases::drawings::{Bringer, BroughtRound, DrawError};

pub fn a_sealed_drawing_is_drawn_with_its_round<S: Store>(store: &S) {
    let kit = Kit::with_beacon(21);
    entered_with_friends(store, 1, 5);
    let sealed = performed(store, &kit, &request(Some("key")));
    assert_eq!((sealed.status, sealed.winner()), (DrawingStatus::Sealed, None));
    let drawn = kit.draw(store, &sealed).unwrap();
    assert_eq!(find(store, sealed.id), drawn);
    assert_eq!(
        performed(store, &kit, &request(Some("key"))),
        drawn,
        "the key returns the drawing in its present state"
    );
    let record = drawn.record().unwrap();
    assert_eq!(record.facts.opening, sealed.announcement.entry.hash);
    assert_eq!(record.seal, sealed.seal.unwrap().entry.hash);
    assert_eq!(
        record.verification_hash(),
        drawn.result.unwrap().step.verification_hash
    );
    assert_eq!(
        log_actions(store),
        ["drawing_announced", "drawing_sealed", "drawing_performed"]
    );
}

pub fn a_signature_that_comes_twice_draws_once<S: Store>(store: &S) {
    let kit = Kit::with_beacon(22);
    entered_with_friends(store, 1, 5);
    let sealed = waiting(store, &kit);
    let states = at_once(20, |_| kit.draw(store, &sealed).unwrap());
    assert!(states.iter().all(|state| *state == states[0]));
    assert_eq!(log_actions(store).len(), 3);
}

pub fn no_other_round_chain_or_signature_draws<S: Store>(store: &S) {
    let kit = Kit::with_beacon(23);
    entered_with_friends(store, 1, 5);
    let sealed = waiting(store, &kit);
    let round = sealed.announcement.step.round.unwrap();
    let next = Round::new(round.number() + 1).unwrap();
    let other = Chain {
        chain_hash: ChainHash::new([8; 32]),
        ..chain()
    };
    let draw = |kit: &Kit, round, signature| {
        let brought = BroughtRound { round, signature };
        usecases::drawings::draw(
            store,
            kit.tools(),
            &OpenVerifier,
            sealed.id,
            brought,
            Bringer::Server,
        )
    };
    let another = draw(&kit, next, sign(&chain(), next));
    assert!(matches!(another, Err(DrawError::AnotherRound)), "{another:?}");
    for signature in [sign(&chain(), next), sign(&other, round)] {
        let invalid = draw(&kit, round, signature);
        assert!(matches!(invalid, Err(DrawError::InvalidSignature)), "{invalid:?}");
    }
    let reconfigured = Kit {
        chain: Some(other.clone()),
        ..Kit::with_beacon(24)
    };
    let unknown = draw(&reconfigured, round, sign(&other, round));
    assert!(matches!(unknown, Err(DrawError::UnknownChain)), "{unknown:?}");
    assert_eq!(find(store, sealed.id), sealed);
    kit.draw(store, &sealed).unwrap();
}

pub fn only_a_sealed_drawing_is_drawn<S: Store>(store: &S) {
    let kit = Kit::with_beacon(25);
    entered_with_friends(store, 1, 1);
    let announced = kit.announce_by_hand(store, |_, _| ());
    let refused = kit.draw(store, &announced);
    assert!(matches!(refused, Err(DrawError::NotSealed)), "{refused:?}");
    let off = drawn(store, &Kit::new(26));
    let round = Round::FIRST;
    let brought = BroughtRound {
        round,
        signature: sign(&chain(), round),
    };
    for (id, unknown) in [(off.id, false), (drawing::DrawingId::new(i64::MAX), true)] {
        let refused =
            usecases::drawings::draw(store, kit.tools(), &OpenVerifier, id, brought, Bringer::Server);
        let expected = match &refused {
            Err(DrawError::UnknownDrawing) => unknown,
            Err(DrawError::NotSealed) => !unknown,
            _ => false,
        };
        assert!(expected, "{refused:?}");
    }
}

/// A drawing whose seal would come a second too late.
fn late<S: Store>(store: &S, kit: &Kit) -> DrawingState {
    kit.announce_by_hand(store, |_, step| {
        step.seal_before = Some(step.seal_due_at - TimeDelta::seconds(1));
    })
}

pub fn a_late_seal_is_refused_in_public_and_the_round_moves<S: Store>(store: &S) {
    let kit = Kit::with_beacon(27);
    entered_with_friends(store, 1, 3);
    let late = late(store, &kit);
    let sealed = usecases::drawings::seal(store, kit.tools(), late.id).unwrap();
    assert_eq!(find(store, late.id), sealed);
    assert_eq!(
        log_actions(store),
        [
            "drawing_announced",
            "seal_refused",
            "drawing_announced",
            "drawing_sealed"
        ]
    );
    let refusal = RefusalDetails::from_details(&whole_log(store)[1].entry.details).unwrap();
    assert_eq!(refusal.opening, late.announcement.entry.hash);
    assert_eq!(refusal.round, late.announcement.step.round);
    assert_eq!(Some(refusal.seal_before), late.announcement.step.seal_before);
    let moved = sealed.announcement.step;
    assert_eq!(moved.number, 2);
    assert!(moved.round_at > late.announcement.step.round_at);
    let record_facts = sealed.facts(drawing::BeaconValue::OFF).unwrap();
    assert_eq!(record_facts.opening, sealed.announcement.entry.hash);
    assert_eq!(sealed.plan, late.plan, "nothing else changes");
}

pub fn concurrent_late_seals_are_refused_once<S: Store>(store: &S) {
    let kit = Kit::with_beacon(28);
    entered_with_friends(store, 1, 3);
    let late = late(store, &kit);
    let states = at_once(6, |_| {
        usecases::drawings::seal(store, kit.tools(), late.id).unwrap()
    });
    assert!(states.iter().all(|state| *state == states[0]));
    assert_eq!(log_actions(store).len(), 4);
}

pub fn what_is_due_is_listed_by_the_clock_of_the_store<S: Store>(store: &S) {
    let kit = Kit::with_beacon(32);
    entered_with_friends(store, 1, 3);
    let additional = |kit: &Kit, hours: i64| {
        kit.announce_by_hand(store, |plan, step| {
            plan.kind = DrawingKind::Additional;
            step.seal_due_at += TimeDelta::hours(hours);
        })
    };
    let (due, _later) = (additional(&kit, -1), additional(&kit, 1));
    let stuck = stuck(store, &kit, 2);
    let _sealed = performed(store, &kit, &request(None));
    let listed = store.read(|tx| tx.list_due()).unwrap();
    assert_eq!((listed.to_seal, listed.to_draw), (vec![due.id], vec![stuck.id]));
    let advanced = kit.advance(store);
    assert_eq!(advanced.due.len(), 1);
    assert!(advanced.failures.is_empty());
    let waiting = advanced.due[0];
    assert_eq!((waiting.drawing, waiting.chain), (stuck.id, chain().chain_hash));
    assert_eq!(Some(waiting.round), stuck.announcement.step.round);
    assert_eq!(Some(waiting.since), stuck.announcement.step.round_at);
    assert_eq!(find(store, due.id).status, DrawingStatus::Sealed);
}
