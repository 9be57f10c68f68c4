//! Texts with codes: encrypted, first in every claim, never late, and erased.

use super::{
    at, claimed, claimed_ids, fence, found, lease, new_message, provider_message, queued, record,
    record_report, release_claims, test_message, uncertain, uncertain_ids,
};
use crate::Store;
use crate::support::phone;
use chrono::TimeDelta;
use sms::{
    CODE_LIFE, DeliveryReport, MessageBody, MessageId, MessageKind, MessageStatus, NewMessage, OptOuts,
    ProviderStatus,
};

const SECRET: [u8; 4] = [0, 255, 10, 7];

fn new_code(n: u32, second: i64) -> NewMessage {
    NewMessage {
        body: Some(MessageBody::Sealed(SECRET.to_vec())),
        ..new_message(MessageKind::Code, n, second)
    }
}

/// Queues a code for phone number `n`.
pub(crate) fn code<S: Store>(store: &S, n: u32, second: i64) -> MessageId {
    queued(store, &new_code(n, second))
}

fn body<S: Store>(store: &S, id: MessageId) -> Option<MessageBody> {
    found(store, id).content.body
}

fn outcome<S: Store>(store: &S, id: MessageId) -> (MessageStatus, Option<String>) {
    let message = found(store, id);
    (message.status, message.reason)
}

fn skipped_as(reason: &str) -> (MessageStatus, Option<String>) {
    (MessageStatus::Skipped, Some(reason.to_owned()))
}

fn life() -> i64 {
    CODE_LIFE.num_seconds()
}

pub fn a_code_reads_back_sealed<S: Store>(store: &S) {
    let new = new_code(1, 3);
    let id = queued(store, &new);
    assert_eq!(found(store, id).content, new);
    let fence = fence(store);
    let claimed = claimed(store, fence, 10, 3).remove(0);
    assert_eq!((claimed.id, claimed.kind), (id, MessageKind::Code));
    assert_eq!(claimed.body, new.body);
}

pub fn codes_are_claimed_before_all_other_messages<S: Store>(store: &S) {
    let test = test_message(store, 1);
    let welcome = queued(store, &new_message(MessageKind::Welcome, 2, 0));
    let (first, second, third) = (code(store, 3, 4), code(store, 4, 5), code(store, 5, 6));
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 2, 6), [third, second], "newest first");
    assert_eq!(claimed_ids(store, fence, 2, 6), [first, test]);
    assert_eq!(claimed_ids(store, fence, 2, 6), [welcome]);
}

pub fn a_code_is_never_sent_late<S: Store>(store: &S) {
    let fence = fence(store);
    let (late, in_time) = (code(store, 1, 0), code(store, 2, 1));
    assert_eq!(claimed_ids(store, fence, 10, life()), [in_time]);
    assert_eq!(outcome(store, late), skipped_as("too_late"));
    assert_eq!(body(store, late), None);
    // One that was not sent the first time is not sent late either.
    let retry_at = at(life() + 1);
    record(store, in_time, 1, DeliveryReport::NotSent { retry_at }, life());
    assert_eq!(claimed_ids(store, fence, 10, life() + 1), []);
    assert_eq!(outcome(store, in_time), skipped_as("too_late"));
}

pub fn a_number_that_opted_out_gets_no_code<S: Store>(store: &S) {
    let (late, fresh) = (code(store, 1, 0), code(store, 1, life()));
    store.transaction(|tx| tx.opt_out(&phone(1), at(1))).unwrap();
    assert_eq!(claimed_ids(store, fence(store), 10, life()), []);
    for id in [late, fresh] {
        assert_eq!(outcome(store, id), skipped_as("opted_out"));
        assert_eq!(body(store, id), None);
    }
}

/// While a code may still be sent or looked up, its body is there; then it is gone, however it ended.
pub fn the_body_of_a_code_is_erased_when_it_is_sent_or_will_not_be<S: Store>(store: &S) {
    let fence = fence(store);
    let has_body = |id| body(store, id) == Some(MessageBody::Sealed(SECRET.to_vec()));
    let reports = [
        DeliveryReport::AtProvider(provider_message(1, ProviderStatus::Accepted)),
        DeliveryReport::AtProvider(provider_message(2, ProviderStatus::Delivered)),
        DeliveryReport::AtProvider(provider_message(3, ProviderStatus::Undelivered)),
        DeliveryReport::AtProvider(provider_message(4, ProviderStatus::Failed)),
        DeliveryReport::Refused(super::refusal()),
        DeliveryReport::OptedOut,
    ];
    for (n, report) in (1..).zip(reports) {
        let id = code(store, n, 0);
        assert_eq!(claimed_ids(store, fence, 10, 1), [id]);
        release_claims(store, id, 1);
        assert_eq!(claimed_ids(store, fence, 10, 1), [id]);
        assert!(has_body(id));
        let look_up_at = at(2);
        record(store, id, 2, DeliveryReport::Uncertain { look_up_at }, 1);
        assert!(has_body(id), "it may be looked up");
        record(store, id, 2, report.clone(), 3);
        assert_eq!(body(store, id), None, "{report:?}");
    }
    // A callback of the provider ends it too.
    let id = code(store, 9, 0);
    assert_eq!(claimed_ids(store, fence, 10, 1), [id]);
    assert!(record_report(
        store,
        id,
        &provider_message(9, ProviderStatus::Accepted),
        1
    ));
    assert_eq!(body(store, id), None);
}

/// The provider is asked about a code as about any message, so that nobody gets it twice.
pub fn a_code_that_may_have_been_sent_is_looked_up<S: Store>(store: &S) {
    let id = code(store, 1, 0);
    assert_eq!(claimed_ids(store, fence(store), 10, 1), [id]);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(claimed_ids(store, later, 10, 61), [], "not sent again unasked");
    let asked = uncertain(store, later, 70).unwrap().remove(0);
    assert_eq!(
        (asked.id, asked.needle),
        (id, MessageBody::Sealed(SECRET.to_vec()))
    );
    assert_eq!(asked.queued_at, at(0));
    assert_eq!(uncertain_ids(store, later, 71), [], "until the answer is late");
    // The provider does not have it, and the code is not valid any more.
    let retry_at = at(life());
    record(store, id, 1, DeliveryReport::NotSent { retry_at }, 72);
    assert_eq!(claimed_ids(store, later, 10, life()), []);
    assert_eq!(outcome(store, id), skipped_as("too_late"));
    assert_eq!(body(store, id), None);
}

pub fn a_welcome_message_that_waited_too_long_is_skipped<S: Store>(store: &S) {
    let kinds = [MessageKind::Welcome, MessageKind::Victory, MessageKind::Test];
    let old = kinds.map(|kind| queued(store, &new_message(kind, 1, 10)));
    let younger = queued(store, &new_message(MessageKind::Welcome, 2, 11));
    let a_day_later = 10 + TimeDelta::days(1).num_seconds();
    let ids = claimed_ids(store, fence(store), 10, a_day_later);
    assert_eq!(ids, [old[1], old[2], younger], "only welcome messages are late");
    assert_eq!(outcome(store, old[0]), skipped_as("too_late"));
}
