//! What an operator with the database and all keys, or a beacon that lies, can try, and what reveals it.

use crate::sample::{
    DRAWING, EasyBeacon, Plan, Sample, announce, append, check_list, draw, drawn, failed, finish, rehash,
    round, round_at, seal, sign, verdict, verdict_with,
};
use chrono::TimeDelta;
use drawing::Check::{Beacon, Draw, RankLeaves, Record, Seal, Witness};
use drawing::beacon::{BeaconSignature, Chain, ChainHash, Round};
use drawing::{
    Announcement, BeaconChoice, BeaconValue, DrawingId, Foreknowledge, Freezer, Hash, KnownChains, Leaf,
    LogAction, LogBreak, LogCopy, LogEntry, LogFault, LogRules, Participant, Proof, Replaced, SaltKey,
    SealDetails, SealTime, Seed, is_included,
};
use kernel::{EntrantId, PersonSalt, PersonTag, Phone};

/// Follows a log by the rules.
fn follow(log: &[LogEntry]) -> Result<(), LogFault> {
    let mut rules = LogRules::default();
    log.iter().try_for_each(|entry| rules.push(entry))
}

/// The operator waits for the round, and then writes another announcement and another seal.
fn rewritten_after_the_round(change: fn(&mut Plan)) -> Sample {
    let mut plan = Plan::default();
    change(&mut plan);
    draw(&plan)
}

/// The winner follows from the salt key if it may be chosen after the round: try keys until the favorite wins.
#[test]
fn attack_a_new_salt_key_after_the_round_changes_the_seal() {
    let honest = draw(&Plan::default());
    let favorite = 11;
    let forged = (0..=255).find_map(|byte| {
        let salt_key = [byte; 32];
        let forged = draw(&Plan {
            salt_key,
            ..Plan::default()
        });
        let winner = forged.proof.drawn().unwrap().winner.leaf.index;
        (winner == favorite && forged.proof.seal.hash != honest.proof.seal.hash).then_some(forged)
    });
    let forged = forged.unwrap();
    // The proof alone does not show it: nobody knows when the seal was written.
    let alone = verdict(&forged.proof);
    assert!(alone.is_valid());
    assert_eq!(alone.seal_time, SealTime::NotWitnessed);
    // A copy of the log from before the round does.
    let witnessed = verdict_with(&forged.proof, &honest.log[..3]);
    assert_eq!(witnessed.failed(), [Witness]);
    assert_eq!(witnessed.seal_time, SealTime::NotWitnessed);
}

#[test]
fn attack_another_seed_after_the_round_changes_announcement_and_seal() {
    let honest = draw(&Plan::default());
    let forged = rewritten_after_the_round(|plan| plan.seed = Seed::new([77; 32]));
    assert!(verdict(&forged.proof).is_valid());
    // Even a copy that ends with the announcement shows it.
    for saved in [&honest.log[..2], &honest.log[..3]] {
        assert_eq!(verdict_with(&forged.proof, saved).failed(), [Witness]);
    }
    // Under the old announcement, the new seed is not the one that was announced.
    let mut proof = honest.proof;
    proof.seed = Seed::new([77; 32]);
    assert!(failed(&proof).contains(&drawing::Check::Seed));
}

#[test]
fn attack_an_entrant_added_after_the_round_changes_the_seal() {
    let honest = draw(&Plan::default());
    let forged = rewritten_after_the_round(|plan| plan.entrants.push((99, 5)));
    assert_eq!(verdict_with(&forged.proof, &honest.log[..3]).failed(), [Witness]);
}

#[test]
fn attack_ids_permuted_after_the_seal_are_not_under_the_root() {
    let Sample {
        mut leaves,
        mut proof,
        ..
    } = draw(&Plan::default());
    let (first, second) = (leaves[0].blinded_id, leaves[1].blinded_id);
    (leaves[0].blinded_id, leaves[1].blinded_id) = (second, first);
    assert!(check_list(&proof, &leaves).is_err());
    let (first, second) = {
        let ranks = &drawn(&mut proof).ranks;
        (ranks[0].proven.leaf.blinded_id, ranks[1].proven.leaf.blinded_id)
    };
    drawn(&mut proof).ranks[0].proven.leaf.blinded_id = second;
    drawn(&mut proof).ranks[1].proven.leaf.blinded_id = first;
    drawn(&mut proof).winner = drawn(&mut proof).ranks[0].proven.clone();
    assert_eq!(failed(&proof), [RankLeaves]);
}

#[test]
fn attack_a_winners_number_changed_after_the_seal_does_not_open_their_leaf() {
    let salt_key = SaltKey::new([8; 32]);
    let (id, person_salt) = (EntrantId::new(1), PersonSalt::new([9; 32]));
    let tag_of = |phone| PersonTag::of(&person_salt, &Phone::from_e164(phone).unwrap());
    let own = tag_of("+15551234567");
    let mut freezer = Freezer::new(salt_key);
    freezer.push(id, 3, own);
    let frozen = freezer.finish().unwrap();
    let participants = frozen.chunks[0].participants(&salt_key, &[own]).unwrap();
    let Participant { salt, leaf, .. } = participants[0];
    assert_eq!(salt.blind(id, &own), leaf.blinded_id);

    // The operator gives the prize to another number. Whoever has that number gets the same salts, and the leaf does not
    // open. A leaf that does is not under the published root.
    let blinded_id = salt.blind(id, &tag_of("+15557654321"));
    assert_ne!(blinded_id, leaf.blinded_id);
    let forged = Leaf { blinded_id, ..leaf };
    assert!(is_included(leaf.hash(), 0, 1, &[], &frozen.root));
    assert!(!is_included(forged.hash(), 0, 1, &[], &frozen.root));
}

#[test]
fn attack_a_seal_after_its_deadline_is_refused() {
    let late = Plan {
        sealed_at: round_at() - TimeDelta::hours(1) + TimeDelta::microseconds(1),
        ..Plan::default()
    };
    let sample = draw(&late);
    assert_eq!(failed(&sample.proof), [Seal]);
    assert_eq!(follow(&sample.log), Err(LogFault::LateSeal(3, DRAWING)));
    let in_time = Plan {
        sealed_at: round_at() - TimeDelta::hours(1),
        ..Plan::default()
    };
    assert_eq!(failed(&draw(&in_time).proof), []);
}

/// An announcement that lets the operator seal when the round's randomness is known.
#[test]
fn attack_a_deadline_after_the_round_is_refused() {
    for deadline in [Some(round_at()), Some(round_at() + TimeDelta::hours(1)), None] {
        let plan = Plan::default();
        let mut log = Vec::new();
        let mut announcement = announce(&plan, &mut log);
        let mut announced = Announcement::from_details(&announcement.entry.details).unwrap();
        announced.seal_before = deadline;
        announcement.entry.details = announced.details();
        rehash(&mut announcement);
        let mut log = vec![announcement.clone()];
        let sealed = seal(&plan, &announcement, &mut log);
        let sample = finish(&plan, announcement, sealed, log);
        assert_eq!(failed(&sample.proof), [Beacon], "{deadline:?}");
    }
}

/// The server shows one log to one visitor and another to the next.
#[test]
fn attack_a_forked_log_contradicts_a_saved_copy() {
    let honest = draw(&Plan::default());
    let forked = draw(&Plan {
        salt_key: [9; 32],
        ..Plan::default()
    });
    let (mine, theirs) = (
        LogCopy::new(honest.log).unwrap(),
        LogCopy::new(forked.log).unwrap(),
    );
    let first = mine.entries().iter().find(|entry| theirs.contradicts(entry));
    assert_eq!(
        first.map(|entry| entry.id),
        Some(3),
        "the seal is the first that differs"
    );
    assert!(mine.entries()[..2].iter().all(|entry| theirs.has(entry)));
}

#[test]
fn attack_a_saved_copy_with_a_rewritten_entry_is_no_copy() {
    let mut log = draw(&Plan::default()).log;
    log[1].entry.at += TimeDelta::seconds(1);
    assert_eq!(LogCopy::new(log.clone()), Err(LogBreak::Changed(2)));
    rehash(&mut log[1]);
    assert_eq!(LogCopy::new(log.clone()), Err(LogBreak::WrongPreviousHash(3)));
    log.remove(1);
    assert_eq!(LogCopy::new(log), Err(LogBreak::Gap(3)));
}

/// The operator seals two lists before the round, and shows the one whose winner suits them.
#[test]
fn attack_a_second_seal_of_the_same_drawing_is_found_in_the_log() {
    let plan = Plan::default();
    let mut log = Vec::new();
    let announcement = announce(&plan, &mut log);
    seal(&plan, &announcement, &mut log);
    let other = Plan {
        salt_key: [9; 32],
        ..plan
    };
    let second = seal(&other, &announcement, &mut log);
    let before_the_round = log.clone();
    let sample = finish(&other, announcement, second, log);
    assert!(
        verdict(&sample.proof).is_valid(),
        "the proof alone does not show it"
    );
    assert_eq!(follow(&sample.log), Err(LogFault::SecondSeal(3, DRAWING)));
    assert_eq!(verdict_with(&sample.proof, &before_the_round).failed(), [Witness]);
}

#[test]
fn attack_a_copy_from_after_the_drawing_witnesses_nothing() {
    let sample = draw(&Plan::default());
    let verdict = verdict_with(&sample.proof, &sample.log);
    assert!(verdict.is_valid());
    assert_eq!(verdict.seal_time, SealTime::NotWitnessed);
    // Neither does one that ends before the seal.
    let verdict = verdict_with(&sample.proof, &sample.log[..2]);
    assert!(verdict.is_valid());
    assert_eq!(verdict.seal_time, SealTime::NotWitnessed);
    // One that starts later does, if it has the seal.
    assert_eq!(
        verdict_with(&sample.proof, &sample.log[2..3]).seal_time,
        SealTime::BeforeBeacon
    );
}

/// A chain of the operator's own, whose rounds they can compute beforehand.
#[test]
fn attack_another_chain_is_valid_only_as_a_chain_that_the_program_does_not_know() {
    let own = ChainHash::new([7; 32]);
    let plan = Plan {
        beacon: BeaconChoice::Chain(own),
        ..Plan::default()
    };
    let proof = draw(&plan).proof;
    let unknown = verdict(&proof);
    assert_eq!(unknown.foreknowledge, Some(Foreknowledge::UnknownChain));
    assert!(unknown.is_valid());
    // Who has the chain's file checks its signature.
    let chain = Chain {
        chain_hash: own,
        ..Chain::quicknet()
    };
    let chains = [Chain::quicknet(), chain];
    let known = proof.verdict(KnownChains {
        chains: &chains,
        verifier: &EasyBeacon,
    });
    assert!(known.is_valid() && known.foreknowledge.is_none());
    // Its signature does not pass for one of quicknet.
    let mut proof = draw(&Plan::default()).proof;
    replace_value(
        &mut proof,
        BeaconValue::signed(own, round(), sign(&chains[1], round())),
    );
    assert_eq!(failed(&proof), [Beacon]);
}

/// Gives a proof another signature and randomness, and everything that follows from them.
fn replace_value(proof: &mut Proof, value: BeaconValue) {
    let plan = Plan::default();
    let mut forged = draw(&plan).proof;
    drawn(&mut forged).signature = value.signature;
    drawn(&mut forged).randomness = value.randomness;
    let leaves = crate::sample::leaves(&plan);
    let facts = forged.facts_of(forged.drawn().unwrap());
    let ranks = facts
        .ranks(|entry| Ok::<_, ()>(crate::sample::holder(&leaves, entry)))
        .unwrap();
    let hashes: Vec<Hash> = leaves.iter().map(drawing::Leaf::hash).collect();
    let result = drawn(&mut forged);
    result.ranks = ranks
        .iter()
        .map(|rank| {
            let index = usize::try_from(rank.index).unwrap();
            drawing::ProvenRank {
                rank: rank.rank,
                entry_number: rank.entry_number,
                proven: drawing::ProvenLeaf {
                    leaf: leaves[index],
                    path: drawing::inclusion_path(&hashes, index),
                },
            }
        })
        .collect();
    result.winner = result.ranks[0].proven.clone();
    result.winning_entry_number = result.ranks[0].entry_number;
    let hash = forged.record_of(forged.drawn().unwrap()).verification_hash();
    drawn(&mut forged).verification_hash = hash;
    *proof = forged;
}

#[test]
fn attack_a_forged_signature_does_not_verify() {
    let mut proof = draw(&Plan::default()).proof;
    let chain = Chain::quicknet().chain_hash;
    replace_value(
        &mut proof,
        BeaconValue::signed(chain, round(), BeaconSignature::new([3; 48])),
    );
    assert_eq!(failed(&proof), [Beacon]);
}

#[test]
fn attack_the_signature_of_another_round_does_not_verify() {
    let mut proof = draw(&Plan::default()).proof;
    let chain = Chain::quicknet();
    let next = Round::new(round().number() + 1).unwrap();
    replace_value(
        &mut proof,
        BeaconValue::signed(chain.chain_hash, round(), sign(&chain, next)),
    );
    assert_eq!(failed(&proof), [Beacon]);
    // Naming that round instead does not help: it was not announced.
    let mut honest = draw(&Plan::default()).proof;
    honest.round = Some(next);
    assert!(failed(&honest).contains(&Seal));
}

#[test]
fn attack_randomness_that_is_not_the_hash_of_the_signature_is_found() {
    let mut proof = draw(&Plan::default()).proof;
    drawn(&mut proof).randomness = Hash::new([1; 32]);
    assert_eq!(failed(&proof), [Beacon, Draw, Record]);
}

/// The announced beacon is dropped after the seal, so that the seed alone decides.
#[test]
fn attack_a_beacon_that_is_turned_off_after_the_announcement_is_found() {
    let mut proof = draw(&Plan::default()).proof;
    proof.beacon = BeaconChoice::Off;
    proof.round = None;
    drawn(&mut proof).signature = None;
    drawn(&mut proof).randomness = Hash::ZERO;
    let failed = failed(&proof);
    assert!(failed.contains(&drawing::Check::Announcement) && failed.contains(&Seal));
}

#[test]
fn an_honest_log_follows_the_rules() {
    let sample = draw(&Plan::default());
    for start in 0..sample.log.len() {
        assert_eq!(follow(&sample.log[start..]), Ok(()), "from entry {start}");
    }
}

#[test]
fn attack_whatever_must_not_happen_in_the_log_is_found() {
    let sample = draw(&Plan::default());
    let with = |action: LogAction, change: fn(&mut LogEntry)| {
        let mut log = sample.log.clone();
        let copied = log.iter().find(|entry| entry.entry.action == action).cloned();
        let details = copied.map_or_else(|| "{}".to_owned(), |entry| entry.entry.details);
        let entry = append(&mut log, action, round_at(), details);
        change(entry);
        follow(&log)
    };
    let same = |_: &mut LogEntry| ();
    assert_eq!(
        with(LogAction::DrawingAnnounced, same),
        Err(LogFault::SecondAnnouncement(5, DRAWING))
    );
    assert_eq!(
        with(LogAction::DrawingSealed, same),
        Err(LogFault::SecondSeal(5, DRAWING))
    );
    assert_eq!(
        with(LogAction::DrawingPerformed, same),
        Err(LogFault::SecondResult(5, DRAWING))
    );
    assert_eq!(
        with(LogAction::DrawingVoid, same),
        Err(LogFault::VoidAfterResult(5, DRAWING))
    );
    let other = DrawingId::new(8);
    assert_eq!(
        with(LogAction::DrawingSealed, |entry| entry.entry.drawing =
            Some(DrawingId::new(8))),
        Err(LogFault::OtherAnnouncement(5, other))
    );
    assert_eq!(
        with(LogAction::DrawingPerformed, |entry| entry.entry.drawing =
            Some(DrawingId::new(8))),
        Err(LogFault::OtherSeal(5, other))
    );
    assert_eq!(
        with(LogAction::DrawingAnnounced, |entry| entry.entry.details =
            "{}".to_owned()),
        Err(LogFault::Details(5, DRAWING))
    );
}

/// The rules about seals that are refused, drawings that are void, and the one drawing of a month.
#[test]
fn attack_a_second_drawing_of_a_month_is_found_and_a_new_one_after_a_void_is_not() {
    let plan = Plan::default();
    let (mut log, other) = (Vec::new(), DrawingId::new(8));
    let announcement = announce(&plan, &mut log);
    let sealed = seal(&plan, &announcement, &mut log);
    let second_of = |log: &mut Vec<LogEntry>, plan: &Plan| {
        let mut announced = announce(plan, log);
        announced.entry.drawing = Some(other);
        rehash(&mut announced);
        *log.last_mut().unwrap() = announced.clone();
        seal(plan, &announced, log);
        log.last_mut().unwrap().entry.drawing = Some(other);
        rehash(log.last_mut().unwrap());
    };
    let second = |log: &mut Vec<LogEntry>| second_of(log, &plan);
    let mut twice = log.clone();
    second(&mut twice);
    let fault = follow(&twice).unwrap_err();
    assert!(
        matches!(fault, LogFault::SecondOfPeriod(4, drawing, ..) if drawing == other),
        "{fault}"
    );

    // The next one takes the list of a void one, and nothing else happens to that but that its round comes.
    let mut void = log.clone();
    append(&mut void, LogAction::DrawingVoid, round_at(), "{}".to_owned());
    let mut sealed_again = void.clone();
    seal(&plan, &announcement, &mut sealed_again);
    assert_eq!(follow(&sealed_again), Err(LogFault::AfterVoid(4, DRAWING)));
    let mut with_another_list = void.clone();
    second(&mut with_another_list);
    assert_eq!(follow(&with_another_list), Err(LogFault::OtherList(5, other)));
    let details = SealDetails::from_details(&sealed.entry.details).unwrap();
    let taking = Plan {
        replaces: Some(Replaced {
            drawing: DRAWING,
            root: details.root,
            weights_hash: details.weights_hash,
        }),
        ..plan.clone()
    };
    let mut in_a_hurry = void.clone();
    let hurried = Plan {
        sealed_at: announcement.entry.at + TimeDelta::hours(23),
        ..taking.clone()
    };
    second_of(&mut in_a_hurry, &hurried);
    assert_eq!(follow(&in_a_hurry), Err(LogFault::OtherList(5, other)));
    let mut replaced = void.clone();
    second_of(&mut replaced, &taking);
    assert_eq!(follow(&replaced), Ok(()));
    let mut of_nothing = log.clone();
    second_of(&mut of_nothing, &taking);
    assert_eq!(
        follow(&of_nothing),
        Err(LogFault::OtherList(4, other)),
        "it is not void"
    );

    // Its round overturns the void before the next seal, and is late after it.
    let result = finish(&plan, announcement.clone(), sealed.clone(), log.clone());
    let result = result.log.last().unwrap().entry.details.clone();
    let then = |log: &[LogEntry], action: LogAction| {
        let mut log = log.to_vec();
        append(&mut log, action, round_at(), result.clone());
        log
    };
    let overturned = then(&void, LogAction::DrawingPerformed);
    assert_eq!(follow(&overturned), Ok(()));
    let mut drawn_twice = overturned.clone();
    second_of(&mut drawn_twice, &taking);
    assert_eq!(follow(&drawn_twice), Err(LogFault::OtherList(6, other)));
    let late = then(&replaced, LogAction::LateRound);
    assert_eq!(follow(&late), Ok(()));
    for (wrong, at) in [
        (then(&replaced, LogAction::DrawingPerformed), 6),
        (then(&late, LogAction::LateRound), 7),
        (then(&void, LogAction::LateRound), 4),
        (then(&log, LogAction::LateRound), 3),
    ] {
        assert_eq!(follow(&wrong), Err(LogFault::WrongTimeOfRound(at, DRAWING)));
    }

    // A refused seal is followed by a new announcement; the seal belongs to the new one.
    let mut refused = log[..1].to_vec();
    append(&mut refused, LogAction::SealRefused, round_at(), "{}".to_owned());
    let again = announce(&plan, &mut refused);
    let mut old = refused.clone();
    seal(&plan, &announcement, &mut old);
    assert_eq!(follow(&old), Err(LogFault::OtherAnnouncement(4, DRAWING)));
    seal(&plan, &again, &mut refused);
    assert_eq!(follow(&refused), Ok(()));

    let mut other_seed = log[..1].to_vec();
    let mut entry = sealed;
    entry.entry.random_seed = Some(Seed::new([1; 32]));
    rehash(&mut entry);
    other_seed.push(entry);
    assert_eq!(follow(&other_seed), Err(LogFault::OtherSeed(2, DRAWING)));
    assert!(SealDetails::from_details(&other_seed[1].entry.details).is_ok());
}
