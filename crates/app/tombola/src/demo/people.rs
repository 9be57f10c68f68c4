//! People in every state in which staff find somebody: on hold, with appeals, entered twice, without texts.

use super::{demo_actor, line};
use crate::SystemClock;
use crate::config::Config;
use crate::privacy::FileJournal;
use ::people::{NewMark, PersonEdit};
use anyhow::Context;
use chrono::{DateTime, Utc};
use fraud::{AppealMessage, Decision, NewFlag, NewSharedNetwork, PublicReason};
use kernel::StoredText;
use pricing::CapRules;
use privacy::RequestType;
use raffle::Entrant;
use raffle::fixtures::KITCHEN_GARDEN;
use staff::SecondPerson;
use store_postgres::PgStore;
use usecases::appeals::DecideCommand;
use usecases::privacy::requests::{self, By, RequestTools};

/// Why somebody is on hold, for staff and for them; what they write, and how staff decide.
type Hold = (
    &'static str,
    PublicReason,
    Option<(&'static str, Option<(Decision, &'static str)>)>,
);

const HOLDS: [Hold; 4] = [
    ("Three numbers, one address", PublicReason::SeveralAccounts, None),
    (
        "Entered within a second",
        PublicReason::Automated,
        Some(("I typed it myself, on my phone.", None)),
    ),
    (
        "Sold links in a forum",
        PublicReason::Rules,
        Some((
            "Everybody shares links.",
            Some((Decision::Reject, "Links that are paid for break the rules.")),
        )),
    ),
    (
        "Two numbers, one address",
        PublicReason::SeveralAccounts,
        Some((
            "My sister and I live together.",
            Some((Decision::Accept, "Thank you for telling us.")),
        )),
    ),
];

/// Of a raffle that has no drawing yet.
pub(super) fn bring(
    store: &PgStore,
    config: &Config,
    entrants: &[Entrant],
    now: DateTime<Utc>,
) -> anyhow::Result<()> {
    let mut others = entrants.iter().filter(|entrant| entrant.raffle == KITCHEN_GARDEN);
    for hold in HOLDS {
        put_on_hold(store, others.next().context("an entrant")?, hold)?;
    }
    let (duplicate, original) = others.next().zip(others.next()).context("two entrants")?;
    let mark = NewMark {
        duplicate: duplicate.id,
        original: original.id,
        reason: line("The same person with a second phone")?,
        at: now,
    };
    usecases::people::mark_duplicate(store, demo_actor(), &mark)?;
    let silent = others.next().context("an entrant")?;
    let reason = line("Asked for it on the phone")?;
    usecases::opting_out::stop_person(store, &SystemClock, demo_actor(), silent.id, &reason)?;
    let known = others.next().context("an entrant")?;
    let edit = PersonEdit {
        entrant: known.id,
        tags: Some(vec!["press".to_owned()]),
        notes: Some("Writes for the Springfield Gazette.".to_owned()),
        at: now,
    };
    usecases::people::edit(store, demo_actor(), &edit)?;
    let cap = CapRules {
        cap: config.entry_cap,
        zone: config.time_zone,
    };
    usecases::free_entries::claim(store, &SystemClock, cap, known.id)?;
    ask_for_data(store, config, known)?;
    let network = NewSharedNetwork::new(
        NewSharedNetwork::read_network("203.0.113.0/24")?,
        line("Springfield library")?,
    );
    usecases::shared_networks::add(store, &SystemClock, demo_actor(), &network)?;
    Ok(())
}

fn put_on_hold(store: &PgStore, entrant: &Entrant, (reason, public, appeal): Hold) -> anyhow::Result<()> {
    let flag = NewFlag {
        entrant: entrant.id,
        reason: reason.to_owned(),
        public_reason: public,
    };
    usecases::flags::flag(store, &SystemClock, demo_actor(), &flag)?;
    let Some((message, decided)) = appeal else {
        return Ok(());
    };
    let message = AppealMessage::parse(message)?;
    let standing = usecases::appeals::add(store, &SystemClock, entrant.id, &message)?;
    let Some((decision, note)) = decided else {
        return Ok(());
    };
    let command = DecideCommand {
        appeal: standing.appeal.context("the appeal")?.id,
        decision,
        note: Some(StoredText::lines(note, 500)?),
    };
    usecases::appeals::decide(store, &SystemClock, demo_actor(), &command)?;
    Ok(())
}

fn ask_for_data(store: &PgStore, config: &Config, entrant: &Entrant) -> anyhow::Result<()> {
    let keys = config.keys.request_keys().context("SECRET_KEY")?;
    let tools = RequestTools {
        clock: &SystemClock,
        keys: &keys,
        journal: &FileJournal::configured(config),
        codes: None,
        has_account: false,
    };
    let by = By::Staff(demo_actor(), SecondPerson::NotNeeded);
    requests::request(store, &tools, by, entrant.id, RequestType::Export)?;
    Ok(())
}
