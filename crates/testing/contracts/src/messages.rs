mod budget;
mod claims;
mod codes;
mod hours;
mod lease;
mod outcomes;
mod replies;
mod templates;

pub use budget::*;
pub use claims::*;
pub use codes::*;
pub use hours::*;
pub use lease::*;
pub use outcomes::*;
pub(crate) use replies::bodies;
pub use replies::*;
pub use templates::*;

use crate::Store;
use crate::support::{at_once, entered, messages_to, noon, phone};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{EntrantId, StoreError};
use raffle::Entrant;
use sms::{
    Claim, ClaimedMessage, DeliveryReport, Dispatching, Failure, Fence, Fenced, HoursNow, Message, MessageId,
    MessageKind, MessageStatus, NewMessage, OpenMessages, OptOuts, Outbox, Outcome, ProviderMessage,
    ProviderMessageId, ProviderStatus, RecipientRules, SmsCountries, SmsSettings, UncertainMessage,
};

pub(crate) fn at(second: i64) -> DateTime<Utc> {
    noon() + TimeDelta::seconds(second)
}

/// Acquires the lease for a minute. Uncertain messages are to be looked up after ten seconds.
pub(crate) fn lease<S: Store>(store: &S, owner: &str, second: i64) -> Option<Fence> {
    let take = |tx: &mut S::Tx| tx.acquire_lease(owner, at(second), at(second + 60), at(second + 10));
    store.transaction::<_, StoreError>(take).unwrap()
}

pub(crate) fn fence<S: Store>(store: &S) -> Fence {
    lease(store, "one", 0).unwrap()
}

fn try_claim<S: Store>(store: &S, claim: &Claim) -> Result<Vec<ClaimedMessage>, Fenced> {
    claim_by(store, claim, None)
}

fn claim_by<S: Store>(
    store: &S,
    claim: &Claim,
    hours: Option<&HoursNow<'_>>,
) -> Result<Vec<ClaimedMessage>, Fenced> {
    let countries = SmsCountries::default();
    let recipients = RecipientRules {
        countries: &countries,
        hours,
    };
    store
        .transaction::<_, StoreError>(|tx| tx.claim_messages(claim, &recipients))
        .unwrap()
        .map(|claimed| claimed.messages)
}

fn claim(fence: Fence, limit: u32, second: i64) -> Claim {
    Claim {
        fence,
        limit,
        welcome_per_minute: 1_000,
        welcomes_in_budget: 1_000_000,
        now: at(second),
    }
}

pub(crate) fn claimed<S: Store>(store: &S, fence: Fence, limit: u32, second: i64) -> Vec<ClaimedMessage> {
    try_claim(store, &claim(fence, limit, second)).unwrap()
}

fn claimed_ids<S: Store>(store: &S, fence: Fence, limit: u32, second: i64) -> Vec<MessageId> {
    let messages = claimed(store, fence, limit, second);
    messages.into_iter().map(|message| message.id).collect()
}

pub(crate) fn new_message(kind: MessageKind, n: u32, second: i64) -> NewMessage {
    NewMessage {
        kind,
        entrant: None,
        phone: phone(n),
        body: Some(format!("Hello {n} \u{1f331}").into()),
        at: at(second),
    }
}

pub(crate) fn queued<S: Store>(store: &S, message: &NewMessage) -> MessageId {
    store.transaction(|tx| tx.queue_message(message)).unwrap()
}

/// Queues a test message to phone number `n`.
fn test_message<S: Store>(store: &S, n: u32) -> MessageId {
    queued(store, &new_message(MessageKind::Test, n, 0))
}

pub(crate) fn found<S: Store>(store: &S, id: MessageId) -> Message {
    store.read(|tx| tx.find_message(id)).unwrap().unwrap()
}

fn status<S: Store>(store: &S, id: MessageId) -> MessageStatus {
    found(store, id).status
}

pub(crate) fn provider_message(n: u32, status: ProviderStatus) -> ProviderMessage {
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

pub(crate) fn record_report<S: Store>(
    store: &S,
    message: MessageId,
    report: &ProviderMessage,
    second: i64,
) -> bool {
    store
        .transaction(|tx| tx.record_report(message, report, at(second)))
        .unwrap()
}

fn uncertain<S: Store>(store: &S, fence: Fence, second: i64) -> Result<Vec<UncertainMessage>, Fenced> {
    let take = |tx: &mut S::Tx| tx.claim_uncertain(fence, 10, at(second), at(second + 20));
    store.transaction::<_, StoreError>(take).unwrap()
}

fn uncertain_ids<S: Store>(store: &S, fence: Fence, second: i64) -> Vec<MessageId> {
    let messages = uncertain(store, fence, second).unwrap();
    messages.into_iter().map(|message| message.id).collect()
}

fn release_claims<S: Store>(store: &S, message: MessageId, attempt: u32) {
    store
        .transaction(|tx| tx.release_claims(&[(message, attempt)]))
        .unwrap();
}

fn open_messages<S: Store>(store: &S) -> OpenMessages {
    store.read(|tx| tx.count_open_messages()).unwrap()
}

pub(crate) fn refusal() -> Failure {
    Failure {
        code: Some(21211),
        sentence: "Invalid number".to_owned(),
    }
}

pub fn messages_read_back_in_the_order_they_were_queued<S: Store>(store: &S) {
    let (one, other) = (entered(store, 1), entered(store, 2));
    let to = |entrant: &Entrant, second| NewMessage {
        entrant: Some(entrant.id),
        phone: entrant.phone.clone(),
        ..new_message(MessageKind::Victory, 0, second)
    };
    let messages = [to(&one, 2), to(&other, 3), to(&one, 1)];
    let ids: Vec<_> = messages.iter().map(|message| queued(store, message)).collect();
    let list = |entrant: EntrantId| store.read(|tx| messages_to(tx, entrant)).unwrap();
    let listed = list(one.id);
    assert_eq!(listed[0].content.kind, MessageKind::Welcome, "queued on entering");
    assert_eq!(listed[0].content.body, None);
    let contents: Vec<_> = listed[1..]
        .iter()
        .map(|message| message.content.clone())
        .collect();
    assert_eq!(contents, [messages[0].clone(), messages[2].clone()]);
    let expected = Message {
        id: ids[1],
        content: messages[1].clone(),
        status: MessageStatus::Pending,
        reason: None,
        provider_id: None,
        sent_at: None,
        due_at: messages[1].at,
    };
    assert_eq!(
        (list(other.id)[1].clone(), found(store, ids[1])),
        (expected.clone(), expected)
    );
    assert_eq!(list(EntrantId::new(i64::MAX)), []);
    let unknown = MessageId::new(i64::MAX);
    assert_eq!(store.read(|tx| tx.find_message(unknown)).unwrap(), None);
    assert!(!record_report(
        store,
        unknown,
        &provider_message(1, ProviderStatus::Delivered),
        0
    ));
}

pub fn a_number_that_opted_out_gets_no_message_of_any_kind<S: Store>(store: &S) {
    let kinds = [MessageKind::Welcome, MessageKind::Victory, MessageKind::Test];
    let ids = kinds.map(|kind| queued(store, &new_message(kind, 1, 0)));
    let other = test_message(store, 2);
    store.transaction(|tx| tx.opt_out(&phone(1), at(1))).unwrap();
    let fence = fence(store);
    assert_eq!(claimed_ids(store, fence, 10, 1), [other]);
    for id in ids {
        let message = found(store, id);
        assert_eq!(
            (message.status, message.reason.as_deref()),
            (MessageStatus::Skipped, Some("opted_out"))
        );
    }
    store.transaction(|tx| tx.opt_in(&phone(1), at(2))).unwrap();
    assert_eq!(
        claimed_ids(store, fence, 10, 2),
        [],
        "skipped messages stay skipped"
    );
    let next = test_message(store, 1);
    assert_eq!(claimed_ids(store, fence, 10, 2), [next]);
}

pub fn the_last_opt_in_or_opt_out_decides<S: Store>(store: &S) {
    let has_opted_out = |n| store.read(|tx| tx.has_opted_out(&phone(n))).unwrap();
    assert!(!has_opted_out(1));
    store.transaction(|tx| tx.opt_in(&phone(1), at(0))).unwrap();
    assert!(!has_opted_out(1));
    for _ in 0..2 {
        store.transaction(|tx| tx.opt_out(&phone(1), at(1))).unwrap();
        assert!(has_opted_out(1) && !has_opted_out(2));
    }
    store.transaction(|tx| tx.opt_in(&phone(1), at(2))).unwrap();
    assert!(!has_opted_out(1));
}

pub fn an_inbound_message_is_new_once<S: Store>(store: &S) {
    let record = |id: &str| store.transaction(|tx| tx.record_inbound(id, at(0))).unwrap();
    let new = at_once(20, |_| record("SM1"));
    assert_eq!(new.iter().filter(|new| **new).count(), 1);
    assert!(record("SM2") && !record("SM2"));
    let rolled_back: Result<(), StoreError> = store.transaction(|tx| {
        assert!(tx.record_inbound("SM3", at(0))?);
        Err(StoreError::Conflict)
    });
    assert!(rolled_back.is_err() && record("SM3"));
}

pub fn open_messages_are_counted<S: Store>(store: &S) {
    assert_eq!(open_messages(store), OpenMessages::default());
    for n in 0..4 {
        test_message(store, n);
    }
    let fence = fence(store);
    let messages = claimed_ids(store, fence, 3, 1);
    assert_eq!(
        (open_messages(store).waiting, open_messages(store).unknown),
        (4, 0)
    );
    let look_up_at = at(9);
    record(store, messages[0], 1, DeliveryReport::Uncertain { look_up_at }, 2);
    record(store, messages[1], 1, DeliveryReport::Refused(refusal()), 2);
    let expected = OpenMessages {
        waiting: 2,
        unknown: 1,
    };
    assert_eq!(open_messages(store), expected);
}

pub fn sealed_credentials_read_back<S: Store>(store: &S) {
    let sealed = || store.read(|tx| tx.sealed_credentials()).unwrap();
    assert_eq!(sealed(), None);
    for bytes in [&[0, 255, 10][..], &[7; 300], &[]] {
        store
            .transaction(|tx| tx.save_sealed_credentials(bytes, at(0)))
            .unwrap();
        assert_eq!(sealed().unwrap(), bytes);
    }
}
