//! Callbacks of the SMS provider, replies of recipients, clicks on links, and test messages.

use crate::campaigns::SmsRules;
use crate::opting_out;
use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{Clock, DatabaseClock, Origin, PageRequest, Phone, Session, StoreError, UnitOfWork};
use sms::{
    Clicks, Consents, DailyCounts, Failure, Keyword, Message, MessageId, MessageKind, MessageStatus,
    NewClick, NewMessage, NewReply, OptOuts, Outbox, ProviderMessage, ProviderMessageId, Replies, Reply,
    ReplyFilter, ReplyOrder, TrackedMessage, TrackingId, Wait, WaitReason, next_day,
};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// A message that somebody sent to our number.
#[derive(Debug, Clone)]
pub struct InboundMessage {
    /// The provider's id. A message that is delivered again has the same id.
    pub provider_id: ProviderMessageId,
    /// The sender's number.
    pub from: Phone,
    /// The body.
    pub body: String,
    /// What the provider takes it for, if it says so.
    pub of_provider: Option<Keyword>,
}

/// Stores an inbound message for staff. STOP opts the sender out and revokes the consent to campaign messages; START opts in
/// again and restores a consent that STOP revoked. Returns our answer, if it gets one.
/// A message that the provider delivers again changes nothing.
pub fn record_inbound_message<S>(
    store: &S,
    clock: &dyn Clock,
    site_name: &str,
    message: &InboundMessage,
) -> Result<Option<String>, StoreError>
where
    S: UnitOfWork<Tx: OptOuts + Consents + Replies>,
{
    let at = clock.now();
    let InboundMessage {
        provider_id,
        from,
        body,
        of_provider,
    } = message;
    let reply = NewReply::new(provider_id.clone(), from.clone(), body, *of_provider, at);
    store.transaction(|tx| {
        let is_change = tx.record_inbound(provider_id.as_str(), at)? && take(tx, &reply)?;
        Ok(reply.answer(site_name, is_change))
    })
}

/// Does what a reply asks for. Returns whether it opted its sender out, who had not opted out before.
fn take(tx: &mut (impl OptOuts + Consents + Replies), reply: &NewReply) -> Result<bool, StoreError> {
    tx.add_reply(reply)?;
    match reply.keyword.and_then(Keyword::opts_out) {
        Some(true) => opting_out::stop_texts(tx, &reply.phone, reply.at),
        Some(false) => {
            tx.opt_in(&reply.phone, reply.at)?;
            tx.restore_consents(&reply.phone, reply.at)?;
            Ok(false)
        }
        None => Ok(false),
    }
}

/// A page of the replies that match, with the number of all that match. Those that staff must decide stand first.
pub fn list_replies<S>(
    store: &S,
    filter: &ReplyFilter,
    page: PageRequest,
) -> Result<(Vec<Reply>, i64), StoreError>
where
    S: UnitOfWork<Tx: Replies>,
{
    store.snapshot(|tx| {
        let order = ReplyOrder::UnclearFirst;
        Ok((tx.list_replies(filter, order, page)?, tx.count_replies(filter)?))
    })
}

/// The number of replies that match.
pub fn count_replies<S>(store: &S, filter: &ReplyFilter) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Replies>,
{
    store.read(|tx| tx.count_replies(filter))
}

/// The newest replies, at most `count`. To read the whole list in parts, set `filter.before`.
pub fn newest_replies<S>(store: &S, filter: &ReplyFilter, count: u32) -> Result<Vec<Reply>, StoreError>
where
    S: UnitOfWork<Tx: Replies>,
{
    let page = PageRequest {
        limit: count,
        offset: 0,
    };
    store.read(|tx| tx.list_replies(filter, ReplyOrder::NewestFirst, page))
}

/// Records a status report of the provider. Returns whether anything changed. Reports may come in any order and more than
/// once; a final status never changes. A report that the number has opted out opts it out here too (D66).
pub fn record_report<S>(
    store: &S,
    clock: &dyn Clock,
    id: MessageId,
    report: &ProviderMessage,
) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Outbox + OptOuts + Consents>,
{
    let at = clock.now();
    let is_opt_out = report.failure.as_ref().is_some_and(Failure::is_opt_out);
    store.transaction(|tx| {
        let has_changed = tx.record_report(id, report, at)?;
        if has_changed
            && is_opt_out
            && let Some(message) = tx.find_message(id)?
        {
            opting_out::stop_texts(tx, &message.content.phone, at)?;
        }
        Ok(has_changed)
    })
}

/// A click on the link of a message.
#[derive(Debug, Clone)]
pub struct ClickCommand {
    /// The id of the link.
    pub tracking_id: TrackingId,
    /// Whether the recipient followed the link to the raffle.
    pub cta: bool,
    /// Where the request came from.
    pub origin: Origin,
    /// The browser session, for the funnel; `None` when the visitor is not tracked.
    pub session: Option<Session>,
}

/// Why a click was not counted.
#[derive(Debug, thiserror::Error)]
pub enum ClickError {
    /// No message has that link.
    #[error("unknown tracking id")]
    UnknownTrackingId,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Counts the first time that a link is opened, and the first time that it is followed to the raffle. Returns the
/// recipient and the raffle of the link.
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
        let message = tx.record_click(&click)?.ok_or(ClickError::UnknownTrackingId)?;
        if let Some(session) = command.session.as_ref().filter(|_| !command.cta) {
            tx.record_step(&step(session, &command.tracking_id, message, at))?;
        }
        Ok(message)
    })
}

fn step(session: &Session, id: &TrackingId, message: TrackedMessage, at: DateTime<Utc>) -> NewStep {
    NewStep {
        session: session.clone(),
        raffle: Some(message.raffle),
        step: StepName::SmsClick,
        entrant: message.entrant,
        data: StepData::text("trackingId", id.as_str()),
        time_spent: None,
        at,
    }
}

/// Queues a message with which staff test the delivery of messages. Quiet hours do not delay it.
pub fn queue_test_message<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    site_name: &str,
    phone: &Phone,
) -> Result<MessageId, StoreError>
where
    S: UnitOfWork<Tx: Outbox + AuditLog>,
{
    let at = clock.now();
    // The time makes the body unique, so that the message can be looked up at the provider.
    let body = format!(
        "{site_name}: this is the test text of {}.",
        at.format("%Y-%m-%d %H:%M:%S%.3f UTC")
    );
    store.transaction(|tx| {
        let id = queue_test(tx, phone, &body, at)?;
        tx.record_audit(&NewAuditEntry::new(actor, Action::SendTestText, at).target(id))?;
        Ok(id)
    })
}

/// Queues a test. The sender skips it as any other message for a number that opted out or gets none.
pub(crate) fn queue_test(
    tx: &mut impl Outbox,
    phone: &Phone,
    body: &str,
    at: DateTime<Utc>,
) -> Result<MessageId, StoreError> {
    tx.queue_message(&NewMessage {
        kind: MessageKind::Test,
        entrant: None,
        phone: phone.clone(),
        body: Some(body.to_owned().into()),
        at,
    })
}

/// The message with this id.
pub fn find_message<S>(store: &S, id: MessageId) -> Result<Option<Message>, StoreError>
where
    S: UnitOfWork<Tx: Outbox>,
{
    store.read(|tx| tx.find_message(id))
}

/// The message with this id, and until when it waits, if it does.
pub fn find_message_and_wait<S>(
    store: &S,
    rules: &SmsRules,
    id: MessageId,
) -> Result<Option<(Message, Option<Wait>)>, StoreError>
where
    S: UnitOfWork<Tx: Outbox + DailyCounts + DatabaseClock>,
{
    store.read(|tx| {
        let Some(message) = tx.find_message(id)? else {
            return Ok(None);
        };
        let wait = match message.status {
            MessageStatus::Pending => wait_of(tx, rules, &message)?,
            _ => None,
        };
        Ok(Some((message, wait)))
    })
}

/// Until when a pending message waits. A message that was put off, or is sent again, is not due yet; others wait for their
/// recipient's hours or the budget of the next day. `None` if it is to be sent next.
fn wait_of(
    tx: &(impl DailyCounts + DatabaseClock),
    rules: &SmsRules,
    message: &Message,
) -> Result<Option<Wait>, StoreError> {
    let now = tx.database_time()?;
    let (kind, phone) = (message.content.kind, &message.content.phone);
    let hours = rules.hours.as_ref().filter(|_| kind.keeps_hours());
    let at_once = hours.and_then(|hours| hours.wait(phone, now));
    let waits_for_next_try = message.due_at > now;
    if waits_for_next_try {
        let when_due = hours.and_then(|hours| hours.wait(phone, message.due_at));
        let until = when_due.map_or(message.due_at, |wait| wait.until);
        let reason = at_once.or(when_due).map_or(WaitReason::Retry, |wait| wait.reason);
        return Ok(Some(Wait { until, reason }));
    }
    let is_over_budget =
        || Ok::<_, StoreError>(tx.texts_on(now.date_naive())? >= rules.daily_budget.for_welcomes());
    if at_once.is_none() && kind == MessageKind::Welcome && is_over_budget()? {
        return Ok(Some(Wait {
            until: next_day(now),
            reason: WaitReason::DailyBudget,
        }));
    }
    Ok(at_once)
}
