//! Verifies the log of drawings: that of the database, and saved copies of it.

use super::files::{read_log, read_proof};
use crate::config::Database;
use anyhow::{Context, bail};
use drawing::{DrawingLog, LogAction, LogCopy, LogEntry, LogRules, Proof};
use kernel::{StoreError, UnitOfWork};
use secrecy::ExposeSecret;
use std::env::VarError;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store_postgres::{PgStore, PoolSettings};

/// The statement timeout. The log is read in pages, but the drawings are counted in one statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);
/// How many entries of the server's log are read at a time.
const PAGE: u32 = 1_000;

/// The database of `DATABASE_URL`, to read a log.
pub(crate) fn log_store() -> anyhow::Result<PgStore> {
    let url = Database::url_from_environment()?;
    let settings = PoolSettings {
        size: 1,
        statement: STATEMENT_TIMEOUT,
        ..PoolSettings::default()
    };
    Ok(PgStore::new(url.expose_secret(), settings))
}

/// Recomputes the log of drawings from its first entry.
///
/// # Errors
/// The first fault in the log; or when the database cannot be reached.
pub fn verify_log() -> anyhow::Result<String> {
    verify_log_of(&log_store()?)
}

pub(crate) fn verify_log_of(store: &PgStore) -> anyhow::Result<String> {
    let report = usecases::drawings::verify_log(store).context("the log is not valid")?;
    let head = report
        .head
        .map_or_else(|| "none".to_owned(), |hash| hash.to_string());
    Ok(format!(
        "The log is valid: {} entries, {} drawings, last hash {head}.\n",
        report.entries, report.drawings
    ))
}

/// Verifies a saved copy of the log: its chain of hashes and its rules. Compares it with these proofs and, if
/// `DATABASE_URL` is set, with the server's log.
///
/// # Errors
/// The first fault or difference; or when a file cannot be read or the database cannot be reached.
pub fn verify_log_copy(file: &Path, proofs: &[PathBuf]) -> anyhow::Result<String> {
    let copy = read_log(file)?.context("the copy of the log is not valid")?;
    let mut rules = LogRules::default();
    for entry in copy.entries() {
        rules
            .push(entry)
            .context("the copy of the log breaks a rule of drawings")?;
    }
    let mut report = describe(&copy);
    for path in proofs {
        let proof = read_proof(path)?;
        compare_proof(&proof, &copy).with_context(|| format!("{}: does not fit the copy", path.display()))?;
        let _ = writeln!(report, "Drawing {}: its proof fits the copy.", proof.drawing);
    }
    report.push_str(match std::env::var("DATABASE_URL") {
        Err(VarError::NotPresent) => "DATABASE_URL is not set, so the copy was not compared with a server.\n",
        _ => {
            compare_server(&log_store()?, &copy).context("the server's log differs from the copy")?;
            "The server's log has the same entries.\n"
        }
    });
    Ok(report)
}

fn describe(copy: &LogCopy) -> String {
    let (Some(first), Some(last)) = (copy.entries().first(), copy.entries().last()) else {
        return "The copy of the log is empty.\n".to_owned();
    };
    format!(
        "The copy of the log is valid: entries {} to {}, last hash {}.\n",
        first.id, last.id, last.hash
    )
}

/// Compares a proof with a copy of the log. A copy that was saved before the drawing does not have its result.
fn compare_proof(proof: &Proof, copy: &LogCopy) -> anyhow::Result<()> {
    for (name, entry) in [("announcement", &proof.announcement), ("seal", &proof.seal)] {
        match copy.find(entry.id) {
            None => bail!("the copy does not have entry {}, the {name}", entry.id),
            // Not only the hashes: nobody checked that the hash in the proof is the hash of its entry.
            Some(copied) if copied != entry => {
                bail!("entry {}, the {name}, is another in the proof", entry.id)
            }
            Some(_) => {}
        }
    }
    let performed = copy.of(proof.drawing, LogAction::DrawingPerformed);
    let (Some(drawn), Some(performed)) = (proof.drawn(), performed.first()) else {
        return Ok(());
    };
    let is_same = performed.hash == drawn.audit_log_hash
        && performed.entry.verification_hash == Some(drawn.verification_hash);
    match is_same {
        true => Ok(()),
        false => bail!("entry {}, the result, is another in the proof", performed.id),
    }
}

/// Compares a copy of the log with the server's: every entry of the copy must be there, unchanged.
fn compare_server<S>(store: &S, copy: &LogCopy) -> anyhow::Result<()>
where
    S: UnitOfWork<Tx: DrawingLog>,
{
    let mut rest = copy.entries();
    while let Some(first) = rest.first() {
        let page: Vec<LogEntry> = store.snapshot::<_, StoreError>(|tx| tx.list_log(first.id - 1, PAGE))?;
        let Some(server) = page.first() else {
            bail!("the server does not have entry {} and those after it", first.id);
        };
        if server != first {
            bail!(
                "entry {} is the first that differs: the copy has {}, the server has {}",
                first.id,
                first.to_json(),
                server.to_json()
            );
        }
        let same = rest.iter().zip(&page).take_while(|(mine, theirs)| mine == theirs);
        rest = rest.get(same.count()..).unwrap_or_default();
    }
    Ok(())
}
