//! Serves the stand-in until it is interrupted.

use anyhow::Context;
use clap::Parser;
use std::io::Write;
use std::net::SocketAddr;
use stripe_stand_in::{Config, StandIn, WEBHOOK_SECRET, contracts_folder};
use url::Url;

/// A stand-in for Stripe's API. `TOMBOLA_CONTRACTS` names the folder with Stripe's types, if it is there.
#[derive(Parser)]
struct Arguments {
    /// Where to listen; port 0 for any free one
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Where to send events
    #[arg(long)]
    webhook_url: Option<Url>,
    /// With what to sign them
    #[arg(long, default_value = WEBHOOK_SECRET)]
    webhook_secret: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let contracts = contracts_folder();
    if contracts.is_none() {
        say(
            std::io::stderr(),
            "stripe-stand-in: TOMBOLA_CONTRACTS is not set: nothing is checked against Stripe's types",
        )?;
    }
    let stand_in = StandIn::start(Config {
        listen: arguments.listen,
        webhook_url: arguments.webhook_url,
        webhook_secret: arguments.webhook_secret,
        contracts,
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
