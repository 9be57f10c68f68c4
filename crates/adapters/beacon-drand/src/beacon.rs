use crate::answer::{self, HostError};
use crate::bls::BlsVerifier;
use async_trait::async_trait;
use drawing::beacon::{Asked, Beacon, BeaconSignature, BeaconVerifier, Chain, HostAnswer, Round};
use reqwest::Client;
use std::time::Duration;
use url::Url;

/// How long a connection may be idle: shorter than a proxy might wait before closing it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The timeouts of a call to one host.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The timeout for connecting.
    pub connect_timeout: Duration,
    /// The timeout for the whole call.
    pub total_timeout: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(3),
            total_timeout: Duration::from_secs(5),
        }
    }
}

/// Why a beacon cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The chain has no hosts, or this one is not an address.
    #[error("the chain has no host {0:?} that can be asked")]
    Host(String),
    /// The values of the chain do not belong together, or its key is none.
    #[error("the chain's hash or key is wrong")]
    Chain,
    /// The certificates of the system cannot be used.
    #[error("there is no HTTP client")]
    Client(#[from] reqwest::Error),
}

/// The rounds that the hosts of a chain publish over HTTP.
#[derive(Debug)]
pub struct DrandBeacon {
    client: Client,
    chain: Chain,
    hosts: Vec<Url>,
}

impl DrandBeacon {
    /// Asks the hosts of this chain, after a test of the chain's hash and key.
    ///
    /// # Errors
    /// When the test fails, the chain has no hosts, one is not an address, or the certificates of the system cannot be
    /// used.
    pub fn new(chain: Chain, timeouts: Timeouts) -> Result<Self, SetupError> {
        if !chain.chain_hash_holds() || !BlsVerifier.accepts(&chain.public_key) {
            return Err(SetupError::Chain);
        }
        let parse = |host: &String| host.parse().map_err(|_| SetupError::Host(host.clone()));
        let hosts: Vec<Url> = chain.hosts.iter().map(parse).collect::<Result<_, _>>()?;
        if hosts.is_empty() {
            return Err(SetupError::Host(String::new()));
        }
        let client = Client::builder()
            .user_agent(concat!("Tombola/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(timeouts.connect_timeout)
            .timeout(timeouts.total_timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()?;
        Ok(Self { client, chain, hosts })
    }

    /// Asks one host. The signature was verified.
    async fn ask_host(&self, host: &Url, round: Round) -> Result<Option<BeaconSignature>, HostError> {
        let mut url = host.clone();
        url.set_path(&format!("/{}/public/{round}", self.chain.chain_hash));
        let response = self.client.get(url).send().await?;
        let signature = answer::read(response, round).await?;
        match signature {
            Some(signature) if !BlsVerifier.verifies(&self.chain, round, &signature) => {
                Err(HostError::InvalidSignature)
            }
            signature => Ok(signature),
        }
    }
}

#[async_trait]
impl Beacon for DrandBeacon {
    fn chain(&self) -> &Chain {
        &self.chain
    }

    async fn ask(&self, round: Round) -> Asked {
        let mut answers = Vec::new();
        for host in &self.hosts {
            let answer = match self.ask_host(host, round).await {
                Ok(Some(signature)) => return Asked::Published(signature),
                // Another host may be ahead of this one.
                Ok(None) => HostAnswer::NOT_PUBLISHED.to_owned(),
                Err(error) => failure(host, round, &error),
            };
            answers.push(HostAnswer {
                // Without user and password, which a chain's file may have: answers are public.
                host: host.host_str().unwrap_or_default().to_owned(),
                answer,
            });
        }
        Asked::Missing(answers)
    }
}

/// Counts and logs the failure of a host, and returns it in words.
fn failure(host: &Url, round: Round, error: &HostError) -> String {
    let host = host.authority().to_owned();
    metrics::counter!("beacon_host_failures_total", "host" => host.clone(), "reason" => error.label())
        .increment(1);
    tracing::warn!(%host, %round, %error, "a host of the beacon gave no valid answer");
    error.to_string()
}
