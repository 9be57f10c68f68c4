//! Logging, as text or as JSON. `RUST_LOG` sets the level; the default is `info`.

use crate::config::LogFormat;
use std::io::{IsTerminal, stdout};
use tracing_subscriber::EnvFilter;

/// Starts logging to standard output.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false);
    match format {
        LogFormat::Text => lines.with_ansi(stdout().is_terminal()).init(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).init(),
    }
}
