use super::{CodeTools, Refusal, Waiting};
use ::verification::{
    BrowserHash, CODE_LIFE, Code, RESEND_AFTER, Verification, VerificationId, Verifications,
};
use chrono::{DateTime, Utc};
use kernel::{StoreError, UnitOfWork};
use raffle::Entrants;
use sms::{DailyCounts, Outbox};
use std::net::IpAddr;

/// A request for another code.
#[derive(Debug, Clone)]
pub struct ResendRequest {
    /// The verification.
    pub id: VerificationId,
    /// The browser.
    pub browser: BrowserHash,
    /// The network that the request came from: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
    /// Whether texts can be sent at all.
    pub can_text: bool,
}

/// Why no other code was sent.
#[derive(Debug, thiserror::Error)]
pub enum ResendError {
    /// The sign-up waits no longer, or this browser did not begin it.
    #[error("expired")]
    Expired,
    /// The sign-up was completed before.
    #[error("used")]
    Used,
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

/// Sends another code, which replaces the one before. Its ten minutes begin now; the tries go on.
///
/// # Errors
/// [`ResendError`]; the code before stays valid then.
pub fn resend<S>(store: &S, tools: &CodeTools<'_>, request: &ResendRequest) -> Result<Waiting, ResendError>
where
    S: UnitOfWork<Tx: Verifications + Entrants + Outbox + DailyCounts>,
{
    let now = tools.clock.now();
    let code = Code::random(tools.entropy);
    store.transaction(|tx| {
        let open = open_verification(tx, request, now)?;
        let Some(sign_up) = &open.sign_up else {
            return Err(ResendError::Expired);
        };
        if !request.can_text {
            return Err(ResendError::TextsNotConfigured);
        }
        if tools.limits && now < open.resend_at {
            return Err(Refusal::Limited(open.resend_at - now).into());
        }
        let sender = tools.sender(&sign_up.phone, request.network);
        tools.check_limits(tx, &sender, Some(open.id), now)?;
        let hash = tools.key.hash_code(open.id, &code);
        let (expires_at, resend_at) = (now + CODE_LIFE, now + RESEND_AFTER);
        tx.replace_code(open.id, &hash, &sender, now, expires_at, resend_at)?;
        tools.send(tx, &sign_up.phone, &code, now)?;
        Ok(Waiting::at(now, open.id, expires_at, resend_at))
    })
}

fn open_verification(
    tx: &mut impl Verifications,
    request: &ResendRequest,
    now: DateTime<Utc>,
) -> Result<Verification, ResendError> {
    let found = tx.lock_verification(request.id)?;
    let own = found.filter(|found| found.browser == request.browser);
    match own.ok_or(ResendError::Expired)? {
        done if done.is_completed => Err(ResendError::Used),
        open if open.is_open(now) => Ok(open),
        _ => Err(ResendError::Expired),
    }
}
