//! The account that texts are sent with: D18.

use kernel::{Clock, Sealer, StoreError, UnitOfWork};
use sms::{Credentials, Dispatching, SmsSettings};
use staff::{Action, Actor, AuditLog, Detail, NewAuditEntry};

/// What the credentials are sealed for.
const PURPOSE: &str = "sms credentials";

/// Where credentials come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialsSource {
    /// Staff saved them.
    Console,
    /// The server was started with them.
    Environment,
}

/// The credentials that hold now: those saved in the console, or else those of the environment. What was sealed with a
/// key that is not known any more counts as not saved.
pub fn current<S>(
    store: &S,
    sealer: &dyn Sealer,
    environment: Option<&Credentials>,
) -> Result<Option<(Credentials, CredentialsSource)>, StoreError>
where
    S: UnitOfWork<Tx: SmsSettings>,
{
    let sealed = store.read(|tx| tx.sealed_credentials())?;
    let saved = sealed
        .and_then(|sealed| sealer.open(PURPOSE, &sealed))
        .and_then(|bytes| Credentials::from_bytes(&bytes));
    Ok(saved
        .map(|saved| (saved, CredentialsSource::Console))
        .or_else(|| environment.map(|given| (given.clone(), CredentialsSource::Environment))))
}

/// Saves credentials, sealed. Sending begins anew with them.
pub fn save<S>(
    store: &S,
    clock: &dyn Clock,
    sealer: &dyn Sealer,
    actor: Actor,
    credentials: &Credentials,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: SmsSettings + Dispatching + AuditLog>,
{
    let at = clock.now();
    let sealed = sealer.seal(PURPOSE, &credentials.to_bytes());
    store.transaction(|tx| {
        tx.save_sealed_credentials(&sealed, at)?;
        tx.set_halt(None)?;
        let last_four = Detail::Text(credentials.phone().last_four().to_owned());
        tx.record_audit(&NewAuditEntry {
            actor,
            action: Action::SaveCredentials,
            target: None,
            details: vec![("phoneNumberLast4", last_four)],
            at,
        })
        .map(drop)
    })
}
