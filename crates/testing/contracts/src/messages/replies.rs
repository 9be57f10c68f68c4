//! Replies to messages.

use super::at;
use crate::Store;
use crate::support::{at_once, entered, phone};
use kernel::{EntrantId, PageRequest, StoreError, TextSearch};
use sms::{
    Keyword, Label, NewReply, ProviderMessageId, Replies, Reply, ReplyFilter, ReplyId, ReplyKind, ReplyOrder,
};

fn new_reply(provider_id: &str, n: u32, body: &str) -> NewReply {
    let provider_id = ProviderMessageId::parse(provider_id).unwrap();
    NewReply::new(provider_id, phone(n), body, None, at(n.into()))
}

/// Stores a reply of phone number `n`. Returns whether it was new.
pub(crate) fn reply<S: Store>(store: &S, provider_id: &str, n: u32, body: &str) -> bool {
    let new = new_reply(provider_id, n, body);
    store.transaction(|tx| tx.add_reply(&new)).unwrap()
}

fn list<S: Store>(store: &S, filter: &ReplyFilter, limit: u32, offset: u32) -> Vec<Reply> {
    let page = PageRequest { limit, offset };
    store
        .read(|tx| tx.list_replies(filter, ReplyOrder::NewestFirst, page))
        .unwrap()
}

pub(crate) fn bodies<S: Store>(store: &S, filter: &ReplyFilter) -> Vec<String> {
    let replies = list(store, filter, 500, 0);
    let count = store.read(|tx| tx.count_replies(filter)).unwrap();
    assert_eq!(count, replies.len() as i64);
    replies.into_iter().map(|reply| reply.body).collect()
}

pub fn a_reply_reads_back_with_its_entrant<S: Store>(store: &S) {
    let entrant = entered(store, 7).id;
    assert!(reply(store, "SM1", 7, " When is\tthe drawing? \u{1f331}\0 "));
    assert!(reply(store, "SM2", 8, "stop"));
    let replies = list(store, &ReplyFilter::default(), 500, 0);
    let fields = |reply: &Reply| -> (u32, Option<EntrantId>, String, Option<Keyword>) {
        let number = reply.phone.as_e164()[5..].parse().unwrap();
        (number, reply.entrant, reply.body.clone(), reply.keyword)
    };
    assert_eq!(
        fields(&replies[0]),
        (8, None, "stop".to_owned(), Some(Keyword::Stop))
    );
    let question = "When is\tthe drawing? \u{1f331}".to_owned();
    assert_eq!(fields(&replies[1]), (7, Some(entrant), question, None));
    assert_eq!((replies[0].at, replies[1].at), (at(8), at(7)));
    assert!(replies[0].id > replies[1].id);
}

pub fn a_reply_is_stored_once<S: Store>(store: &S) {
    let new = at_once(20, |_| reply(store, "SM1", 1, "Hello"));
    assert_eq!(new.iter().filter(|new| **new).count(), 1);
    assert!(!reply(store, "SM1", 2, "Other") && reply(store, "SM2", 1, "Hello"));
    let rolled_back: Result<(), StoreError> = store.transaction(|tx| {
        tx.add_reply(&new_reply("SM3", 1, "Gone"))?;
        Err(StoreError::Conflict)
    });
    assert!(rolled_back.is_err());
    assert_eq!(bodies(store, &ReplyFilter::default()), ["Hello", "Hello"]);
}

pub fn replies_are_searched_and_listed_in_pages<S: Store>(store: &S) {
    for (n, body) in ["100% Yes please", "HELP", "my_name", "no"]
        .into_iter()
        .enumerate()
    {
        let n = u32::try_from(n).unwrap();
        reply(store, &format!("SM{n}"), 4_560 + n, body);
    }
    let search = |text: &str| ReplyFilter {
        search: Label::parse(text).map(|label| TextSearch::new(label.into())),
        ..ReplyFilter::default()
    };
    assert_eq!(bodies(store, &search("PLEASE")), ["100% Yes please"]);
    assert_eq!(bodies(store, &search("%")), ["100% Yes please"], "no pattern");
    assert_eq!(bodies(store, &search("_")), ["my_name"]);
    assert_eq!(bodies(store, &search("456-2")), ["my_name"], "a part of a number");
    assert_eq!(bodies(store, &search("4561 help")), [""; 0]);
    let kind = |kind| ReplyFilter {
        kind: Some(kind),
        ..ReplyFilter::default()
    };
    assert_eq!(bodies(store, &kind(ReplyKind::Keyword)), ["HELP"]);
    let messages = bodies(store, &kind(ReplyKind::Message));
    assert_eq!(messages, ["no", "my_name", "100% Yes please"]);
    assert_eq!(bodies(store, &kind(ReplyKind::Unclear)), [""; 0]);
    let page = |limit, offset| list(store, &ReplyFilter::default(), limit, offset);
    let ids = |replies: Vec<Reply>| replies.into_iter().map(|reply| reply.id).collect::<Vec<_>>();
    let all = ids(page(500, 0));
    assert_eq!(ids(page(2, 1)), all[1..3]);
    let after_two = ReplyFilter {
        before: Some(all[1]),
        ..ReplyFilter::default()
    };
    assert_eq!(ids(list(store, &after_two, 500, 0)), all[2..]);
}

pub fn replies_that_are_not_clear_stand_first_until_staff_decide<S: Store>(store: &S) {
    for (n, body) in (1..).zip(["Please unsubscribe", "I said STOP!!!", "Thanks!"]) {
        reply(store, &format!("SM{n}"), n, body);
    }
    let page = PageRequest {
        limit: 500,
        offset: 0,
    };
    let listed = || {
        let all = ReplyFilter::default();
        let replies = store.read(|tx| tx.list_replies(&all, ReplyOrder::UnclearFirst, page));
        let fields = |reply: Reply| (reply.body, reply.is_unclear, reply.keyword);
        replies.unwrap().into_iter().map(fields).collect::<Vec<_>>()
    };
    let line = |body: &str, is_unclear, keyword| (body.to_owned(), is_unclear, keyword);
    let before = [
        line("I said STOP!!!", true, None),
        line("Please unsubscribe", true, None),
        line("Thanks!", false, None),
    ];
    assert_eq!(listed(), before);
    let unclear = list(store, &ReplyFilter::default(), 500, 0);
    let ids: Vec<ReplyId> = unclear.iter().map(|reply| reply.id).collect();
    let locked = store.transaction(|tx| tx.lock_reply(ids[1])).unwrap();
    assert_eq!(locked, Some(unclear[1].clone()));
    let unknown = store.transaction(|tx| tx.lock_reply(ReplyId::new(i64::MAX)));
    assert_eq!(unknown.unwrap(), None);
    for (id, keyword) in [(ids[1], Some(Keyword::Stop)), (ids[2], None)] {
        store.transaction(|tx| tx.decide_reply(id, keyword)).unwrap();
    }
    let after = [
        line("Thanks!", false, None),
        line("I said STOP!!!", false, Some(Keyword::Stop)),
        line("Please unsubscribe", false, None),
    ];
    assert_eq!(listed(), after);
}
