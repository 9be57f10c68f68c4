//! A background thread that sends texts.

use crate::OsEntropy;
use crate::config::Config;
use crate::worker::{Priority, TokioRunner, Worker};
use anyhow::Context;
use sms_twilio::TwilioSms;
use std::sync::Arc;
use store_postgres::PgStore;
use tokio::sync::watch;
use usecases::send_messages::{SendingTools, run};
use web::AppState;

/// Starts the thread. Each server has one; one of them sends at a time, and the others stand by. It ends when `stopping` is
/// true and what has begun to be sent is recorded.
pub(crate) fn start(
    config: &Config,
    store: PgStore,
    state: &AppState,
    stopping: watch::Receiver<bool>,
) -> anyhow::Result<Worker> {
    let tools = tools(config, state)?;
    Worker::start("send-texts", Priority::Normal, move |_| {
        run(store, TokioRunner, tools, stopping)
    })
}

fn tools(config: &Config, state: &AppState) -> anyhow::Result<SendingTools> {
    let api_base = config.twilio_api_base.parse().context("TWILIO_API_BASE")?;
    Ok(SendingTools {
        clock: state.clock.clone(),
        sender: Arc::new(TwilioSms::new(api_base, sms_twilio::Timeouts::default())?),
        sealer: state.sms.sealer.clone(),
        body_sealer: Arc::new(config.keys.sealer::<sms::SealedText, _>(OsEntropy)),
        entropy: state.entropy.clone(),
        environment: config.twilio.clone(),
        rules: state.sms.rules.clone(),
        max_per_second: config.sms.max_per_second,
    })
}
