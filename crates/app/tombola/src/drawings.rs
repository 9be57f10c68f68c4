//! `tombola drawing`: verifies proofs without a database, and the log of drawings.

mod files;
mod log;

pub(crate) use log::{log_store, verify_log_of};
pub use log::{verify_log, verify_log_copy};

use anyhow::{Context, bail};
use beacon_drand::BlsVerifier;
use beacon_drand::read_chain;
use drawing::beacon::{Chain, Round};
use drawing::{Check, Foreknowledge, KnownChains, LogBreak, LogCopy, Outcome, Proof, Verdict};
use files::{check_list, read_log, read_proof, read_text};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The maximum size of a chain file, more than any valid one has.
const CHAIN_BYTES: u64 = 1 << 16;

/// What else is known about a drawing, in files.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The published list of entrants.
    pub entrants: Option<PathBuf>,
    /// A copy of the log that somebody saved before the round.
    pub log: Option<PathBuf>,
    /// The chain file of a beacon that is trusted besides quicknet.
    pub chain: Option<PathBuf>,
}

/// The lines of a report.
#[derive(Default)]
struct Report {
    text: String,
    has_failed: bool,
}

impl Report {
    fn add(&mut self, passes: bool, sentence: &str) {
        self.has_failed |= !passes;
        let _ = writeln!(self.text, "{:<7}{sentence}", if passes { "ok" } else { "FAILED" });
    }

    fn note(&mut self, sentence: &str) {
        let _ = writeln!(self.text, "-      {sentence}");
    }

    /// The report with this last line, or an error with the report if a check failed.
    fn finish(self, summary: &str) -> anyhow::Result<String> {
        match self.has_failed {
            false => Ok(self.text + summary),
            true => bail!("the proof is not valid\n{}", self.text.trim_end()),
        }
    }
}

/// Verifies a proof and, if given, its list of entrants. Returns a line for each check.
///
/// # Errors
/// When a check fails, with the same lines; or when a file cannot be read.
pub fn verify(proof: &Path, evidence: &Evidence) -> anyhow::Result<String> {
    let proof = read_proof(proof)?;
    let chains = chains(evidence.chain.as_deref())?;
    let known = KnownChains {
        chains: &chains,
        verifier: &BlsVerifier,
    };
    let copy = match &evidence.log {
        Some(log) => Some(read_log(log)?),
        None => None,
    };
    let (verdict, broken) = verdict(&proof, known, copy);
    let mut report = Report::default();
    for (check, passes) in &verdict.checks {
        report.add(*passes, &format!("{check}: {}", check.sentence()));
    }
    if let Some(broken) = broken {
        report.add(
            false,
            &format!("{}: the copy of the log is not valid: {broken}", Check::Witness),
        );
    }
    let list = match &evidence.entrants {
        Some(entrants) => Some(check_list(entrants, drawing::ListCheck::new(&proof))?),
        None => None,
    };
    add_list(&mut report, list);
    report.note(verdict.seal_time.sentence());
    if let Some(reason) = verdict.foreknowledge {
        report.note(&format!("{}: {}", Foreknowledge::SENTENCE, reason.reason()));
    }
    report.finish(&summary_of(&proof))
}

/// Adds the result of the check of the list, if there was one.
fn add_list(report: &mut Report, list: Option<Result<(), String>>) {
    match list {
        None => report.note("the list of entrants was not given, so it was not checked"),
        Some(Ok(())) => report.add(true, &format!("{}: {}", Check::List, Check::List.sentence())),
        Some(Err(fault)) => report.add(
            false,
            &format!("{}: the list does not match the proof: {fault}", Check::List),
        ),
    }
}

/// The verdict, with a copy of the log if its chain of hashes holds. If it does not, also the place where it breaks.
fn verdict(
    proof: &Proof,
    known: KnownChains<'_>,
    copy: Option<Result<LogCopy, LogBreak>>,
) -> (Verdict, Option<LogBreak>) {
    match copy {
        None => (proof.verdict(known), None),
        Some(Ok(copy)) => (proof.verdict_with_witness(known, &copy), None),
        Some(Err(broken)) => (proof.verdict(known), Some(broken)),
    }
}

/// Quicknet, whose key is part of the program, and the chain in a file.
fn chains(file: Option<&Path>) -> anyhow::Result<Vec<Chain>> {
    let mut chains = vec![Chain::quicknet()];
    if let Some(file) = file {
        let name = file.display();
        let text = read_text(file, CHAIN_BYTES).with_context(|| format!("{name}: cannot be read"))?;
        chains.push(read_chain(&text).with_context(|| format!("{name}: is not the file of a chain"))?);
    }
    Ok(chains)
}

fn ending_in(last4: Option<&str>) -> String {
    last4.map_or_else(String::new, |last4| format!(", phone number ending in {last4}"))
}

fn summary_of(proof: &Proof) -> String {
    let drawing = format!("Drawing {} of {}", proof.drawing, proof.raffle);
    let list = format!("{} entrants with {} entries", proof.participants, proof.entries);
    match &proof.outcome {
        Outcome::Sealed { .. } => format!(
            "{drawing} is sealed, and valid so far: {list} wait for round {}.\n",
            proof.round.map_or(0, Round::number)
        ),
        Outcome::Void { late: None } => {
            format!("{drawing} is void: {list} were sealed, and nobody was drawn.\n")
        }
        Outcome::Void { late: Some(late) } => format!(
            "{drawing} is void: {list} were sealed, and nobody was drawn. Its round came too late; entry {} would have won.\n",
            late.entry_number
        ),
        Outcome::Drawn(drawn) => {
            let phone = ending_in(drawn.winner_last4.as_deref());
            format!(
                "{drawing} is valid: entry {} of {} won, held by entrant {} of {}{phone}. It has {} alternates.\n",
                drawn.winning_entry_number,
                proof.entries,
                drawn.winner.leaf.index + 1,
                proof.participants,
                drawn.ranks.len().saturating_sub(1),
            )
        }
    }
}
