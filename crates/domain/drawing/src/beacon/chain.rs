use super::Round;
use super::hex_type::{hex_type, literal};
use crate::Hash;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use std::num::NonZeroU32;
use strum::{Display, EnumString};

hex_type! {
    /// The hash that names a chain, written as 64 lower-case hexadecimal digits.
    pub struct ChainHash([u8; 32])
}

hex_type! {
    /// The public key of a chain: a point on the curve G2, compressed. Written as 192 lower-case hexadecimal digits.
    pub struct PublicKey([u8; 96])
}

/// How a chain signs its rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
pub enum Scheme {
    /// BLS signatures of the round's number alone, on G1, hashed to the curve as RFC 9380 says.
    #[strum(serialize = "bls-unchained-g1-rfc9380")]
    UnchainedG1,
}

/// A chain of rounds: who signs them and when, and who publishes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The hash of what follows, except scheme and hosts.
    pub chain_hash: ChainHash,
    /// The key that verifies all rounds.
    pub public_key: PublicKey,
    /// When the first round is due, in whole seconds.
    pub genesis_time: DateTime<Utc>,
    /// The seconds from one round to the next.
    pub period: NonZeroU32,
    /// The hash of the group of members that made the key.
    pub group_hash: Hash,
    /// The network's name.
    pub beacon_id: String,
    /// How it signs.
    pub scheme: Scheme,
    /// The origins that publish the rounds, in the order in which they are asked.
    pub hosts: Vec<String>,
}

/// What names quicknet: <https://docs.drand.love/blog/2023/10/16/quicknet-is-live/>.
const QUICKNET_HASH: ChainHash = ChainHash::new(literal(
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
));
const QUICKNET_KEY: PublicKey = PublicKey::new(literal(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451\
     0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
));
const QUICKNET_GROUP: Hash = Hash::new(literal(
    "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
));
const QUICKNET_GENESIS: TimeDelta = TimeDelta::seconds(1_692_803_367);
const QUICKNET_PERIOD: NonZeroU32 = NonZeroU32::MIN.saturating_add(2);

impl Chain {
    /// drand's network `quicknet`, which signs a round every three seconds.
    pub fn quicknet() -> Self {
        let hosts = [
            "api.drand.sh",
            "api2.drand.sh",
            "api3.drand.sh",
            "drand.cloudflare.com",
        ];
        Self {
            chain_hash: QUICKNET_HASH,
            public_key: QUICKNET_KEY,
            genesis_time: DateTime::UNIX_EPOCH + QUICKNET_GENESIS,
            period: QUICKNET_PERIOD,
            group_hash: QUICKNET_GROUP,
            beacon_id: "quicknet".to_owned(),
            scheme: Scheme::UnchainedG1,
            hosts: hosts.map(|host| format!("https://{host}")).to_vec(),
        }
    }

    /// Whether the chain hash is the hash of the chain, so that no value was changed alone.
    pub fn chain_hash_holds(&self) -> bool {
        let hash = Sha256::new()
            .chain_update(self.period.get().to_be_bytes())
            .chain_update(self.genesis_time.timestamp().to_be_bytes())
            .chain_update(self.public_key.as_bytes())
            .chain_update(self.group_hash.as_bytes())
            .chain_update(&self.beacon_id);
        self.chain_hash.as_bytes() == hash.finalize().as_slice()
    }

    /// When a round is due. Nothing for a round that is later than a date can be.
    pub fn time_of(&self, round: Round) -> Option<DateTime<Utc>> {
        let periods = i64::try_from(round.number() - 1).ok()?;
        let seconds = periods.checked_mul(self.period.get().into())?;
        self.genesis_time
            .checked_add_signed(TimeDelta::try_seconds(seconds)?)
    }

    /// The first round that is due at this moment or after it.
    pub fn first_round_at_or_after(&self, moment: DateTime<Utc>) -> Round {
        let whole_second =
            moment.timestamp() + i64::from(moment.timestamp_subsec_nanos().div_ceil(1_000_000_000));
        let seconds = whole_second - self.genesis_time.timestamp();
        // Before the first round the difference is negative. The highest date is far before the highest round.
        let periods = u64::try_from(seconds).map_or(0, |seconds| seconds.div_ceil(self.period.get().into()));
        Round::new(periods + 1).unwrap_or(Round::MAX)
    }
}
