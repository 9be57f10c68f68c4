//! Sending messages, none lost and none doubled: D19 and D20. The steps; the process that runs them, keeps the pace and
//! talks to the provider is the app's.
//!
//! A message is claimed in the store before it is sent, and what became of it is noted after. Whoever stops in between
//! leaves a message that may have been sent: the next one to send asks the provider about it first.

use crate::campaigns::SmsRules;
use crate::credentials::choose_credentials;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, Raffle, ReferralCode, Sealer, StoreError, UnitOfWork};
use referral::referral_link;
use sms::{
    CampaignDispatching, CampaignId, Claim, ClaimedMessage, Credentials, DEFAULT_WELCOME, DeliveryReport,
    Dispatching, Failure, Fence, Fenced, Halt, MAX_ATTEMPTS, MessageId, MessageQuery, MessageQueryError,
    NewCampaignMessage, Outcome, OutgoingMessage, ProviderMessage, Recipient, SendError, SendingCampaign,
    SmsSettings, TrackingId, UncertainMessage, WelcomeTemplate, WelcomeTemplates, month_of, wait_after,
    welcome_message,
};

/// How long the one that sends has the lease. Renewed often; whoever does not is replaced after it.
pub const LEASE: TimeDelta = TimeDelta::seconds(4);
/// How long an attempt may still be under way at the provider after we have lost sight of it.
pub const LOOK_UP_AFTER: TimeDelta = TimeDelta::seconds(10);
/// When a message is looked up again that could not be.
const LOOK_UP_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(20);
/// A message is looked for from a little before it was queued on, since clocks differ.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::hours(1);
/// Welcome messages a minute at most, against sign-ups made up to send messages. The others wait.
const WELCOME_PER_MINUTE: u32 = 60;

/// How many parts of campaigns without anybody to send to are passed over in one go: not so many that the lease ends.
const PARTS: usize = 20;

/// Why there are no messages to send.
#[derive(Debug, thiserror::Error)]
pub enum DeliverError {
    /// Another process sends now.
    #[error(transparent)]
    Fenced(#[from] Fenced),
    /// The store's own trouble.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A message that was claimed, and is to be handed to the provider once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyMessage {
    /// Which.
    pub id: MessageId,
    /// Which attempt this is, from 1.
    pub attempt: u32,
    /// What the provider is given.
    pub outgoing: OutgoingMessage,
}

/// Takes or renews the lease; `None` while another process has it.
///
/// # Errors
/// Only the store's own.
pub fn acquire_lease<S>(store: &S, clock: &dyn Clock, owner: &str) -> Result<Option<Fence>, StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let now = clock.now();
    store.transaction(|tx| tx.acquire_lease(owner, now, now + LEASE, now + LOOK_UP_AFTER))
}

/// Gives the lease back, so that another process need not wait for its end.
///
/// # Errors
/// Only the store's own.
pub fn release_lease<S>(store: &S, clock: &dyn Clock, fence: Fence) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let now = clock.now();
    store.transaction(|tx| tx.release_lease(fence, now))
}

/// Begins the campaigns whose time has come, and ends those that have nothing left. Which ones.
///
/// # Errors
/// All of [`DeliverError`].
pub fn start_and_finish_campaigns<S>(
    store: &S,
    clock: &dyn Clock,
    fence: Fence,
) -> Result<(Vec<CampaignId>, Vec<CampaignId>), DeliverError>
where
    S: UnitOfWork<Tx: CampaignDispatching>,
{
    let now = clock.now();
    let begun = store.transaction::<_, StoreError>(|tx| tx.start_due_campaigns(fence, now))??;
    let ended = store.transaction::<_, StoreError>(|tx| tx.finish_campaigns(now))?;
    Ok((begun, ended))
}

/// The next messages to send, claimed: those that wait by themselves first, then the earliest campaign's. At most about
/// `limit`; none while there is nothing to send or it is quiet.
///
/// # Errors
/// All of [`DeliverError`]. After a [`StoreError`] messages may have been claimed that nobody knows of: the lease must be
/// taken anew then, by another owner.
pub fn claim_next_messages<S>(
    store: &S,
    clock: &dyn Clock,
    rules: &SmsRules,
    fence: Fence,
    limit: u32,
) -> Result<Vec<ReadyMessage>, DeliverError>
where
    S: UnitOfWork<Tx: Dispatching + CampaignDispatching + WelcomeTemplates>,
{
    let now = clock.now();
    let quiet = rules
        .quiet_hours
        .is_some_and(|hours| hours.quiet_until(now, &rules.time_zone).is_some());
    let claim = Claim {
        fence,
        limit,
        welcome_per_minute: WELCOME_PER_MINUTE,
        quiet,
        now,
    };
    let waiting = store.transaction(|tx| claim_waiting(tx, rules, &claim))?;
    if quiet || !waiting.is_empty() {
        return Ok(waiting);
    }
    // A part of a campaign may have nobody who is to get a message: the next one is gone on with at once.
    for _ in 0..PARTS {
        let part = store.transaction(|tx| claim_recipients(tx, rules, &claim))?;
        match part {
            Some(messages) if messages.is_empty() => {}
            Some(messages) => return Ok(messages),
            None => break,
        }
    }
    Ok(Vec::new())
}

fn claim_waiting(
    tx: &mut (impl Dispatching + WelcomeTemplates),
    rules: &SmsRules,
    claim: &Claim,
) -> Result<Vec<ReadyMessage>, DeliverError> {
    let claimed = tx.claim_messages(claim)??;
    let welcomes = if claimed.iter().any(|message| message.body.is_none()) {
        tx.list_welcomes()?
    } else {
        Vec::new()
    };
    let mut composed = Vec::new();
    let mut ready = Vec::with_capacity(claimed.len());
    for message in claimed {
        let body = match (&message.body, &message.welcome) {
            (Some(body), _) => body.clone(),
            (None, Some((raffle, code))) => {
                let body = compose_welcome(&welcomes, &rules.public_origin, *raffle, code);
                composed.push((message.id, body.clone()));
                body
            }
            (None, None) => continue, // there is nothing to say, so it stays as a message that cannot be sent
        };
        ready.push(ready_message(rules, &message, body));
    }
    tx.write_bodies(&composed)?;
    Ok(ready)
}

fn compose_welcome(
    welcomes: &[WelcomeTemplate],
    origin: &str,
    raffle: Raffle,
    code: &ReferralCode,
) -> String {
    let own = welcomes.iter().find(|welcome| welcome.raffle == raffle);
    let message = own.map_or(DEFAULT_WELCOME, |welcome| welcome.message.as_str());
    welcome_message(message, &referral_link(origin, raffle, code))
}

fn ready_message(rules: &SmsRules, message: &ClaimedMessage, body: String) -> ReadyMessage {
    ReadyMessage {
        id: message.id,
        attempt: message.attempt,
        outgoing: OutgoingMessage {
            to: message.phone.clone(),
            body,
            status_callback: status_callback(&rules.public_origin, message.id),
        },
    }
}

/// Where the provider tells what became of a message. It names the message, so that it is known also when we never heard the
/// provider's own name for it.
fn status_callback(origin: &str, id: MessageId) -> String {
    format!("{origin}/api/twilio/status?text={id}")
}

/// The next part of the earliest campaign, without those who are skipped; `None` when no campaign has any left.
fn claim_recipients(
    tx: &mut impl CampaignDispatching,
    rules: &SmsRules,
    claim: &Claim,
) -> Result<Option<Vec<ReadyMessage>>, DeliverError> {
    let Some(campaign) = tx.next_campaign()? else {
        return Ok(None);
    };
    let month = month_of(claim.now, &rules.time_zone);
    let recipients =
        tx.take_recipients(claim.fence, campaign.id, claim.limit, month, rules.monthly_cap)??;
    let messages: Vec<_> = recipients
        .into_iter()
        .map(|recipient| compose(&campaign, recipient))
        .collect();
    let ids = tx.add_campaign_messages(claim.fence, campaign.id, &messages, claim.now)?;
    let ready = ids.into_iter().zip(messages);
    let sendable = ready.filter(|(_, message)| message.recipient.skip.is_none());
    let messages = sendable.map(|(id, message)| ReadyMessage {
        id,
        attempt: 1,
        outgoing: OutgoingMessage {
            to: message.recipient.phone,
            body: message.body,
            status_callback: status_callback(&rules.public_origin, id),
        },
    });
    Ok(Some(messages.collect()))
}

fn compose(campaign: &SendingCampaign, recipient: Recipient) -> NewCampaignMessage {
    let raffle = recipient.raffle.unwrap_or(campaign.raffle);
    let tracking_id = TrackingId::derive(raffle, &campaign.secret, &recipient.phone);
    let tracking_url = tracking_id.link(campaign.link_base.as_str());
    NewCampaignMessage {
        body: campaign.message.with_link(&tracking_url),
        recipient,
        tracking_id,
        tracking_url,
    }
}

/// What an attempt came to; `None` when the provider refused the credentials, and the message is to be handed back.
pub fn report_of_send(
    result: Result<ProviderMessage, SendError>,
    attempt: u32,
    now: DateTime<Utc>,
    random: u8,
) -> Option<DeliveryReport> {
    match result {
        Ok(message) => Some(DeliveryReport::AtProvider(message)),
        Err(SendError::NotSent { retry_after, .. }) => {
            let asked = retry_after.and_then(|wait| TimeDelta::from_std(wait).ok());
            Some(not_sent(attempt, now, random, asked.unwrap_or_default()))
        }
        Err(SendError::MaybeSent(_)) => Some(DeliveryReport::Uncertain {
            look_up_at: now + LOOK_UP_AFTER,
        }),
        Err(SendError::OptedOut) => Some(DeliveryReport::OptedOut),
        Err(SendError::Refused(failure)) => Some(DeliveryReport::Refused(failure)),
        Err(SendError::Credentials) => None,
    }
}

/// What asking the provider about a message came to; `None` when it could not be asked, and the message stays in doubt.
pub fn report_of_lookup(
    result: Result<Option<ProviderMessage>, MessageQueryError>,
    attempt: u32,
    now: DateTime<Utc>,
    random: u8,
) -> Option<DeliveryReport> {
    match result {
        Ok(Some(message)) => Some(DeliveryReport::AtProvider(message)),
        Ok(None) => Some(not_sent(attempt, now, random, TimeDelta::zero())),
        Err(MessageQueryError::Unavailable(_) | MessageQueryError::Credentials) => None,
    }
}

fn not_sent(attempt: u32, now: DateTime<Utc>, random: u8, at_least: TimeDelta) -> DeliveryReport {
    if attempt >= MAX_ATTEMPTS {
        return DeliveryReport::Refused(Failure {
            code: None,
            sentence: format!("Not taken by the provider in {attempt} attempts"),
        });
    }
    DeliveryReport::NotSent {
        retry_at: now + wait_after(attempt, random).max(at_least),
    }
}

/// Notes what became of attempts.
///
/// # Errors
/// Only the store's own; to be tried again then, as often as it takes.
pub fn record_outcomes<S>(store: &S, clock: &dyn Clock, outcomes: &[Outcome]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let at = clock.now();
    store.transaction(|tx| tx.record_outcomes(outcomes, at))
}

/// Gives messages back that were claimed and certainly not sent.
///
/// # Errors
/// Only the store's own; to be tried again then.
pub fn release_claims<S>(store: &S, messages: &[(MessageId, u32)]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    store.transaction(|tx| tx.release_claims(messages))
}

/// Messages that may have been sent and are to be looked up now, with what to ask the provider.
///
/// # Errors
/// All of [`DeliverError`].
pub fn claim_uncertain<S>(
    store: &S,
    clock: &dyn Clock,
    fence: Fence,
    limit: u32,
) -> Result<Vec<(UncertainMessage, MessageQuery)>, DeliverError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let now = clock.now();
    let uncertain = store.transaction::<_, StoreError>(|tx| {
        tx.claim_uncertain(fence, limit, now, now + LOOK_UP_AGAIN_AFTER)
    })??;
    let with_question = |message: UncertainMessage| {
        let query = MessageQuery {
            to: message.phone.clone(),
            needle: message.needle.clone(),
            since: message.queued_at - CLOCKS_DIFFER,
        };
        (message, query)
    };
    Ok(uncertain.into_iter().map(with_question).collect())
}

/// Stops sending because the provider refused these credentials, until staff save others. Whether it stopped: a late
/// refusal of credentials that have been replaced since, or of a sender that lost the lease, stops nobody.
///
/// # Errors
/// Only the store's own.
pub fn halt_for_credentials<S>(
    store: &S,
    sealer: &dyn Sealer,
    environment: Option<&Credentials>,
    fence: Fence,
    refused: &Credentials,
) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Dispatching + SmsSettings>,
{
    // Serializable: credentials that are saved between the look-up and the halt make this run again.
    store.serializable(|tx| {
        let current = choose_credentials(tx.sealed_credentials()?, sealer, environment);
        if !current.is_some_and(|(current, _)| current == *refused) {
            return Ok(false);
        }
        tx.record_halt(fence, Halt::CredentialsRefused)
    })
}

/// Whether sending has stopped.
///
/// # Errors
/// Only the store's own.
pub fn is_halted<S>(store: &S) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    store.read(|tx| tx.halt().map(|halt| halt.is_some()))
}
