use super::{CodeTools, Refusal, Waiting, record_step};
use crate::entering::{EnterError, Entered, find_referrer, renew_consent};
use ::verification::{
    BrowserHash, CODE_LIFE, Code, NewVerification, RESEND_AFTER, Sender, VerificationId, Verifications,
};
use analytics::{Collection, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, StoreError, UnitOfWork};
use raffle::{Entrants, SignUp};
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
    pub own: Option<EntrantId>,
    /// The network that the request came from: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
    /// Whether texts can be sent at all.
    pub can_text: bool,
}

/// What a sign-up comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// This browser holds the token of this number's entrant. Nothing has changed.
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
    /// There is no account to send texts with.
    #[error("no account to send texts with")]
    TextsNotConfigured,
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
            EnterError::Store(error) => Self::Store(error),
        }
    }
}

/// Stores a sign-up and sends a code to its number, the same for a new number and for one that has entered. A browser that
/// sends the form again while its code is valid gets no second code.
///
/// # Errors
/// [`BeginError`]; nothing was stored then.
pub fn begin<S>(store: &S, tools: &CodeTools<'_>, request: &BeginRequest) -> Result<Begun, BeginError>
where
    S: UnitOfWork<Tx: Verifications + Entrants + Referrals + Consents + Outbox + DailyCounts + Collection>,
{
    let now = tools.clock.now();
    let id = VerificationId::random(tools.entropy);
    let code = Code::random(tools.entropy);
    let sender = tools.sender(&request.sign_up.phone, request.network);
    store.transaction(|tx| {
        find_referrer(tx, &request.sign_up)?;
        if let Some(entered) = own_entrant(tx, request)? {
            renew_consent(tx, &request.sign_up, entered.entrant.id, now)?;
            return Ok(Begun::AlreadyIn(entered));
        }
        if !request.can_text {
            return Err(BeginError::TextsNotConfigured);
        }
        if let Some(waiting) = sent_again(tx, request, &sender, now)? {
            return Ok(Begun::Waiting(waiting));
        }
        tools.check_limits(tx, &sender, None, now)?;
        let new = NewVerification {
            id,
            browser: request.browser,
            code: tools.key.hash_code(id, &code),
            sender,
            at: now,
            expires_at: now + CODE_LIFE,
            resend_at: now + RESEND_AFTER,
            sign_up: request.sign_up.clone(),
        };
        tx.add_verification(&new)?;
        record_step(tx, &request.sign_up, StepName::CodeSent, None, now)?;
        tools.send(tx, &request.sign_up.phone, &code, now)?;
        Ok(Begun::Waiting(Waiting::at(
            now,
            id,
            new.expires_at,
            new.resend_at,
        )))
    })
}

/// The entrant with this number, if the browser holds its token.
fn own_entrant(tx: &impl Entrants, request: &BeginRequest) -> Result<Option<Entered>, StoreError> {
    let Some(own) = request.own else {
        return Ok(None);
    };
    let entrant = tx.find_entrant(own)?;
    let entrant = entrant.filter(|entrant| entrant.phone == request.sign_up.phone);
    Ok(entrant.map(|entrant| Entered {
        entrant,
        is_new: false,
    }))
}

/// The verification that this browser began for this number a moment ago, now with what the form says this time.
fn sent_again(
    tx: &mut impl Verifications,
    request: &BeginRequest,
    sender: &Sender,
    now: DateTime<Utc>,
) -> Result<Option<Waiting>, StoreError> {
    let open = tx.find_open_verification(&request.browser, &sender.number, now)?;
    let Some(open) = open else {
        return Ok(None);
    };
    // Locked before it changes: its code may be entered at this moment.
    let open = tx.lock_verification(open.id)?.filter(|open| open.is_open(now));
    let Some(open) = open else {
        return Ok(None);
    };
    tx.replace_sign_up(open.id, &request.sign_up)?;
    Ok(Some(Waiting::at(now, open.id, open.expires_at, open.resend_at)))
}
