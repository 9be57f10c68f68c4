//! Reads the files that the commands are given.

use anyhow::{Context, ensure};
use drawing::{ListCheck, ListRow, LogBreak, LogCopy, LogEntry, Proof};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The maximum length of a line of a list, more than any valid line has.
const ROW_BYTES: u64 = 200;
/// The maximum length of an entry of the log. Entries have one or two kilobytes.
const ENTRY_BYTES: u64 = 1 << 16;
/// The maximum size of a proof. Proofs have a few kilobytes.
const PROOF_BYTES: u64 = 1 << 20;

pub(super) fn read_proof(path: &Path) -> anyhow::Result<Proof> {
    let name = path.display();
    let text = read_text(path, PROOF_BYTES).with_context(|| format!("{name}: cannot be read"))?;
    web::proof_from_json(&text).with_context(|| format!("{name}: is not a proof that can be checked"))
}

pub(super) fn read_text(path: &Path, most: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    ensure!(read as u64 <= most, "it is too large");
    Ok(text)
}

/// The inner result says whether the list matches the proof. The outer error means that the list cannot be read.
pub(super) fn check_list(path: &Path, check: ListCheck) -> anyhow::Result<Result<(), String>> {
    let list = File::open(path).map_err(anyhow::Error::from);
    list.and_then(|file| check_rows(check, BufReader::with_capacity(1 << 16, file)))
        .with_context(|| format!("{}: cannot be read", path.display()))
}

fn check_rows(mut check: ListCheck, mut list: impl BufRead) -> anyhow::Result<Result<(), String>> {
    let mut line = String::new();
    for number in 0u64.. {
        line.clear();
        if (&mut list).take(ROW_BYTES).read_line(&mut line)? == 0 {
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

/// Reads a copy of the log. The inner result says whether its chain of hashes holds. The outer error means that it is not a
/// copy of a log.
pub(super) fn read_log(path: &Path) -> anyhow::Result<Result<LogCopy, LogBreak>> {
    let file = File::open(path).map_err(anyhow::Error::from);
    file.and_then(|file| read_entries(BufReader::new(file)))
        .map(LogCopy::new)
        .with_context(|| format!("{}: is not a copy of the log", path.display()))
}

fn read_entries(mut lines: impl BufRead) -> anyhow::Result<Vec<LogEntry>> {
    let (mut entries, mut line) = (Vec::new(), String::new());
    for number in 1u64.. {
        line.clear();
        let read = (&mut lines).take(ENTRY_BYTES).read_line(&mut line)?;
        if read == 0 {
            break;
        }
        ensure!((read as u64) < ENTRY_BYTES, "line {number} is too long");
        // A copy that was put together by hand may end without a line end.
        let entry = LogEntry::from_json(line.trim_end_matches('\n'));
        entries.push(entry.with_context(|| format!("line {number}"))?);
    }
    Ok(entries)
}
