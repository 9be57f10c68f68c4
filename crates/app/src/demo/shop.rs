//! Packages on sale and some purchases, so that success pages have offers and the figures have sales.

use super::{At, session};
use crate::OsEntropy;
use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Money, StoreError, UnitOfWork};
use pricing::{
    EntryCount, EventKind, Intent, IntentId, IntentStatus, NewPackage, PackageId, PackageText, Packages,
    PricingSettings, ProviderEvent,
};
use raffle::Entrant;
use store_postgres::PgStore;
use usecases::purchases::{ConfirmCommand, PurchaseCommand, PurchaseStarted};

/// Name, description, entries, cents; the second is marked as popular.
const OFFERS: [(&str, &str, i64, i64); 3] = [
    ("Handful", "A few more tickets in the drum.", 10, 499),
    ("Bundle", "Fifty tickets, for every drawing to come.", 50, 1_999),
    ("Drumful", "As many as most people ever have.", 300, 4_999),
];

/// One in this many entrants buys a package, an hour after entering.
const ONE_IN: usize = 12;

/// Puts the packages on sale, and makes the purchases.
pub(super) fn open(store: &PgStore, entrants: &[Entrant], now: DateTime<Utc>) -> anyhow::Result<()> {
    let opened_at = now - TimeDelta::days(40);
    store.transaction::<_, StoreError>(|tx| tx.set_show_pricing(true, opened_at))?;
    let mut packages = Vec::new();
    for (position, (name, description, entries, cents)) in OFFERS.into_iter().enumerate() {
        let offer = NewPackage {
            name: PackageText::parse(name, 80).context("a demo package has no name")?,
            description: PackageText::parse(description, 300).context("a demo package has no description")?,
            entries: EntryCount::new(entries).context("a demo package has no entries")?,
            price: Money::from_cents(cents).context("a demo package has no price")?,
            is_popular: position == 1,
            is_active: true,
            sort_order: position as u32,
        };
        let id = store.transaction::<_, StoreError>(|tx| tx.add_package(&offer, opened_at))?;
        packages.push((id, offer));
    }
    let buyers = entrants.iter().enumerate().step_by(ONE_IN);
    for ((n, buyer), (package, offer)) in buyers.zip(packages.iter().cycle()) {
        buy(store, n, buyer, *package, offer)?;
    }
    Ok(())
}

/// Buys a package. Every fifth payment is canceled instead of paid.
fn buy(
    store: &PgStore,
    n: usize,
    buyer: &Entrant,
    package: PackageId,
    offer: &NewPackage,
) -> anyhow::Result<()> {
    let at = At(buyer.created_at + TimeDelta::hours(1));
    let command = PurchaseCommand {
        entrant: buyer.id,
        package,
        amount: offer.price.cents(),
        entries: offer.entries.get(),
        session: Some(session(n as u32, 0, buyer.created_at)?),
    };
    let started = usecases::purchases::begin_purchase(store, &at, &OsEntropy, &command)?;
    let intent = IntentId::parse(&format!("pi_demo_{n}")).context("a demo payment has no id")?;
    usecases::purchases::record_intent_id(store, &started, &intent)?;
    if (n / ONE_IN) % 5 == 4 {
        let event = ProviderEvent {
            id: format!("evt_demo_{n}"),
            kind: EventKind::Canceled(intent),
        };
        return Ok(usecases::purchases::apply_event(store, &at, &event)?);
    }
    let confirmation = ConfirmCommand {
        intent: intent.clone(),
        entrant: buyer.id,
        package,
        session: command.session,
    };
    let purchase = usecases::purchases::purchase_to_confirm(store, &confirmation)?;
    Ok(usecases::purchases::confirm_purchase(
        store,
        &at,
        &confirmation,
        &purchase,
        Some(&paid_intent(&started, intent)),
    )?)
}

fn paid_intent(started: &PurchaseStarted, id: IntentId) -> Intent {
    Intent {
        id,
        status: IntentStatus::Succeeded,
        amount: started.intent.amount.cents(),
        currency: Money::CURRENCY.to_owned(),
        purchase: Some(started.intent.purchase),
        entrant: Some(started.intent.entrant),
        package: Some(started.intent.package),
        refunded: false,
    }
}
