//! `tombola retention`: erases and drops what is too old, now.

use crate::config::Config;
use crate::{SystemClock, rollups};
use anyhow::{Context, bail};
use kernel::Clock;
use std::fmt::Write;
use usecases::retention::Cleaned;

/// Runs once and returns the counts. Folds before, because what is not in the roll-ups stays.
///
/// # Errors
/// When the database cannot be reached, or when servers used what was to be dropped; the next run goes on.
pub fn run(config: &Config) -> anyhow::Result<String> {
    let store = rollups::open(config)?;
    usecases::retention::make_months(&store, SystemClock.now())
        .context("cannot make places for the views of coming months")?;
    usecases::rollups::fold(&store, config.time_zone)?;
    let cleaned = usecases::retention::run(&store, &SystemClock, config.retention, || true)
        .context("cannot erase what is too old; the next run goes on")?;
    let text = report(&cleaned);
    match cleaned.is_complete {
        true => Ok(text),
        false => bail!("{text}servers used a month that was to be dropped: run it again"),
    }
}

fn report(cleaned: &Cleaned) -> String {
    let mut text = format!("views in dropped months: {}\n", cleaned.dropped_views);
    for (source, rows) in &cleaned.rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {rows}", source.as_str());
    }
    let _ = writeln!(text, "forgotten numbers: {}", cleaned.forgotten_numbers);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use privacy::retention::Source;

    #[test]
    fn a_report_has_each_count() {
        let cleaned = Cleaned {
            dropped_views: 7,
            rows: vec![(Source::Views, 3), (Source::SignUps, 0)],
            forgotten_numbers: 2,
            is_complete: true,
        };
        assert_eq!(
            report(&cleaned),
            "views in dropped months: 7\nviews: 3\nsignUps: 0\nforgotten numbers: 2\n"
        );
    }
}
