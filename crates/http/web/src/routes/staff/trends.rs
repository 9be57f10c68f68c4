//! Views and sign-ups over time, by hour or day in the site's time zone.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::query::{DateRangeQuery, Days, Params, start_of_day};
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use analytics::{DateRange, Trends, TrendsRow};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use raffle::RaffleKey;
use serde::Serialize;
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); trends::<S>]
}

/// Figures over time.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrendsView {
    #[schema(example = "America/New_York")]
    time_zone: String,
    unit: UnitView,
    /// The beginning of each bucket.
    buckets: Vec<DateTime<Utc>>,
    /// The raffles that were ever open.
    raffles: Vec<RaffleTrendView>,
    /// How many entrants brought their first friend within a time, over all time.
    velocity: Vec<VelocityView>,
}

/// The length of a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UnitView {
    Hour,
    Day,
}

/// A raffle's figures, one for each bucket.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleTrendView {
    landing_page: LandingPageView,
    /// Views of its sign-up page.
    views: Vec<i64>,
    /// Entrants.
    sign_ups: Vec<i64>,
}

/// A bar of the histogram of first referrals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VelocityView {
    /// The upper limit in seconds; null for the last bar.
    #[schema(required)]
    under_seconds: Option<i64>,
    referrers: i64,
}

/// Gets views and sign-ups, by hour for up to two days and by day for more. Without dates: the last 30 days.
#[utoipa::path(get, path = "/api/admin/analytics/trends", operation_id = "get_trends")]
pub(crate) async fn trends<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params(days): Params<DateRangeQuery>,
) -> Result<Json<TrendsView>, ApiError> {
    let zone = admin.state().time_zone;
    let today = admin.state().clock.now().with_timezone(&zone).date_naive();
    let parts = Parts::read(days, today, zone)?;
    let range = parts.range;
    let trends = admin
        .run(move |call| usecases::analytics::trends(call.store, zone, &range))
        .await?;
    Ok(Json(parts.view(&trends, zone)))
}

/// The longest range in days.
const MAX_DAYS: i64 = 1100;
/// The range without dates, in days.
const USUAL_DAYS: i64 = 30;
/// The longest range that is shown by hour, in days.
const DAYS_BY_HOUR: i64 = 2;

/// A range of days, cut into buckets.
struct Parts {
    range: DateRange,
    unit: UnitView,
    starts: Vec<DateTime<Utc>>,
}

impl Parts {
    fn read(days: Days, today: NaiveDate, zone: Tz) -> Result<Self, ApiError> {
        let usual = TimeDelta::days(USUAL_DAYS - 1);
        let last = days
            .last
            .unwrap_or_else(|| days.first.map_or(today, |first| first.max(today)));
        let first = days
            .first
            .or_else(|| last.checked_sub_signed(usual))
            .unwrap_or(last);
        let count = (last - first).num_days() + 1;
        if count > MAX_DAYS {
            return Err(ApiError::field(
                "startDate",
                "Must be at most three years before the end date",
            ));
        }
        Ok(Self::cut(first, count, zone))
    }

    fn cut(first: NaiveDate, count: i64, zone: Tz) -> Self {
        let days = first.iter_days().map(|day| start_of_day(day, zone));
        // One more than the days: the end of the last one.
        let mut starts: Vec<_> = days.take(usize::try_from(count + 1).unwrap_or(0)).collect();
        let from = starts.first().copied().unwrap_or_default();
        let until = starts.pop().unwrap_or_default();
        let unit = if count <= DAYS_BY_HOUR {
            UnitView::Hour
        } else {
            UnitView::Day
        };
        if unit == UnitView::Hour {
            let hours = (0..).map(|hour| from + TimeDelta::hours(hour));
            starts = hours.take_while(|start| *start < until).collect();
        }
        Self {
            range: DateRange { from, until },
            unit,
            starts,
        }
    }

    fn view(self, trends: &Trends, zone: Tz) -> TrendsView {
        let raffles = trends.raffles.iter().map(|&landing_page| RaffleTrendView {
            landing_page: landing_page.into(),
            views: self.series(trends, landing_page, |row| row.views),
            sign_ups: self.series(trends, landing_page, |row| row.sign_ups),
        });
        let velocity = trends.velocity.iter().map(|part| VelocityView {
            under_seconds: part.under,
            referrers: part.referrers,
        });
        TrendsView {
            time_zone: zone.name().to_owned(),
            unit: self.unit,
            raffles: raffles.collect(),
            velocity: velocity.collect(),
            buckets: self.starts,
        }
    }

    fn series(&self, trends: &Trends, raffle: RaffleKey, figure: fn(&TrendsRow) -> i64) -> Vec<i64> {
        let mut sums = vec![0; self.starts.len()];
        for row in trends.rows.iter().filter(|row| row.raffle == raffle) {
            let part = self
                .starts
                .partition_point(|start| *start <= row.hour)
                .checked_sub(1);
            if let Some(sum) = part.and_then(|part| sums.get_mut(part)) {
                *sum += figure(row);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};

    #[test]
    fn days_have_23_to_25_hours_when_clocks_change() {
        let hours = |day: &str, count| {
            let parts = Parts::cut(day.parse().unwrap(), count, Tz::America__New_York);
            (parts.starts.len(), parts.unit == UnitView::Hour)
        };
        assert_eq!(hours("2025-08-01", 1), (24, true));
        assert_eq!(hours("2025-03-09", 1), (23, true));
        assert_eq!(hours("2025-11-02", 1), (25, true));
        assert_eq!(hours("2025-03-08", 3), (3, false));
    }

    #[test]
    fn hours_add_up_to_their_bucket() {
        let parts = Parts::cut("2025-03-08".parse().unwrap(), 3, Tz::America__New_York);
        let row = |hour: &str, views| TrendsRow {
            hour: hour.parse().unwrap(),
            raffle: FRESH_SIPS,
            views,
            sign_ups: 1,
        };
        let trends = Trends {
            raffles: Vec::new(),
            rows: vec![
                row("2025-03-08T05:00:00Z", 1),
                row("2025-03-09T04:00:00Z", 2),
                row("2025-03-09T05:00:00Z", 4),
                row("2025-03-11T03:00:00Z", 8),
            ],
            velocity: Vec::new(),
        };
        let views = parts.series(&trends, FRESH_SIPS, |row| row.views);
        assert_eq!(views, [3, 4, 8]);
        assert_eq!(parts.series(&trends, GARDEN_BAG, |row| row.views), [0, 0, 0]);
    }
}
