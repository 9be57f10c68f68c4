//! Serves the stand-in until it is interrupted.

use anyhow::Context;
use clap::Parser;
use stand_ins::drand::Config;
use stand_ins::kit::{StandIn, random_bytes, serve_until_interrupted};
use std::fs;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// A stand-in for a drand network. Whoever runs it can know every round ahead of time.
#[derive(Parser)]
struct Arguments {
    /// The address to listen on; port 0 for any free port
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The seconds from one round to the next
    #[arg(long)]
    period: Option<NonZeroU32>,
    /// When the first round is due, in seconds since 1970
    #[arg(long)]
    genesis_time: Option<i64>,
    /// Make a new key at every start, instead of the same one everywhere
    #[arg(long)]
    new_key: bool,
    /// Write the chain file, which says how to verify the rounds, here before the URL is printed
    #[arg(long)]
    chain_file: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let Arguments {
        listen,
        period,
        genesis_time,
        new_key,
        chain_file,
    } = Arguments::parse();
    let default = Config::default();
    let config = Config {
        listen,
        secret: if new_key { random_bytes() } else { default.secret },
        genesis_time: genesis_time.unwrap_or(default.genesis_time),
        period: period.unwrap_or(default.period),
    };
    let written = config.clone();
    serve_until_interrupted(config, move |stand_in| match &chain_file {
        Some(file) => write_chain_file(&written, stand_in, file),
        None => Ok(()),
    })
    .await
}

fn write_chain_file(config: &Config, stand_in: &StandIn, file: &Path) -> anyhow::Result<()> {
    let chain = config.chain_file(&[stand_in.url()])?;
    fs::write(file, format!("{chain:#}\n")).with_context(|| format!("cannot write {}", file.display()))
}
