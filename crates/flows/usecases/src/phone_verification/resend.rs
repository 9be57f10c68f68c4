use super::waiting::just_sent;
use super::{Waiting, WaitingError};
use crate::codes::{CodeRequest, CodeTools, Refusal, Rejected};
use ::codes::{BrowserHash, CODE_LIFE, Codes, Holder, Subject};
use chrono::{DateTime, Utc};
use kernel::{Clock, StoreError, UnitOfWork};
use raffle::{SignUp, SignUpId, WaitingSignUps};
use sms::{DailyCounts, Outbox};
use std::net::IpAddr;

/// A request for another code.
#[derive(Debug, Clone)]
pub struct ResendRequest {
    /// The sign-up.
    pub id: SignUpId,
    /// The browser.
    pub browser: BrowserHash,
    /// The network that the request came from: an IPv4 address, or the first address of an IPv6 /64.
    pub network: Option<IpAddr>,
    /// Whether there is an account to send texts with.
    pub has_account: bool,
}

/// Sends another code, which ends the one before. Its ten minutes begin now, and so do its tries.
///
/// # Errors
/// [`WaitingError`]; the code before stays valid then.
pub fn resend<S>(
    store: &S,
    clock: &dyn Clock,
    tools: &CodeTools<'_>,
    request: &ResendRequest,
) -> Result<Waiting, WaitingError>
where
    S: UnitOfWork<Tx: Codes + WaitingSignUps + Outbox + DailyCounts>,
{
    let now = clock.now();
    store.transaction(|tx| {
        let sign_up = lock_open(tx, request, now)??;
        let (subject, holder) = (Subject::SignUp(request.id), Holder::Browser(request.browser));
        let before = tools.awaited(tx, subject, holder, now)?;
        // Whoever changes the network waits as long as the page says.
        if let Some(before) = before.filter(|before| !before.resend_after.is_zero()) {
            return Err(Refusal::Limited(before.resend_after).into());
        }
        tx.extend_sign_up(request.id, now + CODE_LIFE)?;
        let code = CodeRequest {
            subject,
            holder,
            network: request.network,
            is_own: false,
            has_account: request.has_account,
            phone: &sign_up.phone,
            entrant: None,
        };
        tools.send(tx, &code, now)?;
        Ok(just_sent(tx, tools, request.id, request.browser, now)?)
    })
}

fn lock_open(
    tx: &mut impl WaitingSignUps,
    request: &ResendRequest,
    now: DateTime<Utc>,
) -> Result<Result<SignUp, Rejected>, StoreError> {
    let found = tx.lock_waiting_sign_up(request.id)?;
    let Some(own) = found.filter(|found| found.browser == request.browser) else {
        return Ok(Err(Rejected::Expired));
    };
    Ok(match own.waits(now) {
        Some(sign_up) => Ok(sign_up.clone()),
        None if own.entered.is_some() => Err(Rejected::Used),
        None => Err(Rejected::Expired),
    })
}
