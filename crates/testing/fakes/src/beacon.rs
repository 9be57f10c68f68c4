use async_trait::async_trait;
use drawing::beacon::{Asked, Beacon, BeaconSignature, BeaconVerifier, Chain, HostAnswer, Round};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A beacon in memory, which also verifies its own signatures. Clones share its rounds. No round is published until a test
/// publishes it. Its signatures are not points on a curve: no other verifier accepts them.
#[derive(Debug, Clone)]
pub struct FakeBeacon {
    chain: Chain,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    published: BTreeSet<Round>,
    is_away: bool,
    asked: Vec<Round>,
}

impl Default for FakeBeacon {
    fn default() -> Self {
        Self::new(Chain::quicknet())
    }
}

impl FakeBeacon {
    /// A beacon that takes the place of this chain.
    pub fn new(chain: Chain) -> Self {
        Self {
            chain,
            state: Arc::default(),
        }
    }

    /// Publishes a round.
    pub fn publish(&self, round: Round) {
        self.state().published.insert(round);
    }

    /// Takes back a round, as if the network had not made it yet.
    pub fn withhold(&self, round: Round) {
        self.state().published.remove(&round);
    }

    /// Sets whether nobody can be asked.
    pub fn set_away(&self, is_away: bool) {
        self.state().is_away = is_away;
    }

    /// The rounds that were asked for, in order.
    pub fn asked(&self) -> Vec<Round> {
        self.state().asked.clone()
    }

    /// The signature that is valid for a round, published or not.
    pub fn signature_of(round: Round) -> BeaconSignature {
        let mut bytes = [0; 48];
        ChaCha20Rng::from_seed(round.message()).fill_bytes(&mut bytes);
        BeaconSignature::new(bytes)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Beacon for FakeBeacon {
    fn chain(&self) -> &Chain {
        &self.chain
    }

    async fn ask(&self, round: Round) -> Asked {
        let mut state = self.state();
        state.asked.push(round);
        if !state.is_away && state.published.contains(&round) {
            return Asked::Published(Self::signature_of(round));
        }
        let answer = match state.is_away {
            true => "there is no connection",
            false => HostAnswer::NOT_PUBLISHED,
        };
        Asked::Missing(vec![HostAnswer {
            host: "beacon.example".to_owned(),
            answer: answer.to_owned(),
        }])
    }
}

impl BeaconVerifier for FakeBeacon {
    fn verifies(&self, chain: &Chain, round: Round, signature: &BeaconSignature) -> bool {
        chain.chain_hash == self.chain.chain_hash && *signature == Self::signature_of(round)
    }
}
