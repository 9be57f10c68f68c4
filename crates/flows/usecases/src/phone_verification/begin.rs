use super::waiting::{just_sent, waiting};
use super::{Waiting, record_step};
use crate::codes::{CodeRequest, CodeTools, Refusal};
use crate::drawings::DrawingTimes;
use crate::entering::{EnterError, Entered, OwnEntrant, find_referrer, renew_consent, stay_or_move};
use ::codes::{BrowserHash, CODE_LIFE, Codes, Holder, Subject};
use analytics::{Collection, StepName};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingSteps;
use kernel::{Clock, StoreError, UnitOfWork};
use raffle::{
    Entrant, Entrants, NewWaitingSignUp, NotOpen, RaffleKey, Raffles, SignUp, SignUpId, WaitingSignUps,
};
use referral::Referrals;
use sms::{Consents, DailyCounts, Outbox};
use std::net::IpAddr;

/// A request to enter a raffle with a number that is not proved yet.
#[derive(Debug, Clone)]
pub struct BeginRequest {
    /// The sign-up.
    pub sign_up: SignUp,
    /// The browser.
    pub browser: BrowserHash,
    /// The entrant whose visitor token the browser holds, if there is one.
    pub own: Option<OwnEntrant>,
    /// The network that the request came from: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
    /// Whether there is an account to send texts with.
    pub has_account: bool,
}

/// What a sign-up comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// This browser holds the token of this number's entrant, which is as good as a code.
    AlreadyIn(Entered),
    /// The sign-up waits for its code, which was sent just now or in the last minutes.
    Waiting(Waiting),
}

/// Why a sign-up did not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// No entrant has that referral code.
    #[error("unknown referral code")]
    UnknownReferralCode,
    /// The raffle cannot be entered.
    #[error(transparent)]
    NotOpen(#[from] NotOpen),
    /// No code was sent.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<EnterError> for BeginError {
    fn from(error: EnterError) -> Self {
        match error {
            EnterError::UnknownReferralCode => Self::UnknownReferralCode,
            EnterError::NotOpen(error) => Self::NotOpen(error),
            EnterError::Store(error) => Self::Store(error),
        }
    }
}

/// Stores a sign-up and sends a code to its number, the same for a new number and for one that has entered. A browser that
/// sends the form again while its code is valid gets no second code.
///
/// # Errors
/// [`BeginError`]; nothing was stored then.
pub fn begin<S>(
    store: &S,
    clock: &dyn Clock,
    tools: &CodeTools<'_>,
    request: &BeginRequest,
) -> Result<Begun, BeginError>
where
    S: UnitOfWork<
        Tx: Raffles
                + Codes
                + WaitingSignUps
                + Entrants
                + Referrals
                + Consents
                + Outbox
                + DailyCounts
                + Collection
                + DrawingSteps,
    >,
{
    let now = clock.now();
    let id = SignUpId::random(tools.entropy);
    let browser = &request.browser;
    store.transaction(|tx| {
        let held = tx.hold_raffles()?;
        let raffle = held.open(request.sign_up.raffle)?.key;
        let request = &with_raffle(request, raffle);
        let sign_up = &request.sign_up;
        find_referrer(tx, sign_up)?;
        if let Some((entrant, times)) = own_entrant(tx, request)? {
            let entered = stay_or_move(tx, &held, times, entrant, raffle)?;
            renew_consent(tx, sign_up, entered.entrant.id, now)?;
            return Ok(Begun::AlreadyIn(entered));
        }
        if !request.has_account {
            return Err(Refusal::TextsNotConfigured.into());
        }
        if let Some(waiting) = sent_again(tx, tools, request, now)? {
            return Ok(Begun::Waiting(waiting));
        }
        tx.add_waiting_sign_up(&NewWaitingSignUp {
            id,
            browser: *browser,
            sign_up: sign_up.clone(),
            at: now,
            expires_at: now + CODE_LIFE,
        })?;
        record_step(tx, sign_up, StepName::CodeSent, None, now)?;
        let code = CodeRequest {
            subject: Subject::SignUp(id),
            holder: Holder::Browser(*browser),
            network: request.network,
            is_own: false,
            has_account: request.has_account,
            phone: &sign_up.phone,
            entrant: None,
        };
        tools.send(tx, &code, now)?;
        Ok(Begun::Waiting(just_sent(tx, tools, id, *browser, now)?))
    })
}

/// The request with the raffle that it enters: the code is for that one, whatever opens or closes meanwhile.
fn with_raffle(request: &BeginRequest, raffle: RaffleKey) -> BeginRequest {
    let mut request = request.clone();
    request.sign_up.raffle = Some(raffle);
    request
}

/// The entrant with this number, if the browser holds its token.
fn own_entrant(
    tx: &impl Entrants,
    request: &BeginRequest,
) -> Result<Option<(Entrant, DrawingTimes)>, StoreError> {
    let Some(own) = request.own else {
        return Ok(None);
    };
    let entrant = tx.find_entrant(own.id)?;
    let entrant = entrant.filter(|entrant| entrant.phone == request.sign_up.phone);
    Ok(entrant.map(|entrant| (entrant, own.times)))
}

/// The sign-up that this browser sent for this number a moment ago, now with what the form says this time.
fn sent_again(
    tx: &mut (impl Codes + WaitingSignUps + Outbox),
    tools: &CodeTools<'_>,
    request: &BeginRequest,
    now: DateTime<Utc>,
) -> Result<Option<Waiting>, StoreError> {
    let BeginRequest { sign_up, browser, .. } = request;
    let Some(id) = tx.find_waiting_sign_up(browser, &sign_up.phone, now)? else {
        return Ok(None);
    };
    // Locked before it changes: its code may be entered at this moment.
    let locked = tx.lock_waiting_sign_up(id)?;
    if locked.is_none_or(|locked| locked.waits(now).is_none()) {
        return Ok(None);
    }
    let open = waiting(tx, tools, id, *browser, now)?;
    if open.is_some() {
        tx.replace_sign_up(id, sign_up)?;
    }
    Ok(open)
}
