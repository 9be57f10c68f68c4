//! The delivery rules: any order and number of steps, and what campaigns count.

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use sms::{
    Delivery, DeliveryReport, Failure, MessageId, MessageStatus, Outcome, ProviderMessage, ProviderMessageId,
    ProviderStatus, SkipReason, Tally,
};
use strum::IntoEnumIterator;

fn at(second: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
}

pub(crate) fn provider_message(id: &str, status: ProviderStatus) -> ProviderMessage {
    ProviderMessage {
        id: ProviderMessageId::parse(id).unwrap(),
        status,
        failure: None,
    }
}

fn outcome(attempt: u32, report: DeliveryReport) -> Outcome {
    Outcome {
        message: MessageId::new(1),
        attempt,
        report,
    }
}

pub(crate) fn failure() -> Failure {
    Failure {
        code: Some(21211),
        sentence: "Invalid number".to_owned(),
    }
}

fn in_status(status: MessageStatus) -> Delivery {
    Delivery {
        status,
        attempt: 2,
        ..Delivery::queued(at(0))
    }
}

const UNSENT: [DeliveryReport; 3] = [
    DeliveryReport::NotSent {
        retry_at: DateTime::UNIX_EPOCH,
    },
    DeliveryReport::Uncertain {
        look_up_at: DateTime::UNIX_EPOCH,
    },
    DeliveryReport::OptedOut,
];

#[test]
fn an_attempt_without_a_provider_message_changes_only_a_message_that_it_sends() {
    let next = [
        MessageStatus::Pending,
        MessageStatus::Unknown,
        MessageStatus::Skipped,
        MessageStatus::Failed,
    ];
    let reports = UNSENT.into_iter().chain([DeliveryReport::Refused(failure())]);
    for (report, next) in reports.zip(next) {
        for status in MessageStatus::iter() {
            let mut delivery = in_status(status);
            let change = delivery.apply_attempt(&outcome(2, report.clone()), at(9));
            let is_sent = matches!(status, MessageStatus::Sending | MessageStatus::Unknown);
            assert_eq!(change.is_some(), is_sent, "{status:?} {report:?}");
            assert_eq!(delivery.status, if is_sent { next } else { status });
            let mut delivery = in_status(status);
            assert_eq!(delivery.apply_attempt(&outcome(1, report.clone()), at(9)), None);
            assert_eq!(delivery, in_status(status), "an earlier attempt");
        }
    }
}

#[test]
fn a_message_waits_until_the_time_of_the_report() {
    let mut delivery = in_status(MessageStatus::Sending);
    delivery.apply_attempt(
        &outcome(2, DeliveryReport::Uncertain { look_up_at: at(7) }),
        at(1),
    );
    assert_eq!(
        (delivery.status, delivery.due_at),
        (MessageStatus::Unknown, at(7))
    );
    delivery.apply_attempt(&outcome(2, DeliveryReport::NotSent { retry_at: at(8) }), at(1));
    assert_eq!(
        (delivery.status, delivery.due_at),
        (MessageStatus::Pending, at(8))
    );
}

#[test]
fn a_message_that_ends_badly_has_a_reason() {
    let mut refused = in_status(MessageStatus::Sending);
    refused.apply_attempt(&outcome(2, DeliveryReport::Refused(failure())), at(1));
    assert_eq!(refused.reason.as_deref(), Some("21211 Invalid number"));
    let mut opted_out = in_status(MessageStatus::Sending);
    opted_out.apply_attempt(&outcome(2, DeliveryReport::OptedOut), at(1));
    assert_eq!(opted_out.reason.as_deref(), Some("opted_out"));
    let mut undelivered = in_status(MessageStatus::Sending);
    undelivered.apply_report(&provider_message("SM1", ProviderStatus::Undelivered), at(1));
    assert_eq!(undelivered.reason.as_deref(), Some("No reason was given"));
    let mut skipped = Delivery::queued(at(0));
    skipped.skip(SkipReason::Flagged);
    assert_eq!(skipped.reason.as_deref(), Some("flagged"));
    assert_eq!(skipped.skip(SkipReason::OptedOut), None);
}

#[test]
fn the_first_report_that_the_provider_has_a_message_says_when_it_was_sent() {
    let mut delivery = in_status(MessageStatus::Sending);
    let sent = delivery.apply_report(&provider_message("SM1", ProviderStatus::Accepted), at(1));
    assert_eq!(
        sent.unwrap(),
        Tally {
            sent: 1,
            closed: 1,
            ..Tally::default()
        }
    );
    assert_eq!(
        delivery.apply_report(&provider_message("SM1", ProviderStatus::Accepted), at(2)),
        None
    );
    let other = provider_message("SM2", ProviderStatus::Delivered);
    assert_eq!(
        delivery.apply_report(&other, at(2)),
        None,
        "another id of the provider"
    );
    let failed = delivery.apply_report(&provider_message("SM1", ProviderStatus::Failed), at(3));
    assert_eq!(
        failed.unwrap(),
        Tally {
            failed: 1,
            ..Tally::default()
        },
        "it stays counted as sent"
    );
    assert_eq!(delivery.sent_at, Some(at(1)));
    let mut never_sent = in_status(MessageStatus::Sending);
    let failed = never_sent.apply_report(&provider_message("SM1", ProviderStatus::Failed), at(1));
    assert_eq!(
        failed.unwrap(),
        Tally {
            failed: 1,
            closed: 1,
            ..Tally::default()
        }
    );
}

#[test]
fn a_released_message_is_due_at_once_and_its_attempt_is_not_counted_again() {
    let mut delivery = Delivery::queued(at(0));
    delivery.claim();
    assert_eq!((delivery.status, delivery.attempt), (MessageStatus::Sending, 1));
    assert_eq!(delivery.claim(), None);
    let uncertain = DeliveryReport::Uncertain { look_up_at: at(20) };
    delivery.apply_attempt(&outcome(1, uncertain), at(9));
    assert_eq!(
        (delivery.status, delivery.due_at),
        (MessageStatus::Unknown, at(20))
    );
    assert_eq!(delivery.release(1), Some(Tally::default()));
    assert_eq!(
        (delivery.status, delivery.due_at),
        (MessageStatus::Pending, at(0))
    );
    delivery.claim();
    assert_eq!(delivery.release(1), None, "the second attempt has started");
    assert_eq!(delivery.attempt, 2);
}

/// Anything that can happen to a message.
#[derive(Debug, Clone)]
enum Step {
    Claim,
    Skip,
    Release(u32),
    Attempt(u32, DeliveryReport),
    Report(ProviderMessage),
}

impl Step {
    fn apply(&self, delivery: &mut Delivery, at: DateTime<Utc>) -> Option<Tally> {
        match self {
            Self::Claim => delivery.claim(),
            Self::Skip => delivery.skip(SkipReason::OptedOut),
            Self::Release(attempt) => delivery.release(*attempt),
            Self::Attempt(attempt, report) => delivery.apply_attempt(&outcome(*attempt, report.clone()), at),
            Self::Report(report) => delivery.apply_report(report, at),
        }
    }
}

fn reports() -> impl Strategy<Value = ProviderMessage> {
    let statuses = prop::sample::select(vec![
        ProviderStatus::Accepted,
        ProviderStatus::Delivered,
        ProviderStatus::Undelivered,
        ProviderStatus::Failed,
    ]);
    (prop::sample::select(vec!["SM1", "SM2"]), statuses).prop_map(|(id, status)| provider_message(id, status))
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let attempt_report = prop_oneof![
        prop::sample::select(UNSENT.to_vec()),
        Just(DeliveryReport::Refused(failure())),
        reports().prop_map(DeliveryReport::AtProvider),
    ];
    let step = prop_oneof![
        4 => Just(Step::Claim),
        1 => Just(Step::Skip),
        1 => (1..4u32).prop_map(Step::Release),
        4 => (1..4u32, attempt_report).prop_map(|(attempt, report)| Step::Attempt(attempt, report)),
        2 => reports().prop_map(Step::Report),
    ];
    prop::collection::vec(step, 0..40)
}

fn is_final(status: MessageStatus) -> bool {
    !status.is_open() && status != MessageStatus::Sent
}

proptest! {
    #[test]
    fn no_sequence_of_steps_changes_a_final_status_or_miscounts(steps in steps()) {
        let mut delivery = Delivery::queued(at(0));
        let mut tally = delivery.tally();
        for (second, step) in (1..).zip(steps) {
            let before = delivery.clone();
            match step.apply(&mut delivery, at(second)) {
                Some(change) => tally = tally.plus(change),
                None => prop_assert_eq!(&before, &delivery),
            }
            prop_assert!(!is_final(before.status) || before == delivery, "{:?} left by {:?}", before, step);
            prop_assert_eq!(tally, delivery.tally(), "after {:?}", step);
            prop_assert!(before.sent_at.is_none() || before.sent_at == delivery.sent_at);
            prop_assert!(before.provider_id.is_none() || before.provider_id == delivery.provider_id);
            prop_assert!(before.attempt <= delivery.attempt);
            prop_assert!(before.status.is_open() || !delivery.status.is_open());
        }
    }
}
