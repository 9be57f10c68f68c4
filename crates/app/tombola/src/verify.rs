//! `tombola verify`: every check of the stored data, such as after a restore.

use crate::config::Config;
use crate::{audit, drawings, rollups};
use anyhow::{Context, bail};
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::EntryLedger;
use std::fmt::Write;

/// How many entrants a report names.
const NAMED: usize = 20;

/// Checks the roll-ups, the log of drawings, the audit log and the ledger of entries. Returns a line for each.
///
/// # Errors
/// When a check fails, with the lines of all checks.
pub fn run(config: &Config) -> anyhow::Result<String> {
    let checks = [
        ("ledger", ledger(config)),
        ("roll-ups", rollups::verify(config)),
        ("log of drawings", drawings::verify_log()),
        ("audit log", audit::verify_audit_log()),
    ];
    report(checks)
}

fn report<const N: usize>(checks: [(&str, anyhow::Result<String>); N]) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut has_failed = false;
    for (name, result) in checks {
        match result {
            Ok(line) => writeln!(text, "ok     {name}: {}", line.trim_end())?,
            Err(error) => {
                has_failed = true;
                writeln!(text, "FAILED {name}: {error:#}")?;
            }
        }
    }
    match has_failed {
        false => Ok(text),
        true => bail!("the data is not as it should be\n{}", text.trim_end()),
    }
}

fn ledger(config: &Config) -> anyhow::Result<String> {
    let store = rollups::open(config)?;
    let unbalanced = store
        .snapshot::<_, StoreError>(|tx| tx.unbalanced_entrants())
        .context("cannot read the ledger")?;
    balance(&unbalanced)
}

fn balance(unbalanced: &[EntrantId]) -> anyhow::Result<String> {
    if unbalanced.is_empty() {
        return Ok("The entries of every entrant are the sum of their ledger.".to_owned());
    }
    let named: Vec<String> = unbalanced
        .iter()
        .take(NAMED)
        .map(|id| id.get().to_string())
        .collect();
    bail!(
        "the entries of {} entrants differ from their ledger; the first ones are {}",
        unbalanced.len(),
        named.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn a_report_has_every_check_even_after_one_that_fails() {
        let good = || Ok("All is well.\n".to_owned());
        assert_eq!(
            report([("one", good()), ("two", good())]).unwrap(),
            "ok     one: All is well.\nok     two: All is well.\n"
        );
        let error = report([("one", Err(anyhow!("broken"))), ("two", good())]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the data is not as it should be\nFAILED one: broken\nok     two: All is well."
        );
    }

    #[test]
    fn entrants_that_differ_from_their_ledger_are_counted_and_named() {
        assert!(balance(&[]).is_ok());
        let many: Vec<EntrantId> = (1..=30).map(EntrantId::new).collect();
        let error = balance(&many).unwrap_err().to_string();
        assert!(
            error.contains("30 entrants") && error.ends_with("19, 20"),
            "{error}"
        );
    }
}
