//! `tombola drawing`: verifies proofs without a database, and the log of drawings.

use crate::config::Database;
use anyhow::{Context, bail, ensure};
use drawing::{Check, ListCheck, ListRow, Proof};
use secrecy::ExposeSecret;
use std::fmt::Write;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;
use store_postgres::{PgStore, PoolSettings};
use web::ProofDocument;

/// The maximum length of a line of a list, more than any valid line has.
const LINE_BYTES: u64 = 200;
/// The maximum size of a proof. Proofs have a few kilobytes.
const PROOF_BYTES: u64 = 1 << 20;
/// The statement timeout. The log is read in pages, but the drawings are counted in one statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);

/// Verifies a proof and, if given, its list of entrants. Returns a line for each check.
///
/// # Errors
/// When a check fails, with the same lines; or when a file cannot be read.
pub fn verify(proof: &Path, entrants: Option<&Path>) -> anyhow::Result<String> {
    let name = proof.display();
    let text = read_text(proof).with_context(|| format!("{name}: cannot be read"))?;
    let document: ProofDocument =
        serde_json::from_str(&text).with_context(|| format!("{name}: is not the proof of a drawing"))?;
    let proof =
        Proof::try_from(document).with_context(|| format!("{name}: is not a proof of this scheme"))?;
    let (mut report, mut is_valid) = (String::new(), true);
    let mut add = |passes: bool, sentence: &str| {
        is_valid &= passes;
        let _ = writeln!(report, "{:<7}{sentence}", if passes { "ok" } else { "FAILED" });
    };
    for (check, passes) in proof.checks() {
        add(passes, Check::sentence(check));
    }
    match entrants {
        None => report.push_str("-      the list of entrants was not given, so it was not checked\n"),
        Some(entrants) => {
            let list = File::open(entrants)
                .map_err(anyhow::Error::from)
                .and_then(|file| check_list(&proof, BufReader::with_capacity(1 << 16, file)));
            match list.with_context(|| format!("{}: cannot be read", entrants.display()))? {
                Ok(()) => add(true, "the list is complete and has the root"),
                Err(fault) => add(false, &format!("the list does not match the proof: {fault}")),
            }
        }
    }
    match is_valid {
        true => Ok(report + &summary(&proof)),
        false => bail!("the proof is not valid\n{}", report.trim_end()),
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?
        .take(PROOF_BYTES + 1)
        .read_to_string(&mut text)?;
    ensure!(read as u64 <= PROOF_BYTES, "it is too large for a proof");
    Ok(text)
}

/// The inner result says whether the list matches the proof. The outer error means that the list cannot be read.
fn check_list(proof: &Proof, mut list: impl BufRead) -> anyhow::Result<Result<(), String>> {
    let mut check = ListCheck::new(proof);
    let mut line = String::new();
    for number in 0u64.. {
        line.clear();
        if (&mut list).take(LINE_BYTES).read_line(&mut line)? == 0 {
            break;
        }
        let Some(row) = line.strip_suffix('\n') else {
            return Ok(Err(format!("line {} is too long or has no line end", number + 1)));
        };
        match (number, ListRow::read(row)) {
            (0, _) if row == ListRow::HEADER => {}
            (0, _) => return Ok(Err("its first line is not the header".to_owned())),
            (_, Ok(leaf)) => check.push(&leaf),
            (_, Err(error)) => return Ok(Err(format!("line {} is {error}", number + 1))),
        }
    }
    Ok(check.finish())
}

fn summary(proof: &Proof) -> String {
    let record = &proof.record;
    format!(
        "Drawing {} of {} is valid: entry {} of {} won, held by entrant {} of {}, phone number ending in {}.\n",
        record.drawing,
        record.raffle,
        record.winning_entry_number,
        record.entries,
        proof.winner.leaf.index + 1,
        record.participants,
        proof.winner_last4,
    )
}

/// Recomputes the log of drawings from its first entry.
///
/// # Errors
/// The first fault in the log; or when the database cannot be reached.
pub fn verify_log() -> anyhow::Result<String> {
    let url = Database::url_from_environment()?;
    let settings = PoolSettings {
        size: 1,
        statement: STATEMENT_TIMEOUT,
        ..PoolSettings::default()
    };
    let store = PgStore::new(url.expose_secret(), settings);
    let report = usecases::drawings::verify_log(&store).context("the log is not valid")?;
    let head = report
        .head
        .map_or_else(|| "none".to_owned(), |hash| hash.to_string());
    Ok(format!(
        "The log is valid: {} entries, {} drawings, last hash {head}.\n",
        report.entries, report.drawings
    ))
}
