//! The raffles: which there are, what they say, and when they are open.

use crate::Store;
use chrono::{DateTime, TimeDelta};
use kernel::{DatabaseClock, StoreError};
use raffle::{NotOpen, RaffleKey, Raffles, Versions, fixtures};

pub fn the_first_four_raffles_are_open<S: Store>(store: &S) {
    let listed = store.read(|tx| tx.list_raffles()).unwrap();
    assert_eq!(listed, fixtures::four());
    let (held, now) = store
        .transaction::<_, StoreError>(|tx| Ok((tx.hold_raffles()?, tx.database_time()?)))
        .unwrap();
    assert_eq!(held.raffles, listed);
    assert!(
        (now - held.since).abs() < TimeDelta::seconds(60),
        "{}",
        held.since
    );
    let open = |key| held.open(key).map(|raffle| raffle.key);
    assert_eq!(open(None), Ok(fixtures::GARDEN_BAG));
    assert_eq!(open(Some(fixtures::KITCHEN_GARDEN)), Ok(fixtures::KITCHEN_GARDEN));
    assert_eq!(open(RaffleKey::new("nothing")), Err(NotOpen::Unknown));
}

pub fn the_first_four_raffles_have_a_complete_first_version<S: Store>(store: &S) {
    for raffle in fixtures::FOUR {
        let in_force = |at| store.read(|tx| tx.version_in_force(raffle, at)).unwrap();
        let version = in_force(DateTime::UNIX_EPOCH).unwrap();
        assert_eq!((version.raffle, version.number), (raffle, 1));
        assert_eq!(version.content.name, fixtures::prize(raffle));
        assert_eq!(version.content.value_in_words(), "$150+");
        assert_eq!(
            (version.content.faults(), version.content.missing()),
            (vec![], vec![])
        );
        assert_eq!(in_force(DateTime::UNIX_EPOCH - TimeDelta::seconds(1)), None);
    }
}

pub fn the_pages_of_the_first_four_raffles_differ<S: Store>(store: &S) {
    let differences = store.read(|tx| tx.page_differences()).unwrap();
    let of = |raffle: RaffleKey| differences.get(&raffle).unwrap();
    let (garden, sustainable) = (of(fixtures::GARDEN_BAG), of(fixtures::SUSTAINABLE_LIVING));
    assert_eq!(garden.share_heading.as_deref(), Some("Double Your Chances!"));
    assert_eq!((garden.masks_numbers, garden.waits_for_user), (true, false));
    assert_eq!(
        (sustainable.masks_numbers, sustainable.waits_for_user),
        (false, true)
    );
    assert_eq!(sustainable.share_heading, None);
    for raffle in fixtures::FOUR {
        let page = of(raffle).tracking_page.as_ref().unwrap();
        let value: i64 = page.prizes.iter().map(|part| part.value_in_cents).sum();
        let value = format!("${},{:03}", value / 100_000, value / 100 % 1_000);
        assert_eq!(page.total_value, value, "{raffle}");
    }
}
