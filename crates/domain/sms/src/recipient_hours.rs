//! When a number may get texts, by the clocks of its area code (D43).

use crate::countries::{NORTH_AMERICA, area_codes};
use crate::holidays::Holiday;
use crate::{QuietHours, holidays};
use chrono::{DateTime, Datelike, DurationRound, NaiveDate, TimeDelta, Timelike, Utc, Weekday};
use chrono_tz::Tz;
use kernel::Phone;
use std::cell::RefCell;
use std::collections::HashMap;

const STATE_HOURS: &str = include_str!("../data/state_hours.csv");

/// The hours of 47 CFR § 64.1200(c)(1): not before 8:00 and not after 21:00, at the recipient's place.
const FEDERAL: DayHours = DayHours {
    from: 8 * 60,
    until: 21 * 60,
};
/// The hours for numbers whose place is not known: by then it is 8:00 in Hawaii, and not yet 21:00 anywhere in the country.
const UNKNOWN: DayHours = DayHours {
    from: 14 * 60,
    until: 18 * 60,
};
/// The clock of [`UNKNOWN`].
const EASTERN: Tz = Tz::America__New_York;

/// The window must still be open this long after a text is claimed, so that it arrives within it.
const MARGIN: TimeDelta = TimeDelta::minutes(1);
/// How far ahead to look for the next opening: longer than any row of holidays.
const HORIZON: TimeDelta = TimeDelta::days(14);
const MINUTE: TimeDelta = TimeDelta::minutes(1);
const QUARTER: TimeDelta = TimeDelta::minutes(15);

/// The part of a day in which texts may be sent, in minutes after midnight. Closed if it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DayHours {
    from: u32,
    until: u32,
}

impl DayHours {
    const CLOSED: Self = Self { from: 0, until: 0 };

    /// Reads `09:00-20:00` or `closed`.
    fn parse(text: &str) -> Option<Self> {
        if text == "closed" {
            return Some(Self::CLOSED);
        }
        let minutes = |text: &str| {
            let (hours, minutes) = text.split_once(':')?;
            Some(hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?)
        };
        let (from, until) = text.split_once('-')?;
        Some(Self {
            from: minutes(from)?,
            until: minutes(until)?,
        })
    }

    fn contains(self, minute: u32) -> bool {
        (self.from..self.until).contains(&minute)
    }
}

/// One line of the table of states.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StateHours {
    state: &'static str,
    weekdays: DayHours,
    saturday: DayHours,
    sunday: DayHours,
    /// `None` if holidays are like other days.
    holidays: Option<DayHours>,
    own_holidays: Vec<Holiday>,
}

impl StateHours {
    fn parse(line: &'static str) -> Option<Self> {
        let mut columns = line.splitn(7, ',');
        let state = columns.next()?;
        let weekdays = DayHours::parse(columns.next()?)?;
        let saturday = DayHours::parse(columns.next()?)?;
        let sunday = DayHours::parse(columns.next()?)?;
        let holidays = match columns.next()? {
            "" => None,
            hours => Some(DayHours::parse(hours)?),
        };
        let own = columns.next()?.split(';').filter(|name| !name.is_empty());
        let own_holidays = own.map(|name| name.parse().ok()).collect::<Option<_>>()?;
        Some(Self {
            state,
            weekdays,
            saturday,
            sunday,
            holidays,
            own_holidays,
        })
    }

    fn on(&self, day: NaiveDate) -> DayHours {
        if let Some(hours) = self
            .holidays
            .filter(|_| holidays::is_holiday(day, &self.own_holidays))
        {
            return hours;
        }
        match day.weekday() {
            Weekday::Sat => self.saturday,
            Weekday::Sun => self.sunday,
            _ => self.weekdays,
        }
    }
}

/// Numbers that have the same hours.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// The window must be open in each of them.
    zones: Vec<Tz>,
    /// The rules of all of them hold in all zones.
    states: Vec<StateHours>,
    is_known: bool,
}

/// Why a text waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum WaitReason {
    /// It is night at the recipient's place: before 8:00 or after 21:00, or in the site's own quiet hours.
    QuietHours,
    /// The recipient's state allows no texts at this time of this day.
    StateHours,
    /// The place of the number is not known: it gets texts from 14:00 to 18:00 Eastern time, Monday to Friday.
    UnknownAreaCode,
    /// The day's budget for welcome texts is used up.
    DailyBudget,
    /// The provider did not take it, and it is sent again.
    Retry,
}

impl WaitReason {
    /// The name in responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Until when a text waits, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// When it may be sent.
    pub until: DateTime<Utc>,
    /// Why it may not be sent now.
    pub reason: WaitReason,
}

/// The site's quiet hours leave no time for the numbers of an area code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no text could be sent to {0}")]
pub struct NeverOpen(pub String);

/// When each number may get campaign, welcome and winner texts: in the hours that federal law, the site's quiet hours and the
/// rules of the recipient's state leave open, in every time zone of the area code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientHours {
    quiet: Option<QuietHours>,
    /// Of numbers outside of North America: the site's time zone.
    abroad: Place,
    /// Of numbers whose area code is not in the table, or belongs to no area.
    unknown: Place,
    areas: Vec<Place>,
    /// By area code, such as `212`: the number of its place in `areas`.
    by_area_code: HashMap<&'static str, usize>,
}

/// Which place a number belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum PlaceOf {
    Abroad,
    Unknown,
    Area(usize),
}

impl RecipientHours {
    /// The hours with these quiet hours of the site. Numbers outside of North America follow the clock of `site`.
    ///
    /// # Errors
    /// [`NeverOpen`] if some numbers could never get a text.
    pub fn new(quiet: Option<QuietHours>, site: Tz) -> Result<Self, NeverOpen> {
        let all_states: Vec<StateHours> = STATE_HOURS
            .lines()
            .skip(1)
            .filter_map(StateHours::parse)
            .collect();
        let at_clock_of = |zone, is_known| Place {
            zones: vec![zone],
            states: Vec::new(),
            is_known,
        };
        let (mut areas, mut by_area_code) = (Vec::new(), HashMap::new());
        for area in area_codes() {
            let zones: Vec<Tz> = area
                .zones
                .split(';')
                .filter_map(|zone| zone.parse().ok())
                .collect();
            if zones.is_empty() {
                continue; // toll-free and personal numbers
            }
            let is_here = |state: &&StateHours| area.states.split(';').any(|name| name == state.state);
            let place = Place {
                zones,
                states: all_states.iter().filter(is_here).cloned().collect(),
                is_known: true,
            };
            let index = areas
                .iter()
                .position(|other| *other == place)
                .unwrap_or(areas.len());
            if index == areas.len() {
                areas.push(place);
            }
            by_area_code.insert(area.code, index);
        }
        let hours = Self {
            quiet,
            abroad: at_clock_of(site, true),
            unknown: at_clock_of(EASTERN, false),
            areas,
            by_area_code,
        };
        hours.check()?;
        Ok(hours)
    }

    /// When a number may get a text, if it may not get one now.
    pub fn wait(&self, phone: &Phone, now: DateTime<Utc>) -> Option<Wait> {
        self.wait_at(self.place_of(phone), now)
    }

    /// The same for a number at the clock of the site.
    pub fn wait_at_site(&self, now: DateTime<Utc>) -> Option<Wait> {
        self.wait_at(PlaceOf::Abroad, now)
    }

    /// Whether a number could have got a text for as long as `long` since `since`. Exact to a quarter of an hour.
    pub fn was_open_for(
        &self,
        phone: &Phone,
        since: DateTime<Utc>,
        now: DateTime<Utc>,
        long: TimeDelta,
    ) -> bool {
        if now - since < long {
            return false;
        }
        let place = self.place(self.place_of(phone));
        let mut open = TimeDelta::zero();
        let mut at = since;
        while at < now && open < long {
            if self.is_open(place, at) {
                open += QUARTER;
            }
            at += QUARTER;
        }
        open >= long
    }

    fn place_of(&self, phone: &Phone) -> PlaceOf {
        let Some(national) = phone.as_e164().strip_prefix(NORTH_AMERICA) else {
            return PlaceOf::Abroad;
        };
        let area = national.get(..3).and_then(|code| self.by_area_code.get(code));
        area.map_or(PlaceOf::Unknown, |area| PlaceOf::Area(*area))
    }

    fn place(&self, of: PlaceOf) -> &Place {
        match of {
            PlaceOf::Abroad => &self.abroad,
            PlaceOf::Unknown => &self.unknown,
            PlaceOf::Area(area) => self.areas.get(area).unwrap_or(&self.unknown),
        }
    }

    fn wait_at(&self, of: PlaceOf, now: DateTime<Utc>) -> Option<Wait> {
        let place = self.place(of);
        if self.is_open(place, now) && self.is_open(place, now + MARGIN) {
            return None;
        }
        Some(Wait {
            until: self.opens_at(place, now).unwrap_or(now + HORIZON),
            reason: self.reason(place, now),
        })
    }

    /// The next minute in which texts may be sent and after which they may still be.
    fn opens_at(&self, place: &Place, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let first = now.duration_trunc(MINUTE).ok()? + MINUTE;
        let minutes = (0..HORIZON.num_minutes()).map(|minutes| first + TimeDelta::minutes(minutes));
        let mut open = minutes.filter(|minute| self.is_open(place, *minute));
        open.find(|minute| self.is_open(place, *minute + MARGIN))
    }

    fn is_open(&self, place: &Place, at: DateTime<Utc>) -> bool {
        self.is_day(place, at) && Self::states_allow(place, at)
    }

    /// Whether it is day in every zone of the place, for the law and for the site.
    fn is_day(&self, place: &Place, at: DateTime<Utc>) -> bool {
        place.zones.iter().all(|zone| {
            let local = at.with_timezone(zone);
            let minute = minute_of(&local);
            let is_weekend = matches!(local.weekday(), Weekday::Sat | Weekday::Sun);
            let hours = if place.is_known { FEDERAL } else { UNKNOWN };
            hours.contains(minute)
                && (place.is_known || !is_weekend)
                && !self.quiet.is_some_and(|quiet| quiet.contains(minute))
        })
    }

    fn states_allow(place: &Place, at: DateTime<Utc>) -> bool {
        place.zones.iter().all(|zone| {
            let local = at.with_timezone(zone);
            let (day, minute) = (local.date_naive(), minute_of(&local));
            place.states.iter().all(|state| state.on(day).contains(minute))
        })
    }

    fn reason(&self, place: &Place, now: DateTime<Utc>) -> WaitReason {
        if !place.is_known {
            return WaitReason::UnknownAreaCode;
        }
        match self.is_day(place, now) && self.is_day(place, now + MARGIN) {
            true => WaitReason::StateHours,
            false => WaitReason::QuietHours,
        }
    }

    /// Every place must open, in winter and in summer.
    fn check(&self) -> Result<(), NeverOpen> {
        let never_opens = |place: &Place| {
            let seasons = ["2026-01-15T00:00:00Z", "2026-07-15T00:00:00Z"];
            let mut seasons = seasons.iter().filter_map(|text| text.parse().ok());
            seasons.any(|season| self.opens_at(place, season).is_none())
        };
        if never_opens(&self.abroad) {
            return Err(NeverOpen("numbers outside of North America".to_owned()));
        }
        if never_opens(&self.unknown) {
            return Err(NeverOpen("numbers of unknown area codes".to_owned()));
        }
        let Some(area) = self.areas.iter().position(never_opens) else {
            return Ok(());
        };
        let of_area = self.by_area_code.iter().filter(|(_, at)| **at == area);
        let first = of_area.map(|(code, _)| *code).min().unwrap_or_default();
        Err(NeverOpen(format!("area code {first}")))
    }
}

fn minute_of(local: &impl Timelike) -> u32 {
    local.hour() * 60 + local.minute()
}

/// The hours of recipients at one moment. It remembers each place that it was asked about, because many recipients of a
/// campaign live in the same place.
#[derive(Debug)]
pub struct HoursNow<'a> {
    hours: &'a RecipientHours,
    now: DateTime<Utc>,
    waits: RefCell<HashMap<PlaceOf, Option<Wait>>>,
}

impl<'a> HoursNow<'a> {
    /// The hours at this moment, which is the database's.
    pub fn new(hours: &'a RecipientHours, now: DateTime<Utc>) -> Self {
        Self {
            hours,
            now,
            waits: RefCell::default(),
        }
    }

    /// When a number may get a text, if it may not get one now.
    pub fn wait(&self, phone: &Phone) -> Option<Wait> {
        let place = self.hours.place_of(phone);
        let mut waits = self.waits.borrow_mut();
        *waits
            .entry(place)
            .or_insert_with(|| self.hours.wait_at(place, self.now))
    }

    /// As [`RecipientHours::was_open_for`], until this moment.
    pub fn was_open_for(&self, phone: &Phone, since: DateTime<Utc>, long: TimeDelta) -> bool {
        self.hours.was_open_for(phone, since, self.now, long)
    }
}

#[cfg(test)]
mod tests;
