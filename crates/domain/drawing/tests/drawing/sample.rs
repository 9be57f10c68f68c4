//! Drawings for tests: announced, sealed and drawn as the server does it, with a beacon whose signatures are easy to make.

use chrono::{DateTime, TimeDelta, Utc};
use drawing::beacon::{BeaconSignature, BeaconVerifier, Chain, Round};
use drawing::rules::RulesStamp;
use drawing::{
    AnnouncedPrize, Announcement, BeaconChoice, BeaconValue, Check, DrawFacts, DrawingId, DrawingKind, Drawn,
    EntriesByKind, Hash, KnownChains, Leaf, LeftOut, ListCheck, LogAction, LogCopy, LogEntry, NewLogEntry,
    Outcome, Period, Proof, ProvenLeaf, ProvenRank, Record, Replaced, SealDetails, Seed, SeedSource, Tree,
    Verdict, VersionStamp, inclusion_path,
};
use raffle::KitItem;
use raffle::fixtures::GARDEN_BAG;
use sha2::{Digest, Sha256};
use std::convert::Infallible;

pub(crate) const DRAWING: DrawingId = DrawingId::new(7);

pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> Hash {
    Hash::new(Sha256::digest(bytes).into())
}

/// A beacon that signs a round with the hash of its number and of the chain's name.
pub(crate) struct EasyBeacon;

pub(crate) fn sign(chain: &Chain, round: Round) -> BeaconSignature {
    let hash = sha256([chain.chain_hash.as_bytes(), &round.message()[..]].concat());
    let mut bytes = [0; 48];
    bytes[..32].copy_from_slice(hash.as_bytes());
    BeaconSignature::new(bytes)
}

impl BeaconVerifier for EasyBeacon {
    fn verifies(&self, chain: &Chain, round: Round, signature: &BeaconSignature) -> bool {
        *signature == sign(chain, round)
    }
}

pub(crate) fn round_at() -> DateTime<Utc> {
    let round_at = "2026-12-01T17:00:00Z".parse::<DateTime<Utc>>().unwrap();
    assert_eq!(Chain::quicknet().time_of(round()), Some(round_at));
    round_at
}

pub(crate) fn round() -> Round {
    let noon = "2026-12-01T17:00:00Z".parse().unwrap();
    Chain::quicknet().first_round_at_or_after(noon)
}

/// What the operator decides about a drawing.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The entrants' ids and weights.
    pub(crate) entrants: Vec<(u64, u64)>,
    pub(crate) salt_key: [u8; 32],
    pub(crate) seed: Seed,
    pub(crate) beacon: BeaconChoice,
    pub(crate) sealed_at: DateTime<Utc>,
    pub(crate) replaces: Option<Replaced>,
}

impl Default for Plan {
    /// Twelve entrants, so that two get no rank.
    fn default() -> Self {
        Self {
            entrants: (1..=12).map(|id| (id, 1 + id % 4)).collect(),
            salt_key: [8; 32],
            seed: Seed::new([5; 32]),
            beacon: BeaconChoice::Chain(Chain::quicknet().chain_hash),
            sealed_at: round_at() - TimeDelta::hours(2),
            replaces: None,
        }
    }
}

/// A drawing with everything that is published about it.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) proof: Proof,
}

/// The leaves. How ids are blinded does not matter here, as long as it depends on the salt key.
pub(crate) fn leaves(plan: &Plan) -> Vec<Leaf> {
    let mut first_entry = 1;
    let mut leaves = Vec::new();
    for (index, (id, weight)) in plan.entrants.iter().enumerate() {
        let blinded = sha256([&plan.salt_key[..], &id.to_be_bytes()].concat()).to_string();
        leaves.push(Leaf {
            index: index as u64,
            first_entry,
            weight: *weight,
            blinded_id: blinded[..48].parse().unwrap(),
        });
        first_entry += weight;
    }
    leaves
}

fn root(leaves: &[Leaf]) -> Hash {
    let mut tree = Tree::default();
    leaves.iter().for_each(|leaf| tree.push(leaf.hash()));
    tree.root().unwrap()
}

pub(crate) fn append(
    log: &mut Vec<LogEntry>,
    action: LogAction,
    at: DateTime<Utc>,
    details: String,
) -> &mut LogEntry {
    let last = log.last().map(|entry| (entry.id, entry.hash));
    let entry = NewLogEntry {
        action,
        drawing: Some(DRAWING).filter(|_| action != LogAction::Checkpoint),
        details,
        random_seed: None,
        participant_count: None,
        verification_hash: None,
        session: None,
        at,
    };
    log.push(LogEntry::after(last, entry));
    log.last_mut().unwrap()
}

/// Gives an entry the hash of its present text.
pub(crate) fn rehash(entry: &mut LogEntry) {
    entry.hash = sha256(entry.text());
}

/// What the raffle says, and more than the checks know.
pub(crate) const VERSION: &str = r#"{"name":"Garden Bag Essentials","kit":[{"item":"Bag","detail":"Canvas","valueInCents":4900}],"totalValue":{"dollars":49,"orMore":false},"more":1}"#;

pub(crate) fn announce(plan: &Plan, log: &mut Vec<LogEntry>) -> LogEntry {
    let is_on = plan.beacon != BeaconChoice::Off;
    let announcement = Announcement {
        raffle: GARDEN_BAG,
        period: Period::new(2026, 11).unwrap(),
        kind: DrawingKind::Regular,
        cut_off: Some("2026-12-01T05:00:00Z".parse().unwrap()),
        beacon: plan.beacon,
        round: is_on.then(round),
        seal_before: is_on.then(|| round_at() - TimeDelta::hours(1)),
        commitment: plan.seed.commitment(),
        seed_source: SeedSource::Os,
        reason: None,
        prize: AnnouncedPrize {
            name: "Garden Bag Essentials".to_owned(),
            value_in_cents: 4_900,
            kit: vec![KitItem {
                item: "Bag".to_owned(),
                detail: "Canvas".to_owned(),
                value_in_cents: 4_900,
            }],
        },
        version: Some(VersionStamp {
            number: 1,
            hash: sha256(VERSION),
        }),
        replaces: plan.replaces,
        rules: RulesStamp {
            version: 1,
            hash: Hash::new([6; 32]),
        },
    };
    let at = "2026-11-01T05:00:00Z".parse().unwrap();
    append(log, LogAction::DrawingAnnounced, at, announcement.details()).clone()
}

pub(crate) fn seal(plan: &Plan, announcement: &LogEntry, log: &mut Vec<LogEntry>) -> LogEntry {
    let announced = Announcement::from_details(&announcement.entry.details).unwrap();
    let leaves = leaves(plan);
    let entries = leaves.iter().map(|leaf| leaf.weight).sum();
    let details = SealDetails {
        opening: announcement.hash,
        round: announced.round,
        cut_off: announced.cut_off.unwrap(),
        root: root(&leaves),
        weights_hash: weights_hash(&leaves),
        entries,
        entries_by_kind: EntriesByKind {
            base: entries,
            ..EntriesByKind::default()
        },
        left_out: LeftOut::default(),
    };
    let entry = append(log, LogAction::DrawingSealed, plan.sealed_at, details.details());
    entry.entry.random_seed = Some(plan.seed);
    entry.entry.participant_count = Some(leaves.len() as u64);
    rehash(entry);
    entry.clone()
}

pub(crate) fn weights_hash(leaves: &[Leaf]) -> Hash {
    let weights: Vec<[u8; 8]> = leaves.iter().map(|leaf| leaf.weight.to_be_bytes()).collect();
    sha256(weights.concat())
}

/// Announces, seals and draws, and writes the proof.
pub(crate) fn draw(plan: &Plan) -> Sample {
    let mut log = Vec::new();
    append(
        &mut log,
        LogAction::Checkpoint,
        "2026-11-01T00:00:00Z".parse().unwrap(),
        "{}".to_owned(),
    );
    let announcement = announce(plan, &mut log);
    let seal = seal(plan, &announcement, &mut log);
    finish(plan, announcement, seal, log)
}

/// Draws with an announcement and a seal, and writes the proof.
pub(crate) fn finish(plan: &Plan, announcement: LogEntry, seal: LogEntry, mut log: Vec<LogEntry>) -> Sample {
    let announced = Announcement::from_details(&announcement.entry.details).unwrap();
    let sealed = SealDetails::from_details(&seal.entry.details).unwrap();
    let leaves = leaves(plan);
    let beacon = match plan.beacon {
        BeaconChoice::Off => BeaconValue::OFF,
        BeaconChoice::Chain(hash) => {
            let chain = Chain {
                chain_hash: hash,
                ..Chain::quicknet()
            };
            BeaconValue::signed(hash, round(), sign(&chain, round()))
        }
    };
    let facts = DrawFacts {
        opening: announcement.hash,
        seed: plan.seed,
        root: sealed.root,
        weights_hash: sealed.weights_hash,
        participants: leaves.len() as u64,
        entries: sealed.entries,
        beacon,
    };
    let ranks = facts
        .ranks(|entry| Ok::<_, Infallible>(holder(&leaves, entry)))
        .unwrap();
    let hashes: Vec<Hash> = leaves.iter().map(Leaf::hash).collect();
    let proven = |index: usize| ProvenLeaf {
        leaf: leaves[index],
        path: inclusion_path(&hashes, index),
    };
    let record = Record {
        drawing: DRAWING,
        raffle: announced.raffle,
        period: announced.period,
        kind: announced.kind,
        seal: seal.hash,
        facts,
        entry_numbers: ranks.iter().map(|rank| rank.entry_number).collect(),
        drawn_at: round_at() + TimeDelta::seconds(4),
    };
    let details = record.drawn_details().details();
    let performed = append(&mut log, LogAction::DrawingPerformed, record.drawn_at, details);
    performed.entry.random_seed = Some(plan.seed);
    performed.entry.participant_count = Some(facts.participants);
    performed.entry.verification_hash = Some(record.verification_hash());
    rehash(performed);
    let ranks: Vec<ProvenRank> = ranks
        .iter()
        .map(|rank| ProvenRank {
            rank: rank.rank,
            entry_number: rank.entry_number,
            proven: proven(usize::try_from(rank.index).unwrap()),
        })
        .collect();
    let drawn = Drawn {
        signature: beacon.signature,
        randomness: beacon.randomness,
        winning_entry_number: ranks[0].entry_number,
        winner: ranks[0].proven.clone(),
        ranks,
        drawn_at: record.drawn_at,
        verification_hash: record.verification_hash(),
        audit_log_hash: performed.hash,
        winner_last4: Some("4567".to_owned()),
    };
    let proof = Proof {
        drawing: DRAWING,
        raffle: announced.raffle,
        period: announced.period,
        kind: announced.kind,
        cut_off: sealed.cut_off,
        commitment: announced.commitment,
        committed_at: announcement.entry.at,
        seed_source: announced.seed_source,
        seed: plan.seed,
        version: Some(VERSION.to_owned()),
        root: facts.root,
        weights_hash: facts.weights_hash,
        participants: facts.participants,
        entries: facts.entries,
        announcement,
        seal,
        last: proven(leaves.len() - 1),
        beacon: plan.beacon,
        round: announced.round,
        outcome: Outcome::Drawn(Box::new(drawn)),
    };
    Sample { leaves, log, proof }
}

pub(crate) fn holder(leaves: &[Leaf], entry: u64) -> u64 {
    leaves.iter().find(|leaf| leaf.holds(entry)).unwrap().index
}

pub(crate) fn drawn(proof: &mut Proof) -> &mut Drawn {
    match &mut proof.outcome {
        Outcome::Drawn(drawn) => drawn,
        _ => unreachable!("it has a result"),
    }
}

/// The verdict of somebody who knows quicknet only.
pub(crate) fn verdict(proof: &Proof) -> Verdict {
    proof.verdict(KnownChains {
        chains: &[Chain::quicknet()],
        verifier: &EasyBeacon,
    })
}

/// The verdict of somebody who also saved these entries of the log.
pub(crate) fn verdict_with(proof: &Proof, log: &[LogEntry]) -> Verdict {
    let known = KnownChains {
        chains: &[Chain::quicknet()],
        verifier: &EasyBeacon,
    };
    proof.verdict_with_witness(known, &LogCopy::new(log.to_vec()).unwrap())
}

pub(crate) fn failed(proof: &Proof) -> Vec<Check> {
    verdict(proof).failed()
}

pub(crate) fn check_list(proof: &Proof, leaves: &[Leaf]) -> Result<(), String> {
    let mut check = ListCheck::new(proof);
    leaves.iter().for_each(|leaf| check.push(leaf));
    check.finish()
}
