//! A stand-in for the part of Stripe's API that Tombola uses, for tests and for the demo. Never a part of `tombola`.
//!
//! `/v1` keeps payments, refunds and idempotency keys as Stripe does, and checks every request, answer and event against
//! Stripe's own types where `TOMBOLA_CONTRACTS` names the folder that has them. `/control` pays, disputes, fails and
//! delivers events on demand. `/browser` has what plays Stripe's script and frames. Start reading at [`StandIn::start`], then `server.rs` and `account.rs`.

#![recursion_limit = "256"]
#![expect(
    clippy::indexing_slicing,
    reason = "only JSON objects are indexed: what is missing reads as null"
)]

mod account;
mod api;
mod browser;
mod contract;
mod control;
mod failures;
mod form;
mod objects;
mod server;
mod webhooks;

use crate::contract::Contract;
use crate::server::Server;
use crate::webhooks::Webhooks;
use actix_web::dev::ServerHandle;
use actix_web::web::{self, Data};
use actix_web::{App, HttpServer};
use anyhow::Context;
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::task::JoinHandle;
use url::Url;

/// What signs events, unless it is said otherwise.
pub const WEBHOOK_SECRET: &str = "whsec_stand_in";

/// How the stand-in is set up.
#[derive(Debug)]
pub struct Config {
    /// Where it listens; port 0 for any free one.
    pub listen: SocketAddr,
    /// Where it sends events, if anywhere yet.
    pub webhook_url: Option<Url>,
    /// With what it signs them.
    pub webhook_secret: String,
    /// The folder with Stripe's types; without it nothing is checked against them.
    pub contracts: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            webhook_url: None,
            webhook_secret: WEBHOOK_SECRET.to_owned(),
            contracts: contracts_folder(),
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
        let (webhooks, waiting) = Webhooks::new(config.webhook_url, config.webhook_secret)?;
        let server = Data::new(Server::new(contract, webhooks));
        let shared = server.clone();
        let http = HttpServer::new(move || {
            App::new()
                .app_data(shared.clone())
                .route("/v1/{path:.*}", web::route().to(api::call))
                .configure(control::routes)
                .configure(browser::routes)
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
        let sending = tokio::spawn(async move { server.webhooks.send_queued(waiting).await });
        Ok(Self {
            address,
            handle,
            tasks: [serving, sending],
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as the base of Stripe's API.
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
