//! The budget of texts of a day, and the countries whose numbers get them.

use super::codes::code;
use super::{at, claimed_ids, fence, found, new_message, queued};
use crate::Store;
use crate::support::{at_once, phone};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use fakes::PlainSealer;
use kernel::{Clock, Phone, Sealer, StoreError};
use sms::{
    DailyBudget, DailyCounts, Fence, MessageBody, MessageId, MessageKind, MessageStatus, NewMessage, Outbox,
    SealedText, SmsCountries,
};
use std::collections::BTreeMap;
use usecases::campaigns::SmsRules;
use usecases::send_messages::steps::{claim_next_messages, release_claims};

fn count<S: Store>(store: &S, second: i64, most: u32) -> bool {
    let count = |tx: &mut S::Tx| tx.count_text(at(second), most);
    store.transaction::<_, StoreError>(count).unwrap()
}

fn add<S: Store>(store: &S, second: i64, texts: u32) {
    let add = |tx: &mut S::Tx| tx.count_texts(at(second), texts);
    store.transaction::<_, StoreError>(add).unwrap();
}

fn texts_on<S: Store>(store: &S, day: NaiveDate) -> u32 {
    store.read(|tx| tx.texts_on(day)).unwrap()
}

fn today() -> NaiveDate {
    at(0).date_naive()
}

pub fn texts_are_counted_by_the_day_in_utc<S: Store>(store: &S) {
    assert_eq!(texts_on(store, today()), 0);
    let (noon, midnight) = (0, 12 * 3_600);
    assert!(count(store, noon, 3) && count(store, noon, 3));
    add(store, midnight - 1, 0);
    assert!(count(store, midnight - 1, 3));
    assert!(!count(store, midnight - 1, 3), "the day is used up");
    assert!(count(store, midnight - 1, 4), "for some, less of it is");
    assert!(count(store, midnight, 3), "a new day");
    assert_eq!(
        [
            texts_on(store, today()),
            texts_on(store, today().succ_opt().unwrap())
        ],
        [4, 1]
    );
    assert!(!count(store, 2 * midnight, 0));
    // These count whatever was counted already.
    add(store, noon, 5);
    assert_eq!(texts_on(store, today()), 9);
}

pub fn the_budget_holds_for_twenty_servers_at_once<S: Store>(store: &S) {
    let counted = at_once(20, |_| (0..10).filter(|_| count(store, 0, 37)).count());
    assert_eq!(counted.into_iter().sum::<usize>(), 37);
    assert_eq!(texts_on(store, today()), 37);
}

pub fn a_text_that_is_not_queued_is_not_counted<S: Store>(store: &S) {
    let refused: Result<(), StoreError> = store.transaction(|tx| {
        assert!(tx.count_text(at(0), 1)?);
        Err(StoreError::Conflict)
    });
    assert!(refused.is_err());
    assert_eq!(texts_on(store, today()), 0);
    assert!(count(store, 0, 1));
}

fn abroad(number: &str) -> Phone {
    Phone::from_e164(number).unwrap()
}

pub fn numbers_of_other_countries_get_no_message_of_any_kind<S: Store>(store: &S) {
    let kinds = [MessageKind::Welcome, MessageKind::Victory, MessageKind::Test];
    let refused = ["+18765551234", "+442071838750", "+18005551234", "+19005551234"];
    let mut ids = Vec::new();
    for number in refused {
        let phone = abroad(number);
        for kind in kinds {
            let phone = phone.clone();
            ids.push(queued(
                store,
                &NewMessage {
                    phone,
                    ..new_message(kind, 1, 0)
                },
            ));
        }
        let body = Some(MessageBody::Sealed(vec![1]));
        let kind = MessageKind::Code;
        ids.push(queued(
            store,
            &NewMessage {
                phone,
                body,
                ..new_message(kind, 1, 0)
            },
        ));
    }
    let permitted = ["+12125551234", "+17875551234", "+15551234567"].map(|number| {
        let phone = abroad(number);
        queued(
            store,
            &NewMessage {
                phone,
                ..new_message(MessageKind::Test, 1, 1)
            },
        )
    });
    assert_eq!(claimed_ids(store, fence(store), 100, 2), permitted);
    for id in ids {
        let message = found(store, id);
        assert_eq!(
            (message.status, message.reason.as_deref()),
            (MessageStatus::Skipped, Some("country"))
        );
    }
}

/// A clock that a test moves on.
struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

const BUDGET: DailyBudget = DailyBudget::new(200);

fn rules() -> SmsRules {
    SmsRules {
        public_origin: "https://example.org".to_owned(),
        site_name: "Tombola".to_owned(),
        time_zone: chrono_tz::UTC,
        hours: None,
        monthly_cap: 1,
        countries: SmsCountries::default(),
        daily_budget: BUDGET,
    }
}

fn next<S: Store>(store: &S, fence: Fence, second: i64) -> Vec<MessageId> {
    let sealer = PlainSealer::default();
    let messages = claim_next_messages(store, &At(at(second)), &rules(), &sealer, fence, 500).unwrap();
    messages.into_iter().map(|message| message.id).collect()
}

/// Queues a code for a new number and counts it in the same transaction, as signing up does. `None` when the budget does
/// not let it through.
fn new_number<S: Store>(store: &S, n: u32, second: i64) -> Option<MessageId> {
    let sealer: &dyn Sealer<SealedText> = &PlainSealer::default();
    let message = NewMessage {
        kind: MessageKind::Code,
        entrant: None,
        phone: phone(n),
        body: Some(MessageBody::seal(sealer, "012345")),
        at: at(second),
    };
    let queued = store.transaction(|tx| {
        let id = tx.queue_message(&message)?;
        match tx.count_text(message.at, BUDGET.for_codes(false))? {
            true => Ok(id),
            false => Err(StoreError::Conflict),
        }
    });
    queued.ok()
}

fn ten_thousand_welcomes<S: Store>(store: &S) {
    let queue = |tx: &mut S::Tx| {
        for n in 0..10_000 {
            tx.queue_message(&new_message(MessageKind::Welcome, n, 0))?;
        }
        Ok(())
    };
    store.transaction::<_, StoreError>(queue).unwrap();
}

/// Ten thousand welcome texts wait, and one new number a second asks for a code: each code is sent by the next claim, and
/// no limit is passed.
pub fn a_flood_of_welcomes_delays_no_code_and_passes_no_limit<S: Store>(store: &S) {
    ten_thousand_welcomes(store);
    let fence = fence(store);
    let (mut welcomes, mut codes, mut refused) = (BTreeMap::<i64, u32>::new(), 0, 0);
    for second in 0..240 {
        let code = new_number(store, 20_000 + u32::try_from(second).unwrap(), second);
        let messages = next(store, fence, second);
        match code {
            Some(code) => assert_eq!(messages.first(), Some(&code), "in second {second}"),
            None => refused += 1,
        }
        let sent = u32::try_from(messages.len()).unwrap() - u32::from(code.is_some());
        codes += u32::from(code.is_some());
        *welcomes.entry(second / 60).or_default() += sent;
    }
    assert!(welcomes.values().all(|sent| *sent <= 60), "{welcomes:?}");
    let welcomes: u32 = welcomes.into_values().sum();
    assert_eq!(welcomes + codes, texts_on(store, today()), "each is counted once");
    assert_eq!(welcomes + codes, BUDGET.for_sign_ups());
    assert!((60..=BUDGET.for_welcomes()).contains(&welcomes), "{welcomes}");
    assert_eq!(refused, 240 - codes);
    // The next day the welcome texts go on; those that waited for a whole day are skipped.
    let day = TimeDelta::days(1).num_seconds();
    assert_eq!(next(store, fence, day - 1).len(), 60);
    assert_eq!(next(store, fence, day + 60), []);
    assert_eq!(texts_on(store, today().succ_opt().unwrap()), 60);
}

/// Codes are counted when they are queued; other messages when they are claimed, once.
pub fn a_message_that_is_sent_again_is_counted_once<S: Store>(store: &S) {
    let fence = fence(store);
    let id = queued(store, &new_message(MessageKind::Victory, 1, 0));
    for attempt in 1..4 {
        assert_eq!(next(store, fence, 1), [id]);
        release_claims(store, &[(id, attempt)]).unwrap();
    }
    assert_eq!(texts_on(store, today()), 1);
    let code = new_number(store, 2, 0).unwrap();
    assert_eq!(next(store, fence, 1), [code, id]);
    assert_eq!(texts_on(store, today()), 2);
}

/// A body that was sealed with another key is never sent.
pub fn a_code_that_cannot_be_decrypted_fails<S: Store>(store: &S) {
    let id = code(store, 1, 0);
    assert_eq!(next(store, fence(store), 1), []);
    let message = found(store, id);
    assert_eq!(
        (message.status, message.content.body),
        (MessageStatus::Failed, None)
    );
    assert_eq!(message.reason.as_deref(), Some("Its body cannot be decrypted"));
}
