//! Compares 10,000 random drawings with those of `scripts/verify_drawing.py`, all ranks.

use crate::sample::{holder, leaves, weights_hash};
use drawing::beacon::{BeaconSignature, Chain, Round};
use drawing::v2::{BeaconValue, DrawFacts};
use drawing::{Hash, Seed};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const DRAWINGS: usize = 10_000;

fn bytes<const N: usize>(numbers: &mut ChaCha20Rng) -> [u8; N] {
    let mut bytes = [0; N];
    numbers.fill_bytes(&mut bytes);
    bytes
}

fn random_drawing(numbers: &mut ChaCha20Rng) -> Value {
    let count = 1 + u64::from(numbers.next_u32() % 40);
    let entrants = (1..=count).map(|id| {
        // A few hold far more than the others, so that the search for alternates is long and outputs are rejected.
        let most = if numbers.next_u32().is_multiple_of(40) {
            1 << 12
        } else {
            12
        };
        (id, 1 + numbers.next_u64() % most)
    });
    let plan = crate::sample::Plan {
        entrants: entrants.collect(),
        ..crate::sample::Plan::default()
    };
    let leaves = leaves(&plan);
    let beacon = match numbers.next_u32().is_multiple_of(4) {
        true => BeaconValue::OFF,
        false => {
            let round = Round::new(1 + (numbers.next_u64() >> 12)).unwrap();
            BeaconValue::signed(
                Chain::quicknet().chain_hash,
                round,
                BeaconSignature::new(bytes(numbers)),
            )
        }
    };
    let facts = DrawFacts {
        opening: Hash::new(bytes(numbers)),
        seed: Seed::new(bytes(numbers)),
        root: Hash::new(bytes(numbers)),
        weights_hash: weights_hash(&leaves),
        participants: count,
        entries: leaves.iter().map(|leaf| leaf.weight).sum(),
        beacon,
    };
    let ranks = facts
        .ranks(|entry| Ok::<_, Infallible>(holder(&leaves, entry)))
        .unwrap();
    json!({
        "opening": facts.opening.to_string(),
        "seed": facts.seed.reveal(),
        "root": facts.root.to_string(),
        "weightsHash": facts.weights_hash.to_string(),
        "weights": leaves.iter().map(|leaf| leaf.weight).collect::<Vec<_>>(),
        "chainHash": beacon.beacon.to_string(),
        "round": beacon.round_number(),
        "signature": beacon.signature.map(|signature| signature.to_string()),
        "ranks": ranks.iter().map(|rank| [rank.entry_number, rank.index]).collect::<Vec<_>>(),
    })
}

#[test]
fn ten_thousand_random_drawings_have_the_same_ranks_in_python() {
    let mut numbers = ChaCha20Rng::seed_from_u64(39);
    let mut lines = String::new();
    for _ in 0..DRAWINGS {
        writeln!(lines, "{}", random_drawing(&mut numbers)).unwrap();
    }
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut python = Command::new("python3")
        .arg(format!("{folder}/tests/version_2/compare.py"))
        .env("PYTHONPATH", format!("{folder}/../../scripts"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed: `make setup` installs it");
    let mut stdin = python.stdin.take().unwrap();
    stdin.write_all(lines.as_bytes()).unwrap();
    drop(stdin);
    let output = python.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{stdout}");
    assert_eq!(stdout, "10000 drawings are equal\n");
}
