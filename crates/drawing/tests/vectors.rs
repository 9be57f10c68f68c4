//! The test vectors of `docs/drawing-vectors.json`, which an independent implementation generates.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use drawing::{
    Chunk, Freezer, Hash, Leaf, ListCheck, ListRow, Participant, SaltKey, Scheme, Seed, inclusion_path,
    is_included, winning_entry_number,
};
use kernel::{EntrantId, PersonTag};
use serde::Deserialize;
use std::num::NonZeroU64;

#[derive(Deserialize)]
struct Vectors {
    scheme: String,
    drawings: Vec<DrawingVector>,
    winners: Vec<WinnerVector>,
    log: Vec<LogVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DrawingVector {
    name: String,
    seed: String,
    commitment: String,
    salt_key: String,
    entrants: Vec<EntrantVector>,
    leaves: Vec<LeafVector>,
    root: String,
    total_participants: u64,
    total_entries: u64,
    winning_entry_number: u64,
    winner_index: usize,
    paths: Vec<Vec<String>>,
    csv: String,
}

#[derive(Deserialize)]
struct EntrantVector {
    id: i64,
    weight: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LeafVector {
    salt: String,
    blinded_id: String,
    index: u64,
    first_entry: u64,
    hash: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WinnerVector {
    seed: String,
    root: String,
    total_participants: String,
    total_entries: String,
    winning_entry_number: String,
}

#[derive(Deserialize)]
struct LogVector {
    text: String,
    hash: String,
}

fn vectors() -> Vectors {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/drawing-vectors.json");
    let vectors: Vectors = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(vectors.scheme, drawing::SCHEME);
    vectors
}

fn salt_key(hex: &str) -> SaltKey {
    SaltKey::new(*hex.parse::<Hash>().unwrap().as_bytes())
}

fn participants(chunks: &[Chunk], salt_key: &SaltKey) -> Vec<Participant> {
    let parts = chunks.iter().map(|chunk| chunk.participants(salt_key).unwrap());
    parts.flatten().collect()
}

#[test]
fn every_drawing_matches_its_vector() {
    let drawings = vectors().drawings;
    assert!(drawings.len() >= 9);
    for vector in drawings {
        let name = &vector.name;
        let (seed, salt_key) = (vector.seed.parse::<Seed>().unwrap(), salt_key(&vector.salt_key));
        assert_eq!(seed.commitment().to_string(), vector.commitment, "{name}");
        let mut freezer = Freezer::new(Scheme::One, salt_key);
        for entrant in &vector.entrants {
            freezer.push(
                EntrantId::new(entrant.id),
                entrant.weight,
                PersonTag::new([0; 32]),
            );
        }
        let frozen = freezer.finish().unwrap();
        assert_eq!(
            (frozen.root.to_string(), frozen.participants, frozen.entries.get()),
            (vector.root, vector.total_participants, vector.total_entries),
            "{name}"
        );
        let participants = participants(&frozen.chunks, &salt_key);
        assert_eq!(participants.len(), vector.leaves.len(), "{name}");
        for ((participant, entrant), leaf) in participants.iter().zip(&vector.entrants).zip(&vector.leaves) {
            assert_eq!(participant.id.get(), entrant.id);
            assert_eq!(participant.salt.to_string(), leaf.salt);
            assert_eq!(participant.leaf.weight, entrant.weight);
            assert_eq!(participant.leaf.index, leaf.index);
            assert_eq!(participant.leaf.first_entry, leaf.first_entry);
            assert_eq!(participant.leaf.blinded_id.to_string(), leaf.blinded_id);
            assert_eq!(participant.leaf.hash().to_string(), leaf.hash);
        }
        let number = winning_entry_number(&seed, &frozen.root, frozen.participants, frozen.entries);
        assert_eq!(number, vector.winning_entry_number, "{name}");
        let winner = participants
            .iter()
            .position(|participant| participant.leaf.holds(number));
        assert_eq!(winner, Some(vector.winner_index), "{name}");
        check_paths(&participants, &vector.paths, &frozen.root);
        let lines: Vec<String> = participants
            .iter()
            .map(|participant| ListRow::write(&participant.leaf))
            .collect();
        assert_eq!(
            format!("{}\n{}\n", ListRow::HEADER, lines.join("\n")),
            vector.csv,
            "{name}"
        );
    }
}

fn check_paths(participants: &[Participant], paths: &[Vec<String>], root: &Hash) {
    let leaves: Vec<Leaf> = participants.iter().map(|participant| participant.leaf).collect();
    let hashes: Vec<Hash> = leaves.iter().map(Leaf::hash).collect();
    let size = leaves.len() as u64;
    for (index, expected) in paths.iter().enumerate() {
        let path = inclusion_path(&hashes, index);
        let text: Vec<String> = path.iter().map(ToString::to_string).collect();
        assert_eq!(&text, expected);
        assert!(is_included(hashes[index], index as u64, size, &path, root));
    }
}

#[test]
fn every_winning_entry_number_matches_its_vector() {
    let winners = vectors().winners;
    assert!(winners.len() >= 6);
    for vector in winners {
        let entries: NonZeroU64 = vector.total_entries.parse().unwrap();
        let number = winning_entry_number(
            &vector.seed.parse().unwrap(),
            &vector.root.parse().unwrap(),
            vector.total_participants.parse().unwrap(),
            entries,
        );
        assert_eq!(number.to_string(), vector.winning_entry_number, "of {entries}");
    }
}

#[test]
fn every_log_entry_matches_its_vector() {
    use chrono::{DateTime, Utc};
    use drawing::{DrawingId, LogEntry, NewLogEntry};
    for vector in vectors().log {
        let line = |name: &str| {
            let found = vector
                .text
                .lines()
                .find_map(|line| line.strip_prefix(&format!("{name} ")));
            found.unwrap().to_owned()
        };
        let given = |name: &str| Some(line(name)).filter(|value| value != "-");
        let last_id = line("id").parse::<i64>().unwrap() - 1;
        let last = (last_id > 0).then(|| (last_id, line("previous").parse().unwrap()));
        let at: DateTime<Utc> = line("at").parse().unwrap();
        let entry = LogEntry::after(
            last,
            NewLogEntry {
                action: line("action").parse().unwrap(),
                drawing: given("drawing").map(|id| DrawingId::new(id.parse().unwrap())),
                details: line("details"),
                random_seed: given("randomSeed").map(|seed| seed.parse().unwrap()),
                participant_count: given("participantCount").map(|count| count.parse().unwrap()),
                verification_hash: given("verificationHash").map(|hash| hash.parse().unwrap()),
                session: given("session").map(|id| id.parse().unwrap()),
                at,
            },
        );
        assert_eq!(entry.text(), vector.text);
        assert_eq!(entry.hash.to_string(), vector.hash);
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
fn a_list_with_any_changed_row_does_not_match_its_proof() {
    // The tests of `app` read and check the proofs in JSON. This test is about the list alone.
    use drawing::{Proof, ProvenLeaf, Record, SeedSource};
    for vector in vectors().drawings {
        let leaves: Vec<Leaf> = vector
            .csv
            .lines()
            .skip(1)
            .map(|row| ListRow::read(row).unwrap())
            .collect();
        let proven = |index: usize| ProvenLeaf {
            leaf: leaves[index],
            path: vector.paths[index]
                .iter()
                .map(|hash| hash.parse().unwrap())
                .collect(),
        };
        let record = Record {
            drawing: drawing::DrawingId::new(1),
            raffle: kernel::Raffle::GardenBag,
            commitment: vector.commitment.parse().unwrap(),
            committed_at: chrono::DateTime::UNIX_EPOCH,
            seed_source: SeedSource::Os,
            seed: vector.seed.parse().unwrap(),
            root: vector.root.parse().unwrap(),
            participants: vector.total_participants,
            entries: vector.total_entries,
            winning_entry_number: vector.winning_entry_number,
            drawn_at: chrono::DateTime::UNIX_EPOCH,
        };
        let proof = Proof {
            verification_hash: record.verification_hash(),
            winner: proven(vector.winner_index),
            last: proven(leaves.len() - 1),
            audit_log_hash: Hash::ZERO,
            winner_last4: Some("0000".to_owned()),
            record,
        };
        assert!(proof.is_valid(), "{}", vector.name);
        let check = |leaves: &[Leaf]| {
            let mut check = ListCheck::new(&proof);
            leaves.iter().for_each(|leaf| check.push(leaf));
            check.finish()
        };
        assert_eq!(check(&leaves), Ok(()));
        for index in 0..leaves.len() {
            let mut missing = leaves.clone();
            missing.remove(index);
            assert!(check(&missing).is_err());
            let mut twice = leaves.clone();
            twice.insert(index, leaves[index]);
            assert!(check(&twice).is_err());
            let changes: [fn(&mut Leaf); 4] = [
                |leaf| leaf.index += 1,
                |leaf| leaf.first_entry += 1,
                |leaf| leaf.weight += 1,
                |leaf| leaf.blinded_id = "0".repeat(48).parse().unwrap(),
            ];
            for change in changes {
                let mut changed = leaves.clone();
                change(&mut changed[index]);
                assert!(check(&changed).is_err());
            }
        }
    }
}
