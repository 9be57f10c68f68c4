//! Drawings over days and months, on a store whose clock stands where the test sets it.

use super::Kit;
use super::faults::{Faulty, KILLS};
use super::kit::{add_rules, additional, entered_with_friends, find, now, promised, request, whole_log};
use super::requests::publish_prize;
use super::{log_actions, performed};
use crate::support::{at_once, staff_actor};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use drawing::steps::{Announced, DrawingState, DrawingStatus, DrawingSteps, VoidDetails};
use drawing::{DrawingKind, LogRules};
use fakes::MemStore;
use kernel::UnitOfWork;
use raffle::fixtures::GARDEN_BAG;
use staff::SecondPerson;
use usecases::drawings::{Advanced, LogError, PerformError, Performed, Schedule, VoidDrawing};
use usecases::raffles::{self, ChangeOpening, When};

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// A site in New York that draws each month.
fn monthly(seed: u64) -> Kit {
    Kit {
        schedule: Schedule::Monthly,
        production: true,
        time_zone: Tz::America__New_York,
        ..Kit::with_beacon(seed)
    }
}

/// Takes all steps that are due at this moment.
fn advance_at(store: &MemStore, kit: &Kit, at: DateTime<Utc>) -> Advanced {
    store.set_time(at);
    let advanced = kit.advance(store);
    assert!(advanced.failures.is_empty(), "{:?}", advanced.failures);
    advanced
}

/// The regular drawing of the raffle in which the tests enter.
fn regular(store: &MemStore, period: &str) -> DrawingState {
    let period = period.parse().unwrap();
    let found = store.read(|tx| tx.regular_drawing_of(super::RAFFLE, period));
    found.unwrap().unwrap()
}

fn seal_entries(state: &DrawingState) -> u64 {
    state.seal.as_ref().unwrap().step.entries
}

/// Both daylight-saving changes and the turn of the year: period, middle of the month, its end, and noon of the day after.
const MONTHS: [(&str, &str, &str, &str); 4] = [
    (
        "2026-02",
        "2026-02-14T12:00:00Z",
        "2026-03-01T05:00:00Z",
        "2026-03-01T17:00:00Z",
    ),
    (
        "2026-03",
        "2026-03-14T12:00:00Z",
        "2026-04-01T04:00:00Z",
        "2026-04-01T16:00:00Z",
    ),
    (
        "2026-10",
        "2026-10-14T12:00:00Z",
        "2026-11-01T04:00:00Z",
        "2026-11-01T17:00:00Z",
    ),
    (
        "2026-12",
        "2026-12-14T12:00:00Z",
        "2027-01-01T05:00:00Z",
        "2027-01-01T17:00:00Z",
    ),
];

pub fn a_month_ends_at_midnight_in_new_york_and_is_drawn_at_noon(_: &MemStore) {
    for (n, (period, middle, end, noon)) in (0..).zip(MONTHS) {
        let (store, kit) = (MemStore::default(), monthly(n));
        let (end, noon) = (moment(end), moment(noon));
        advance_at(&store, &kit, moment(middle));
        let Announced {
            round_at,
            seal_due_at,
            seal_before,
            ..
        } = regular(&store, period).announcement.step;
        let round_at = round_at.unwrap();
        assert_eq!(seal_due_at, end, "{period}");
        assert!(
            (noon..noon + TimeDelta::seconds(3)).contains(&round_at),
            "{period}: {round_at}"
        );
        assert_eq!(seal_before, Some(round_at - TimeDelta::hours(1)));

        let last = end - TimeDelta::microseconds(1);
        store.set_time(last);
        entered_with_friends(&store, 1, 2);
        advance_at(&store, &kit, last);
        assert_eq!(
            regular(&store, period).status,
            DrawingStatus::Announced,
            "{period}"
        );
        store.set_time(end);
        entered_with_friends(&store, 10, 5);
        advance_at(&store, &kit, end);
        let sealed = regular(&store, period);
        assert_eq!(sealed.plan.cut_off, Some(end));
        assert_eq!(
            seal_entries(&sealed),
            5,
            "{period}: those from midnight on are in the next month"
        );

        assert_eq!(
            advance_at(&store, &kit, round_at - TimeDelta::microseconds(1)).due,
            []
        );
        let due = advance_at(&store, &kit, round_at).due;
        assert_eq!((due.len(), due[0].drawing), (1, sealed.id));
        assert_eq!(kit.draw(&store, &sealed).unwrap().status, DrawingStatus::Drawn);
        assert_eq!(advance_at(&store, &kit, round_at).due, []);
    }
}

pub fn a_drawing_is_announced_when_its_month_begins(store: &MemStore) {
    let kit = monthly(1);
    advance_at(store, &kit, moment("2026-11-30T12:00:00Z"));
    assert_eq!(log_actions(store), ["drawing_announced"; 4]);
    advance_at(store, &kit, moment("2026-11-30T12:00:01Z"));
    assert_eq!(log_actions(store).len(), 4, "once");
    entered_with_friends(store, 1, 1);
    advance_at(store, &kit, moment("2026-12-01T05:00:00Z"));
    let next = regular(store, "2026-12");
    assert_eq!(next.plan.at, moment("2026-12-01T05:00:00Z"));
    assert_ne!(next.plan.commitment, regular(store, "2026-11").plan.commitment);
}

pub fn an_empty_raffle_is_void_and_the_others_are_drawn(store: &MemStore) {
    let kit = monthly(2);
    advance_at(store, &kit, moment("2026-11-10T12:00:00Z"));
    let empty = {
        let period = "2026-11".parse().unwrap();
        store
            .read(|tx| tx.regular_drawing_of(GARDEN_BAG, period))
            .unwrap()
            .unwrap()
    };
    entered_with_friends(store, 1, 1);
    advance_at(store, &kit, moment("2026-12-01T05:00:00Z"));
    assert!(find(store, empty.id).was_empty());
    assert_eq!(regular(store, "2026-11").status, DrawingStatus::Sealed);
    let actions = log_actions(store);
    let count = |wanted| actions.iter().filter(|action| **action == wanted).count();
    assert_eq!((count("drawing_void"), count("drawing_sealed")), (3, 1));
    let next = store.read(|tx| tx.open_drawing(GARDEN_BAG)).unwrap().unwrap();
    assert_eq!(next.plan.commitment, empty.plan.commitment, "it is kept");
}

pub fn a_server_that_was_away_over_midnight_seals_with_the_same_cut_off(store: &MemStore) {
    let kit = monthly(3);
    advance_at(store, &kit, moment("2026-11-10T12:00:00Z"));
    entered_with_friends(store, 1, 2);
    store.set_time(moment("2026-12-01T07:00:00Z"));
    entered_with_friends(store, 10, 5);
    advance_at(store, &kit, moment("2026-12-01T08:00:00Z"));
    let sealed = regular(store, "2026-11");
    assert_eq!(seal_entries(&sealed), 5);
    assert_eq!(sealed.seal.unwrap().step.cut_off, moment("2026-12-01T05:00:00Z"));
    assert_eq!(sealed.announcement.step.number, 1);
}

pub fn a_server_that_was_away_over_the_round_moves_it_by_days(_: &MemStore) {
    for (days, expected) in [(0, 1), (2, 3)] {
        let (store, kit) = (MemStore::default(), monthly(4));
        advance_at(&store, &kit, moment("2026-11-10T12:00:00Z"));
        entered_with_friends(&store, 1, 2);
        let announced = regular(&store, "2026-11");
        let back = moment("2026-12-01T18:00:00Z") + TimeDelta::days(days);
        advance_at(&store, &kit, back);
        let moved = regular(&store, "2026-11");
        assert_eq!(moved.announcement.step.number, 2);
        let by = moved.announcement.step.round_at.unwrap() - announced.announcement.step.round_at.unwrap();
        assert!(
            (by - TimeDelta::days(expected)).abs() < TimeDelta::seconds(6),
            "{by}"
        );
        advance_at(&store, &kit, back + TimeDelta::seconds(1));
        let sealed = regular(&store, "2026-11");
        assert_eq!(sealed.status, DrawingStatus::Sealed);
        assert_eq!(seal_entries(&sealed), 5);
        assert_eq!(
            sealed.seal.as_ref().unwrap().step.cut_off,
            moment("2026-12-01T05:00:00Z")
        );
        let actions = log_actions(&store);
        let refused = actions.iter().filter(|action| **action == "seal_refused").count();
        assert_eq!(refused, 4, "each raffle has its own drawing");
    }
}

pub fn a_seal_an_hour_before_the_round_is_the_last_one_in_time(_: &MemStore) {
    for (late, number) in [(TimeDelta::zero(), 1), (TimeDelta::microseconds(1), 2)] {
        let (store, kit) = (MemStore::default(), monthly(5));
        advance_at(&store, &kit, moment("2026-11-10T12:00:00Z"));
        entered_with_friends(&store, 1, 2);
        let seal_before = regular(&store, "2026-11").announcement.step.seal_before.unwrap();
        advance_at(&store, &kit, seal_before + late);
        assert_eq!(regular(&store, "2026-11").announcement.step.number, number);
    }
}

pub fn three_servers_take_each_step_once(store: &MemStore) {
    let kit = monthly(6);
    store.set_time(moment("2026-11-09T12:00:00Z"));
    entered_with_friends(store, 1, 2);
    let all_at = |at| {
        store.set_time(moment(at));
        at_once(3, |_| kit.advance(store))
    };
    all_at("2026-11-10T12:00:00Z");
    all_at("2026-12-01T18:00:00Z");
    all_at("2026-12-01T18:00:01Z");
    let sealed = regular(store, "2026-11");
    assert_eq!(
        (sealed.status, sealed.announcement.step.number),
        (DrawingStatus::Sealed, 2)
    );
    let actions = log_actions(store);
    let of = |id| {
        let log = whole_log(store);
        log.iter().filter(|entry| entry.entry.drawing == Some(id)).count()
    };
    assert_eq!(
        of(sealed.id),
        4,
        "announced, refused, announced, sealed: {actions:?}"
    );
    store.set_time(sealed.announcement.step.round_at.unwrap());
    let drawn = at_once(3, |_| {
        let due = kit.advance(store).due;
        due.iter().for_each(|due| assert_eq!(due.drawing, sealed.id));
        kit.draw(store, &sealed).unwrap()
    });
    assert!(drawn.iter().all(|state| *state == drawn[0]));
    assert_eq!(of(sealed.id), 5);
}

pub fn a_kill_at_any_step_of_a_month_ends_in_the_same_drawing(_: &MemStore) {
    for kill in KILLS {
        for nth in 0.. {
            let (store, kit) = (MemStore::default(), monthly(7));
            store.set_time(moment("2026-11-09T12:00:00Z"));
            entered_with_friends(&store, 1, 3);
            add_rules(&store);
            let faulty = Faulty::new(&store, kill, nth);
            let mut killed = false;
            for at in ["2026-11-10T12:00:00Z", "2026-12-01T05:00:00Z"] {
                store.set_time(moment(at));
                let first = usecases::drawings::advance(&faulty, kit.tools());
                killed |= first.map_or(true, |advanced| !advanced.failures.is_empty());
                advance_at(&store, &kit, moment(at));
            }
            let sealed = regular(&store, "2026-11");
            assert_eq!(killed, faulty.was_hit());
            assert_eq!(sealed.announcement.step.number, 1, "{kill:?} {nth}");
            assert_eq!(seal_entries(&sealed), 7);
            let round = sealed.announcement.step.round.unwrap();
            let noon = kit
                .chain
                .as_ref()
                .unwrap()
                .first_round_at_or_after(moment("2026-12-01T17:00:00Z"));
            assert_eq!(round, noon);
            assert_eq!(
                log_actions(&store).len(),
                4 + 1 + 3 + 4,
                "four months, one seal, three empty ones, four months: {kill:?} {nth}"
            );
            if !faulty.was_hit() {
                assert!(nth > 10, "many units of work were hit");
                break;
            }
        }
    }
}

pub fn staff_cannot_draw_a_month_by_hand(store: &MemStore) {
    let kit = monthly(8);
    store.set_time(moment("2026-11-09T12:00:00Z"));
    entered_with_friends(store, 1, 3);
    advance_at(store, &kit, moment("2026-11-10T12:00:00Z"));
    let refused = kit.perform(store, &request(None));
    let Err(PerformError::NothingToDraw { next }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(Some(next), regular(store, "2026-11").announcement.step.round_at);
    let state = performed(store, &kit, &additional("The anniversary"));
    assert_eq!(
        (state.plan.kind, state.status),
        (DrawingKind::Additional, DrawingStatus::Announced)
    );
    advance_at(store, &kit, moment("2026-11-11T11:59:59Z"));
    assert_eq!(find(store, state.id).status, DrawingStatus::Announced);
    let advanced = advance_at(store, &kit, moment("2026-11-11T12:00:00Z"));
    assert_eq!(advanced.due, []);
    let sealed = find(store, state.id);
    assert_eq!(sealed.status, DrawingStatus::Sealed);
    assert_eq!(sealed.seal.unwrap().step.cut_off, moment("2026-11-11T12:00:00Z"));
}

pub fn a_month_whose_beacon_never_came_is_done_again_after_a_week(store: &MemStore) {
    let kit = monthly(9);
    advance_at(store, &kit, moment("2026-11-10T12:00:00Z"));
    entered_with_friends(store, 1, 3);
    advance_at(store, &kit, moment("2026-12-01T05:00:00Z"));
    let sealed = regular(store, "2026-11");
    let round_at = sealed.announcement.step.round_at.unwrap();
    let command = VoidDrawing {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        drawing: sealed.id,
        void: VoidDetails {
            reason: "The beacon is gone".to_owned(),
            hosts: Vec::new(),
        },
    };
    let void = || usecases::drawings::void(store, &command);
    store.set_time(round_at + TimeDelta::days(7) - TimeDelta::microseconds(1));
    assert!(void().is_err());
    store.set_time(round_at + TimeDelta::days(7));
    void().unwrap();
    entered_with_friends(store, 10, 3);
    let Performed::Waiting(announced) = kit.perform(store, &request(None)).unwrap() else {
        panic!("it waits for its seal");
    };
    let day = now(store) + TimeDelta::hours(24);
    assert_eq!(announced.announcement.step.seal_due_at, day);
    advance_at(store, &kit, day - TimeDelta::microseconds(1));
    assert_eq!(find(store, announced.id), announced);
    advance_at(store, &kit, day);
    let again = find(store, announced.id);
    let mut rules = LogRules::default();
    whole_log(store)
        .iter()
        .for_each(|entry| rules.push(entry).unwrap());
    assert_eq!(again.plan.period, sealed.plan.period);
    assert_eq!(again.plan.cut_off, sealed.plan.cut_off);
    assert_eq!(seal_entries(&again), 7, "the entries of then");
    assert!(!again.is_scheduled());
    let refused = kit.perform(store, &request(None));
    assert!(
        matches!(refused, Err(PerformError::NothingToDraw { .. })),
        "{refused:?}"
    );
}

pub fn without_a_beacon_a_month_is_drawn_when_it_ends(store: &MemStore) {
    let kit = Kit {
        chain: None,
        ..monthly(10)
    };
    advance_at(store, &kit, moment("2026-11-10T12:00:00Z"));
    entered_with_friends(store, 1, 3);
    let advanced = advance_at(store, &kit, moment("2026-12-03T05:00:00Z"));
    assert_eq!(advanced.due, []);
    let drawn = regular(store, "2026-11");
    assert_eq!(
        (drawn.status, drawn.announcement.step.number),
        (DrawingStatus::Drawn, 1)
    );
}

/// Whoever writes to the database could add entries for somebody with an earlier time.
fn opening(when: When) -> ChangeOpening {
    ChangeOpening {
        actor: staff_actor(),
        second: SecondPerson::NotNeeded,
        raffle: super::RAFFLE,
        when,
        reason: None,
    }
}

/// The months for which the raffle has a regular drawing.
fn months(store: &MemStore) -> Vec<&'static str> {
    let has = |period: &&str| {
        let period = period.parse().unwrap();
        let found = store.read(|tx| tx.regular_drawing_of(super::RAFFLE, period));
        found.unwrap().is_some()
    };
    ["2026-10", "2026-11", "2026-12"]
        .into_iter()
        .filter(has)
        .collect()
}

pub fn a_closed_raffle_is_drawn_as_announced_and_for_no_later_month(_: &MemStore) {
    for when in [When::Now, When::Month] {
        let (store, kit) = (MemStore::default(), monthly(31));
        advance_at(&store, &kit, moment("2026-11-09T12:00:00Z"));
        entered_with_friends(&store, 1, 2);
        raffles::close(&store, kit.time_zone, &opening(when)).unwrap();
        advance_at(&store, &kit, moment("2026-12-01T05:00:00Z"));
        assert_eq!(seal_entries(&regular(&store, "2026-11")), 5, "{when:?}");
        assert_eq!(months(&store), ["2026-11"], "{when:?}");
    }
}

/// New York's November ends at 5:00 on December 1.
pub fn a_raffle_that_opens_in_the_last_day_of_a_month_is_drawn_for_the_next(_: &MemStore) {
    for (opens, before, after) in [
        (
            "2026-11-30T05:00:00Z",
            vec!["2026-11"],
            vec!["2026-11", "2026-12"],
        ),
        ("2026-11-30T05:00:01Z", vec![], vec!["2026-12"]),
    ] {
        let (store, kit) = (MemStore::default(), monthly(32));
        store.set_time(moment("2026-10-20T12:00:00Z"));
        raffles::close(&store, kit.time_zone, &opening(When::Now)).unwrap();
        advance_at(&store, &kit, moment("2026-11-09T12:00:00Z"));
        assert_eq!(months(&store), [""; 0]);
        store.set_time(moment(opens));
        raffles::open(&store, kit.time_zone, &opening(When::Now)).unwrap();
        entered_with_friends(&store, 1, 2);
        kit.advance(&store);
        assert_eq!(months(&store), before, "{opens}");
        advance_at(&store, &kit, moment("2026-12-01T05:00:00Z"));
        assert_eq!(months(&store), after, "{opens}");
    }
}

pub fn staff_draw_the_last_month_of_a_closed_raffle_until_the_next_one_ends(_: &MemStore) {
    for (at, draws) in [("2026-12-01T04:59:59Z", true), ("2026-12-01T05:00:00Z", false)] {
        let store = MemStore::default();
        let kit = Kit {
            time_zone: Tz::America__New_York,
            ..Kit::new(33)
        };
        store.set_time(moment("2026-10-20T12:00:00Z"));
        add_rules(&store);
        entered_with_friends(&store, 1, 2);
        raffles::close(&store, kit.time_zone, &opening(When::Month)).unwrap();
        store.set_time(moment(at));
        let performed = kit.perform(&store, &request(None));
        match draws {
            true => assert_eq!(months(&store), ["2026-10"], "{performed:?}"),
            false => assert!(
                matches!(performed, Err(PerformError::RaffleClosed)),
                "{performed:?}"
            ),
        }
    }
}

/// Month, name of the prize, cut-off and the name of the next prize.
type Promise = (String, String, Option<DateTime<Utc>>, Option<String>);

fn promise_at(store: &MemStore, kit: &Kit, at: &str) -> Option<Promise> {
    store.set_time(moment(at));
    promised(store, kit).map(|said| {
        let next = said.waiting.map(|version| version.content.name);
        (said.period.to_string(), said.prize.words.name, said.cut_off, next)
    })
}

/// New York's November ends at 5:00 on December 1.
pub fn the_rules_say_what_is_drawn_next_and_what_comes_after(store: &MemStore) {
    let kit = monthly(34);
    let first = raffle::fixtures::prize(super::RAFFLE);
    let ends = Some(moment("2026-12-01T05:00:00Z"));
    let said = |period: &str, name: &str, cut_off, next: Option<&str>| {
        Some((
            period.to_owned(),
            name.to_owned(),
            cut_off,
            next.map(str::to_owned),
        ))
    };
    store.set_time(moment("2026-11-09T12:00:00Z"));
    add_rules(store);
    entered_with_friends(store, 1, 2);
    let before = promise_at(store, &kit, "2026-11-09T13:00:00Z");
    assert_eq!(
        before,
        said("2026-11", first, ends, None),
        "before it is announced"
    );
    kit.advance(store);
    publish_prize(store, kit.time_zone, super::RAFFLE, "Another prize");
    let now = promise_at(store, &kit, "2026-12-01T04:59:59Z");
    assert_eq!(now, said("2026-11", first, ends, Some("Another prize")));
    advance_at(store, &kit, moment("2026-12-01T05:00:00Z"));
    let ends = Some(moment("2027-01-01T05:00:00Z"));
    let then = promise_at(store, &kit, "2026-12-01T05:00:00Z");
    assert_eq!(then, said("2026-12", "Another prize", ends, None));

    raffles::close(store, kit.time_zone, &opening(When::Month)).unwrap();
    assert_eq!(
        promise_at(store, &kit, "2027-01-01T05:00:00Z"),
        then,
        "its last drawing"
    );
    advance_at(store, &kit, moment("2027-01-01T05:00:00Z"));
    assert_eq!(regular(store, "2026-12").status, DrawingStatus::Sealed);
    assert_eq!(
        promise_at(store, &kit, "2027-01-01T18:00:00Z"),
        then,
        "it waits for its round"
    );
}

pub fn where_staff_draw_the_rules_name_no_cut_off_before_the_announcement(store: &MemStore) {
    let kit = Kit {
        time_zone: Tz::America__New_York,
        ..Kit::new(35)
    };
    store.set_time(moment("2026-11-09T12:00:00Z"));
    add_rules(store);
    entered_with_friends(store, 1, 2);
    let said = promised(store, &kit).unwrap();
    assert_eq!(
        (said.period.to_string(), said.cut_off),
        ("2026-11".to_owned(), None)
    );
    raffles::close(store, kit.time_zone, &opening(When::Now)).unwrap();
    store.set_time(moment("2026-12-09T12:00:00Z"));
    assert!(promised(store, &kit).is_some(), "its month can be drawn");
    kit.perform(store, &request(None)).unwrap();
    assert_eq!(promised(store, &kit), None, "it has been drawn");
}

pub fn a_backdated_row_of_the_ledger_differs_from_a_checkpoint(store: &MemStore) {
    let kit = monthly(12);
    store.set_time(moment("2026-11-09T12:00:00Z"));
    entered_with_friends(store, 1, 3);
    advance_at(store, &kit, moment("2026-11-10T12:00:00Z"));
    assert!(usecases::drawings::checkpoint(store).unwrap());
    advance_at(store, &kit, moment("2026-12-01T05:00:00Z"));
    let sealed = regular(store, "2026-11");
    store.set_time(sealed.announcement.step.round_at.unwrap());
    kit.draw(store, &sealed).unwrap();
    entered_with_friends(store, 10, 3);
    let report = usecases::drawings::verify_log(store).unwrap();
    assert_eq!(
        (report.drawings, report.entries),
        (1, whole_log(store).len() as i64)
    );
    store.set_time(moment("2026-11-10T11:59:59Z"));
    entered_with_friends(store, 20, 0);
    let fault = usecases::drawings::verify_log(store);
    assert!(matches!(fault, Err(LogError::Checkpoint(5))), "{fault:?}");
}

pub fn there_is_a_checkpoint_each_day(store: &MemStore) {
    store.set_time(moment("2026-11-10T12:00:00Z"));
    entered_with_friends(store, 1, 0);
    let write_at = |at| {
        store.set_time(moment(at));
        usecases::drawings::checkpoint(store).unwrap()
    };
    let days = [
        ("2026-11-10T12:00:01Z", true),
        ("2026-11-10T23:59:59Z", false),
        ("2026-11-11T00:00:00Z", true),
        ("2026-11-14T00:00:00Z", true),
    ];
    for (at, expected) in days {
        assert_eq!(write_at(at), expected, "{at}");
    }
}
