//! Hosts of one chain, and a beacon that asks them.

use beacon_drand::{DrandBeacon, Timeouts, read_chain};
use drawing::beacon::{Asked, Beacon, BeaconSignature, Chain, HostAnswer, Round};
use serde_json::{Value, json};
use stand_ins::drand::Config;
use stand_ins::kit::testing::TestStandIn;
use std::time::Duration;

/// A round that is due.
pub(crate) const DUE: u64 = 1000;

pub(crate) struct Hosts {
    hosts: Vec<TestStandIn>,
    pub(crate) beacon: DrandBeacon,
}

impl Hosts {
    /// Starts this many hosts, which have all the time they need.
    pub(crate) async fn start(count: usize) -> Self {
        Self::start_with(count, Duration::from_secs(60)).await
    }

    pub(crate) async fn start_with(count: usize, timeout: Duration) -> Self {
        let mut hosts = Vec::new();
        for _ in 0..count {
            hosts.push(TestStandIn::start(Config::default()).await);
        }
        let origins: Vec<String> = hosts.iter().map(TestStandIn::base).collect();
        let beacon = DrandBeacon::new(chain(&origins), timeouts(timeout)).unwrap();
        Self { hosts, beacon }
    }

    pub(crate) async fn stop(self) {
        for host in self.hosts {
            host.stop().await;
        }
    }

    /// The host answers like this until its fault is cleared.
    pub(crate) async fn break_host(&self, host: usize, kind: &str) {
        self.hosts[host].set("faults", json!({"kind": kind})).await;
    }

    pub(crate) async fn slow_down(&self, host: usize, ms: u64) {
        let slow = json!({"kind": "slow", "ms": ms});
        self.hosts[host].set("faults", slow).await;
    }

    pub(crate) async fn repair_host(&self, host: usize) {
        let url = self.hosts[host].url("/control/faults");
        let repaired = self.hosts[host].http.delete(url).send().await.unwrap();
        assert_eq!(repaired.status().as_u16(), 200);
    }

    /// The signature, if there is one; what each host answered when none was asked in vain only because it was early.
    pub(crate) async fn ask(&self, number: u64) -> Result<Option<BeaconSignature>, String> {
        let answers = match self.beacon.ask(round(number)).await {
            Asked::Published(signature) => return Ok(Some(signature)),
            Asked::Missing(answers) => answers,
        };
        if answers.iter().any(|one| one.answer == HostAnswer::NOT_PUBLISHED) {
            return Ok(None);
        }
        let answers: Vec<_> = answers
            .iter()
            .map(|one| format!("{}: {}", one.host, one.answer))
            .collect();
        Err(answers.join("; "))
    }

    /// How often a host was asked for a round.
    pub(crate) async fn calls(&self, host: usize, number: u64) -> Value {
        let mut calls = self.hosts[host].get("/control/calls").await;
        calls["rounds"][number.to_string()].take()
    }

    pub(crate) fn authority(&self, host: usize) -> String {
        self.hosts[host].base().replace("http://", "")
    }

    /// The signature of a round as the network publishes it.
    pub(crate) async fn published(&self, number: u64) -> BeaconSignature {
        let path = format!("/{}/public/{number}", self.beacon.chain().chain_hash);
        let answer = self.hosts[0].get(&path).await;
        answer["signature"].as_str().unwrap().parse().unwrap()
    }
}

/// The stand-ins' chain with these hosts, read from the file that they write.
pub(crate) fn chain(hosts: &[String]) -> Chain {
    let file = Config::default().chain_file(hosts).unwrap();
    read_chain(&file.to_string()).unwrap()
}

pub(crate) fn timeouts(each: Duration) -> Timeouts {
    Timeouts {
        connect_timeout: each,
        total_timeout: each,
    }
}

pub(crate) fn round(number: u64) -> Round {
    Round::new(number).unwrap()
}
