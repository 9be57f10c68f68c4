//! The recipients of a campaign.

use super::{
    RAFFLE, added_at, added_to, begun, consent, consenting, consenting_in, exported, figures, flag, july,
    link, list_of, opt_out, report, size, skips, take, take_in,
};
use crate::Store;
use crate::messages::{at, claimed, fence, found, lease, record};
use crate::support::{at_once, noon, phone};
use kernel::{EntrantId, Phone, StoreError};
use raffle::fixtures::{GARDEN_BAG, SUSTAINABLE_LIVING};
use sms::{
    Audience, AudienceSize, CampaignDispatching, CampaignFigures, CampaignId, Campaigns, ConsentId, Consents,
    DeliveryReport, Dispatching, Fenced, MessageKind, MessageStatus, NewMessage, OpenMessages, OptOuts,
    Outbox, Recipient, SkipReason,
};
use std::collections::{BTreeMap, BTreeSet};

/// An audience contains entrants who consented, are not flagged, and have not opted out. The newest consent decides.
pub fn an_audience_contains_only_entrants_who_may_get_messages<S: Store>(store: &S) {
    added_to(store, 1, RAFFLE);
    consenting(store, 2);
    let refused = consenting(store, 3);
    consent(store, refused, false);
    let changed = added_to(store, 4, RAFFLE);
    consent(store, changed, false);
    consent(store, changed, true);
    let flagged = consenting(store, 5);
    flag(store, flagged);
    consenting(store, 6);
    opt_out(store, 6);
    consenting(store, 7);
    opt_out(store, 7);
    store.transaction(|tx| tx.opt_in(&phone(7), noon())).unwrap();
    consenting_in(store, 8, GARDEN_BAG);
    let fence = fence(store);
    for (audience, expected) in [
        (Audience::All, vec![2, 4, 7, 8]),
        (Audience::Raffle(RAFFLE), vec![2, 4, 7]),
        (Audience::Raffle(SUSTAINABLE_LIVING), vec![]),
    ] {
        let count = i64::try_from(expected.len()).unwrap();
        assert_eq!(size(store, &audience, 9).recipients, count);
        let id = begun(store, fence, audience);
        assert_eq!(figures(store, id).recipients, count);
        let taken = take_in(store, fence, id, 100, (july(), 9)).unwrap();
        let phones: Vec<_> = taken.iter().map(|(_, to)| to.phone.clone()).collect();
        assert_eq!(phones, expected.into_iter().map(phone).collect::<Vec<_>>());
        assert!(taken.iter().all(|(_, to)| to.skip.is_none()));
    }
}

/// A listed number gets a message unless it has opted out, is abroad, or belongs to an entrant without consent.
pub fn a_listed_entrant_needs_a_consent_and_other_numbers_do_not<S: Store>(store: &S) {
    let silent = added_to(store, 1, SUSTAINABLE_LIVING);
    let flagged = consenting(store, 2);
    flag(store, flagged);
    opt_out(store, 3);
    let numbers = ["+18005551234", "+18765551234", "+442071838750", "+12125551234"].map(abroad);
    let listed = [4, 3, 2, 1].map(phone).into_iter().chain(numbers.clone());
    let audience = Audience::Custom(listed.collect());
    let expected = |over_cap| AudienceSize {
        recipients: 3,
        over_cap,
    };
    assert_eq!(size(store, &audience, 2), expected(0));
    let fence = fence(store);
    for _ in 0..2 {
        let id = begun(store, fence, audience.clone());
        assert_eq!(figures(store, id).recipients, 8);
        let taken = take_in(store, fence, id, 10, (july(), 2)).unwrap();
        let other = |number: &Phone, skip| Recipient {
            phone: number.clone(),
            entrant: None,
            raffle: None,
            consent: None,
            skip,
        };
        let recipient = |n, entrant, raffle, consent, skip| Recipient {
            phone: phone(n),
            entrant,
            raffle,
            consent,
            skip,
        };
        let silent_in = Some(SUSTAINABLE_LIVING);

        let expected = [
            other(&numbers[3], None),
            recipient(1, Some(silent), silent_in, None, Some(SkipReason::NoConsent)),
            recipient(2, Some(flagged), Some(RAFFLE), consent_of(store, flagged), None),
            recipient(3, None, None, None, Some(SkipReason::OptedOut)),
            recipient(4, None, None, None, None),
            other(&numbers[0], Some(SkipReason::Country)),
            other(&numbers[1], Some(SkipReason::Country)),
            other(&numbers[2], Some(SkipReason::Country)),
        ];
        let recipients: Vec<_> = taken.into_iter().map(|(_, recipient)| recipient).collect();
        assert_eq!(recipients, expected);
    }
    assert_eq!(
        size(store, &audience, 2),
        expected(3),
        "each got two messages this month"
    );
}

/// The first consent of an entrant.
fn consent_of<S: Store>(store: &S, entrant: EntrantId) -> Option<ConsentId> {
    let ids = (1..=100).map(ConsentId::new);
    let mut consents = ids.filter_map(|id| store.read(|tx| tx.find_consent(id)).unwrap());
    let found = consents.find(|consent| consent.entrant == entrant)?;
    Some(found.id)
}

pub fn the_monthly_cap_holds_for_lists<S: Store>(store: &S) {
    consenting(store, 1);
    let fence = fence(store);
    let skips_of = |audience| {
        let id = begun(store, fence, audience);
        skips(&take_in(store, fence, id, 10, (july(), 2)).unwrap())
    };
    assert_eq!(skips_of(list_of([1, 2])), [None, None]);
    assert_eq!(skips_of(Audience::All), [None]);
    let capped = Some(SkipReason::MonthlyCap);
    assert_eq!(skips_of(list_of([1, 2])), [capped, None]);
    assert_eq!(skips_of(list_of([1, 2])), [capped, capped]);
}

fn abroad(number: &str) -> Phone {
    Phone::from_e164(number).unwrap()
}

/// They do not count toward the monthly cap, and the figures of the campaign add up.
pub fn entrants_of_other_countries_are_skipped<S: Store>(store: &S) {
    let near = consenting(store, 1);
    let far = added_at(store, 2, abroad("+18765551234"), RAFFLE);
    consent(store, far, true);
    let fence = fence(store);
    for _ in 0..2 {
        assert_eq!(size(store, &Audience::All, 9).recipients, 1);
        let id = begun(store, fence, Audience::All);
        let taken = take_in(store, fence, id, 10, (july(), 9)).unwrap();
        let skips: Vec<_> = taken
            .iter()
            .map(|(_, to)| (to.entrant == Some(near), to.skip))
            .collect();
        assert_eq!(skips, [(true, None), (false, Some(SkipReason::Country))]);
        let report = report(store, id);
        assert_eq!(report.skipped, [(SkipReason::Country, 1)]);
        let figures = figures(store, id);
        assert_eq!((figures.recipients, figures.skipped, report.waiting), (2, 1, 1));
        let listed = exported(store, id);
        assert_eq!(listed[1].reason.as_deref(), Some("country"));
    }
    let cap = size(store, &Audience::All, 2);
    assert_eq!((cap.recipients, cap.over_cap), (1, 1));
}

pub fn each_recipient_is_taken_once<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..100));
    let waiting = || store.read(|tx| tx.count_open_messages()).unwrap();
    let all_wait = OpenMessages {
        waiting: 100,
        unknown: 0,
    };
    assert_eq!(waiting(), all_wait);
    let taken = at_once(20, |_| {
        let mut mine = Vec::new();
        loop {
            let some = take(store, fence, id, 3);
            if some.is_empty() {
                return mine;
            }
            mine.extend(some);
        }
    });
    let taken: Vec<_> = taken.into_iter().flatten().collect();
    let phones: BTreeSet<_> = taken.iter().map(|(_, to)| to.phone.clone()).collect();
    assert_eq!((taken.len(), phones.len()), (100, 100));
    for (message, recipient) in &taken {
        let found = found(store, *message);
        assert_eq!(found.content.phone, recipient.phone);
        assert_eq!(found.status, MessageStatus::Sending);
    }
    assert_eq!(waiting(), all_wait, "being sent");
    let gone = store.read(|tx| tx.next_campaign()).unwrap();
    assert_eq!(gone, None);
    assert_eq!(take(store, fence, CampaignId::new(i64::MAX), 3), []);
}

pub fn no_recipient_is_taken_under_an_earlier_fence<S: Store>(store: &S) {
    let earlier = fence(store);
    let id = begun(store, earlier, list_of(0..3));
    let first = take(store, earlier, id, 1);
    let later = lease(store, "two", 60).unwrap();
    assert_eq!(take_in(store, earlier, id, 3, (july(), 1)), Err(Fenced));
    assert_eq!(found(store, first[0].0).status, MessageStatus::Unknown);
    let uncertain = |tx: &mut S::Tx| tx.claim_uncertain(later, 10, at(100), at(200));
    let uncertain = store.transaction::<_, StoreError>(uncertain).unwrap().unwrap();
    let marks: Vec<_> = uncertain.into_iter().map(|message| message.needle).collect();
    assert_eq!(marks, [link(id, &phone(0)).link("https://example.org").into()]);
    let rest = take(store, later, id, 3);
    assert_eq!([&rest[0].1.phone, &rest[1].1.phone], [&phone(1), &phone(2)]);
    assert_eq!(rest.len(), 2);
}

pub fn a_takeover_while_recipients_are_taken_loses_no_recipient<S: Store>(store: &S) {
    for round in 0..20 {
        let start = i64::from(round) * 200;
        let earlier = lease(store, &format!("{round}a"), start).unwrap();
        let id = begun(store, earlier, list_of([round]));
        let fences = at_once(2, |n| match n {
            0 => {
                let taken = take_in(store, earlier, id, 1, (july(), 1));
                assert!(taken.is_err() || taken.unwrap().len() == 1);
                None
            }
            _ => lease(store, &format!("{round}b"), start + 60),
        });
        let messages = exported(store, id);
        match messages.first() {
            Some(message) => assert_eq!(message.status, MessageStatus::Unknown),
            None => assert_eq!(take(store, fences[1].unwrap(), id, 1).len(), 1),
        }
    }
}

pub fn changes_before_a_message_is_sent_are_respected<S: Store>(store: &S) {
    let ids: Vec<_> = (0..8).map(|n| consenting(store, n)).collect();
    let fence = fence(store);
    let id = begun(store, fence, Audience::All);
    let change = |of: usize| {
        consent(store, ids[of], false);
        flag(store, ids[of + 1]);
        opt_out(store, u32::try_from(of).unwrap() + 2);
    };
    change(1);
    let taken = take(store, fence, id, 100);
    let reasons = [
        Some(SkipReason::NoConsent),
        Some(SkipReason::Flagged),
        Some(SkipReason::OptedOut),
    ];
    assert_eq!(skips(&taken)[1..4], reasons);
    assert_eq!(skips(&taken).iter().flatten().count(), 3);
    // Changes before the next attempt.
    for n in [0, 4, 5, 6, 7] {
        let again_at = at(5);
        record(
            store,
            taken[n].0,
            1,
            DeliveryReport::NotSent { retry_at: again_at },
            1,
        );
    }
    change(4);
    let again: Vec<_> = claimed(store, fence, 10, 5)
        .into_iter()
        .map(|message| message.id)
        .collect();
    assert_eq!(again, [taken[0].0, taken[7].0]);
    for (n, reason) in (4..7).zip(reasons) {
        let message = found(store, taken[n].0);
        assert_eq!(message.status, MessageStatus::Skipped);
        assert_eq!(message.reason.as_deref(), reason.map(SkipReason::as_str));
    }
    let expected = CampaignFigures {
        recipients: 8,
        skipped: 6,
        ..CampaignFigures::default()
    };
    assert_eq!(figures(store, id), expected);
    // For a list, flags do not matter.
    let id = begun(store, fence, list_of([5, 20]));
    let taken = take_in(store, fence, id, 10, (july(), 9)).unwrap();
    assert_eq!(skips(&taken), [None, None]);
    for (message, _) in &taken {
        let again = DeliveryReport::NotSent { retry_at: at(5) };
        record(store, *message, 1, again, 1);
    }
    consent(store, ids[5], false);
    let again = claimed(store, fence, 10, 5);
    assert_eq!(
        again.iter().map(|message| message.id).collect::<Vec<_>>(),
        [taken[1].0]
    );
    assert_eq!(found(store, taken[0].0).reason.as_deref(), Some("no_consent"));
}

/// Neither one that has not got a message yet, nor one whose message is sent again.
pub fn a_recipient_whose_consent_was_revoked_gets_no_message<S: Store>(store: &S) {
    for n in [1, 2] {
        consenting(store, n);
    }
    let fence = fence(store);
    let revoke = |n| {
        store
            .transaction(|tx| tx.revoke_consents(&phone(n), noon()))
            .unwrap()
    };
    let id = begun(store, fence, Audience::All);
    revoke(1);
    let taken = take(store, fence, id, 10);
    let no_consent = Some(SkipReason::NoConsent);
    assert_eq!(skips(&taken), [no_consent, None]);
    assert_eq!(taken[0].1.consent, None);
    let again = DeliveryReport::NotSent { retry_at: at(5) };
    record(store, taken[1].0, 1, again, 1);
    revoke(2);
    assert_eq!(claimed(store, fence, 10, 5), []);
    let reason = found(store, taken[1].0).reason;
    assert_eq!(reason.as_deref(), no_consent.map(SkipReason::as_str));
}

pub fn the_monthly_cap_holds_for_concurrent_campaigns<S: Store>(store: &S) {
    for n in 0..30 {
        consenting(store, n);
    }
    let fence = fence(store);
    let ids = [Audience::All, Audience::Raffle(RAFFLE), Audience::All]
        .map(|audience| begun(store, fence, audience));
    let taken = at_once(20, |n| {
        let mut mine = Vec::new();
        loop {
            let id = ids[n as usize % 3];
            let some = take_in(store, fence, id, 7, (july(), 2)).unwrap();
            if some.is_empty() {
                return mine;
            }
            mine.extend(some);
        }
    });
    let mut messages: BTreeMap<Phone, u32> = BTreeMap::new();
    for (_, recipient) in taken.into_iter().flatten() {
        match recipient.skip {
            None => *messages.entry(recipient.phone).or_default() += 1,
            Some(reason) => assert_eq!(reason, SkipReason::MonthlyCap),
        }
    }
    assert_eq!(messages.len(), 30);
    assert!(messages.values().all(|messages| *messages == 2), "{messages:?}");
    let over = AudienceSize {
        recipients: 30,
        over_cap: 30,
    };
    assert_eq!(size(store, &Audience::All, 2), over);
    assert_eq!(size(store, &Audience::All, 3).over_cap, 0);
    let in_month = |month, cap| {
        let id = begun(store, fence, Audience::All);
        let taken = take_in(store, fence, id, 100, (month, cap)).unwrap();
        skips(&taken).iter().flatten().count()
    };
    let august = july() + chrono::Months::new(1);
    assert_eq!(in_month(august, 0), 30);
    assert_eq!(in_month(august, 1), 0);
    assert_eq!(in_month(august, 1), 30);
    assert_eq!(in_month(july(), 2), 30);
}

pub fn messages_are_added_in_order_and_skipped_ones_have_no_body<S: Store>(store: &S) {
    let entrant = consenting(store, 1);
    opt_out(store, 2);
    let fence = fence(store);
    let id = begun(store, fence, list_of([3, 1, 2]));
    let taken = take(store, fence, id, 10);
    assert!(taken.is_sorted_by_key(|(message, _)| *message));
    let messages: Vec<_> = taken.iter().map(|(message, _)| found(store, *message)).collect();
    let link = |n| Some(link(id, &phone(n)));
    let url = link(1).unwrap().link("https://example.org");
    let expected = NewMessage {
        kind: MessageKind::Campaign,
        entrant: Some(entrant),
        phone: phone(1),
        body: Some(format!("Look: {url}").into()),
        at: noon(),
    };
    assert_eq!(
        (&messages[0].content, messages[0].status),
        (&expected, MessageStatus::Sending)
    );
    assert_eq!(
        (&messages[1].content.body, messages[1].status),
        (&None, MessageStatus::Skipped)
    );
    let listed = exported(store, id);
    let shown: Vec<_> = listed
        .iter()
        .map(|message| {
            (
                message.phone.clone(),
                message.tracking_id.clone(),
                message.reason.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (phone(1), link(1), None),
            (phone(2), None, Some("opted_out")),
            (phone(3), link(3), None)
        ]
    );
    let part = store.read(|tx| tx.export_messages(id, listed[0].id, 1)).unwrap();
    assert_eq!(part, listed[1..2]);
    let again_at = at(9);
    record(
        store,
        taken[0].0,
        1,
        DeliveryReport::NotSent { retry_at: again_at },
        1,
    );
    let claimed = claimed(store, fence, 10, 9).remove(0);
    assert_eq!((claimed.attempt, claimed.body), (2, expected.body));
}
