//! What time brings: the deadline, reminders, the next rank, the erasure of details.

use super::fixture::{RAFFLE, Site, drawn_at, reject};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use claims::ClaimStatus::{Declined, Delivered, Expired, Pending, Rejected, Submitted};
use claims::{Claims, EventKind};
use fakes::FixedClock;
use kernel::UnitOfWork;
use sms::{DailyBudget, MessageKind, ProviderStatus, RecipientHours, SmsCountries};
use usecases::campaigns::SmsRules;
use usecases::claims::review::Step;
use usecases::send_messages::steps::{acquire_lease, claim_next_messages};

const fn days(n: i64) -> TimeDelta {
    TimeDelta::days(n)
}

const fn hours(n: i64) -> TimeDelta {
    TimeDelta::hours(n)
}

/// The texts about claims that the sender would send at this time.
fn sent_at(site: &Site, time: DateTime<Utc>) -> usize {
    site.set(time);
    let rules = SmsRules {
        public_origin: "https://example.org".to_owned(),
        site_name: "Tombola".to_owned(),
        time_zone: Tz::America__New_York,
        hours: Some(RecipientHours::new(None, Tz::America__New_York).unwrap()),
        monthly_cap: 1,
        daily_budget: DailyBudget::new(1_000),
        countries: SmsCountries::default(),
    };
    let clock = FixedClock::at(time);
    let fence = acquire_lease(&site.store, &clock, "sender").unwrap().unwrap();
    let ready = claim_next_messages(&site.store, &clock, &rules, &site.sealer, fence, 10).unwrap();
    ready
        .iter()
        .filter(|text| text.kind == MessageKind::Victory)
        .count()
}

#[test]
fn a_winner_has_fourteen_days_from_the_first_text_that_arrived_and_two_reminders() {
    let site = Site::drawn();
    let text = site.texts(0, MessageKind::Victory).pop().unwrap();
    let body = site.body(&text);
    assert!(
        body.contains("you may have won") && body.contains(raffle::fixtures::prize(RAFFLE)),
        "{body}"
    );
    assert_eq!(sent_at(&site, drawn_at()), 0, "it is ten in the evening there");
    site.look_after(hours(11));
    assert_eq!((site.claim(0).deadline, site.claim(0).needs_call), (None, false));
    assert_eq!(
        sent_at(&site, drawn_at() + hours(12)),
        1,
        "it is ten in the morning"
    );
    site.report(0, ProviderStatus::Delivered);

    let mut reminded = Vec::new();
    let (mut hour, mut reminders) = (12, 0);
    while site.claims().len() == 1 {
        site.look_after(hours(hour));
        if site.claim(0).reminders > reminders {
            reminders = site.claim(0).reminders;
            reminded.push(hour);
        }
        hour += 1;
    }
    assert_eq!(reminded, [12 + 7 * 24, 12 + 12 * 24]);
    assert_eq!(
        hour - 1,
        12 + 14 * 24,
        "the next rank is asked in the hour in which the time ends"
    );
    let expired = site.claim(0);
    assert_eq!((expired.status, expired.notifications), (Expired, 3));
    let kinds: Vec<_> = site.events(0).iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [
            EventKind::Reminded,
            EventKind::Reminded,
            EventKind::Expired,
            EventKind::PassedOn
        ]
    );
    let reminder = site.body(&site.texts(0, MessageKind::Victory)[1]);
    assert!(reminder.contains("until December 15"), "{reminder}");
    assert_eq!((site.claim(1).status, site.claim(1).deadline), (Pending, None));
}

#[test]
fn after_a_server_was_away_one_reminder_is_sent_and_nobody_loses_time() {
    let site = Site::drawn();
    site.report(0, ProviderStatus::Delivered);
    site.look_after(hours(1));
    site.look_after(days(13));
    site.look_after(days(13) + hours(1));
    assert_eq!(
        site.texts(0, MessageKind::Victory).len(),
        2,
        "the first text and one reminder"
    );
    site.look_after(days(100));
    assert_eq!(site.claim(0).status, Expired);
    // Nobody has heard of the next claim yet, so its time does not run, however late it is.
    site.look_after(days(200));
    assert_eq!((site.claims().len(), site.claim(1).status), (2, Pending));
    site.report(1, ProviderStatus::Delivered);
    site.look_after(days(200));
    assert_eq!(site.claim(1).expires_at(), Some(drawn_at() + days(214)));
}

#[test]
fn a_reminder_waits_for_the_morning_of_its_recipient() {
    let site = Site::drawn();
    site.report(0, ProviderStatus::Delivered);
    site.look_after(hours(1));
    site.look_after(days(7) + hours(1));
    assert_eq!(site.texts(0, MessageKind::Victory).len(), 2);
    assert_eq!(sent_at(&site, drawn_at() + days(7) + hours(1)), 0);
    assert_eq!(sent_at(&site, drawn_at() + days(7) + hours(12)), 1);
}

#[test]
fn a_look_that_finds_nothing_due_changes_nothing() {
    let site = Site::drawn();
    site.report(0, ProviderStatus::Delivered);
    site.look_after(hours(1));
    let before = (site.claims(), site.events(0));
    for hour in 1..48 {
        site.look_after(hours(hour));
    }
    assert_eq!((site.claims(), site.events(0)), before);
}

#[test]
fn submitted_details_do_not_expire() {
    let site = Site::drawn();
    site.prove(0);
    site.submit(0).unwrap();
    site.look_after(days(100));
    assert_eq!(site.statuses(), [Submitted]);
}

#[test]
fn seven_days_after_a_rejection_the_next_rank_is_asked() {
    let site = Site::drawn();
    site.prove(0);
    site.submit(0).unwrap();
    site.take(0, &reject()).unwrap();
    site.object(0).unwrap();
    site.look_after(days(7) - TimeDelta::seconds(1));
    assert_eq!(site.statuses(), [Rejected]);
    site.look_after(days(7));
    assert_eq!(site.statuses(), [Rejected, Pending]);
}

#[test]
fn when_all_ranks_have_failed_the_prize_is_unclaimed() {
    let site = Site::drawn();
    for rank in 0..3 {
        site.prove(rank);
        site.decline(rank).unwrap();
    }
    site.look_after(days(1));
    assert_eq!(site.statuses(), [Declined; 3]);
    let drawing = usecases::drawings::find(&site.store, drawing::DrawingId::new(1)).unwrap();
    let records = usecases::claims::public_records(&site.store, &[drawing]).unwrap();
    assert!(
        records
            .values()
            .all(|record| record.is_unclaimed && record.claims.len() == 3)
    );
}

#[test]
fn details_are_erased_ninety_days_after_the_delivery() {
    let site = Site::drawn();
    site.prove(0);
    site.submit(0).unwrap();
    site.take(0, &Step::Approve).unwrap();
    site.take(0, &Step::Deliver).unwrap();
    site.look_after(days(90) - TimeDelta::seconds(1));
    assert!(site.claim(0).sealed_details.is_some());
    site.look_after(days(90));
    let erased = site.claim(0);
    assert_eq!(
        (erased.status, erased.sealed_details, erased.browser),
        (Delivered, None, None)
    );
    assert_eq!(erased.details_erased_at, Some(drawn_at() + days(90)));
    assert_eq!(site.events(0).last().unwrap().kind, EventKind::DetailsErased);
    let live = site.store.read(|tx| tx.list_live_claims()).unwrap();
    assert_eq!(live, [], "nothing is left to do");
}

#[test]
fn links_stay_valid_after_the_key_has_changed() {
    let mut site = Site::drawn();
    let before = site.body(&site.texts(0, MessageKind::Victory)[0]);
    let link = before
        .split(' ')
        .find(|word| word.starts_with("https://"))
        .unwrap()
        .to_owned();
    site.change_key();
    site.take(0, &Step::Resend).unwrap();
    assert!(site.body(&site.texts(0, MessageKind::Victory)[1]).contains(&link));
    assert_eq!(site.show(0).claim.rank, 0);
}
