//! Outcomes of attempts, and status reports of the provider.

use super::{
    at, claimed, claimed_ids, fence, found, lease, provider_message, record, record_report, refusal,
    release_claims, status, test_message, uncertain_ids,
};
use crate::Store;
use crate::support::{at_once, phone};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sms::{
    DeliveryReport, Dispatching, MessageId, MessageStatus, OptOuts, Outcome, ProviderMessage, ProviderStatus,
};

pub fn each_outcome_of_an_attempt_is_recorded<S: Store>(store: &S) {
    let fence = fence(store);
    let after = |n: u32, report: DeliveryReport| {
        let id = test_message(store, n);
        assert_eq!(claimed_ids(store, fence, 10, 1), [id]);
        record(store, id, 1, report, 7);
        found(store, id)
    };
    let sent = after(
        1,
        DeliveryReport::AtProvider(provider_message(1, ProviderStatus::Accepted)),
    );
    assert_eq!((sent.status, sent.sent_at), (MessageStatus::Sent, Some(at(7))));
    assert_eq!(
        sent.provider_id,
        Some(provider_message(1, ProviderStatus::Accepted).id)
    );
    let delivered = after(
        2,
        DeliveryReport::AtProvider(provider_message(2, ProviderStatus::Delivered)),
    );
    assert_eq!(
        (delivered.status, delivered.sent_at),
        (MessageStatus::Delivered, Some(at(7)))
    );
    let failed = ProviderMessage {
        failure: Some(refusal()),
        ..provider_message(3, ProviderStatus::Failed)
    };
    let failed = after(3, DeliveryReport::AtProvider(failed));
    assert_eq!((failed.status, failed.sent_at), (MessageStatus::Failed, None));
    assert_eq!(failed.reason.as_deref(), Some("21211 Invalid number"));
    let undelivered = after(
        4,
        DeliveryReport::AtProvider(provider_message(4, ProviderStatus::Undelivered)),
    );
    assert_eq!(
        (undelivered.status, undelivered.sent_at),
        (MessageStatus::Undelivered, Some(at(7)))
    );
    assert!(undelivered.reason.is_some(), "there is always a reason");
    let refused = after(5, DeliveryReport::Refused(refusal()));
    assert_eq!(
        (refused.status, refused.provider_id),
        (MessageStatus::Failed, None)
    );
    assert_eq!(refused.reason.as_deref(), Some("21211 Invalid number"));
    let skipped = after(6, DeliveryReport::OptedOut);
    assert_eq!(
        (skipped.status, skipped.reason.as_deref()),
        (MessageStatus::Skipped, Some("opted_out"))
    );
    assert!(store.read(|tx| tx.has_opted_out(&phone(6))).unwrap());
    store.transaction(|tx| tx.opt_in(&phone(6), at(8))).unwrap();
    record(store, skipped.id, 1, DeliveryReport::OptedOut, 9);
    let is_opted_in = !store.read(|tx| tx.has_opted_out(&phone(6))).unwrap();
    assert!(is_opted_in, "the number has opted in since");
    let look_up_at = at(20);
    let unknown = after(7, DeliveryReport::Uncertain { look_up_at });
    assert_eq!((unknown.status, unknown.sent_at), (MessageStatus::Unknown, None));
    assert_eq!(uncertain_ids(store, fence, 19), []);
    assert_eq!(uncertain_ids(store, fence, 20), [unknown.id]);
    record(
        store,
        unknown.id,
        1,
        DeliveryReport::AtProvider(provider_message(7, ProviderStatus::Accepted)),
        21,
    );
    assert_eq!(status(store, unknown.id), MessageStatus::Sent);
    let again_at = at(30);
    let pending = after(8, DeliveryReport::NotSent { retry_at: again_at });
    assert_eq!((pending.status, pending.reason), (MessageStatus::Pending, None));
    assert_eq!(claimed_ids(store, fence, 10, 29), []);
    let again = claimed(store, fence, 10, 30);
    assert_eq!((again[0].id, again[0].attempt), (pending.id, 2));
}

pub fn outcomes_are_recorded_in_batches_and_unknown_messages_are_ignored<S: Store>(store: &S) {
    let ids: Vec<_> = (0..3).map(|n| test_message(store, n)).collect();
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 10, 1), ids);
    let outcome = |message, report| Outcome {
        message,
        attempt: 1,
        report,
    };
    let accepted = |n| DeliveryReport::AtProvider(provider_message(n, ProviderStatus::Accepted));
    let outcomes = [
        outcome(ids[2], accepted(2)),
        outcome(MessageId::new(i64::MAX), accepted(9)),
        outcome(ids[0], accepted(0)),
        outcome(
            ids[2],
            DeliveryReport::AtProvider(provider_message(2, ProviderStatus::Delivered)),
        ),
        outcome(ids[0], DeliveryReport::Refused(refusal())),
    ];
    store
        .transaction(|tx| tx.record_outcomes(&outcomes, at(2)))
        .unwrap();
    let statuses: Vec<_> = ids.iter().map(|id| status(store, *id)).collect();
    assert_eq!(
        statuses,
        [
            MessageStatus::Sent,
            MessageStatus::Sending,
            MessageStatus::Delivered
        ]
    );
    store.transaction(|tx| tx.record_outcomes(&[], at(2))).unwrap();
}

pub fn an_earlier_attempt_changes_nothing_unless_the_provider_has_the_message<S: Store>(store: &S) {
    let id = test_message(store, 1);
    let fence = fence(store);
    claimed(store, fence, 10, 1);
    let not_sent = |second| DeliveryReport::NotSent { retry_at: at(second) };
    record(store, id, 1, not_sent(5), 2);
    claimed(store, fence, 10, 5);
    let late = [
        not_sent(3),
        DeliveryReport::Uncertain { look_up_at: at(3) },
        DeliveryReport::OptedOut,
        DeliveryReport::Refused(refusal()),
    ];
    for report in late {
        record(store, id, 1, report, 6);
        assert_eq!(status(store, id), MessageStatus::Sending);
    }
    record(
        store,
        id,
        1,
        DeliveryReport::AtProvider(provider_message(1, ProviderStatus::Accepted)),
        7,
    );
    assert_eq!(status(store, id), MessageStatus::Sent);
    record(store, id, 2, not_sent(8), 8);
    assert_eq!(status(store, id), MessageStatus::Sent, "it has been sent");
    let other = provider_message(2, ProviderStatus::Delivered);
    record(store, id, 2, DeliveryReport::AtProvider(other.clone()), 9);
    assert!(!record_report(store, id, &other, 9));
    assert_eq!(
        status(store, id),
        MessageStatus::Sent,
        "that is another message of the provider"
    );
}

pub fn a_released_message_is_pending_again<S: Store>(store: &S) {
    let id = test_message(store, 1);
    let earlier = fence(store);
    let attempt = |fence, second| claimed(store, fence, 10, second)[0].attempt;
    let first = attempt(earlier, 1);
    release_claims(store, id, first);
    assert_eq!(status(store, id), MessageStatus::Pending);
    let second = attempt(earlier, 2);
    release_claims(store, id, first);
    assert_eq!(
        status(store, id),
        MessageStatus::Sending,
        "that was another attempt"
    );
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(status(store, id), MessageStatus::Unknown);
    release_claims(store, id, second);
    assert_eq!(
        status(store, id),
        MessageStatus::Pending,
        "it was certainly not sent"
    );
    let third = attempt(later, 61);
    record(
        store,
        id,
        third,
        DeliveryReport::AtProvider(provider_message(1, ProviderStatus::Accepted)),
        62,
    );
    release_claims(store, id, third);
    assert_eq!(status(store, id), MessageStatus::Sent);
    release_claims(store, MessageId::new(i64::MAX), 1);
}

fn provider_statuses() -> impl Strategy<Value = Vec<ProviderStatus>> {
    let one = prop::sample::select(vec![
        ProviderStatus::Accepted,
        ProviderStatus::Delivered,
        ProviderStatus::Undelivered,
        ProviderStatus::Failed,
    ]);
    prop::collection::vec(one, 1..12)
}

/// For reports in any order and number, the first final status is kept.
pub fn provider_reports_never_change_a_final_status<S: Store>(store: &S) {
    let config = ProptestConfig {
        cases: 16,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let check = |statuses: Vec<ProviderStatus>| {
        let id = test_message(store, 1);
        let mut expected = MessageStatus::Pending;
        for status in statuses {
            let next = expected.after_report(status);
            let changed = record_report(store, id, &provider_message(1, status), 5);
            prop_assert_eq!(changed, next.is_some());
            expected = next.unwrap_or(expected);
            prop_assert_eq!(found(store, id).status, expected);
        }
        Ok(())
    };
    TestRunner::new(config).run(&provider_statuses(), check).unwrap();
    let id = test_message(store, 2);
    let changes = at_once(100, |n| {
        let status = match n % 2 {
            0 => ProviderStatus::Accepted,
            _ => ProviderStatus::Delivered,
        };
        record_report(store, id, &provider_message(2, status), n.into())
    });
    assert_eq!(status(store, id), MessageStatus::Delivered);
    let changes = changes.iter().filter(|changed| **changed).count();
    assert!((1..=2).contains(&changes), "{changes}");
}
