//! Claims of pending messages.

use super::{
    at, claim, claimed, claimed_ids, fence, found, lease, new_message, queued, record, status, test_message,
    try_claim, uncertain, uncertain_ids,
};
use crate::Store;
use crate::support::{at_once, entered, messages_to, phone};
use sms::{
    Claim, ClaimedMessage, DeliveryReport, Dispatching, Fence, Fenced, MessageKind, MessageStatus,
    WelcomeMessage, WelcomeTemplates,
};
use std::collections::BTreeSet;

pub fn a_message_is_claimed_once_by_twenty_concurrent_claims<S: Store>(store: &S) {
    let ids: BTreeSet<_> = (0..100).map(|n| test_message(store, n)).collect();
    let fence = fence(store);
    let claims = at_once(20, |_| {
        let mut mine = Vec::new();
        loop {
            let some = claimed(store, fence, 3, 1);
            if some.is_empty() {
                return mine;
            }
            mine.extend(some);
        }
    });
    let all: Vec<_> = claims.into_iter().flatten().collect();
    assert_eq!(all.len(), 100);
    assert_eq!(all.iter().map(|message| message.id).collect::<BTreeSet<_>>(), ids);
    assert!(all.iter().all(|message| message.attempt == 1));
    assert!(ids.iter().all(|id| status(store, *id) == MessageStatus::Sending));
}

pub fn messages_are_claimed_when_they_are_due_and_oldest_first<S: Store>(store: &S) {
    let later = queued(store, &new_message(MessageKind::Victory, 1, 30));
    let third = queued(store, &new_message(MessageKind::Victory, 2, 20));
    let first = queued(store, &new_message(MessageKind::Test, 3, 10));
    let second = queued(store, &new_message(MessageKind::Victory, 4, 10));
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 10, 9), []);
    let messages = claimed(store, fence, 2, 20);
    assert_eq!([messages[0].id, messages[1].id], [first, second]);
    let expected = ClaimedMessage {
        id: first,
        kind: MessageKind::Test,
        phone: phone(3),
        body: new_message(MessageKind::Test, 3, 0).body,
        welcome: None,
        attempt: 1,
    };
    assert_eq!(messages[0], expected);
    assert_eq!(claimed_ids(store, fence, 10, 29), [third]);
    assert_eq!(claimed_ids(store, fence, 10, 30), [later]);
    assert_eq!(claimed_ids(store, fence, 10, 90), []);
}

pub fn nothing_is_claimed_under_an_earlier_fence<S: Store>(store: &S) {
    let doubted = test_message(store, 1);
    let earlier = fence(store);
    assert_eq!(claimed_ids(store, earlier, 1, 1), [doubted]);
    let waiting = test_message(store, 2);
    let later = lease(store, "two", 60).unwrap();
    assert!(later > earlier);
    assert_eq!(try_claim(store, &claim(earlier, 10, 61)), Err(Fenced));
    assert_eq!(uncertain(store, earlier, 100), Err(Fenced));
    assert_eq!(status(store, waiting), MessageStatus::Pending);
    assert_eq!(claimed_ids(store, later, 10, 61), [waiting]);
    assert_eq!(uncertain_ids(store, later, 100), [doubted]);
    let never = Fence::new(later.get() + 1);
    assert_eq!(try_claim(store, &claim(never, 10, 61)), Err(Fenced));
}

fn welcomes<S: Store>(store: &S, count: u32) {
    for n in 0..count {
        queued(store, &new_message(MessageKind::Welcome, n, 0));
    }
}

pub fn welcome_messages_are_limited_per_minute<S: Store>(store: &S) {
    welcomes(store, 5);
    queued(store, &new_message(MessageKind::Victory, 9, 1));
    let fence = fence(store);
    let kinds = |second| {
        let claim = Claim {
            welcome_per_minute: 2,
            ..claim(fence, 10, second)
        };
        let messages = try_claim(store, &claim).unwrap();
        messages
            .into_iter()
            .map(|message| message.kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kinds(1),
        [MessageKind::Welcome, MessageKind::Welcome, MessageKind::Victory],
        "those that wait hold up nothing else"
    );
    assert_eq!(kinds(59), []);
    assert_eq!(kinds(60), [MessageKind::Welcome; 2]);
    assert_eq!(kinds(119), []);
    assert_eq!(kinds(120), [MessageKind::Welcome]);
}

pub fn the_limit_of_welcome_messages_holds_for_twenty_concurrent_claims<S: Store>(store: &S) {
    welcomes(store, 40);
    let fence = fence(store);
    let claims = at_once(20, |_| {
        let claim = Claim {
            welcome_per_minute: 7,
            ..claim(fence, 3, 1)
        };
        try_claim(store, &claim).unwrap().len()
    });
    assert_eq!(claims.iter().sum::<usize>(), 7);
}

pub fn a_welcome_message_is_composed_once<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let fence = fence(store);
    let first = claimed(store, fence, 10, 1).remove(0);
    assert_eq!(first.body, None);
    let composed_of = Some((entrant.raffle, entrant.referral_code.clone()));
    assert_eq!(first.welcome, composed_of);
    let write = |body: &str| {
        let bodies = [(first.id, body.to_owned())];
        store.transaction(|tx| tx.write_bodies(&bodies)).unwrap();
    };
    write("Welcome");
    assert_eq!(
        found(store, first.id).content.body,
        Some("Welcome".to_owned().into())
    );
    let again_at = at(5);
    record(
        store,
        first.id,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        2,
    );
    write("Another");
    let second = claimed(store, fence, 10, 5).remove(0);
    let body = second.body.as_ref().and_then(sms::MessageBody::as_clear);
    assert_eq!((second.attempt, body), (2, Some("Welcome")));
}

pub fn an_inactive_welcome_message_is_skipped<S: Store>(store: &S) {
    let fence = fence(store);
    let (first, second) = (entered(store, 1), entered(store, 2));
    let message = WelcomeMessage::parse("Hello").unwrap();
    let switch = |is_active| {
        store
            .transaction(|tx| tx.switch_welcome(first.raffle, is_active, at(0)))
            .unwrap()
    };
    store
        .transaction(|tx| tx.add_welcome(first.raffle, &message, None, at(0)))
        .unwrap();
    assert!(switch(false));
    assert_eq!(claimed(store, fence, 500, 1), []);
    for entrant in [&first, &second] {
        let messages = store.read(|tx| messages_to(tx, entrant.id)).unwrap();
        let outcome = (messages[0].status, messages[0].reason.as_deref());
        assert_eq!(outcome, (MessageStatus::Skipped, Some("welcome_off")));
    }
    // Other texts are sent, and so is the next welcome message once it is active again.
    let test = test_message(store, 3);
    assert_eq!(claimed_ids(store, fence, 500, 2), [test]);
    assert!(switch(true));
    entered(store, 4);
    assert_eq!(claimed(store, fence, 500, 3).len(), 1);
}
