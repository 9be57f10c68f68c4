//! Sends messages while the server runs. It keeps the lease, claims messages, hands them to the provider at
//! the pace, and records what became of them.
//!
//! Several servers run this, and the one with the lease sends. Each loop is a task of its own: `lease_loop`
//! renews the lease and waits for no other loop, `campaign_loop` starts and finishes campaigns, `look_up_loop` asks
//! the provider about messages that may have been sent, `claim_loop` claims messages, `send_loop` hands them to the
//! provider, and `record_loop` records. A loop hands its work to the next one only when that has room, so that no more
//! is claimed than is soon sent.

mod sender_state;

use crate::campaigns::SmsRules;
use crate::deliver_messages::{ReadyMessage, report_of_lookup, report_of_send};
use crate::{Runner, Store};
use chrono::{DateTime, Utc};
use kernel::{Clock, Entropy, Sealer};
use sender_state::{PendingWrite, SenderState};
use sms::{
    Credentials, DeliveryReport, Fence, MessageQuery, Outcome, SealedText, SendError, SmsSender,
    UncertainMessage,
};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::{Semaphore, watch};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// The largest number of messages that the provider is handed at the same time.
const IN_FLIGHT: usize = 100;
/// How often the lease is renewed, campaigns are started and uncertain messages are looked up.
const RENEW_EVERY: Duration = Duration::from_secs(1);
/// The pause when there is nothing to do, or another server sends.
const IDLE_PAUSE: Duration = Duration::from_millis(500);
/// The pause before a store that failed is used again.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// The largest number of messages in a claim, which is never more than what is sent in half a second.
const BATCH: u32 = 500;
/// The largest number of messages in a batch of look-ups.
const LOOK_UP_BATCH: u32 = 100;
/// The largest number of look-ups at the same time.
const LOOK_UPS_IN_FLIGHT: usize = 10;
/// The largest number of outcomes that are recorded in one transaction.
const RECORD_BATCH: usize = 500;
/// The pause when the provider is too busy and does not say how long to wait.
const BUSY_PAUSE: Duration = Duration::from_secs(1);
/// After this long, what was claimed is checked again before it is sent: the recipient's hours may have ended since.
const FRESH: Duration = Duration::from_secs(30);
/// How long a stop waits for messages in flight. The next sender looks up those that are in flight even then.
const FINISH_WITHIN: Duration = Duration::from_millis(8_500);

/// Everything that sending needs besides the store.
#[derive(Clone)]
pub struct SendingTools {
    /// The provider.
    pub sender: Arc<dyn SmsSender>,
    /// The clock of the server.
    pub clock: Arc<dyn Clock>,
    /// Decrypts the saved credentials.
    pub sealer: Arc<dyn Sealer<Credentials>>,
    /// Decrypts the bodies of secret messages.
    pub body_sealer: Arc<dyn Sealer<SealedText>>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// The credentials that the server was started with.
    pub environment: Option<Credentials>,
    /// The rules for all messages: origin, time zone, hours and monthly cap.
    pub rules: Arc<SmsRules>,
    /// The pace, in messages per second.
    pub max_per_second: u32,
}

/// Sends messages until `stopping` becomes true. Then it waits a limited time for messages in flight, releases the
/// claims of the rest, and releases the lease. It must run in a Tokio runtime; its tasks stay on the calling thread.
pub async fn run<S: Store, R: Runner + 'static>(
    store: S,
    runner: R,
    tools: SendingTools,
    stopping: watch::Receiver<bool>,
) {
    let state = Rc::new(SenderState::new(store, runner, tools, stopping));
    LocalSet::new().run_until(run_loops(state)).await;
}

async fn run_loops<S: Store, R: Runner + 'static>(state: Rc<SenderState<S, R>>) {
    let (batches, next_batches) = channel(1);
    let (writes, next_writes) = unbounded_channel();
    let leasing = spawn_local(lease_loop(state.clone()));
    let starting = spawn_local(campaign_loop(state.clone()));
    let looking_up = spawn_local(look_up_loop(state.clone(), writes.clone()));
    let claiming = spawn_local(claim_loop(state.clone(), batches));
    let sending = spawn_local(send_loop(state.clone(), next_batches, writes));
    let recording = spawn_local(record_loop(state.clone(), next_writes));
    state.stopped().await;
    // Each loop ends after the one that hands it work.
    let finish = async {
        for task in [leasing, starting, claiming, sending, looking_up, recording] {
            let _ = task.await;
        }
        state.release_lease().await;
    };
    if timeout(FINISH_WITHIN, finish).await.is_err() {
        tracing::warn!("messages are still in flight; the next sender asks the provider about them");
    }
}

/// Renews the lease. It waits for no other loop: the lease must not end while a large campaign starts.
async fn lease_loop<S: Store, R: Runner>(state: Rc<SenderState<S, R>>) {
    while !state.is_stopping() {
        state.refresh().await;
        state.pause_for(RENEW_EVERY).await;
    }
}

/// Starts the campaigns that are due, and finishes those that have nothing left to send.
async fn campaign_loop<S: Store, R: Runner>(state: Rc<SenderState<S, R>>) {
    while !state.is_stopping() {
        let pause = match state.active_lease() {
            None => IDLE_PAUSE,
            Some((fence, _)) => {
                state.start_and_finish_campaigns(fence).await;
                RENEW_EVERY
            }
        };
        state.pause_for(pause).await;
    }
}

/// Asks the provider about messages that may have been sent.
async fn look_up_loop<S: Store, R: Runner + 'static>(
    state: Rc<SenderState<S, R>>,
    writes: UnboundedSender<PendingWrite>,
) {
    let look_ups = Rc::new(Semaphore::new(LOOK_UPS_IN_FLIGHT));
    while !state.is_stopping() {
        // The next ones are taken after the provider has answered about all of these.
        let is_idle = look_ups.available_permits() == LOOK_UPS_IN_FLIGHT;
        if let Some((fence, credentials)) = state.active_lease().filter(|_| is_idle) {
            for (message, query) in state.claim_uncertain(fence, LOOK_UP_BATCH).await {
                let (state, writes) = (state.clone(), writes.clone());
                let (look_ups, credentials) = (look_ups.clone(), credentials.clone());
                spawn_local(async move {
                    let permit = look_ups.acquire().await;
                    if permit.is_ok() && !state.is_stopping() {
                        look_up(&state, &credentials, &message, &query, &writes).await;
                    }
                });
            }
        }
        state.pause_for(RENEW_EVERY).await;
    }
}

async fn look_up<S: Store, R: Runner>(
    state: &SenderState<S, R>,
    credentials: &Credentials,
    message: &UncertainMessage,
    query: &MessageQuery,
    writes: &UnboundedSender<PendingWrite>,
) {
    let found = state.tools.sender.find_message(credentials, query).await;
    if let Err(error) = &found {
        tracing::warn!(message = %message.id, %error, "cannot ask whether a message was sent");
    }
    let Some(report) = report_of_lookup(found, message.attempt, state.now(), state.random()) else {
        return;
    };
    let is_found = matches!(report, DeliveryReport::AtProvider(_));
    tracing::info!(message = %message.id, is_found, "looked up a message that may have been sent");
    let _ = writes.send(PendingWrite::Outcome(Outcome {
        message: message.id,
        attempt: message.attempt,
        report,
    }));
}

/// Messages that were claimed together, and the fence of that claim. Under a later fence they must not be sent: they may
/// have been looked up, not found, and claimed again.
struct Batch {
    fence: Fence,
    claimed_at: Instant,
    messages: Vec<ReadyMessage>,
}

impl Batch {
    /// Whether a message waited for its turn so long that its recipient's hours ended meanwhile.
    fn is_after_hours(&self, message: &ReadyMessage, rules: &SmsRules, now: DateTime<Utc>) -> bool {
        let Some(hours) = &rules.hours else {
            return false;
        };
        self.claimed_at.elapsed() > FRESH
            && message.kind.keeps_hours()
            && hours.wait(&message.outgoing.to, now).is_some()
    }
}

/// Claims the next messages while this server has the lease.
async fn claim_loop<S: Store, R: Runner>(state: Rc<SenderState<S, R>>, batches: Sender<Batch>) {
    let limit = (state.tools.max_per_second / 2).clamp(1, BATCH);
    while !state.is_stopping() {
        // Claimed messages are sent at once, so there must be room for them first.
        let Ok(room) = batches.reserve().await else { return };
        let pause = match state.active_lease() {
            None => IDLE_PAUSE,
            Some((fence, _)) => match state.claim_next_messages(fence, limit).await {
                Ok(messages) if messages.is_empty() => IDLE_PAUSE,
                Ok(messages) => {
                    room.send(Batch {
                        fence,
                        claimed_at: Instant::now(),
                        messages,
                    });
                    continue;
                }
                Err(()) => STORE_PAUSE,
            },
        };
        state.pause_for(pause).await;
    }
}

/// Hands messages to the provider at the pace, and releases those that must not be sent any more.
async fn send_loop<S: Store, R: Runner + 'static>(
    state: Rc<SenderState<S, R>>,
    mut batches: Receiver<Batch>,
    writes: UnboundedSender<PendingWrite>,
) {
    let in_flight = Arc::new(Semaphore::new(IN_FLIGHT));
    while let Some(mut batch) = batches.recv().await {
        let fence = batch.fence;
        for message in std::mem::take(&mut batch.messages) {
            let Ok(permit) = in_flight.clone().acquire_owned().await else {
                return;
            };
            wait_for_slot(&state).await;
            let is_after_hours = batch.is_after_hours(&message, &state.tools.rules, state.now());
            let active_lease = state
                .active_lease()
                .filter(|(current, _)| *current == fence && !is_after_hours);
            let Some((_, credentials)) = active_lease else {
                let _ = writes.send(PendingWrite::Release(message.id, message.attempt));
                continue;
            };
            let (state, writes) = (state.clone(), writes.clone());
            spawn_local(async move {
                let write = send(&state, fence, &credentials, message).await;
                let _ = writes.send(write);
                drop(permit);
            });
        }
    }
    // Wait for the answers about all messages in flight.
    let _ = in_flight.acquire_many(IN_FLIGHT as u32).await;
}

async fn wait_for_slot<S: Store, R: Runner>(state: &SenderState<S, R>) {
    let slot = state.next_slot();
    if slot <= Instant::now() {
        return;
    }
    tokio::select! {
        () = state.stopped() => {}
        () = sleep_until(slot) => {}
    }
}

async fn send<S: Store, R: Runner>(
    state: &SenderState<S, R>,
    fence: Fence,
    credentials: &Credentials,
    message: ReadyMessage,
) -> PendingWrite {
    let (id, attempt) = (message.id, message.attempt);
    let result = state
        .tools
        .sender
        .send_message(credentials, &message.outgoing)
        .await;
    metrics::counter!("texts_handed_over_total", "outcome" => label(&result)).increment(1);
    match &result {
        Ok(_) | Err(SendError::OptedOut | SendError::Refused(_)) => {}
        Err(SendError::NotSent { retry_after, .. }) => {
            state.pause_sending(retry_after.unwrap_or(BUSY_PAUSE));
        }
        Err(error @ SendError::MaybeSent(_)) => {
            tracing::warn!(message = %id, %error, "a message may have been sent");
        }
        Err(SendError::Credentials) => state.halt(fence, credentials).await,
    }
    match report_of_send(result, attempt, state.now(), state.random()) {
        None => PendingWrite::Release(id, attempt),
        Some(report) => PendingWrite::Outcome(Outcome {
            message: id,
            attempt,
            report,
        }),
    }
}

fn label<T>(result: &Result<T, SendError>) -> &'static str {
    match result {
        Ok(_) => "accepted",
        Err(SendError::NotSent { .. }) => "not_sent",
        Err(SendError::MaybeSent(_)) => "maybe_sent",
        Err(SendError::OptedOut) => "opted_out",
        Err(SendError::Refused(_)) => "refused",
        Err(SendError::Credentials) => "credentials",
    }
}

/// Records outcomes and releases claims, as many as have arrived at once. It repeats what the store did not accept.
async fn record_loop<S: Store, R: Runner>(
    state: Rc<SenderState<S, R>>,
    mut writes: UnboundedReceiver<PendingWrite>,
) {
    let mut batch = Vec::with_capacity(RECORD_BATCH);
    while writes.recv_many(&mut batch, RECORD_BATCH).await > 0 {
        let taken = std::mem::take(&mut batch);
        while !state.record(&taken).await {
            sleep(STORE_PAUSE).await;
        }
    }
}
