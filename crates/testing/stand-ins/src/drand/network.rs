//! A chain of rounds with one member.

use anyhow::{Context, anyhow};
use blst::min_sig::SecretKey;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::num::NonZeroU32;

const SCHEME: &str = "bls-unchained-g1-rfc9380";
const BEACON_ID: &str = "stand-in";
/// What separates signatures on G1 from those of other protocols.
const TAG: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

pub(crate) struct Network {
    secret_key: SecretKey,
    public_key: [u8; 96],
    group_hash: [u8; 32],
    chain_hash: String,
    /// In seconds since 1970.
    genesis_time: u64,
    period: NonZeroU32,
}

/// The signature of a round.
#[derive(Debug, Clone)]
pub(crate) struct Signed {
    pub(crate) round: u64,
    pub(crate) signature: String,
    pub(crate) randomness: String,
}

impl Network {
    pub(crate) fn new(secret: &[u8; 32], genesis_time: i64, period: NonZeroU32) -> anyhow::Result<Self> {
        let secret_key = SecretKey::key_gen(secret, &[]);
        let secret_key = secret_key.map_err(|error| anyhow!("there is no key: {error:?}"))?;
        let genesis_time = u64::try_from(genesis_time).context("the first round is due before 1970")?;
        let public_key = secret_key.sk_to_pk().compress();
        let group_hash = Sha256::digest("tombola drand-stand-in group").into();
        let chain_hash = Sha256::new()
            .chain_update(period.get().to_be_bytes())
            .chain_update(genesis_time.to_be_bytes())
            .chain_update(public_key)
            .chain_update(group_hash)
            .chain_update(BEACON_ID)
            .finalize();
        Ok(Self {
            secret_key,
            public_key,
            group_hash,
            chain_hash: hex::encode(chain_hash),
            genesis_time,
            period,
        })
    }

    pub(crate) fn chain_hash(&self) -> &str {
        &self.chain_hash
    }

    /// When a round is due, in milliseconds since 1970.
    pub(crate) fn due_millis(&self, round: u64) -> u64 {
        let periods = round.saturating_sub(1);
        let seconds = periods.saturating_mul(self.period.get().into());
        seconds.saturating_add(self.genesis_time).saturating_mul(1000)
    }

    /// The newest round at a moment in milliseconds since 1970; 0 before the first one.
    pub(crate) fn newest(&self, now_millis: u64) -> u64 {
        let since = (now_millis / 1000).checked_sub(self.genesis_time);
        since.map_or(0, |seconds| seconds / u64::from(self.period.get()) + 1)
    }

    pub(crate) fn sign(&self, round: u64) -> Signed {
        let message = Sha256::digest(round.to_be_bytes());
        let signature = self.secret_key.sign(&message, TAG, &[]).compress();
        Signed {
            round,
            signature: hex::encode(signature),
            randomness: hex::encode(Sha256::digest(signature)),
        }
    }

    /// The answer of `/{chain hash}/info`.
    pub(crate) fn info(&self) -> Value {
        json!({
            "public_key": hex::encode(self.public_key), "period": self.period, "genesis_time": self.genesis_time,
            "hash": self.chain_hash, "groupHash": hex::encode(self.group_hash), "schemeID": SCHEME,
            "metadata": {"beaconID": BEACON_ID},
        })
    }

    /// The chain file.
    pub(crate) fn chain_file(&self, hosts: &[String]) -> Value {
        json!({
            "chainHash": self.chain_hash, "publicKey": hex::encode(self.public_key), "genesisTime": self.genesis_time,
            "period": self.period, "groupHash": hex::encode(self.group_hash), "beaconId": BEACON_ID, "scheme": SCHEME,
            "hosts": hosts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blst::BLST_ERROR;
    use blst::min_sig::{PublicKey, Signature};

    fn network() -> Network {
        Network::new(&[7; 32], 1_000, NonZeroU32::new(3).unwrap()).unwrap()
    }

    #[test]
    fn a_round_is_the_newest_from_its_time_to_the_next() {
        let network = network();
        assert_eq!(network.newest(999_999), 0);
        for round in [1, 2, 1000] {
            let due = network.due_millis(round);
            assert_eq!(network.newest(due - 1), round - 1);
            assert_eq!(network.newest(due), round);
        }
        assert_eq!(network.due_millis(u64::MAX), u64::MAX);
    }

    #[test]
    fn a_signature_verifies_with_the_public_key_for_its_round_only() {
        let network = network();
        let key = PublicKey::key_validate(&network.public_key).unwrap();
        let signed = network.sign(5);
        let signature = hex::decode(&signed.signature).unwrap();
        assert_eq!(hex::encode(Sha256::digest(&signature)), signed.randomness);
        let signature = Signature::sig_validate(&signature, true).unwrap();
        for (round, verifies) in [(5_u64, true), (6, false)] {
            let message = Sha256::digest(round.to_be_bytes());
            let result = signature.verify(true, &message, TAG, &[], &key, false);
            assert_eq!(result == BLST_ERROR::BLST_SUCCESS, verifies, "{round}");
        }
    }
}
