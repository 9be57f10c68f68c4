//! The state that the sender's tasks share.

use super::SendingTools;
use crate::credentials::{self, Account};
use crate::deliver_messages::{self as steps, DeliverError, LEASE, ReadyMessage};
use crate::{Runner, Store};
use chrono::{DateTime, Utc};
use kernel::StoreError;
use sms::{Credentials, Fence, MessageId, MessageQuery, Outcome, Pace, UncertainMessage};
use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// The last part of the lease, in which no message is handed to the provider, because clocks differ and calls take time.
const MARGIN: Duration = Duration::from_secs(1);
/// How long after a refusal the same credentials are tried again, saved ones as well as those of the environment.
/// When staff save credentials, they are tried at once.
const RETRY_REFUSED_AFTER: Duration = Duration::from_secs(300);

/// Something to be recorded in the store.
pub(super) enum PendingWrite {
    /// The outcome of an attempt.
    Outcome(Outcome),
    /// A message that was claimed by this attempt and not handed to the provider.
    Release(MessageId, u32),
}

/// The lease, and until when messages may be handed to the provider under it.
#[derive(Clone, Copy)]
struct Lease {
    fence: Fence,
    until: Instant,
}

/// The state that the sender's tasks share, all on one thread.
pub(super) struct SenderState<S, R> {
    store: S,
    runner: R,
    pub(super) tools: SendingTools,
    stopping: watch::Receiver<bool>,
    owner: RefCell<String>,
    lease: Cell<Option<Lease>>,
    credentials: RefCell<Option<Rc<Credentials>>>,
    is_unreadable: Cell<bool>,
    halted_since: Cell<Option<Instant>>,
    pace: RefCell<Pace>,
    started: Instant,
}

impl<S: Store, R: Runner> SenderState<S, R> {
    pub(super) fn new(store: S, runner: R, tools: SendingTools, stopping: watch::Receiver<bool>) -> Self {
        let state = Self {
            store,
            runner,
            pace: RefCell::new(Pace::new(tools.max_per_second)),
            tools,
            stopping,
            owner: RefCell::default(),
            lease: Cell::new(None),
            credentials: RefCell::default(),
            is_unreadable: Cell::default(),
            halted_since: Cell::new(None),
            started: Instant::now(),
        };
        state.rotate_owner();
        state
    }

    /// Whether the server is stopping. A closed channel counts as a stop.
    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow() || self.stopping.has_changed().is_err()
    }

    /// Waits until the server stops.
    pub(super) async fn stopped(&self) {
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }

    /// Waits this long, or until the server stops.
    pub(super) async fn pause_for(&self, wait: Duration) {
        tokio::select! {
            () = self.stopped() => {}
            () = sleep(wait) => {}
        }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.tools.clock.now()
    }

    pub(super) fn random(&self) -> u8 {
        let mut byte = [0];
        self.tools.entropy.fill(&mut byte);
        let [byte] = byte;
        byte
    }

    /// The fence and the credentials, while messages may be handed to the provider.
    pub(super) fn active_lease(&self) -> Option<(Fence, Rc<Credentials>)> {
        let lease = self.lease.get()?;
        let is_halted = self.halted_since.get().is_some();
        if is_halted || self.is_stopping() || Instant::now() >= lease.until {
            return None;
        }
        Some((lease.fence, self.credentials.borrow().clone()?))
    }

    /// When the next message may be handed to the provider.
    pub(super) fn next_slot(&self) -> Instant {
        self.started + self.pace.borrow_mut().next_slot(self.started.elapsed())
    }

    /// Hands no message to the provider for this long.
    pub(super) fn pause_sending(&self, wait: Duration) {
        let until = self.started.elapsed() + wait;
        self.pace.borrow_mut().pause_until(until);
    }

    /// Gives up the lease by changing the owner's name. The next lease has a higher fence, so everything that was
    /// claimed under this one is looked up.
    fn rotate_owner(&self) {
        let mut bytes = [0; 16];
        self.tools.entropy.fill(&mut bytes);
        let mut name = String::new();
        for byte in bytes {
            let _ = write!(name, "{byte:02x}");
        }
        *self.owner.borrow_mut() = name;
        self.lease.set(None);
    }

    async fn run<T: Send + 'static>(
        &self,
        step: impl FnOnce(&S, &SendingTools) -> T + Send + 'static,
    ) -> Option<T> {
        let (store, tools) = (self.store.clone(), self.tools.clone());
        let result = self.runner.run(move || step(&store, &tools)).await;
        result
            .inspect_err(|error| tracing::error!(%error, "a step of sending messages has no result"))
            .ok()
    }

    /// Reads the credentials and whether sending is halted, and acquires or renews the lease. Without credentials it
    /// leaves the lease alone: another server may have some.
    pub(super) async fn refresh(&self) {
        let owner = self.owner.borrow().clone();
        let asked_at = Instant::now();
        let asked_owner = owner.clone();
        let read = move |store: &S, tools: &SendingTools| {
            let counted = steps::texts_today(store, &*tools.clock)?;
            metrics::gauge!("sms_daily_budget_used").set(f64::from(counted));
            let account = credentials::current(store, &*tools.sealer, tools.environment.as_ref())?;
            let is_unreadable = account == Account::Unreadable;
            let Some(credentials) = account.credentials() else {
                return Ok((None, is_unreadable, None, false));
            };
            let fence = steps::acquire_lease(store, &*tools.clock, &owner)?;
            Ok::<_, StoreError>((Some(credentials), is_unreadable, fence, steps::is_halted(store)?))
        };
        match self.run(read).await {
            // The owner has been rotated meanwhile: this is not its lease.
            Some(Ok(_)) if *self.owner.borrow() != asked_owner => {}
            Some(Ok((credentials, is_unreadable, fence, is_halted))) => {
                self.note_unreadable(is_unreadable);
                *self.credentials.borrow_mut() = credentials.map(Rc::new);
                self.set_lease(fence, asked_at);
                self.apply_halt(is_halted);
            }
            Some(Err(error)) => tracing::warn!(%error, "cannot renew the lease of sending messages"),
            None => {}
        }
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

    /// Halts sending because the provider refused these credentials under this fence. A refusal of credentials that have
    /// been replaced since halts nothing.
    pub(super) async fn halt(&self, fence: Fence, refused: &Credentials) {
        let is_current = self.credentials.borrow().as_deref() == Some(refused);
        if !is_current || self.halted_since.get().is_some() {
            return;
        }
        self.halted_since.set(Some(Instant::now()));
        let refused = refused.clone();
        let record = move |store: &S, tools: &SendingTools| {
            let environment = tools.environment.as_ref();
            steps::halt_for_credentials(store, &*tools.sealer, environment, fence, &refused)
        };
        match self.run(record).await {
            Some(Ok(true)) => {
                tracing::error!(
                    "the provider refused the credentials; they are tried again in 5 minutes, or when staff save others"
                );
            }
            Some(Ok(false)) => self.halted_since.set(None),
            Some(Err(error)) => tracing::warn!(%error, "cannot record that the credentials were refused"),
            None => {}
        }
    }

    pub(super) async fn start_and_finish_campaigns(&self, fence: Fence) {
        let asked_at = Instant::now();
        let step = move |store: &S, tools: &SendingTools| {
            steps::start_and_finish_campaigns(store, &*tools.clock, fence)
        };
        let (started, finished) = match self.run(step).await {
            Some(Ok(campaigns)) => campaigns,
            Some(Err(error)) => return self.log_error(&error),
            None => return,
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

    pub(super) async fn claim_uncertain(
        &self,
        fence: Fence,
        limit: u32,
    ) -> Vec<(UncertainMessage, MessageQuery)> {
        let claim = move |store: &S, tools: &SendingTools| {
            steps::claim_uncertain(store, &*tools.clock, &*tools.body_sealer, fence, limit)
        };
        match self.run(claim).await {
            Some(Ok(messages)) => messages,
            Some(Err(error)) => {
                self.log_error(&error);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Claims the next messages. After an error it is not known which ones were claimed, so the owner is rotated.
    pub(super) async fn claim_next_messages(
        &self,
        fence: Fence,
        limit: u32,
    ) -> Result<Vec<ReadyMessage>, ()> {
        let claim = move |store: &S, tools: &SendingTools| {
            let sealer = &*tools.body_sealer;
            steps::claim_next_messages(store, &*tools.clock, &tools.rules, sealer, fence, limit)
        };
        match self.run(claim).await {
            Some(Ok(messages)) => return Ok(messages),
            Some(Err(error)) => self.log_error(&error),
            None => {}
        }
        self.rotate_owner();
        Err(())
    }

    fn log_error(&self, error: &DeliverError) {
        if matches!(error, DeliverError::Fenced(_)) {
            self.lease.set(None);
        }
        tracing::warn!(%error, "cannot send messages now");
    }

    /// Records outcomes and releases claims. Returns whether the store accepted all of them.
    pub(super) async fn record(&self, writes: &[PendingWrite]) -> bool {
        let mut outcomes = Vec::with_capacity(writes.len());
        let mut released = Vec::new();
        for write in writes {
            match write {
                PendingWrite::Outcome(outcome) => outcomes.push(outcome.clone()),
                PendingWrite::Release(message, attempt) => released.push((*message, *attempt)),
            }
        }
        let record = move |store: &S, tools: &SendingTools| {
            steps::record_outcomes(store, &*tools.clock, &outcomes)?;
            steps::release_claims(store, &released)
        };
        let recorded = self.run(record).await;
        if let Some(Err(error)) = &recorded {
            tracing::warn!(%error, "cannot record the outcomes of messages; trying again");
        }
        matches!(recorded, Some(Ok(())))
    }

    pub(super) async fn release_lease(&self) {
        let Some(lease) = self.lease.take() else { return };
        let release =
            move |store: &S, tools: &SendingTools| steps::release_lease(store, &*tools.clock, lease.fence);
        if let Some(Err(error)) = self.run(release).await {
            tracing::warn!(%error, "cannot release the lease of sending messages; it expires");
        }
    }
}
