//! The test vectors of `docs/drawing-vectors-2.json`, which an independent implementation generates. Its proofs are checked
//! by the tests of `app`, which can read them and verify the beacon's signatures.

use crate::sample::weights_hash;
use drawing::v2::{BeaconChoice, BeaconValue, DrawFacts, LogCopy, LogRules, Rank};
use drawing::{Hash, Leaf, ListRow, LogEntry, Tree, inclusion_path};
use serde::Deserialize;
use serde_json::Value;
use std::convert::Infallible;

#[derive(Deserialize)]
struct Vectors {
    scheme: String,
    drawings: Vec<DrawingVector>,
    log: Vec<LogVector>,
    draws: Vec<DrawVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DrawingVector {
    name: String,
    leaves: Vec<LeafVector>,
    root: String,
    weights_hash: String,
    total_participants: usize,
    total_entries: u64,
    paths: Vec<Vec<String>>,
    csv: String,
}

#[derive(Deserialize)]
struct LeafVector {
    hash: String,
}

#[derive(Deserialize)]
struct LogVector {
    entry: Value,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DrawVector {
    name: String,
    opening_hash: String,
    seed: String,
    root: String,
    weights_hash: String,
    total_participants: u64,
    total_entries: u64,
    round: u64,
    randomness: String,
    weights: Vec<u64>,
    key: String,
    ranks: Vec<RankVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RankVector {
    entry_number: u64,
    index: u64,
}

fn vectors() -> Vectors {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/drawing-vectors-2.json");
    let vectors: Vectors = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(vectors.scheme, drawing::v2::SCHEME);
    vectors
}

#[test]
fn every_list_has_the_hashes_of_its_vector() {
    let drawings = vectors().drawings;
    assert!(drawings.len() >= 7);
    for vector in drawings {
        let rows = vector.csv.lines().skip(1);
        let leaves: Vec<Leaf> = rows.map(|row| ListRow::read(row).unwrap()).collect();
        let hashes: Vec<Hash> = leaves.iter().map(Leaf::hash).collect();
        let expected: Vec<&str> = vector.leaves.iter().map(|leaf| leaf.hash.as_str()).collect();
        assert_eq!(texts(&hashes), expected, "{}", vector.name);
        assert_eq!(leaves.len(), vector.total_participants);
        assert_eq!(
            leaves.iter().map(|leaf| leaf.weight).sum::<u64>(),
            vector.total_entries
        );
        assert_eq!(weights_hash(&leaves).to_string(), vector.weights_hash);
        let mut tree = Tree::default();
        hashes.iter().for_each(|hash| tree.push(*hash));
        assert_eq!(tree.root().unwrap().to_string(), vector.root);
        for (index, path) in vector.paths.iter().enumerate() {
            assert_eq!(&texts(&inclusion_path(&hashes, index)), path);
        }
    }
}

fn texts(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}

#[test]
fn every_entry_of_the_log_is_read_and_hashed_as_its_vector() {
    let vectors = vectors().log;
    assert!(vectors.len() >= 20);
    let mut entries = Vec::new();
    for vector in vectors {
        let entry = LogEntry::from_json(&vector.entry.to_string()).unwrap();
        assert_eq!(entry.text(), vector.text);
        assert!(entry.has_its_hash());
        let written: Value = serde_json::from_str(&entry.to_json()).unwrap();
        assert_eq!(written, vector.entry);
        entries.push(entry);
    }
    let copy = LogCopy::new(entries).unwrap();
    let mut rules = LogRules::default();
    for entry in copy.entries() {
        rules.push(entry).unwrap();
    }
}

#[test]
fn every_draw_has_the_key_and_the_ranks_of_its_vector() {
    let draws = vectors().draws;
    assert!(draws.len() >= 9);
    for vector in draws {
        let facts = DrawFacts {
            opening: vector.opening_hash.parse().unwrap(),
            seed: vector.seed.parse().unwrap(),
            root: vector.root.parse().unwrap(),
            weights_hash: vector.weights_hash.parse().unwrap(),
            participants: vector.total_participants,
            entries: vector.total_entries,
            beacon: value(vector.round, &vector.randomness),
        };
        assert_eq!(facts.key().to_string(), vector.key, "{}", vector.name);
        let expected: Vec<Rank> = (0..)
            .zip(&vector.ranks)
            .map(|(rank, vector)| Rank {
                rank,
                entry_number: vector.entry_number,
                index: vector.index,
            })
            .collect();
        let mut last_entries = vector.weights;
        for place in 1..last_entries.len() {
            last_entries[place] += last_entries[place - 1];
        }
        let holder = |entry| Ok::<_, Infallible>(last_entries.partition_point(|last| *last < entry) as u64);
        assert_eq!(facts.ranks(holder), Ok(expected), "{}", vector.name);
    }
}

/// The round of a vector. Its signature is not in the vector, and not in the key.
fn value(round: u64, randomness: &str) -> BeaconValue {
    let Some(round) = drawing::beacon::Round::new(round) else {
        return BeaconValue::OFF;
    };
    BeaconValue {
        beacon: BeaconChoice::Chain(drawing::beacon::Chain::quicknet().chain_hash),
        round: Some(round),
        signature: None,
        randomness: randomness.parse().unwrap(),
    }
}
