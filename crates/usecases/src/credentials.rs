//! Saving and choosing the credentials of the SMS provider (D18). [`sms::SmsSettings`] is the port that stores them, and
//! `routes/staff/sms/account.rs` in `web` is the route with which staff save them.

use kernel::{Clock, Sealer, StoreError, UnitOfWork};
use sms::{Credentials, Dispatching, SmsSettings};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// The context in which the credentials are sealed.
const CONTEXT: &str = "sms credentials";

/// The origin of the credentials in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialsSource {
    /// Saved in the console.
    Console,
    /// Configured in the environment.
    Environment,
}

/// The credentials in use: those saved in the console, or else those of the environment. Saved credentials that were
/// sealed with a key that is not configured any more count as not saved.
pub fn current<S>(
    store: &S,
    sealer: &dyn Sealer<Credentials>,
    environment: Option<&Credentials>,
) -> Result<Option<(Credentials, CredentialsSource)>, StoreError>
where
    S: UnitOfWork<Tx: SmsSettings>,
{
    let sealed = store.read(|tx| tx.sealed_credentials())?;
    Ok(choose_credentials(sealed, sealer, environment))
}

/// Credentials saved in the console, or else those of the environment.
pub(crate) fn choose_credentials(
    sealed: Option<Vec<u8>>,
    sealer: &dyn Sealer<Credentials>,
    environment: Option<&Credentials>,
) -> Option<(Credentials, CredentialsSource)> {
    let saved = sealed
        .and_then(|sealed| sealer.open(CONTEXT, &sealed))
        .and_then(|bytes| Credentials::from_bytes(&bytes));
    saved
        .map(|saved| (saved, CredentialsSource::Console))
        .or_else(|| environment.map(|given| (given.clone(), CredentialsSource::Environment)))
}

/// Seals and saves credentials, and clears a halt of sending.
pub fn save<S>(
    store: &S,
    clock: &dyn Clock,
    sealer: &dyn Sealer<Credentials>,
    actor: Actor,
    credentials: &Credentials,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: SmsSettings + Dispatching + AuditLog>,
{
    let at = clock.now();
    let sealed = sealer.seal(CONTEXT, &credentials.to_bytes());
    store.transaction(|tx| {
        tx.save_sealed_credentials(&sealed, at)?;
        tx.clear_halt()?;
        tx.record_audit(
            &NewAuditEntry::new(actor, Action::SaveCredentials, at)
                .text("phoneNumberLast4", credentials.phone().last_four()),
        )
        .map(drop)
    })
}
