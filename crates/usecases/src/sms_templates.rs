//! The templates of campaign messages and of welcome messages (D20, D24).

use kernel::{Clock, Raffle, StoreError, UnitOfWork};
use sms::{NewTemplate, Template, TemplateId, Templates, WelcomeMessage, WelcomeTemplate, WelcomeTemplates};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// Why a template was not changed.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// There is no such template.
    #[error("unknown template")]
    UnknownTemplate,
    /// The raffle already has a welcome message.
    #[error("the raffle already has a welcome message")]
    AlreadyThere,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The campaign templates, newest first.
pub fn list<S>(store: &S) -> Result<Vec<Template>, StoreError>
where
    S: UnitOfWork<Tx: Templates>,
{
    store.read(|tx| tx.list_templates())
}

/// Adds a campaign template.
pub fn create<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    new: &NewTemplate,
) -> Result<Template, StoreError>
where
    S: UnitOfWork<Tx: Templates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let id = tx.add_template(new, at)?;
        tx.record_audit(&template_entry(actor, Action::CreateSmsTemplate, id, new, at))?;
        tx.find_template(id)?.ok_or(StoreError::Conflict)
    })
}

/// Changes a campaign template. Campaigns that have started keep the earlier message.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`].
pub fn update<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: TemplateId,
    new: &NewTemplate,
) -> Result<Template, TemplateError>
where
    S: UnitOfWork<Tx: Templates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.change_template(id, new, at)? {
            return Err(TemplateError::UnknownTemplate);
        }
        tx.record_audit(&template_entry(actor, Action::UpdateSmsTemplate, id, new, at))?;
        tx.find_template(id)?.ok_or(TemplateError::UnknownTemplate)
    })
}

fn template_entry(
    actor: Actor,
    action: Action,
    id: TemplateId,
    new: &NewTemplate,
    at: chrono::DateTime<chrono::Utc>,
) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at)
        .target(id.get())
        .text("name", new.name.as_str())
}

/// The welcome messages that staff wrote, in the order of the raffles.
pub fn list_welcomes<S>(store: &S) -> Result<Vec<WelcomeTemplate>, StoreError>
where
    S: UnitOfWork<Tx: WelcomeTemplates>,
{
    store.read(|tx| tx.list_welcomes())
}

/// Adds the welcome message of a raffle that has none.
///
/// # Errors
/// [`TemplateError::AlreadyThere`].
pub fn create_welcome<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    raffle: Raffle,
    message: &WelcomeMessage,
) -> Result<WelcomeTemplate, TemplateError>
where
    S: UnitOfWork<Tx: WelcomeTemplates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.add_welcome(raffle, message, at)? {
            return Err(TemplateError::AlreadyThere);
        }
        tx.record_audit(&welcome_entry(actor, Action::CreateWelcomeSms, raffle, at))?;
        find_welcome(tx, raffle)
    })
}

/// Changes the welcome message of a raffle. Messages that are not sent yet use it too.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`].
pub fn update_welcome<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    raffle: Raffle,
    message: &WelcomeMessage,
) -> Result<WelcomeTemplate, TemplateError>
where
    S: UnitOfWork<Tx: WelcomeTemplates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.change_welcome(raffle, message, at)? {
            return Err(TemplateError::UnknownTemplate);
        }
        tx.record_audit(&welcome_entry(actor, Action::UpdateWelcomeSms, raffle, at))?;
        find_welcome(tx, raffle)
    })
}

/// Deletes the welcome message of a raffle; new entrants then get the default one.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`].
pub fn delete_welcome<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    raffle: Raffle,
) -> Result<(), TemplateError>
where
    S: UnitOfWork<Tx: WelcomeTemplates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.delete_welcome(raffle)? {
            return Err(TemplateError::UnknownTemplate);
        }
        tx.record_audit(&welcome_entry(actor, Action::DeleteWelcomeSms, raffle, at))?;
        Ok(())
    })
}

fn find_welcome(tx: &impl WelcomeTemplates, raffle: Raffle) -> Result<WelcomeTemplate, TemplateError> {
    tx.list_welcomes()?
        .into_iter()
        .find(|welcome| welcome.raffle == raffle)
        .ok_or(TemplateError::UnknownTemplate)
}

fn welcome_entry(
    actor: Actor,
    action: Action,
    raffle: Raffle,
    at: chrono::DateTime<chrono::Utc>,
) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at).target(raffle.as_str())
}
