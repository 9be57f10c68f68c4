//! The test vectors of `docs/beacon-vectors.json`, and another implementation of the same equation.

use beacon_drand::BlsVerifier;
use bls12_381::hash_to_curve::{ExpandMsgXmd, HashToCurve};
use bls12_381::{G1Affine, G1Projective, G2Affine, pairing};
use blst::min_sig::SecretKey;
use drawing::beacon::{BeaconSignature, BeaconVerifier, Chain, PublicKey, Round};
use proptest::prelude::*;
use serde::Deserialize;
use sha2_of_bls12_381::Sha256;

const TAG: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    rounds: Vec<RoundVector>,
    own_key: Vec<KeyedVector>,
    refused: Vec<KeyedVector>,
}

#[derive(Deserialize)]
struct RoundVector {
    round: u64,
    signature: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyedVector {
    #[serde(default)]
    name: String,
    public_key: String,
    round: u64,
    signature: String,
}

fn vectors() -> Vectors {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/beacon-vectors.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn chain_with_key(public_key: PublicKey) -> Chain {
    Chain {
        public_key,
        ..Chain::quicknet()
    }
}

/// The answer of this crate, after the other implementation has given the same one.
fn is_valid(key: PublicKey, round: u64, signature: BeaconSignature) -> bool {
    let round = Round::new(round).unwrap();
    let valid = BlsVerifier.verifies(&chain_with_key(key), round, &signature);
    assert_eq!(
        is_valid_elsewhere(&key, round, &signature),
        valid,
        "{round} {signature}"
    );
    valid
}

fn is_valid_elsewhere(key: &PublicKey, round: Round, signature: &BeaconSignature) -> bool {
    let key = Option::<G2Affine>::from(G2Affine::from_compressed(key.as_bytes()));
    let signature = Option::<G1Affine>::from(G1Affine::from_compressed(signature.as_bytes()));
    let (Some(key), Some(signature)) = (key, signature) else {
        return false;
    };
    let hash = <G1Projective as HashToCurve<ExpandMsgXmd<Sha256>>>::hash_to_curve([round.message()], TAG);
    let is_infinity = bool::from(key.is_identity() | signature.is_identity());
    !is_infinity && pairing(&signature, &G2Affine::generator()) == pairing(&hash.into(), &key)
}

fn keyed(vector: &KeyedVector) -> bool {
    let (key, signature) = (vector.public_key.parse(), vector.signature.parse());
    is_valid(key.unwrap(), vector.round, signature.unwrap())
}

#[test]
fn real_rounds_are_valid_and_only_as_their_own() {
    let key = Chain::quicknet().public_key;
    assert!(BlsVerifier.accepts(&key));
    for vector in vectors().rounds {
        let signature = vector.signature.parse().unwrap();
        assert!(is_valid(key, vector.round, signature), "{}", vector.round);
        assert!(!is_valid(key, vector.round + 1, signature), "{}", vector.round);
    }
}

#[test]
fn every_signature_that_must_be_refused_is_refused() {
    let vectors = vectors();
    assert!(vectors.own_key.iter().all(keyed));
    assert!(vectors.refused.len() > 15);
    for vector in vectors.refused {
        assert!(!keyed(&vector), "{}", vector.name);
    }
}

#[test]
fn a_key_at_infinity_or_outside_the_subgroup_is_no_key() {
    let refused = vectors().refused;
    let is_no_key = |name: &str| {
        let vector = refused.iter().find(|vector| vector.name == name).unwrap();
        !BlsVerifier.accepts(&vector.public_key.parse().unwrap())
    };
    assert!(is_no_key("the point at infinity, for a key at infinity"));
    assert!(is_no_key("a key outside the subgroup of G2"));
    assert!(!BlsVerifier.accepts(&PublicKey::new([0; 96])));
    assert!(!BlsVerifier.accepts(&PublicKey::new([0xff; 96])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn signatures_of_any_key_are_valid_until_a_bit_changes(
        secret in prop::array::uniform32(any::<u8>()),
        round in 1_u64..1 << 53,
        bit in 0..48 * 8_usize,
    ) {
        let secret = SecretKey::key_gen(&secret, &[]).unwrap();
        let key = PublicKey::new(secret.sk_to_pk().compress());
        let mut bytes = secret.sign(&Round::new(round).unwrap().message(), TAG, &[]).compress();
        prop_assert!(is_valid(key, round, BeaconSignature::new(bytes)));
        *bytes.get_mut(bit / 8).unwrap() ^= 1 << (bit % 8);
        prop_assert!(!is_valid(key, round, BeaconSignature::new(bytes)));
    }

    #[test]
    fn any_bytes_are_refused_without_a_panic(
        head in prop::array::uniform32(any::<u8>()),
        tail in prop::array::uniform16(any::<u8>()),
        mark in prop_oneof![Just(0_u8), Just(0x80), Just(0xa0), Just(0xc0)],
    ) {
        let mut bytes = [0; 48];
        bytes.iter_mut().zip(head.iter().chain(&tail)).for_each(|(place, byte)| *place = *byte);
        if let Some(first) = bytes.first_mut() {
            *first = mark | (*first & 0x1f);
        }
        prop_assert!(!is_valid(Chain::quicknet().public_key, 1000, BeaconSignature::new(bytes)));
    }
}
