//! Sends texts while the server runs: keeps the lease, claims, paces, hands to the provider, notes what came of it.
//!
//! Four tasks on one thread: [`lead`] keeps the lease and looks up what is in doubt, [`feed`] claims, [`send`] hands to the
//! provider at the pace, [`record`] notes. Each waits for the next one, so that no more is claimed than is soon sent.

mod shift;

use anyhow::Context;
use kernel::{Entropy, Sealer};
use shift::{Note, SenderState};
use sms::{
    Credentials, DeliveryReport, Fence, MessageQuery, Outcome, SendError, SmsSender, UncertainMessage,
};
use std::rc::Rc;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::{Semaphore, watch};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use usecases::Store;
use usecases::campaigns::SmsRules;
use usecases::deliver_messages::ReadyMessage;

/// Texts handed to the provider at once.
const IN_FLIGHT: usize = 100;
/// How often the lease is renewed, and campaigns and doubtful texts are looked at.
const RENEW_EVERY: Duration = Duration::from_secs(1);
/// How long it waits when there is nothing to send.
const IDLE: Duration = Duration::from_millis(500);
/// How long it waits before it asks a store again that was away.
const AWAY: Duration = Duration::from_secs(1);
/// At most so many texts are claimed at once, and at most what is sent in half a second.
const BATCH: u32 = 500;
/// Texts looked up at once.
const LOOKED_UP: u32 = 100;
const LOOK_UPS_IN_FLIGHT: usize = 10;
/// Outcomes noted at once.
const NOTED: usize = 500;
/// How long the provider is left alone that says it is too busy, and not for how long.
const TOO_BUSY: Duration = Duration::from_secs(1);
/// How long a stop waits for texts under way; what is still under way then is looked up by the next one to send.
const FINISH_WITHIN: Duration = Duration::from_millis(8_500);

/// What sending needs besides the store.
#[derive(Clone)]
pub(crate) struct DispatchTools {
    pub(crate) sender: Arc<dyn SmsSender>,
    pub(crate) sealer: Arc<dyn Sealer>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// The account that the server was started with.
    pub(crate) environment: Option<Credentials>,
    pub(crate) rules: Arc<SmsRules>,
    pub(crate) max_per_second: u32,
}

/// A thread that sends. Several servers may have one each; one sends at a time, and the others stand by.
pub(crate) struct Dispatcher {
    thread: JoinHandle<()>,
}

impl Dispatcher {
    /// Sends until `stopping` says true.
    pub(crate) fn start<S: Store>(
        store: S,
        tools: DispatchTools,
        stopping: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(4)
            .build()?;
        let thread = thread::Builder::new()
            .name("dispatcher".to_owned())
            .spawn(move || LocalSet::new().block_on(&runtime, run(store, tools, stopping)))
            .context("cannot start a thread")?;
        Ok(Self { thread })
    }

    /// Waits until texts under way have been handed over, and those that are not have been given back.
    pub(crate) fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the dispatcher panicked");
        }
    }
}

async fn run<S: Store>(store: S, tools: DispatchTools, stopping: watch::Receiver<bool>) {
    let shift = Rc::new(SenderState::new(store, tools, stopping));
    let (batches, next_batches) = channel(1);
    let (notes, next_notes) = unbounded_channel();
    let leading = spawn_local(lead(shift.clone(), notes.clone()));
    let feeding = spawn_local(feed(shift.clone(), batches));
    let sending = spawn_local(send(shift.clone(), next_batches, notes));
    let recording = spawn_local(record(shift.clone(), next_notes));
    shift.stopped().await;
    // Each ends by itself when the one before it has; all texts are sent, given back or in doubt then.
    let finish = async {
        let _ = feeding.await;
        let _ = sending.await;
        let _ = leading.await;
        let _ = recording.await;
        shift.release_lease().await;
    };
    if timeout(FINISH_WITHIN, finish).await.is_err() {
        tracing::warn!("texts were still under way; whoever sends next asks the provider about them");
    }
}

/// Keeps the lease, begins and ends campaigns, and looks up texts that are in doubt.
async fn lead<S: Store>(shift: Rc<SenderState<S>>, notes: UnboundedSender<Note>) {
    let look_ups = Rc::new(Semaphore::new(LOOK_UPS_IN_FLIGHT));
    while !shift.is_stopping() {
        shift.refresh().await;
        if let Some((fence, credentials)) = shift.active_lease() {
            shift.start_and_finish_campaigns(fence).await;
            // As many as were taken are asked about before more are taken.
            if look_ups.available_permits() == LOOK_UPS_IN_FLIGHT {
                for (text, query) in shift.claim_uncertain(fence, LOOKED_UP).await {
                    let ask = look_up(
                        shift.clone(),
                        notes.clone(),
                        look_ups.clone(),
                        credentials.clone(),
                        text,
                        query,
                    );
                    spawn_local(ask);
                }
            }
        }
        tokio::select! {
            () = shift.stopped() => {}
            () = sleep(RENEW_EVERY) => {}
        }
    }
}

async fn look_up<S: Store>(
    shift: Rc<SenderState<S>>,
    notes: UnboundedSender<Note>,
    look_ups: Rc<Semaphore>,
    credentials: Rc<Credentials>,
    text: UncertainMessage,
    query: MessageQuery,
) {
    let Ok(_permit) = look_ups.acquire().await else {
        return;
    };
    if shift.is_stopping() {
        return; // it stays in doubt, and is looked up by the next one
    }
    let found = shift.tools.sender.find_message(&credentials, &query).await;
    if let Err(error) = &found {
        tracing::warn!(text = %text.id, %error, "cannot ask whether a text was sent");
    }
    let told = usecases::deliver_messages::report_of_lookup(found, text.attempt, shift.now(), shift.random());
    if let Some(what) = told {
        let is_there = matches!(what, DeliveryReport::Has(_));
        tracing::info!(text = %text.id, is_there, "looked up a text that may have been sent");
        let _ = notes.send(Note::Outcome(Outcome {
            text: text.id,
            attempt: text.attempt,
            what,
        }));
    }
}

/// Texts that were claimed together, and under which fence: under another one they are not to be sent, because they
/// may be looked up, not found and claimed again meanwhile.
struct Batch {
    fence: Fence,
    texts: Vec<ReadyMessage>,
}

/// Claims what is to be sent next, while this one is to send.
async fn feed<S: Store>(shift: Rc<SenderState<S>>, batches: Sender<Batch>) {
    let limit = (shift.tools.max_per_second / 2).clamp(1, BATCH);
    while !shift.is_stopping() {
        // Room first: what is claimed is to be sent at once.
        let Ok(room) = batches.reserve().await else { return };
        let pause = match shift.active_lease() {
            None => IDLE,
            Some((fence, _)) => match shift.claim_next_messages(fence, limit).await {
                Ok(texts) if texts.is_empty() => IDLE,
                Ok(texts) => {
                    room.send(Batch { fence, texts });
                    continue;
                }
                Err(()) => AWAY,
            },
        };
        tokio::select! {
            () = shift.stopped() => {}
            () = sleep(pause) => {}
        }
    }
}

/// Hands texts to the provider, at the pace.
async fn send<S: Store>(
    shift: Rc<SenderState<S>>,
    mut batches: Receiver<Batch>,
    notes: UnboundedSender<Note>,
) {
    let in_flight = Arc::new(Semaphore::new(IN_FLIGHT));
    while let Some(Batch { fence, texts }) = batches.recv().await {
        for text in texts {
            let Ok(permit) = in_flight.clone().acquire_owned().await else {
                return;
            };
            let slot = shift.next_slot();
            if slot > Instant::now() {
                tokio::select! {
                    () = shift.stopped() => {}
                    () = sleep_until(slot) => {}
                }
            }
            let active_lease = shift.active_lease().filter(|(current, _)| *current == fence);
            let Some((_, credentials)) = active_lease else {
                let _ = notes.send(Note::Release(text.id, text.attempt));
                continue;
            };
            let (shift, notes) = (shift.clone(), notes.clone());
            spawn_local(async move {
                send_one(&shift, &credentials, text, &notes).await;
                drop(permit);
            });
        }
    }
    // Until the last one has its answer.
    let _ = in_flight.acquire_many(IN_FLIGHT as u32).await;
}

async fn send_one<S: Store>(
    shift: &SenderState<S>,
    credentials: &Credentials,
    text: ReadyMessage,
    notes: &UnboundedSender<Note>,
) {
    let result = shift.tools.sender.send_message(credentials, &text.outgoing).await;
    let label = label(&result);
    metrics::counter!("texts_handed_over_total", "outcome" => label).increment(1);
    match &result {
        Ok(_) | Err(SendError::OptedOut | SendError::Refused(_)) => {}
        Err(SendError::NotSent { retry_after, .. }) => shift.pause(retry_after.unwrap_or(TOO_BUSY)),
        Err(error @ SendError::MaybeSent(_)) => tracing::warn!(text = %text.id, %error, "a text is in doubt"),
        Err(SendError::Credentials) => shift.halt().await,
    }
    let note =
        match usecases::deliver_messages::report_of_send(result, text.attempt, shift.now(), shift.random()) {
            Some(what) => Note::Outcome(Outcome {
                text: text.id,
                attempt: text.attempt,
                what,
            }),
            None => Note::Release(text.id, text.attempt),
        };
    let _ = notes.send(note);
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

/// Notes what came of attempts, as many at once as have come in. What cannot be noted now is noted later.
async fn record<S: Store>(shift: Rc<SenderState<S>>, mut notes: UnboundedReceiver<Note>) {
    let mut batch = Vec::with_capacity(NOTED);
    while notes.recv_many(&mut batch, NOTED).await > 0 {
        let taken = std::mem::take(&mut batch);
        while !shift.note(&taken).await {
            sleep(AWAY).await;
        }
    }
}
