use crate::Store;
use crate::support::{at_once, entered, noon, phone};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, Raffle, StoreError};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use raffle::Entrant;
use sms::{
    Claim, ClaimedMessage, DeliveryReport, Dispatching, Failure, Fence, Fenced, Halt, Label, Message,
    MessageId, MessageKind, MessageStatus, MessageTemplate, NewMessage, NewTemplate, OpenMessages, OptOuts,
    Outbox, Outcome, ProviderMessage, ProviderMessageId, ProviderStatus, SmsSettings, TemplateId, Templates,
    UncertainMessage, WelcomeMessage, WelcomeTemplates,
};
use std::collections::BTreeSet;

pub(crate) fn at(second: i64) -> DateTime<Utc> {
    noon() + TimeDelta::seconds(second)
}

/// Asks for the lease for a minute. What is in doubt is to be looked up after ten seconds.
pub(crate) fn lease<S: Store>(store: &S, owner: &str, second: i64) -> Option<Fence> {
    let take = |tx: &mut S::Tx| tx.acquire_lease(owner, at(second), at(second + 60), at(second + 10));
    store.transaction::<_, StoreError>(take).unwrap()
}

pub(crate) fn fence<S: Store>(store: &S) -> Fence {
    lease(store, "one", 0).unwrap()
}

fn try_claim<S: Store>(store: &S, claim: &Claim) -> Result<Vec<ClaimedMessage>, Fenced> {
    store
        .transaction::<_, StoreError>(|tx| tx.claim_messages(claim))
        .unwrap()
}

fn claim(fence: Fence, limit: u32, second: i64) -> Claim {
    Claim {
        fence,
        limit,
        welcome_per_minute: 1_000,
        quiet: false,
        now: at(second),
    }
}

pub(crate) fn claimed<S: Store>(store: &S, fence: Fence, limit: u32, second: i64) -> Vec<ClaimedMessage> {
    try_claim(store, &claim(fence, limit, second)).unwrap()
}

fn claimed_ids<S: Store>(store: &S, fence: Fence, limit: u32, second: i64) -> Vec<MessageId> {
    let texts = claimed(store, fence, limit, second);
    texts.into_iter().map(|text| text.id).collect()
}

fn new_text(kind: MessageKind, n: u32, second: i64) -> NewMessage {
    NewMessage {
        kind,
        entrant: None,
        phone: phone(n),
        body: Some(format!("Hello {n} \u{1f331}")),
        at: at(second),
    }
}

fn queued<S: Store>(store: &S, text: &NewMessage) -> MessageId {
    store.transaction(|tx| tx.queue_message(text)).unwrap()
}

/// Staff's test text to this number.
fn test_text<S: Store>(store: &S, n: u32) -> MessageId {
    queued(store, &new_text(MessageKind::Test, n, 0))
}

pub(crate) fn found<S: Store>(store: &S, id: MessageId) -> Message {
    store.read(|tx| tx.find_message(id)).unwrap().unwrap()
}

fn status<S: Store>(store: &S, id: MessageId) -> MessageStatus {
    found(store, id).status
}

pub(crate) fn has(n: u32, status: ProviderStatus) -> ProviderMessage {
    ProviderMessage {
        id: ProviderMessageId::parse(&format!("SM{n}")).unwrap(),
        status,
        failure: None,
    }
}

pub(crate) fn record<S: Store>(
    store: &S,
    message: MessageId,
    attempt: u32,
    report: DeliveryReport,
    second: i64,
) {
    let outcome = Outcome {
        message,
        attempt,
        report,
    };
    store
        .transaction(|tx| tx.record_outcomes(std::slice::from_ref(&outcome), at(second)))
        .unwrap();
}

pub(crate) fn told<S: Store>(store: &S, text: MessageId, what: &ProviderMessage, second: i64) -> bool {
    store
        .transaction(|tx| tx.record_report(text, what, at(second)))
        .unwrap()
}

fn doubtful<S: Store>(store: &S, fence: Fence, second: i64) -> Result<Vec<UncertainMessage>, Fenced> {
    let take = |tx: &mut S::Tx| tx.claim_uncertain(fence, 10, at(second), at(second + 20));
    store.transaction::<_, StoreError>(take).unwrap()
}

fn doubtful_ids<S: Store>(store: &S, fence: Fence, second: i64) -> Vec<MessageId> {
    let texts = doubtful(store, fence, second).unwrap();
    texts.into_iter().map(|text| text.id).collect()
}

fn release_claims<S: Store>(store: &S, text: MessageId, attempt: u32) {
    store
        .transaction(|tx| tx.release_claims(&[(text, attempt)]))
        .unwrap();
}

fn open_texts<S: Store>(store: &S) -> OpenMessages {
    store.read(|tx| tx.count_open_messages()).unwrap()
}

pub(crate) fn refusal() -> Failure {
    Failure {
        code: Some(21211),
        sentence: "Invalid number".to_owned(),
    }
}

pub fn texts_read_back_in_the_order_they_were_queued<S: Store>(store: &S) {
    let (one, other) = (entered(store, 1), entered(store, 2));
    let to = |entrant: &Entrant, second| NewMessage {
        entrant: Some(entrant.id),
        phone: entrant.phone.clone(),
        ..new_text(MessageKind::Victory, 0, second)
    };
    let texts = [to(&one, 2), to(&other, 3), to(&one, 1)];
    let ids: Vec<_> = texts.iter().map(|text| queued(store, text)).collect();
    let list = |entrant: EntrantId| store.read(|tx| tx.list_messages_to(entrant)).unwrap();
    let listed = list(one.id);
    assert_eq!(listed[0].content.kind, MessageKind::Welcome, "from entering");
    assert_eq!(listed[0].content.body, None);
    let contents: Vec<_> = listed[1..].iter().map(|text| text.content.clone()).collect();
    assert_eq!(contents, [texts[0].clone(), texts[2].clone()]);
    let expected = Message {
        id: ids[1],
        content: texts[1].clone(),
        status: MessageStatus::Pending,
        reason: None,
        provider_id: None,
        sent_at: None,
    };
    assert_eq!(
        (list(other.id)[1].clone(), found(store, ids[1])),
        (expected.clone(), expected)
    );
    assert_eq!(list(EntrantId::new(i64::MAX)), []);
    let unknown = MessageId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.find_message(unknown)).unwrap(), None);
    assert!(!told(store, unknown, &has(1, ProviderStatus::Delivered), 0));
}

pub fn a_text_is_claimed_once_by_twenty_at_once<S: Store>(store: &S) {
    let ids: BTreeSet<_> = (0..100).map(|n| test_text(store, n)).collect();
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
    assert_eq!(all.iter().map(|text| text.id).collect::<BTreeSet<_>>(), ids);
    assert!(all.iter().all(|text| text.attempt == 1));
    assert!(ids.iter().all(|id| status(store, *id) == MessageStatus::Sending));
}

pub fn texts_are_claimed_when_their_time_has_come_and_oldest_first<S: Store>(store: &S) {
    let later = queued(store, &new_text(MessageKind::Victory, 1, 30));
    let third = queued(store, &new_text(MessageKind::Victory, 2, 20));
    let first = queued(store, &new_text(MessageKind::Test, 3, 10));
    let second = queued(store, &new_text(MessageKind::Victory, 4, 10));
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 10, 9), []);
    let texts = claimed(store, fence, 2, 20);
    assert_eq!([texts[0].id, texts[1].id], [first, second]);
    let expected = ClaimedMessage {
        id: first,
        kind: MessageKind::Test,
        phone: phone(3),
        body: new_text(MessageKind::Test, 3, 0).body,
        welcome: None,
        attempt: 1,
    };
    assert_eq!(texts[0], expected);
    assert_eq!(claimed_ids(store, fence, 10, 29), [third]);
    assert_eq!(claimed_ids(store, fence, 10, 30), [later]);
    assert_eq!(claimed_ids(store, fence, 10, 90), []);
}

pub fn nothing_is_claimed_under_an_earlier_fence<S: Store>(store: &S) {
    let doubted = test_text(store, 1);
    let earlier = fence(store);
    assert_eq!(claimed_ids(store, earlier, 1, 1), [doubted]);
    let waiting = test_text(store, 2);
    let later = lease(store, "two", 60).unwrap();
    assert!(later > earlier);
    assert_eq!(try_claim(store, &claim(earlier, 10, 61)), Err(Fenced));
    assert_eq!(doubtful(store, earlier, 100), Err(Fenced));
    assert_eq!(status(store, waiting), MessageStatus::Pending);
    assert_eq!(claimed_ids(store, later, 10, 61), [waiting]);
    assert_eq!(doubtful_ids(store, later, 100), [doubted]);
    let never = Fence::new(later.get() + 1);
    assert_eq!(try_claim(store, &claim(never, 10, 61)), Err(Fenced));
}

pub fn the_lease_is_its_owners_until_its_end<S: Store>(store: &S) {
    let first = fence(store);
    assert_eq!(lease(store, "two", 59), None);
    assert_eq!(lease(store, "one", 30), Some(first), "renewed");
    assert_eq!(lease(store, "two", 89), None);
    let second = lease(store, "two", 90).unwrap();
    assert!(second > first);
    assert_eq!(lease(store, "one", 91), None);
    // Who comes back after the end has lost sight of what was claimed.
    let third = lease(store, "two", 150).unwrap();
    assert!(third > second);
    let give_back = |fence| store.transaction(|tx| tx.release_lease(fence, at(160))).unwrap();
    give_back(second);
    assert_eq!(lease(store, "one", 161), None, "that was an earlier one's");
    give_back(third);
    assert!(lease(store, "one", 161).unwrap() > third);
}

pub fn of_twenty_who_want_the_lease_one_gets_it<S: Store>(store: &S) {
    let fences = at_once(20, |n| lease(store, &n.to_string(), 0));
    assert_eq!(fences.iter().flatten().count(), 1);
    let again = at_once(20, |n| lease(store, &n.to_string(), 1));
    assert_eq!(again, fences, "renewed by the same");
}

pub fn a_claim_and_a_takeover_at_once_leave_nothing_unseen<S: Store>(store: &S) {
    for round in 0..20 {
        let start = i64::from(round) * 200;
        let text = test_text(store, round);
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
        assert_eq!(status(store, text), expected);
        told(store, text, &has(round, ProviderStatus::Delivered), start + 70);
    }
}

pub fn what_was_being_sent_is_in_doubt_when_another_takes_over<S: Store>(store: &S) {
    let (first, second) = (test_text(store, 1), test_text(store, 2));
    let earlier = fence(store);
    assert_eq!(claimed_ids(store, earlier, 10, 1), [first, second]);
    assert_eq!(doubtful_ids(store, earlier, 1_000), [], "one's own are not");
    told(store, second, &has(2, ProviderStatus::Accepted), 2);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(status(store, first), MessageStatus::Unknown);
    assert_eq!(status(store, second), MessageStatus::Sent);
    assert_eq!(
        claimed_ids(store, later, 10, 1_000),
        [],
        "not before it was looked up"
    );
    assert_eq!(doubtful_ids(store, later, 69), []);
    let expected = UncertainMessage {
        id: first,
        attempt: 1,
        phone: phone(1),
        needle: new_text(MessageKind::Test, 1, 0).body.unwrap(),
        queued_at: at(0),
    };
    assert_eq!(doubtful(store, later, 70), Ok(vec![expected]));
    assert_eq!(doubtful_ids(store, later, 89), []);
    assert_eq!(
        doubtful_ids(store, later, 90),
        [first],
        "again, if nothing was heard"
    );
    let again_at = at(95);
    record(
        store,
        first,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        91,
    );
    assert_eq!(doubtful_ids(store, later, 1_000), []);
    let again = claimed(store, later, 10, 95);
    assert_eq!((again[0].id, again[0].attempt), (first, 2));
}

pub fn what_was_never_composed_is_not_looked_for<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let text = store.read(|tx| tx.list_messages_to(entrant.id)).unwrap()[0].id;
    let earlier = fence(store);
    assert_eq!(claimed_ids(store, earlier, 10, 1), [text]);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(doubtful_ids(store, later, 70), []);
    assert_eq!(claimed_ids(store, later, 10, 100), [text]);
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
    assert!(!record(first), "an earlier sender stops nobody");
    assert_eq!(halt(), None);
    assert!(record(second));
}

fn welcomes<S: Store>(store: &S, count: u32) {
    for n in 0..count {
        queued(store, &new_text(MessageKind::Welcome, n, 0));
    }
}

pub fn welcome_texts_are_limited_by_the_minute<S: Store>(store: &S) {
    welcomes(store, 5);
    queued(store, &new_text(MessageKind::Victory, 9, 1));
    let fence = fence(store);
    let kinds = |second| {
        let claim = Claim {
            welcome_per_minute: 2,
            ..claim(fence, 10, second)
        };
        let texts = try_claim(store, &claim).unwrap();
        texts.into_iter().map(|text| text.kind).collect::<Vec<_>>()
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

pub fn the_limit_of_welcome_texts_holds_for_twenty_at_once<S: Store>(store: &S) {
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

pub fn while_it_is_quiet_only_tests_are_claimed<S: Store>(store: &S) {
    for kind in [MessageKind::Welcome, MessageKind::Victory] {
        queued(store, &new_text(kind, 1, 0));
    }
    let test = test_text(store, 1);
    let fence = fence(store);
    let quiet = Claim {
        quiet: true,
        ..claim(fence, 10, 1)
    };
    let texts = try_claim(store, &quiet).unwrap();
    assert_eq!(texts.iter().map(|text| text.id).collect::<Vec<_>>(), [test]);
    assert_eq!(claimed_ids(store, fence, 10, 1).len(), 2);
}

pub fn a_welcome_text_is_composed_once<S: Store>(store: &S) {
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
    assert_eq!(found(store, first.id).content.body.unwrap(), "Welcome");
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
    assert_eq!((second.attempt, second.body.as_deref()), (2, Some("Welcome")));
}

pub fn an_attempt_comes_to_what_it_came_to<S: Store>(store: &S) {
    let fence = fence(store);
    let after = |n: u32, what: DeliveryReport| {
        let id = test_text(store, n);
        assert_eq!(claimed_ids(store, fence, 10, 1), [id]);
        record(store, id, 1, what, 7);
        found(store, id)
    };
    let sent = after(1, DeliveryReport::AtProvider(has(1, ProviderStatus::Accepted)));
    assert_eq!((sent.status, sent.sent_at), (MessageStatus::Sent, Some(at(7))));
    assert_eq!(sent.provider_id, Some(has(1, ProviderStatus::Accepted).id));
    let delivered = after(2, DeliveryReport::AtProvider(has(2, ProviderStatus::Delivered)));
    assert_eq!(
        (delivered.status, delivered.sent_at),
        (MessageStatus::Delivered, Some(at(7)))
    );
    let failed = ProviderMessage {
        failure: Some(refusal()),
        ..has(3, ProviderStatus::Failed)
    };
    let failed = after(3, DeliveryReport::AtProvider(failed));
    assert_eq!((failed.status, failed.sent_at), (MessageStatus::Failed, None));
    assert_eq!(failed.reason.as_deref(), Some("21211 Invalid number"));
    let undelivered = after(4, DeliveryReport::AtProvider(has(4, ProviderStatus::Undelivered)));
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
    let told_before = !store.read(|tx| tx.has_opted_out(&phone(6))).unwrap();
    assert!(told_before, "the number has changed its mind since");
    let look_up_at = at(20);
    let unknown = after(7, DeliveryReport::Uncertain { look_up_at });
    assert_eq!((unknown.status, unknown.sent_at), (MessageStatus::Unknown, None));
    assert_eq!(doubtful_ids(store, fence, 19), []);
    assert_eq!(doubtful_ids(store, fence, 20), [unknown.id]);
    record(
        store,
        unknown.id,
        1,
        DeliveryReport::AtProvider(has(7, ProviderStatus::Accepted)),
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

pub fn outcomes_come_together_and_for_unknown_texts_too<S: Store>(store: &S) {
    let ids: Vec<_> = (0..3).map(|n| test_text(store, n)).collect();
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 10, 1), ids);
    let outcome = |message, report| Outcome {
        message,
        attempt: 1,
        report,
    };
    let accepted = |n| DeliveryReport::AtProvider(has(n, ProviderStatus::Accepted));
    let outcomes = [
        outcome(ids[2], accepted(2)),
        outcome(MessageId::new(i64::MAX), accepted(9)),
        outcome(ids[0], accepted(0)),
        outcome(
            ids[2],
            DeliveryReport::AtProvider(has(2, ProviderStatus::Delivered)),
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

pub fn an_earlier_attempt_changes_nothing_unless_the_provider_has_the_text<S: Store>(store: &S) {
    let id = test_text(store, 1);
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
    for what in late {
        record(store, id, 1, what, 6);
        assert_eq!(status(store, id), MessageStatus::Sending);
    }
    record(
        store,
        id,
        1,
        DeliveryReport::AtProvider(has(1, ProviderStatus::Accepted)),
        7,
    );
    assert_eq!(status(store, id), MessageStatus::Sent);
    record(store, id, 2, not_sent(8), 8);
    assert_eq!(status(store, id), MessageStatus::Sent, "it has been sent");
    let other = has(2, ProviderStatus::Delivered);
    record(store, id, 2, DeliveryReport::AtProvider(other.clone()), 9);
    assert!(!told(store, id, &other, 9));
    assert_eq!(
        status(store, id),
        MessageStatus::Sent,
        "that is another text of the provider"
    );
}

pub fn a_text_that_is_handed_back_waits_again<S: Store>(store: &S) {
    let id = test_text(store, 1);
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
        DeliveryReport::AtProvider(has(1, ProviderStatus::Accepted)),
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

/// Whatever was told first of the ends, stays; how often it is told does not matter.
pub fn what_the_provider_tells_comes_to_the_same_in_any_order_and_number<S: Store>(store: &S) {
    let config = ProptestConfig {
        cases: 16,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let check = |statuses: Vec<ProviderStatus>| {
        let id = test_text(store, 1);
        let mut expected = MessageStatus::Pending;
        for status in statuses {
            let next = expected.after_report(status);
            let changed = told(store, id, &has(1, status), 5);
            prop_assert_eq!(changed, next.is_some());
            expected = next.unwrap_or(expected);
            prop_assert_eq!(found(store, id).status, expected);
        }
        Ok(())
    };
    TestRunner::new(config).run(&provider_statuses(), check).unwrap();
    let id = test_text(store, 2);
    let changes = at_once(100, |n| {
        let status = match n % 2 {
            0 => ProviderStatus::Accepted,
            _ => ProviderStatus::Delivered,
        };
        told(store, id, &has(2, status), n.into())
    });
    assert_eq!(status(store, id), MessageStatus::Delivered);
    let changes = changes.iter().filter(|changed| **changed).count();
    assert!((1..=2).contains(&changes), "{changes}");
}

pub fn who_opted_out_gets_no_text_of_any_kind<S: Store>(store: &S) {
    let kinds = [MessageKind::Welcome, MessageKind::Victory, MessageKind::Test];
    let ids = kinds.map(|kind| queued(store, &new_text(kind, 1, 0)));
    let other = test_text(store, 2);
    store.transaction(|tx| tx.opt_out(&phone(1), at(1))).unwrap();
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 10, 1), [other]);
    for id in ids {
        let text = found(store, id);
        assert_eq!(
            (text.status, text.reason.as_deref()),
            (MessageStatus::Skipped, Some("opted_out"))
        );
    }
    store.transaction(|tx| tx.opt_in(&phone(1), at(2))).unwrap();
    assert_eq!(claimed_ids(store, fence, 10, 2), [], "what was skipped stays so");
    let next = test_text(store, 1);
    assert_eq!(claimed_ids(store, fence, 10, 2), [next]);
}

pub fn a_number_wants_what_it_said_last<S: Store>(store: &S) {
    let wants_none = |n| store.read(|tx| tx.has_opted_out(&phone(n))).unwrap();
    assert!(!wants_none(1));
    store.transaction(|tx| tx.opt_in(&phone(1), at(0))).unwrap();
    assert!(!wants_none(1));
    for _ in 0..2 {
        store.transaction(|tx| tx.opt_out(&phone(1), at(1))).unwrap();
        assert!(wants_none(1) && !wants_none(2));
    }
    store.transaction(|tx| tx.opt_in(&phone(1), at(2))).unwrap();
    assert!(!wants_none(1));
}

pub fn a_call_of_the_provider_is_new_once<S: Store>(store: &S) {
    let note = |id: &str| store.transaction(|tx| tx.record_inbound(id, at(0))).unwrap();
    let new = at_once(20, |_| note("SM1"));
    assert_eq!(new.iter().filter(|new| **new).count(), 1);
    assert!(note("SM2") && !note("SM2"));
    let rolled_back: Result<(), StoreError> = store.transaction(|tx| {
        assert!(tx.record_inbound("SM3", at(0))?);
        Err(StoreError::Conflict)
    });
    assert!(rolled_back.is_err() && note("SM3"));
}

pub fn open_texts_are_counted<S: Store>(store: &S) {
    assert_eq!(open_texts(store), OpenMessages::default());
    for n in 0..4 {
        test_text(store, n);
    }
    let fence = fence(store);
    let texts = claimed_ids(store, fence, 3, 1);
    assert_eq!((open_texts(store).waiting, open_texts(store).unknown), (4, 0));
    let look_up_at = at(9);
    record(store, texts[0], 1, DeliveryReport::Uncertain { look_up_at }, 2);
    record(store, texts[1], 1, DeliveryReport::Refused(refusal()), 2);
    let expected = OpenMessages {
        waiting: 2,
        unknown: 1,
    };
    assert_eq!(open_texts(store), expected);
}

pub fn credentials_are_kept_as_they_were_sealed<S: Store>(store: &S) {
    let sealed = || store.read(|tx| tx.sealed_credentials()).unwrap();
    assert_eq!(sealed(), None);
    for bytes in [&[0, 255, 10][..], &[7; 300], &[]] {
        store
            .transaction(|tx| tx.save_sealed_credentials(bytes, at(0)))
            .unwrap();
        assert_eq!(sealed().unwrap(), bytes);
    }
}

fn welcome(text: &str) -> WelcomeMessage {
    WelcomeMessage::parse(text).unwrap()
}

pub fn a_raffle_has_at_most_one_welcome_message<S: Store>(store: &S) {
    let (garden, fresh) = (Raffle::GardenBag, Raffle::FreshSips);
    let add = |raffle, text| {
        let message = welcome(text);
        store
            .transaction(|tx| tx.add_welcome(raffle, &message, at(1)))
            .unwrap()
    };
    let change = |raffle, text| {
        let message = welcome(text);
        let change = |tx: &mut S::Tx| tx.change_welcome(raffle, &message, at(2));
        store.transaction::<_, StoreError>(change).unwrap()
    };
    let delete = |raffle| store.transaction(|tx| tx.delete_welcome(raffle)).unwrap();
    let list = || store.read(|tx| tx.list_welcomes()).unwrap();
    assert!(!change(garden, "a") && !delete(garden) && list().is_empty());
    let added = at_once(20, |_| add(fresh, "fresh"));
    assert_eq!(added.iter().filter(|added| **added).count(), 1);
    assert!(add(garden, "garden"));
    assert!(change(fresh, "fresher"));
    let listed = list();
    assert_eq!(
        (listed[0].raffle, listed[1].raffle, listed.len()),
        (garden, fresh, 2)
    );
    assert_eq!(listed[1].message, welcome("fresher"));
    assert_eq!((listed[1].created_at, listed[1].updated_at), (at(1), at(2)));
    assert_eq!(listed[0].updated_at, at(1));
    assert!(delete(fresh) && !delete(fresh));
    assert_eq!(list(), listed[..1]);
}

pub(crate) fn new_template(name: &str, text: &str) -> NewTemplate {
    NewTemplate {
        name: Label::parse(name).unwrap(),
        raffle: Raffle::KitchenGarden,
        message: MessageTemplate::parse(text, "[there]").unwrap(),
        is_active: true,
    }
}

pub fn templates_read_back_change_and_come_newest_first<S: Store>(store: &S) {
    let add = |new: &NewTemplate| store.transaction(|tx| tx.add_template(new, at(1))).unwrap();
    let mut content = new_template("June", "Look: [there]");
    let first = add(&content);
    let second = add(&content);
    content.is_active = false;
    content.raffle = Raffle::FreshSips;
    content.message = MessageTemplate::parse("Over {LINK} there", "{LINK}").unwrap();
    let change = |id, at| {
        store
            .transaction(|tx| tx.change_template(id, &content, at))
            .unwrap()
    };
    assert!(change(first, at(2)) && !change(TemplateId::new(i64::MAX), at(2)));
    let listed = store.read(|tx| tx.list_templates()).unwrap();
    assert_eq!(
        listed.iter().map(|template| template.id).collect::<Vec<_>>(),
        [second, first]
    );
    assert_eq!(listed[0].content, new_template("June", "Look: [there]"));
    assert_eq!(listed[1].content, content);
    assert_eq!((listed[1].created_at, listed[1].updated_at), (at(1), at(2)));
    let find = |id| store.read(|tx| tx.find_template(id)).unwrap();
    assert_eq!(find(first), Some(listed[1].clone()));
    assert_eq!(find(TemplateId::new(i64::MAX)), None);
}
