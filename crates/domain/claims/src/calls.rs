use crate::{ClaimEvent, EventKind};
use chrono::NaiveDate;
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

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, Utc};

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
}
