//! Drawings whose claims have come as far as claims come, and stay there.

use super::raffles::{DINNER_PARTY, SUMMER_PICNIC};
use super::{demo_actor, line};
use crate::config::Config;
use crate::serve::{claims as claim_services, codes as code_services};
use crate::{OsEntropy, OsSeeds};
use ::claims::{
    CLAIM_PERIOD, Claim, ClaimDetails, ClaimStatus, Claims, Deadline, EventKind, NewEvent, RejectReason,
    State, TrackingNumber, ZipCode,
};
use anyhow::Context;
use chrono::TimeDelta;
use drawing::{DrawingId, Prize};
use kernel::{BrowserHash, DatabaseClock, StoreError, UnitOfWork};
use raffle::RaffleKey;
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use staff::SecondPerson;
use store_postgres::PgStore;
use usecases::claims::review::{self, Reviewer, Step};
use usecases::claims::winner::{self, Visitor};
use usecases::claims::{ClaimNotices, ClaimTools, advance};
use usecases::codes::CodeTools;
use usecases::drawings::{DrawingTools, PerformDrawing, Performed, Schedule};

/// The prize of an additional drawing, and how far its claim has come.
const ADDITIONAL: [(RaffleKey, &str, &str, ClaimStatus); 5] = [
    (GARDEN_BAG, "Pruning shears", "$29", ClaimStatus::Shipped),
    (GARDEN_BAG, "Seed library", "$35", ClaimStatus::Submitted),
    (FRESH_SIPS, "Copper jigger", "$19", ClaimStatus::Rejected),
    (FRESH_SIPS, "Citrus press", "$24", ClaimStatus::Verified),
    (FRESH_SIPS, "Ice molds", "$15", ClaimStatus::CodeVerified),
];

/// Regular drawings, and how far their claims have come.
const REGULAR: [(RaffleKey, ClaimStatus); 3] = [
    (GARDEN_BAG, ClaimStatus::Delivered),
    (SUMMER_PICNIC, ClaimStatus::Submitted),
    (DINNER_PARTY, ClaimStatus::Delivered),
];

/// In one drawing, three entrants lose the prize, one after the other, and the fourth is asked.
const ONE_AFTER_THE_OTHER: [ClaimStatus; 4] = [
    ClaimStatus::Expired,
    ClaimStatus::Declined,
    ClaimStatus::Unreachable,
    ClaimStatus::Pending,
];

/// The browser of every winner: nobody's.
const BROWSER: BrowserHash = BrowserHash::new([7; 32]);

/// Performs the drawings, so that there are proofs to check and claims to decide. Nothing waits for a beacon here.
pub(super) fn draw(store: &PgStore, config: &Config) -> anyhow::Result<()> {
    let sealer = config.keys.sealer::<drawing::Secrets, _>(OsEntropy);
    let (claims, codes) = (claim_services(config)?, code_services(config)?);
    let notices = ClaimNotices {
        key: &claims.key,
        earlier: &claims.earlier_keys,
        sealer: &*claims.texts,
        public_origin: &config.public_origin,
        site_name: &config.site.name,
    };
    let drawing_tools = DrawingTools {
        entropy: &OsEntropy,
        seeds: &OsSeeds,
        sealer: &sealer,
        claims: notices,
        time_zone: config.time_zone,
        schedule: Schedule::Manual,
        beacon: None,
        delay: TimeDelta::zero(),
        production: false,
    };
    let claim_tools = ClaimTools {
        notices,
        codes: CodeTools {
            entropy: &OsEntropy,
            key: &codes.key,
            sealer: &*codes.sealer,
            site_name: &config.site.name,
            host: &codes.host,
            countries: &config.sms.countries,
            limits: codes.limits,
            daily_budget: config.sms.daily_budget,
        },
        entropy: &OsEntropy,
        details: &*claims.details,
        countries: &config.sms.countries,
        time_zone: config.time_zone,
    };
    let demo = Demo {
        store,
        tools: claim_tools,
    };
    let fresh_sips = perform(store, drawing_tools, FRESH_SIPS, None)?;
    for status in ONE_AFTER_THE_OTHER {
        demo.bring(fresh_sips, status)?;
    }
    for (raffle, status) in REGULAR {
        let drawing = perform(store, drawing_tools, raffle, None)?;
        demo.bring(drawing, status)?;
    }
    for (raffle, name, value, status) in ADDITIONAL {
        let prize = Prize {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let drawing = perform(store, drawing_tools, raffle, Some(prize))?;
        demo.bring(drawing, status)?;
    }
    Ok(())
}

/// A regular drawing, or an additional one for its prize.
fn perform(
    store: &PgStore,
    tools: DrawingTools<'_>,
    raffle: RaffleKey,
    prize: Option<Prize>,
) -> anyhow::Result<DrawingId> {
    let command = PerformDrawing {
        actor: demo_actor(),
        second: SecondPerson::NotNeeded,
        raffle,
        reason: prize
            .as_ref()
            .map(|_| "A thank-you to everybody who shared this month.".to_owned()),
        prize,
        idempotency_key: None,
    };
    let (Performed::Drawn(state) | Performed::Waiting(state)) =
        usecases::drawings::perform(store, tools, &command)?;
    Ok(state.id)
}

struct Demo<'a> {
    store: &'a PgStore,
    tools: ClaimTools<'a>,
}

impl Demo<'_> {
    /// Brings the claim that is open in a drawing to a status.
    fn bring(&self, drawing: DrawingId, status: ClaimStatus) -> anyhow::Result<()> {
        match status {
            ClaimStatus::Pending => {}
            ClaimStatus::Expired => self.expire(drawing)?,
            ClaimStatus::Unreachable => self.call_in_vain(drawing)?,
            _ => self.prove(drawing)?,
        }
        match status {
            ClaimStatus::Pending
            | ClaimStatus::Expired
            | ClaimStatus::Unreachable
            | ClaimStatus::CodeVerified => return Ok(()),
            ClaimStatus::Declined => {
                let visitor = self.visitor(drawing)?;
                return Ok(winner::decline(self.store, self.tools, &visitor).map(drop)?);
            }
            _ => self.submit(drawing)?,
        }
        for step in steps_to(status)? {
            self.take(drawing, &step)?;
        }
        Ok(())
    }

    /// The claim of the rank that was asked last.
    fn claim(&self, drawing: DrawingId) -> anyhow::Result<Claim> {
        let claims = self.store.read::<_, StoreError>(|tx| tx.claims_of(&[drawing]))?;
        claims
            .into_iter()
            .next_back()
            .context("a drawing without a claim")
    }

    fn change(&self, drawing: DrawingId, change: impl Fn(&mut Claim)) -> anyhow::Result<()> {
        let id = self.claim(drawing)?.id;
        self.store.transaction::<_, StoreError>(|tx| {
            if let Some(mut claim) = tx.lock_claim(id)? {
                change(&mut claim);
                tx.save_claim(&claim)?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// As if the text had arrived two weeks ago.
    fn expire(&self, drawing: DrawingId) -> anyhow::Result<()> {
        let began = self.claim(drawing)?.created_at - CLAIM_PERIOD;
        self.change(drawing, |claim| claim.deadline = Some(Deadline::starting(began)))?;
        advance(self.store, self.tools)?;
        Ok(())
    }

    /// As if staff had called on the three days before.
    fn call_in_vain(&self, drawing: DrawingId) -> anyhow::Result<()> {
        let Claim { id, created_at, .. } = self.claim(drawing)?;
        self.change(drawing, |claim| claim.needs_call = true)?;
        for days in 1..=3 {
            let call = NewEvent {
                note: Some("Nobody answered.".to_owned()),
                ..NewEvent::new(id, EventKind::Called, created_at - TimeDelta::days(days))
            };
            self.store
                .transaction::<_, StoreError>(|tx| tx.add_claim_event(&call))?;
        }
        self.take(drawing, &Step::GiveUp)
    }

    /// As if the code had been entered in a browser.
    fn prove(&self, drawing: DrawingId) -> anyhow::Result<()> {
        let Claim { id, .. } = self.claim(drawing)?;
        let now = self.store.read::<_, StoreError>(|tx| tx.database_time())?;
        self.change(drawing, |claim| {
            // A claim that waits can be proved.
            let _ = claim.prove_by_code(BROWSER, now);
        })?;
        let event = NewEvent::new(id, EventKind::NumberVerified, now);
        self.store
            .transaction::<_, StoreError>(|tx| tx.add_claim_event(&event))?;
        Ok(())
    }

    fn submit(&self, drawing: DrawingId) -> anyhow::Result<()> {
        let details = ClaimDetails {
            name: line("Ana Reyes")?,
            address_line1: line("12 Elm Street")?,
            address_line2: None,
            city: line("Albany")?,
            state: State::parse("NY")?,
            postal_code: ZipCode::parse("12207")?,
            publicity: true,
        };
        winner::submit(self.store, self.tools, &self.visitor(drawing)?, &details)?;
        Ok(())
    }

    fn visitor(&self, drawing: DrawingId) -> anyhow::Result<Visitor> {
        Ok(Visitor {
            token: self.tools.notices.key.token(drawing, self.claim(drawing)?.rank),
            browser: Some(BROWSER),
            own: None,
            network: None,
        })
    }

    fn take(&self, drawing: DrawingId, step: &Step) -> anyhow::Result<()> {
        let by = Reviewer {
            actor: demo_actor(),
            sees_details: false,
            decides: true,
            second: SecondPerson::NotNeeded,
        };
        review::take(self.store, self.tools, by, self.claim(drawing)?.id, step)?;
        Ok(())
    }
}

/// What staff do with a submitted claim until it has this status.
fn steps_to(status: ClaimStatus) -> anyhow::Result<Vec<Step>> {
    let send = || -> anyhow::Result<Step> {
        Ok(Step::Ship {
            carrier: line("UPS")?,
            tracking_number: TrackingNumber::parse("1Z999AA10123456784")?,
        })
    };
    Ok(match status {
        ClaimStatus::Verified => vec![Step::Approve],
        ClaimStatus::Shipped => vec![Step::Approve, send()?],
        ClaimStatus::Delivered => vec![Step::Approve, send()?, Step::Deliver],
        ClaimStatus::Rejected => vec![Step::Reject {
            reason: RejectReason::Residence,
            note: line("The address that you sent is in Canada.")?,
        }],
        _ => Vec::new(),
    })
}
