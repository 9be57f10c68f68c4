use super::record_step;
use crate::codes::{CodeTools, Rejected};
use crate::drawings::DrawingTimes;
use crate::entering::{self, Draws, EnterError, Entered, Proof, find_referrer, renew_consent, with_draws};
use ::codes::{BrowserHash, CODE_LIFE, Code, Codes, Holder, Subject};
use analytics::{Collection, StepName};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingSteps;
use kernel::{Clock, EntrantId, ReferralCode, StoreError, UnitOfWork};
use raffle::{Entrants, NotOpen, Raffles, SignUp, SignUpId, WaitingSignUps};
use referral::Referrals;
use sms::{Consents, Outbox};

/// A try of a code.
#[derive(Debug, Clone)]
pub struct CompleteRequest {
    /// The sign-up.
    pub id: SignUpId,
    /// The browser.
    pub browser: BrowserHash,
    /// The code that was entered.
    pub code: Code,
    /// The link through which nobody else enters until this is done.
    pub turn: Option<ReferralCode>,
    /// When drawings take place, which decides whether the entrant moves to another raffle.
    pub times: DrawingTimes,
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
    /// The code was not taken.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The raffle has ended since the code was sent.
    #[error(transparent)]
    NotOpen(#[from] NotOpen),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Completes a sign-up with its code, once: the entrant is added, or found if the number has entered before. The same code
/// again gets the same answer. A wrong code counts as a try.
///
/// # Errors
/// [`CompleteError`]; no entrant was added then.
pub fn complete<S>(
    store: &S,
    clock: &dyn Clock,
    tools: &CodeTools<'_>,
    request: &CompleteRequest,
) -> Result<Completed, CompleteError>
where
    S: UnitOfWork<
        Tx: Raffles
                + Codes
                + WaitingSignUps
                + Entrants
                + Referrals
                + Consents
                + Outbox
                + Collection
                + DrawingSteps,
    >,
{
    let now = clock.now();
    let tried = with_draws(tools.entropy, |draws| {
        store.transaction(|tx| try_code(tx, tools, request, draws, now))
    });
    match tried {
        Ok(result) => Ok(result?),
        // The sign-up goes on without a code that nobody has, so this does not happen.
        Err(EnterError::UnknownReferralCode) => Err(Rejected::Expired.into()),
        Err(EnterError::NotOpen(error)) => Err(error.into()),
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
) -> Result<Result<Completed, Rejected>, EnterError>
where
    Tx: Raffles
        + Codes
        + WaitingSignUps
        + Entrants
        + Referrals
        + Consents
        + Outbox
        + Collection
        + DrawingSteps,
{
    // Locked first: of several requests with the right code, one enters, and the others find who has.
    let Some(locked) = tx.lock_waiting_sign_up(request.id)? else {
        return Ok(Err(Rejected::Expired));
    };
    let (subject, holder) = (Subject::SignUp(request.id), Holder::Browser(request.browser));
    if let Err(rejected) = tools.attempt(tx, subject, holder, &request.code, now)? {
        return Ok(Err(rejected));
    }
    if let Some((entrant, is_new)) = locked.entered {
        return entered_before(tx, entrant, is_new, now);
    }
    let Some(sign_up) = locked.sign_up else {
        return Ok(Err(Rejected::Expired));
    };
    if let Some(link) = &sign_up.referral_code
        && request.turn.as_ref() != Some(link)
    {
        return Ok(Ok(Completed::NeedsTurn(link.clone())));
    }
    let sign_up = without_gone_friend(tx, sign_up)?;
    let entered = entering::add_entrant(tx, &sign_up, draws, now, Proof::Code(request.times))?;
    let entrant = entered.entrant.id;
    if !entered.is_new {
        renew_consent(tx, &sign_up, entrant, now)?;
    }
    record_step(tx, &sign_up, StepName::CodeVerified, Some(entrant), now)?;
    tx.complete_sign_up(request.id, entrant, entered.is_new)?;
    tx.complete_codes(subject, holder, entrant)?;
    Ok(Ok(Completed::Entered(entered)))
}

/// What the first request with this code was told, for a browser that lost the answer.
fn entered_before(
    tx: &impl Entrants,
    entrant: EntrantId,
    is_new: bool,
    now: DateTime<Utc>,
) -> Result<Result<Completed, Rejected>, EnterError> {
    let Some(entrant) = tx.find_entrant(entrant)? else {
        return Ok(Err(Rejected::Expired)); // erased since
    };
    // While the code is valid, a move can only be the one that it brought about.
    let moves = tx.moves_of(entrant.id)?;
    let moved = moves.last().filter(|last| !is_new && now - last.at < CODE_LIFE);
    Ok(Ok(Completed::Entered(Entered {
        entrant,
        is_new,
        moved_from: moved.map(|last| last.from),
    })))
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
