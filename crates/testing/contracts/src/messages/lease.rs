//! The lease of the sender.

use super::{
    at, claim, claimed, claimed_ids, fence, lease, new_message, provider_message, record, record_report,
    status, test_message, try_claim, uncertain, uncertain_ids,
};
use crate::Store;
use crate::support::{at_once, entered, messages_to, phone};
use kernel::StoreError;
use sms::{DeliveryReport, Dispatching, Halt, MessageKind, MessageStatus, ProviderStatus, UncertainMessage};

pub fn a_lease_belongs_to_its_owner_until_it_expires<S: Store>(store: &S) {
    let first = fence(store);
    assert_eq!(lease(store, "two", 59), None);
    assert_eq!(lease(store, "one", 30), Some(first), "renewed");
    assert_eq!(lease(store, "two", 89), None);
    let second = lease(store, "two", 90).unwrap();
    assert!(second > first);
    assert_eq!(lease(store, "one", 91), None);
    // An owner whose lease has expired gets a new fence.
    let third = lease(store, "two", 150).unwrap();
    assert!(third > second);
    let release = |fence| store.transaction(|tx| tx.release_lease(fence, at(160))).unwrap();
    release(second);
    assert_eq!(
        lease(store, "one", 161),
        None,
        "an earlier fence releases nothing"
    );
    release(third);
    assert!(lease(store, "one", 161).unwrap() > third);
}

pub fn one_of_twenty_concurrent_senders_acquires_the_lease<S: Store>(store: &S) {
    let fences = at_once(20, |n| lease(store, &n.to_string(), 0));
    assert_eq!(fences.iter().flatten().count(), 1);
    let again = at_once(20, |n| lease(store, &n.to_string(), 1));
    assert_eq!(again, fences, "only the owner renews it");
}

pub fn a_message_claimed_during_a_takeover_is_looked_up<S: Store>(store: &S) {
    for round in 0..20 {
        let start = i64::from(round) * 200;
        let message = test_message(store, round);
        let earlier = lease(store, &format!("{round}a"), start).unwrap();
        let claims = at_once(2, |n| match n {
            0 => try_claim(store, &claim(earlier, 10, start + 1)).ok(),
            _ => {
                lease(store, &format!("{round}b"), start + 60).unwrap();
                None
            }
        });
        let expected = match claims[0] {
            Some(_) => MessageStatus::Unknown,
            None => MessageStatus::Pending,
        };
        assert_eq!(status(store, message), expected);
        record_report(
            store,
            message,
            &provider_message(round, ProviderStatus::Delivered),
            start + 70,
        );
    }
}

pub fn messages_being_sent_become_unknown_when_another_sender_takes_over<S: Store>(store: &S) {
    let (first, second) = (test_message(store, 1), test_message(store, 2));
    let earlier = fence(store);
    assert_eq!(claimed_ids(store, earlier, 10, 1), [first, second]);
    assert_eq!(
        uncertain_ids(store, earlier, 1_000),
        [],
        "messages of the current sender are not uncertain"
    );
    record_report(store, second, &provider_message(2, ProviderStatus::Accepted), 2);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(status(store, first), MessageStatus::Unknown);
    assert_eq!(status(store, second), MessageStatus::Sent);
    assert_eq!(claimed_ids(store, later, 10, 1_000), [], "not before the look-up");
    assert_eq!(uncertain_ids(store, later, 69), []);
    let expected = UncertainMessage {
        id: first,
        attempt: 1,
        phone: phone(1),
        needle: new_message(MessageKind::Test, 1, 0).body.unwrap(),
        queued_at: at(0),
    };
    assert_eq!(uncertain(store, later, 70), Ok(vec![expected]));
    assert_eq!(uncertain_ids(store, later, 89), []);
    assert_eq!(
        uncertain_ids(store, later, 90),
        [first],
        "again, if there is no outcome"
    );
    let again_at = at(95);
    record(
        store,
        first,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        91,
    );
    assert_eq!(uncertain_ids(store, later, 1_000), []);
    let again = claimed(store, later, 10, 95);
    assert_eq!((again[0].id, again[0].attempt), (first, 2));
}

pub fn a_message_that_was_never_composed_is_not_looked_up<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let message = store.read(|tx| messages_to(tx, entrant.id)).unwrap()[0].id;
    let earlier = fence(store);
    assert_eq!(claimed_ids(store, earlier, 10, 1), [message]);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(uncertain_ids(store, later, 70), []);
    assert_eq!(claimed_ids(store, later, 10, 100), [message]);
}

pub fn a_halt_lasts_until_another_sender_takes_the_lease<S: Store>(store: &S) {
    let halt = || store.read(|tx| tx.halt()).unwrap();
    let record = |fence| {
        store
            .transaction::<_, StoreError>(|tx| tx.record_halt(fence, Halt::CredentialsRefused))
            .unwrap()
    };
    let first = fence(store);
    assert_eq!(halt(), None);
    assert!(record(first));
    lease(store, "one", 1).unwrap();
    assert_eq!(
        halt(),
        Some(Halt::CredentialsRefused),
        "a renewal changes nothing"
    );
    store.transaction::<_, StoreError>(|tx| tx.clear_halt()).unwrap();
    assert_eq!(halt(), None);
    assert!(record(first));
    let second = lease(store, "two", 61).unwrap();
    assert_eq!(halt(), None);
    assert!(!record(first), "an earlier sender cannot stop the current one");
    assert_eq!(halt(), None);
    assert!(record(second));
}
