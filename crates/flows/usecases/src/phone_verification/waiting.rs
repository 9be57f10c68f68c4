use crate::codes::{Awaited, CodeTools, Refusal, Rejected};
use ::codes::{Codes, Holder, Subject};
use chrono::{DateTime, Utc};
use kernel::{BrowserHash, Clock, StoreError, UnitOfWork};
use raffle::SignUpId;
use sms::Outbox;

/// A sign-up that waits for its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The id of the sign-up.
    pub id: SignUpId,
    /// The code.
    pub code: Awaited,
}

/// Why a sign-up does not wait for a code.
#[derive(Debug, thiserror::Error)]
pub enum WaitingError {
    /// It waits no longer or was completed, or this browser did not begin it.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// No other code was sent.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a browser waits for that began a sign-up. Changes nothing.
///
/// # Errors
/// [`WaitingError::Rejected`].
pub fn wait<S>(
    store: &S,
    clock: &dyn Clock,
    tools: &CodeTools<'_>,
    id: SignUpId,
    browser: BrowserHash,
) -> Result<Waiting, WaitingError>
where
    S: UnitOfWork<Tx: Codes + Outbox>,
{
    let now = clock.now();
    store.read(|tx| {
        let (subject, holder) = (Subject::SignUp(id), Holder::Browser(browser));
        let is_completed = tx
            .find_code(subject, holder)?
            .is_some_and(|sent| sent.is_completed);
        match waiting(tx, tools, id, browser, now)? {
            Some(waiting) => Ok(waiting),
            None if is_completed => Err(Rejected::Used.into()),
            None => Err(Rejected::Expired.into()),
        }
    })
}

/// The sign-up, if the code can be entered that was sent for it last.
pub(super) fn waiting(
    tx: &(impl Codes + Outbox),
    tools: &CodeTools<'_>,
    id: SignUpId,
    browser: BrowserHash,
    now: DateTime<Utc>,
) -> Result<Option<Waiting>, StoreError> {
    let code = tools.awaited(tx, Subject::SignUp(id), Holder::Browser(browser), now)?;
    Ok(code.map(|code| Waiting { id, code }))
}

/// The same of a sign-up whose code was sent just now.
pub(super) fn just_sent(
    tx: &(impl Codes + Outbox),
    tools: &CodeTools<'_>,
    id: SignUpId,
    browser: BrowserHash,
    now: DateTime<Utc>,
) -> Result<Waiting, StoreError> {
    let sent = waiting(tx, tools, id, browser, now)?;
    sent.ok_or_else(|| StoreError::Failed("a code that was sent is gone".into()))
}
