//! The raffles: which there are, what they say, and when they are open.

use crate::Store;
use crate::drawing_flow::kit::{Kit, RAFFLE, add_rules, many_entrants, month_of, now, request, whole_log};
use crate::purchase_flow::on_sale;
use crate::support::{Noon, SeededEntropy, at_once, enter, entered, noon, phone, staff_actor};
use chrono::{DateTime, TimeDelta};
use chrono_tz::Tz;
use drawing::steps::OpeningDetails;
use drawing::{DrawingKind, LogAction};
use kernel::{DatabaseClock, EventId, StoreError};
use pricing::{CapRules, EntryCap};
use raffle::{
    EntryLedger, NotOpen, Opening, OpeningChange, Openings, Raffle, RaffleKey, RaffleStatus, Raffles,
    Versions, fixtures,
};
use staff::{Action, AuditFilter, AuditLog, SecondPerson};
use usecases::drawings::{Performed, Schedule};
use usecases::entering::EnterError;
use usecases::free_entries::FreeEntriesError;
use usecases::purchases::{PurchaseCommand, PurchaseError};
use usecases::raffles::{ChangeOpening, OpeningError, When};

fn cap() -> CapRules {
    CapRules {
        cap: EntryCap::new(1_000).unwrap(),
        zone: Tz::UTC,
    }
}

fn asked(when: When) -> ChangeOpening {
    ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: RAFFLE,
        when,
        reason: (when == When::Now).then(|| "The prize is gone".to_owned()),
    }
}

fn close<S: Store>(store: &S, when: When) -> (Raffle, OpeningChange) {
    let closed = usecases::raffles::close(store, Tz::UTC, &asked(when)).unwrap();
    (closed.raffle, closed.change)
}

fn open<S: Store>(store: &S, when: When) -> OpeningChange {
    usecases::raffles::open(store, Tz::UTC, &asked(when))
        .unwrap()
        .change
}

fn status<S: Store>(store: &S) -> RaffleStatus {
    let raffles = store.read(|tx| tx.list_raffles()).unwrap();
    raffles.find(RAFFLE).unwrap().status_at(now(store))
}

fn is_closed(error: &EnterError) -> bool {
    matches!(error, EnterError::NotOpen(NotOpen::Closed))
}

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

pub fn a_raffle_that_was_closed_gives_nobody_an_entry<S: Store>(store: &S) {
    let (entrant, package) = (entered(store, 1).id, on_sale(store));
    let (raffle, change) = close(store, When::Now);
    assert_eq!(
        change,
        OpeningChange::Closes(raffle.openings.closed_at(now(store)).unwrap())
    );
    assert_eq!(status(store), RaffleStatus::Closed);

    let late = enter(store, &SeededEntropy::new(2), phone(2), None).unwrap_err();
    assert!(is_closed(&late), "{late:?}");
    let known = enter(store, &SeededEntropy::new(1), phone(1), None).unwrap_err();
    assert!(is_closed(&known), "the answer does not say who is in: {known:?}");
    let free = usecases::free_entries::claim(store, &Noon, cap(), entrant).unwrap_err();
    assert!(matches!(free, FreeEntriesError::RaffleClosed), "{free:?}");
    let buy = PurchaseCommand {
        entrant,
        package,
        amount: 500,
        entries: 20,
        session: None,
    };
    let event = EventId::random(&SeededEntropy::new(3));
    let bought = usecases::purchases::begin_purchase(store, noon(), cap(), event, &buy).unwrap_err();
    assert!(matches!(bought, PurchaseError::RaffleClosed), "{bought:?}");

    assert_eq!(close(store, When::Now).1, OpeningChange::None);
    assert!(matches!(open(store, When::Now), OpeningChange::Opens(_)));
    assert_eq!(open(store, When::Now), OpeningChange::None);
    entered(store, 2);
    usecases::free_entries::claim(store, &Noon, cap(), entrant).unwrap();
}

pub fn opening_and_closing_stand_in_both_logs<S: Store>(store: &S) {
    let (_, closing) = close(store, When::Month);
    let OpeningChange::Closes(at) = closing else {
        panic!("{closing:?}");
    };
    assert!(at > now(store));
    assert_eq!(status(store), RaffleStatus::Open, "until the month ends");
    assert_eq!(open(store, When::Now), OpeningChange::ClosingTakenBack(at));
    let (raffle, _) = close(store, When::Now);
    let closed_at = raffle.openings.closed_at(now(store)).unwrap();
    let said: Vec<_> = whole_log(store)
        .into_iter()
        .map(|entry| {
            let details = OpeningDetails::from_details(&entry.entry.details).unwrap();
            assert_eq!(details.landing_page, RAFFLE);
            (entry.entry.action, details.at, details.taken_back, details.reason)
        })
        .collect();
    let reason = Some("The prize is gone".to_owned());
    assert_eq!(
        said,
        [
            (LogAction::RaffleCloses, at, false, None),
            (LogAction::RaffleCloses, at, true, None),
            (LogAction::RaffleCloses, closed_at, false, reason),
        ]
    );
    let audit = store
        .read(|tx| tx.list_audit(&AuditFilter::default(), kernel::PageRequest::default()))
        .unwrap();
    let actions: Vec<_> = audit.iter().map(|row| row.action).collect();
    assert_eq!(
        actions,
        [Action::CloseRaffle, Action::OpenRaffle, Action::CloseRaffle]
    );
}

pub fn a_raffle_opens_and_closes_by_two_people<S: Store>(store: &S) {
    let alone = ChangeOpening {
        second: SecondPerson::Missing,
        ..asked(When::Now)
    };
    let refused = usecases::raffles::close(store, Tz::UTC, &alone).unwrap_err();
    assert!(matches!(refused, OpeningError::NeedsApproval(_)), "{refused:?}");
    assert_eq!((status(store), whole_log(store).len()), (RaffleStatus::Open, 0));
    let agreed = ChangeOpening {
        second: SecondPerson::Agreed,
        ..alone.clone()
    };
    usecases::raffles::close(store, Tz::UTC, &agreed).unwrap();
    let refused = usecases::raffles::open(store, Tz::UTC, &alone).unwrap_err();
    assert!(matches!(refused, OpeningError::NeedsApproval(_)), "{refused:?}");
    assert_eq!(status(store), RaffleStatus::Closed);
    let unknown = ChangeOpening {
        raffle: RaffleKey::new("nothing").unwrap(),
        ..agreed
    };
    let refused = usecases::raffles::open(store, Tz::UTC, &unknown).unwrap_err();
    assert!(matches!(refused, OpeningError::UnknownRaffle), "{refused:?}");
}

/// Whoever is in was in before the raffle closed, by the time of the entry.
pub fn nobody_enters_a_raffle_that_closes_meanwhile<S: Store>(store: &S) {
    let tried = at_once(12, |n| match n {
        6 => {
            close(store, When::Now);
            None
        }
        n => Some(enter(store, &SeededEntropy::new(n.into()), phone(n), None)),
    });
    let raffles = store.read(|tx| tx.list_raffles()).unwrap();
    let closed_at = raffles
        .find(RAFFLE)
        .unwrap()
        .openings
        .closed_at(now(store))
        .unwrap();
    for entered in tried.into_iter().flatten() {
        match entered {
            Ok(entered) => {
                let id = entered.entrant.id;
                let before = closed_at - TimeDelta::microseconds(1);
                assert_eq!(store.read(|tx| tx.entries_since(id, before)).unwrap(), 0);
            }
            Err(error) => assert!(is_closed(&error), "{error:?}"),
        }
    }
    assert!(enter(store, &SeededEntropy::new(99), phone(99), None).is_err());
}

/// Of many who open and close it at once, each sees what the one before left.
pub fn openings_take_turns<S: Store>(store: &S) {
    at_once(10, |n| match n % 2 {
        0 => close(store, When::Now).1,
        _ => open(store, When::Now),
    });
    let log = whole_log(store);
    for (one, next) in log.iter().zip(log.iter().skip(1)) {
        assert_ne!(one.entry.action, next.entry.action, "closed and opened in turn");
    }
    let raffles = store.read(|tx| tx.list_raffles()).unwrap();
    let openings = raffles.find(RAFFLE).unwrap().openings.as_slice().to_vec();
    assert!(Openings::new(openings).is_some());
}

/// The store itself refuses to change when a raffle was open.
pub fn what_was_open_stays_so<S: Store>(store: &S) {
    let (raffle, _) = close(store, When::Now);
    let was = raffle.openings.as_slice().to_vec();
    let ended = Opening {
        closes_at: Some(was[0].closes_at.unwrap() - TimeDelta::hours(1)),
        ..was[0]
    };
    let still_open = Opening {
        closes_at: None,
        ..was[0]
    };
    for changed in [vec![ended], vec![still_open], vec![]] {
        let openings = Openings::new(changed).unwrap();
        let saved = store.transaction::<_, StoreError>(|tx| {
            tx.hold_raffles_alone()?;
            tx.save_openings(RAFFLE, &openings)
        });
        assert!(saved.is_err(), "{openings:?}");
    }
    assert_eq!(status(store), RaffleStatus::Closed);
}

/// What was in it when it closed is drawn once more, for the month in which that was.
pub fn a_closed_raffle_is_drawn_for_its_last_month<S: Store>(store: &S) {
    let kit = Kit::new(71);
    assert_eq!(kit.tools().schedule, Schedule::Manual);
    add_rules(store);
    many_entrants(store, 3);
    close(store, When::Now);
    let drawn = kit.perform(store, &request(None)).unwrap();
    let Performed::Drawn(state) = drawn else {
        panic!("{drawn:?}");
    };
    assert_eq!(state.seal.as_ref().unwrap().step.participants, 3);
    assert_eq!(
        (state.plan.kind, state.plan.period),
        (DrawingKind::Regular, month_of(now(store)))
    );
}
