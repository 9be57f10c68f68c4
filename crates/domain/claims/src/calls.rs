use crate::{ClaimEvent, EventKind};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use std::collections::BTreeSet;

/// On how many days staff must have called a winner in vain before the winner counts as unreachable.
const DAYS: usize = 3;

/// Whether staff called on enough days, in the site's time zone, to give up.
pub fn may_be_unreachable(events: &[ClaimEvent], zone: Tz) -> bool {
    let calls = events.iter().filter(|event| event.kind == EventKind::Called);
    let days: BTreeSet<NaiveDate> = calls
        .map(|event| event.at.with_timezone(&zone).date_naive())
        .collect();
    days.len() >= DAYS
}

/// How often staff text the link again on one day.
const RESENDS: usize = 5;

/// Whether the link may be texted again now.
pub fn may_resend(events: &[ClaimEvent], now: DateTime<Utc>) -> bool {
    let is_counted =
        |event: &&ClaimEvent| event.kind == EventKind::Resent && now < event.at + TimeDelta::days(1);
    events.iter().filter(is_counted).count() < RESENDS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, at: &str) -> ClaimEvent {
        ClaimEvent {
            kind,
            note: None,
            session: Some(1),
            at: at.parse::<DateTime<Utc>>().unwrap(),
        }
    }

    #[test]
    fn three_calls_on_three_days_of_the_site_are_enough() {
        let zone = chrono_tz::America::New_York;
        let mut calls = vec![
            event(EventKind::Called, "2026-12-01T15:00:00Z"),
            event(EventKind::Called, "2026-12-01T16:00:00Z"),
            event(EventKind::Called, "2026-12-02T15:00:00Z"),
            // Still December 2 in New York.
            event(EventKind::Called, "2026-12-03T04:59:00Z"),
            event(EventKind::Resent, "2026-12-05T15:00:00Z"),
        ];
        assert!(!may_be_unreachable(&calls, zone));
        calls.push(event(EventKind::Called, "2026-12-03T05:00:00Z"));
        assert!(may_be_unreachable(&calls, zone));
    }

    #[test]
    fn the_link_is_texted_again_five_times_a_day() {
        let at = |time: &str| time.parse::<DateTime<Utc>>().unwrap();
        let hours = ["10", "11", "12", "13", "14"];
        let events: Vec<_> = hours
            .iter()
            .map(|hour| event(EventKind::Resent, &format!("2026-12-01T{hour}:00:00Z")))
            .collect();
        assert!(may_resend(&events[1..], at("2026-12-01T15:00:00Z")));
        assert!(!may_resend(&events, at("2026-12-02T09:59:59Z")));
        assert!(may_resend(&events, at("2026-12-02T10:00:00Z")));
    }
}
