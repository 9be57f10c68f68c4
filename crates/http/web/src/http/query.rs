//! Parameters of queries, and those that several routes share: `?limit=&offset=` for lists, `?sort=&order=` for sorted lists,
//! `?startDate=&endDate=` for ranges of days, a search, a raffle.

use crate::ApiError;
use crate::http::description::{Describe, Description};
use crate::http::field::{Field, FieldSchema, FieldType, ReadByName, number, optional, text};
use crate::http::field_names::names_of;
use crate::http::fields::{All, FieldErrors, Messages, field_errors, message, rule_about};
use crate::http::names::Named;
use actix_web::dev::Payload;
use actix_web::web::Query;
use actix_web::{FromRequest, HttpRequest};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::{GapInfo, Tz};
use kernel::{PageRequest, SortOrder, TextSearch};
use raffle::RaffleKey;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sms::Label;
use std::borrow::Cow;
use std::future::{Ready, ready};
use strum::{EnumIter, EnumString, IntoStaticStr};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{KnownFormat, SchemaFormat};
use utoipa::openapi::{Ref, Required};
use validator::{Validate, ValidationError};

/// Parameters of a query that belong together. Each is declared like a field of a body ([`crate::http::field`]), with
/// `#[param(inline)]` unless the description names its type.
pub(crate) trait QueryType: DeserializeOwned + Validate + IntoParams {
    /// What they mean.
    type Value;

    /// What they mean, once nothing is wrong with them.
    ///
    /// # Errors
    /// As [`Field::value`].
    fn value(self) -> Result<Self::Value, ApiError>;
}

/// The parameters of a call: a [`QueryType`], or a tuple of them.
pub(crate) trait Parameters {
    type Value;

    /// # Errors
    /// 400 without fields if the text is no query, and otherwise what is wrong with each parameter.
    fn read(query: &str) -> Result<Result<Self::Value, FieldErrors>, ApiError>;

    fn describe(call: &mut Description);
}

impl<Q: QueryType> Parameters for Q {
    type Value = Q::Value;

    fn read(query: &str) -> Result<Result<Q::Value, FieldErrors>, ApiError> {
        let Ok(Query(read)) = Query::<Q>::from_query(query) else {
            return Err(ApiError::malformed("The query string cannot be read."));
        };
        match read.validate() {
            Ok(()) => read.value().map(Ok),
            Err(errors) => Ok(Err(field_errors(&errors, names_of::<Q>()))),
        }
    }

    fn describe(call: &mut Description) {
        for parameter in Q::into_params(|| Some(ParameterIn::Query)) {
            call.parameter(parameter);
        }
    }
}

impl<A: QueryType, B: QueryType> Parameters for (A, B) {
    type Value = (A::Value, B::Value);

    fn read(query: &str) -> Result<Result<Self::Value, FieldErrors>, ApiError> {
        Ok((A::read(query)?, B::read(query)?).all())
    }

    fn describe(call: &mut Description) {
        A::describe(call);
        B::describe(call);
    }
}

impl<A: QueryType, B: QueryType, C: QueryType> Parameters for (A, B, C) {
    type Value = (A::Value, B::Value, C::Value);

    fn read(query: &str) -> Result<Result<Self::Value, FieldErrors>, ApiError> {
        Ok((A::read(query)?, B::read(query)?, C::read(query)?).all())
    }

    fn describe(call: &mut Description) {
        A::describe(call);
        B::describe(call);
        C::describe(call);
    }
}

/// What the parameters of the query mean. All that is wrong with them is told together.
pub(crate) struct Params<P: Parameters>(pub(crate) P::Value);

impl<P: Parameters> FromRequest for Params<P> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let read = P::read(request.query_string());
        ready(read.and_then(|value| Ok(Self(value?))))
    }
}

impl<P: Parameters> Describe for Params<P> {
    fn describe(call: &mut Description) {
        P::describe(call);
    }
}

/// The raffle to show.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LandingPageQuery {
    /// Only of this raffle; without it, or with `all`, of all raffles.
    #[validate(nested)]
    landing_page: Option<RaffleFilterField>,
}

impl QueryType for LandingPageQuery {
    type Value = Option<RaffleKey>;

    fn value(self) -> Result<Option<RaffleKey>, ApiError> {
        raffle_filter(self.landing_page)
    }
}

/// Which part of the list. Without both, the whole up to 500 rows.
#[derive(Deserialize, Validate, IntoParams)]
pub(crate) struct PageQuery {
    /// The maximum number of rows, 1 to 500.
    #[param(inline)]
    #[validate(nested)]
    limit: Option<LimitField>,
    /// Rows to skip.
    #[param(inline)]
    #[validate(nested)]
    offset: Option<OffsetField>,
}

impl QueryType for PageQuery {
    type Value = PageRequest;

    fn value(self) -> Result<PageRequest, ApiError> {
        let whole = PageRequest::default();
        Ok(PageRequest {
            limit: optional(self.limit)?.map_or(whole.limit, |limit| limit.0),
            offset: optional(self.offset)?.map_or(whole.offset, |offset| offset.0),
        })
    }
}

type LimitField = Field<Whole<1, { PageRequest::MAX_LIMIT }>>;
pub(crate) type OffsetField = Field<Whole<0, { i32::MAX as u32 }>>;

/// A whole number within bounds, as a query has it.
pub(crate) struct Whole<const LEAST: u32, const MOST: u32>(pub(crate) u32);

impl<const LEAST: u32, const MOST: u32> FieldType for Whole<LEAST, MOST> {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        let number = sent.parse().ok().filter(|n| (LEAST..=MOST).contains(n));
        let refusal = || message(format!("Must be a whole number from {LEAST} to {MOST}"));
        number.map(Self).ok_or_else(refusal)
    }

    fn describe() -> FieldSchema {
        let number = number(KnownFormat::Int32)
            .minimum(Some(LEAST))
            .maximum(Some(MOST));
        number.into()
    }
}

/// How a list is sorted: by one of the fields that `S` lists, or by its default.
#[derive(Deserialize, Validate)]
#[serde(bound = "")]
pub(crate) struct Sorting<S: ReadByName + Default> {
    #[validate(nested)]
    sort: Option<Field<S>>,
    #[validate(nested)]
    order: Option<DirectionField>,
}

impl<S: ReadByName + Default> QueryType for Sorting<S> {
    type Value = (S, SortOrder);

    fn value(self) -> Result<(S, SortOrder), ApiError> {
        let sort = optional(self.sort)?.unwrap_or_default();
        let order = match optional(self.order)? {
            Some(Direction::Asc) => SortOrder::Ascending,
            Some(Direction::Desc) | None => SortOrder::Descending,
        };
        Ok((sort, order))
    }
}

impl<S: ReadByName + Default> IntoParams for Sorting<S> {
    fn into_params(parameter_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let usual: &'static str = S::default().into();
        let parameter = |name: &str, meaning: String, schema: &str| {
            let parameter = ParameterBuilder::new()
                .name(name)
                .parameter_in(parameter_in().unwrap_or_default())
                .required(Required::False)
                .description(Some(meaning))
                .schema(Some(Ref::from_schema_name(schema)));
            parameter.build()
        };
        let by = format!("The field to sort by; `{usual}` without it.");
        let direction = "The direction; `desc` without it.".to_owned();
        vec![
            parameter("sort", by, S::VIEW),
            parameter("order", direction, Direction::VIEW),
        ]
    }
}

/// The directions of sorting.
#[derive(Clone, Copy, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Direction {
    Asc,
    Desc,
}

pub(crate) type DirectionField = Field<Direction>;

impl Named for Direction {
    const VIEW: &'static str = "SortOrderView";
    const ABOUT: Option<&'static str> = Some("The directions of sorting.");
}

impl ReadByName for Direction {
    const REFUSAL: &'static str = "Must be asc or desc";
}

/// The text that a list is searched for; nothing when there is none.
pub(crate) struct SearchLabel(pub(crate) Option<Label>);

impl FieldType for SearchLabel {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        let text = sent.trim();
        if text.is_empty() {
            return Ok(Self(None));
        }
        let refusal = || {
            message(format!(
                "Must be one line of at most {} characters",
                Label::MAX_CHARS
            ))
        };
        let label = Label::parse(text).ok_or_else(refusal)?;
        Ok(Self(Some(label)))
    }

    fn describe() -> FieldSchema {
        text().max_length(Some(Label::MAX_CHARS)).into()
    }
}

pub(crate) type SearchField = Field<SearchLabel>;

/// What a list is searched for.
///
/// # Errors
/// As [`Field::value`].
pub(crate) fn search_label(search: Option<SearchField>) -> Result<Option<Label>, ApiError> {
    Ok(optional(search)?.and_then(|search| search.0))
}

/// What a list with phone numbers is searched for.
///
/// # Errors
/// As [`Field::value`].
pub(crate) fn text_search(search: Option<SearchField>) -> Result<Option<TextSearch>, ApiError> {
    let label = search_label(search)?;
    Ok(label.map(|label| TextSearch::new(label.into())))
}

/// The raffle of a list: none, or `all`, is every raffle.
pub(crate) struct RaffleFilter(Option<RaffleKey>);

impl FieldType for RaffleFilter {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        match sent.as_str() {
            "" | "all" => Ok(Self(None)),
            _ => RaffleKey::read(sent).map(|raffle| Self(Some(raffle))),
        }
    }

    fn describe() -> FieldSchema {
        RaffleKey::describe()
    }

    fn name() -> Cow<'static, str> {
        <RaffleKey as FieldType>::name()
    }
}

pub(crate) type RaffleFilterField = Field<RaffleFilter>;

/// The raffle of a list.
///
/// # Errors
/// As [`Field::value`].
pub(crate) fn raffle_filter(raffle: Option<RaffleFilterField>) -> Result<Option<RaffleKey>, ApiError> {
    Ok(optional(raffle)?.and_then(|raffle| raffle.0))
}

/// True or false, as a query has it; nothing for an empty text.
pub(crate) struct Flag(Option<bool>);

impl FieldType for Flag {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        match sent.as_str() {
            "" => Ok(Self(None)),
            "true" => Ok(Self(Some(true))),
            "false" => Ok(Self(Some(false))),
            _ => Err(message("Must be true or false")),
        }
    }

    fn describe() -> FieldSchema {
        bool::describe()
    }
}

pub(crate) type FlagField = Field<Flag>;

/// Whether it is true or false.
///
/// # Errors
/// As [`Field::value`].
pub(crate) fn flag(flag: Option<FlagField>) -> Result<Option<bool>, ApiError> {
    Ok(optional(flag)?.and_then(|flag| flag.0))
}

/// A range of days in the site's time zone, both inclusive.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
#[validate(schema(function = first_day_first))]
pub(crate) struct DateRangeQuery {
    /// The first day; from the beginning without it.
    #[param(inline, example = "2025-08-01")]
    #[validate(nested)]
    start_date: Option<DayField>,
    /// The last day; until now without it.
    #[param(inline, example = "2025-08-31")]
    #[validate(nested)]
    end_date: Option<DayField>,
}

fn first_day_first(range: &DateRangeQuery) -> Result<(), ValidationError> {
    match (&range.start_date, &range.end_date) {
        (Some(Field::Value(Day(first))), Some(Field::Value(Day(last)))) if first > last => {
            rule_about::<()>("startDate", Err(message("Must not be after the end date")))
        }
        _ => Ok(()),
    }
}

/// The days from the first to the last, both inclusive. Without a day, the range is open at that end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Days {
    pub(crate) first: Option<NaiveDate>,
    pub(crate) last: Option<NaiveDate>,
}

impl QueryType for DateRangeQuery {
    type Value = Days;

    fn value(self) -> Result<Days, ApiError> {
        Ok(Days {
            first: optional(self.start_date)?.map(|day| day.0),
            last: optional(self.end_date)?.map(|day| day.0),
        })
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
struct Day(NaiveDate);

type DayField = Field<Day>;

impl FieldType for Day {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        let day = NaiveDate::parse_from_str(&sent, "%Y-%m-%d").ok();
        let day = day.filter(|day| day.year() >= 1 && day.to_string() == sent);
        day.map(Self)
            .ok_or_else(|| message("Must be a date such as 2025-08-01"))
    }

    fn describe() -> FieldSchema {
        text()
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn range(start: Option<&str>, end: Option<&str>) -> Result<Days, FieldErrors> {
        let parts = [("startDate", start), ("endDate", end)];
        let parts = parts.iter().filter_map(|(name, text)| Some((*name, (*text)?)));
        let query = parts.map(|(name, text)| format!("{name}={}", text.replace('+', "%2B")));
        let query = query.collect::<Vec<_>>().join("&");
        DateRangeQuery::read(&query).unwrap()
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
