//! What came of a campaign.

use super::{added_at, added_to, begun, click, consenting, flag, link, list_of, take, template};
use crate::Store;
use crate::messages::{at, fence, new_template, provider_message, record};
use crate::purchases::{begun as begun_purchase, refund};
use crate::support::{noon, phone};
use analytics::{Collection, Event, NewShare, Platform};
use kernel::{EntrantId, Origin, Phone};
use pricing::Purchases;
use raffle::fixtures::KITCHEN_GARDEN;
use referral::{NewReferral, Referrals};
use sms::{
    Audience, CampaignId, CampaignOutcomes, CampaignResults, ClicksInHour, DeliveryReport, ProviderStatus,
    SentTexts, Templates,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

const WEEK: i64 = 7 * 86_400;

#[derive(Clone, Copy)]
enum Act {
    Share,
    Refer,
    Buy,
}

fn do_at<S: Store>(store: &S, who: EntrantId, act: Act, second: i64) {
    match act {
        Act::Share => {
            let share = Event::Share(NewShare {
                session: None,
                origin: Origin::default(),
                entrant: Some(who),
                platform: Platform::Sms,
                referral_code: None,
                event_id: None,
                at: at(second),
            });
            store
                .transaction(|tx| tx.collect(std::slice::from_ref(&share)))
                .unwrap();
        }
        Act::Refer => drop(refer(store, who, second)),
        Act::Buy => {
            let id = begun_purchase(store, who, 20);
            store
                .transaction(|tx| tx.complete_purchase(id, at(second)))
                .unwrap();
        }
    }
}

/// A friend, who entered through the entrant's link.
fn refer<S: Store>(store: &S, who: EntrantId, second: i64) -> EntrantId {
    static NEXT: AtomicU32 = AtomicU32::new(1_000);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let friend = added_to(store, n, super::RAFFLE);
    let new = NewReferral {
        referrer: who,
        referred: friend,
        referred_phone: phone(n),
        address: None,
        created_at: at(second),
    };
    assert!(store.transaction(|tx| tx.credit_referral(&new)).unwrap());
    friend
}

fn outcomes<S: Store>(store: &S, id: CampaignId) -> CampaignOutcomes {
    store.snapshot(|tx| tx.count_outcomes(id)).unwrap()
}

/// Each recipient counts once, for what they did from their own text on.
pub fn outcomes_equal_a_count_by_hand<S: Store>(store: &S) {
    let people: Vec<_> = (0..8).map(|n| consenting(store, n)).collect();
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..10));
    // The text to `n` is sent in second `100 * n`; the one to 7 is refused, and 8 and 9 are no entrants.
    let sent_at = |n: usize| 100 * i64::try_from(n).unwrap();
    for (n, (message, _)) in take(store, fence, id, 10).into_iter().enumerate() {
        let report = match n {
            7 => DeliveryReport::Refused(crate::messages::refusal()),
            _ => DeliveryReport::AtProvider(provider_message(n as u32, ProviderStatus::Accepted)),
        };
        record(store, message, 1, report, sent_at(n));
    }
    let acts = [
        (0, Act::Share, 0),
        (0, Act::Share, 50),
        (0, Act::Buy, WEEK - 1),
        (1, Act::Share, -1),
        (1, Act::Refer, WEEK - 1),
        (1, Act::Refer, WEEK),
        (2, Act::Refer, 5),
        (2, Act::Refer, 6),
        (2, Act::Buy, 7),
        (2, Act::Buy, 8),
        (3, Act::Share, WEEK),
        (3, Act::Refer, WEEK),
        (3, Act::Buy, WEEK),
        (4, Act::Share, 1),
        (4, Act::Refer, -1),
        (4, Act::Buy, -1),
        (5, Act::Buy, 0),
        (7, Act::Share, 1),
        (7, Act::Refer, 1),
        (7, Act::Buy, 1),
    ];
    let mut by_hand = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for (n, act, after) in acts {
        do_at(store, people[n], act, sent_at(n) + after);
        if n != 7 && (0..WEEK).contains(&after) {
            by_hand[act as usize].insert(n);
        }
    }
    let [shared, referred, bought] = by_hand.map(|people| i64::try_from(people.len()).unwrap());
    assert_eq!((shared, referred, bought), (2, 2, 3));
    let expected = CampaignOutcomes {
        shared,
        referred,
        bought,
    };
    assert_eq!(outcomes(store, id), expected);
    // A friend who is flagged and a purchase that is refunded do not count.
    let flagged = refer(store, people[6], sent_at(6));
    assert_eq!(outcomes(store, id).referred, 3);
    flag(store, flagged);
    let refunded = begun_purchase(store, people[6], 20);
    store
        .transaction(|tx| tx.complete_purchase(refunded, at(sent_at(6))))
        .unwrap();
    assert_eq!(outcomes(store, id).bought, 4);
    assert!(refund(store, refunded));
    assert_eq!(outcomes(store, id), expected);
    let other = begun(store, fence, Audience::All);
    for without in [other, CampaignId::new(i64::MAX)] {
        assert_eq!(outcomes(store, without), CampaignOutcomes::default());
    }
}

pub fn texts_of_a_campaign_are_counted_by_their_length<S: Store>(store: &S) {
    let fence = fence(store);
    let longer = Phone::from_e164("+12125551234").unwrap();
    added_at(store, 4, longer, KITCHEN_GARDEN);
    let id = begun(store, fence, list_of(1..5));
    let texts = || {
        let mut texts = store.snapshot(|tx| tx.list_sent_texts(id)).unwrap();
        texts.sort_by_key(|texts| texts.count);
        texts
    };
    assert_eq!(texts(), []);
    let messages = take(store, fence, id, 4);
    for (n, (message, _)) in messages.iter().enumerate().skip(1) {
        let report = DeliveryReport::AtProvider(provider_message(n as u32, ProviderStatus::Accepted));
        record(store, *message, 1, report, 1);
    }
    let body = format!("Look: {}", link(id, &phone(2)).link("https://example.org"));
    let expected = SentTexts {
        body: Some(body),
        count: 3,
    };
    assert_eq!(texts(), [expected]);
}

/// Hours are counted from the campaign's start.
pub fn clicks_are_counted_by_the_hour<S: Store>(store: &S) {
    let fence = fence(store);
    let id = begun(store, fence, list_of(0..6));
    take(store, fence, id, 6);
    let other = begun(store, fence, list_of([7]));
    take(store, fence, other, 1);
    let open = |n: u32, second| {
        assert!(click(store, &link(id, &phone(n)), false, second).is_some());
    };
    open(0, 0);
    open(1, 3_599);
    open(2, 3_600);
    open(2, 9_999); // the same link
    open(3, WEEK - 1);
    open(4, WEEK);
    click(store, &link(other, &phone(7)), true, 5).unwrap();
    let clicks = |id| store.snapshot(|tx| tx.list_clicks_by_hour(id)).unwrap();
    let hour = |hour, clicked| ClicksInHour { hour, clicked };
    assert_eq!(clicks(id), [hour(0, 2), hour(1, 1), hour(167, 1)]);
    assert_eq!(clicks(other), [hour(0, 1)]);
    assert_eq!(clicks(CampaignId::new(i64::MAX)), []);
}

/// Until it starts, a campaign has the present message of its template.
pub fn the_message_of_a_campaign_stays_from_its_start<S: Store>(store: &S) {
    let message = |id| {
        let found = store.snapshot(|tx| tx.message_of(id)).unwrap();
        found.map(|(message, raffle)| (message.text().to_owned(), raffle))
    };
    let change = |id, text: &str| {
        let changed = new_template("Changed", text);
        store
            .transaction(|tx| tx.change_template(id, &changed, noon()))
            .unwrap()
    };
    let template = template(store);
    let id = super::add(store, &super::new_campaign(template, Audience::All));
    assert!(change(template, "One: [there]"));
    assert_eq!(message(id), Some(("One: [there]".to_owned(), KITCHEN_GARDEN)));
    super::begin(store, fence(store), 1);
    assert!(change(template, "Two: [there]"));
    assert_eq!(message(id), Some(("One: [there]".to_owned(), KITCHEN_GARDEN)));
    assert_eq!(message(CampaignId::new(i64::MAX)), None);
}
