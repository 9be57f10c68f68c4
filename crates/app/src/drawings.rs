//! `tombola drawing`: checks proofs, without a database, and the log of drawings.

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

/// The longest line of a list, and then some.
const LINE_BYTES: u64 = 200;
/// Proofs have a few kilobytes.
const PROOF_BYTES: u64 = 1 << 20;
/// The log is read in short statements; the drawings that it tells of are counted in one.
const STATEMENT: Duration = Duration::from_secs(60);

/// Checks a proof, and its list if there is one, and says what was found, a line each.
///
/// # Errors
/// When something does not hold, with the same lines; or when a file cannot be read.
pub fn verify(proof: &Path, entrants: Option<&Path>) -> anyhow::Result<String> {
    let name = proof.display();
    let text = read_text(proof).with_context(|| format!("{name}: cannot be read"))?;
    let document: ProofDocument =
        serde_json::from_str(&text).with_context(|| format!("{name}: is not the proof of a drawing"))?;
    let proof =
        Proof::try_from(document).with_context(|| format!("{name}: is not a proof of this scheme"))?;
    let (mut report, mut all_hold) = (String::new(), true);
    let mut tell = |holds: bool, sentence: &str| {
        all_hold &= holds;
        let _ = writeln!(report, "{:<7}{sentence}", if holds { "ok" } else { "FAILED" });
    };
    for (check, holds) in proof.checks() {
        tell(holds, Check::sentence(check));
    }
    match entrants {
        None => report.push_str("-      the list of entrants was not given, and not checked\n"),
        Some(entrants) => {
            let list = File::open(entrants)
                .map_err(anyhow::Error::from)
                .and_then(|file| check_list(&proof, BufReader::with_capacity(1 << 16, file)));
            match list.with_context(|| format!("{}: cannot be read", entrants.display()))? {
                Ok(()) => tell(true, "the list is complete, and gives the root"),
                Err(wrong) => tell(false, &format!("the list is not the proof's: {wrong}")),
            }
        }
    }
    match all_hold {
        true => Ok(report + &summary(&proof)),
        false => bail!("the proof does not hold\n{}", report.trim_end()),
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

/// What is wrong with a list is an answer; that it cannot be read is an error.
fn check_list(proof: &Proof, mut list: impl BufRead) -> anyhow::Result<Result<(), String>> {
    let mut check = ListCheck::new(proof);
    let mut line = String::new();
    for number in 0u64.. {
        line.clear();
        if (&mut list).take(LINE_BYTES).read_line(&mut line)? == 0 {
            break;
        }
        let Some(row) = line.strip_suffix('\n') else {
            return Ok(Err(format!("line {} does not end", number + 1)));
        };
        match (number, ListRow::read(row)) {
            (0, _) if row == ListRow::HEADER => {}
            (0, _) => return Ok(Err("its first line does not name the columns".to_owned())),
            (_, Ok(leaf)) => check.push(&leaf),
            (_, Err(wrong)) => return Ok(Err(format!("line {} is {wrong}", number + 1))),
        }
    }
    Ok(check.finish())
}

fn summary(proof: &Proof) -> String {
    let record = &proof.record;
    format!(
        "Drawing {} of {} holds: entry {} of {} won, held by entrant {} of {}, phone number ending in {}.\n",
        record.drawing,
        record.raffle,
        record.winning_entry_number,
        record.entries,
        proof.winner.leaf.index + 1,
        record.participants,
        proof.winner_last4,
    )
}

/// Recomputes the log of drawings from its first entry on.
///
/// # Errors
/// What is wrong with it first; or when the database cannot be reached.
pub fn verify_log() -> anyhow::Result<String> {
    let url = Database::url_from_environment()?;
    let settings = PoolSettings {
        size: 1,
        statement: STATEMENT,
        ..PoolSettings::default()
    };
    let store = PgStore::new(url.expose_secret(), settings);
    let report = usecases::drawings::verify_log(&store).context("the log does not hold")?;
    let head = report
        .head
        .map_or_else(|| "none".to_owned(), |hash| hash.to_string());
    Ok(format!(
        "The log holds: {} entries, {} drawings, last hash {head}.\n",
        report.entries, report.drawings
    ))
}
