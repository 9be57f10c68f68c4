use crate::kit::{Provider, StandIn, contracts_folder};
use anyhow::Context;
use std::io::{self, Write};
use std::path::PathBuf;
use tokio::signal::unix::{SignalKind, signal};

/// Serves until SIGINT or SIGTERM. Once it listens, it calls `ready`, then prints its URL on a line of its own.
///
/// # Errors
/// When the stand-in cannot start, `ready` fails, or signals cannot be waited for.
pub async fn serve_until_interrupted(
    provider: impl Provider,
    ready: impl FnOnce(&StandIn) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let stand_in = StandIn::start(provider).await?;
    ready(&stand_in)?;
    print_line(io::stdout(), &stand_in.url())?;
    interrupted().await.context("cannot wait for signals")?;
    stand_in.stop().await;
    Ok(())
}

/// The folder that `TOMBOLA_CONTRACTS` names. Warns on standard error when it names none.
///
/// # Errors
/// When standard error cannot be written.
pub fn contracts_or_warning(program: &str, provider: &str) -> io::Result<Option<PathBuf>> {
    let folder = contracts_folder();
    if folder.is_none() {
        let warning = format!(
            "{program}: TOMBOLA_CONTRACTS is not set, so nothing is checked against {provider}'s schemas"
        );
        print_line(io::stderr(), &warning)?;
    }
    Ok(folder)
}

async fn interrupted() -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

fn print_line(mut to: impl Write, line: &str) -> io::Result<()> {
    writeln!(to, "{line}")?;
    to.flush()
}
