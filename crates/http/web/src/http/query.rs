//! Query parameters that several routes share: `?limit=&offset=` for lists, `?sort=&order=` for sorted lists,
//! `?startDate=&endDate=` for ranges of days.

use crate::http::fields::{All, FieldErrors, Messages, field, message};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::{GapInfo, Tz};
use kernel::{PageRequest, SortOrder, TextSearch};
use serde::Deserialize;
use sms::Label;
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

/// Which part of the list. Without both, the whole up to 500 rows.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// The maximum number of rows, 1 to 500.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<String>,
    /// Rows to skip.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 2147483647)]
    offset: Option<String>,
}

impl PageQuery {
    pub(crate) fn page(&self) -> Result<PageRequest, FieldErrors> {
        let whole = PageRequest::default();
        let limit = read_number(self.limit.as_deref(), 1, PageRequest::MAX_LIMIT, whole.limit);
        let offset = read_number(self.offset.as_deref(), 0, i32::MAX as u32, whole.offset);
        let (limit, offset) = (field("limit", limit), field("offset", offset)).all()?;
        Ok(PageRequest { limit, offset })
    }
}

/// A whole number within bounds, or `absent` without one.
pub(crate) fn read_number(text: Option<&str>, least: u32, most: u32, absent: u32) -> Result<u32, Messages> {
    let Some(text) = text else { return Ok(absent) };
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| message(format!("Must be a whole number from {least} to {most}")))
}

/// The directions of sorting.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "for the description only; it is read as text")]
pub(crate) enum SortOrderView {
    Asc,
    Desc,
}

/// Reads `sort` and `order` of a list.
///
/// # Errors
/// Which of the two has a value that the list does not have.
pub(crate) fn read_sorting<S: Default + FromStr>(
    sort: Option<&str>,
    order: Option<&str>,
    refusal: &str,
) -> Result<(S, SortOrder), FieldErrors> {
    let sort = sort.map_or_else(|| Ok(S::default()), str::parse);
    let sort = sort.map_err(|_| message(refusal));
    (field("sort", sort), field("order", read_order(order))).all()
}

fn read_order(name: Option<&str>) -> Result<SortOrder, Messages> {
    match name {
        None | Some("desc") => Ok(SortOrder::Descending),
        Some("asc") => Ok(SortOrder::Ascending),
        Some(_) => Err(message("Must be asc or desc")),
    }
}

/// The text that a list is searched for; `None` when there is none.
pub(crate) fn read_search(text: Option<&str>) -> Result<Option<Label>, Messages> {
    let text = text.unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    match Label::parse(text) {
        Some(label) => Ok(Some(label)),
        None => Err(message(format!(
            "Must be one line of at most {} characters",
            Label::MAX_CHARS
        ))),
    }
}

/// The text that a list with phone numbers is searched for; `None` when there is none.
pub(crate) fn read_text_search(text: Option<&str>) -> Result<Option<TextSearch>, Messages> {
    let label = read_search(text)?;
    Ok(label.map(|label| TextSearch::new(label.into())))
}

/// A range of days in the site's time zone, both inclusive.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DateRangeQuery {
    /// The first day; from the beginning without it.
    #[param(value_type = Option<String>, format = Date, example = "2025-08-01")]
    start_date: Option<String>,
    /// The last day; until now without it.
    #[param(value_type = Option<String>, format = Date, example = "2025-08-31")]
    end_date: Option<String>,
}

/// The days from the first to the last, both inclusive. Without a day, the range is open at that end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Days {
    pub(crate) first: Option<NaiveDate>,
    pub(crate) last: Option<NaiveDate>,
}

impl DateRangeQuery {
    pub(crate) fn days(&self) -> Result<Days, FieldErrors> {
        let first = field("startDate", read_day(self.start_date.as_deref()));
        let last = field("endDate", read_day(self.end_date.as_deref()));
        let (first, last) = (first, last).all()?;
        match (first, last) {
            (Some(first), Some(last)) if first > last => {
                field("startDate", Err(message("Must not be after the end date")))
            }
            _ => Ok(Days { first, last }),
        }
    }
}

impl Days {
    /// The beginning of the first day.
    pub(crate) fn from(self, zone: Tz) -> Option<DateTime<Utc>> {
        self.first.map(|day| start_of_day(day, zone))
    }

    /// The end of the last day.
    pub(crate) fn until(self, zone: Tz) -> Option<DateTime<Utc>> {
        let day_after = self.last?.succ_opt()?;
        Some(start_of_day(day_after, zone))
    }
}

/// The first moment of a day. Where clocks go forward at midnight, it is later than midnight on the clock; where they go
/// back, it is the first of two midnights.
pub(crate) fn start_of_day(day: NaiveDate, zone: Tz) -> DateTime<Utc> {
    let midnight = day.and_time(NaiveTime::MIN);
    let first = zone
        .from_local_datetime(&midnight)
        .earliest()
        .or_else(|| GapInfo::new(&midnight, &zone)?.end);
    first.map_or_else(|| midnight.and_utc(), |moment| moment.to_utc())
}

/// `YYYY-MM-DD` with all its digits.
fn read_day(text: Option<&str>) -> Result<Option<NaiveDate>, Messages> {
    let Some(text) = text else { return Ok(None) };
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    match day.filter(|day| day.year() >= 1 && day.to_string() == text) {
        Some(day) => Ok(Some(day)),
        None => Err(message("Must be a date such as 2025-08-01")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn range(start: Option<&str>, end: Option<&str>) -> Result<Days, FieldErrors> {
        let query = DateRangeQuery {
            start_date: start.map(str::to_owned),
            end_date: end.map(str::to_owned),
        };
        query.days()
    }

    #[test]
    fn both_days_are_within_the_range() {
        let days = range(Some("2025-08-01"), Some("2025-08-01")).unwrap();
        let zone = chrono_tz::America::New_York;
        assert_eq!(days.from(zone).unwrap().to_rfc3339(), "2025-08-01T04:00:00+00:00");
        assert_eq!(
            days.until(zone).unwrap().to_rfc3339(),
            "2025-08-02T04:00:00+00:00"
        );
        assert_eq!(range(None, None).unwrap(), Days::default());
    }

    #[test]
    fn a_wrong_date_or_order_of_dates_is_reported_by_field() {
        let fields = |start, end| match range(start, end) {
            Err(FieldErrors(fields)) => fields.into_keys().collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        for wrong in [
            "",
            "today",
            "2025-8-1",
            "2025-02-30",
            "+2025-08-01",
            "2025-08-01T00:00:00Z",
            " 2025-08-01",
            "12025-08-01",
            "-001-08-01",
            "0000-01-01",
        ] {
            assert_eq!(fields(Some(wrong), None), ["startDate"], "{wrong}");
            assert_eq!(fields(None, Some(wrong)), ["endDate"], "{wrong}");
        }
        assert_eq!(fields(Some("x"), Some("y")), ["endDate", "startDate"]);
        assert_eq!(fields(Some("2025-08-02"), Some("2025-08-01")), ["startDate"]);
    }

    #[test]
    fn a_day_begins_at_midnight_of_its_zone_even_when_clocks_change() {
        let cases = [
            // Clocks change at night, after midnight.
            (
                chrono_tz::America::New_York,
                "2025-03-09",
                "2025-03-09T05:00:00+00:00",
            ),
            (
                chrono_tz::America::New_York,
                "2025-03-10",
                "2025-03-10T04:00:00+00:00",
            ),
            // Clocks went forward at midnight: the day began at 01:00.
            (
                chrono_tz::America::Sao_Paulo,
                "2018-11-04",
                "2018-11-04T03:00:00+00:00",
            ),
            // Clocks went back at midnight to 23:00: the day began once, after the repeated hour.
            (
                chrono_tz::America::Sao_Paulo,
                "2018-02-18",
                "2018-02-18T03:00:00+00:00",
            ),
            // Clocks went back at 01:00 to midnight: it was midnight twice.
            (
                chrono_tz::America::Havana,
                "2025-11-02",
                "2025-11-02T04:00:00+00:00",
            ),
            // A day that was skipped: it begins and ends where the next one begins.
            (
                chrono_tz::Pacific::Apia,
                "2011-12-30",
                "2011-12-30T10:00:00+00:00",
            ),
            (
                chrono_tz::Pacific::Apia,
                "2011-12-31",
                "2011-12-30T10:00:00+00:00",
            ),
        ];
        for (zone, text, expected) in cases {
            assert_eq!(
                start_of_day(day(text), zone).to_rfc3339(),
                expected,
                "{zone} {text}"
            );
        }
    }

    #[test]
    fn the_last_possible_day_has_an_end() {
        let days = range(None, Some("9999-12-31")).unwrap();
        assert_eq!(
            days.until(Tz::UTC).unwrap().to_rfc3339(),
            "+10000-01-01T00:00:00+00:00"
        );
    }
}
