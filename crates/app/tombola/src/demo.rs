//! `tombola demo`: a month of sample visitors and entrants, so that every page and every figure shows data.

mod people;
mod raffles;
mod shop;
mod staff;
mod texts;
mod winners;

use crate::config::{Config, Environment};
use crate::database::DatabaseUrls;
use crate::{OsEntropy, SystemClock};
use ::staff::{Actor, SessionId};
use analytics::{
    Event, NewShare, NewStep, NewView, Place, Platform, StepData, StepName, ViewOrigin, recognize,
};
use anyhow::{Context, ensure};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, Origin, Phone, ReferralCode, Session, StoreError, StoredText, UnitOfWork};
use raffle::fixtures::{FOUR, FRESH_SIPS, GARDEN_BAG, KITCHEN_GARDEN, SUSTAINABLE_LIVING};
use raffle::{Entrant, Entrants, RaffleKey, SignUp};
use secrecy::ExposeSecret;
use sms::{ConsentDefault, campaign_consent};
use std::fmt::Write;
use store_postgres::{PgStore, PoolSettings};

const ENTRANTS: u32 = 240;

/// Area codes. In each, the numbers 555-0100 to 555-0199 are reserved for fiction.
const AREA_CODES: [u32; 8] = [212, 312, 415, 503, 602, 617, 713, 808];

/// Fills the database, and returns a text with links to try.
///
/// # Errors
/// In production, or when the database cannot be reached.
pub fn fill(config: &Config) -> anyhow::Result<String> {
    ensure!(
        config.environment == Environment::Development,
        "demo data is not for production"
    );
    DatabaseUrls::from(&config.database).prepare()?;
    let url = config.database.url.expose_secret();
    let number_keys = config.keys.number_keys().context("SECRET_KEY")?;
    let store = PgStore::new(url, PoolSettings::default()).with_number_keys(number_keys);
    if store.read::<_, StoreError>(|tx| tx.has_entrants())? {
        return Ok(format!(
            "The database already has entrants; nothing was added.\n{}\n",
            config.public_origin
        ));
    }
    let now = SystemClock.now();
    let mut entrants = Vec::new();
    for n in 0..ENTRANTS {
        entrants.push(enter_one(&store, n, &entrants, now)?);
    }
    shop::open(&store, &entrants, now)?;
    let manager = staff::invite(&store, now)?;
    entrants.extend(raffles::make(&store, config, manager, ENTRANTS)?);
    usecases::rollups::fold(&store, config.time_zone)?;
    publish_rules(&store, config)?;
    winners::draw(&store, config)?;
    raffles::end(&store, config, manager, &entrants)?;
    people::bring(&store, config, &entrants, now)?;
    texts::prepare(&store, &config.public_origin, now)?;
    texts::receive_replies(&store)?;
    Ok(links(&config.public_origin, &entrants))
}

fn enter_one(store: &PgStore, n: u32, earlier: &[Entrant], now: DateTime<Utc>) -> anyhow::Result<Entrant> {
    // Spread unevenly over a month, the newest last.
    let age = TimeDelta::minutes(i64::from((ENTRANTS - n) * 180 + n * 37 % 170));
    let referrer = referrer_of(n).and_then(|referrer| earlier.get(referrer as usize));
    let raffle = referrer.map_or_else(|| raffle_of(n), |referrer| referrer.raffle);
    let arrival = Arrival {
        n,
        raffle,
        code: referrer.map(|referrer| referrer.referral_code.clone()),
        at: now - age,
        visitors: visitors_of(raffle),
        is_sudden: false,
    };
    arrive(store, &arrival)
}

/// Somebody who enters, and the visitors who came to the page before.
struct Arrival {
    /// The number of the entrant, which nobody else has.
    n: u32,
    raffle: RaffleKey,
    /// Of who invited them.
    code: Option<ReferralCode>,
    /// When the entrant enters.
    at: DateTime<Utc>,
    /// How many visitors, with the entrant.
    visitors: u32,
    /// Whether they come in the same moment, and not one after the other.
    is_sudden: bool,
}

fn arrive(store: &PgStore, arrival: &Arrival) -> anyhow::Result<Entrant> {
    let visits = (1..arrival.visitors).map(|visitor| visit(arrival, visitor));
    let visits: Vec<Event> = visits.collect::<anyhow::Result<Vec<_>>>()?.concat();
    usecases::collection::collect(store, &visits)?;

    usecases::collection::collect(store, &visit(arrival, 0)?)?;
    let Arrival { n, at, .. } = *arrival;
    let command = SignUp {
        phone: phone(n)?,
        raffle: Some(arrival.raffle),
        referral_code: arrival.code.clone(),
        event_id: None,
        consent: campaign_consent(Some(!n.is_multiple_of(3)), ConsentDefault::None),
        origin: origin(n),
        fingerprint: None,
        session: Some(session(n, 0, at)?),
    };
    let entrant = usecases::entering::enter(store, &At(at), &OsEntropy, &command, None)?.entrant;
    if n % 3 != 1 {
        usecases::collection::collect(store, &[share(n, &entrant, at)?])?;
    }
    Ok(entrant)
}

/// The actor in audit entries: no session of the console.
const fn demo_actor() -> Actor {
    Actor {
        member: None,
        session: SessionId::new(0),
        address: None,
    }
}

/// The rules of now, as the server would publish them: the first announcement of a drawing names them.
fn publish_rules(store: &PgStore, config: &Config) -> anyhow::Result<()> {
    let drawings = &config.drawings;
    let rules = web::rules_text(
        &config.site,
        config.time_zone,
        config.entry_cap,
        drawings.schedule,
        drawings.chain.as_ref(),
    );
    usecases::rules::publish(store, config.time_zone, &rules)?;
    Ok(())
}

/// One line of text.
fn line(text: &str) -> anyhow::Result<StoredText> {
    Ok(StoredText::line(text, 200)?)
}

/// The events of one visitor, none of them after now. Some only view the page, some start the form, and the first one is about to
/// enter.
fn visit(arrival: &Arrival, visitor: u32) -> anyhow::Result<Vec<Event>> {
    let Arrival { n, raffle, at, .. } = *arrival;
    let session = session(n, visitor, at)?;
    let started_at = match arrival.is_sudden {
        true => at,
        false => at - TimeDelta::minutes(i64::from(2 + visitor * 17)),
    };
    let now = SystemClock.now();
    let after = |seconds| (started_at + TimeDelta::seconds(seconds)).min(now);
    let view = NewView {
        visitor: ViewOrigin {
            session: session.clone(),
            origin: origin(n),
            fingerprint: None,
            browser: recognize(None),
            place: Place::default(),
        },
        page: raffle.into(),
        referral_code: arrival.code.clone().filter(|_| visitor.is_multiple_of(2)),
        sms_tracking_id: None,
        time_spent: None,
        at: started_at,
    };
    let seconds = i64::from(8 + (n * 7 + visitor * 13) % 90);
    let view_with_time = NewView {
        time_spent: Some((seconds * 1000) as i32),
        at: after(seconds),
        ..view.clone()
    };
    let step = |step, second| {
        Event::Step(NewStep {
            session: session.clone(),
            raffle: Some(raffle),
            step,
            entrant: None,
            data: StepData::default(),
            time_spent: None,
            at: after(second),
        })
    };
    let mut events = vec![Event::View(view), Event::View(view_with_time)];
    if visitor < 3 {
        events.push(step(StepName::FormStart, 5));
    }
    if visitor == 0 || (visitor == 1 && n.is_multiple_of(4)) {
        events.push(step(StepName::FormSubmit, 7));
    }
    Ok(events)
}

fn share(n: u32, entrant: &Entrant, at: DateTime<Utc>) -> anyhow::Result<Event> {
    Ok(Event::Share(NewShare {
        session: Some(session(n, 0, at)?),
        origin: origin(n),
        entrant: Some(entrant.id),
        platform: if n.is_multiple_of(4) {
            Platform::Email
        } else {
            Platform::Sms
        },
        referral_code: Some(entrant.referral_code.clone()),
        event_id: None,
        at: (at + TimeDelta::minutes(1)).min(SystemClock.now()),
    }))
}

/// A session id as browsers generate it: a UUID version 7, which starts with the time.
fn session(n: u32, visitor: u32, at: DateTime<Utc>) -> anyhow::Result<Session> {
    let time = at.timestamp_millis();
    let (high, low) = (time >> 16, time & 0xffff);
    let id = format!("{high:08x}-{low:04x}-7000-8000-{n:06x}{visitor:06x}");
    Ok(Session::parse(&id)?)
}

/// Most entrants have their own address; some share one, so that fraud detection finds something.
fn origin(n: u32) -> Origin {
    let host = if n % 40 == 7 { 7 } else { (n % 250) as u8 };
    Origin {
        address: Some([198, 51, 100, host].into()),
        user_agent: None,
    }
}

/// The referrer: two of five entrants come through a link, most of them from a few popular entrants.
fn referrer_of(n: u32) -> Option<u32> {
    match n % 5 {
        1 if n > 4 => Some(n % 4),
        3 if n > 4 => Some(n * 7 % (n / 2)),
        _ => None,
    }
}

fn raffle_of(n: u32) -> RaffleKey {
    match n % 10 {
        0 | 4 | 5 | 8 => GARDEN_BAG,
        1 | 6 | 9 => FRESH_SIPS,
        2 | 7 => KITCHEN_GARDEN,
        _ => SUSTAINABLE_LIVING,
    }
}

/// Visitors per entrant, including the entrant, so that conversion rates differ between pages.
fn visitors_of(landing_page: RaffleKey) -> u32 {
    let visitors = FOUR.into_iter().zip([7, 11, 9, 14]);
    visitors
        .filter(|(raffle, _)| *raffle == landing_page)
        .map(|(_, visitors)| visitors)
        .sum()
}

fn phone(n: u32) -> anyhow::Result<Phone> {
    let areas = AREA_CODES.iter().cycle().skip(n as usize);
    let area = areas.copied().next().unwrap_or_default();
    Phone::from_e164(&format!("+1{area}55501{:02}", n / 8)).context("a demo phone number is invalid")
}

fn links(origin: &str, entrants: &[Entrant]) -> String {
    let mut text = format!(
        "{} entrants of five raffles and of one that has ended, three packages on sale, nine drawings, and winners, appeals and texts in every state. Try these pages:\n  {origin}/drawings\n",
        entrants.len()
    );
    let others = [raffles::SUMMER_PICNIC, raffles::DINNER_PARTY];
    for page in FOUR.into_iter().chain(others) {
        let _ = writeln!(text, "  {origin}/{page}");
        if let Some(entrant) = entrants.iter().find(|entrant| entrant.raffle == page) {
            let _ = writeln!(text, "  {origin}{}", web::success_path(page, entrant.id));
            let _ = writeln!(
                text,
                "  {}",
                referral::referral_link(origin, page, &entrant.referral_code)
            );
        }
    }
    let _ = writeln!(
        text,
        "  {origin}/admin as nora (owner), maria (manager) or sam (support), with the password: {}",
        staff::PASSWORD
    );
    text
}

/// A clock that always shows this time.
struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}
