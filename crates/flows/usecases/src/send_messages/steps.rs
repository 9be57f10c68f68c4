//! The steps of sending messages: what the loops do in the store. A step opens its own transactions and calls no
//! provider.

use crate::campaigns::SmsRules;
use crate::campaigns::link_prefix;
use crate::credentials::choose_account;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, DatabaseClock, ReferralCode, Sealer, StoreError, UnitOfWork};
use raffle::RaffleKey;
use raffle::{RaffleList, Raffles};
use referral::referral_link;
use sms::{
    CampaignDispatching, CampaignId, Claim, Claimed, ClaimedMessage, Credentials, DailyCounts,
    DeliveryReport, Dispatching, Failure, Fence, Fenced, Halt, HoursNow, LOOK_UP_AFTER, MessageId,
    MessageKind, MessageQuery, NewCampaignMessage, Outcome, OutgoingMessage, Recipient, RecipientRules,
    SealedText, SendingCampaign, SmsSettings, TrackingId, UncertainMessage, WelcomeTemplate,
    WelcomeTemplates, default_welcome, month_of, welcome_message,
};

/// How long the lease of sending lasts. The sender renews it often; when it expires, another server can acquire it.
pub const LEASE: TimeDelta = TimeDelta::seconds(4);
/// When to look up a message again if the provider could not be asked.
const LOOK_UP_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(20);
/// How long before the time of queueing a look-up begins, because clocks differ.
const CLOCK_TOLERANCE: TimeDelta = TimeDelta::hours(1);
/// The maximum number of welcome messages per minute, against fake sign-ups that only cause messages. The others wait.
const WELCOME_PER_MINUTE: u32 = 60;
/// The maximum number of batches of only skipped messages, and then of recipients, that one call takes, so that it ends before the lease does.
const MAX_SKIPPED_BATCHES: usize = 20;

/// Why a step of sending failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// Another server has the lease.
    #[error(transparent)]
    Fenced(#[from] Fenced),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A claimed message, to be handed to the provider once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyMessage {
    /// The id.
    pub id: MessageId,
    /// Why it is sent.
    pub kind: MessageKind,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The message for the provider.
    pub outgoing: OutgoingMessage,
}

/// The messages of today, in UTC, that count toward the day's budget.
pub fn texts_today<S>(store: &S, clock: &dyn Clock) -> Result<u32, StoreError>
where
    S: UnitOfWork<Tx: DailyCounts>,
{
    let day = clock.now().date_naive();
    store.read(|tx| tx.texts_on(day))
}

/// Acquires or renews the lease. `None` while another owner has it.
pub fn acquire_lease<S>(store: &S, clock: &dyn Clock, owner: &str) -> Result<Option<Fence>, StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let now = clock.now();
    store.transaction(|tx| tx.acquire_lease(owner, now, now + LEASE, now + LOOK_UP_AFTER))
}

/// Whether sending is halted.
pub fn is_halted<S>(store: &S) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    store.read(|tx| tx.halt().map(|halt| halt.is_some()))
}

/// Starts the campaigns that are due, and finishes those that have nothing left to send. Returns the ids of both.
///
/// # Errors
/// [`StepError`].
pub fn start_and_finish_campaigns<S>(
    store: &S,
    clock: &dyn Clock,
    fence: Fence,
) -> Result<(Vec<CampaignId>, Vec<CampaignId>), StepError>
where
    S: UnitOfWork<Tx: CampaignDispatching>,
{
    let now = clock.now();
    let started = store.transaction::<_, StoreError>(|tx| tx.start_due_campaigns(fence, now))??;
    let finished = store.transaction::<_, StoreError>(|tx| tx.finish_campaigns(now))?;
    Ok((started, finished))
}

/// Claims the next messages to send, at most `limit`: codes and other single messages first, then those of the campaign
/// that started first. Messages whose recipients get none at this hour, by the database's clock, are put off until they do.
///
/// # Errors
/// [`StepError`]. After a [`StoreError`] it is not known which messages were claimed, so the lease must be acquired
/// again under another owner's name.
pub fn claim_next_messages<S>(
    store: &S,
    clock: &dyn Clock,
    rules: &SmsRules,
    sealer: &dyn Sealer<SealedText>,
    fence: Fence,
    limit: u32,
) -> Result<Vec<ReadyMessage>, StepError>
where
    S: UnitOfWork<
        Tx: Raffles + Dispatching + CampaignDispatching + WelcomeTemplates + DailyCounts + DatabaseClock,
    >,
{
    let now = clock.now();
    let claim = Claim {
        fence,
        limit,
        welcome_per_minute: WELCOME_PER_MINUTE,
        welcomes_in_budget: u32::MAX, // counted in the transaction
        now,
    };
    // All of a batch may be skipped or have to wait: then take the next batch at once.
    for _ in 0..MAX_SKIPPED_BATCHES {
        let (single, held_back) = store.transaction(|tx| claim_single(tx, rules, sealer, claim))?;
        if !single.is_empty() {
            return Ok(single);
        }
        if held_back == 0 {
            break;
        }
    }
    for _ in 0..MAX_SKIPPED_BATCHES {
        let batch = store.transaction(|tx| claim_recipients(tx, rules, &claim))?;
        match batch {
            Some(messages) if messages.is_empty() => {}
            Some(messages) => return Ok(messages),
            None => break,
        }
    }
    Ok(Vec::new())
}

/// The messages to send, and how many others were held back.
fn claim_single(
    tx: &mut (impl Dispatching + WelcomeTemplates + DailyCounts + DatabaseClock),
    rules: &SmsRules,
    sealer: &dyn Sealer<SealedText>,
    claim: Claim,
) -> Result<(Vec<ReadyMessage>, usize), StepError> {
    let counted = tx.texts_on(claim.now.date_naive())?;
    let claim = Claim {
        welcomes_in_budget: rules.daily_budget.for_welcomes().saturating_sub(counted),
        ..claim
    };
    let hours = hours_now(tx, rules)?;
    let recipients = RecipientRules {
        countries: &rules.countries,
        hours: hours.as_ref(),
    };
    let Claimed { messages, held_back } = tx.claim_messages(&claim, &recipients)??;
    let ready = compose_single(tx, rules, sealer, &messages, claim.now)?;
    count_toward_budget(tx, &messages, claim.now)?;
    Ok((ready, held_back))
}

/// The hours of the recipients at this moment of the database's clock, which is the same for all servers.
fn hours_now<'a>(tx: &impl DatabaseClock, rules: &'a SmsRules) -> Result<Option<HoursNow<'a>>, StoreError> {
    let Some(hours) = &rules.hours else {
        return Ok(None);
    };
    Ok(Some(HoursNow::new(hours, tx.database_time()?)))
}

/// Counts the messages that are sent for the first time. Codes were counted when they were queued, and campaign messages
/// do not count.
fn count_toward_budget(
    tx: &mut impl DailyCounts,
    claimed: &[ClaimedMessage],
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let counts = |message: &&ClaimedMessage| {
        message.attempt == 1 && !matches!(message.kind, MessageKind::Code | MessageKind::Campaign)
    };
    let texts = claimed.iter().filter(counts).count();
    if texts == 0 {
        return Ok(());
    }
    tx.count_texts(now, u32::try_from(texts).unwrap_or(u32::MAX))
}

fn compose_single(
    tx: &mut (impl Dispatching + WelcomeTemplates),
    rules: &SmsRules,
    sealer: &dyn Sealer<SealedText>,
    claimed: &[ClaimedMessage],
    now: DateTime<Utc>,
) -> Result<Vec<ReadyMessage>, StepError> {
    let welcomes = if claimed.iter().any(|message| message.body.is_none()) {
        tx.list_welcomes()?
    } else {
        Vec::new()
    };
    let (mut composed, mut unreadable) = (Vec::new(), Vec::new());
    let mut ready = Vec::with_capacity(claimed.len());
    for message in claimed {
        let body = match (&message.body, &message.welcome) {
            (Some(body), _) => match body.open(sealer) {
                Some(body) => body,
                None => {
                    unreadable.push(unreadable_body(message.id, message.attempt));
                    continue;
                }
            },
            (None, Some((raffle, code))) => {
                let body = compose_welcome(&welcomes, rules, *raffle, code);
                composed.push((message.id, body.clone()));
                body
            }
            (None, None) => continue, // without a body it cannot be sent, so it stays claimed
        };
        ready.push(ready_message(rules, message, body));
    }
    tx.write_bodies(&composed)?;
    if !unreadable.is_empty() {
        tx.record_outcomes(&unreadable, now)?;
    }
    Ok(ready)
}

/// A secret body whose key is not configured any more: nobody can send it, or tell whether it was sent.
fn unreadable_body(message: MessageId, attempt: u32) -> Outcome {
    let failure = Failure {
        code: None,
        sentence: "Its body cannot be decrypted".to_owned(),
    };
    Outcome {
        message,
        attempt,
        report: DeliveryReport::Refused(failure),
    }
}

fn compose_welcome(
    welcomes: &[WelcomeTemplate],
    rules: &SmsRules,
    raffle: RaffleKey,
    code: &ReferralCode,
) -> String {
    let own = welcomes.iter().find(|welcome| welcome.raffle == raffle);
    let message = own.map_or_else(
        || default_welcome(&rules.site_name),
        |welcome| welcome.message.as_str().to_owned(),
    );
    welcome_message(&message, &referral_link(&rules.public_origin, raffle, code))
}

fn ready_message(rules: &SmsRules, message: &ClaimedMessage, body: String) -> ReadyMessage {
    ReadyMessage {
        id: message.id,
        kind: message.kind,
        attempt: message.attempt,
        outgoing: OutgoingMessage {
            to: message.phone.clone(),
            body,
            status_callback: status_callback(&rules.public_origin, message.id),
        },
    }
}

/// The URL for status callbacks. It contains our id of the message, in case the provider's id was never received.
fn status_callback(origin: &str, id: MessageId) -> String {
    format!("{origin}/api/twilio/status?text={id}")
}

/// Claims the next batch of recipients of the campaign that started first, and returns the messages of those who are not
/// skipped. `None` when no campaign has recipients left.
fn claim_recipients(
    tx: &mut (impl Raffles + CampaignDispatching + DatabaseClock),
    rules: &SmsRules,
    claim: &Claim,
) -> Result<Option<Vec<ReadyMessage>>, StepError> {
    let Some(campaign) = tx.next_campaign()? else {
        return Ok(None);
    };
    let month = month_of(claim.now, &rules.time_zone);
    let recipients = tx.take_recipients(
        claim.fence,
        campaign.id,
        claim.limit,
        &rules.campaign_rules(month),
    )??;
    let hours = hours_now(tx, rules)?;
    let wait_of = |recipient: &Recipient| Some(hours.as_ref()?.wait(&recipient.phone)?.until);
    let raffles = tx.list_raffles()?;
    let messages: Vec<_> = recipients
        .into_iter()
        .map(|recipient| {
            Ok(NewCampaignMessage {
                wait_until: wait_of(&recipient),
                ..compose(&campaign, &raffles, recipient)?
            })
        })
        .collect::<Result<_, StoreError>>()?;
    let ids = tx.add_campaign_messages(claim.fence, campaign.id, &messages, claim.now)?;
    let ready = ids.into_iter().zip(messages);
    let sendable =
        ready.filter(|(_, message)| message.recipient.skip.is_none() && message.wait_until.is_none());
    let messages = sendable.map(|(id, message)| ReadyMessage {
        id,
        kind: MessageKind::Campaign,
        attempt: 1,
        outgoing: OutgoingMessage {
            to: message.recipient.phone,
            body: message.body,
            status_callback: status_callback(&rules.public_origin, id),
        },
    });
    Ok(Some(messages.collect()))
}

fn compose(
    campaign: &SendingCampaign,
    raffles: &RaffleList,
    recipient: Recipient,
) -> Result<NewCampaignMessage, StoreError> {
    let prefix = link_prefix(raffles, recipient.raffle.unwrap_or(campaign.raffle))?;
    let tracking_id = TrackingId::derive(&prefix, &campaign.secret, &recipient.phone);
    let tracking_url = tracking_id.link(campaign.link_base.as_str());
    Ok(NewCampaignMessage {
        body: campaign.message.with_link(&tracking_url),
        recipient,
        tracking_id,
        tracking_url,
        wait_until: None,
    })
}

/// Halts sending because the provider refused these credentials. Returns whether it did: a late refusal of credentials
/// that have been replaced since, or under a lost lease, halts nothing. The halt ends when staff save credentials, or with
/// the next new lease.
pub fn halt_for_credentials<S>(
    store: &S,
    sealer: &dyn Sealer<Credentials>,
    environment: Option<&Credentials>,
    fence: Fence,
    refused: &Credentials,
) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: Dispatching + SmsSettings>,
{
    // Serializable: credentials that are saved between the look-up and the halt make this run again.
    store.serializable(|tx| {
        let current = choose_account(tx.sealed_credentials()?, sealer, environment);
        if current.credentials().as_ref() != Some(refused) {
            return Ok(false);
        }
        tx.record_halt(fence, Halt::CredentialsRefused)
    })
}

/// Claims messages that may have been sent and are due to be looked up, with the queries for the provider.
///
/// # Errors
/// [`StepError`].
pub fn claim_uncertain<S>(
    store: &S,
    clock: &dyn Clock,
    sealer: &dyn Sealer<SealedText>,
    fence: Fence,
    limit: u32,
) -> Result<Vec<(UncertainMessage, MessageQuery)>, StepError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let now = clock.now();
    store.transaction(|tx| {
        let uncertain = tx.claim_uncertain(fence, limit, now, now + LOOK_UP_AGAIN_AFTER)??;
        let (mut queries, mut unreadable) = (Vec::with_capacity(uncertain.len()), Vec::new());
        for message in uncertain {
            match message.needle.open(sealer) {
                Some(needle) => {
                    let query = query(&message, needle);
                    queries.push((message, query));
                }
                None => unreadable.push(unreadable_body(message.id, message.attempt)),
            }
        }
        if !unreadable.is_empty() {
            tx.record_outcomes(&unreadable, now)?;
        }
        Ok(queries)
    })
}

fn query(message: &UncertainMessage, needle: String) -> MessageQuery {
    MessageQuery {
        to: message.phone.clone(),
        needle,
        since: message.queued_at - CLOCK_TOLERANCE,
    }
}

/// Records the outcomes of attempts. After an error it must be repeated until it succeeds.
pub fn record_outcomes<S>(store: &S, clock: &dyn Clock, outcomes: &[Outcome]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let at = clock.now();
    store.transaction(|tx| tx.record_outcomes(outcomes, at))
}

/// Releases claimed messages that were certainly not sent. After an error it must be repeated.
pub fn release_claims<S>(store: &S, messages: &[(MessageId, u32)]) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    store.transaction(|tx| tx.release_claims(messages))
}

/// Releases the lease, so that another server need not wait until it expires.
pub fn release_lease<S>(store: &S, clock: &dyn Clock, fence: Fence) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: Dispatching>,
{
    let now = clock.now();
    store.transaction(|tx| tx.release_lease(fence, now))
}
