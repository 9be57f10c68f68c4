//! The versions of the official rules: what counts when, and what the announcement of a drawing says.

use crate::Store;
use crate::drawing_flow::kit::{Kit, drawn, request};
use crate::support::{at_once, entered, noon};
use chrono_tz::Tz;
use drawing::rules::{OfficialRules, Rules};
use drawing::{Announcement, DrawingLog, Period};
use kernel::{DatabaseClock, StoreError};
use usecases::drawings::DrawingTimes;
use usecases::drawings::PerformError;
use usecases::drawings::calendar::period_at;
use usecases::rules::{FindRulesError, current, of_period, publish, version};

fn published<S: Store>(store: &S, text: &str) -> Rules {
    publish(store, Tz::UTC, text).unwrap()
}

fn this_month<S: Store>(store: &S) -> Period {
    period_at(store.read(|tx| tx.database_time()).unwrap(), Tz::UTC).unwrap()
}

fn is_unknown<T: std::fmt::Debug>(found: Result<T, FindRulesError>) -> bool {
    matches!(found.unwrap_err(), FindRulesError::UnknownRules)
}

pub fn the_first_rules_count_at_once_and_later_ones_from_the_next_month<S: Store>(store: &S) {
    assert!(is_unknown(current(store, DrawingTimes::DEFAULT)));
    let month = this_month(store);
    let next = month.next().unwrap();
    let (first, second) = (published(store, "one"), published(store, "two"));
    let third = published(store, "three");
    assert_eq!(
        [&first, &second, &third].map(|rules| rules.head.from),
        [month, next, next]
    );
    let now = current(store, DrawingTimes::DEFAULT).unwrap();
    assert_eq!(now.rules, first);
    assert_eq!(now.versions, [third.head, second.head, first.head]);
    assert_eq!(of_period(store, month).unwrap(), first);
    assert_eq!(of_period(store, next).unwrap(), third);
    assert_eq!(of_period(store, next.next().unwrap()).unwrap(), third);
    let before = Period::new(2020, 1).unwrap();
    assert!(is_unknown(of_period(store, before)));
    let stamps = [before, month, next].map(|period| store.read(|tx| tx.rules_stamp_of(period)).unwrap());
    assert_eq!(stamps, [None, Some(first.head.stamp), Some(third.head.stamp)]);
}

pub fn the_same_text_makes_no_new_version<S: Store>(store: &S) {
    let first = published(store, "one");
    assert_eq!(published(store, "one"), first);
    let second = published(store, "two");
    assert_eq!(published(store, "two"), second);
    // A text that comes back is a version of its own: the one before it would count otherwise.
    assert_eq!(published(store, "one").head.stamp.version, 3);
    assert_eq!(current(store, DrawingTimes::DEFAULT).unwrap().versions.len(), 3);
}

pub fn rules_read_back_byte_for_byte<S: Store>(store: &S) {
    let text = "# Rules\r\n\n\tnaïve “quotes” — 🎟 \\ ' \" %\n\n";
    let stored = published(store, text);
    let read = version(store, 1).unwrap();
    assert_eq!(read, stored);
    assert_eq!(read.text, text);
    let expected = Rules::after(None, text, stored.head.from, noon()).unwrap();
    assert_eq!(read.head.stamp, expected.head.stamp);
    assert!(is_unknown(version(store, 2)));
    assert!(is_unknown(version(store, u32::MAX)));
}

pub fn a_version_is_stored_once<S: Store>(store: &S) {
    let month = this_month(store);
    let first = Rules::after(None, "one", month, noon()).unwrap();
    let other = Rules::after(None, "other", month, noon()).unwrap();
    let add = |rules: &Rules| store.transaction(|tx| tx.add_rules(rules)).unwrap();
    assert_eq!((add(&first), add(&other)), (true, false));
    assert_eq!(store.read(|tx| tx.newest_rules()).unwrap(), Some(first));
}

pub fn two_servers_that_start_at_once_store_one_version<S: Store>(store: &S) {
    let versions = at_once(4, |_| published(store, "one"));
    assert!(versions.iter().all(|rules| *rules == versions[0]), "{versions:?}");
    // Servers with other settings all get their text in, one after the other.
    let mut numbers = at_once(4, |n| published(store, &format!("text {n}")).head.stamp.version);
    numbers.sort_unstable();
    assert_eq!(numbers, [2, 3, 4, 5]);
}

pub fn an_announcement_has_the_rules_of_its_month<S: Store>(store: &S) {
    let first = published(store, "one");
    published(store, "two");
    entered(store, 1);
    let drawing = drawn(store, &Kit::new(1));
    let details = &drawing.announcement.entry.entry.details;
    let announcement = Announcement::from_details(details).unwrap();
    assert_eq!(announcement.rules, first.head.stamp);
    assert_eq!(announcement.details(), *details);
}

pub fn nothing_is_announced_without_rules<S: Store>(store: &S) {
    entered(store, 1);
    let refused = usecases::drawings::perform(store, Kit::new(1).tools(), &request(None));
    assert!(
        matches!(refused, Err(PerformError::Store(StoreError::Failed(_)))),
        "{refused:?}"
    );
    assert_eq!(store.read(|tx| tx.last_log_entry()).unwrap(), None);
}
