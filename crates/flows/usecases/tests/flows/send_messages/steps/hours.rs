//! The hours of recipients, by the store's clock.

use super::fixture::{Fixture, STAFF, noon, numbers, rules};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use fakes::{FixedClock, PlainSealer};
use kernel::{Clock, Phone, StoreError, UnitOfWork};
use raffle::fixtures::GARDEN_BAG;
use sms::{
    Audience, DailyCounts, DeliveryReport, MessageId, MessageKind, MessageStatus, NewMessage, Outbox,
    RecipientHours, WaitReason,
};
use usecases::campaigns::{SmsRules, sms_status};
use usecases::provider_callbacks::find_message_and_wait;
use usecases::send_messages::steps::{ReadyMessage, claim_next_messages, start_and_finish_campaigns};

/// At noon UTC it is 8:00 in New York, 5:00 in Los Angeles, and no hour for an unknown area code.
const NEW_YORK: &str = "+12125550001";
const LOS_ANGELES: &str = "+12135550002";
const UNKNOWN: &str = "+15555550003";

fn phone(number: &str) -> Phone {
    Phone::from_e164(number).unwrap()
}

fn with_hours() -> SmsRules {
    SmsRules {
        hours: Some(RecipientHours::new(None, Tz::America__New_York).unwrap()),
        ..rules()
    }
}

fn after(hours: i64) -> DateTime<Utc> {
    noon() + TimeDelta::hours(hours)
}

impl Fixture {
    fn queue_winner_text(&self, number: &str) -> MessageId {
        let message = NewMessage {
            kind: MessageKind::Victory,
            entrant: None,
            phone: phone(number),
            body: Some("You may have won".to_owned().into()),
            at: noon(),
        };
        self.store
            .transaction::<_, StoreError>(|tx| tx.queue_message(&message))
            .unwrap()
    }

    /// What is claimed when both clocks show this time.
    fn next_by_hours(&self, time: DateTime<Utc>) -> Vec<ReadyMessage> {
        self.store.set_time(time);
        let (clock, sealer) = (FixedClock::at(time), PlainSealer::default());
        claim_next_messages(&self.store, &clock, &with_hours(), &sealer, self.fence, 2).unwrap()
    }

    fn wait(&self, id: MessageId) -> Option<(DateTime<Utc>, WaitReason)> {
        let (_, wait) = find_message_and_wait(&self.store, &with_hours(), id)
            .unwrap()
            .unwrap();
        wait.map(|wait| (wait.until, wait.reason))
    }
}

#[test]
fn the_clock_of_the_store_decides() {
    let fixture = Fixture::open();
    fixture.queue_winner_text(NEW_YORK);
    fixture.store.set_time(after(-1));
    assert_eq!(
        fixture.next_by(&with_hours(), 10),
        [],
        "it is 7:00 there, whatever this server's clock says"
    );
    assert_eq!(numbers(&fixture.next_by_hours(after(0))), [phone(NEW_YORK)]);
}

#[test]
fn a_campaign_reaches_each_recipient_in_their_own_hours() {
    let fixture = Fixture::open();
    let all = [NEW_YORK, LOS_ANGELES, UNKNOWN].map(phone);
    let campaign = fixture.begin(Audience::Custom(all.to_vec()));
    let finished = |time| {
        start_and_finish_campaigns(&fixture.store, &FixedClock::at(time), fixture.fence)
            .unwrap()
            .1
    };
    fixture.store.set_time(after(0));
    assert_eq!(numbers(&fixture.next_by_hours(after(0))), [phone(NEW_YORK)]);
    // The next batch has only recipients who wait.
    assert_eq!(fixture.next_by_hours(after(0)), []);
    assert_eq!(finished(after(1)), [], "two of its messages wait");
    assert_eq!(
        numbers(&fixture.next_by_hours(after(4))),
        [phone(LOS_ANGELES)],
        "9:00 in California"
    );
    assert_eq!(
        numbers(&fixture.next_by_hours(after(6))),
        [phone(UNKNOWN)],
        "14:00 Eastern"
    );
    for id in 1..=3 {
        let id = MessageId::new(id);
        let attempt = 1;
        fixture.record(id, attempt, DeliveryReport::Refused(super::fixture::failure()));
    }
    assert_eq!(finished(after(7)), [campaign]);
}

#[test]
fn a_batch_of_recipients_who_wait_is_followed_by_the_next_at_once() {
    let fixture = Fixture::open();
    let mut numbers_of_all: Vec<_> = (0..9).map(|n| phone(&format!("+1213555000{n}"))).collect();
    numbers_of_all.push(phone("+12155550000")); // Philadelphia, after those of Los Angeles
    fixture.begin(Audience::Custom(numbers_of_all));
    assert_eq!(numbers(&fixture.next_by_hours(after(0))), [phone("+12155550000")]);
}

#[test]
fn a_pending_message_says_until_when_it_waits_and_why() {
    let fixture = Fixture::open();
    let [east, west, unknown] =
        [NEW_YORK, LOS_ANGELES, UNKNOWN].map(|number| fixture.queue_winner_text(number));
    let test = usecases::provider_callbacks::queue_test_message(
        &fixture.store,
        &FixedClock::default(),
        STAFF,
        "Tombola",
        &phone(LOS_ANGELES),
    )
    .unwrap();
    fixture.store.set_time(after(0));
    let morning = (after(4), WaitReason::QuietHours);
    let afternoon = (after(6), WaitReason::UnknownAreaCode);
    let waits = || [east, west, unknown, test].map(|id| fixture.wait(id));
    assert_eq!(waits(), [None, Some(morning), Some(afternoon), None]);
    // Putting them off changes nothing about that.
    while !fixture.next_by_hours(after(0)).is_empty() {}
    assert_eq!(
        [west, unknown].map(|id| fixture.wait(id)),
        [Some(morning), Some(afternoon)]
    );
    let status = sms_status(&fixture.store, &FixedClock::default(), &with_hours()).unwrap();
    assert_eq!(
        (status.put_off.messages, status.put_off.next_at),
        (2, Some(after(4)))
    );
    let status = |id| fixture.message(id).status;
    assert_eq!(
        [east, test, west].map(status),
        [
            MessageStatus::Sending,
            MessageStatus::Sending,
            MessageStatus::Pending
        ]
    );
    // 20:30 in New York: a retry that is due at night waits for the morning.
    fixture.store.set_time(after(12));
    let retry = |at| fixture.record(east, 1, DeliveryReport::NotSent { retry_at: at });
    retry(after(12) + TimeDelta::minutes(5));
    assert_eq!(
        fixture.wait(east),
        Some((after(12) + TimeDelta::minutes(5), WaitReason::Retry))
    );
    let unknown = find_message_and_wait(&fixture.store, &with_hours(), MessageId::new(999_999)).unwrap();
    assert_eq!(unknown, None);
}

#[test]
fn a_welcome_message_over_the_budget_waits_for_the_next_day() {
    let fixture = Fixture::open();
    fixture.enter(1, GARDEN_BAG);
    let welcome = MessageId::new(1);
    let anytime = SmsRules {
        daily_budget: sms::DailyBudget::new(2),
        ..rules()
    };
    let wait = || {
        find_message_and_wait(&fixture.store, &anytime, welcome)
            .unwrap()
            .unwrap()
            .1
    };
    let clock = FixedClock::default();
    fixture.store.set_time(clock.now());
    assert_eq!(wait(), None);
    fixture
        .store
        .transaction::<_, StoreError>(|tx| tx.count_texts(clock.now(), 2))
        .unwrap();
    let wait = wait().unwrap();
    assert_eq!(
        (wait.until, wait.reason),
        (sms::next_day(clock.now()), WaitReason::DailyBudget)
    );
}
