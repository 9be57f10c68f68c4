//! Sends messages while the server runs, so that none is lost or sent twice.
//!
//! A message is claimed in the store, handed to the provider at the pace, and what became of it is recorded. A server
//! that stops in between leaves a message that may have been sent: the next sender asks the provider about it first.
//!
//! Several servers run this, and the one with the lease sends. Each loop is a task of its own: `lease_loop` renews the
//! lease and waits for no other loop, `campaign_loop` starts and finishes campaigns, `claim_loop` claims messages,
//! `send_loop` hands them to the provider, `look_up_loop` asks the provider about messages that may have been sent, and
//! `record_loop` records. A loop hands its work to the next one only when that has room, so that no more is claimed than
//! is soon sent. [`steps`] is what they do in the store.

pub mod steps;

use crate::campaigns::SmsRules;
use crate::credentials::{self, Account};
use crate::{Runner, Store};
use kernel::{Clock, Entropy, Sealer};
use sms::{
    Credentials, DeliveryReport, Fence, MessageId, MessageQuery, Outcome, Pace, SealedText, SendError,
    SmsSender, UncertainMessage,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use steps::{LEASE, ReadyMessage, StepError};
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
/// The last part of the lease, in which no message is handed to the provider, because clocks differ and calls take time.
const MARGIN: Duration = Duration::from_secs(1);
/// How long after a refusal the same credentials are tried again, saved ones as well as those of the environment.
/// When staff save credentials, they are tried at once.
const RETRY_REFUSED_AFTER: Duration = Duration::from_secs(300);
/// What is logged when a step of the loops fails, whichever it is.
const CANNOT_SEND: &str = "cannot send messages now";

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
    let dispatcher = Rc::new(Dispatcher::new(store, runner, tools, stopping));
    LocalSet::new().run_until(dispatcher.run_loops()).await;
}

/// What the loops share, all on one thread.
struct Dispatcher<S, R> {
    store: S,
    runner: R,
    tools: SendingTools,
    stopping: watch::Receiver<bool>,
    owner: RefCell<String>,
    lease: Cell<Option<Lease>>,
    credentials: RefCell<Option<Rc<Credentials>>>,
    is_unreadable: Cell<bool>,
    halted_since: Cell<Option<Instant>>,
    pace: RefCell<Pace>,
    started: Instant,
}

/// The lease, and until when messages may be handed to the provider under it.
#[derive(Clone, Copy)]
struct Lease {
    fence: Fence,
    until: Instant,
}

/// Messages that were claimed together, and the fence of that claim. Under a later fence they must not be sent: they may
/// have been looked up, not found, and claimed again.
struct Batch {
    fence: Fence,
    /// Of the account in use when they were claimed: a message that is claimed after another account was saved goes with that
    /// one. `None` if there was none any more.
    credentials: Option<Rc<Credentials>>,
    claimed_at: Instant,
    messages: Vec<ReadyMessage>,
}

/// Something to be recorded in the store.
enum PendingWrite {
    /// The outcome of an attempt.
    Outcome(Outcome),
    /// A message that was claimed by this attempt and not handed to the provider.
    Release(MessageId, u32),
}

impl<S: Store, R: Runner + 'static> Dispatcher<S, R> {
    async fn run_loops(self: Rc<Self>) {
        let (batches, next_batches) = channel(1);
        let (writes, next_writes) = unbounded_channel();
        let leasing = spawn_local(self.clone().lease_loop());
        let starting = spawn_local(self.clone().campaign_loop());
        let claiming = spawn_local(self.clone().claim_loop(batches));
        let sending = spawn_local(self.clone().send_loop(next_batches, writes.clone()));
        let looking_up = spawn_local(self.clone().look_up_loop(writes));
        let recording = spawn_local(self.clone().record_loop(next_writes));
        self.stopped().await;
        // Each loop ends after the one that hands it work.
        let finish = async {
            for task in [leasing, starting, claiming, sending, looking_up, recording] {
                let _ = task.await;
            }
            if let Some(lease) = self.lease.take() {
                let failed = "cannot release the lease of sending messages; it expires";
                let released = self.run_step(failed, move |store, tools| {
                    Ok(steps::release_lease(store, &*tools.clock, lease.fence)?)
                });
                let _ = released.await;
            }
        };
        if timeout(FINISH_WITHIN, finish).await.is_err() {
            tracing::warn!("messages are still in flight; the next sender asks the provider about them");
        }
    }

    /// Renews the lease. It waits for no other loop: the lease must not end while a large campaign starts.
    async fn lease_loop(self: Rc<Self>) {
        while !self.is_stopping() {
            self.renew_lease().await;
            self.pause_for(RENEW_EVERY).await;
        }
    }

    /// Reads the credentials and whether sending is halted, and acquires or renews the lease. Without credentials it
    /// leaves the lease alone: another server may have some.
    async fn renew_lease(&self) {
        let owner = self.owner.borrow().clone();
        let (asked_owner, asked_at) = (owner.clone(), Instant::now());
        let failed = "cannot renew the lease of sending messages";
        let renewed = self.run_step(failed, move |store, tools| {
            let counted = steps::texts_today(store, &*tools.clock)?;
            metrics::gauge!("sms_daily_budget_used").set(f64::from(counted));
            let account = credentials::current(store, &*tools.sealer, tools.environment.as_ref())?;
            if !matches!(account, Account::InUse(..)) {
                return Ok((account, None, false));
            }
            let fence = steps::acquire_lease(store, &*tools.clock, &asked_owner)?;
            Ok((account, fence, steps::is_halted(store)?))
        });
        let Some((account, fence, is_halted)) = renewed.await else {
            return;
        };
        if *self.owner.borrow() != owner {
            return; // The owner has been rotated meanwhile: this is not its lease.
        }
        self.note_unreadable(account == Account::Unreadable);
        *self.credentials.borrow_mut() = account.credentials().map(Rc::new);
        self.set_lease(fence, asked_at);
        self.apply_halt(is_halted);
    }

    /// Tells once that the saved account cannot be opened.
    fn note_unreadable(&self, is_unreadable: bool) {
        metrics::gauge!("sms_account_unreadable").set(f64::from(u8::from(is_unreadable)));
        if is_unreadable && !self.is_unreadable.get() {
            tracing::error!(
                "the saved Twilio account cannot be opened, so no texts are sent; save it again in the console, or add the key that sealed it to SECRET_KEY_PREVIOUS (or to SMS_CREDENTIALS_KEY if it was set there)"
            );
        }
        self.is_unreadable.set(is_unreadable);
    }

    fn set_lease(&self, fence: Option<Fence>, asked_at: Instant) {
        let until = asked_at + LEASE.to_std().unwrap_or_default() - MARGIN;
        let earlier = self.lease.replace(fence.map(|fence| Lease { fence, until }));
        if earlier.map(|lease| lease.fence) != fence {
            tracing::info!(
                sends = fence.is_some(),
                "the lease of sending messages has changed"
            );
        }
    }

    /// Halts or resumes sending. A halt ends when staff save credentials. After [`RETRY_REFUSED_AFTER`] the credentials in
    /// use are tried again, wherever they come from.
    fn apply_halt(&self, is_halted: bool) {
        match self.halted_since.get() {
            _ if !is_halted => self.halted_since.set(None),
            None => self.halted_since.set(Some(Instant::now())),
            // A new lease has no halt, so the credentials are tried again.
            Some(since) if since.elapsed() > RETRY_REFUSED_AFTER => {
                self.halted_since.set(None);
                self.rotate_owner();
            }
            Some(_) => {}
        }
    }

    /// Starts the campaigns that are due, and finishes those that have nothing left to send.
    async fn campaign_loop(self: Rc<Self>) {
        while !self.is_stopping() {
            let Some((fence, _)) = self.active_lease() else {
                self.pause_for(IDLE_PAUSE).await;
                continue;
            };
            self.advance_campaigns(fence).await;
            self.pause_for(RENEW_EVERY).await;
        }
    }

    async fn advance_campaigns(&self, fence: Fence) {
        let asked_at = Instant::now();
        let advanced = self.run_step(CANNOT_SEND, move |store, tools| {
            steps::start_and_finish_campaigns(store, &*tools.clock, fence)
        });
        let Some((started, finished)) = advanced.await else {
            return;
        };
        if !started.is_empty() {
            metrics::histogram!("campaign_begin_duration_seconds").record(asked_at.elapsed().as_secs_f64());
        }
        for campaign in started {
            tracing::info!(%campaign, "a campaign has started");
        }
        for campaign in finished {
            tracing::info!(%campaign, "a campaign has finished");
        }
    }

    /// Claims the next messages while this server has the lease.
    async fn claim_loop(self: Rc<Self>, batches: Sender<Batch>) {
        let limit = (self.tools.max_per_second / 2).clamp(1, BATCH);
        while !self.is_stopping() {
            // Claimed messages are sent at once, so there must be room for them first.
            let Ok(room) = batches.reserve().await else { return };
            let Some((fence, _)) = self.active_lease() else {
                self.pause_for(IDLE_PAUSE).await;
                continue;
            };
            let claimed = self.run_step(CANNOT_SEND, move |store, tools| {
                let sealer = &*tools.body_sealer;
                let messages =
                    steps::claim_next_messages(store, &*tools.clock, &tools.rules, sealer, fence, limit)?;
                let account = match messages.is_empty() {
                    true => None,
                    false => {
                        credentials::current(store, &*tools.sealer, tools.environment.as_ref())?.credentials()
                    }
                };
                Ok((messages, account))
            });
            match claimed.await {
                Some((messages, _)) if messages.is_empty() => self.pause_for(IDLE_PAUSE).await,
                Some((messages, account)) => {
                    let credentials = account.map(Rc::new);
                    self.credentials.borrow_mut().clone_from(&credentials);
                    room.send(Batch {
                        fence,
                        credentials,
                        claimed_at: Instant::now(),
                        messages,
                    });
                }
                None => {
                    // It is not known which messages were claimed. Under the next lease they are looked up.
                    self.rotate_owner();
                    self.pause_for(STORE_PAUSE).await;
                }
            }
        }
    }

    /// Hands messages to the provider at the pace, and releases those that must not be sent any more.
    async fn send_loop(self: Rc<Self>, mut batches: Receiver<Batch>, writes: UnboundedSender<PendingWrite>) {
        let in_flight = Arc::new(Semaphore::new(IN_FLIGHT));
        while let Some(batch) = batches.recv().await {
            let fence = batch.fence;
            for message in batch.messages {
                let Ok(permit) = in_flight.clone().acquire_owned().await else {
                    return;
                };
                self.wait_for_slot().await;
                let is_after_hours = self.is_after_hours(&message, batch.claimed_at);
                let is_current = self.active_lease().is_some_and(|(current, _)| current == fence);
                let may_send = is_current && !is_after_hours;
                let Some(credentials) = batch.credentials.clone().filter(|_| may_send) else {
                    let _ = writes.send(PendingWrite::Release(message.id, message.attempt));
                    continue;
                };
                let (dispatcher, writes) = (self.clone(), writes.clone());
                spawn_local(async move {
                    let write = dispatcher.send(fence, &credentials, message).await;
                    let _ = writes.send(write);
                    drop(permit);
                });
            }
        }
        // Wait for the answers about all messages in flight.
        let _ = in_flight.acquire_many(IN_FLIGHT as u32).await;
    }

    async fn wait_for_slot(&self) {
        let slot = self.started + self.pace.borrow_mut().next_slot(self.started.elapsed());
        if slot <= Instant::now() {
            return;
        }
        tokio::select! {
            () = self.stopped() => {}
            () = sleep_until(slot) => {}
        }
    }

    /// Whether a message waited for its turn so long that its recipient's hours ended meanwhile.
    fn is_after_hours(&self, message: &ReadyMessage, claimed_at: Instant) -> bool {
        let Some(hours) = &self.tools.rules.hours else {
            return false;
        };
        claimed_at.elapsed() > FRESH
            && message.kind.keeps_hours()
            && hours.wait(&message.outgoing.to, self.tools.clock.now()).is_some()
    }

    async fn send(&self, fence: Fence, credentials: &Credentials, message: ReadyMessage) -> PendingWrite {
        let (id, attempt) = (message.id, message.attempt);
        let result = self
            .tools
            .sender
            .send_message(credentials, &message.outgoing)
            .await;
        metrics::counter!("texts_handed_over_total", "outcome" => label(&result)).increment(1);
        match &result {
            Ok(_) | Err(SendError::OptedOut | SendError::Refused(_)) => {}
            Err(SendError::NotSent { retry_after, .. }) => {
                let until = self.started.elapsed() + retry_after.unwrap_or(BUSY_PAUSE);
                self.pace.borrow_mut().pause_until(until);
            }
            Err(error @ SendError::MaybeSent(_)) => {
                tracing::warn!(message = %id, %error, "a message may have been sent");
            }
            Err(SendError::Credentials) => self.halt(fence, credentials).await,
        }
        match DeliveryReport::of_send(result, attempt, self.tools.clock.now(), self.random()) {
            None => PendingWrite::Release(id, attempt),
            Some(report) => PendingWrite::Outcome(Outcome {
                message: id,
                attempt,
                report,
            }),
        }
    }

    /// Halts sending because the provider refused these credentials under this fence. A refusal of credentials that have
    /// been replaced since halts nothing.
    async fn halt(&self, fence: Fence, refused: &Credentials) {
        let is_current = self.credentials.borrow().as_deref() == Some(refused);
        if !is_current || self.halted_since.get().is_some() {
            return;
        }
        self.halted_since.set(Some(Instant::now()));
        let refused = refused.clone();
        let failed = "cannot record that the credentials were refused";
        let halted = self.run_step(failed, move |store, tools| {
            let (sealer, environment) = (&*tools.sealer, tools.environment.as_ref());
            Ok(steps::halt_for_credentials(
                store,
                sealer,
                environment,
                fence,
                &refused,
            )?)
        });
        match halted.await {
            Some(true) => {
                tracing::error!(
                    "the provider refused the credentials; they are tried again in 5 minutes, or when staff save others"
                );
            }
            Some(false) => self.halted_since.set(None),
            None => {}
        }
    }

    /// Asks the provider about messages that may have been sent.
    async fn look_up_loop(self: Rc<Self>, writes: UnboundedSender<PendingWrite>) {
        let look_ups = Rc::new(Semaphore::new(LOOK_UPS_IN_FLIGHT));
        while !self.is_stopping() {
            // The next ones are taken after the provider has answered about all of these.
            let is_idle = look_ups.available_permits() == LOOK_UPS_IN_FLIGHT;
            if let Some((fence, credentials)) = self.active_lease().filter(|_| is_idle) {
                let uncertain = self.run_step(CANNOT_SEND, move |store, tools| {
                    let sealer = &*tools.body_sealer;
                    steps::claim_uncertain(store, &*tools.clock, sealer, fence, LOOK_UP_BATCH)
                });
                for (message, query) in uncertain.await.unwrap_or_default() {
                    let (dispatcher, writes) = (self.clone(), writes.clone());
                    let (look_ups, credentials) = (look_ups.clone(), credentials.clone());
                    spawn_local(async move {
                        let permit = look_ups.acquire().await;
                        if permit.is_ok() && !dispatcher.is_stopping() {
                            dispatcher.look_up(&credentials, &message, &query, &writes).await;
                        }
                    });
                }
            }
            self.pause_for(RENEW_EVERY).await;
        }
    }

    async fn look_up(
        &self,
        credentials: &Credentials,
        message: &UncertainMessage,
        query: &MessageQuery,
        writes: &UnboundedSender<PendingWrite>,
    ) {
        let found = self.tools.sender.find_message(credentials, query).await;
        if let Err(error) = &found {
            tracing::warn!(message = %message.id, %error, "cannot ask whether a message was sent");
        }
        let now = self.tools.clock.now();
        let Some(report) = DeliveryReport::of_look_up(found, message.attempt, now, self.random()) else {
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

    /// Records outcomes and releases claims, as many as have arrived at once. It repeats what the store did not accept.
    async fn record_loop(self: Rc<Self>, mut writes: UnboundedReceiver<PendingWrite>) {
        let mut batch = Vec::with_capacity(RECORD_BATCH);
        while writes.recv_many(&mut batch, RECORD_BATCH).await > 0 {
            let taken = std::mem::take(&mut batch);
            while !self.record(&taken).await {
                sleep(STORE_PAUSE).await;
            }
        }
    }

    /// Returns whether the store accepted all of them.
    async fn record(&self, writes: &[PendingWrite]) -> bool {
        let mut outcomes = Vec::with_capacity(writes.len());
        let mut released = Vec::new();
        for write in writes {
            match write {
                PendingWrite::Outcome(outcome) => outcomes.push(outcome.clone()),
                PendingWrite::Release(message, attempt) => released.push((*message, *attempt)),
            }
        }
        let failed = "cannot record the outcomes of messages; trying again";
        let recorded = self.run_step(failed, move |store, tools| {
            steps::record_outcomes(store, &*tools.clock, &outcomes)?;
            Ok(steps::release_claims(store, &released)?)
        });
        recorded.await.is_some()
    }
}

/// What several loops need.
impl<S: Store, R: Runner> Dispatcher<S, R> {
    fn new(store: S, runner: R, tools: SendingTools, stopping: watch::Receiver<bool>) -> Self {
        Self {
            store,
            runner,
            owner: RefCell::new(tools.entropy.hex::<16>()),
            pace: RefCell::new(Pace::new(tools.max_per_second)),
            tools,
            stopping,
            lease: Cell::new(None),
            credentials: RefCell::default(),
            is_unreadable: Cell::default(),
            halted_since: Cell::new(None),
            started: Instant::now(),
        }
    }

    /// Whether the server is stopping. A closed channel counts as a stop.
    fn is_stopping(&self) -> bool {
        *self.stopping.borrow() || self.stopping.has_changed().is_err()
    }

    /// Waits until the server stops.
    async fn stopped(&self) {
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }

    /// Waits this long, or until the server stops.
    async fn pause_for(&self, wait: Duration) {
        tokio::select! {
            () = self.stopped() => {}
            () = sleep(wait) => {}
        }
    }

    fn random(&self) -> u8 {
        u8::from_be_bytes(self.tools.entropy.bytes())
    }

    /// The fence and the credentials, while messages may be handed to the provider.
    fn active_lease(&self) -> Option<(Fence, Rc<Credentials>)> {
        let lease = self.lease.get()?;
        let is_halted = self.halted_since.get().is_some();
        if is_halted || self.is_stopping() || Instant::now() >= lease.until {
            return None;
        }
        Some((lease.fence, self.credentials.borrow().clone()?))
    }

    /// Gives up the lease by changing the owner's name. The next lease has a higher fence, so everything that was
    /// claimed under this one is looked up.
    fn rotate_owner(&self) {
        *self.owner.borrow_mut() = self.tools.entropy.hex::<16>();
        self.lease.set(None);
    }

    /// Runs a step on a thread that may block. `None` when it failed or has no result, which is logged. A step that finds
    /// another server's lease gives up this one.
    async fn run_step<T: Send + 'static>(
        &self,
        failed: &str,
        step: impl FnOnce(&S, &SendingTools) -> Result<T, StepError> + Send + 'static,
    ) -> Option<T> {
        let (store, tools) = (self.store.clone(), self.tools.clone());
        match self.runner.run(move || step(&store, &tools)).await {
            Ok(Ok(done)) => return Some(done),
            Ok(Err(error)) => {
                if matches!(error, StepError::Fenced(_)) {
                    self.lease.set(None);
                }
                tracing::warn!(%error, "{failed}");
            }
            Err(error) => tracing::error!(%error, "a step of sending messages has no result"),
        }
        None
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
