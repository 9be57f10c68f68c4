//! A drawn drawing of three entrants of New York, with the store's clock in the test's hand.

use crate::support::STAFF;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use claims::{
    Claim, ClaimDetails, ClaimEvent, ClaimKey, ClaimRefusal, ClaimStatus, Claims, RejectReason, State,
    ZipCode,
};
use codes::{Code, CodeKey};
use drawing::DrawingId;
use fakes::{FakeSeeds, FixedClock, MemStore, MemTx, PlainSealer, SeededEntropy};
use kernel::{BrowserHash, DatabaseClock, Origin, PageRequest, Phone, StoreError, StoredText, UnitOfWork};
use raffle::fixtures::FRESH_SIPS;
use raffle::{Entrant, Entrants, RaffleKey, SignUp};
use sms::{
    DailyBudget, Message, MessageKind, OptOuts, Outbox, ProviderMessage, ProviderMessageId, ProviderStatus,
    SmsCountries,
};
use staff::{Action, AuditFilter, AuditLog, SecondPerson};
use usecases::claims::review::{self, ClaimFile, ReviewError, Reviewer, Step};
use usecases::claims::winner::{self, ClaimError, ClaimPage, Visitor};
use usecases::claims::{ClaimNotices, ClaimTools, advance};
use usecases::codes::CodeTools;
use usecases::drawings::{DrawingTools, PerformDrawing, Performed, Schedule};

pub(crate) const RAFFLE: RaffleKey = FRESH_SIPS;
pub(crate) const HOME: BrowserHash = BrowserHash::new([1; 32]);
pub(crate) const OTHER: BrowserHash = BrowserHash::new([2; 32]);
/// Staff who see the winners' details.
pub(crate) const OWNER: Reviewer = Reviewer {
    second: SecondPerson::NotNeeded,
    actor: STAFF,
    sees_details: true,
    decides: true,
};

pub(crate) struct Site {
    pub(crate) store: MemStore,
    pub(crate) sealer: PlainSealer,
    entropy: SeededEntropy,
    seeds: FakeSeeds,
    key: ClaimKey,
    code_key: CodeKey,
    pub(crate) earlier: Vec<ClaimKey>,
    countries: SmsCountries,
    pub(crate) budget: DailyBudget,
}

/// The moment of the drawing: an hour at which nobody in New York gets texts.
pub(crate) fn drawn_at() -> DateTime<Utc> {
    "2026-12-01T03:00:00Z".parse().unwrap()
}

pub(crate) fn text(text: &str) -> StoredText {
    StoredText::lines(text, 500).unwrap()
}

pub(crate) fn details() -> ClaimDetails {
    let line = |text| StoredText::line(text, 100).unwrap();
    ClaimDetails {
        name: line("Ada Lovelace"),
        address_line1: line("12 Example Street"),
        address_line2: None,
        city: line("Springfield"),
        state: State::parse("IL").unwrap(),
        postal_code: ZipCode::parse("62701").unwrap(),
        publicity: true,
    }
}

pub(crate) fn reject() -> Step {
    Step::Reject {
        reason: RejectReason::Residence,
        note: text("You live abroad."),
    }
}

fn enter(store: &MemStore, entropy: &SeededEntropy, n: u32) -> Entrant {
    let command = SignUp {
        phone: Phone::from_e164(&format!("+1212555{n:04}")).unwrap(),
        raffle: Some(RAFFLE),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    };
    let clock = FixedClock::at(drawn_at() - TimeDelta::days(1));
    usecases::entering::enter(store, &clock, entropy, &command, None)
        .unwrap()
        .entrant
}

impl Site {
    /// A site whose drawing was drawn just now.
    pub(crate) fn drawn() -> Self {
        let site = Self::new();
        site.draw();
        site
    }

    /// Three entrants, and no drawing yet.
    pub(crate) fn new() -> Self {
        let (store, entropy) = (MemStore::with_rules(), SeededEntropy::default());
        store.set_time(drawn_at() - TimeDelta::days(1));
        (1..=3).for_each(|n| drop(enter(&store, &entropy, n)));
        store.set_time(drawn_at());
        Self {
            store,
            sealer: PlainSealer::default(),
            entropy,
            seeds: FakeSeeds::default(),
            key: ClaimKey::new(&[7; 32]).unwrap(),
            code_key: CodeKey::new(&[7; 32]).unwrap(),
            earlier: Vec::new(),
            countries: SmsCountries::default(),
            budget: DailyBudget::new(1_000),
        }
    }

    pub(crate) fn draw(&self) {
        let tools = DrawingTools {
            entropy: &self.entropy,
            seeds: &self.seeds,
            sealer: &self.sealer,
            claims: self.tools().notices,
            time_zone: Tz::America__New_York,
            schedule: Schedule::Manual,
            beacon: None,
            delay: TimeDelta::hours(1),
            production: false,
        };
        let request = PerformDrawing {
            actor: STAFF,
            second: SecondPerson::NotNeeded,
            raffle: RAFFLE,
            reason: None,
            prize: None,
            idempotency_key: None,
        };
        let drawn = usecases::drawings::perform(&self.store, tools, &request).unwrap();
        assert!(matches!(drawn, Performed::Drawn(_)), "{drawn:?}");
    }

    pub(crate) fn tools(&self) -> ClaimTools<'_> {
        ClaimTools {
            notices: ClaimNotices {
                key: &self.key,
                earlier: &self.earlier,
                sealer: &self.sealer,
                public_origin: "https://example.org",
                site_name: "Tombola",
            },
            codes: CodeTools {
                entropy: &self.entropy,
                key: &self.code_key,
                sealer: &self.sealer,
                site_name: "Tombola",
                host: "example.org",
                countries: &self.countries,
                limits: true,
                daily_budget: self.budget,
            },
            entropy: &self.entropy,
            details: &self.sealer,
            countries: &self.countries,
            time_zone: Tz::America__New_York,
        }
    }

    /// `SECRET_KEY` was changed.
    pub(crate) fn change_key(&mut self) {
        let old = std::mem::replace(&mut self.key, ClaimKey::new(&[8; 32]).unwrap());
        self.earlier.push(old);
    }

    pub(crate) fn set(&self, time: DateTime<Utc>) {
        self.store.set_time(time);
    }

    /// Both clocks show a time so long after the drawing, and a server looks at the claims.
    pub(crate) fn look_after(&self, since: TimeDelta) {
        self.set(drawn_at() + since);
        let advanced = advance(&self.store, self.tools()).unwrap();
        assert!(advanced.failures.is_empty(), "{:?}", advanced.failures);
    }

    pub(crate) fn claims(&self) -> Vec<Claim> {
        self.store.read(|tx| tx.claims_of(&[DrawingId::new(1)])).unwrap()
    }

    pub(crate) fn claim(&self, rank: usize) -> Claim {
        self.claims()[rank].clone()
    }

    pub(crate) fn statuses(&self) -> Vec<ClaimStatus> {
        self.claims().iter().map(|claim| claim.status).collect()
    }

    pub(crate) fn events(&self, rank: usize) -> Vec<ClaimEvent> {
        let id = self.claim(rank).id;
        self.store.read(|tx| tx.list_claim_events(id)).unwrap()
    }

    /// The texts of this kind to whoever holds a rank, oldest first.
    pub(crate) fn texts(&self, rank: usize, kind: MessageKind) -> Vec<Message> {
        let entrant = self.claim(rank).entrant;
        let mut texts = self.store.messages_to(entrant);
        texts.retain(|text| text.content.kind == kind);
        texts.sort_by_key(|text| text.id);
        texts
    }

    pub(crate) fn body(&self, text: &Message) -> String {
        let body = text.content.body.as_ref().unwrap();
        assert_eq!(body.as_clear(), None, "a text with a secret is stored encrypted");
        body.open(&self.sealer).unwrap()
    }

    /// The provider reports what became of the newest text to whoever holds a rank.
    pub(crate) fn report(&self, rank: usize, status: ProviderStatus) {
        let text = self.texts(rank, MessageKind::Victory).pop().unwrap();
        let report = ProviderMessage {
            id: ProviderMessageId::parse(&format!("SM{}", text.id)).unwrap(),
            status,
            failure: None,
        };
        let at = self.store.read(|tx| tx.database_time()).unwrap();
        let record = |tx: &mut MemTx| tx.record_report(text.id, &report, at);
        self.store.transaction::<_, StoreError>(record).unwrap();
    }

    pub(crate) fn phone(&self, rank: usize) -> Phone {
        let entrant = self.claim(rank).entrant;
        self.store
            .read(|tx| tx.find_entrant(entrant))
            .unwrap()
            .unwrap()
            .phone
    }

    /// Whoever holds a rank sends STOP.
    pub(crate) fn stop(&self, rank: usize) {
        let phone = self.phone(rank);
        let stop = |tx: &mut MemTx| tx.opt_out(&phone, drawn_at());
        self.store.transaction::<_, StoreError>(stop).unwrap();
    }

    pub(crate) fn visitor(&self, rank: u32, browser: Option<BrowserHash>) -> Visitor {
        let key = self.earlier.first().unwrap_or(&self.key);
        Visitor {
            token: key.token(DrawingId::new(1), rank),
            browser,
            own: None,
            network: None,
        }
    }

    pub(crate) fn show(&self, rank: u32) -> ClaimPage {
        winner::show(&self.store, self.tools(), &self.visitor(rank, Some(HOME))).unwrap()
    }

    /// A code is sent and entered in the winner's browser.
    pub(crate) fn prove(&self, rank: u32) {
        winner::send_code(&self.store, self.tools(), &self.visitor(rank, None), HOME, true).unwrap();
        let code = self.newest_code(rank);
        winner::verify(&self.store, self.tools(), &self.visitor(rank, None), &code, HOME).unwrap();
    }

    pub(crate) fn newest_code(&self, rank: u32) -> Code {
        let text = self.texts(rank as usize, MessageKind::Code).pop().unwrap();
        let body = self.body(&text);
        let code = body.lines().last().unwrap();
        Code::parse(code.strip_prefix("@example.org #").unwrap()).unwrap()
    }

    pub(crate) fn submit(&self, rank: u32) -> Result<ClaimPage, ClaimRefusal> {
        let visitor = self.visitor(rank, Some(HOME));
        refusal(winner::submit(&self.store, self.tools(), &visitor, &details()))
    }

    pub(crate) fn decline(&self, rank: u32) -> Result<ClaimPage, ClaimRefusal> {
        let visitor = self.visitor(rank, Some(HOME));
        refusal(winner::decline(&self.store, self.tools(), &visitor))
    }

    pub(crate) fn object(&self, rank: u32) -> Result<ClaimPage, ClaimRefusal> {
        let visitor = self.visitor(rank, Some(HOME));
        refusal(winner::object(
            &self.store,
            self.tools(),
            &visitor,
            &text("I moved back."),
        ))
    }

    pub(crate) fn take(&self, rank: usize, step: &Step) -> Result<ClaimFile, ReviewError> {
        let id = self.claim(rank).id;
        review::take(&self.store, self.tools(), OWNER, id, step)
    }

    /// What the audit log has about claims, oldest first.
    pub(crate) fn audited(&self) -> Vec<Action> {
        let page = PageRequest::default();
        let entries = self
            .store
            .read(|tx| tx.list_audit(&AuditFilter::default(), page))
            .unwrap();
        let actions = entries.iter().rev().map(|entry| entry.action);
        actions
            .filter(|action| !matches!(action, Action::AnnounceDrawing | Action::PerformDrawing))
            .collect()
    }
}

fn refusal(result: Result<ClaimPage, ClaimError>) -> Result<ClaimPage, ClaimRefusal> {
    result.map_err(|error| match error {
        ClaimError::Refused(refusal) => refusal,
        other => panic!("{other}"),
    })
}
