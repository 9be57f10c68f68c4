//! Computes the random drawings of `scripts/drawing/drawing_cases.py`: the whole list and all ranks. The browser's tests compute
//! the same ones.

use crate::sample::holder;
use drawing::beacon::{BeaconSignature, ChainHash, Round};
use drawing::{BeaconValue, DrawFacts, Freezer, Hash, Leaf, SaltKey, Seed, csv_header, csv_lines};
use kernel::{EntrantId, PersonSalt, PersonTag, Phone};
use serde_json::Value;
use std::convert::Infallible;
use std::process::Command;
use std::str::FromStr;

fn bytes<const N: usize>(value: &Value) -> [u8; N] {
    let mut bytes = [0; N];
    hex::decode_to_slice(value.as_str().unwrap(), &mut bytes).unwrap();
    bytes
}

fn beacon(value: &Value) -> BeaconValue {
    if value["chainHash"] == "off" {
        return BeaconValue::OFF;
    }
    let chain = ChainHash::new(bytes(&value["chainHash"]));
    let round = Round::new(value["round"].as_u64().unwrap()).unwrap();
    BeaconValue::signed(chain, round, BeaconSignature::new(bytes(&value["signature"])))
}

/// Computes a drawing from the seed, the salt key, the entrants and the beacon, and compares everything else.
fn assert_same(drawing: &Value) {
    let proof = &drawing["proof"];
    let salt_key = SaltKey::new(bytes(&drawing["saltKey"]));
    let mut freezer = Freezer::new(salt_key);
    let mut tags = Vec::new();
    for entrant in drawing["entrants"].as_array().unwrap() {
        let phone = Phone::from_e164(entrant["number"].as_str().unwrap()).unwrap();
        let tag = PersonTag::of(&PersonSalt::new(bytes(&entrant["personSalt"])), &phone);
        let id = EntrantId::new(entrant["id"].as_i64().unwrap());
        freezer.push(id, entrant["weight"].as_u64().unwrap(), tag);
        tags.push(tag);
    }
    let frozen = freezer.finish().unwrap();
    let participants = frozen.chunks[0].participants(&salt_key, &tags).unwrap();
    let leaves: Vec<Leaf> = participants.iter().map(|participant| participant.leaf).collect();
    assert_eq!(
        csv_header() + &csv_lines(&leaves),
        drawing["list"].as_str().unwrap()
    );
    assert_eq!(frozen.root.to_string(), proof["root"]);
    assert_eq!(frozen.weights_hash.to_string(), proof["weightsHash"]);

    let facts = DrawFacts {
        opening: Hash::new(bytes(&proof["announcement"]["hash"])),
        seed: Seed::new(bytes(&proof["seed"])),
        root: frozen.root,
        weights_hash: frozen.weights_hash,
        participants: frozen.participants,
        entries: frozen.entries.get(),
        beacon: beacon(&proof["beacon"]),
    };
    let ranks = facts
        .ranks(|entry| Ok::<_, Infallible>(holder(&leaves, entry)))
        .unwrap();
    let computed: Vec<_> = ranks.iter().map(|rank| (rank.entry_number, rank.index)).collect();
    let read = |rank: &Value| {
        (
            rank["entryNumber"].as_u64().unwrap(),
            rank["leaf"]["index"].as_u64().unwrap(),
        )
    };
    let expected: Vec<_> = proof["ranks"].as_array().unwrap().iter().map(read).collect();
    assert_eq!(computed, expected);
}

/// Compares the first drawings.
fn compare(drawings: usize) {
    let folder = env!("CARGO_MANIFEST_DIR");
    let python = Command::new("python3")
        .arg(format!("{folder}/../../../scripts/drawing/drawing_cases.py"))
        .arg(drawings.to_string())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 is needed: `make setup` installs it");
    assert!(
        python.status.success(),
        "{}",
        String::from_utf8_lossy(&python.stderr)
    );
    let lines = String::from_utf8(python.stdout).unwrap();
    assert_eq!(lines.lines().count(), drawings);
    lines
        .lines()
        .for_each(|line| assert_same(&Value::from_str(line).unwrap()));
}

#[test]
fn random_drawings_are_the_same_in_python() {
    compare(200);
}

mod slow {
    #[test]
    fn ten_thousand_random_drawings_are_the_same_in_python() {
        super::compare(10_000);
    }
}
