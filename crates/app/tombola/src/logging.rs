//! Logging, as text or as JSON. `RUST_LOG` sets the level; the default is `info`. With the cargo feature `otlp`, the same
//! spans and lines also go to a collector of traces.

use crate::config::{Config, LogFormat};
use std::io::{IsTerminal, stdout};
use tracing::Subscriber;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Keeps what was started, until it is dropped.
pub struct Logging {
    #[cfg(feature = "otlp")]
    _traces: Option<crate::traces::Exporting>,
}

/// Starts logging to standard output, and sending traces if the configuration says where to.
///
/// # Errors
/// When traces are configured and cannot be sent: the program was built without them, or the exporter cannot be made.
#[cfg(feature = "otlp")]
pub fn start(config: &Config) -> anyhow::Result<Logging> {
    let traces = config.otlp_endpoint.as_deref().map(crate::traces::start);
    let (layer, exporting) = traces.transpose()?.unzip();
    tracing_subscriber::registry()
        .with(filter())
        .with(layer)
        .with(lines(config.log_format))
        .init();
    Ok(Logging { _traces: exporting })
}

/// Starts logging to standard output.
///
/// # Errors
/// When traces are configured, because this program was built without them.
#[cfg(not(feature = "otlp"))]
pub fn start(config: &Config) -> anyhow::Result<Logging> {
    anyhow::ensure!(
        config.otlp_endpoint.is_none(),
        "OTLP_ENDPOINT: this program was built without traces; build it with `--features otlp`"
    );
    tracing_subscriber::registry()
        .with(filter())
        .with(lines(config.log_format))
        .init();
    Ok(Logging {})
}

fn filter() -> EnvFilter {
    EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"))
}

fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let lines = tracing_subscriber::fmt::layer().with_target(false);
    match format {
        LogFormat::Text => lines.with_ansi(stdout().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).boxed(),
    }
}
