//! The test vectors of `docs/drawing-vectors.json`, which an independent implementation generates. Its proofs are checked
//! by the tests of `app`, which can read them and verify the beacon's signatures.

use crate::sample::weights_hash;
use drawing::{
    BeaconChoice, BeaconValue, DrawFacts, Freezer, Hash, Leaf, ListRow, LogCopy, LogEntry, LogRules, Rank,
    SaltKey, Tree, csv_header, csv_lines, inclusion_path, is_included,
};
use kernel::{EntrantId, PersonSalt, PersonTag, Phone};
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
    salt_key: String,
    entrants: Vec<EntrantVector>,
    leaves: Vec<LeafVector>,
    root: String,
    weights_hash: String,
    total_participants: usize,
    total_entries: u64,
    paths: Vec<Vec<String>>,
    csv: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntrantVector {
    id: i64,
    weight: u64,
    person_salt: String,
    number: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LeafVector {
    tag: String,
    salt: String,
    blinded_id: String,
    index: u64,
    first_entry: u64,
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
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/drawing-vectors.json");
    let vectors: Vectors = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(vectors.scheme, drawing::SCHEME);
    vectors
}

fn bytes(hex: &str) -> [u8; 32] {
    *hex.parse::<Hash>().unwrap().as_bytes()
}

#[test]
fn every_frozen_list_has_the_leaves_of_its_vector() {
    for vector in vectors().drawings {
        let (name, salt_key) = (&vector.name, SaltKey::new(bytes(&vector.salt_key)));
        let tag_of = |entrant: &EntrantVector| {
            let phone = Phone::from_e164(&entrant.number).unwrap();
            PersonTag::of(&PersonSalt::new(bytes(&entrant.person_salt)), &phone)
        };
        let tags: Vec<PersonTag> = vector.entrants.iter().map(tag_of).collect();
        let mut freezer = Freezer::new(salt_key);
        for (entrant, tag) in vector.entrants.iter().zip(&tags) {
            freezer.push(EntrantId::new(entrant.id), entrant.weight, *tag);
        }
        let frozen = freezer.finish().unwrap();
        assert_eq!(
            (frozen.root.to_string(), frozen.weights_hash.to_string()),
            (vector.root, vector.weights_hash),
            "{name}"
        );
        let participants = frozen.chunks[0].participants(&salt_key, &tags).unwrap();
        assert_eq!(participants.len(), vector.leaves.len(), "{name}");
        for (n, (participant, expected)) in participants.iter().zip(&vector.leaves).enumerate() {
            let leaf = &participant.leaf;
            assert_eq!(Hash::new(*tags[n].as_bytes()).to_string(), expected.tag);
            assert_eq!(participant.id.get(), vector.entrants[n].id);
            assert_eq!(participant.salt.to_string(), expected.salt);
            assert_eq!(leaf.weight, vector.entrants[n].weight);
            assert_eq!(
                (leaf.index, leaf.first_entry),
                (expected.index, expected.first_entry)
            );
            assert_eq!(leaf.blinded_id.to_string(), expected.blinded_id);
            assert_eq!(leaf.hash().to_string(), expected.hash);
        }
        let lines: Vec<Leaf> = participants.iter().map(|participant| participant.leaf).collect();
        assert_eq!(csv_header() + &csv_lines(&lines), vector.csv, "{name}");
    }
}

#[test]
fn a_row_in_any_other_spelling_is_rejected() {
    let csv = &vectors().drawings[1].csv;
    let row = csv.lines().nth(1).unwrap();
    assert_eq!(ListRow::write(&ListRow::read(row).unwrap()), row);
    let (numbers, blinded) = row.rsplit_once(',').unwrap();
    for invalid in [
        "",
        ListRow::HEADER,
        numbers,
        &format!("{row},"),
        &format!(" {row}"),
        &format!("0{row}"),
        &format!("+{row}"),
        &format!("{numbers},{}", blinded.to_uppercase()),
        &format!("{numbers},{}", &blinded[1..]),
        "-1,1,1,000000000000000000000000000000000000000000000000",
    ] {
        assert!(ListRow::read(invalid).is_err(), "{invalid}");
    }
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
            let computed = inclusion_path(&hashes, index);
            assert_eq!(&texts(&computed), path);
            let (size, root) = (hashes.len() as u64, vector.root.parse().unwrap());
            assert!(is_included(hashes[index], index as u64, size, &computed, &root));
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
