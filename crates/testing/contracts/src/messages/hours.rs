//! The hours of recipients: who must wait, until when, and that nobody else waits for them.

use super::{at, claim, claim_by, fence, found, new_message, queued, status};
use crate::Store;
use crate::support::noon;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, Phone};
use sms::{
    Campaign, CampaignDispatching, CampaignId, CampaignStatus, Campaigns, Fence, HoursNow, MessageId,
    MessageKind, MessageStatus, NewCampaignMessage, NewMessage, OptOuts, Outbox, PutOff, Recipient,
    RecipientHours, TrackingId,
};

/// It is 8:00 in New York at [`noon`], a Friday, and 5:00 in Los Angeles, where texts are sent from 9:00 on.
const NEW_YORK: &str = "+12125550001";
const LOS_ANGELES: &str = "+12135550002";
/// 16:00 UTC.
const MORNING_IN_LOS_ANGELES: i64 = 4 * 3_600;
/// 21:00 in New York, where the night begins.
const NIGHT: i64 = 13 * 3_600;

fn phone(number: &str) -> Phone {
    Phone::from_e164(number).unwrap()
}

fn message(kind: MessageKind, number: &str, second: i64) -> NewMessage {
    NewMessage {
        phone: phone(number),
        ..new_message(kind, 1, second)
    }
}

fn claimed_with_hours<S: Store>(store: &S, fence: Fence, limit: u32, second: i64) -> Vec<MessageId> {
    let hours = RecipientHours::new(None, Tz::UTC).unwrap();
    let now = HoursNow::new(&hours, at(second));
    let messages = claim_by(store, &claim(fence, limit, second), Some(&now)).unwrap();
    messages.into_iter().map(|message| message.id).collect()
}

fn due_at<S: Store>(store: &S, id: MessageId) -> (MessageStatus, DateTime<Utc>) {
    let message = found(store, id);
    (message.status, message.due_at)
}

pub fn at_night_only_codes_and_test_messages_are_claimed<S: Store>(store: &S) {
    let code = super::codes::code(store, 1, NIGHT);
    let kinds = [MessageKind::Test, MessageKind::Welcome, MessageKind::Victory];
    let [test, welcome, victory] = kinds.map(|kind| queued(store, &message(kind, NEW_YORK, NIGHT)));
    let fence = fence(store);
    assert_eq!(claimed_with_hours(store, fence, 10, NIGHT), [code, test]);
    let morning = NIGHT + 11 * 3_600;
    for id in [welcome, victory] {
        assert_eq!(due_at(store, id), (MessageStatus::Pending, at(morning)));
    }
    assert_eq!(claimed_with_hours(store, fence, 10, morning - 1), []);
    assert_eq!(claimed_with_hours(store, fence, 10, morning), [welcome, victory]);
}

pub fn a_message_waits_for_the_hours_of_its_recipient<S: Store>(store: &S) {
    let east = queued(store, &message(MessageKind::Victory, NEW_YORK, 0));
    let west = queued(store, &message(MessageKind::Victory, LOS_ANGELES, 0));
    let fence = fence(store);
    assert_eq!(claimed_with_hours(store, fence, 10, 1), [east]);
    assert_eq!(
        due_at(store, west),
        (MessageStatus::Pending, at(MORNING_IN_LOS_ANGELES))
    );
    assert_eq!(
        claimed_with_hours(store, fence, 10, MORNING_IN_LOS_ANGELES),
        [west]
    );
    assert_eq!(status(store, west), MessageStatus::Sending);
}

pub fn recipients_who_must_wait_are_in_nobodys_way<S: Store>(store: &S) {
    let first: Vec<_> = (0..6)
        .map(|_| queued(store, &message(MessageKind::Victory, LOS_ANGELES, 0)))
        .collect();
    let last = queued(store, &message(MessageKind::Victory, NEW_YORK, 1));
    let fence = fence(store);
    // Each claim looks at two messages. Those that wait are looked at once.
    let claims: Vec<_> = (0..4).map(|_| claimed_with_hours(store, fence, 2, 2)).collect();
    assert_eq!(claims, [vec![], vec![], vec![], vec![last]]);
    assert!(
        first
            .iter()
            .all(|id| status(store, *id) == MessageStatus::Pending)
    );
    let put_off = |second| store.read(|tx| tx.count_put_off(at(second))).unwrap();
    let expected = PutOff {
        messages: 6,
        next_at: Some(at(MORNING_IN_LOS_ANGELES)),
    };
    assert_eq!(put_off(2), expected);
    assert_eq!(put_off(MORNING_IN_LOS_ANGELES), PutOff::default());
}

pub fn a_welcome_message_is_not_too_late_for_hours_in_which_it_had_to_wait<S: Store>(store: &S) {
    const HOUR: i64 = 3_600;
    // 22:00 in New York. It could be sent from 8:00 to 21:00 of each day: a day of sending ends after 46 hours.
    let queued_at = NIGHT + HOUR;
    let in_time = queued(store, &message(MessageKind::Welcome, NEW_YORK, queued_at));
    let fence = fence(store);
    assert_eq!(
        claimed_with_hours(store, fence, 10, queued_at + 44 * HOUR),
        [in_time]
    );
    let late = queued(store, &message(MessageKind::Welcome, NEW_YORK, queued_at));
    assert_eq!(claimed_with_hours(store, fence, 10, queued_at + 46 * HOUR), []);
    let skipped = found(store, late);
    assert_eq!(
        (skipped.status, skipped.reason.as_deref()),
        (MessageStatus::Skipped, Some("too_late"))
    );
}

pub fn a_message_that_waits_is_skipped_when_its_recipient_opts_out<S: Store>(store: &S) {
    let id = queued(store, &message(MessageKind::Victory, LOS_ANGELES, 0));
    let fence = fence(store);
    assert_eq!(claimed_with_hours(store, fence, 10, 1), []);
    store
        .transaction(|tx| tx.opt_out(&phone(LOS_ANGELES), at(2)))
        .unwrap();
    assert_eq!(claimed_with_hours(store, fence, 10, MORNING_IN_LOS_ANGELES), []);
    assert_eq!(found(store, id).reason.as_deref(), Some("opted_out"));
}

/// Takes the only recipient of a campaign, whose message waits until then.
fn taken_to_wait<S: Store>(
    store: &S,
    fence: Fence,
    campaign: CampaignId,
    number: &str,
    until: i64,
) -> MessageId {
    let message = NewCampaignMessage {
        recipient: Recipient {
            phone: phone(number),
            entrant: None::<EntrantId>,
            raffle: None,
            consent: None,
            skip: None,
        },
        tracking_id: TrackingId::parse("fresh-wait-0001").unwrap(),
        tracking_url: "https://example.org/planter/fresh-wait-0001".to_owned(),
        body: "Look".to_owned(),
        wait_until: Some(at(until)),
    };
    let take = |tx: &mut S::Tx| {
        let month = noon().date_naive();
        let countries = sms::SmsCountries::default();
        let rules = sms::CampaignRules {
            month,
            monthly_cap: 1,
            countries: &countries,
        };
        let taken = tx.take_recipients(fence, campaign, 10, &rules)?.unwrap();
        assert_eq!(taken.len(), 1);
        tx.add_campaign_messages(fence, campaign, std::slice::from_ref(&message), at(0))
    };
    store
        .transaction::<_, kernel::StoreError>(take)
        .unwrap()
        .remove(0)
}

pub fn the_parts_of_a_campaign_that_wait_come_last<S: Store>(store: &S) {
    let fence = fence(store);
    let campaign = crate::campaigns::sending_to(store, fence, phone(LOS_ANGELES));
    let waiting = taken_to_wait(store, fence, campaign, LOS_ANGELES, MORNING_IN_LOS_ANGELES);
    assert_eq!(
        due_at(store, waiting),
        (MessageStatus::Pending, at(MORNING_IN_LOS_ANGELES))
    );
    let later = MORNING_IN_LOS_ANGELES + 60;
    let test = queued(store, &message(MessageKind::Test, NEW_YORK, later));
    assert_eq!(claimed_with_hours(store, fence, 1, later), [test]);
    assert_eq!(claimed_with_hours(store, fence, 1, later), [waiting]);
}

pub fn a_campaign_ends_when_nothing_of_it_waits<S: Store>(store: &S) {
    let fence = fence(store);
    let campaign = crate::campaigns::sending_to(store, fence, phone(LOS_ANGELES));
    let waiting = taken_to_wait(store, fence, campaign, LOS_ANGELES, MORNING_IN_LOS_ANGELES);
    let read = |id| store.read(|tx| tx.find_campaign(id)).unwrap().unwrap();
    let ended = |second| store.transaction(|tx| tx.finish_campaigns(at(second))).unwrap();
    assert_eq!(ended(1), []);
    let Campaign { status, figures, .. } = read(campaign);
    assert_eq!((status, figures.sent), (CampaignStatus::Sending, 0));
    assert_eq!(
        claimed_with_hours(store, fence, 1, MORNING_IN_LOS_ANGELES),
        [waiting]
    );
    let report = super::provider_message(1, sms::ProviderStatus::Accepted);
    super::record_report(store, waiting, &report, MORNING_IN_LOS_ANGELES);
    assert_eq!(ended(MORNING_IN_LOS_ANGELES + 1), [campaign]);
    assert_eq!(read(campaign).figures.sent, 1);
}
