//! Chain files: the JSON that says how to verify the rounds of a chain, and who publishes them.

use crate::bls::BlsVerifier;
use chrono::DateTime;
use drawing::beacon::Chain;
use serde::Deserialize;
use std::num::NonZeroU32;
use url::Url;

/// The last second of the year 9999. A later genesis is a mistake.
const LAST_GENESIS: i64 = 253_402_300_799;

/// A chain file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ChainFile {
    chain_hash: String,
    public_key: String,
    genesis_time: i64,
    period: NonZeroU32,
    group_hash: String,
    beacon_id: String,
    scheme: String,
    hosts: Vec<String>,
}

/// What is wrong with a chain file.
#[derive(Debug, thiserror::Error)]
pub enum InvalidChain {
    /// It is not JSON, or a field is missing, unknown or of another type.
    #[error("it is not a chain file: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// A hash or the key is not written as this many digits.
    #[error("{field} must have {digits} lower-case hexadecimal digits")]
    Digits {
        /// The field.
        field: &'static str,
        /// How many digits it must have.
        digits: usize,
    },
    /// The first round is due before 1970 or after 9999.
    #[error("genesisTime must be a number of seconds since 1970")]
    GenesisTime,
    /// The scheme is not known.
    #[error("scheme must be bls-unchained-g1-rfc9380")]
    Scheme,
    /// There are no hosts, or this one is not an origin.
    #[error("hosts must be origins without a path, such as https://api.drand.sh")]
    Hosts,
    /// The key is not a point of the right group.
    #[error("publicKey is not a valid key")]
    PublicKey,
    /// The values do not belong together.
    #[error("chainHash is not the hash of the other values")]
    ChainHash,
}

/// Reads a chain file. The key of the chain is valid, and its hash holds.
///
/// # Errors
/// What is wrong with it.
pub fn read_chain(text: &str) -> Result<Chain, InvalidChain> {
    let file: ChainFile = serde_json::from_str(text)?;
    let digits = |field, digits| move |_| InvalidChain::Digits { field, digits };
    let genesis = Some(file.genesis_time).filter(|seconds| (0..=LAST_GENESIS).contains(seconds));
    let chain = Chain {
        chain_hash: file.chain_hash.parse().map_err(digits("chainHash", 64))?,
        public_key: file.public_key.parse().map_err(digits("publicKey", 192))?,
        genesis_time: genesis
            .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
            .ok_or(InvalidChain::GenesisTime)?,
        period: file.period,
        group_hash: file.group_hash.parse().map_err(digits("groupHash", 64))?,
        beacon_id: file.beacon_id,
        scheme: file.scheme.parse().map_err(|_| InvalidChain::Scheme)?,
        hosts: origins(&file.hosts).ok_or(InvalidChain::Hosts)?,
    };
    if !BlsVerifier.accepts(&chain.public_key) {
        return Err(InvalidChain::PublicKey);
    }
    match chain.chain_hash_holds() {
        true => Ok(chain),
        false => Err(InvalidChain::ChainHash),
    }
}

/// The hosts as `scheme://host[:port]`; nothing if one is something else, or there are none.
fn origins(hosts: &[String]) -> Option<Vec<String>> {
    let origins: Vec<String> = hosts.iter().map(|host| origin(host)).collect::<Option<_>>()?;
    Some(origins).filter(|origins| !origins.is_empty())
}

fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let origin = url.origin().ascii_serialization();
    // An origin ends before the path, so anything after it makes a difference; a name or password does too.
    let is_origin = matches!(url.scheme(), "http" | "https") && url.as_str() == format!("{origin}/");
    is_origin.then_some(origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn quicknet() -> Value {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/beacon-vectors.json");
        let mut vectors: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        vectors["chain"].take()
    }

    fn read(file: &Value) -> Result<Chain, String> {
        read_chain(&file.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_file_of_quicknet_is_quicknet() {
        assert_eq!(read(&quicknet()).unwrap(), Chain::quicknet());
    }

    #[test]
    fn a_file_with_a_wrong_value_says_which() {
        let key = quicknet()["publicKey"].as_str().unwrap().to_owned();
        let other_key = key.replacen("83cf", "83ce", 1);
        let infinity = format!("c0{}", "0".repeat(190));
        for (field, value, reason) in [
            ("chainHash", json!("0".repeat(64)), "chainHash is not the hash"),
            ("chainHash", json!("0".repeat(63)), "chainHash must have 64"),
            ("publicKey", json!(key.to_uppercase()), "publicKey must have 192"),
            ("publicKey", json!(key[..96]), "publicKey must have 192"),
            ("publicKey", json!(other_key), "publicKey is not a valid key"),
            ("publicKey", json!(infinity), "publicKey is not a valid key"),
            ("groupHash", json!("g".repeat(64)), "groupHash must have 64"),
            ("genesisTime", json!(1_692_803_368), "chainHash is not the hash"),
            ("genesisTime", json!(-1), "genesisTime must be"),
            ("genesisTime", json!(i64::MAX), "genesisTime must be"),
            ("period", json!(4), "chainHash is not the hash"),
            ("period", json!(0), "it is not a chain file"),
            ("period", json!(-3), "it is not a chain file"),
            ("period", json!(4_294_967_299_u64), "it is not a chain file"),
            ("beaconId", json!("quicknet2"), "chainHash is not the hash"),
            ("scheme", json!("pedersen-bls-chained"), "scheme must be"),
            ("hosts", json!([]), "hosts must be"),
            ("hosts", json!(["api.drand.sh"]), "hosts must be"),
            ("hosts", json!(["https://api.drand.sh/v2"]), "hosts must be"),
            ("hosts", json!(["https://api.drand.sh/?a"]), "hosts must be"),
            (
                "hosts",
                json!(["https://me:secret@api.drand.sh"]),
                "hosts must be",
            ),
            ("hosts", json!(["ftp://api.drand.sh"]), "hosts must be"),
            ("hosts", json!(["file:///etc/passwd"]), "hosts must be"),
            ("other", json!(1), "it is not a chain file"),
        ] {
            let mut file = quicknet();
            file[field] = value;
            let error = read(&file).expect_err(field);
            assert!(error.starts_with(reason), "{file}: {error}");
        }
        for field in ["chainHash", "publicKey", "genesisTime", "period", "hosts"] {
            let mut file = quicknet();
            file.as_object_mut().unwrap().remove(field);
            assert!(
                read(&file).unwrap_err().starts_with("it is not a chain file"),
                "{field}"
            );
        }
        for text in ["", "[]", "null", "{", "\u{0}"] {
            assert!(
                matches!(read_chain(text), Err(InvalidChain::Unreadable(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn a_host_is_written_as_its_origin() {
        let mut file = quicknet();
        file["hosts"] = json!(["https://API.drand.sh:443/", "http://127.0.0.1:8080"]);
        assert_eq!(
            read(&file).unwrap().hosts,
            ["https://api.drand.sh", "http://127.0.0.1:8080"]
        );
    }
}
