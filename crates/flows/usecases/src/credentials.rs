//! Saving and choosing the credentials of the SMS provider. [`sms::SmsSettings`] is the port that stores them, and
//! `routes/staff/sms/account.rs` in `web` is the route with which staff save them.

use kernel::{Clock, Sealer, StoreError, UnitOfWork};
use sms::{Credentials, Dispatching, SmsSettings};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// The context in which the credentials are sealed.
const CONTEXT: &str = "sms credentials";

/// The origin of the credentials in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum CredentialsSource {
    /// Saved in the console.
    Console,
    /// Configured in the environment.
    Environment,
}

/// The account that messages are sent with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Account {
    /// These credentials are in use.
    InUse(Credentials, CredentialsSource),
    /// Neither were credentials saved, nor are there any in the environment.
    Missing,
    /// The saved credentials cannot be opened: they were sealed with a key that is not configured any more, or they are
    /// damaged. Nothing is sent, because the environment's account may be somebody else's.
    Unreadable,
}

impl Account {
    /// The credentials, if there are some to use.
    pub fn credentials(self) -> Option<Credentials> {
        match self {
            Self::InUse(credentials, _) => Some(credentials),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

/// The account in use: the one saved in the console, or else that of the environment.
pub fn current<S>(
    store: &S,
    sealer: &dyn Sealer<Credentials>,
    environment: Option<&Credentials>,
) -> Result<Account, StoreError>
where
    S: UnitOfWork<Tx: SmsSettings>,
{
    let sealed = store.read(|tx| tx.sealed_credentials())?;
    Ok(choose_account(sealed, sealer, environment))
}

/// The account saved in the console, or else that of the environment.
pub(crate) fn choose_account(
    sealed: Option<Vec<u8>>,
    sealer: &dyn Sealer<Credentials>,
    environment: Option<&Credentials>,
) -> Account {
    if let Some(sealed) = sealed {
        return sealer
            .open(CONTEXT, &sealed)
            .and_then(|bytes| Credentials::from_bytes(&bytes))
            .map_or(Account::Unreadable, |saved| {
                Account::InUse(saved, CredentialsSource::Console)
            });
    }
    environment.map_or(Account::Missing, |given| {
        Account::InUse(given.clone(), CredentialsSource::Environment)
    })
}

/// Encrypts the saved account again, if there is one that can be opened.
pub(crate) fn reseal<S>(
    store: &S,
    clock: &dyn Clock,
    sealer: &dyn Sealer<Credentials>,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: SmsSettings>,
{
    // Serializable: an account that is saved meanwhile stays.
    store.serializable(|tx| {
        let saved = choose_account(tx.sealed_credentials()?, sealer, None).credentials();
        let Some(saved) = saved else {
            return Ok(());
        };
        tx.save_sealed_credentials(&sealer.seal(CONTEXT, &saved.to_bytes()), clock.now())
    })
}

fn save_entry(
    actor: Actor,
    credentials: &Credentials,
    before: Account,
    at: chrono::DateTime<chrono::Utc>,
) -> NewAuditEntry {
    let entry = NewAuditEntry::new(actor, Action::SaveCredentials, at)
        .text("phoneNumberLast4", credentials.phone().last_four());
    match before.credentials() {
        Some(before) => entry.text("phoneNumberLast4Before", before.phone().last_four()),
        None => entry,
    }
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
        let before = choose_account(tx.sealed_credentials()?, sealer, None);
        tx.save_sealed_credentials(&sealed, at)?;
        tx.clear_halt()?;
        tx.record_audit(&save_entry(actor, credentials, before, at))
            .map(drop)
    })
}
