use super::fixture::{Fixture, STAFF, noon, numbers, phone, rules};
use chrono::TimeDelta;
use fakes::{FixedClock, PlainSealer};
use kernel::{StoreError, UnitOfWork};
use raffle::Entrant;
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use sms::{
    Audience, DeliveryReport, MAX_ATTEMPTS, MessageBody, MessageStatus, OptOuts, SendError, WelcomeMessage,
    default_welcome,
};
use usecases::send_messages::steps::{self, ReadyMessage, StepError};

#[test]
fn a_new_entrant_gets_the_welcome_message_of_the_raffle_or_the_default() {
    let fixture = Fixture::open();
    let clock = FixedClock::default();
    let own = WelcomeMessage::parse("Hi! {LINK} and [your-link]").unwrap();
    usecases::sms_templates::create_welcome(&fixture.store, &clock, STAFF, None, FRESH_SIPS, &own).unwrap();
    let first = fixture.enter(1, FRESH_SIPS);
    let second = fixture.enter(2, GARDEN_BAG);
    let messages = fixture.next();
    assert_eq!(numbers(&messages), [phone(1), phone(2)]);
    let link = |entrant: &Entrant| {
        let key = entrant.raffle.as_str();
        format!("https://example.org/{key}/ref/{}", entrant.referral_code.as_str())
    };
    assert_eq!(
        messages[0].outgoing.body,
        format!("Hi! {0} and {0}", link(&first))
    );
    assert_eq!(
        messages[1].outgoing.body,
        default_welcome("Tombola").replace("[your-link]", &link(&second))
    );
    for message in &messages {
        let callback = format!("https://example.org/api/twilio/status?text={}", message.id);
        assert_eq!(
            (&message.outgoing.status_callback, message.attempt),
            (&callback, 1)
        );
        let kept = fixture.message(message.id).content.body;
        let kept = kept.as_ref().and_then(MessageBody::as_clear);
        assert_eq!(
            kept,
            Some(message.outgoing.body.as_str()),
            "kept before it is sent"
        );
    }
    assert_eq!(fixture.next(), [], "each is given once");
}

#[test]
fn a_welcome_message_is_composed_from_the_newest_template_and_sent_again_unchanged() {
    let fixture = Fixture::open();
    let clock = FixedClock::default();
    let template = |text| WelcomeMessage::parse(text).unwrap();
    usecases::sms_templates::create_welcome(
        &fixture.store,
        &clock,
        STAFF,
        None,
        GARDEN_BAG,
        &template("First"),
    )
    .unwrap();
    fixture.enter(1, GARDEN_BAG);
    let change = |text| {
        usecases::sms_templates::update_welcome(&fixture.store, &clock, STAFF, GARDEN_BAG, &template(text))
            .unwrap()
    };
    change("Second");
    let message = fixture.next().remove(0);
    assert_eq!(message.outgoing.body, "Second");
    change("Third");
    fixture.record(message.id, 1, DeliveryReport::NotSent { retry_at: noon() });
    let again = fixture.next().remove(0);
    assert_eq!((again.outgoing.body.as_str(), again.attempt), ("Second", 2));
}

#[test]
fn single_messages_are_sent_before_campaigns() {
    let fixture = Fixture::open();
    for n in 1..=3 {
        fixture.enter(n, FRESH_SIPS);
    }
    fixture.begin(Audience::All);
    let is_campaigns = |message: &ReadyMessage| message.outgoing.body.contains("/planter/");
    for limit in [2, 1] {
        let messages = fixture.next_by(&rules(), limit);
        assert_eq!(messages.len(), limit as usize);
        assert!(!messages.iter().any(is_campaigns));
    }
    let first = fixture.next_by(&rules(), 2);
    assert_eq!(
        (numbers(&first), first.iter().all(is_campaigns)),
        (vec![phone(1), phone(2)], true)
    );
    // A new entrant need not wait for the whole campaign.
    fixture.enter(4, FRESH_SIPS);
    let welcome = fixture.next_by(&rules(), 2);
    assert_eq!(
        (numbers(&welcome), welcome.iter().any(is_campaigns)),
        (vec![phone(4)], false)
    );
    assert_eq!(numbers(&fixture.next_by(&rules(), 2)), [phone(3)]);
    assert_eq!(fixture.next(), []);
}

#[test]
fn a_campaign_message_has_the_recipients_own_link() {
    let fixture = Fixture::open();
    fixture.enter(1, FRESH_SIPS);
    fixture.send(&fixture.next());
    fixture.begin(Audience::Custom(vec![phone(1), phone(2)]));
    let messages = fixture.next();
    let links: Vec<_> = messages
        .iter()
        .map(|message| message.outgoing.body.strip_prefix("Look: ").unwrap())
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
fn skipped_recipients_are_not_claimed() {
    let fixture = Fixture::open();
    for n in 1..=4 {
        fixture.enter(n, FRESH_SIPS);
    }
    fixture.send(&fixture.next());
    let earlier = fixture.begin(Audience::All);
    fixture.send(&fixture.next_by(&rules(), 1));
    let opt_out = |tx: &mut fakes::MemTx| tx.opt_out(&phone(2), noon());
    fixture.store.transaction::<_, StoreError>(opt_out).unwrap();
    assert_eq!(numbers(&fixture.next()), [phone(3), phone(4)]);
    let later = fixture.begin(Audience::All);
    assert_eq!(fixture.next(), [], "all had their text of the month");
    let skipped = |id| {
        let (campaign, report) = usecases::campaigns::find(&fixture.store, id, false).unwrap();
        assert_eq!(report.waiting, i64::from(id == earlier) * 2);
        (campaign.figures.skipped, report.skipped)
    };
    assert_eq!(skipped(earlier), (1, vec![(sms::SkipReason::OptedOut, 1)]));
    assert_eq!(skipped(later), (3, vec![(sms::SkipReason::MonthlyCap, 3)]));
}

#[test]
fn a_batch_of_skipped_recipients_does_not_hold_up_the_next() {
    let fixture = Fixture::open();
    for n in 1..=9 {
        fixture.enter(n, FRESH_SIPS);
    }
    fixture.send(&fixture.next());
    fixture.begin(Audience::All);
    for n in 1..=6 {
        let opt_out = |tx: &mut fakes::MemTx| tx.opt_out(&phone(n), noon());
        fixture.store.transaction::<_, StoreError>(opt_out).unwrap();
    }
    let third_part = fixture.next_by(&rules(), 3);
    assert_eq!(numbers(&third_part), [phone(7), phone(8), phone(9)]);
    assert_eq!(fixture.next_by(&rules(), 3), []);
}

#[test]
fn skipped_messages_do_not_hold_up_the_next() {
    let fixture = Fixture::open();
    for n in 1..=130 {
        fixture.enter(n, FRESH_SIPS);
    }
    for n in 1..=128 {
        let opt_out = |tx: &mut fakes::MemTx| tx.opt_out(&phone(n), noon());
        fixture.store.transaction::<_, StoreError>(opt_out).unwrap();
    }
    assert_eq!(numbers(&fixture.next_by(&rules(), 50)), [phone(129), phone(130)]);
}

#[test]
fn sixty_welcome_messages_are_sent_per_minute_and_the_rest_wait() {
    let fixture = Fixture::open();
    for n in 1..=70 {
        fixture.enter(n, FRESH_SIPS);
    }
    assert_eq!(fixture.next().len(), 60);
    assert_eq!(fixture.next(), []);
    assert_eq!(fixture.next_at(TimeDelta::seconds(59)), []);
    assert_eq!(fixture.next_at(TimeDelta::seconds(60)).len(), 10);
}

#[test]
fn a_message_without_attempts_left_fails_with_a_reason() {
    let fixture = Fixture::open();
    let winner = fixture.enter(1, FRESH_SIPS);
    let id = fixture.queue_winner_message(&winner);
    let mut wait = TimeDelta::zero();
    for attempt in 1..=MAX_ATTEMPTS {
        let messages = fixture.next_at(wait);
        let message = messages.iter().find(|message| message.id == id).unwrap();
        assert_eq!(message.attempt, attempt);
        let not_sent = SendError::NotSent {
            retry_after: None,
            cause: "too many".into(),
        };
        let report = DeliveryReport::of_send(Err(not_sent), attempt, noon() + wait, 255).unwrap();
        fixture.record(id, attempt, report);
        wait += TimeDelta::minutes(10);
    }
    assert_eq!(fixture.next_at(wait), []);
    let message = fixture.message(id);
    assert_eq!(
        (message.status, message.reason.as_deref()),
        (
            MessageStatus::Failed,
            Some("Not taken by the provider in 150 attempts")
        )
    );
}

#[test]
fn nothing_is_claimed_when_the_store_fails() {
    let fixture = Fixture::open();
    fixture.enter(1, FRESH_SIPS);
    fixture.store.fail_next(StoreError::Conflict);
    let failed = steps::claim_next_messages(
        &fixture.store,
        &FixedClock::default(),
        &rules(),
        &PlainSealer::default(),
        fixture.fence,
        10,
    );
    assert!(matches!(failed, Err(StepError::Store(StoreError::Conflict))));
    assert_eq!(numbers(&fixture.next()), [phone(1)]);
}
