//! What the tasks of the dispatcher share.

use super::{DispatchTools, Store};
use crate::SystemClock;
use chrono::{DateTime, Utc};
use kernel::Clock;
use sms::{Credentials, Fence, MessageId, MessageQuery, Outcome, Pace, UncertainMessage};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use usecases::deliver_messages::{DeliverError, LEASE, ReadyMessage};

/// No text is handed over in the last part of the lease: whoever takes it next counts on that.
const MARGIN: Duration = Duration::from_secs(1);
/// How often refused credentials of the environment are tried again; those that staff save are at once.
const HALTED_FOR: Duration = Duration::from_secs(300);

/// Something to be noted in the store.
pub(super) enum Note {
    /// What an attempt came to.
    Outcome(Outcome),
    /// A text that was claimed and not handed over, by its number and attempt.
    Release(MessageId, u32),
}

/// The lease, and until when texts may be handed over with it.
#[derive(Clone, Copy)]
struct Held {
    fence: Fence,
    until: Instant,
}

/// What the tasks share, all on one thread.
pub(super) struct SenderState<S> {
    store: S,
    pub(super) tools: DispatchTools,
    stopping: watch::Receiver<bool>,
    owner: RefCell<String>,
    held: Cell<Option<Held>>,
    credentials: RefCell<Option<Rc<Credentials>>>,
    halted_since: Cell<Option<Instant>>,
    pace: RefCell<Pace>,
    began: Instant,
}

impl<S: Store> SenderState<S> {
    pub(super) fn new(store: S, tools: DispatchTools, stopping: watch::Receiver<bool>) -> Self {
        let shift = Self {
            store,
            pace: RefCell::new(Pace::new(tools.max_per_second)),
            tools,
            stopping,
            owner: RefCell::default(),
            held: Cell::new(None),
            credentials: RefCell::default(),
            halted_since: Cell::new(None),
            began: Instant::now(),
        };
        shift.rotate_owner();
        shift
    }

    pub(super) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Ends when all is to stop.
    pub(super) async fn stopped(&self) {
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        SystemClock.now()
    }

    pub(super) fn random(&self) -> u8 {
        let mut byte = [0];
        self.tools.entropy.fill(&mut byte);
        let [byte] = byte;
        byte
    }

    /// The fence and the account, while texts may be handed over.
    pub(super) fn active_lease(&self) -> Option<(Fence, Rc<Credentials>)> {
        let held = self.held.get()?;
        let may = Instant::now() < held.until && self.halted_since.get().is_none() && !self.is_stopping();
        may.then_some(())?;
        Some((held.fence, self.credentials.borrow().clone()?))
    }

    /// When the next text may be handed over.
    pub(super) fn next_slot(&self) -> Instant {
        self.began + self.pace.borrow_mut().next_slot(self.began.elapsed())
    }

    /// Leaves the provider alone for so long.
    pub(super) fn pause(&self, wait: Duration) {
        let then = self.began.elapsed() + wait;
        self.pace.borrow_mut().pause_until(then);
    }

    /// Under a new name the lease is taken anew, and with it everything that was claimed under the old one.
    fn rotate_owner(&self) {
        let mut name = [0; 16];
        self.tools.entropy.fill(&mut name);
        *self.owner.borrow_mut() = hex::encode(name);
        self.held.set(None);
    }

    /// Runs a step of the store where waiting is allowed.
    async fn ask<T: Send + 'static>(&self, step: impl FnOnce(&S) -> T + Send + 'static) -> Option<T> {
        let store = self.store.clone();
        match spawn_blocking(move || step(&store)).await {
            Ok(answer) => Some(answer),
            Err(error) => {
                tracing::error!(%error, "a step of sending texts panicked");
                None
            }
        }
    }

    /// Reads the account and whether sending has stopped, and takes or renews the lease. Without an account another
    /// server may have one, so the lease is left alone.
    pub(super) async fn refresh(&self) {
        let (tools, owner) = (self.tools.clone(), self.owner.borrow().clone());
        let asked_at = Instant::now();
        let read = move |store: &S| {
            let sealer = &*tools.sealer;
            let account = usecases::credentials::current(store, sealer, tools.environment.as_ref())?;
            let Some((credentials, _)) = account else {
                return Ok((None, None, false));
            };
            let fence = usecases::deliver_messages::acquire_lease(store, &SystemClock, &owner)?;
            Ok::<_, kernel::StoreError>((
                Some(credentials),
                fence,
                usecases::deliver_messages::is_halted(store)?,
            ))
        };
        match self.ask(read).await {
            Some(Ok((credentials, fence, halted))) => {
                *self.credentials.borrow_mut() = credentials.map(Rc::new);
                self.hold(fence, asked_at);
                self.apply_halt(halted);
            }
            Some(Err(error)) => tracing::warn!(%error, "cannot renew the lease of sending texts"),
            None => {}
        }
    }

    fn hold(&self, fence: Option<Fence>, asked_at: Instant) {
        let until = asked_at + LEASE.to_std().unwrap_or_default() - MARGIN;
        let before = self.held.replace(fence.map(|fence| Held { fence, until }));
        let (before, now) = (before.map(|held| held.fence), fence);
        if before != now {
            tracing::info!(
                sends = now.is_some(),
                "the lease of sending texts has changed hands"
            );
        }
    }

    fn apply_halt(&self, halted: bool) {
        let since = self.halted_since.get();
        match (halted, since) {
            (true, None) => self.halted_since.set(Some(Instant::now())),
            // Taken anew, the lease is without a halt: the account is tried once more.
            (true, Some(since)) if since.elapsed() > HALTED_FOR => {
                self.halted_since.set(None);
                self.rotate_owner();
            }
            (true, Some(_)) => {}
            (false, _) => self.halted_since.set(None),
        }
    }

    /// Stops sending: the provider refused the account.
    pub(super) async fn halt(&self) {
        if self.halted_since.replace(Some(Instant::now())).is_some() {
            return;
        }
        tracing::error!(
            "the texts' provider refused the credentials; no text is sent until others are saved"
        );
        if let Some(Err(error)) = self
            .ask(|store| usecases::deliver_messages::halt_for_credentials(store))
            .await
        {
            tracing::warn!(%error, "cannot note that the credentials were refused");
        }
    }

    pub(super) async fn start_and_finish_campaigns(&self, fence: Fence) {
        let began = Instant::now();
        let turn = move |store: &S| {
            usecases::deliver_messages::start_and_finish_campaigns(store, &SystemClock, fence)
        };
        match self.ask(turn).await {
            Some(Ok((begun, ended))) => {
                if !begun.is_empty() {
                    metrics::histogram!("campaign_begin_duration_seconds")
                        .record(began.elapsed().as_secs_f64());
                }
                for campaign in begun {
                    tracing::info!(%campaign, "a campaign has begun");
                }
                for campaign in ended {
                    tracing::info!(%campaign, "a campaign has ended");
                }
            }
            Some(Err(error)) => self.log_error(&error),
            None => {}
        }
    }

    pub(super) async fn claim_uncertain(
        &self,
        fence: Fence,
        limit: u32,
    ) -> Vec<(UncertainMessage, MessageQuery)> {
        let take =
            move |store: &S| usecases::deliver_messages::claim_uncertain(store, &SystemClock, fence, limit);
        match self.ask(take).await {
            Some(Ok(texts)) => texts,
            Some(Err(error)) => {
                self.log_error(&error);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Claims what is to be sent next. After trouble nobody knows what was claimed, so the lease is taken anew.
    pub(super) async fn claim_next_messages(
        &self,
        fence: Fence,
        limit: u32,
    ) -> Result<Vec<ReadyMessage>, ()> {
        let rules = self.tools.rules.clone();
        let claim = move |store: &S| {
            usecases::deliver_messages::claim_next_messages(store, &SystemClock, &rules, fence, limit)
        };
        match self.ask(claim).await {
            Some(Ok(texts)) => Ok(texts),
            Some(Err(error)) => {
                self.log_error(&error);
                self.rotate_owner();
                Err(())
            }
            None => {
                self.rotate_owner();
                Err(())
            }
        }
    }

    fn log_error(&self, error: &DeliverError) {
        match error {
            DeliverError::Fenced(_) => self.held.set(None),
            DeliverError::Store(_) => {}
        }
        tracing::warn!(%error, "cannot go on sending texts now");
    }

    /// Notes all of these; whether that worked.
    pub(super) async fn note(&self, notes: &[Note]) -> bool {
        let mut outcomes = Vec::with_capacity(notes.len());
        let mut given_back = Vec::new();
        for note in notes {
            match note {
                Note::Outcome(outcome) => outcomes.push(outcome.clone()),
                Note::Release(text, attempt) => given_back.push((*text, *attempt)),
            }
        }
        let write = move |store: &S| {
            usecases::deliver_messages::record_outcomes(store, &SystemClock, &outcomes)?;
            usecases::deliver_messages::release_claims(store, &given_back)
        };
        match self.ask(write).await {
            Some(Ok(())) => true,
            Some(Err(error)) => {
                tracing::warn!(%error, "cannot note what became of texts; trying again");
                false
            }
            None => false,
        }
    }

    pub(super) async fn release_lease(&self) {
        let Some(held) = self.held.take() else { return };
        let give =
            move |store: &S| usecases::deliver_messages::release_lease(store, &SystemClock, held.fence);
        if let Some(Err(error)) = self.ask(give).await {
            tracing::warn!(%error, "cannot give the lease of sending texts back; it ends by itself");
        }
    }
}
