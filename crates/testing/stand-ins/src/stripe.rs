//! A stand-in for the part of Stripe's API that Tombola uses, for tests and for the demo.
//!
//! `/v1` handles payment intents, refunds and idempotency keys as Stripe does, and checks every request, response and
//! event against Stripe's own schemas where `TOMBOLA_CONTRACTS` names the folder that has them. `/control` pays, disputes,
//! fails and delivers events when a test asks for it. `/browser` serves what replaces Stripe's script and frames. Start
//! reading at [`Config`], then `server.rs` and `account.rs`.

#![expect(
    clippy::indexing_slicing,
    reason = "only JSON objects are indexed: a missing field reads as null"
)]

mod account;
mod api;
mod browser;
mod control;
mod errors;
mod failures;
mod form;
mod objects;
mod schemas;
mod server;
mod webhooks;

use crate::kit::contracts_folder;
use crate::kit::{Provider, Service};
use crate::stripe::server::Server;
use crate::stripe::webhooks::Webhooks;
use actix_web::web::{self, Data, ServiceConfig};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// The secret that signs events, unless another one is configured.
pub const WEBHOOK_SECRET: &str = "whsec_stand_in";

/// How the stand-in is set up. [`StandIn::start`](crate::kit::StandIn::start) serves it.
#[derive(Debug)]
pub struct Config {
    /// The address to listen on; port 0 for any free port.
    pub listen: SocketAddr,
    /// The URL of the webhook endpoint, if there is one yet.
    pub webhook_url: Option<Url>,
    /// The secret that signs events.
    pub webhook_secret: String,
    /// The folder with Stripe's schemas; without it nothing is checked against them.
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

impl Provider for Config {
    fn into_service(self) -> anyhow::Result<Service> {
        let contract = Arc::new(schemas::read(self.contracts.as_deref())?);
        let (webhooks, queued) = Webhooks::new(self.webhook_url, self.webhook_secret)?;
        let server = Data::new(Server::new(contract, webhooks));
        let sender = server.clone();
        let routes = move |config: &mut ServiceConfig| {
            config
                .app_data(server.clone())
                .route("/v1/{path:.*}", web::route().to(api::call))
                .configure(|config| control::routes(config, &server.contract))
                .configure(browser::routes);
        };
        let background = async move { sender.webhooks.send_queued(queued).await };
        Ok(Service::new(self.listen, routes, background))
    }
}
