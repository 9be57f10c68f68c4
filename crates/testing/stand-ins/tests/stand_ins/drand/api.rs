//! Rounds, as drand's relays answer them.

use crate::drand::{start, text};
use serde_json::json;
use stand_ins::drand::Config;
use stand_ins::kit::unix_millis;
use std::num::NonZeroU32;

#[tokio::test]
async fn the_chain_is_described_and_listed() {
    let (drand, hash) = start(Config::default()).await;
    assert_eq!(drand.get("/chains").await, json!([hash]));
    let (info, file) = (
        drand.get(&format!("/{hash}/info")).await,
        drand.get("/control/chain").await,
    );
    assert_eq!(info["hash"], json!(hash));
    assert_eq!(info["schemeID"], "bls-unchained-g1-rfc9380");
    for (described, written) in [
        ("hash", "chainHash"),
        ("public_key", "publicKey"),
        ("genesis_time", "genesisTime"),
        ("period", "period"),
        ("groupHash", "groupHash"),
        ("schemeID", "scheme"),
    ] {
        assert_eq!(info[described], file[written], "{described}");
    }
    assert_eq!(info["metadata"]["beaconID"], file["beaconId"]);
    assert_eq!(file["hosts"], json!([drand.base()]));
    drand.stop().await;
}

#[tokio::test]
async fn a_due_round_is_always_answered_with_the_same_signature() {
    let (drand, hash) = start(Config::default()).await;
    let first = drand.get(&format!("/{hash}/public/1000")).await;
    assert_eq!(first["round"], 1000);
    assert_eq!(first["signature"].as_str().unwrap().len(), 96);
    assert_eq!(first["randomness"].as_str().unwrap().len(), 64);
    assert_eq!(drand.get(&format!("/{hash}/public/1000")).await, first);
    assert_ne!(
        drand.get(&format!("/{hash}/public/1001")).await["signature"],
        first["signature"]
    );
    assert_eq!(
        drand.get("/control/calls").await,
        json!({"rounds": {"1000": 2, "1001": 1}})
    );
    drand.stop().await;
}

#[tokio::test]
async fn a_round_of_the_future_and_an_unknown_chain_are_errors_in_words() {
    let (drand, hash) = start(Config::default()).await;
    let early = (425, "Requested future beacon\n".to_owned());
    assert_eq!(text(&drand, &format!("/{hash}/public/9000000000")).await, early);
    assert_eq!(text(&drand, &format!("/{hash}/public/x")).await.0, 400);
    assert_eq!(
        text(&drand, &format!("/{}/public/1", "0".repeat(64))).await.0,
        400
    );
    drand.stop().await;
}

#[tokio::test]
async fn a_call_for_the_next_round_is_held_until_it_is_due() {
    let genesis_time = unix_millis() / 1000 - 10;
    let config = Config {
        genesis_time,
        period: NonZeroU32::MIN,
        ..Config::default()
    };
    let (drand, hash) = start(config).await;
    let latest = drand.get(&format!("/{hash}/public/latest")).await["round"].as_i64();
    let next = latest.unwrap() + 1;
    assert_eq!(drand.get(&format!("/{hash}/public/{next}")).await["round"], next);
    assert!(unix_millis() >= (genesis_time + next - 1) * 1000);
    drand.stop().await;
}
