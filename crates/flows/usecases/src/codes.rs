//! Sending one-time codes and trying them, for whatever they prove a number.

use ::codes::{
    Attempt, Code, CodeKey, Codes, Holder, NewCode, Purpose, RESEND_AFTER, Request, SentCode, Share, Subject,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, Entropy, MessageId, Phone, Sealer, StoreError};
use sms::{
    DailyBudget, DailyCounts, MessageBody, MessageKind, NewMessage, Outbox, SealedText, SmsCountries,
    next_day,
};
use std::net::IpAddr;

/// What sending codes needs besides the store.
#[derive(Clone, Copy)]
pub struct CodeTools<'a> {
    /// Randomness for codes.
    pub entropy: &'a dyn Entropy,
    /// Hashes codes and numbers.
    pub key: &'a CodeKey,
    /// Encrypts the bodies of the texts.
    pub sealer: &'a dyn Sealer<SealedText>,
    /// The site's name, for the text.
    pub site_name: &'a str,
    /// The host of the site, without a port, for browsers that fill in the code.
    pub host: &'a str,
    /// The countries whose numbers get texts.
    pub countries: &'a SmsCountries,
    /// Whether limits hold (`RATE_LIMITS`).
    pub limits: bool,
    /// How many texts may be sent on one day (`SMS_DAILY_BUDGET`).
    pub daily_budget: DailyBudget,
}

/// A code that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct CodeRequest<'a> {
    /// What it is for.
    pub subject: Subject,
    /// Who asks.
    pub holder: Holder,
    /// The network that asks: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
    /// Whether the browser that asks holds the visitor token of the number, or of the winner.
    pub is_own: bool,
    /// Whether there is an account to send texts with.
    pub has_account: bool,
    /// The number.
    pub phone: &'a Phone,
    /// The entrant whose number it is, unless the text must not tell a number that is known from one that is not.
    pub entrant: Option<EntrantId>,
}

/// Why no code was sent.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no account to send texts with.
    #[error("no account to send texts with")]
    TextsNotConfigured,
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

/// Why a code was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// It is not the code that was sent last; so many tries are left.
    #[error("wrong code")]
    Wrong {
        /// The tries that are left.
        left: u32,
    },
    /// The code is too old or was tried too often, or was not sent for this browser.
    #[error("expired")]
    Expired,
    /// It is not the code, and what the code was for was done.
    #[error("used")]
    Used,
}

/// A code that waits to be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// From when on the code is no longer valid.
    pub expires_at: DateTime<Utc>,
    /// For how long it is valid from now on.
    pub expires_after: TimeDelta,
    /// How long to wait before another code can be sent; not negative.
    pub resend_after: TimeDelta,
    /// Whether its text cannot reach the number, as the provider says.
    pub is_undeliverable: bool,
}

/// How long a code is kept, because limits count it.
pub(crate) const COUNTED: TimeDelta = TimeDelta::days(1);

impl CodeTools<'_> {
    /// Texts a code. The code before of this subject and holder ends. To be called last in its transaction, because everybody
    /// who sends a code waits for the day's count.
    ///
    /// # Errors
    /// [`Refusal`]: the transaction must not be committed then.
    pub fn send<T>(
        &self,
        tx: &mut T,
        asked: &CodeRequest<'_>,
        now: DateTime<Utc>,
    ) -> Result<MessageId, Refusal>
    where
        T: Codes + Outbox + DailyCounts,
    {
        if !asked.has_account {
            return Err(Refusal::TextsNotConfigured);
        }
        let request = Request {
            subject: asked.subject,
            holder: asked.holder,
            number: self.key.tag_number(asked.phone),
            network: asked.network,
        };
        let share = self.share(tx, &request, asked.is_own, now)?;
        let code = Code::random(self.entropy);
        let text = sms::code_text(self.site_name, code.as_str(), self.host);
        let message = tx.queue_message(&NewMessage {
            kind: MessageKind::Code,
            entrant: asked.entrant,
            phone: asked.phone.clone(),
            body: Some(MessageBody::seal(self.sealer, &text)),
            at: now,
        })?;
        tx.add_code(&NewCode {
            request,
            share,
            hash: self.key.hash_code(asked.subject, &code),
            message,
            entrant: asked.entrant,
            at: now,
        })?;
        let is_of_last_fifth = asked.is_own || asked.subject.purpose() != Purpose::SignUp;
        let most = self.daily_budget.for_codes(is_of_last_fifth);
        match tx.count_text(now, most)? {
            true => Ok(message),
            false => Err(Refusal::BudgetUsed(next_day(now) - now)),
        }
    }

    /// On what another code counts. Requests for the same number or from the same block of networks wait here for each other.
    fn share(
        &self,
        tx: &mut impl Codes,
        request: &Request,
        is_own: bool,
        now: DateTime<Utc>,
    ) -> Result<Share, Refusal> {
        let usage = tx.lock_code_usage(request, now)?;
        let share = usage.share(request.subject.purpose(), is_own, now);
        match share {
            Err(wait) if self.limits => Err(Refusal::Limited(wait)),
            share => Ok(share.unwrap_or(Share::Everybody)),
        }
    }

    /// Tries a code. A wrong one is counted: commit the transaction also then. Of several requests with the right code, each is
    /// told so: whoever calls must do what the code is for only once.
    ///
    /// # Errors
    /// When the store fails.
    pub fn attempt(
        &self,
        tx: &mut impl Codes,
        subject: Subject,
        holder: Holder,
        code: &Code,
        now: DateTime<Utc>,
    ) -> Result<Result<(), Rejected>, StoreError> {
        let Some(sent) = tx.lock_code(subject, holder)? else {
            return Ok(Err(Rejected::Expired));
        };
        Ok(match sent.attempt(self.key, subject, code, now) {
            Attempt::Right => Ok(()),
            Attempt::Wrong { left } => {
                tx.count_wrong_try(sent.id)?;
                Err(Rejected::Wrong { left })
            }
            Attempt::Expired => Err(Rejected::Expired),
            Attempt::Used => Err(Rejected::Used),
        })
    }

    /// The code that a holder can enter now.
    ///
    /// # Errors
    /// When the store fails.
    pub fn awaited(
        &self,
        tx: &(impl Codes + Outbox),
        subject: Subject,
        holder: Holder,
        now: DateTime<Utc>,
    ) -> Result<Option<Awaited>, StoreError> {
        let sent = tx.find_code(subject, holder)?.filter(|sent| sent.is_open(now));
        sent.map(|sent| self.awaited_code(tx, &sent, now)).transpose()
    }

    fn awaited_code(
        &self,
        tx: &impl Outbox,
        sent: &SentCode,
        now: DateTime<Utc>,
    ) -> Result<Awaited, StoreError> {
        let message = tx.find_message(sent.message)?;
        let resend_after = match self.limits {
            true => (sent.sent_at + RESEND_AFTER - now).max(TimeDelta::zero()),
            false => TimeDelta::zero(),
        };
        Ok(Awaited {
            expires_at: sent.expires_at(),
            expires_after: sent.expires_at() - now,
            resend_after,
            is_undeliverable: message.is_some_and(|message| message.is_to_no_mobile()),
        })
    }
}
