//! Serves the stand-in until it is interrupted.

use clap::Parser;
use stand_ins::kit::{contracts_or_warning, serve_until_interrupted};
use stand_ins::stripe::{Config, WEBHOOK_SECRET};
use std::net::SocketAddr;
use url::Url;

/// A stand-in for Stripe's API. `TOMBOLA_CONTRACTS` names the folder with Stripe's schemas, if there is one.
#[derive(Parser)]
struct Arguments {
    /// The address to listen on; port 0 for any free port
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The URL of the webhook endpoint
    #[arg(long)]
    webhook_url: Option<Url>,
    /// The secret that signs events
    #[arg(long, default_value = WEBHOOK_SECRET)]
    webhook_secret: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let config = Config {
        listen: arguments.listen,
        webhook_url: arguments.webhook_url,
        webhook_secret: arguments.webhook_secret,
        contracts: contracts_or_warning("stripe-stand-in", "Stripe")?,
    };
    serve_until_interrupted(config, |_| Ok(())).await
}
