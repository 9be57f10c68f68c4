//! Sample messages: templates, a welcome message, a campaign to send now and one for next week.

use super::demo_actor;
use super::raffles::SUMMER_PICNIC;
use crate::{OsEntropy, SystemClock};
use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Phone, StaffName};
use raffle::RaffleKey;
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use sms::{
    Audience, DEFAULT_PLACEHOLDER, Label, LinkBase, MessageTemplate, NewTemplate, ProviderMessageId, Start,
    Template, WelcomeMessage,
};
use store_postgres::PgStore;
use usecases::campaigns::ScheduleCommand;
use usecases::provider_callbacks::{InboundMessage, record_inbound_message};

const TEMPLATES: [(&str, RaffleKey, &str); 3] = [
    (
        "New kit on show",
        FRESH_SIPS,
        "This month's Fresh Sips kit is on show, and you are in the draw: {LINK} Reply STOP to get no more texts.",
    ),
    (
        "Seedlings",
        GARDEN_BAG,
        "The garden bag now comes with seedlings. See what you could win: {LINK} Reply STOP to get no more texts.",
    ),
    (
        "The basket is packed",
        SUMMER_PICNIC,
        "The picnic basket is packed, and you are in the draw. See what is in it: {LINK} Reply STOP to get no more texts.",
    ),
];

const WELCOME: &str = "Cheers, you're in the Fresh Sips raffle. Every friend who enters through your link gives you \
                       an entry: {your-link} Reply STOP to get no more texts.";

/// Creates the templates and campaigns. A demo sends them to the stand-in.
pub(super) fn prepare(store: &PgStore, public_origin: &str, now: DateTime<Utc>) -> anyhow::Result<()> {
    let welcome = WelcomeMessage::parse(WELCOME).context("a demo message is invalid")?;
    let (staff, page) = (demo_staff(), FRESH_SIPS);
    let staff = staff.as_ref();
    usecases::sms_templates::create_welcome(store, &SystemClock, demo_actor(), staff, page, &welcome)?;
    let next_week = now + TimeDelta::days(7);
    let campaigns = [
        ("Fresh Sips, this month", Audience::Raffle(FRESH_SIPS), Start::Now),
        ("Seedlings for all", Audience::All, Start::At(next_week)),
        ("A new raffle", Audience::Raffle(SUMMER_PICNIC), Start::Now),
    ];
    for (template, campaign) in TEMPLATES.into_iter().zip(campaigns) {
        schedule(store, public_origin, &add(store, template)?, campaign)?;
    }
    Ok(())
}

/// The name in the records of the demo.
fn demo_staff() -> Option<StaffName> {
    StaffName::parse("demo")
}

/// What people replied, the newest last.
const REPLIES: [(&str, &str); 5] = [
    ("+15550100201", "When is the drawing?"),
    ("+15550100202", "STOP"),
    (
        "+15550100203",
        "My number changes next week. Can I keep my entries?\nThanks, Kim",
    ),
    ("+15550100201", "Thanks!"),
    ("+15550100204", "I said stop, didn't I?"),
];

/// Nobody gets an answer to these replies.
const SITE_NAME: &str = "Tombola";

/// Stores the replies, as if the provider had passed them on.
pub(super) fn receive_replies(store: &PgStore) -> anyhow::Result<()> {
    for (n, (from, body)) in REPLIES.into_iter().enumerate() {
        let message = InboundMessage {
            provider_id: ProviderMessageId::parse(&format!("SMdemo{n}")).context("a demo id is invalid")?,
            from: Phone::from_e164(from).context("a demo number is invalid")?,
            body: body.to_owned(),
            of_provider: None,
        };
        record_inbound_message(store, &SystemClock, SITE_NAME, &message)?;
    }
    Ok(())
}

fn add(store: &PgStore, (name, landing_page, text): (&str, RaffleKey, &str)) -> anyhow::Result<Template> {
    let message = MessageTemplate::parse(text, DEFAULT_PLACEHOLDER)
        .ok()
        .context("a demo message is invalid")?;
    let new = NewTemplate {
        name: Label::parse(name).context("a demo name is invalid")?,
        raffle: landing_page,
        message,
        is_active: true,
    };
    Ok(usecases::sms_templates::create(
        store,
        &SystemClock,
        demo_actor(),
        demo_staff().as_ref(),
        &new,
    )?)
}

fn schedule(
    store: &PgStore,
    public_origin: &str,
    template: &Template,
    (name, audience, start): (&str, Audience, Start),
) -> anyhow::Result<()> {
    let command = ScheduleCommand {
        actor: demo_actor(),
        staff: demo_staff(),
        name: Label::parse(name).context("a demo name is invalid")?,
        template: template.id,
        start,
        audience,
        consent_basis: None,
        link_base: LinkBase::parse(public_origin).context("PUBLIC_ORIGIN is too long for links in texts")?,
        idempotency_key: None,
    };
    usecases::campaigns::schedule(store, &SystemClock, &OsEntropy, &command)?;
    Ok(())
}
