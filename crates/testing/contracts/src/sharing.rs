//! How far entrants have come with sharing.

use crate::Store;
use crate::support::{at_once, entered, entered_through, noon, share};
use analytics::{Event, NewShare, Platform, ShareProgress, Sharing};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::{America::New_York, Tz};
use kernel::{Clock, EntrantId, EventId, StoreError};
use privacy::Erasure;
use raffle::Entrant;
use strum::IntoEnumIterator;
use usecases::sharing::{SeenProgress, progress, record};

struct At(DateTime<Utc>);

impl Clock for At {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

fn shared(entrant: &Entrant, platform: Platform, event: &str, at: DateTime<Utc>) -> NewShare {
    let id = EventId::parse(event).unwrap();
    match share(Some(entrant), platform, Some(id)) {
        Event::Share(share) => NewShare { at, ..share },
        event => panic!("{event:?}"),
    }
}

fn seen<S: Store>(store: &S, entrant: EntrantId, at: DateTime<Utc>) -> SeenProgress {
    progress(store, &At(at), Tz::UTC, entrant).unwrap()
}

pub fn shares_read_back_and_go_on<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let other = entered(store, 2);
    assert_eq!(seen(store, entrant.id, noon()).progress, ShareProgress::default());
    let tomorrow = noon() + TimeDelta::days(1);
    for (platform, event, at) in [
        (Platform::Sms, "one", noon()),
        (Platform::Sms, "two", noon()),
        (Platform::Email, "three", tomorrow),
        (Platform::System, "four", tomorrow),
        (Platform::Copy, "five", tomorrow),
    ] {
        assert!(record(store, Tz::UTC, entrant.id, &shared(&entrant, platform, event, at)).unwrap());
    }
    let expected = ShareProgress {
        shared_on: Platform::iter()
            .map(|platform| match platform {
                Platform::Sms => (platform, noon().date_naive()),
                _ => (platform, tomorrow.date_naive()),
            })
            .collect(),
        total: 5,
        streak: 2,
        longest_streak: 2,
        xp: 40,
        last_event: Some(EventId::parse("five").unwrap()),
    };
    let found = seen(store, entrant.id, tomorrow);
    assert_eq!((found.progress, found.streak), (expected, 2));
    assert_eq!(seen(store, entrant.id, tomorrow + TimeDelta::days(2)).streak, 0);
    assert_eq!(seen(store, other.id, noon()).progress, ShareProgress::default());
}

pub fn a_share_that_is_sent_twice_counts_once<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let share = shared(&entrant, Platform::Email, "one", noon());
    let counted = at_once(4, |_| record(store, Tz::UTC, entrant.id, &share).unwrap());
    assert_eq!(counted.iter().filter(|counts| **counts).count(), 1);
    assert_eq!(seen(store, entrant.id, noon()).progress.total, 1);
}

pub fn shares_at_once_all_count<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    at_once(8, |n| {
        let share = shared(&entrant, Platform::Email, &format!("share-{n}"), noon());
        record(store, Tz::UTC, entrant.id, &share).unwrap()
    });
    let found = seen(store, entrant.id, noon()).progress;
    assert_eq!((found.total, found.xp, found.streak), (8, 10, 1));
}

pub fn a_day_of_sharing_is_one_of_the_site<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    // 23:00 and 00:30 in New York, on one date in UTC
    let late = noon() + TimeDelta::hours(15);
    for (event, at) in [("one", late), ("two", late + TimeDelta::minutes(90))] {
        record(
            store,
            New_York,
            entrant.id,
            &shared(&entrant, Platform::Email, event, at),
        )
        .unwrap();
    }
    assert_eq!(seen(store, entrant.id, noon()).progress.xp, 20);
}

pub fn friends_who_entered_are_counted_with_the_progress<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    for n in 2..=6 {
        entered_through(store, n, &entrant.referral_code);
    }
    let found = seen(store, entrant.id, noon());
    assert_eq!(found.friends, 5);
    assert_eq!(found.progress.achievements(found.friends).len(), 1);
}

pub fn an_erased_entrant_has_no_progress<S: Store>(store: &S) {
    let entrant = entered(store, 1);
    let share = shared(&entrant, Platform::Email, "one", noon());
    record(store, Tz::UTC, entrant.id, &share).unwrap();
    store
        .transaction::<_, StoreError>(|tx| tx.erase_person(entrant.id, noon()))
        .unwrap();
    let found = store.read::<_, StoreError>(|tx| tx.find_share_progress(entrant.id));
    assert_eq!(found.unwrap(), None);
    assert!(
        !record(store, Tz::UTC, entrant.id, &share).unwrap(),
        "nothing is stored again"
    );
    assert!(!record(store, Tz::UTC, EntrantId::new(77), &share).unwrap());
}
