//! What the provider of texts and their readers tell us: callbacks, keywords and clicks (D22, D23).

use analytics::{Collection, NewStep, Session, StepName};
use chrono::{DateTime, Utc};
use kernel::{Clock, Origin, Phone, StoreError, UnitOfWork};
use sms::{
    Clicks, Keyword, Message, MessageId, MessageKind, NewClick, NewMessage, OptOuts, Outbox, ProviderMessage,
    TrackedMessage, TrackingId,
};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// A text that somebody sent us.
#[derive(Debug, Clone)]
pub struct InboundMessage {
    /// The provider's name for it, by which it is known when it comes again.
    pub provider_id: String,
    /// From whom.
    pub from: Phone,
    /// What it says.
    pub body: String,
}

/// Takes a text that somebody sent us, once, however often the provider tells of it: STOP, START and HELP. What it was.
///
/// # Errors
/// Only the store's own.
pub fn record_inbound_message<S>(
    store: &S,
    clock: &dyn Clock,
    text: &InboundMessage,
) -> Result<Option<Keyword>, StoreError>
where
    S: UnitOfWork<Tx: OptOuts>,
{
    let at = clock.now();
    let keyword = Keyword::read(&text.body);
    store.transaction(|tx| {
        if tx.record_inbound(&text.provider_id, at)? {
            match keyword {
                Some(Keyword::Stop) => tx.opt_out(&text.from, at)?,
                Some(Keyword::Start) => tx.opt_in(&text.from, at)?,
                Some(Keyword::Help) | None => {}
            }
        }
        Ok(keyword)
    })
}

/// Takes what the provider tells of one of our texts. In any order and however often: a text never goes back from an
/// end.
///
/// # Errors
/// Only the store's own.
pub fn record_report<S>(
    store: &S,
    clock: &dyn Clock,
    id: MessageId,
    told: &ProviderMessage,
) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Outbox>,
{
    let at = clock.now();
    store.transaction(|tx| tx.record_report(id, told, at))
}

/// Somebody opened the link of a text.
#[derive(Debug, Clone)]
pub struct ClickCommand {
    /// Which link.
    pub tracking_id: TrackingId,
    /// Whether they went on to the raffle.
    pub cta: bool,
    /// From where, and by what.
    pub origin: Origin,
    /// The browser session, for the funnel; none for who is not tracked (D28).
    pub session: Option<Session>,
}

/// Why a click was not counted.
#[derive(Debug, thiserror::Error)]
pub enum ClickError {
    /// No text has that link.
    #[error("unknown tracking id")]
    UnknownTrackingId,
    /// The store's own trouble.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Counts that a link was opened, once, and that its reader went on, once. Whose link it is.
///
/// # Errors
/// [`ClickError::UnknownTrackingId`].
pub fn track_click<S>(
    store: &S,
    clock: &dyn Clock,
    command: &ClickCommand,
) -> Result<TrackedMessage, ClickError>
where
    S: UnitOfWork<Tx: Clicks + Collection>,
{
    let at = clock.now();
    let click = NewClick {
        tracking_id: command.tracking_id.clone(),
        cta: command.cta,
        address: command.origin.address,
        user_agent: command.origin.user_agent.clone(),
        at,
    };
    store.transaction(|tx| {
        let text = tx.record_click(&click)?.ok_or(ClickError::UnknownTrackingId)?;
        if let Some(session) = command.session.as_ref().filter(|_| !command.cta) {
            tx.record_step(&step(session, text, at))?;
        }
        Ok(text)
    })
}

fn step(session: &Session, text: TrackedMessage, at: DateTime<Utc>) -> NewStep {
    NewStep {
        session: session.clone(),
        raffle: Some(text.raffle),
        step: StepName::SmsClick,
        entrant: text.entrant,
        time_spent: None,
        at,
    }
}

/// Queues a text with which staff try whether texts arrive. It waits for no quiet hours.
///
/// # Errors
/// Only the store's own.
pub fn queue_test_message<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    phone: &Phone,
) -> Result<MessageId, StoreError>
where
    S: UnitOfWork<Tx: Outbox + AuditLog>,
{
    let at = clock.now();
    // The time makes it different from every other, so that it can be looked up at the provider.
    let body = format!(
        "Tombola: this is the test text of {}.",
        at.format("%Y-%m-%d %H:%M:%S%.3f UTC")
    );
    store.transaction(|tx| {
        let id = tx.queue_message(&NewMessage {
            kind: MessageKind::Test,
            entrant: None,
            phone: phone.clone(),
            body: Some(body.clone()),
            at,
        })?;
        tx.record_audit(&NewAuditEntry::new(actor, Action::SendTestText, at).target(id))?;
        Ok(id)
    })
}

/// The text with this number.
///
/// # Errors
/// Only the store's own.
pub fn find_message<S>(store: &S, id: MessageId) -> Result<Option<Message>, StoreError>
where
    S: UnitOfWork<Tx: Outbox>,
{
    store.read(|tx| tx.find_message(id))
}
