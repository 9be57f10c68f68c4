use super::fixture::{
    Fixture, STAFF, after, credentials, noon, now, numbers, other_credentials, phone, rules,
};
use chrono::TimeDelta;
use fakes::{FixedClock, PlainSealer, SentMessage, SmsAnswer};
use raffle::fixtures::FRESH_SIPS;
use sms::{Credentials, DeliveryReport, LOOK_UP_AFTER, MessageStatus, SmsSender};
use usecases::send_messages::steps::{self, LEASE, StepError};

#[test]
fn a_message_that_may_have_been_sent_is_looked_up_before_it_is_sent_again() {
    let fixture = Fixture::open();
    fixture.enter(1, FRESH_SIPS);
    fixture.enter(2, FRESH_SIPS);
    for (n, sent) in [(1, true), (2, false)] {
        fixture.sms.answer_next(&phone(n), SmsAnswer::Lost { sent });
    }
    let messages = fixture.next();
    fixture.send(&messages);
    assert_eq!(fixture.status(messages[0].id), MessageStatus::Unknown);
    assert_eq!(
        fixture.next_at(TimeDelta::hours(1)),
        [],
        "it is not sent before it was looked up"
    );
    let uncertain = |wait| {
        steps::claim_uncertain(
            &fixture.store,
            &after(wait),
            &PlainSealer::default(),
            fixture.fence,
            10,
        )
        .unwrap()
    };
    assert_eq!(uncertain(LOOK_UP_AFTER - TimeDelta::milliseconds(1)), []);
    let claimed = uncertain(LOOK_UP_AFTER);
    assert_eq!(claimed.len(), 2);
    assert_eq!(uncertain(LOOK_UP_AFTER), [], "they come again later");
    for (message, query) in &claimed {
        assert_eq!(
            query.needle,
            fixture
                .message(message.id)
                .content
                .body
                .unwrap()
                .as_clear()
                .unwrap()
        );
        assert_eq!(query.since, noon() - TimeDelta::hours(1), "clocks differ");
        let result = now(fixture.sms.find_message(&credentials(), query));
        let report = DeliveryReport::of_look_up(result, message.attempt, noon(), 0).unwrap();
        fixture.record(message.id, message.attempt, report);
    }
    assert_eq!(fixture.status(messages[0].id), MessageStatus::Sent);
    let again = fixture.next_at(TimeDelta::milliseconds(250));
    assert_eq!(
        (numbers(&again), again[0].attempt),
        (vec![phone(2)], 2),
        "only what the provider does not have"
    );
    fixture.send(&again);
    let received: Vec<SentMessage> = fixture.sms.sent();
    let numbers: Vec<_> = received.iter().map(|sent| sent.outgoing.to.clone()).collect();
    assert_eq!(numbers, [phone(1), phone(2)], "each once");
}

#[test]
fn an_unknown_message_stays_so_while_the_provider_cannot_be_asked() {
    let fixture = Fixture::open();
    fixture.enter(1, FRESH_SIPS);
    fixture.sms.answer_next(&phone(1), SmsAnswer::Lost { sent: true });
    let messages = fixture.next();
    fixture.send(&messages);
    fixture.sms.fail_look_ups(true);
    let mut wait = LOOK_UP_AFTER;
    for _ in 0..200 {
        let query = steps::claim_uncertain(
            &fixture.store,
            &after(wait),
            &PlainSealer::default(),
            fixture.fence,
            10,
        )
        .unwrap();
        let (message, question) = &query[0];
        let result = now(fixture.sms.find_message(&credentials(), question));
        assert_eq!(
            DeliveryReport::of_look_up(result, message.attempt, noon(), 0),
            None
        );
        wait += TimeDelta::seconds(20);
    }
    assert_eq!(
        fixture.status(messages[0].id),
        MessageStatus::Unknown,
        "never given up"
    );
    assert_eq!(fixture.next_at(wait), []);
    assert_eq!(fixture.sms.sent().len(), 1);
}

#[test]
fn a_sender_that_lost_the_lease_claims_nothing_and_its_last_messages_are_unknown() {
    let fixture = Fixture::open();
    fixture.enter(1, FRESH_SIPS);
    fixture.enter(2, FRESH_SIPS);
    let claimed = fixture.next_by(&rules(), 1);
    let take = |owner, wait| steps::acquire_lease(&fixture.store, &after(wait), owner).unwrap();
    assert_eq!(take("two", LEASE - TimeDelta::milliseconds(1)), None);
    assert_eq!(take("one", TimeDelta::zero()), Some(fixture.fence), "renewed");
    let second = take("two", LEASE).unwrap();
    assert!(second > fixture.fence);
    let late = steps::claim_next_messages(
        &fixture.store,
        &after(LEASE),
        &rules(),
        &PlainSealer::default(),
        fixture.fence,
        10,
    );
    assert!(matches!(late, Err(StepError::Fenced(_))));
    let late = steps::claim_uncertain(
        &fixture.store,
        &after(LEASE),
        &PlainSealer::default(),
        fixture.fence,
        10,
    );
    assert!(matches!(late, Err(StepError::Fenced(_))));
    let late = steps::start_and_finish_campaigns(&fixture.store, &after(LEASE), fixture.fence);
    assert!(matches!(late, Err(StepError::Fenced(_))));
    assert_eq!(fixture.status(claimed[0].id), MessageStatus::Unknown);
    let others = steps::claim_next_messages(
        &fixture.store,
        &after(LEASE),
        &rules(),
        &PlainSealer::default(),
        second,
        10,
    )
    .unwrap();
    assert_eq!(numbers(&others), [phone(2)]);
    // An outcome under the lost lease is recorded all the same.
    fixture.send(&claimed);
    assert_eq!(fixture.status(claimed[0].id), MessageStatus::Sent);
}

#[test]
fn a_sender_that_stops_releases_its_lease_and_its_claims() {
    let fixture = Fixture::open();
    fixture.enter(1, FRESH_SIPS);
    let claimed = fixture.next();
    steps::release_claims(&fixture.store, &[(claimed[0].id, 1)]).unwrap();
    steps::release_lease(&fixture.store, &FixedClock::default(), fixture.fence).unwrap();
    let second = steps::acquire_lease(&fixture.store, &FixedClock::default(), "two")
        .unwrap()
        .unwrap();
    let messages = steps::claim_next_messages(
        &fixture.store,
        &FixedClock::default(),
        &rules(),
        &PlainSealer::default(),
        second,
        10,
    )
    .unwrap();
    assert_eq!(numbers(&messages), [phone(1)], "at once, and nothing to look up");
}

#[test]
fn refused_credentials_halt_sending_until_others_are_saved() {
    let fixture = Fixture::open();
    assert!(!steps::is_halted(&fixture.store).unwrap());
    fixture.sms.refuse_credentials(true);
    fixture.enter(1, FRESH_SIPS);
    let messages = fixture.next();
    let result = now(fixture.sms.send_message(&credentials(), &messages[0].outgoing));
    assert_eq!(DeliveryReport::of_send(result, 1, noon(), 0), None);
    steps::release_claims(&fixture.store, &[(messages[0].id, 1)]).unwrap();
    let (clock, sealer) = (FixedClock::default(), fakes::PlainSealer::default());
    let halt = |refused: &Credentials| {
        steps::halt_for_credentials(
            &fixture.store,
            &sealer,
            Some(&credentials()),
            fixture.fence,
            refused,
        )
        .unwrap()
    };
    assert!(halt(&credentials()));
    assert!(steps::is_halted(&fixture.store).unwrap());
    assert_eq!(
        fixture.status(messages[0].id),
        MessageStatus::Pending,
        "nothing is lost"
    );
    usecases::credentials::save(&fixture.store, &clock, &sealer, STAFF, &other_credentials()).unwrap();
    assert!(!steps::is_halted(&fixture.store).unwrap());
    assert!(!halt(&credentials()), "a late refusal of the old ones");
    assert!(!steps::is_halted(&fixture.store).unwrap());
    fixture.sms.refuse_credentials(false);
    fixture.send(&fixture.next());
    assert_eq!(fixture.status(messages[0].id), MessageStatus::Sent);
}
