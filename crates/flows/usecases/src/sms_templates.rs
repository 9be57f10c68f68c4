//! The templates of campaign messages and of welcome messages.

use crate::campaign_results::text_to;
use crate::provider_callbacks::queue_test;
use kernel::{Clock, Entropy, MessageId, PageRequest, Phone, StaffName, StoreError, UnitOfWork};
use raffle::{RaffleKey, Raffles};
use sms::{
    CampaignSecret, LinkBase, NewTemplate, Outbox, Template, TemplateFilter, TemplateId, Templates,
    WelcomeMessage, WelcomeTemplate, WelcomeTemplates,
};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// Why a template was not changed.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// There is no such template.
    #[error("unknown template")]
    UnknownTemplate,
    /// There is no such raffle.
    #[error("unknown raffle")]
    UnknownRaffle,
    /// The raffle already has a welcome message.
    #[error("the raffle already has a welcome message")]
    AlreadyThere,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A page of the campaign templates that match, newest first, with the number of all that match.
pub fn list<S>(
    store: &S,
    filter: &TemplateFilter,
    page: PageRequest,
) -> Result<(Vec<Template>, i64), StoreError>
where
    S: UnitOfWork<Tx: Templates>,
{
    store.snapshot(|tx| Ok((tx.list_templates(filter, page)?, tx.count_templates(filter)?)))
}

/// Adds a campaign template. Without a raffle it is for the default one.
///
/// # Errors
/// [`TemplateError::UnknownRaffle`].
pub fn create<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    staff: Option<&StaffName>,
    new: &NewTemplate,
) -> Result<Template, TemplateError>
where
    S: UnitOfWork<Tx: Raffles + Templates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        check_raffle(tx, new.raffle)?;
        let id = tx.add_template(new, staff, at)?;
        tx.record_audit(&template_entry(actor, Action::CreateSmsTemplate, id, new, at))?;
        tx.find_template(id)?.ok_or(TemplateError::UnknownTemplate)
    })
}

/// A raffle that was never open can have texts, too.
fn check_raffle(tx: &impl Raffles, raffle: RaffleKey) -> Result<(), TemplateError> {
    match tx.list_raffles()?.find(raffle) {
        Some(_) => Ok(()),
        None => Err(TemplateError::UnknownRaffle),
    }
}

/// Changes a campaign template. Campaigns that have started keep the earlier message.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`], [`TemplateError::UnknownRaffle`].
pub fn update<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: TemplateId,
    new: &NewTemplate,
) -> Result<Template, TemplateError>
where
    S: UnitOfWork<Tx: Raffles + Templates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        check_raffle(tx, new.raffle)?;
        if !tx.change_template(id, new, at)? {
            return Err(TemplateError::UnknownTemplate);
        }
        tx.record_audit(&template_entry(actor, Action::UpdateSmsTemplate, id, new, at))?;
        tx.find_template(id)?.ok_or(TemplateError::UnknownTemplate)
    })
}

/// Queues the text of a template to one number, as a recipient of a campaign would read it. Its link is nobody's. It is a test: it
/// takes nothing from the monthly cap of the number.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`].
pub fn send_test<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    link_base: &LinkBase,
    actor: Actor,
    id: TemplateId,
    phone: &Phone,
) -> Result<MessageId, TemplateError>
where
    S: UnitOfWork<Tx: Raffles + Templates + Outbox + AuditLog>,
{
    let at = clock.now();
    // The link makes the body unique, so that the message can be looked up at the provider.
    let secret = CampaignSecret::new(entropy.bytes());
    store.transaction(|tx| {
        let template = tx
            .find_template(id)?
            .ok_or(TemplateError::UnknownTemplate)?
            .content;
        let raffles = tx.list_raffles()?;
        let text = text_to(
            phone,
            &raffles,
            &template.message,
            template.raffle,
            link_base,
            &secret,
        )?;
        let message = queue_test(tx, phone, &text, at)?;
        let entry = NewAuditEntry::new(actor, Action::SendTestText, at).target(message);
        tx.record_audit(&entry.number("templateId", id.get()))?;
        Ok(message)
    })
}

/// Sets whether campaigns may be scheduled with a template. The rest of it stays, whatever others change meanwhile.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`].
pub fn switch<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: TemplateId,
    is_active: bool,
) -> Result<Template, TemplateError>
where
    S: UnitOfWork<Tx: Templates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.switch_template(id, is_active, at)? {
            return Err(TemplateError::UnknownTemplate);
        }
        let template = tx.find_template(id)?.ok_or(TemplateError::UnknownTemplate)?;
        let entry = template_entry(actor, Action::UpdateSmsTemplate, id, &template.content, at);
        tx.record_audit(&entry.text("active", on_or_off(is_active)))?;
        Ok(template)
    })
}

const fn on_or_off(is_active: bool) -> &'static str {
    if is_active { "on" } else { "off" }
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

/// A page of the welcome messages that staff wrote, in the order of the raffles, with the number of all. There is at most
/// one for each raffle.
pub fn list_welcomes<S>(store: &S, page: PageRequest) -> Result<(Vec<WelcomeTemplate>, i64), StoreError>
where
    S: UnitOfWork<Tx: WelcomeTemplates>,
{
    let welcomes = store.read::<_, StoreError>(|tx| tx.list_welcomes())?;
    let total = i64::try_from(welcomes.len()).unwrap_or(i64::MAX);
    let part = welcomes.into_iter().skip(page.offset as usize);
    Ok((part.take(page.limit as usize).collect(), total))
}

/// Adds the welcome message of a raffle that has none.
///
/// # Errors
/// [`TemplateError::AlreadyThere`], [`TemplateError::UnknownRaffle`].
pub fn create_welcome<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    staff: Option<&StaffName>,
    raffle: RaffleKey,
    message: &WelcomeMessage,
) -> Result<WelcomeTemplate, TemplateError>
where
    S: UnitOfWork<Tx: Raffles + WelcomeTemplates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        check_raffle(tx, raffle)?;
        if !tx.add_welcome(raffle, message, staff, at)? {
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
    raffle: RaffleKey,
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

/// Sets whether new entrants of a raffle get its welcome message. While it is inactive they get no text at all.
///
/// # Errors
/// [`TemplateError::UnknownTemplate`].
pub fn switch_welcome<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    raffle: RaffleKey,
    is_active: bool,
) -> Result<WelcomeTemplate, TemplateError>
where
    S: UnitOfWork<Tx: WelcomeTemplates + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        if !tx.switch_welcome(raffle, is_active, at)? {
            return Err(TemplateError::UnknownTemplate);
        }
        let entry = welcome_entry(actor, Action::UpdateWelcomeSms, raffle, at);
        tx.record_audit(&entry.text("active", on_or_off(is_active)))?;
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
    raffle: RaffleKey,
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

fn find_welcome(tx: &impl WelcomeTemplates, raffle: RaffleKey) -> Result<WelcomeTemplate, TemplateError> {
    tx.list_welcomes()?
        .into_iter()
        .find(|welcome| welcome.raffle == raffle)
        .ok_or(TemplateError::UnknownTemplate)
}

fn welcome_entry(
    actor: Actor,
    action: Action,
    raffle: RaffleKey,
    at: chrono::DateTime<chrono::Utc>,
) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at).target(raffle.as_str())
}
