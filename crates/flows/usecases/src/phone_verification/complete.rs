use super::{CodeTools, record_step};
use crate::entering::{self, Draws, EnterError, Entered, find_referrer, renew_consent, with_draws};
use ::verification::{Attempt, BrowserHash, Code, VerificationId, Verifications};
use analytics::{Collection, StepName};
use chrono::{DateTime, Utc};
use kernel::{ReferralCode, StoreError, UnitOfWork};
use raffle::{Entrants, SignUp};
use referral::Referrals;
use sms::{Consents, Outbox};

/// A try of a code.
#[derive(Debug, Clone)]
pub struct CompleteRequest {
    /// The verification.
    pub id: VerificationId,
    /// The browser.
    pub browser: BrowserHash,
    /// The code that was entered.
    pub code: Code,
    /// The link through which nobody else enters until this is done.
    pub turn: Option<ReferralCode>,
}

/// What a right code comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completed {
    /// The sign-up is completed.
    Entered(Entered),
    /// Nothing has changed. The sign-up came through this link, and those who enter through one link take turns, because each
    /// of them locks the row of the referrer: complete it again in a turn.
    NeedsTurn(ReferralCode),
}

/// Why a sign-up was not completed.
#[derive(Debug, thiserror::Error)]
pub enum CompleteError {
    /// This is not the code that was sent last; so many tries are left.
    #[error("wrong code")]
    WrongCode {
        /// The tries that are left.
        left: u32,
    },
    /// The code is too old or was tried too often, or this browser did not ask for it.
    #[error("expired")]
    Expired,
    /// The sign-up was completed before.
    #[error("used")]
    Used,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Completes a sign-up with its code, once: the entrant is added, or found if the number has entered before. A wrong code
/// counts as a try.
///
/// # Errors
/// [`CompleteError`]; no entrant was added then.
pub fn complete<S>(
    store: &S,
    tools: &CodeTools<'_>,
    request: &CompleteRequest,
) -> Result<Completed, CompleteError>
where
    S: UnitOfWork<Tx: Verifications + Entrants + Referrals + Consents + Outbox + Collection>,
{
    let now = tools.clock.now();
    let tried = with_draws(tools.entropy, |draws| {
        store.transaction(|tx| try_code(tx, tools, request, draws, now))
    });
    match tried {
        Ok(result) => result,
        // The sign-up goes on without a code that nobody has, so this does not happen.
        Err(EnterError::UnknownReferralCode) => Err(CompleteError::Expired),
        Err(EnterError::Store(error)) => Err(error.into()),
    }
}

/// The inner result commits, also when it is an error: wrong tries are counted.
fn try_code<Tx>(
    tx: &mut Tx,
    tools: &CodeTools<'_>,
    request: &CompleteRequest,
    draws: &Draws,
    now: DateTime<Utc>,
) -> Result<Result<Completed, CompleteError>, EnterError>
where
    Tx: Verifications + Entrants + Referrals + Consents + Outbox + Collection,
{
    let Some(verification) = tx.lock_verification(request.id)? else {
        return Ok(Err(CompleteError::Expired));
    };
    match verification.attempt(tools.key, &request.browser, &request.code, now) {
        Attempt::Right(sign_up) => {
            if let Some(link) = &sign_up.referral_code
                && request.turn.as_ref() != Some(link)
            {
                return Ok(Ok(Completed::NeedsTurn(link.clone())));
            }
            let sign_up = without_gone_friend(tx, sign_up)?;
            let entered = entering::add_entrant(tx, &sign_up, draws, now)?;
            let entrant = entered.entrant.id;
            if !entered.is_new {
                renew_consent(tx, &sign_up, entrant, now)?;
            }
            record_step(tx, &sign_up, StepName::CodeVerified, Some(entrant), now)?;
            tx.complete_verification(request.id, entrant, now)?;
            Ok(Ok(Completed::Entered(entered)))
        }
        Attempt::Wrong { left } => {
            tx.count_try(request.id)?;
            Ok(Err(CompleteError::WrongCode { left }))
        }
        Attempt::Expired => Ok(Err(CompleteError::Expired)),
        Attempt::Used => Ok(Err(CompleteError::Used)),
    }
}

/// The sign-up as it was sent, without the code of a friend that is gone by now.
fn without_gone_friend(tx: &impl Referrals, sign_up: SignUp) -> Result<SignUp, EnterError> {
    match find_referrer(tx, &sign_up) {
        Ok(_) => Ok(sign_up),
        Err(EnterError::UnknownReferralCode) => Ok(SignUp {
            referral_code: None,
            ..sign_up
        }),
        Err(error) => Err(error),
    }
}
