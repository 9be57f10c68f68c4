//! A stand-in for a drand network and its HTTP API, for tests and for the demo.
//!
//! It has a chain of its own with one member, who holds the secret key: its signatures are real, and anybody who runs it
//! can make them ahead of time. `/{chain hash}/public/{round}` answers as drand's relays do. `/control` makes answers
//! fail when a test asks for it, and `GET /control/chain` is the chain file, which says how to verify the rounds. Start reading at
//! [`Config`], then `network.rs` and `api.rs`.

mod api;
mod control;
mod faults;
mod network;

use crate::drand::faults::Faults;
use crate::drand::network::Network;
use crate::kit::{Contract, Provider, Service, Shared, unix_millis};
use actix_web::web::{self, Data, ServiceConfig};
use anyhow::Context;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

/// How the stand-in is set up. [`StandIn::start`](crate::kit::StandIn::start) serves it.
#[derive(Clone)]
pub struct Config {
    /// The address to listen on; port 0 for any free port.
    pub listen: SocketAddr,
    /// What the secret key is derived from. The default is the same everywhere, so that a chain file stays valid.
    pub secret: [u8; 32],
    /// When the first round is due, in seconds since 1970.
    pub genesis_time: i64,
    /// The seconds from one round to the next.
    pub period: NonZeroU32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            secret: Sha256::digest("tombola drand-stand-in").into(),
            genesis_time: 1_767_225_600, // 2026-01-01
            period: NonZeroU32::MIN.saturating_add(2),
        }
    }
}

impl Config {
    /// The chain file: how to verify the rounds, with these origins as hosts.
    ///
    /// # Errors
    /// When no key can be derived from the secret.
    pub fn chain_file(&self, hosts: &[String]) -> anyhow::Result<Value> {
        Ok(self.network()?.chain_file(hosts))
    }

    fn network(&self) -> anyhow::Result<Network> {
        Network::new(&self.secret, self.genesis_time, self.period)
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config")
            .field("listen", &self.listen)
            .field("genesis_time", &self.genesis_time)
            .field("period", &self.period)
            .finish_non_exhaustive()
    }
}

/// What all calls share.
struct Server {
    network: Network,
    /// A network with another key, whose signatures are well-formed and wrong.
    impostor: Network,
    faults: Faults,
    /// How often each round was asked for.
    calls: Shared<BTreeMap<String, u32>>,
}

impl Provider for Config {
    fn into_service(self) -> anyhow::Result<Service> {
        let network = self.network().context("the secret makes no key")?;
        let impostor = Network::new(
            &Sha256::digest(self.secret).into(),
            self.genesis_time,
            self.period,
        )?;
        let server = Data::new(Server {
            network,
            impostor,
            faults: Faults::default(),
            calls: Shared::default(),
        });
        let contract = Arc::new(Contract::default());
        let routes = move |config: &mut ServiceConfig| {
            config
                .app_data(server.clone())
                .configure(|config| control::routes(config, &contract))
                .route("/chains", web::get().to(api::chains))
                .route("/{chain_hash}/info", web::get().to(api::info))
                .route("/{chain_hash}/public/{round}", web::get().to(api::round));
        };
        Ok(Service::new(self.listen, routes, std::future::pending()))
    }
}

/// The time now, in milliseconds since 1970, as an unsigned number.
fn now_millis() -> u64 {
    u64::try_from(unix_millis()).unwrap_or_default()
}
