//! `tombola demo`: a month of entrants, so that every page has something to show.

use crate::OsEntropy;
use crate::config::{Config, Environment};
use anyhow::{Context, ensure};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, LandingPage, Origin, Phone, StoreError, UnitOfWork};
use raffle::{Entrant, Entrants};
use secrecy::ExposeSecret;
use sms::{ConsentDefault, campaign_consent};
use std::fmt::Write;
use store_postgres::{PgStore, PoolSettings, migrations};
use usecases::{EnterCommand, enter};

const ENTRANTS: u32 = 240;

/// Area codes; `555-0100` to `555-0199` in each are kept free for fiction.
const AREA_CODES: [u32; 8] = [212, 312, 415, 503, 602, 617, 713, 808];

/// Fills the database, and gives a text with links to try.
///
/// # Errors
/// When this is production, when anybody is in already, or when the database cannot be reached.
pub fn fill(config: &Config) -> anyhow::Result<String> {
    ensure!(
        config.environment == Environment::Development,
        "demo data is not for production"
    );
    let url = config.database.url.expose_secret();
    migrations::run(url).context("cannot migrate the database")?;
    let store = PgStore::new(url, PoolSettings::default());
    if store.read::<_, StoreError>(|tx| tx.is_anybody_in())? {
        return Ok(format!(
            "There are entrants already; nothing was added.\n{}\n",
            config.public_origin
        ));
    }
    let now = crate::SystemClock.now();
    let mut entrants = Vec::new();
    for n in 0..ENTRANTS {
        entrants.push(enter_one(&store, n, &entrants, now)?);
    }
    Ok(links(&config.public_origin, &entrants))
}

fn enter_one(store: &PgStore, n: u32, earlier: &[Entrant], now: DateTime<Utc>) -> anyhow::Result<Entrant> {
    // Spread over a month, unevenly, newest last.
    let age = TimeDelta::minutes(i64::from((ENTRANTS - n) * 180 + n * 37 % 170));
    let friend = friend_of(n).and_then(|friend| earlier.get(friend as usize));
    let landing_page = friend.map_or_else(|| raffle_of(n), |friend| friend.landing_page);
    let command = EnterCommand {
        phone: phone(n)?,
        landing_page,
        referral_code: friend.map(|friend| friend.referral_code.clone()),
        event_id: None,
        consent: campaign_consent(Some(!n.is_multiple_of(3)), ConsentDefault::None),
        origin: Origin {
            address: Some([198, 51, 100, (n % 250) as u8].into()),
            user_agent: None,
        },
        fingerprint: None,
        session: None,
    };
    Ok(enter(store, &At(now - age), &OsEntropy, &command)?.entrant)
}

/// Two of five come through a link, most of them one of a few popular people's.
fn friend_of(n: u32) -> Option<u32> {
    match n % 5 {
        1 if n > 4 => Some(n % 4),
        3 if n > 4 => Some(n * 7 % (n / 2)),
        _ => None,
    }
}

fn raffle_of(n: u32) -> LandingPage {
    match n % 10 {
        0 | 4 | 5 | 8 => LandingPage::GardenBag,
        1 | 6 | 9 => LandingPage::FreshSips,
        2 | 7 => LandingPage::KitchenGarden,
        _ => LandingPage::SustainableLiving,
    }
}

fn phone(n: u32) -> anyhow::Result<Phone> {
    let areas = AREA_CODES.iter().cycle().skip(n as usize);
    let area = areas.copied().next().unwrap_or_default();
    Phone::from_e164(&format!("+1{area}55501{:02}", n / 8)).context("a demo number is no number")
}

fn links(origin: &str, entrants: &[Entrant]) -> String {
    let mut text = format!("{} entrants. Have a look at:\n", entrants.len());
    for page in LandingPage::ALL {
        let _ = writeln!(text, "  {origin}/{page}");
        if let Some(entrant) = entrants.iter().find(|entrant| entrant.landing_page == page) {
            let _ = writeln!(text, "  {origin}/{page}/success/{}", entrant.id);
            let _ = writeln!(
                text,
                "  {}",
                referral::referral_link(origin, page, &entrant.referral_code)
            );
        }
    }
    text
}

struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}
