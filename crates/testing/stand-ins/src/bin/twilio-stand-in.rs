//! Serves the stand-in until it is interrupted.

use clap::Parser;
use stand_ins::kit::{contracts_or_warning, serve_until_interrupted};
use stand_ins::twilio::{Account, Config};
use std::net::SocketAddr;
use std::time::Duration;
use url::Url;

/// A stand-in for Twilio's API. `TOMBOLA_CONTRACTS` names the folder with Twilio's schemas, if there is one.
#[derive(Parser)]
struct Arguments {
    /// The address to listen on; port 0 for any free port
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The URL of the webhook for incoming messages
    #[arg(long)]
    inbound_url: Option<Url>,
    /// The SID of the only account; without it, any well-formed SID is accepted
    #[arg(long, requires = "auth_token")]
    account_sid: Option<String>,
    /// The account's auth token, which also signs callbacks
    #[arg(long, requires = "account_sid")]
    auth_token: Option<String>,
    /// Check nothing against Twilio's schemas, to be faster
    #[arg(long)]
    unchecked: bool,
    /// Deliver messages without status callbacks
    #[arg(long)]
    no_callbacks: bool,
    /// How long every response takes, in milliseconds
    #[arg(long, default_value_t = 0)]
    latency_ms: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let contracts = match arguments.unchecked {
        true => None,
        false => contracts_or_warning("twilio-stand-in", "Twilio")?,
    };
    let account = arguments.account_sid.zip(arguments.auth_token);
    let config = Config {
        listen: arguments.listen,
        inbound_url: arguments.inbound_url,
        account: account.map(|(sid, auth_token)| Account { sid, auth_token }),
        contracts,
        callbacks: !arguments.no_callbacks,
        latency: Duration::from_millis(arguments.latency_ms),
    };
    serve_until_interrupted(config, |_| Ok(())).await
}
