//! `tombola audit`: verifies the audit log of the console, and the log of drawings with it.

use crate::drawings;
use anyhow::{Context, bail};
use staff::audit_chain::AuditHash;
use std::collections::BTreeSet;
use std::fmt::Write;
use store_postgres::PgStore;

/// Verifies the chains of both logs. Each hash in `expected` must be in one of them: it is the head that an earlier run
/// printed, and shows that no entries are missing at the end.
///
/// # Errors
/// What is wrong with each log, and the first bad entry of it; or when the database cannot be reached.
pub fn verify(expected: &[AuditHash]) -> anyhow::Result<String> {
    let store = drawings::log_store()?;
    let mut missing: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
    let audit = audit_log(&store, |hash| {
        missing.remove(&hash.to_string());
    });
    let log = drawings::verify_log_of(&store);
    // A log that is not valid was read up to its first bad entry only.
    let missing = match audit.is_ok() && log.is_ok() {
        true => not_in_the_log_of_drawings(&store, missing)?,
        false => Vec::new(),
    };
    report([("audit log", audit), ("log of drawings", log)], &missing)
}

fn not_in_the_log_of_drawings(store: &PgStore, hashes: BTreeSet<String>) -> anyhow::Result<Vec<String>> {
    let mut missing = Vec::new();
    for hash in hashes {
        if !usecases::drawings::log_holds(store, hash.parse()?).context("cannot read the log of drawings")? {
            missing.push(hash);
        }
    }
    Ok(missing)
}

/// Verifies the chain of the audit log. Needs only `DATABASE_URL`.
///
/// # Errors
/// The first bad entry; or when the database cannot be reached.
pub fn verify_audit_log() -> anyhow::Result<String> {
    audit_log(&drawings::log_store()?, |_| ())
}

fn audit_log(store: &PgStore, seen: impl FnMut(AuditHash)) -> anyhow::Result<String> {
    let report = usecases::audit::verify_chain(store, seen).context("the audit log is not valid")?;
    let head = report
        .head
        .map_or_else(|| "none".to_owned(), |hash| hash.to_string());
    let erased = match report.erased {
        0 => String::new(),
        count => format!(", {count} of them without the notes about people who were erased"),
    };
    Ok(format!(
        "The log is valid: {} entries{erased}, last hash {head}.\n",
        report.entries
    ))
}

fn report(logs: [(&str, anyhow::Result<String>); 2], missing: &[String]) -> anyhow::Result<String> {
    let (mut text, mut has_failed) = (String::new(), !missing.is_empty());
    for (name, result) in logs {
        match result {
            Ok(line) => writeln!(text, "ok     {name}: {}", line.trim_end())?,
            Err(error) => {
                has_failed = true;
                writeln!(text, "FAILED {name}: {error:#}")?;
            }
        }
    }
    for hash in missing {
        writeln!(
            text,
            "FAILED no entry of a log has the hash {hash}: entries are missing at the end"
        )?;
    }
    match has_failed {
        false => Ok(text),
        true => bail!("a log is not as it should be\n{}", text.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn a_report_has_both_logs_and_the_hashes_that_are_missing() {
        let good = || Ok("The log is valid.\n".to_owned());
        assert_eq!(
            report([("one", good()), ("two", good())], &[]).unwrap(),
            "ok     one: The log is valid.\nok     two: The log is valid.\n"
        );
        let broken = Err(anyhow!("entry 3 was changed"));
        let error = report([("one", broken), ("two", good())], &["ab".to_owned()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a log is not as it should be\nFAILED one: entry 3 was changed\nok     two: The log is valid.\n\
             FAILED no entry of a log has the hash ab: entries are missing at the end"
        );
    }
}
