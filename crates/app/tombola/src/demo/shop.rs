//! Packages on sale and some purchases, so that success pages have offers and the figures have sales.

use super::{At, session};
use crate::OsEntropy;
use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EventId, Money, StoreError, UnitOfWork};
use pricing::{
    CapRules, DisputeId, DisputeStatus, EntryCount, EventKind, Intent, IntentId, IntentStatus, NewPackage,
    PackageId, PackageText, Packages, PricingSettings, ProviderEvent, Reversal,
};
use raffle::Entrant;
use store_postgres::PgStore;
use usecases::drawings::DrawingTimes;
use usecases::purchases::{ConfirmCommand, PurchaseCommand, PurchaseStarted};

/// Name, description, entries, cents; the second is marked as popular.
const OFFERS: [(&str, &str, i64, i64); 3] = [
    ("Handful", "A few more tickets in the drum.", 10, 499),
    (
        "Bundle",
        "50 entries. They stay in for every monthly drawing.",
        50,
        1_999,
    ),
    ("Drumful", "Our biggest pack.", 100, 3_499),
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

/// Buys a package. Of every five payments, one is canceled instead of paid, one refunded in part, and one disputed.
fn buy(
    store: &PgStore,
    n: usize,
    buyer: &Entrant,
    package: PackageId,
    offer: &NewPackage,
) -> anyhow::Result<()> {
    let clock = At(buyer.created_at + TimeDelta::hours(1));
    let command = PurchaseCommand {
        entrant: buyer.id,
        package,
        amount: offer.price.cents(),
        entries: offer.entries.get(),
        session: Some(session(n as u32, 0, buyer.created_at)?),
    };
    let started = usecases::purchases::begin_purchase(
        store,
        clock.now(),
        CapRules::DEFAULT,
        EventId::random(&OsEntropy),
        &command,
    )?;
    let intent = IntentId::parse(&format!("pi_demo_{n}")).context("a demo payment has no id")?;
    usecases::purchases::record_intent_id(store, &started, &intent)?;
    let turn = (n / ONE_IN) % 5;
    if turn == 4 {
        return receive(store, &clock, n, EventKind::Canceled(intent));
    }
    let confirmation = ConfirmCommand {
        intent: intent.clone(),
        entrant: buyer.id,
        package,
        session: command.session,
    };
    let purchase = usecases::purchases::purchase_to_confirm(store, &confirmation)?;
    let paid = paid_intent(&started, intent.clone());
    usecases::purchases::confirm_purchase(
        store,
        clock.now(),
        DrawingTimes::DEFAULT,
        &confirmation,
        &purchase,
        Some(&paid),
    )?;
    let later = At(clock.now() + TimeDelta::days(1));
    match turn {
        1 => {
            let reversal = Reversal::Refunded(offer.price.cents() / 2);
            receive(store, &later, n, EventKind::Reversed(intent, reversal))
        }
        2 => {
            let id = DisputeId::parse(&format!("du_demo_{n}")).context("a demo dispute has no id")?;
            // The first one is still open, and the others are lost or won in turn.
            let status = match n / ONE_IN / 5 % 3 {
                0 => DisputeStatus::Open,
                1 => DisputeStatus::Lost,
                _ => DisputeStatus::Won,
            };
            let reversal = Reversal::Dispute(id, status);
            receive(store, &later, n, EventKind::Reversed(intent, reversal))
        }
        _ => Ok(()),
    }
}

fn receive(store: &PgStore, clock: &At, n: usize, kind: EventKind) -> anyhow::Result<()> {
    let id = format!("evt_demo_{n}");
    Ok(usecases::purchases::apply_event(
        store,
        clock,
        DrawingTimes::DEFAULT,
        &ProviderEvent { id, kind },
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
        refunded: 0,
    }
}
