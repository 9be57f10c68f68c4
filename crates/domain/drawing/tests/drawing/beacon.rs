//! The test vectors of `docs/beacon-vectors.json`: real rounds of drand's quicknet.

use chrono::{DateTime, TimeDelta, Utc};
use drawing::Hash;
use drawing::beacon::{BeaconSignature, Chain, PublicKey, Round};
use proptest::prelude::*;
use serde::Deserialize;
use std::num::NonZeroU32;

#[derive(Deserialize)]
struct Vectors {
    chain: ChainVector,
    times: Vec<TimeVector>,
    rounds: Vec<RoundVector>,
    malformed: Vec<MalformedVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChainVector {
    chain_hash: String,
    public_key: String,
    genesis_time: i64,
    period: u32,
    group_hash: String,
    beacon_id: String,
    scheme: String,
    hosts: Vec<String>,
}

#[derive(Deserialize)]
struct TimeVector {
    at: DateTime<Utc>,
    round: u64,
}

#[derive(Deserialize)]
struct RoundVector {
    round: u64,
    time: i64,
    signature: String,
    randomness: String,
}

#[derive(Deserialize)]
struct MalformedVector {
    name: String,
    signature: String,
}

fn vectors() -> Vectors {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/beacon-vectors.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

fn round(number: u64) -> Round {
    Round::new(number).unwrap()
}

#[test]
fn quicknet_is_the_chain_of_the_vectors() {
    let (chain, vector) = (Chain::quicknet(), vectors().chain);
    assert_eq!(chain.chain_hash.to_string(), vector.chain_hash);
    assert_eq!(chain.public_key.to_string(), vector.public_key);
    assert_eq!(chain.genesis_time.timestamp(), vector.genesis_time);
    assert_eq!(chain.period.get(), vector.period);
    assert_eq!(chain.group_hash.to_string(), vector.group_hash);
    assert_eq!(chain.beacon_id, vector.beacon_id);
    assert_eq!(chain.scheme.to_string(), vector.scheme);
    assert_eq!(chain.scheme, vector.scheme.parse().unwrap());
    assert_eq!(chain.hosts, vector.hosts);
}

#[test]
fn the_chain_hash_holds_for_no_other_value() {
    let chain = Chain::quicknet();
    assert!(chain.chain_hash_holds());
    let mut key = *chain.public_key.as_bytes();
    key[95] ^= 1;
    type Change = fn(&mut Chain);
    let changed: [(&str, Change); 4] = [
        ("genesis", |chain| chain.genesis_time += TimeDelta::seconds(1)),
        ("period", |chain| chain.period = NonZeroU32::MIN),
        ("group", |chain| chain.group_hash = Hash::ZERO),
        ("id", |chain| chain.beacon_id.push('2')),
    ];
    for (name, change) in changed {
        let mut other = chain.clone();
        change(&mut other);
        assert!(!other.chain_hash_holds(), "{name}");
    }
    let other_key = Chain {
        public_key: PublicKey::new(key),
        ..chain
    };
    assert!(!other_key.chain_hash_holds());
}

#[test]
fn the_randomness_is_the_hash_of_the_signature() {
    let vectors = vectors();
    assert_eq!(vectors.rounds.len(), 6);
    for vector in vectors.rounds {
        let signature: BeaconSignature = vector.signature.parse().unwrap();
        assert_eq!(signature.to_string(), vector.signature);
        assert_eq!(signature.randomness().to_string(), vector.randomness);
        assert_eq!(
            Chain::quicknet().time_of(round(vector.round)),
            Some(at(vector.time))
        );
    }
}

#[test]
fn a_signature_has_exactly_96_lower_case_digits() {
    let malformed = vectors().malformed;
    assert!(malformed.len() > 10);
    for vector in malformed {
        assert!(
            vector.signature.parse::<BeaconSignature>().is_err(),
            "{}",
            vector.name
        );
    }
}

#[test]
fn the_message_of_a_round_is_the_hash_of_its_number_in_eight_bytes() {
    let message = "f652498d092acd949bad74e40683bf3824fb817980504a0c7e6722cfc5a9c0a3";
    assert_eq!(hex::encode(round(1000).message()), message);
}

#[test]
fn the_first_round_after_a_moment_is_never_due_before_it() {
    let chain = Chain::quicknet();
    for vector in vectors().times {
        assert_eq!(
            chain.first_round_at_or_after(vector.at),
            round(vector.round),
            "{}",
            vector.at
        );
    }
    assert_eq!(
        chain.first_round_at_or_after(DateTime::<Utc>::MIN_UTC),
        Round::FIRST
    );
    let end_of_time = chain.first_round_at_or_after(DateTime::<Utc>::MAX_UTC);
    assert!(end_of_time < Round::MAX);
    assert_eq!(chain.time_of(end_of_time), None);
    assert_eq!(chain.time_of(Round::MAX), None);
}

proptest! {
    #[test]
    fn the_rounds_before_and_after_a_moment_are_one_apart(
        seconds in -3_000_000_000_i64..9_000_000_000,
        nanos in prop_oneof![Just(0_u32), 0..1_000_000_000_u32],
        genesis in -1_000_000_000_i64..3_000_000_000,
        period in 1..100_000_u32,
    ) {
        let chain = Chain {
            genesis_time: at(genesis),
            period: NonZeroU32::new(period).unwrap(),
            ..Chain::quicknet()
        };
        let moment = DateTime::from_timestamp(seconds, nanos).unwrap();
        let first = chain.first_round_at_or_after(moment);
        prop_assert!(chain.time_of(first).unwrap() >= moment);
        if let Some(before) = Round::new(first.number() - 1) {
            prop_assert!(chain.time_of(before).unwrap() < moment);
        }
    }
}
