//! Every change of a proof fails the checks that depend on it, and no others.

use crate::sample::{
    Plan, Sample, check_list, draw, drawn, failed, rehash, round, sign, verdict, verdict_with,
};
use chrono::TimeDelta;
use drawing::Check::{self, *};
use drawing::beacon::{BeaconSignature, Chain, Round};
use drawing::steps::LateRound;
use drawing::{
    Announcement, BeaconChoice, DrawingId, DrawingKind, Foreknowledge, Hash, Leaf, LogAction, Outcome,
    Period, Proof, Replaced, SealDetails, SealTime, Seed,
};
use raffle::fixtures::FRESH_SIPS;
use strum::IntoEnumIterator;

fn failed_after(change: impl FnOnce(&mut Proof)) -> Vec<Check> {
    let mut proof = draw(&Plan::default()).proof;
    change(&mut proof);
    failed(&proof)
}

#[test]
fn every_check_of_a_valid_proof_passes() {
    let Sample { leaves, log, proof } = draw(&Plan::default());
    let verdict = verdict(&proof);
    let checks: Vec<Check> = verdict.checks.iter().map(|(check, _)| *check).collect();
    assert_eq!(
        checks,
        [
            Announcement,
            Prize,
            Seal,
            Seed,
            LastLeaf,
            Beacon,
            RankLeaves,
            Draw,
            Record
        ]
    );
    assert!(verdict.is_valid(), "{verdict:?}");
    assert_eq!(
        (verdict.foreknowledge, verdict.seal_time),
        (None, SealTime::NotWitnessed)
    );
    assert_eq!(check_list(&proof, &leaves), Ok(()));

    let witnessed = verdict_with(&proof, &log[..3]);
    assert!(witnessed.is_valid());
    assert_eq!(witnessed.checks.last(), Some(&(Witness, true)));
    assert_eq!(witnessed.seal_time, SealTime::BeforeBeacon);
}

#[test]
fn each_change_fails_exactly_the_checks_that_depend_on_it() {
    type Change = fn(&mut Proof);
    let changes: [(Change, &[Check]); 35] = [
        (
            |proof| proof.drawing = DrawingId::new(8),
            &[Announcement, Seal, Record],
        ),
        (|proof| proof.raffle = FRESH_SIPS, &[Announcement, Record]),
        (
            |proof| proof.period = Period::new(2026, 12).unwrap(),
            &[Announcement, Record],
        ),
        (
            |proof| proof.kind = DrawingKind::Additional,
            &[Announcement, Record],
        ),
        (|proof| proof.cut_off += TimeDelta::microseconds(1), &[Seal]),
        (|proof| proof.commitment = Hash::ZERO, &[Announcement, Seed]),
        (
            |proof| proof.committed_at += TimeDelta::microseconds(1),
            &[Announcement],
        ),
        (
            |proof| proof.seed = Seed::new([6; 32]),
            &[Seal, Seed, Draw, Record],
        ),
        (
            |proof| proof.root = Hash::ZERO,
            &[Seal, LastLeaf, RankLeaves, Draw, Record],
        ),
        (|proof| proof.version = None, &[Prize]),
        (
            |proof| proof.version = proof.version.take().map(|text| text + " "),
            &[Prize],
        ),
        (|proof| proof.weights_hash = Hash::ZERO, &[Seal, Draw, Record]),
        // With a list of 1,000, the tree would have another shape.
        (
            |proof| proof.participants = 1_000,
            &[Seal, LastLeaf, RankLeaves, Draw, Record],
        ),
        (|proof| proof.entries += 1, &[Seal, LastLeaf, Draw, Record]),
        (|proof| proof.entries = 0, &[Seal, LastLeaf, Draw, Record]),
        (
            |proof| proof.round = Round::new(1),
            &[Announcement, Seal, Beacon, Draw, Record],
        ),
        (
            |proof| proof.round = None,
            &[Announcement, Seal, Beacon, Draw, Record],
        ),
        (
            |proof| proof.beacon = BeaconChoice::Off,
            &[Announcement, Beacon, Draw, Record],
        ),
        (
            |proof| proof.announcement.hash = Hash::ZERO,
            &[Announcement, Seal, Draw, Record],
        ),
        (
            |proof| proof.announcement.entry.session = Some(1),
            &[Announcement],
        ),
        (|proof| proof.announcement.id = 100, &[Announcement, Seal]),
        (|proof| proof.seal.hash = Hash::ZERO, &[Seal, Record]),
        (|proof| proof.seal.previous = Hash::ZERO, &[Seal]),
        (|proof| proof.last.path.clear(), &[LastLeaf]),
        (|proof| proof.last.leaf.weight += 1, &[LastLeaf]),
        (
            |proof| proof.last = drawn(proof).ranks[0].proven.clone(),
            &[LastLeaf],
        ),
        (
            |proof| drawn(proof).signature = Some(BeaconSignature::new([1; 48])),
            &[Beacon, Record],
        ),
        (|proof| drawn(proof).signature = None, &[Beacon, Record]),
        (
            |proof| drawn(proof).randomness = Hash::ZERO,
            &[Beacon, Draw, Record],
        ),
        (|proof| drawn(proof).winning_entry_number += 1, &[Draw]),
        (
            |proof| drawn(proof).winner = drawn(proof).ranks[1].proven.clone(),
            &[Draw],
        ),
        (|proof| drawn(proof).ranks[3].entry_number += 1, &[Draw, Record]),
        (|proof| drawn(proof).ranks[3].rank = 4, &[Draw]),
        (
            |proof| drawn(proof).drawn_at += TimeDelta::microseconds(1),
            &[Record],
        ),
        (|proof| drawn(proof).verification_hash = Hash::ZERO, &[Record]),
    ];
    for (n, (change, expected)) in changes.into_iter().enumerate() {
        assert_eq!(failed_after(change), expected, "change {n}");
    }
}

#[test]
fn a_changed_leaf_of_a_rank_is_not_under_the_root() {
    for rank in 0..10 {
        let path = failed_after(|proof| drawn(proof).ranks[rank].proven.path.clear());
        let leaf = failed_after(|proof| {
            let leaf = &mut drawn(proof).ranks[rank].proven.leaf;
            leaf.blinded_id = "0".repeat(48).parse().unwrap();
        });
        // The winner's leaf stands in the proof twice.
        let expected: &[Check] = if rank == 0 {
            &[RankLeaves, Draw]
        } else {
            &[RankLeaves]
        };
        assert_eq!((path.as_slice(), leaf.as_slice()), (expected, expected));
    }
}

#[test]
fn a_rank_too_many_too_few_or_in_another_order_does_not_follow() {
    assert_eq!(
        failed_after(|proof| drop(drawn(proof).ranks.pop())),
        [Draw, Record]
    );
    assert_eq!(failed_after(|proof| drawn(proof).ranks.clear()), [Draw, Record]);
    assert_eq!(
        failed_after(|proof| drop(drawn(proof).ranks.remove(0))),
        [Draw, Record]
    );
    assert_eq!(
        failed_after(|proof| drawn(proof).ranks.swap(4, 5)),
        [Draw, Record]
    );
    let twice = failed_after(|proof| {
        let last = drawn(proof).ranks[9].clone();
        drawn(proof).ranks.push(last);
    });
    assert_eq!(twice, [Draw, Record]);
}

/// Whoever writes the log can write entries with right hashes. Their content must still fit.
#[test]
fn an_announcement_with_a_right_hash_must_say_what_the_proof_says() {
    let rewritten = |change: fn(&mut Announcement)| {
        failed_after(|proof| {
            let mut announced = Announcement::from_details(&proof.announcement.entry.details).unwrap();
            change(&mut announced);
            proof.announcement.entry.details = announced.details();
            let old = proof.announcement.hash;
            rehash(&mut proof.announcement);
            proof.seal.entry.details =
                (proof.seal.entry.details).replace(&old.to_string(), &proof.announcement.hash.to_string());
            rehash(&mut proof.seal);
        })
    };
    let always = [Draw, Record];
    assert_eq!(
        rewritten(|announced| announced.reason = Some("none".to_owned())),
        always
    );
    let changes: [fn(&mut Announcement); 6] = [
        |announced| announced.raffle = FRESH_SIPS,
        |announced| announced.period = Period::new(2027, 1).unwrap(),
        |announced| announced.kind = DrawingKind::Additional,
        |announced| announced.beacon = BeaconChoice::Off,
        |announced| announced.round = Round::new(1),
        |announced| announced.commitment = Hash::ZERO,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        assert_eq!(rewritten(change), [Announcement, Draw, Record], "change {n}");
    }
    let cut_off =
        rewritten(|announced| announced.cut_off = Some(announced.cut_off.unwrap() + TimeDelta::hours(1)));
    assert_eq!(cut_off, [Seal, Draw, Record]);
    assert_eq!(rewritten(|announced| announced.cut_off = None), always);
    let no_deadline = rewritten(|announced| announced.seal_before = None);
    assert_eq!(no_deadline, [Beacon, Draw, Record]);
}

#[test]
fn a_seal_with_a_right_hash_must_say_what_the_proof_says() {
    let rewritten = |change: fn(&mut SealDetails)| {
        failed_after(|proof| {
            let mut sealed = SealDetails::from_details(&proof.seal.entry.details).unwrap();
            change(&mut sealed);
            proof.seal.entry.details = sealed.details();
            rehash(&mut proof.seal);
        })
    };
    let changes: [fn(&mut SealDetails); 6] = [
        |sealed| sealed.opening = Hash::ZERO,
        |sealed| sealed.round = Round::new(1),
        |sealed| sealed.cut_off += TimeDelta::microseconds(1),
        |sealed| sealed.root = Hash::ZERO,
        |sealed| sealed.weights_hash = Hash::ZERO,
        |sealed| sealed.entries += 1,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        assert_eq!(rewritten(change), [Seal, Record], "change {n}");
    }
}

#[test]
fn entries_of_the_log_must_be_of_the_right_kind() {
    let announcement = failed_after(|proof| {
        proof.announcement.entry.action = LogAction::Checkpoint;
        rehash(&mut proof.announcement);
    });
    assert_eq!(announcement, [Announcement, Seal, Draw, Record]);
    let changes: [fn(&mut Proof); 6] = [
        |proof| proof.seal.entry.action = LogAction::DrawingAnnounced,
        |proof| proof.seal.entry.drawing = None,
        |proof| proof.seal.entry.random_seed = None,
        |proof| proof.seal.entry.participant_count = None,
        |proof| proof.seal.entry.details = "{}".to_owned(),
        |proof| proof.seal.id = 2,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let failed = failed_after(|proof| {
            change(proof);
            rehash(&mut proof.seal);
        });
        assert_eq!(failed, [Seal, Record], "change {n}");
    }
}

#[test]
fn a_sealed_drawing_is_checked_without_a_result() {
    let mut proof = draw(&Plan::default()).proof;
    for outcome in [
        Outcome::Sealed { waiting_since: None },
        Outcome::Void { late: None },
    ] {
        proof.outcome = outcome;
        let verdict = verdict(&proof);
        let checks: Vec<Check> = verdict.checks.iter().map(|(check, _)| *check).collect();
        assert_eq!(checks, [Announcement, Prize, Seal, Seed, LastLeaf]);
        assert!(verdict.is_valid() && verdict.foreknowledge.is_none());
        assert_eq!(proof.drawn(), None);
    }
    proof.seed = Seed::new([6; 32]);
    assert_eq!(failed(&proof), [Seal, Seed]);
}

#[test]
fn a_late_round_is_checked_with_the_entry_that_it_would_have_drawn() {
    let mut proof = draw(&Plan::default()).proof;
    let late = LateRound {
        signature: drawn(&mut proof).signature.unwrap(),
        entry_number: drawn(&mut proof).winning_entry_number,
    };
    let failed_with = |late: LateRound| {
        let mut proof = proof.clone();
        proof.outcome = Outcome::Void { late: Some(late) };
        let verdict = verdict(&proof);
        assert!(verdict.checks.iter().any(|(check, _)| *check == Check::LateRound));
        verdict.failed()
    };
    assert_eq!(failed_with(late.clone()), []);
    let other_entry = LateRound {
        entry_number: late.entry_number + 1,
        ..late.clone()
    };
    let other_signature = LateRound {
        signature: sign(&Chain::quicknet(), Round::new(round().number() + 1).unwrap()),
        ..late
    };
    for wrong in [other_entry, other_signature] {
        assert_eq!(failed_with(wrong), [Check::LateRound]);
    }
}

/// A drawing that takes the list of a void one has this list, and is announced a day before its seal.
#[test]
fn a_list_that_is_taken_is_the_one_that_was_announced() {
    let own = draw(&Plan::default()).proof;
    let replaced = Replaced {
        drawing: DrawingId::new(3),
        root: own.root,
        weights_hash: own.weights_hash,
    };
    let failed_with = |replaced: Replaced, hours: i64| {
        let plan = Plan {
            replaces: Some(replaced),
            sealed_at: own.committed_at + TimeDelta::hours(hours),
            ..Plan::default()
        };
        failed(&draw(&plan).proof)
    };
    assert_eq!(failed_with(replaced, 24), []);
    assert_eq!(failed_with(replaced, 23), [Seal]);
    let other = Hash::new([4; 32]);
    let other_root = Replaced {
        root: other,
        ..replaced
    };
    let other_weights = Replaced {
        weights_hash: other,
        ..replaced
    };
    for wrong in [other_root, other_weights] {
        assert_eq!(failed_with(wrong, 24), [Seal]);
    }
}

#[test]
fn without_a_beacon_the_proof_is_valid_and_says_what_the_operator_could_know() {
    let plan = Plan {
        beacon: BeaconChoice::Off,
        ..Plan::default()
    };
    let Sample { log, mut proof, .. } = draw(&plan);
    let verdict = verdict_with(&proof, &log[..3]);
    assert!(verdict.is_valid(), "{verdict:?}");
    assert_eq!(verdict.foreknowledge, Some(Foreknowledge::BeaconOff));
    assert_eq!(
        verdict.seal_time,
        SealTime::NotWitnessed,
        "there is no time to witness"
    );

    drawn(&mut proof).randomness = Hash::new([1; 32]);
    assert_eq!(failed(&proof), [Beacon, Record], "it is not in the key");
}

#[test]
fn a_list_must_have_every_leaf_and_weight() {
    let Sample {
        leaves, mut proof, ..
    } = draw(&Plan::default());
    let ranks: Vec<u64> = drawn(&mut proof)
        .ranks
        .iter()
        .map(|rank| rank.proven.leaf.index)
        .collect();
    let changes: [fn(&mut Leaf); 4] = [
        |leaf| leaf.index += 1,
        |leaf| leaf.first_entry += 1,
        |leaf| leaf.weight += 1,
        |leaf| leaf.blinded_id = "0".repeat(48).parse().unwrap(),
    ];
    for index in 0..leaves.len() {
        for change in changes {
            let mut changed = leaves.clone();
            change(&mut changed[index]);
            assert!(check_list(&proof, &changed).is_err());
        }
        let mut other_id = leaves.clone();
        other_id[index].blinded_id = "0".repeat(48).parse().unwrap();
        let fault = check_list(&proof, &other_id).unwrap_err();
        let rank = ranks.iter().position(|ranked| *ranked == index as u64);
        let expected = match rank {
            Some(rank) => format!("row {index} differs from the proof's rank {rank}"),
            None if index == 11 => "row 11 differs from the proof's last entrant".to_owned(),
            None => "its root differs from the proof's".to_owned(),
        };
        assert_eq!(fault, expected);
    }
    proof.weights_hash = Hash::ZERO;
    assert_eq!(
        check_list(&proof, &leaves),
        Err("the hash of its weights differs from the proof's".to_owned())
    );
}

#[test]
fn the_names_of_the_checks_are_those_of_the_specification() {
    let names: Vec<String> = Check::iter().map(|check| check.to_string()).collect();
    let expected = [
        "announcement",
        "prize",
        "seal",
        "seed",
        "lastLeaf",
        "beacon",
        "rankLeaves",
        "draw",
        "record",
        "lateRound",
        "list",
        "witness",
    ];
    assert_eq!(names, expected);
}
