//! Deleting campaigns.

use super::{added, begun, click, consenting, counts, exported, link, list_of, opt_out, sent, size, take};
use crate::Store;
use crate::messages::{bodies, fence, found, reply};
use crate::support::{Noon, SMALL_BATCHES, at_once, clear, figures, new_job, noon, phone};
use sms::{
    Audience, CampaignFigures, Campaigns, MessageKind, MessageStatus, NewMessage, OpenMessages, OptOuts,
    Outbox, ReplyFilter, SmsCounts, TemplateFilter, Templates,
};
use staff::ClearingKind::{self, ClearCampaigns, ClearSms};
use usecases::clearing::{self, Step};

fn cleared<S: Store>(store: &S, kind: ClearingKind) -> Vec<i64> {
    figures(kind, &clear(store, kind))
}

/// Staff see all campaigns go at once. Their messages go in batches, and none of them is sent any more.
pub fn campaigns_go_at_once_and_later_ones_stay<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..8));
    for (message, _) in take(store, fence, id, 6) {
        sent(store, message);
    }
    let open = take(store, fence, id, 2);
    click(store, &link(id, &phone(0)), false, 1);
    let job = new_job(store, ClearCampaigns);
    let step = || clearing::step(store, &Noon, job, SMALL_BATCHES).unwrap();
    assert_eq!((step(), counts(store).messages), (Step::Progress, 8));
    assert_eq!((step(), counts(store).messages), (Step::Progress, 0));
    assert_eq!(store.read(|tx| tx.find_campaign(id)).unwrap(), None);
    for (message, _) in open {
        assert_eq!(store.read(|tx| tx.find_message(message)).unwrap(), None);
    }
    assert_eq!(
        store.read(|tx| tx.count_open_messages()).unwrap(),
        OpenMessages::default()
    );
    assert_eq!(click(store, &link(id, &phone(1)), false, 2), None);
    let later = begun(store, fence, list_of(20..24));
    let theirs = take(store, fence, later, 4);
    while step() == Step::Progress {}
    let deleted = clearing::find(store, job).unwrap().unwrap().deleted;
    assert_eq!(figures(ClearCampaigns, &deleted), [1, 8, 1]);
    assert_eq!((theirs.len(), counts(store).messages), (4, 4));
    for (message, _) in theirs {
        found(store, message);
    }
}

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
                body: Some("You won!".to_owned().into()),
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
    reply(store, "SM1", 1, "Thanks!");
    assert_eq!(cleared(store, ClearCampaigns), [2, 2, 1]);
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
    reply(store, "SM2", 2, "please stop");
    reply(store, "SM3", 3, "START");
    reply(store, "SM4", 4, "I said STOP!!!");
    reply(store, "SM5", 5, "HELP");
    assert_eq!(cleared(store, ClearSms), [1, 0, 0, 3, 2]);
    assert_eq!(counts(store), SmsCounts::default());
    let kept = bodies(store, &ReplyFilter::default());
    assert_eq!(
        kept,
        ["I said STOP!!!", "START", "please stop"],
        "evidence, and what nobody has read"
    );
    assert_eq!(cleared(store, ClearSms), [0, 0, 0, 0, 0]);
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
                clear(store, ClearCampaigns);
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
