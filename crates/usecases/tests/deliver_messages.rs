//! Sending texts, on the fakes. What a store must hold is in `contracts`; this is what the flow itself decides.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FakeSms, FixedClock, MemStore, SeededEntropy, SentMessage, SmsAnswer};
use kernel::{Clock, Origin, Phone, Raffle, StoreError, UnitOfWork};
use raffle::Entrant;
use sms::{
    Audience, Consent, ConsentAct, Credentials, DEFAULT_PLACEHOLDER, DEFAULT_WELCOME, DeliveryReport,
    Failure, Fence, Label, LinkBase, MAX_ATTEMPTS, Message, MessageId, MessageKind, MessageQueryError,
    MessageStatus, MessageTemplate, NewMessage, NewTemplate, OptOuts, Outbox, Outcome, ProviderMessage,
    ProviderMessageId, ProviderStatus, QuietHours, SendError, SmsSender, WelcomeMessage,
};
use staff::{Actor, SessionId};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use usecases::campaigns::{ScheduleCommand, SmsRules};
use usecases::deliver_messages::{DeliverError, LEASE, LOOK_UP_AFTER, ReadyMessage};
use usecases::entering::EnterCommand;

const STAFF: Actor = Actor {
    session: SessionId::new(1),
    address: None,
};

fn noon() -> DateTime<Utc> {
    FixedClock::default().now()
}

fn after(wait: TimeDelta) -> FixedClock {
    FixedClock::at(noon() + wait)
}

fn rules() -> SmsRules {
    SmsRules {
        public_origin: "https://example.org".to_owned(),
        time_zone: chrono_tz::America::New_York,
        quiet_hours: None,
        monthly_cap: 1,
    }
}

fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).unwrap()
}

fn provider_message(status: ProviderStatus) -> ProviderMessage {
    ProviderMessage {
        id: ProviderMessageId::parse("SM1").unwrap(),
        status,
        failure: None,
    }
}

fn failure() -> Failure {
    Failure {
        code: Some(21211),
        sentence: "Invalid number".to_owned(),
    }
}

fn given_up() -> DeliveryReport {
    DeliveryReport::Refused(Failure {
        code: None,
        sentence: format!("Not taken by the provider in {MAX_ATTEMPTS} attempts"),
    })
}

fn not_sent(retry_after: Option<Duration>) -> SendError {
    SendError::NotSent {
        retry_after,
        cause: "too many".into(),
    }
}

#[test]
fn what_the_provider_says_of_a_text_is_what_it_came_to() {
    let told = |result| usecases::deliver_messages::report_of_send(result, 1, noon(), 0);
    for status in [
        ProviderStatus::Accepted,
        ProviderStatus::Delivered,
        ProviderStatus::Failed,
    ] {
        let text = provider_message(status);
        assert_eq!(told(Ok(text.clone())), Some(DeliveryReport::AtProvider(text)));
    }
    assert_eq!(told(Err(SendError::OptedOut)), Some(DeliveryReport::OptedOut));
    assert_eq!(
        told(Err(SendError::Refused(failure()))),
        Some(DeliveryReport::Refused(failure()))
    );
    assert_eq!(told(Err(SendError::Credentials)), None);
    let look_up_at = noon() + LOOK_UP_AFTER;
    assert_eq!(
        told(Err(SendError::MaybeSent("no answer".into()))),
        Some(DeliveryReport::Uncertain { look_up_at })
    );
}

#[test]
fn what_was_not_sent_waits_longer_each_time_and_as_long_as_the_provider_asks() {
    let told = |attempt, random, asked: Option<u64>| {
        let error = not_sent(asked.map(Duration::from_secs));
        usecases::deliver_messages::report_of_send(Err(error), attempt, noon(), random)
    };
    let again = |wait| {
        Some(DeliveryReport::NotSent {
            retry_at: noon() + TimeDelta::milliseconds(wait),
        })
    };
    assert_eq!(told(1, 0, None), again(250));
    assert_eq!(told(1, 255, None), again(500));
    assert_eq!(told(4, 255, None), again(4_000));
    assert_eq!(told(1, 255, Some(7)), again(7_000));
    assert_eq!(told(4, 255, Some(1)), again(4_000), "the longer wait holds");
    assert_eq!(told(MAX_ATTEMPTS - 1, 255, None), again(600_000));
    assert_eq!(
        told(1, 0, Some(u64::MAX)),
        again(250),
        "what is no time is no wish"
    );
}

#[test]
fn a_text_is_given_up_after_so_many_attempts_and_not_while_it_may_have_been_sent() {
    let last = |result| usecases::deliver_messages::report_of_send(result, MAX_ATTEMPTS, noon(), 0);
    assert_eq!(last(Err(not_sent(None))), Some(given_up()));
    assert_eq!(
        last(Err(not_sent(Some(Duration::from_secs(9))))),
        Some(given_up())
    );
    let look_up_at = noon() + LOOK_UP_AFTER;
    assert_eq!(
        last(Err(SendError::MaybeSent("no answer".into()))),
        Some(DeliveryReport::Uncertain { look_up_at })
    );
    let text = provider_message(ProviderStatus::Accepted);
    assert_eq!(last(Ok(text.clone())), Some(DeliveryReport::AtProvider(text)));
}

#[test]
fn a_text_that_was_looked_up_is_there_or_is_sent_again_or_stays_in_doubt() {
    let told = |result, attempt| usecases::deliver_messages::report_of_lookup(result, attempt, noon(), 255);
    let text = provider_message(ProviderStatus::Delivered);
    assert_eq!(
        told(Ok(Some(text.clone())), MAX_ATTEMPTS),
        Some(DeliveryReport::AtProvider(text))
    );
    let again_at = noon() + TimeDelta::milliseconds(1_000);
    assert_eq!(
        told(Ok(None), 2),
        Some(DeliveryReport::NotSent { retry_at: again_at })
    );
    assert_eq!(told(Ok(None), MAX_ATTEMPTS), Some(given_up()));
    for attempt in [1, MAX_ATTEMPTS] {
        assert_eq!(
            told(Err(MessageQueryError::Unavailable("away".into())), attempt),
            None
        );
        assert_eq!(told(Err(MessageQueryError::Credentials), attempt), None);
    }
}

/// A store, the provider, and the lease.
struct Office {
    store: MemStore,
    sms: FakeSms,
    fence: Fence,
}

impl Office {
    fn open() -> Self {
        let store = MemStore::default();
        let fence = usecases::deliver_messages::acquire_lease(&store, &FixedClock::default(), "one")
            .unwrap()
            .unwrap();
        Self {
            store,
            sms: FakeSms::default(),
            fence,
        }
    }

    /// Somebody who consents enters, and their welcome text waits.
    fn enter(&self, n: u32, raffle: Raffle) -> Entrant {
        let command = EnterCommand {
            phone: phone(n),
            raffle,
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
        usecases::entering::enter(&self.store, &FixedClock::default(), &entropy, &command)
            .unwrap()
            .entrant
    }

    fn queue_victory(&self, entrant: &Entrant) -> MessageId {
        let text = NewMessage {
            kind: MessageKind::Victory,
            entrant: Some(entrant.id),
            phone: entrant.phone.clone(),
            body: Some("You won!".to_owned()),
            at: noon(),
        };
        self.store
            .transaction::<_, StoreError>(|tx| tx.queue_message(&text))
            .unwrap()
    }

    /// A campaign for these, begun at once.
    fn begin(&self, audience: Audience) -> sms::CampaignId {
        let clock = FixedClock::default();
        let template = NewTemplate {
            name: Label::parse("June").unwrap(),
            raffle: Raffle::KitchenGarden,
            message: MessageTemplate::parse("Look: {LINK}", DEFAULT_PLACEHOLDER).unwrap(),
            is_active: true,
        };
        let template = usecases::sms_templates::create(&self.store, &clock, STAFF, &template).unwrap();
        let command = ScheduleCommand {
            actor: STAFF,
            name: Label::parse("Summer").unwrap(),
            template: template.id,
            scheduled_at: noon(),
            audience,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            idempotency_key: None,
        };
        let entropy = SeededEntropy::new(0);
        let id = usecases::campaigns::schedule(&self.store, &clock, &entropy, &command)
            .unwrap()
            .id;
        usecases::deliver_messages::start_and_finish_campaigns(&self.store, &clock, self.fence).unwrap();
        id
    }

    fn next_by(&self, rules: &SmsRules, limit: u32) -> Vec<ReadyMessage> {
        usecases::deliver_messages::claim_next_messages(
            &self.store,
            &FixedClock::default(),
            rules,
            self.fence,
            limit,
        )
        .unwrap()
    }

    fn next(&self) -> Vec<ReadyMessage> {
        self.next_by(&rules(), 100)
    }

    fn next_at(&self, wait: TimeDelta) -> Vec<ReadyMessage> {
        usecases::deliver_messages::claim_next_messages(&self.store, &after(wait), &rules(), self.fence, 100)
            .unwrap()
    }

    fn record(&self, message: MessageId, attempt: u32, report: DeliveryReport) {
        let outcome = Outcome {
            message,
            attempt,
            report,
        };
        usecases::deliver_messages::record_outcomes(&self.store, &FixedClock::default(), &[outcome]).unwrap();
    }

    /// Hands texts to the provider, and notes what became of them.
    fn send(&self, texts: &[ReadyMessage]) {
        for text in texts {
            let result = now(self.sms.send_message(&credentials(), &text.outgoing));
            let what = usecases::deliver_messages::report_of_send(result, text.attempt, noon(), 0).unwrap();
            self.record(text.id, text.attempt, what);
        }
    }

    fn text(&self, id: MessageId) -> Message {
        usecases::provider_callbacks::find_message(&self.store, id)
            .unwrap()
            .unwrap()
    }

    fn status(&self, id: MessageId) -> MessageStatus {
        self.text(id).status
    }
}

fn credentials() -> Credentials {
    credentials_of("0123456789abcdef0123456789abcdef")
}

fn other_credentials() -> Credentials {
    credentials_of("fedcba9876543210fedcba9876543210")
}

fn credentials_of(hex: &str) -> Credentials {
    Credentials::parse(&format!("AC{hex}"), hex, "+15550000000").unwrap()
}

/// The fake never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("the fake never waits"),
    }
}

fn numbers(texts: &[ReadyMessage]) -> Vec<Phone> {
    texts.iter().map(|text| text.outgoing.to.clone()).collect()
}

#[test]
fn a_new_entrant_is_told_what_the_raffle_says_or_the_default() {
    let office = Office::open();
    let clock = FixedClock::default();
    let own = WelcomeMessage::parse("Hi! {LINK} and [your-link]").unwrap();
    usecases::sms_templates::create_welcome(&office.store, &clock, STAFF, Raffle::FreshSips, &own).unwrap();
    let first = office.enter(1, Raffle::FreshSips);
    let second = office.enter(2, Raffle::GardenBag);
    let texts = office.next();
    assert_eq!(numbers(&texts), [phone(1), phone(2)]);
    let link = |entrant: &Entrant| {
        let key = entrant.raffle.as_str();
        format!("https://example.org/{key}/ref/{}", entrant.referral_code.as_str())
    };
    assert_eq!(texts[0].outgoing.body, format!("Hi! {0} and {0}", link(&first)));
    assert_eq!(
        texts[1].outgoing.body,
        DEFAULT_WELCOME.replace("[your-link]", &link(&second))
    );
    for text in &texts {
        let callback = format!("https://example.org/api/twilio/status?text={}", text.id);
        assert_eq!((&text.outgoing.status_callback, text.attempt), (&callback, 1));
        let kept = office.text(text.id).content.body;
        assert_eq!(kept.as_ref(), Some(&text.outgoing.body), "kept before it is sent");
    }
    assert_eq!(office.next(), [], "each is given once");
}

#[test]
fn a_welcome_text_says_what_staff_wrote_last_and_the_same_when_it_is_sent_again() {
    let office = Office::open();
    let clock = FixedClock::default();
    let message = |text| WelcomeMessage::parse(text).unwrap();
    usecases::sms_templates::create_welcome(
        &office.store,
        &clock,
        STAFF,
        Raffle::GardenBag,
        &message("First"),
    )
    .unwrap();
    office.enter(1, Raffle::GardenBag);
    let change = |text| {
        usecases::sms_templates::update_welcome(
            &office.store,
            &clock,
            STAFF,
            Raffle::GardenBag,
            &message(text),
        )
        .unwrap()
    };
    change("Second");
    let text = office.next().remove(0);
    assert_eq!(text.outgoing.body, "Second");
    change("Third");
    office.record(text.id, 1, DeliveryReport::NotSent { retry_at: noon() });
    let again = office.next().remove(0);
    assert_eq!((again.outgoing.body.as_str(), again.attempt), ("Second", 2));
}

#[test]
fn while_it_is_quiet_only_tests_are_sent() {
    let office = Office::open();
    let entrant = office.enter(1, Raffle::GardenBag);
    office.queue_victory(&entrant);
    office.begin(Audience::All);
    let test = usecases::provider_callbacks::queue_test_message(
        &office.store,
        &FixedClock::default(),
        STAFF,
        &phone(9),
    )
    .unwrap();
    // It is 8 in the morning in New York.
    let quiet = |from: u16, until: u16| SmsRules {
        quiet_hours: Some(QuietHours {
            from: from * 60,
            until: until * 60,
        }),
        ..rules()
    };
    let texts = office.next_by(&quiet(21, 9), 100);
    assert_eq!(texts.iter().map(|text| text.id).collect::<Vec<_>>(), [test]);
    assert_eq!(office.next_by(&quiet(8, 9), 100), []);
    assert_eq!(
        numbers(&office.next_by(&quiet(21, 8), 100)),
        [phone(1), phone(1)],
        "welcome and victory"
    );
    assert_eq!(
        numbers(&office.next_by(&quiet(21, 8), 100)),
        [phone(1)],
        "the campaign"
    );
}

#[test]
fn texts_that_wait_by_themselves_go_before_campaigns() {
    let office = Office::open();
    for n in 1..=3 {
        office.enter(n, Raffle::FreshSips);
    }
    office.begin(Audience::All);
    let is_campaigns = |text: &ReadyMessage| text.outgoing.body.contains("/planter/");
    for limit in [2, 1] {
        let texts = office.next_by(&rules(), limit);
        assert_eq!(texts.len(), limit as usize);
        assert!(!texts.iter().any(is_campaigns));
    }
    let first = office.next_by(&rules(), 2);
    assert_eq!(
        (numbers(&first), first.iter().all(is_campaigns)),
        (vec![phone(1), phone(2)], true)
    );
    // Somebody who enters now need not wait for the whole campaign.
    office.enter(4, Raffle::FreshSips);
    let welcome = office.next_by(&rules(), 2);
    assert_eq!(
        (numbers(&welcome), welcome.iter().any(is_campaigns)),
        (vec![phone(4)], false)
    );
    assert_eq!(numbers(&office.next_by(&rules(), 2)), [phone(3)]);
    assert_eq!(office.next(), []);
}

#[test]
fn a_campaign_text_has_the_recipients_own_link() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    office.send(&office.next());
    office.begin(Audience::Custom(vec![phone(1), phone(2)]));
    let texts = office.next();
    let links: Vec<_> = texts
        .iter()
        .map(|text| text.outgoing.body.strip_prefix("Look: ").unwrap())
        .collect();
    assert!(
        links[0].starts_with("https://example.org/planter/fresh-"),
        "{links:?}"
    );
    assert!(
        links[1].starts_with("https://example.org/planter/kitchen-"),
        "a stranger gets the template's: {links:?}"
    );
}

#[test]
fn recipients_who_are_to_be_skipped_are_not_given() {
    let office = Office::open();
    for n in 1..=4 {
        office.enter(n, Raffle::FreshSips);
    }
    office.send(&office.next());
    let earlier = office.begin(Audience::All);
    office.send(&office.next_by(&rules(), 1));
    let opt_out = |tx: &mut fakes::MemTx| tx.opt_out(&phone(2), noon());
    office.store.transaction::<_, StoreError>(opt_out).unwrap();
    assert_eq!(numbers(&office.next()), [phone(3), phone(4)]);
    let later = office.begin(Audience::All);
    assert_eq!(office.next(), [], "all had their text of the month");
    let skipped = |id| {
        let (campaign, report) = usecases::campaigns::find(&office.store, id).unwrap();
        assert_eq!(report.waiting, i64::from(id == earlier) * 2);
        (campaign.figures.skipped, report.skipped)
    };
    assert_eq!(skipped(earlier), (1, vec![(sms::SkipReason::OptedOut, 1)]));
    assert_eq!(skipped(later), (3, vec![(sms::SkipReason::MonthlyCap, 3)]));
}

#[test]
fn a_part_with_nobody_to_send_to_does_not_hold_up_the_next() {
    let office = Office::open();
    for n in 1..=9 {
        office.enter(n, Raffle::FreshSips);
    }
    office.send(&office.next());
    office.begin(Audience::All);
    for n in 1..=6 {
        let opt_out = |tx: &mut fakes::MemTx| tx.opt_out(&phone(n), noon());
        office.store.transaction::<_, StoreError>(opt_out).unwrap();
    }
    let third_part = office.next_by(&rules(), 3);
    assert_eq!(numbers(&third_part), [phone(7), phone(8), phone(9)]);
    assert_eq!(office.next_by(&rules(), 3), []);
}

#[test]
fn sixty_welcome_texts_go_out_in_a_minute_and_the_others_wait() {
    let office = Office::open();
    for n in 1..=70 {
        office.enter(n, Raffle::FreshSips);
    }
    assert_eq!(office.next().len(), 60);
    assert_eq!(office.next(), []);
    assert_eq!(office.next_at(TimeDelta::seconds(59)), []);
    assert_eq!(office.next_at(TimeDelta::seconds(60)).len(), 10);
}

#[test]
fn a_text_that_may_have_been_sent_is_looked_up_before_it_is_sent_again() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    office.enter(2, Raffle::FreshSips);
    for (n, sent) in [(1, true), (2, false)] {
        office.sms.answer_next(&phone(n), SmsAnswer::Lost { sent });
    }
    let texts = office.next();
    office.send(&texts);
    assert_eq!(office.status(texts[0].id), MessageStatus::Unknown);
    assert_eq!(office.next_at(TimeDelta::hours(1)), [], "nobody sends it blindly");
    let doubtful = |wait| {
        usecases::deliver_messages::claim_uncertain(&office.store, &after(wait), office.fence, 10).unwrap()
    };
    assert_eq!(doubtful(LOOK_UP_AFTER - TimeDelta::milliseconds(1)), []);
    let query = doubtful(LOOK_UP_AFTER);
    assert_eq!(query.len(), 2);
    assert_eq!(doubtful(LOOK_UP_AFTER), [], "they come again later");
    for (text, question) in &query {
        assert_eq!(question.needle, office.text(text.id).content.body.unwrap());
        assert_eq!(question.since, noon() - TimeDelta::hours(1), "clocks differ");
        let result = now(office.sms.find_message(&credentials(), question));
        let what = usecases::deliver_messages::report_of_lookup(result, text.attempt, noon(), 0).unwrap();
        office.record(text.id, text.attempt, what);
    }
    assert_eq!(office.status(texts[0].id), MessageStatus::Sent);
    let again = office.next_at(TimeDelta::milliseconds(250));
    assert_eq!(
        (numbers(&again), again[0].attempt),
        (vec![phone(2)], 2),
        "only what the provider does not have"
    );
    office.send(&again);
    let received: Vec<SentMessage> = office.sms.sent();
    let numbers: Vec<_> = received.iter().map(|sent| sent.outgoing.to.clone()).collect();
    assert_eq!(numbers, [phone(1), phone(2)], "each once");
}

#[test]
fn a_text_in_doubt_stays_so_while_the_provider_cannot_be_asked() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    office.sms.answer_next(&phone(1), SmsAnswer::Lost { sent: true });
    let texts = office.next();
    office.send(&texts);
    office.sms.fail_look_ups(true);
    let mut wait = LOOK_UP_AFTER;
    for _ in 0..200 {
        let query =
            usecases::deliver_messages::claim_uncertain(&office.store, &after(wait), office.fence, 10)
                .unwrap();
        let (text, question) = &query[0];
        let result = now(office.sms.find_message(&credentials(), question));
        assert_eq!(
            usecases::deliver_messages::report_of_lookup(result, text.attempt, noon(), 0),
            None
        );
        wait += TimeDelta::seconds(20);
    }
    assert_eq!(
        office.status(texts[0].id),
        MessageStatus::Unknown,
        "never given up"
    );
    assert_eq!(office.next_at(wait), []);
    assert_eq!(office.sms.sent().len(), 1);
}

#[test]
fn a_text_that_was_given_up_fails_with_its_reason() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    let mut wait = TimeDelta::zero();
    for attempt in 1..=MAX_ATTEMPTS {
        let texts = office.next_at(wait);
        assert_eq!(texts[0].attempt, attempt);
        let what =
            usecases::deliver_messages::report_of_send(Err(not_sent(None)), attempt, noon() + wait, 255)
                .unwrap();
        office.record(texts[0].id, attempt, what);
        wait += TimeDelta::minutes(10);
    }
    assert_eq!(office.next_at(wait), []);
    let text = office.text(MessageId::new(1));
    assert_eq!(
        (text.status, text.reason.as_deref()),
        (
            MessageStatus::Failed,
            Some("Not taken by the provider in 150 attempts")
        )
    );
}

#[test]
fn who_lost_the_lease_is_given_nothing_and_what_it_sent_last_is_in_doubt() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    office.enter(2, Raffle::FreshSips);
    let claimed = office.next_by(&rules(), 1);
    let take =
        |owner, wait| usecases::deliver_messages::acquire_lease(&office.store, &after(wait), owner).unwrap();
    assert_eq!(take("two", LEASE - TimeDelta::milliseconds(1)), None);
    assert_eq!(take("one", TimeDelta::zero()), Some(office.fence), "renewed");
    let second = take("two", LEASE).unwrap();
    assert!(second > office.fence);
    let late = usecases::deliver_messages::claim_next_messages(
        &office.store,
        &after(LEASE),
        &rules(),
        office.fence,
        10,
    );
    assert!(matches!(late, Err(DeliverError::Fenced(_))));
    let late = usecases::deliver_messages::claim_uncertain(&office.store, &after(LEASE), office.fence, 10);
    assert!(matches!(late, Err(DeliverError::Fenced(_))));
    let late =
        usecases::deliver_messages::start_and_finish_campaigns(&office.store, &after(LEASE), office.fence);
    assert!(matches!(late, Err(DeliverError::Fenced(_))));
    assert_eq!(office.status(claimed[0].id), MessageStatus::Unknown);
    let others =
        usecases::deliver_messages::claim_next_messages(&office.store, &after(LEASE), &rules(), second, 10)
            .unwrap();
    assert_eq!(numbers(&others), [phone(2)]);
    // What happened, happened: also when it is told late.
    office.send(&claimed);
    assert_eq!(office.status(claimed[0].id), MessageStatus::Sent);
}

#[test]
fn who_stops_leaves_its_lease_and_its_texts_to_others() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    let claimed = office.next();
    usecases::deliver_messages::release_claims(&office.store, &[(claimed[0].id, 1)]).unwrap();
    usecases::deliver_messages::release_lease(&office.store, &FixedClock::default(), office.fence).unwrap();
    let second = usecases::deliver_messages::acquire_lease(&office.store, &FixedClock::default(), "two")
        .unwrap()
        .unwrap();
    let texts = usecases::deliver_messages::claim_next_messages(
        &office.store,
        &FixedClock::default(),
        &rules(),
        second,
        10,
    )
    .unwrap();
    assert_eq!(numbers(&texts), [phone(1)], "at once, and nothing to look up");
}

#[test]
fn refused_credentials_stop_sending_until_others_are_saved() {
    let office = Office::open();
    assert!(!usecases::deliver_messages::is_halted(&office.store).unwrap());
    office.sms.refuse_credentials(true);
    office.enter(1, Raffle::FreshSips);
    let texts = office.next();
    let result = now(office.sms.send_message(&credentials(), &texts[0].outgoing));
    assert_eq!(
        usecases::deliver_messages::report_of_send(result, 1, noon(), 0),
        None
    );
    usecases::deliver_messages::release_claims(&office.store, &[(texts[0].id, 1)]).unwrap();
    let (clock, sealer) = (FixedClock::default(), fakes::PlainSealer::default());
    let halt = |refused: &Credentials| {
        usecases::deliver_messages::halt_for_credentials(
            &office.store,
            &sealer,
            Some(&credentials()),
            office.fence,
            refused,
        )
        .unwrap()
    };
    assert!(halt(&credentials()));
    assert!(usecases::deliver_messages::is_halted(&office.store).unwrap());
    assert_eq!(
        office.status(texts[0].id),
        MessageStatus::Pending,
        "nothing is lost"
    );
    usecases::credentials::save(&office.store, &clock, &sealer, STAFF, &other_credentials()).unwrap();
    assert!(!usecases::deliver_messages::is_halted(&office.store).unwrap());
    assert!(!halt(&credentials()), "a late refusal of the old ones");
    assert!(!usecases::deliver_messages::is_halted(&office.store).unwrap());
    office.sms.refuse_credentials(false);
    office.send(&office.next());
    assert_eq!(office.status(texts[0].id), MessageStatus::Sent);
}

#[test]
fn nothing_is_claimed_when_the_store_fails() {
    let office = Office::open();
    office.enter(1, Raffle::FreshSips);
    office.store.fail_next(StoreError::Conflict);
    let failed = usecases::deliver_messages::claim_next_messages(
        &office.store,
        &FixedClock::default(),
        &rules(),
        office.fence,
        10,
    );
    assert!(matches!(failed, Err(DeliverError::Store(StoreError::Conflict))));
    assert_eq!(numbers(&office.next()), [phone(1)]);
}
