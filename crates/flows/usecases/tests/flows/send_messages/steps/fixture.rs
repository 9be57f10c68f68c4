//! Helpers that the tests share.

pub(crate) use crate::support::STAFF;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FakeSms, FixedClock, MemStore, PlainSealer, SeededEntropy};
use kernel::{Clock, Consent, ConsentAct, Origin, Phone, StoreError, UnitOfWork};
use raffle::fixtures::KITCHEN_GARDEN;
use raffle::{Entrant, RaffleKey, SignUp};
use sms::{
    Audience, Credentials, DEFAULT_PLACEHOLDER, DeliveryReport, Failure, Fence, Label, LinkBase, Message,
    MessageId, MessageKind, MessageStatus, MessageTemplate, NewMessage, NewTemplate, Outbox, Outcome,
    SmsSender, Start,
};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use usecases::campaigns::{ScheduleCommand, SmsRules};
use usecases::send_messages::steps::{self, ReadyMessage};

pub(crate) fn noon() -> DateTime<Utc> {
    FixedClock::default().now()
}

pub(crate) fn after(wait: TimeDelta) -> FixedClock {
    FixedClock::at(noon() + wait)
}

pub(crate) fn rules() -> SmsRules {
    SmsRules {
        public_origin: "https://example.org".to_owned(),
        site_name: "Tombola".to_owned(),
        time_zone: chrono_tz::America::New_York,
        hours: None,
        monthly_cap: 1,
        daily_budget: sms::DailyBudget::new(10_000),
        countries: sms::SmsCountries::default(),
    }
}

pub(crate) fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).unwrap()
}

pub(crate) fn failure() -> Failure {
    Failure {
        code: Some(21211),
        sentence: "Invalid number".to_owned(),
    }
}

/// A store, a fake provider, and the lease of the sender.
pub(crate) struct Fixture {
    pub(crate) store: MemStore,
    pub(crate) sms: FakeSms,
    pub(crate) fence: Fence,
}

impl Fixture {
    pub(crate) fn open() -> Self {
        let store = MemStore::default();
        let fence = steps::acquire_lease(&store, &FixedClock::default(), "one")
            .unwrap()
            .unwrap();
        Self {
            store,
            sms: FakeSms::default(),
            fence,
        }
    }

    /// Adds an entrant with consent, whose welcome message is queued.
    pub(crate) fn enter(&self, n: u32, raffle: RaffleKey) -> Entrant {
        let command = SignUp {
            phone: phone(n),
            raffle: Some(raffle),
            referral_code: None,
            event_id: None,
            consent: Some(Consent {
                granted: true,
                act: ConsentAct::Form,
            }),
            origin: Origin::default(),
            fingerprint: None,
            session: None,
        };
        let entropy = SeededEntropy::new(n.into());
        usecases::entering::enter(&self.store, &FixedClock::default(), &entropy, &command, None)
            .unwrap()
            .entrant
    }

    pub(crate) fn queue_winner_message(&self, entrant: &Entrant) -> MessageId {
        let message = NewMessage {
            kind: MessageKind::Victory,
            entrant: Some(entrant.id),
            phone: entrant.phone.clone(),
            body: Some("You won!".to_owned().into()),
            at: noon(),
        };
        self.store
            .transaction::<_, StoreError>(|tx| tx.queue_message(&message))
            .unwrap()
    }

    /// Schedules a campaign for this audience and starts it.
    pub(crate) fn begin(&self, audience: Audience) -> sms::CampaignId {
        let clock = FixedClock::default();
        let template = NewTemplate {
            name: Label::parse("June").unwrap(),
            raffle: KITCHEN_GARDEN,
            message: MessageTemplate::parse("Look: {LINK}", DEFAULT_PLACEHOLDER).unwrap(),
            is_active: true,
        };
        let template = usecases::sms_templates::create(&self.store, &clock, STAFF, None, &template).unwrap();
        let command = ScheduleCommand {
            actor: STAFF,
            staff: None,
            name: Label::parse("Summer").unwrap(),
            template: template.id,
            start: Start::Now,
            audience,
            consent_basis: None,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            idempotency_key: None,
        };
        let entropy = SeededEntropy::new(0);
        let id = usecases::campaigns::schedule(&self.store, &clock, &entropy, &command)
            .unwrap()
            .id;
        steps::start_and_finish_campaigns(&self.store, &clock, self.fence).unwrap();
        id
    }

    pub(crate) fn next_by(&self, rules: &SmsRules, limit: u32) -> Vec<ReadyMessage> {
        steps::claim_next_messages(
            &self.store,
            &FixedClock::default(),
            rules,
            &PlainSealer::default(),
            self.fence,
            limit,
        )
        .unwrap()
    }

    pub(crate) fn next(&self) -> Vec<ReadyMessage> {
        self.next_by(&rules(), 100)
    }

    pub(crate) fn next_at(&self, wait: TimeDelta) -> Vec<ReadyMessage> {
        steps::claim_next_messages(
            &self.store,
            &after(wait),
            &rules(),
            &PlainSealer::default(),
            self.fence,
            100,
        )
        .unwrap()
    }

    pub(crate) fn record(&self, message: MessageId, attempt: u32, report: DeliveryReport) {
        let outcome = Outcome {
            message,
            attempt,
            report,
        };
        steps::record_outcomes(&self.store, &FixedClock::default(), &[outcome]).unwrap();
    }

    /// Hands messages to the provider, and records their outcomes.
    pub(crate) fn send(&self, messages: &[ReadyMessage]) {
        for message in messages {
            let result = now(self.sms.send_message(&credentials(), &message.outgoing));
            let report = DeliveryReport::of_send(result, message.attempt, noon(), 0).unwrap();
            self.record(message.id, message.attempt, report);
        }
    }

    pub(crate) fn message(&self, id: MessageId) -> Message {
        usecases::provider_callbacks::find_message(&self.store, id)
            .unwrap()
            .unwrap()
    }

    pub(crate) fn status(&self, id: MessageId) -> MessageStatus {
        self.message(id).status
    }
}

pub(crate) fn credentials() -> Credentials {
    credentials_of("0123456789abcdef0123456789abcdef")
}

pub(crate) fn other_credentials() -> Credentials {
    credentials_of("fedcba9876543210fedcba9876543210")
}

pub(crate) fn credentials_of(hex: &str) -> Credentials {
    Credentials::parse(&format!("AC{hex}"), hex, "+15550000000").unwrap()
}

/// The result of a future that is ready at once, as those of the fake are.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the future of a fake is ready at once"),
    }
}

pub(crate) fn numbers(messages: &[ReadyMessage]) -> Vec<Phone> {
    messages
        .iter()
        .map(|message| message.outgoing.to.clone())
        .collect()
}
