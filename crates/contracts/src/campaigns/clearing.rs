//! Deleting campaigns.

use super::{added, begun, click, consenting, counts, exported, link, list_of, opt_out, sent, size, take};
use crate::Store;
use crate::messages::{fence, found, reply};
use crate::support::{at_once, noon, phone};
use sms::{
    Audience, CampaignFigures, Campaigns, MessageKind, MessageStatus, NewMessage, OpenMessages, OptOuts,
    Outbox, SmsClearing, SmsCounts, TemplateFilter, Templates,
};

pub fn clearing_campaigns_keeps_opt_outs_consents_and_monthly_counts<S: Store>(store: &S) {
    for n in 0..3 {
        consenting(store, n);
    }
    opt_out(store, 9);
    let kept = store
        .transaction(|tx| {
            tx.queue_message(&NewMessage {
                kind: MessageKind::Victory,
                entrant: None,
                phone: phone(1),
                body: Some("You won!".to_owned()),
                at: noon(),
            })
        })
        .unwrap();
    let fence = fence(store);
    let id = begun(store, fence, Audience::All);
    let pending = added(store, Audience::All);
    let taken = take(store, fence, id, 2);
    click(store, &link(id, &phone(0)), false, 1);
    let there = SmsCounts {
        campaigns: 2,
        messages: 2,
        clicks: 1,
        templates: 2,
        replies: 0,
    };
    assert_eq!(counts(store), there);
    let cleared = SmsCounts {
        templates: 0,
        ..there
    };
    reply(store, "SM1", 1, "Thanks!");
    assert_eq!(store.transaction(|tx| tx.clear_campaigns()).unwrap(), cleared);
    let left = SmsCounts {
        templates: 2,
        replies: 1,
        ..SmsCounts::default()
    };
    assert_eq!(counts(store), left);
    for gone in [id, pending] {
        assert_eq!(store.read(|tx| tx.find_campaign(gone)).unwrap(), None);
    }
    assert_eq!(take(store, fence, id, 2), []);
    assert_eq!(click(store, &link(id, &phone(0)), false, 2), None);
    sent(store, taken[0].0);
    assert_eq!(store.read(|tx| tx.find_message(taken[0].0)).unwrap(), None);
    assert_eq!(found(store, kept).status, MessageStatus::Pending);
    assert!(store.read(|tx| tx.has_opted_out(&phone(9))).unwrap());
    assert_eq!(
        size(store, &Audience::All, 1).over_cap,
        2,
        "the monthly counts are kept"
    );
    assert_eq!(
        store
            .read(|tx| tx.count_templates(&TemplateFilter::default()))
            .unwrap(),
        2
    );
    let sum = store.read(|tx| tx.sum_campaigns()).unwrap();
    assert_eq!(sum, CampaignFigures::default());

    added(store, Audience::All);
    let expected = SmsCounts {
        campaigns: 1,
        messages: 0,
        clicks: 0,
        templates: 3,
        replies: 1,
    };
    assert_eq!(store.transaction(|tx| tx.clear_sms()).unwrap(), expected);
    assert_eq!(counts(store), SmsCounts::default());
    assert_eq!(
        store.transaction(|tx| tx.clear_sms()).unwrap(),
        SmsCounts::default()
    );
    assert_eq!(
        begun(store, fence, Audience::All).get(),
        added(store, Audience::All).get() - 1
    );
}

pub fn clearing_while_messages_are_sent_leaves_nothing_behind<S: Store>(store: &S) {
    let fence = fence(store);
    for round in 0..10 {
        let id = begun(store, fence, list_of(0..20));
        let early = take(store, fence, id, 5);
        let late = at_once(4, |n| match n {
            0 => {
                store.transaction(|tx| tx.clear_campaigns()).unwrap();
                Vec::new()
            }
            1 => take(store, fence, id, 5),
            2 => {
                early.iter().for_each(|(message, _)| sent(store, *message));
                Vec::new()
            }
            _ => {
                for (_, recipient) in &early {
                    click(store, &link(id, &recipient.phone), true, round);
                }
                Vec::new()
            }
        });
        let messages = early.into_iter().chain(late.into_iter().flatten());
        for (message, _) in messages {
            assert_eq!(store.read(|tx| tx.find_message(message)).unwrap(), None);
        }
        assert_eq!((counts(store).messages, counts(store).clicks), (0, 0));
        assert_eq!(
            store.read(|tx| tx.count_open_messages()).unwrap(),
            OpenMessages::default()
        );
        assert_eq!(exported(store, id), []);
    }
}
