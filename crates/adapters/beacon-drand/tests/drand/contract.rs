//! The adapter keeps the contract that the fake keeps too.

use crate::hosts::{DUE, Hosts, round};
use beacon_drand::BlsVerifier;
use contracts::beacon::BeaconNetwork;
use drawing::beacon::{Beacon, BeaconVerifier, Round};

/// A round of the far future: the next one might become due in the middle of a test.
const FUTURE: u64 = 9_000_000_000;

impl BeaconNetwork for Hosts {
    fn beacon(&self) -> &dyn Beacon {
        &self.beacon
    }

    fn verifier(&self) -> &dyn BeaconVerifier {
        &BlsVerifier
    }

    fn published(&self) -> [Round; 2] {
        [round(DUE), round(DUE + 1)]
    }

    fn future(&self) -> Round {
        round(FUTURE)
    }

    async fn go_away(&self) {
        self.break_host(0, "away").await;
    }

    async fn come_back(&self) {
        self.repair_host(0).await;
    }

    async fn finish(self) {
        self.stop().await;
    }
}

contracts::beacon_contract!(Hosts::start(1));
