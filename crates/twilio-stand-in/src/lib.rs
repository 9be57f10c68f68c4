//! A stand-in for the part of Twilio's API that Tombola uses, for tests and for the demo. Never a part of `tombola`.
//!
//! `/2010-04-01` takes, lists and tells of texts as Twilio does, and checks every request and answer against Twilio's
//! own types where `TOMBOLA_CONTRACTS` names the folder that has them. Texts are carried in the background, with signed
//! callbacks. `/control` fails, delays, refuses, answers and tells on demand. Start reading at [`StandIn::start`], then
//! `server.rs` and `state.rs`.

#![recursion_limit = "256"]

mod api;
mod callbacks;
mod carrier;
mod contract;
mod control;
mod failures;
mod form;
mod list;
mod refusal;
mod server;
mod state;
mod text;

use crate::callbacks::Callbacks;
use crate::carrier::Carrier;
use crate::contract::Contract;
use crate::server::Server;
use actix_web::dev::ServerHandle;
use actix_web::web::{self, Data};
use actix_web::{App, HttpServer};
use anyhow::Context;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio::task::JoinHandle;
use url::Url;

/// How the stand-in is set up.
#[derive(Debug)]
pub struct Config {
    /// Where it listens; port 0 for any free one.
    pub listen: SocketAddr,
    /// Where it sends texts that people send, if anywhere yet.
    pub inbound_url: Option<Url>,
    /// The only account there is; without it, every account of the right form with any token is one.
    pub account: Option<Account>,
    /// The folder with Twilio's types; without it nothing is checked against them.
    pub contracts: Option<PathBuf>,
    /// Whether it calls back as texts come along.
    pub callbacks: bool,
    /// How long every answer takes.
    pub latency: Duration,
}

/// An account of Twilio's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its name, `AC` and 32 hexadecimal digits.
    pub sid: String,
    /// Its secret, which also signs callbacks.
    pub auth_token: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            inbound_url: None,
            account: None,
            contracts: contracts_folder(),
            callbacks: true,
            latency: Duration::ZERO,
        }
    }
}

/// The folder that `TOMBOLA_CONTRACTS` names.
pub fn contracts_folder() -> Option<PathBuf> {
    std::env::var_os("TOMBOLA_CONTRACTS")
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}

/// A stand-in that runs.
pub struct StandIn {
    address: SocketAddr,
    handle: ServerHandle,
    tasks: [JoinHandle<()>; 2],
}

impl StandIn {
    /// Starts to listen, in a tokio runtime.
    ///
    /// # Errors
    /// When the address is taken, or the types cannot be read.
    pub async fn start(config: Config) -> anyhow::Result<Self> {
        let contract = config.contracts.as_deref().map(Contract::read).transpose()?;
        let (carrier, waiting) = Carrier::new(config.callbacks);
        let callbacks = Callbacks::new(config.inbound_url)?;
        let server = Data::new(Server::new(
            contract,
            config.account,
            carrier,
            callbacks,
            config.latency,
        ));
        let shared = server.clone();
        let http = HttpServer::new(move || {
            App::new()
                .app_data(shared.clone())
                .route("/2010-04-01/{path:.*}", web::route().to(api::call))
                .configure(control::routes)
        })
        .workers(2)
        .disable_signals()
        .bind(config.listen)
        .with_context(|| format!("cannot listen on {}", config.listen))?;
        let address = *http.addrs().first().context("no address to listen on")?;
        let running = http.run();
        let handle = running.handle();
        let serving = tokio::spawn(async move {
            // It ends when it is stopped.
            let _ = running.await;
        });
        let carrying = tokio::spawn(async move { carrier::carry(&server, waiting).await });
        Ok(Self {
            address,
            handle,
            tasks: [serving, carrying],
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as the base of Twilio's API.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops at once; what is under way is cut off.
    pub async fn stop(self) {
        self.handle.stop(false).await;
        for task in self.tasks {
            task.abort();
        }
    }
}
