//! Raffles as staff make them, beside the first four: one that is open, a draft, and one that has ended.

use super::{Arrival, At, arrive, origin, phone};
use crate::OsEntropy;
use crate::config::Config;
use anyhow::Context;
use kernel::{DatabaseClock, StoreError, UnitOfWork};
use raffle::{Content, Entrant, RaffleKey, SignUp};
use staff::{Actor, SecondPerson};
use store_postgres::PgStore;
use usecases::drawings::DrawingTimes;
use usecases::entering::OwnEntrant;
use usecases::raffles::{ChangeOpening, Publish, RaffleFile, SaveDraft, When};

/// The raffle that is open.
pub(super) const SUMMER_PICNIC: RaffleKey = key("summer-picnic");
/// The raffle that has ended.
pub(super) const DINNER_PARTY: RaffleKey = key("dinner-party");
/// The draft. It lacks some of what it needs before it can be published.
const WINTER_EVENING: RaffleKey = key("winter-evening");

#[expect(clippy::expect_used, reason = "it is called when this is compiled")]
const fn key(text: &str) -> RaffleKey {
    RaffleKey::new(text).expect("a key")
}

/// How many people enter the raffle that is open, and the one that ends.
const GUESTS: [(RaffleKey, u32); 2] = [(SUMMER_PICNIC, 24), (DINNER_PARTY, 9)];

/// Makes the raffles. The one that is to end is still open. Returns who entered.
///
/// Raffles open now and not in the past, so everybody comes now.
pub(super) fn make(
    store: &PgStore,
    config: &Config,
    staff: Actor,
    first: u32,
) -> anyhow::Result<Vec<Entrant>> {
    let staff = Staff { store, config, staff };
    staff.write(SUMMER_PICNIC, include_str!("raffles/summer-picnic.json"))?;
    staff.write(WINTER_EVENING, include_str!("raffles/winter-evening.json"))?;
    staff.write(DINNER_PARTY, include_str!("raffles/dinner-party.json"))?;
    let mut entrants = Vec::new();
    for (raffle, guests) in GUESTS {
        staff.publish(raffle)?;
        staff.open(raffle)?;
        let from = first + entrants.len() as u32;
        entrants.extend(welcome(store, raffle, from..from + guests)?);
    }
    staff.change(SUMMER_PICNIC)?;
    Ok(entrants)
}

/// Lets people enter. Every third one comes through the link of the first.
fn welcome(
    store: &PgStore,
    raffle: RaffleKey,
    numbers: impl Iterator<Item = u32>,
) -> anyhow::Result<Vec<Entrant>> {
    let mut guests: Vec<Entrant> = Vec::new();
    for n in numbers {
        let host = guests.first().filter(|_| n.is_multiple_of(3));
        let arrival = Arrival {
            n,
            raffle,
            code: host.map(|host| host.referral_code.clone()),
            at: store.read::<_, StoreError>(|tx| tx.database_time())?,
            visitors: 5,
            is_sudden: true,
        };
        guests.push(arrive(store, &arrival)?);
    }
    Ok(guests)
}

/// Ends a raffle after its drawing. One of its people enters the open one afterwards.
pub(super) fn end(
    store: &PgStore,
    config: &Config,
    staff: Actor,
    entrants: &[Entrant],
) -> anyhow::Result<()> {
    Staff { store, config, staff }.close(DINNER_PARTY, "The weaver of the linen has retired.")?;
    let guests = (0..)
        .zip(entrants)
        .filter(|(_, entrant)| entrant.raffle == DINNER_PARTY);
    let (n, guest) = guests.last().context("a guest")?;
    let own = OwnEntrant {
        id: guest.id,
        times: DrawingTimes {
            schedule: config.drawings.schedule,
            zone: config.time_zone,
        },
    };
    let sign_up = SignUp {
        phone: phone(n)?,
        raffle: Some(SUMMER_PICNIC),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: origin(n),
        fingerprint: None,
        session: None,
    };
    let now = store.read::<_, StoreError>(|tx| tx.database_time())?;
    usecases::entering::enter(store, &At(now), &OsEntropy, &sign_up, Some(own))?;
    Ok(())
}

/// What a member of staff does in the console.
struct Staff<'a> {
    store: &'a PgStore,
    config: &'a Config,
    staff: Actor,
}

impl Staff<'_> {
    /// Adds a raffle with a draft, which is JSON.
    fn write(&self, raffle: RaffleKey, draft: &str) -> anyhow::Result<()> {
        let content = Content::read(draft)?;
        usecases::raffles::create(self.store, self.staff, raffle)?;
        self.save(raffle, |draft| *draft = content)
    }

    fn save(&self, raffle: RaffleKey, change: impl FnOnce(&mut Content)) -> anyhow::Result<()> {
        let draft = self.file(raffle)?.draft;
        let mut content = draft.content;
        change(&mut content);
        let command = SaveDraft {
            actor: self.staff,
            raffle,
            revision: draft.revision,
            content,
        };
        usecases::raffles::save_draft(self.store, &command)?;
        Ok(())
    }

    fn publish(&self, raffle: RaffleKey) -> anyhow::Result<()> {
        let draft = self.file(raffle)?.draft;
        let command = Publish {
            actor: self.staff,
            second: SecondPerson::NotNeeded,
            raffle,
            revision: draft.revision,
            hash: drawing::Hash::new(draft.content.hash()),
        };
        usecases::raffles::publish(self.store, self.config.time_zone, &command)?;
        Ok(())
    }

    /// Publishes other words for the same prize, which count at once, and then another prize, which waits for a month to begin.
    fn change(&self, raffle: RaffleKey) -> anyhow::Result<()> {
        self.save(raffle, |draft| {
            draft.tagline = "Lunch for four, wherever you find some shade.".to_owned();
        })?;
        self.publish(raffle)?;
        self.save(raffle, |draft| {
            draft.kit.retain(|part| part.item != "Insulated bottle");
            draft.total_value.dollars = 225;
            draft.meta_description = "A free monthly raffle for a packed picnic basket worth $225+: plates, \
                                      cups, a blanket and a board. No purchase required."
                .to_owned();
        })?;
        self.publish(raffle)
    }

    fn open(&self, raffle: RaffleKey) -> anyhow::Result<()> {
        usecases::raffles::open(self.store, self.config.time_zone, &self.opening(raffle, None))?;
        Ok(())
    }

    fn close(&self, raffle: RaffleKey, reason: &str) -> anyhow::Result<()> {
        let command = self.opening(raffle, Some(reason.to_owned()));
        usecases::raffles::close(self.store, self.config.time_zone, &command)?;
        Ok(())
    }

    fn opening(&self, raffle: RaffleKey, reason: Option<String>) -> ChangeOpening {
        ChangeOpening {
            actor: self.staff,
            second: SecondPerson::NotNeeded,
            raffle,
            when: When::Now,
            reason,
        }
    }

    fn file(&self, raffle: RaffleKey) -> anyhow::Result<RaffleFile> {
        usecases::raffles::file(self.store, raffle)?.context("a raffle of the demo")
    }
}
