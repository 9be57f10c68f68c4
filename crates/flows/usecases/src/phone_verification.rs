//! Proving a phone number with a one-time code. A sign-up waits until its code is entered, and so does an entrant
//! who comes back.

mod begin;
mod complete;
mod resend;

pub use begin::{BeginError, BeginRequest, Begun, begin};
pub use complete::{CompleteError, CompleteRequest, Completed, complete};
pub use resend::{ResendError, ResendRequest, resend};

use ::verification::{Code, Sender, VerificationId, VerificationKey, Verifications};
use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EntrantId, Entropy, Phone, Sealer, StoreError, UnitOfWork};
use raffle::{Entrants, SignUp};
use sms::{DailyBudget, DailyCounts, MessageBody, MessageKind, NewMessage, Outbox, SealedText, next_day};
use std::net::IpAddr;

/// What sending codes needs besides the store.
pub struct CodeTools<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Randomness for codes and ids.
    pub entropy: &'a dyn Entropy,
    /// Hashes codes and numbers.
    pub key: &'a VerificationKey,
    /// Encrypts the bodies of the texts.
    pub sealer: &'a dyn Sealer<SealedText>,
    /// The site's name, for the text.
    pub site_name: &'a str,
    /// The host of the site, without a port, for browsers that fill in the code.
    pub host: &'a str,
    /// Whether limits hold (`RATE_LIMITS`).
    pub limits: bool,
    /// How many texts may be sent on one day (`SMS_DAILY_BUDGET`).
    pub daily_budget: DailyBudget,
}

/// A sign-up that waits for its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The id of the verification.
    pub id: VerificationId,
    /// From when on the code is no longer valid.
    pub expires_at: DateTime<Utc>,
    /// How long to wait before another code can be sent; not negative.
    pub resend_after: TimeDelta,
}

impl Waiting {
    fn at(
        now: DateTime<Utc>,
        id: VerificationId,
        expires_at: DateTime<Utc>,
        resend_at: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            expires_at,
            resend_after: (resend_at - now).max(TimeDelta::zero()),
        }
    }
}

/// Why no code was sent.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A limit of codes is reached; the next request passes after this time.
    #[error("too many codes")]
    Limited(TimeDelta),
    /// The day's budget of texts is used up; the next day begins after this time.
    #[error("the day's budget of texts is used up")]
    BudgetUsed(TimeDelta),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How long a day's verifications are kept, because limits count them.
const COUNTED: TimeDelta = TimeDelta::days(1);

/// Forgets sign-ups whose code has expired, and verifications that no limit counts any more. Returns how many rows changed.
///
/// # Errors
/// When the store fails.
pub fn forget<S>(store: &S, clock: &dyn Clock) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Verifications>,
{
    let now = clock.now();
    store.transaction(|tx| tx.forget_verifications(now, now - COUNTED))
}

impl CodeTools<'_> {
    fn sender(&self, phone: &Phone, network: Option<IpAddr>) -> Sender {
        Sender {
            number: self.key.tag_number(phone),
            prefix: self.key.tag_prefix(phone),
            network,
        }
    }

    /// Fails when a limit is reached. Requests for the same number, prefix or network wait here for each other.
    fn check_limits(
        &self,
        tx: &mut impl Verifications,
        sender: &Sender,
        except: Option<VerificationId>,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        if !self.limits {
            return Ok(());
        }
        match tx.lock_usage(sender, except, now)?.wait(now) {
            Some(wait) => Err(Refusal::Limited(wait)),
            None => Ok(()),
        }
    }

    /// Queues the text with the code. Last in its transaction, because everybody waits for the day's count.
    fn send(
        &self,
        tx: &mut (impl Entrants + Outbox + DailyCounts),
        phone: &Phone,
        code: &Code,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let is_new = tx.find_entrant_by_phone(phone)?.is_none();
        let text = sms::code_text(self.site_name, code.as_str(), self.host);
        tx.queue_message(&NewMessage {
            kind: MessageKind::Code,
            entrant: None,
            phone: phone.clone(),
            body: Some(MessageBody::seal(self.sealer, &text)),
            at: now,
        })?;
        match tx.count_text(now, self.daily_budget.for_codes(is_new))? {
            true => Ok(()),
            false => Err(Refusal::BudgetUsed(next_day(now) - now)),
        }
    }
}

/// Records a step of a sign-up whose browser may be tracked.
fn record_step(
    tx: &mut impl Collection,
    sign_up: &SignUp,
    step: StepName,
    entrant: Option<EntrantId>,
    at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some(session) = &sign_up.session else {
        return Ok(());
    };
    tx.record_step(&NewStep {
        session: session.clone(),
        raffle: Some(sign_up.raffle),
        step,
        entrant,
        data: StepData::default(),
        time_spent: None,
        at,
    })
}
