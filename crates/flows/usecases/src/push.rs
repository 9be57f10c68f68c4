//! Messages that browsers show when a raffle is drawn.
//!
//! Start reading at [`run`], which sends them while the server runs.

use crate::{RunError, Runner};
use ::push::{
    Attempt, Deliveries, Endpoint, NewSubscription, Next, PushMessage, PushOutcome, PushService,
    Subscriptions, Waiting, next_step, result_message, topic_of,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{DatabaseClock, EntrantId, StoreError, UnitOfWork};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The most messages that are sent at the same time.
const BATCH: u32 = 100;
/// How long nobody else gets a claimed message. It is longer than an attempt may take.
const CLAIMED_FOR: TimeDelta = TimeDelta::seconds(60);
/// The pause when there is nothing to send, and after the store failed.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a stop waits for attempts that have begun. Those that are cut off are made again, in the same place of the browser.
const FINISH_WITHIN: Duration = Duration::from_secs(5);

/// Why a subscription was not stored.
#[derive(Debug, thiserror::Error)]
pub enum SubscribeError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why messages could not be sent now.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A step on the store has no result.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Stores that a browser wants to be told when it is drawn.
///
/// # Errors
/// [`SubscribeError`].
pub fn subscribe<S>(store: &S, new: &NewSubscription) -> Result<(), SubscribeError>
where
    S: UnitOfWork<Tx: Subscriptions>,
{
    match store.transaction::<_, StoreError>(|tx| tx.subscribe(new))? {
        true => Ok(()),
        false => Err(SubscribeError::UnknownEntrant),
    }
}

/// Forgets a browser of an entrant. Returns whether it was known.
///
/// # Errors
/// When the store fails.
pub fn unsubscribe<S>(store: &S, entrant: EntrantId, endpoint: &Endpoint) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Subscriptions>,
{
    store.transaction(|tx| tx.unsubscribe(entrant, endpoint))
}

/// Sends messages until `stopping` becomes true. Several servers may run it at once: each message is claimed by one.
pub async fn run<S, R>(
    store: S,
    runner: R,
    service: Arc<dyn PushService>,
    mut stopping: watch::Receiver<bool>,
) where
    S: UnitOfWork<Tx: Deliveries + DatabaseClock> + Clone + Send + 'static,
    R: Runner,
{
    while !*stopping.borrow() {
        let sent = send_batch(&store, &runner, &service, &mut stopping).await;
        if let Err(error) = &sent {
            tracing::warn!(%error, "cannot send push messages");
        }
        if sent.is_ok_and(|sent| sent == BATCH as usize) {
            continue;
        }
        let _ = timeout(PAUSE, stopping.wait_for(|stopping| *stopping)).await;
    }
}

/// Queues the messages of drawings that nobody was told of, and sends a batch of those that are due. Returns how many.
async fn send_batch<S, R>(
    store: &S,
    runner: &R,
    service: &Arc<dyn PushService>,
    stopping: &mut watch::Receiver<bool>,
) -> Result<usize, SendError>
where
    S: UnitOfWork<Tx: Deliveries + DatabaseClock> + Clone + Send + 'static,
    R: Runner,
{
    let claiming = store.clone();
    let (claimed, now) = runner.run(move || claim(&claiming)).await??;
    let count = claimed.len();
    let outcomes = push_all(claimed, now, service, stopping).await;
    let recording = store.clone();
    runner.run(move || record(&recording, &outcomes)).await??;
    Ok(count)
}

/// The messages that are due, and the time.
fn claim<S>(store: &S) -> Result<(Vec<Waiting>, DateTime<Utc>), StoreError>
where
    S: UnitOfWork<Tx: Deliveries + DatabaseClock>,
{
    let queued = store.transaction::<_, StoreError>(|tx| {
        let now = tx.database_time()?;
        tx.queue_result(now)
    })?;
    if let Some(drawing) = queued {
        tracing::info!(%drawing, "queued the push messages of a drawing");
    }
    store.transaction(|tx| {
        let now = tx.database_time()?;
        let claimed = tx.claim_deliveries(now, now + CLAIMED_FOR, BATCH)?;
        Ok((claimed, now))
    })
}

/// A claimed message, and what became of it.
struct Tried {
    waiting: Waiting,
    /// `None`: it was too old to be sent.
    outcome: Option<PushOutcome>,
}

impl Tried {
    fn attempt(&self, now: DateTime<Utc>) -> Attempt {
        Attempt {
            id: self.waiting.id,
            subscription: self.waiting.subscription,
            next: self
                .outcome
                .map_or(Next::Done, |outcome| next_step(&self.waiting, outcome, now)),
        }
    }
}

/// Attempts every message, all at the same time. When the server stops, those that take too long have no outcome.
async fn push_all(
    claimed: Vec<Waiting>,
    now: DateTime<Utc>,
    service: &Arc<dyn PushService>,
    stopping: &mut watch::Receiver<bool>,
) -> Vec<Tried> {
    let mut attempts = JoinSet::new();
    for waiting in claimed {
        let service = service.clone();
        attempts.spawn(async move {
            let outcome = match waiting.life_at(now) {
                Some(life) => Some(push_one(&*service, &waiting, life).await),
                None => None,
            };
            Tried { waiting, outcome }
        });
    }
    let stop = async {
        let _ = stopping.wait_for(|stopping| *stopping).await;
        sleep(FINISH_WITHIN).await;
    };
    tokio::pin!(stop);
    let mut outcomes = Vec::new();
    loop {
        tokio::select! {
            ended = attempts.join_next() => match ended {
                None => return outcomes,
                Some(Ok(tried)) => outcomes.push(tried),
                Some(Err(_)) => tracing::error!("an attempt to send a push message panicked"),
            },
            () = &mut stop => return outcomes,
        }
    }
}

async fn push_one(service: &dyn PushService, waiting: &Waiting, life: Duration) -> PushOutcome {
    let message = PushMessage {
        endpoint: waiting.endpoint.clone(),
        keys: waiting.keys.clone(),
        payload: result_message(waiting.drawing, &waiting.prize).into_bytes(),
        topic: topic_of(waiting.drawing),
        ttl: life,
    };
    let outcome = service.push(&message).await;
    metrics::counter!("push_messages_total", "outcome" => outcome.as_str()).increment(1);
    if let PushOutcome::Refused(status) = outcome {
        tracing::warn!(
            status,
            service = waiting.endpoint.origin(),
            "a push service refused a message"
        );
    }
    outcome
}

fn record<S>(store: &S, tried: &[Tried]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Deliveries + DatabaseClock>,
{
    let waiting = store.transaction::<_, StoreError>(|tx| {
        if !tried.is_empty() {
            let now = tx.database_time()?;
            let attempts: Vec<_> = tried.iter().map(|tried| tried.attempt(now)).collect();
            tx.record_attempts(&attempts)?;
        }
        tx.count_deliveries()
    })?;
    #[expect(clippy::cast_precision_loss, reason = "a metric is a floating-point number")]
    metrics::gauge!("push_messages_waiting").set(waiting as f64);
    Ok(())
}
