//! What the provider's answers mean for a message.

use crate::delivery::{failure, provider_message};
use chrono::{DateTime, TimeDelta, Utc};
use sms::{
    DeliveryReport, Failure, LOOK_UP_AFTER, MAX_ATTEMPTS, MessageQueryError, ProviderStatus, SendError,
};
use std::time::Duration;

fn noon() -> DateTime<Utc> {
    "2026-06-01T12:00:00Z".parse().unwrap()
}

fn no_attempts_left() -> DeliveryReport {
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
fn each_answer_of_the_provider_becomes_a_report() {
    let report = |result| DeliveryReport::of_send(result, 1, noon(), 0);
    for status in [
        ProviderStatus::Accepted,
        ProviderStatus::Delivered,
        ProviderStatus::Failed,
    ] {
        let message = provider_message("SM1", status);
        assert_eq!(
            report(Ok(message.clone())),
            Some(DeliveryReport::AtProvider(message))
        );
    }
    assert_eq!(report(Err(SendError::OptedOut)), Some(DeliveryReport::OptedOut));
    assert_eq!(
        report(Err(SendError::Refused(failure()))),
        Some(DeliveryReport::Refused(failure()))
    );
    assert_eq!(report(Err(SendError::Credentials)), None);
    let look_up_at = noon() + LOOK_UP_AFTER;
    assert_eq!(
        report(Err(SendError::MaybeSent("no answer".into()))),
        Some(DeliveryReport::Uncertain { look_up_at })
    );
}

#[test]
fn an_unsent_message_waits_longer_each_time_and_as_long_as_the_provider_asks() {
    let report = |attempt, random, asked: Option<u64>| {
        let error = not_sent(asked.map(Duration::from_secs));
        DeliveryReport::of_send(Err(error), attempt, noon(), random)
    };
    let again = |wait| {
        Some(DeliveryReport::NotSent {
            retry_at: noon() + TimeDelta::milliseconds(wait),
        })
    };
    assert_eq!(report(1, 0, None), again(250));
    assert_eq!(report(1, 255, None), again(500));
    assert_eq!(report(4, 255, None), again(4_000));
    assert_eq!(report(1, 255, Some(7)), again(7_000));
    assert_eq!(report(4, 255, Some(1)), again(4_000), "the longer wait holds");
    assert_eq!(report(MAX_ATTEMPTS - 1, 255, None), again(600_000));
    assert_eq!(
        report(1, 0, Some(u64::MAX)),
        again(250),
        "what is no time is no wish"
    );
}

#[test]
fn a_message_fails_after_the_last_attempt_unless_it_may_have_been_sent() {
    let last = |result| DeliveryReport::of_send(result, MAX_ATTEMPTS, noon(), 0);
    assert_eq!(last(Err(not_sent(None))), Some(no_attempts_left()));
    assert_eq!(
        last(Err(not_sent(Some(Duration::from_secs(9))))),
        Some(no_attempts_left())
    );
    let look_up_at = noon() + LOOK_UP_AFTER;
    assert_eq!(
        last(Err(SendError::MaybeSent("no answer".into()))),
        Some(DeliveryReport::Uncertain { look_up_at })
    );
    let message = provider_message("SM1", ProviderStatus::Accepted);
    assert_eq!(
        last(Ok(message.clone())),
        Some(DeliveryReport::AtProvider(message))
    );
}

#[test]
fn a_message_that_was_looked_up_is_found_or_sent_again_or_stays_unknown() {
    let report = |result, attempt| DeliveryReport::of_look_up(result, attempt, noon(), 255);
    let message = provider_message("SM1", ProviderStatus::Delivered);
    assert_eq!(
        report(Ok(Some(message.clone())), MAX_ATTEMPTS),
        Some(DeliveryReport::AtProvider(message))
    );
    let again_at = noon() + TimeDelta::milliseconds(1_000);
    assert_eq!(
        report(Ok(None), 2),
        Some(DeliveryReport::NotSent { retry_at: again_at })
    );
    assert_eq!(report(Ok(None), MAX_ATTEMPTS), Some(no_attempts_left()));
    for attempt in [1, MAX_ATTEMPTS] {
        assert_eq!(
            report(Err(MessageQueryError::Unavailable("away".into())), attempt),
            None
        );
        assert_eq!(report(Err(MessageQueryError::Credentials), attempt), None);
    }
}
