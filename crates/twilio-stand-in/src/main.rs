//! Serves the stand-in until it is interrupted.

use anyhow::Context;
use clap::Parser;
use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;
use twilio_stand_in::{Account, Config, StandIn, contracts_folder};
use url::Url;

/// A stand-in for Twilio's API. `TOMBOLA_CONTRACTS` names the folder with Twilio's types, if it is there.
#[derive(Parser)]
struct Arguments {
    /// Where to listen; port 0 for any free one
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Where to send the texts that people send
    #[arg(long)]
    inbound_url: Option<Url>,
    /// The only account; any of the right form without it
    #[arg(long, requires = "auth_token")]
    account_sid: Option<String>,
    /// Its secret, which also signs callbacks
    #[arg(long, requires = "account_sid")]
    auth_token: Option<String>,
    /// Check nothing against Twilio's types, to be faster
    #[arg(long)]
    unchecked: bool,
    /// Carry texts without calling back
    #[arg(long)]
    no_callbacks: bool,
    /// How long every answer takes
    #[arg(long, default_value_t = 0)]
    latency_ms: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let contracts = contracts_folder().filter(|_| !arguments.unchecked);
    if contracts.is_none() && !arguments.unchecked {
        say(
            std::io::stderr(),
            "twilio-stand-in: TOMBOLA_CONTRACTS is not set: nothing is checked against Twilio's types",
        )?;
    }
    let account = arguments.account_sid.zip(arguments.auth_token);
    let stand_in = StandIn::start(Config {
        listen: arguments.listen,
        inbound_url: arguments.inbound_url,
        account: account.map(|(sid, auth_token)| Account { sid, auth_token }),
        contracts,
        callbacks: !arguments.no_callbacks,
        latency: Duration::from_millis(arguments.latency_ms),
    })
    .await?;
    say(std::io::stdout(), &stand_in.url())?;
    interrupted().await.context("cannot wait for signals")?;
    stand_in.stop().await;
    Ok(())
}

async fn interrupted() -> std::io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

fn say(mut to: impl Write, line: &str) -> std::io::Result<()> {
    writeln!(to, "{line}")?;
    to.flush()
}
