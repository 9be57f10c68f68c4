//! The end of a campaign and its figures.

use super::{
    begun, campaign, click, consenting_in, counts, end, exported, figures, link, list_of, opt_out, report,
    sent, take,
};
use crate::Store;
use crate::messages::{at, claimed, fence, found, provider_message, record, record_report, refusal};
use crate::support::{at_once, phone};
use raffle::fixtures::{KITCHEN_GARDEN, SUSTAINABLE_LIVING};
use sms::{
    Audience, CampaignFigures, CampaignId, CampaignReport, CampaignStatus, Campaigns, DeliveryReport,
    MessageStatus, ProviderStatus, SkipReason, TrackedMessage,
};

pub fn a_campaign_finishes_when_nothing_is_left<S: Store>(store: &S) {
    let fence = fence(store);
    let empty = begun(store, fence, Audience::All);
    assert_eq!(end(store, 3), [empty]);
    let ended = campaign(store, empty);
    assert_eq!(
        (ended.status, ended.ended_at),
        (CampaignStatus::Sent, Some(at(3)))
    );
    assert_eq!(end(store, 4), []);

    let failing = begun(store, fence, list_of(0..2));
    let first = take(store, fence, failing, 1)[0].0;
    record(store, first, 1, DeliveryReport::Refused(refusal()), 1);
    assert_eq!(end(store, 5), [], "a recipient is left");
    let second = take(store, fence, failing, 1)[0].0;
    assert_eq!(end(store, 5), [], "a message is being sent");
    let again_at = at(6);
    record(
        store,
        second,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        5,
    );
    assert_eq!(end(store, 5), [], "a message is pending");
    assert_eq!(claimed(store, fence, 1, 6).len(), 1);
    let look_up_at = at(7);
    record(store, second, 2, DeliveryReport::Uncertain { look_up_at }, 6);
    assert_eq!(end(store, 6), [], "a message is uncertain");
    record(store, second, 2, DeliveryReport::Refused(refusal()), 7);
    assert_eq!(at_once(20, |_| end(store, 7)).concat(), [failing]);
    assert_eq!(campaign(store, failing).status, CampaignStatus::Failed);

    let partly = begun(store, fence, list_of(0..2));
    let taken = take(store, fence, partly, 2);
    sent(store, taken[0].0);
    record(store, taken[1].0, 1, DeliveryReport::Refused(refusal()), 1);
    assert_eq!(end(store, 8), [partly]);
    assert_eq!(campaign(store, partly).status, CampaignStatus::Sent);
    let changed = record_report(
        store,
        taken[0].0,
        &provider_message(
            u32::try_from(taken[0].0.get()).unwrap(),
            ProviderStatus::Delivered,
        ),
        9,
    );
    assert!(
        changed && figures(store, partly).delivered == 1,
        "messages delivered later count too"
    );
}

pub fn a_link_counts_once_however_often_it_is_opened<S: Store>(store: &S) {
    let entrant = consenting_in(store, 1, SUSTAINABLE_LIVING);
    let fence = fence(store);
    let id = begun(store, fence, list_of([1, 2, 3]));
    take(store, fence, id, 10);
    let link = |n| link(id, &phone(n));
    let tracked = |entrant, raffle| Some(TrackedMessage { entrant, raffle });
    let theirs = tracked(Some(entrant), SUSTAINABLE_LIVING);
    let templates = tracked(None, KITCHEN_GARDEN);
    assert_eq!(click(store, &link(1), false, 5), theirs);
    assert_eq!(click(store, &link(1), true, 6), theirs);
    assert_eq!(click(store, &link(1), true, 7), theirs);
    assert_eq!(click(store, &link(2), true, 8), templates);
    assert_eq!(click(store, &link(2), false, 9), templates);
    assert_eq!(click(store, &link(9), true, 9), None);
    let counted = figures(store, id);
    assert_eq!((counted.clicked, counted.cta_clicked), (2, 2));
    let times: Vec<_> = exported(store, id)
        .into_iter()
        .map(|message| (message.clicked_at, message.cta_clicked_at))
        .collect();
    let expected = [
        (Some(at(5)), Some(at(6))),
        (Some(at(8)), Some(at(8))),
        (None, None),
    ];
    assert_eq!(times, expected);
    at_once(100, |n| click(store, &link(3), n % 2 == 0, 9));
    let counted = figures(store, id);
    assert_eq!((counted.clicked, counted.cta_clicked), (3, 3));
    assert_eq!(counts(store).clicks, 3);
}

pub fn a_report_counts_messages_by_reason<S: Store>(store: &S) {
    (0..3).for_each(|n| opt_out(store, n));
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..12));
    let taken = take(store, fence, id, 11);
    let messages: Vec<_> = taken.iter().map(|(message, _)| *message).collect();
    let refused = |message, code, sentence: &str| {
        let mut failure = refusal();
        (failure.code, failure.sentence) = (code, sentence.to_owned());
        record(store, message, 1, DeliveryReport::Refused(failure), 1);
    };
    refused(messages[3], Some(21211), "Invalid number");
    refused(messages[4], Some(30005), "Unknown destination");
    refused(messages[5], Some(21211), "Invalid number");
    refused(messages[6], None, "Another");
    record(
        store,
        messages[7],
        1,
        DeliveryReport::AtProvider(provider_message(7, ProviderStatus::Undelivered)),
        1,
    );
    let look_up_at = at(9);
    record(store, messages[8], 1, DeliveryReport::Uncertain { look_up_at }, 1);
    sent(store, messages[9]);
    let expected = CampaignReport {
        waiting: 2,
        unknown: 1,
        failed: vec![
            ("21211 Invalid number".to_owned(), 2),
            ("30005 Unknown destination".to_owned(), 1),
            ("Another".to_owned(), 1),
            ("No reason was given".to_owned(), 1),
        ],
        skipped: vec![(SkipReason::OptedOut, 3)],
    };
    assert_eq!(report(store, id), expected);
    let expected = CampaignFigures {
        recipients: 12,
        sent: 2,
        failed: 5,
        skipped: 3,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    let unknown = CampaignId::new(i64::MAX);
    assert_eq!(report(store, unknown), CampaignReport::default());
}

pub fn concurrent_reports_count_once<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..30));
    for (message, _) in take(store, fence, id, 30) {
        let reported = |status| provider_message(u32::try_from(message.get()).unwrap(), status);
        at_once(4, |n| match n {
            0 => sent(store, message),
            1 => drop(record_report(
                store,
                message,
                &reported(ProviderStatus::Delivered),
                1,
            )),
            2 => drop(record_report(
                store,
                message,
                &reported(ProviderStatus::Accepted),
                1,
            )),
            _ => {
                let look_up_at = at(9);
                record(store, message, 1, DeliveryReport::Uncertain { look_up_at }, 1);
            }
        });
        assert_eq!(found(store, message).status, MessageStatus::Delivered);
    }
    let expected = CampaignFigures {
        recipients: 30,
        sent: 30,
        delivered: 30,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    assert_eq!(end(store, 2), [id]);
}

/// Each report of a campaign's messages counts, also while the campaign's end is looked for.
pub fn many_reports_at_once_equal_a_recount<S: Store>(store: &S) {
    const MESSAGES: u32 = 200;
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..MESSAGES));
    let taken = take(store, fence, id, MESSAGES);
    let ended = at_once(MESSAGES, |n| {
        let message = taken[n as usize].0;
        let status = match n % 4 {
            0 => ProviderStatus::Undelivered,
            _ => ProviderStatus::Delivered,
        };
        let name = u32::try_from(message.get()).unwrap();
        assert!(record_report(store, message, &provider_message(name, status), 1));
        match n % 10 {
            0 => end(store, 2),
            _ => Vec::new(),
        }
    });
    let expected = CampaignFigures {
        recipients: 200,
        sent: 200,
        delivered: 150,
        failed: 50,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    assert_eq!(store.read(|tx| tx.sum_campaigns()).unwrap(), expected);
    let ended = [ended.concat(), end(store, 3)].concat();
    assert_eq!(ended, [id]);
    let failed = vec![("No reason was given".to_owned(), 50)];
    let recount = CampaignReport {
        failed,
        ..CampaignReport::default()
    };
    assert_eq!(report(store, id), recount);
    assert_eq!(figures(store, id), expected, "also after the end");
}
