//! A stand-in for the part of Twilio's API that Tombola uses, for tests and for the demo.
//!
//! `/2010-04-01` accepts, lists and returns messages as Twilio does, and checks every request and response against
//! Twilio's own schemas where `TOMBOLA_CONTRACTS` names the folder that has them. Messages are delivered in the
//! background, with signed status callbacks. `/control` fails, delays, rejects, receives messages and sends callbacks when
//! a test asks for it. Start reading at [`Config`], then `server.rs` and `state.rs`.

mod api;
mod callbacks;
mod carrier;
mod control;
mod delivery;
mod errors;
mod failures;
mod inbox;
mod list;
mod message;
mod schemas;
mod server;
mod state;

use crate::kit::contracts_folder;
use crate::kit::{Provider, Service};
use crate::twilio::callbacks::Callbacks;
use crate::twilio::carrier::Carrier;
use crate::twilio::server::Server;
use actix_web::web::{self, Data, ServiceConfig};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// How the stand-in is set up. [`StandIn::start`](crate::kit::StandIn::start) serves it.
#[derive(Debug)]
pub struct Config {
    /// The address to listen on; port 0 for any free port.
    pub listen: SocketAddr,
    /// The URL of the webhook for incoming messages, if there is one yet.
    pub inbound_url: Option<Url>,
    /// The only account; without it, every well-formed account SID with any auth token is accepted.
    pub account: Option<Account>,
    /// The folder with Twilio's schemas; without it nothing is checked against them.
    pub contracts: Option<PathBuf>,
    /// Whether status callbacks are sent as messages are delivered.
    pub callbacks: bool,
    /// How long every response takes.
    pub latency: Duration,
}

/// A Twilio account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The account SID: `AC` and 32 hexadecimal digits.
    pub sid: String,
    /// The auth token, which also signs callbacks.
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

impl Provider for Config {
    fn into_service(self) -> anyhow::Result<Service> {
        let contract = Arc::new(schemas::read(self.contracts.as_deref())?);
        let (carrier, queued) = Carrier::new(self.callbacks);
        let callbacks = Callbacks::new(self.inbound_url)?;
        let server = Server::new(contract, self.account, carrier, callbacks, self.latency);
        let server = Data::new(server);
        let sender = server.clone();
        let routes = move |config: &mut ServiceConfig| {
            config
                .app_data(server.clone())
                .route("/2010-04-01/{path:.*}", web::route().to(api::call))
                .route("/inbox", web::get().to(inbox::inbox))
                .configure(|config| control::routes(config, &server.contract));
        };
        let background = async move { delivery::deliver_queued(&sender, queued).await };
        Ok(Service::new(self.listen, routes, background))
    }
}
