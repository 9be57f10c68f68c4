//! Compares 10,000 random drawings of this crate with those of `scripts/drawing/verify_drawing.py`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use drawing::{Freezer, Hash, SaltKey, Scheme, Seed, winning_entry_number};
use kernel::{EntrantId, PersonTag};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const DRAWINGS: usize = 10_000;

fn random_drawing(numbers: &mut ChaCha20Rng) -> serde_json::Value {
    let mut secrets = [[0; 32]; 2];
    secrets.iter_mut().for_each(|bytes| numbers.fill_bytes(bytes));
    let [seed, salts] = secrets;
    let (mut id, mut ids, mut weights) = (0u64, Vec::new(), Vec::new());
    for _ in 0..1 + numbers.next_u32() % 60 {
        // Most ids are close together with small weights; a few are far apart with large weights.
        let is_large = numbers.next_u32().is_multiple_of(40);
        id += 1 + numbers.next_u64() % if is_large { 1 << 40 } else { 9 };
        ids.push(id);
        weights.push(1 + numbers.next_u64() % if is_large { 1 << 45 } else { 12 });
    }
    let salt_key = SaltKey::new(salts);
    let mut freezer = Freezer::new(Scheme::One, salt_key);
    for (id, weight) in ids.iter().zip(&weights) {
        let unused = PersonTag::new([0; 32]);
        freezer.push(EntrantId::new(i64::try_from(*id).unwrap()), *weight, unused);
    }
    let frozen = freezer.finish().unwrap();
    let number = winning_entry_number(
        &Seed::new(seed),
        &frozen.root,
        frozen.participants,
        frozen.entries,
    );
    let participants = frozen.chunks[0].participants(&salt_key).unwrap();
    let winner = participants
        .iter()
        .position(|participant| participant.leaf.holds(number));
    json!({
        "seed": Hash::new(seed).to_string(),
        "saltKey": Hash::new(salts).to_string(),
        "ids": ids,
        "weights": weights,
        "root": frozen.root.to_string(),
        "winningEntryNumber": number,
        "winnerIndex": winner.unwrap(),
    })
}

#[test]
fn ten_thousand_random_drawings_have_the_same_result_in_python() {
    let mut numbers = ChaCha20Rng::seed_from_u64(5);
    let mut lines = String::new();
    for _ in 0..DRAWINGS {
        writeln!(lines, "{}", random_drawing(&mut numbers)).unwrap();
    }
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scripts/drawing/verify_drawing_test.py"
    );
    let mut python = Command::new("python3")
        .args([script, "compare"])
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
    assert!(stdout.contains("10000") || stdout.contains("10,000"), "{stdout}");
}
