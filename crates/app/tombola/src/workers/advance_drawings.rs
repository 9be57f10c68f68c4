//! A background thread that takes the steps of drawings when they are due: it announces, seals, asks the beacon and draws.

use crate::SystemClock;
use crate::worker::{Priority, Worker};
use actix_web::web::Data;
use anyhow::Context;
use drawing::DrawingId;
use drawing::beacon::{Asked, BeaconSignature, HostAnswer};
use kernel::Clock;
use std::collections::HashMap;
use std::time::Duration;
use store_postgres::PgStore;
use tokio::time::{Instant, sleep};
use usecases::drawings::{Advanced, Bringer, BroughtRound, DueRound};
use web::AppState;

/// How often it looks for drawings that are due.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long it waits after asking for a round in vain, doubled each time.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The beacon is asked at least this often.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Starts the thread. Every server has one; each step of a drawing is taken by one of them.
///
/// # Errors
/// When the announced drawings cannot be read, or the system cannot start a thread.
pub(crate) fn start(store: PgStore, state: Data<AppState>) -> anyhow::Result<Worker> {
    report_unreadable_secrets(&store, &state)?;
    if state.drawings.beacon.is_none() {
        tracing::info!("DRAWING_BEACON: off, so the operator could know the winners of new drawings");
    }
    let mut work = Work {
        store,
        state,
        waits: HashMap::new(),
    };
    Worker::start("advance-drawings", Priority::Idle, move |stopped| {
        stopped.cuts_off(async move {
            loop {
                work.take_due_steps().await;
                sleep(INTERVAL).await;
            }
        })
    })
}

/// Says which announced drawings cannot be sealed.
fn report_unreadable_secrets(store: &PgStore, state: &AppState) -> anyhow::Result<()> {
    let unreadable = usecases::drawings::unreadable_secrets(store, state.drawing_tools())
        .context("cannot read the announced drawings")?;
    for (drawing, landing_page) in unreadable {
        tracing::error!(
            %landing_page, %drawing,
            "SECRET_KEY: the seed of an announced drawing was sealed with another key; add that key to SECRET_KEY_PREVIOUS (or to DRAWING_SEED_KEY if it was set there)"
        );
    }
    Ok(())
}

struct Work {
    store: PgStore,
    state: Data<AppState>,
    /// When the beacon is asked again about a drawing.
    waits: HashMap<DrawingId, Wait>,
}

/// The wait after a round was asked for in vain.
struct Wait {
    until: Instant,
    length: Duration,
}

impl Work {
    /// Steps that use the store block this thread, which does nothing else.
    async fn take_due_steps(&mut self) {
        if let Err(error) = usecases::drawings::checkpoint(&self.store) {
            tracing::warn!(%error, "cannot write a checkpoint of the drawings");
        }
        let due = self.advance();
        self.waits
            .retain(|drawing, _| due.iter().any(|due| due.drawing == *drawing));
        record_waiting(&due);
        for due in due {
            if self
                .waits
                .get(&due.drawing)
                .is_none_or(|wait| wait.until <= Instant::now())
            {
                self.ask_and_draw(due).await;
            }
        }
    }

    fn advance(&self) -> Vec<DueRound> {
        match usecases::drawings::advance(&self.store, self.state.drawing_tools()) {
            Ok(Advanced { due, failures }) => {
                for (drawing, error) in failures {
                    tracing::error!(%drawing, %error, "cannot seal a drawing");
                }
                due
            }
            Err(error) => {
                tracing::warn!(%error, "cannot look for drawings that are due");
                Vec::new()
            }
        }
    }

    async fn ask_and_draw(&mut self, due: DueRound) {
        let signature = self.ask(&due).await;
        match signature.map(|signature| self.draw(&due, signature)) {
            Some(true) => drop(self.waits.remove(&due.drawing)),
            _ => self.wait(due.drawing),
        }
    }

    async fn ask(&self, due: &DueRound) -> Option<BeaconSignature> {
        let Some(beacon) = self.state.drawings.beacon_of(due.chain) else {
            tracing::warn!(
                drawing = %due.drawing, chain = %due.chain,
                "DRAWING_BEACON: a drawing waits for a chain that is not configured; set it, or enter the beacon in the console"
            );
            return None;
        };
        match beacon.ask(due.round).await {
            Asked::Published(signature) => Some(signature),
            Asked::Missing(answers) => {
                let is_early = |answer: &HostAnswer| answer.answer == HostAnswer::NOT_PUBLISHED;
                if !answers.iter().any(is_early) {
                    metrics::counter!("drawing_beacon_failures_total").increment(1);
                    tracing::warn!(drawing = %due.drawing, ?answers, "the beacon cannot be asked");
                }
                None
            }
        }
    }

    fn draw(&self, due: &DueRound, signature: BeaconSignature) -> bool {
        let tools = self.state.drawing_tools();
        let verifier = &*self.state.drawings.verifier;
        let brought = BroughtRound {
            round: due.round,
            signature,
        };
        match usecases::drawings::draw(
            &self.store,
            tools,
            verifier,
            due.drawing,
            brought,
            Bringer::Server,
        ) {
            Ok(state) => {
                let raffle = self.state.raffles.label(state.plan.raffle);
                metrics::counter!("drawings_total", "raffle" => raffle).increment(1);
                true
            }
            Err(error) => {
                tracing::error!(drawing = %due.drawing, %error, "cannot draw a sealed drawing");
                false
            }
        }
    }

    fn wait(&mut self, drawing: DrawingId) {
        let before = self.waits.get(&drawing).map(|wait| wait.length);
        let length = before.map_or(FIRST_WAIT, |length| (length * 2).min(LONGEST_WAIT));
        let until = Instant::now() + length;
        self.waits.insert(drawing, Wait { until, length });
    }
}

/// How long the drawing that has waited longest has waited for its round.
fn record_waiting(due: &[DueRound]) {
    let since = due.iter().map(|due| due.since).min();
    let seconds = since.map_or(0, |since| (SystemClock.now() - since).num_seconds().max(0));
    #[expect(clippy::cast_precision_loss, reason = "a metric is a floating-point number")]
    metrics::gauge!("drawing_waiting_seconds").set(seconds as f64);
}
