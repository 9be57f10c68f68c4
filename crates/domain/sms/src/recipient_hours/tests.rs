use super::*;
use proptest::prelude::*;
use strum::IntoEnumIterator;

const NIGHT: QuietHours = QuietHours {
    from: 21 * 60,
    until: 8 * 60,
};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn hours(quiet: Option<QuietHours>) -> RecipientHours {
    RecipientHours::new(quiet, Tz::Europe__London).unwrap()
}

fn number(area_code: &str) -> Phone {
    Phone::from_e164(&format!("+1{area_code}5551234")).unwrap()
}

/// The wait of a number, as a time and a word.
fn wait(hours: &RecipientHours, area_code: &str, now: &str) -> Option<(String, &'static str)> {
    let wait = hours.wait(&number(area_code), at(now))?;
    Some((wait.until.format("%FT%H:%MZ").to_string(), wait.reason.as_str()))
}

/// The first and the last minute of a local day in which an area code gets texts.
fn window(area_code: &str, zone: Tz, day: &str) -> Option<(u32, u32)> {
    let hours = hours(None);
    let place = hours.place(hours.place_of(&number(area_code)));
    let day: NaiveDate = day.parse().unwrap();
    let start = day
        .and_hms_opt(0, 0, 0)
        .unwrap()
        .and_local_timezone(zone)
        .earliest()
        .unwrap();
    let minutes = (0..26 * 60).map(|minute| start + TimeDelta::minutes(minute));
    let open: Vec<_> = minutes
        .filter(|local| local.date_naive() == day && hours.is_open(place, local.with_timezone(&Utc)))
        .collect();
    Some((minute_of(open.first()?), minute_of(open.last()?) + 1))
}

fn hm(hour: u32, minute: u32) -> u32 {
    hour * 60 + minute
}

#[test]
fn texts_go_out_between_eight_and_nine_at_the_recipients_place() {
    let hours = hours(None);
    // July: New York is 4 hours behind UTC, Los Angeles 7.
    for (area_code, now, expected) in [
        ("212", "2026-07-15T11:59:00Z", Some("2026-07-15T12:00Z")),
        ("212", "2026-07-15T12:00:00Z", None),
        ("212", "2026-07-16T00:58:59Z", None),
        ("212", "2026-07-16T00:59:00Z", Some("2026-07-16T12:00Z")), // one minute before the end
        ("212", "2026-07-16T01:00:00Z", Some("2026-07-16T12:00Z")),
        ("213", "2026-07-15T12:00:00Z", Some("2026-07-15T16:00Z")), // California: 9:00
    ] {
        let until = wait(&hours, area_code, now).map(|(until, _)| until);
        assert_eq!(until.as_deref(), expected, "{area_code} {now}");
    }
}

#[test]
fn an_area_code_in_several_zones_waits_for_all_of_them() {
    let hours = hours(None);
    // 850 is in Florida, in Central and in Eastern time: from 8:00 Central to 20:00 Eastern.
    assert_eq!(
        wait(&hours, "850", "2026-07-15T12:30:00Z"),
        Some(("2026-07-15T13:00Z".to_owned(), "quiet_hours"))
    );
    assert_eq!(wait(&hours, "850", "2026-07-15T13:00:00Z"), None);
    assert_eq!(
        wait(&hours, "850", "2026-07-16T00:00:00Z"),
        Some(("2026-07-16T13:00Z".to_owned(), "state_hours"))
    );
}

#[test]
fn an_unknown_area_code_gets_texts_on_four_hours_of_a_working_day() {
    let hours = hours(None);
    for area_code in ["555", "800", "500"] {
        for (now, expected) in [
            ("2026-07-15T17:59:00Z", Some("2026-07-15T18:00Z")), // a Wednesday, 13:59 Eastern
            ("2026-07-15T18:00:00Z", None),
            ("2026-07-15T22:00:00Z", Some("2026-07-16T18:00Z")),
            ("2026-07-17T22:00:00Z", Some("2026-07-20T18:00Z")), // Friday evening
            ("2026-01-14T18:30:00Z", Some("2026-01-14T19:00Z")), // winter
        ] {
            let expected = expected.map(|until| (until.to_owned(), "unknown_area_code"));
            assert_eq!(wait(&hours, area_code, now), expected, "{area_code} {now}");
        }
    }
}

#[test]
fn each_states_rule_holds_on_each_kind_of_day() {
    use chrono_tz::America::{Chicago, Denver, Detroit, Los_Angeles, New_York};
    let (wednesday, saturday, sunday) = ("2026-07-15", "2026-07-18", "2026-07-19");
    let thanksgiving = "2026-11-26";
    let all = |from: u32, until: u32| [Some((from, until)); 4];
    let closed_on_sundays = |from, until| {
        [
            Some((from, until)),
            Some((from, until)),
            None,
            Some((from, until)),
        ]
    };
    let working_days = |from, until| [Some((from, until)), Some((from, until)), None, None];
    let eight = hm(8, 0);
    for (state, area_code, zone, expected) in [
        ("AL", "205", Chicago, working_days(eight, hm(20, 0))),
        ("CA", "213", Los_Angeles, all(hm(9, 0), hm(21, 0))),
        ("CT", "203", New_York, all(hm(9, 0), hm(20, 0))),
        ("FL", "305", New_York, all(eight, hm(20, 0))),
        ("IL", "312", Chicago, all(hm(9, 0), hm(21, 0))),
        ("KY", "502", New_York, all(hm(10, 0), hm(21, 0))),
        ("LA", "504", Chicago, working_days(eight, hm(20, 0))),
        ("MA", "617", New_York, all(eight, hm(20, 0))),
        ("MD", "301", New_York, all(eight, hm(20, 0))),
        ("MI", "313", Detroit, all(hm(9, 0), hm(21, 0))),
        ("MN", "612", Chicago, all(hm(9, 0), hm(21, 0))),
        ("MS", "601", Chicago, working_days(eight, hm(20, 0))),
        ("NJ", "201", New_York, all(eight, hm(20, 0))),
        ("NM", "505", Denver, all(hm(9, 0), hm(21, 0))),
        ("NV", "702", Los_Angeles, all(hm(9, 0), hm(20, 0))),
        ("NY", "212", New_York, all(eight, hm(21, 0))), // has no rule of its own
        ("OK", "405", Chicago, all(eight, hm(20, 0))),
        ("OR", "503", Los_Angeles, all(eight, hm(20, 0))),
        (
            "PA",
            "215",
            New_York,
            [
                Some((eight, hm(21, 0))),
                Some((eight, hm(21, 0))),
                Some((hm(13, 30), hm(21, 0))),
                None,
            ],
        ),
        (
            "RI",
            "401",
            New_York,
            [
                Some((hm(9, 0), hm(18, 0))),
                Some((hm(10, 0), hm(17, 0))),
                None,
                None,
            ],
        ),
        ("SD", "605", Chicago, closed_on_sundays(hm(10, 0), hm(21, 0))), // Mountain time too: 9:00 there
        (
            "TX",
            "713",
            Chicago,
            [
                Some((hm(9, 0), hm(21, 0))),
                Some((hm(9, 0), hm(21, 0))),
                Some((hm(12, 0), hm(21, 0))),
                Some((hm(9, 0), hm(21, 0))),
            ],
        ),
        ("UT", "801", Denver, working_days(eight, hm(21, 0))),
        ("WA", "206", Los_Angeles, all(eight, hm(20, 0))),
        ("WY", "307", Denver, all(eight, hm(20, 0))),
    ] {
        let windows = [wednesday, saturday, sunday, thanksgiving].map(|day| window(area_code, zone, day));
        assert_eq!(windows, expected, "{state}");
        let codes: Vec<_> = area_codes().filter(|area| area.code == area_code).collect();
        assert_eq!(codes[0].states, state, "{area_code}");
    }
}

#[test]
fn every_line_of_the_states_is_sound() {
    let lines: Vec<_> = STATE_HOURS.lines().skip(1).collect();
    let states: Vec<_> = lines.iter().filter_map(|line| StateHours::parse(line)).collect();
    assert_eq!((lines.len(), states.len()), (24, 24), "every line can be read");
    assert!(states.is_sorted_by(|a, b| a.state < b.state));
    for (line, state) in lines.iter().zip(&states) {
        let is_used = area_codes().any(|area| area.states.split(';').any(|name| name == state.state));
        assert!(is_used, "{line}");
        assert!(
            line.splitn(7, ',').last().unwrap().len() > 10,
            "it names its source: {line}"
        );
        for day in [
            Some(state.weekdays),
            Some(state.saturday),
            Some(state.sunday),
            state.holidays,
        ]
        .into_iter()
        .flatten()
        {
            let is_stricter = day.from >= FEDERAL.from && day.until <= FEDERAL.until && day.from < day.until;
            assert!(day == DayHours::CLOSED || is_stricter, "{line}");
        }
        assert!(
            state.holidays.is_some() || state.own_holidays.is_empty(),
            "{line}"
        );
    }
}

/// The last and the next day of summer time, Sundays, a holiday that moves, and a working day.
const DAYS: [&str; 7] = [
    "2026-03-08",
    "2026-11-01",
    "2026-07-15",
    "2026-07-19",
    "2026-07-03",
    "2026-11-26",
    "2026-01-01",
];

#[test]
fn every_area_code_is_open_only_when_law_and_state_allow_it_in_all_its_zones() {
    let hours = hours(Some(NIGHT));
    for area in area_codes() {
        let place = hours.place(hours.place_of(&number(area.code)));
        assert_eq!(place.is_known, area.kind == "geographic", "{}", area.code);
        let zones: Vec<Tz> = area
            .zones
            .split(';')
            .filter_map(|zone| zone.parse().ok())
            .collect();
        let states: Vec<StateHours> = STATE_HOURS
            .lines()
            .filter_map(StateHours::parse)
            .filter(|state| area.states.split(';').any(|name| name == state.state))
            .collect();
        for day in DAYS {
            let midnight = at(&format!("{day}T00:00:00Z"));
            for quarter in 0..48 * 4 {
                let now = midnight + QUARTER * quarter;
                let is_open = hours.is_open(place, now);
                if !place.is_known {
                    let eastern = now.with_timezone(&Tz::America__New_York);
                    let is_weekend = eastern.weekday().number_from_monday() > 5;
                    let expected = (14..18).contains(&eastern.hour()) && !is_weekend;
                    assert_eq!(is_open, expected, "{} {now}", area.code);
                    continue;
                }
                let expected = zones.iter().all(|zone| {
                    let local = now.with_timezone(zone);
                    let minute = local.hour() * 60 + local.minute();
                    let allows = |state: &StateHours| {
                        let hours = state.on(local.date_naive());
                        hours.from <= minute && minute < hours.until
                    };
                    (8..21).contains(&local.hour()) && states.iter().all(allows)
                });
                assert_eq!(is_open, expected, "{} {now}", area.code);
            }
        }
    }
}

#[test]
fn hours_keep_to_local_clocks_on_the_days_of_daylight_saving_time() {
    let hours = hours(None);
    // On March 8, New York goes from UTC-5 to UTC-4 at 2:00; on November 1 back again.
    for (now, until) in [
        ("2026-03-07T12:59:00Z", "2026-03-07T13:00Z"),
        ("2026-03-08T06:00:00Z", "2026-03-08T12:00Z"),
        ("2026-10-31T11:59:00Z", "2026-10-31T12:00Z"),
        ("2026-11-01T05:30:00Z", "2026-11-01T13:00Z"),
    ] {
        assert_eq!(
            wait(&hours, "212", now),
            Some((until.to_owned(), "quiet_hours")),
            "{now}"
        );
    }
    // Arizona has no daylight saving time, and the Navajo Nation in 928 has.
    assert_eq!(
        wait(&hours, "602", "2026-07-15T14:59:00Z").unwrap().0,
        "2026-07-15T15:00Z"
    );
    assert_eq!(
        wait(&hours, "928", "2026-07-16T03:00:00Z").unwrap().0,
        "2026-07-16T15:00Z"
    );
}

#[test]
fn sundays_and_holidays_are_waited_out() {
    let hours = hours(None);
    // Rhode Island: the evening before a Sunday, and before Independence Day, a Saturday that is observed on the Friday.
    assert_eq!(
        wait(&hours, "401", "2026-07-18T21:30:00Z"),
        Some(("2026-07-20T13:00Z".to_owned(), "state_hours"))
    );
    assert_eq!(
        wait(&hours, "401", "2026-07-02T23:00:00Z"),
        Some(("2026-07-06T13:00Z".to_owned(), "state_hours"))
    );
    // Utah on Pioneer Day, a Friday.
    assert_eq!(
        wait(&hours, "801", "2026-07-24T18:00:00Z").unwrap().0,
        "2026-07-25T14:00Z"
    );
}

#[test]
fn the_sites_quiet_hours_hold_where_they_are_stricter_and_the_law_where_it_is() {
    let lunch = QuietHours {
        from: 12 * 60,
        until: 12 * 60 + 17,
    };
    assert_eq!(
        wait(&hours(Some(lunch)), "212", "2026-07-15T16:00:00Z")
            .unwrap()
            .0,
        "2026-07-15T16:17Z"
    );
    let looser = QuietHours {
        from: 23 * 60,
        until: 6 * 60,
    };
    assert_eq!(
        wait(&hours(Some(looser)), "212", "2026-07-15T10:30:00Z")
            .unwrap()
            .0,
        "2026-07-15T12:00Z"
    );
}

#[test]
fn quiet_hours_that_leave_nothing_are_refused() {
    let refused = |from: u16, until: u16| {
        let quiet = QuietHours {
            from: from * 60,
            until: until * 60,
        };
        RecipientHours::new(Some(quiet), Tz::America__New_York)
            .map(drop)
            .map_err(|error| error.0)
    };
    assert_eq!(refused(21, 8), Ok(()));
    assert_eq!(refused(13, 19), Err("numbers of unknown area codes".to_owned()));
    assert_eq!(refused(8, 21), Err("numbers outside of North America".to_owned()));
    assert_eq!(refused(9, 14), Ok(()));
    // Rhode Island has hours until 18:00 only.
    assert!(refused(18, 17).is_err());
}

#[test]
fn numbers_outside_of_north_america_follow_the_clock_of_the_site() {
    let hours = hours(None);
    let abroad = Phone::from_e164("+442071234567").unwrap();
    assert_eq!(
        hours.wait(&abroad, at("2026-07-15T07:00:00Z")),
        None,
        "8:00 in London"
    );
    let night = hours.wait(&abroad, at("2026-07-15T20:00:00Z")).unwrap();
    assert_eq!(
        (night.until, night.reason),
        (at("2026-07-16T07:00:00Z"), WaitReason::QuietHours)
    );
    assert_eq!(hours.wait_at_site(at("2026-07-15T20:00:00Z")), Some(night));
}

#[test]
fn only_time_in_which_a_text_could_be_sent_counts_as_waiting() {
    let hours = hours(None);
    let day = TimeDelta::hours(24);
    let open = |area_code: &str, since: &str, now: &str| {
        hours.was_open_for(&number(area_code), at(since), at(now), day)
    };
    // New York has 13 hours a day: 9 on the first, 13 on the second, and two on the third day.
    assert!(!open("212", "2026-07-15T16:00:00Z", "2026-07-17T13:45:00Z"));
    assert!(open("212", "2026-07-15T16:00:00Z", "2026-07-17T14:00:00Z"));
    // An unknown area code has 4 hours on working days: it takes six of them.
    assert!(!open("555", "2026-07-15T12:00:00Z", "2026-07-22T20:00:00Z"));
    assert!(open("555", "2026-07-15T12:00:00Z", "2026-07-22T22:00:00Z"));
    assert!(
        !open("212", "2026-07-15T16:00:00Z", "2026-07-16T15:59:00Z"),
        "a day has not passed"
    );
}

#[test]
fn reasons_have_names() {
    let names: Vec<_> = WaitReason::iter().map(WaitReason::as_str).collect();
    assert_eq!(
        names,
        [
            "quiet_hours",
            "state_hours",
            "unknown_area_code",
            "daily_budget",
            "retry"
        ]
    );
}

proptest! {
    /// A wait ends when the window opens, and not before.
    #[test]
    fn a_wait_ends_with_the_first_minute_that_is_open(code in 0_usize..470, minutes in 0_i64..366 * 24 * 60) {
        let codes: Vec<_> = area_codes().collect();
        let phone = number(codes[code % codes.len()].code);
        let hours = hours(Some(NIGHT));
        let now = at("2026-01-01T00:00:00Z") + TimeDelta::minutes(minutes);
        if let Some(wait) = hours.wait(&phone, now) {
            prop_assert!(wait.until > now);
            prop_assert_eq!(hours.wait(&phone, wait.until), None);
            prop_assert!(hours.wait(&phone, wait.until - MINUTE).is_some());
            prop_assert!(wait.until - now < TimeDelta::days(5));
        }
        let remembered = HoursNow::new(&hours, now);
        prop_assert_eq!(remembered.wait(&phone), hours.wait(&phone, now));
        prop_assert_eq!(remembered.wait(&phone), hours.wait(&phone, now), "and again");
    }
}
