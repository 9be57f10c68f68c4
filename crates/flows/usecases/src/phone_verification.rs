//! Proving a phone number with a one-time code. A sign-up waits until its code is entered, and so does an entrant
//! who comes back.

mod begin;
mod complete;
mod resend;
mod waiting;

pub use begin::{BeginError, BeginRequest, Begun, begin};
pub use complete::{CompleteError, CompleteRequest, Completed, complete};
pub use resend::{ResendRequest, resend};
pub use waiting::{Waiting, WaitingError, wait};

use crate::codes::COUNTED;
use ::codes::Codes;
use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{Clock, EntrantId, StoreError, UnitOfWork};
use raffle::{SignUp, WaitingSignUps};

/// Forgets sign-ups whose code has expired, and codes that no limit counts any more. Returns how many rows changed.
///
/// # Errors
/// When the store fails.
pub fn forget<S>(store: &S, clock: &dyn Clock) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: Codes + WaitingSignUps>,
{
    let now = clock.now();
    store.transaction(|tx| {
        let sign_ups = tx.forget_sign_ups(now, now - COUNTED)?;
        Ok(sign_ups + tx.forget_codes(now - COUNTED)?)
    })
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
        raffle: sign_up.raffle,
        step,
        entrant,
        data: StepData::default(),
        time_spent: None,
        at,
    })
}
