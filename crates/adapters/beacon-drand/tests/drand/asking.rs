//! What the adapter makes of good and bad answers.

use crate::hosts::{DUE, Hosts, chain, round, timeouts};
use beacon_drand::{DrandBeacon, SetupError, Timeouts};
use drawing::beacon::{Asked, Beacon, Chain};
use serde_json::json;
use std::time::Duration;

/// The faults after which an answer is of no use, and the reason that is reported.
const USELESS: [(&str, &str); 12] = [
    ("away", "the status is 503"),
    ("drop", "the connection broke"),
    ("wrongSignature", "the signature is not valid"),
    ("swappedSignature", "the signature is not valid"),
    ("anotherRound", "the answer is round 1001"),
    ("upperCase", "the answer is not a round"),
    ("doubled", "the answer is not a round"),
    ("garbage", "the answer is not a round"),
    ("binary", "the answer is not a round"),
    ("empty", "the answer is not a round"),
    ("huge", "the answer is longer than 4096 bytes"),
    ("redirect", "the status is 302"),
];

#[tokio::test]
async fn an_answer_of_no_use_is_an_error_of_its_host() {
    let hosts = Hosts::start(1).await;
    for (fault, sentence) in USELESS {
        hosts.break_host(0, fault).await;
        let error = hosts.ask(DUE).await.expect_err(fault);
        assert_eq!(error, format!("127.0.0.1: {sentence}"), "{fault}");
        hosts.repair_host(0).await;
    }
    assert_eq!(
        hosts.calls(0, DUE).await,
        json!(USELESS.len()),
        "every host is asked once"
    );
    assert!(hosts.ask(DUE).await.unwrap().is_some());
    hosts.stop().await;
}

#[tokio::test]
async fn after_an_answer_of_no_use_the_next_host_is_asked() {
    let hosts = Hosts::start(3).await;
    let right = hosts.published(DUE).await;
    for (fault, _) in USELESS {
        hosts.break_host(0, fault).await;
        hosts.break_host(1, fault).await;
        assert_eq!(hosts.ask(DUE).await.unwrap(), Some(right), "{fault}");
        hosts.repair_host(0).await;
        hosts.repair_host(1).await;
    }
    hosts.stop().await;
}

#[tokio::test]
async fn after_a_good_answer_no_other_host_is_asked() {
    let hosts = Hosts::start(2).await;
    assert!(hosts.ask(DUE).await.unwrap().is_some());
    assert_eq!(hosts.calls(0, DUE).await, json!(1));
    assert_eq!(hosts.calls(1, DUE).await, json!(null));
    hosts.stop().await;
}

#[tokio::test]
async fn a_host_that_does_not_answer_in_time_is_left_for_the_next() {
    let hosts = Hosts::start_with(2, Duration::from_millis(300)).await;
    hosts.break_host(0, "hang").await;
    // The second host has as little time, and needs more on a machine that is busy.
    while !matches!(hosts.ask(DUE).await, Ok(Some(_))) {}
    hosts.break_host(1, "hang").await;
    let error = hosts.ask(DUE).await.expect_err("nobody answers");
    assert!(error.contains("there was no answer in time"), "{error:?}");
    hosts.stop().await;
}

#[tokio::test]
async fn a_host_that_cannot_be_reached_is_left_for_the_next() {
    let nobody = "http://127.0.0.1:1".to_owned(); // no program may listen there
    let hosts = Hosts::start(1).await;
    let somebody = hosts.beacon.chain().hosts[0].clone();
    let minute = timeouts(Duration::from_secs(60));
    let beacon = DrandBeacon::new(chain(&[nobody.clone(), somebody]), minute).unwrap();
    assert!(matches!(beacon.ask(round(DUE)).await, Asked::Published(_)));
    let beacon = DrandBeacon::new(chain(&[nobody]), minute).unwrap();
    let asked = beacon.ask(round(DUE)).await;
    let Asked::Missing(answers) = &asked else {
        panic!("nobody listens: {asked:?}");
    };
    assert_eq!(answers[0].answer, "there is no connection");
    hosts.stop().await;
}

#[tokio::test]
async fn a_round_that_a_host_does_not_have_yet_is_asked_of_the_others() {
    let hosts = Hosts::start(2).await;
    let right = hosts.published(DUE).await;
    for fault in ["notYet", "notFound"] {
        hosts.break_host(0, fault).await;
        assert_eq!(hosts.ask(DUE).await.unwrap(), Some(right));
        hosts.break_host(1, "away").await;
        assert_eq!(
            hosts.ask(DUE).await.unwrap(),
            None,
            "one host says that it is early"
        );
        hosts.repair_host(0).await;
        hosts.repair_host(1).await;
    }
    hosts.stop().await;
}

#[tokio::test]
async fn a_late_answer_is_as_good_as_any() {
    let hosts = Hosts::start(1).await;
    let right = hosts.published(DUE).await;
    hosts.slow_down(0, 50).await;
    assert_eq!(hosts.ask(DUE).await.unwrap(), Some(right));
    hosts.stop().await;
}

#[tokio::test]
async fn the_randomness_that_a_host_claims_is_not_used() {
    let hosts = Hosts::start(1).await;
    let right = hosts.published(DUE).await;
    hosts.break_host(0, "wrongRandomness").await;
    assert_eq!(hosts.ask(DUE).await.unwrap(), Some(right));
    hosts.stop().await;
}

#[test]
fn a_chain_without_hosts_cannot_be_asked() {
    for hosts in [vec![], vec!["nowhere".to_owned()]] {
        let chain = Chain {
            hosts,
            ..Chain::quicknet()
        };
        let beacon = DrandBeacon::new(chain, Timeouts::default());
        assert!(matches!(beacon, Err(SetupError::Host(_))));
    }
    assert!(DrandBeacon::new(Chain::quicknet(), Timeouts::default()).is_ok());
}

#[test]
fn a_chain_whose_hash_does_not_hold_is_not_asked() {
    let chain = Chain {
        beacon_id: "other".to_owned(),
        ..Chain::quicknet()
    };
    let beacon = DrandBeacon::new(chain, Timeouts::default());
    assert!(matches!(beacon, Err(SetupError::Chain)));
}
