//! The official rules and their versions.

use super::Store;
use crate::http::conditional::changing_json;
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::drawing_views::DrawingStatusView;
use crate::routes::raffle_views::KitItemView;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use drawing::rules::{Rules, RulesHead};
use drawing::steps::DrawingState;
use drawing::{DrawingPrize, Period};
use raffle::Version;
use serde::Serialize;
use usecases::drawings::PromisedPrize;
use usecases::rules::{CurrentRules, FindRulesError};
use utoipa::ToSchema;

pub(super) fn routes<S: Store>() -> Routes {
    routes![Some(Limit::Reads); current_rules::<S>, find_rules::<S>]
}

impl From<FindRulesError> for ApiError {
    fn from(error: FindRulesError) -> Self {
        match error {
            FindRulesError::UnknownRules => Self::not_found(),
            FindRulesError::Store(error) => error.into(),
        }
    }
}

/// A version of the official rules.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RulesView {
    #[serde(flatten)]
    head: RulesVersionView,
    /// Paragraphs that an empty line separates. One that begins with `#` or `##` is a heading; each line of a list begins with
    /// `-`.
    text: String,
}

/// What is known of a version of the official rules besides its text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RulesVersionView {
    /// Its number, from 1.
    version: u32,
    /// The first month for which it counts.
    #[schema(example = "2026-11")]
    from_period: String,
    /// When it was stored.
    created_at: DateTime<Utc>,
    /// The SHA-256 of the bytes of its text in UTF-8, in hexadecimal digits.
    hash: String,
}

/// The official rules of this month.
#[derive(Serialize, ToSchema)]
pub(crate) struct CurrentRulesView {
    #[serde(flatten)]
    rules: RulesView,
    /// All versions, the newest first. Those that begin with a later month do not count yet.
    versions: Vec<RulesVersionView>,
    /// What can be won in each raffle that is open or still has a regular drawing to come, in the order in which raffles are
    /// shown.
    prizes: Vec<PromisedPrizeView>,
}

/// What can be won in a raffle in a month: what the announcement of its regular drawing says, or before it the version in force.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromisedPrizeView {
    landing_page: LandingPageView,
    /// The month that the drawing belongs to.
    #[schema(example = "2026-11")]
    period: String,
    /// The regular drawing of the month, once it is announced.
    #[schema(required)]
    drawing: Option<AnnouncedDrawingView>,
    #[serde(flatten)]
    prize: FullPrizeView,
    /// Since when the version counts that promises it.
    counts_from: DateTime<Utc>,
    /// Entries from before this time take part. `null` while staff have not announced the drawing, and where its announcement
    /// names no time: entries count until the list is frozen.
    #[schema(required)]
    cut_off: Option<DateTime<Utc>>,
    /// The prize that is published for a later month, if there is another one.
    #[schema(required)]
    next: Option<NextPrizeView>,
}

/// A drawing that is announced, and how far it is.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnnouncedDrawingView {
    id: i64,
    status: DrawingStatusView,
}

/// The prize of a later month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NextPrizeView {
    #[serde(flatten)]
    prize: FullPrizeView,
    /// From when on it counts.
    counts_from: DateTime<Utc>,
}

/// A prize with its parts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FullPrizeView {
    #[schema(example = "Garden Bag Essentials")]
    name: String,
    /// What it is worth at retail.
    #[schema(example = "$150+")]
    value: String,
    kit: Vec<KitItemView>,
    /// The version of the raffle's content that promises it.
    #[schema(required)]
    version: Option<i64>,
}

impl From<DrawingPrize> for FullPrizeView {
    fn from(prize: DrawingPrize) -> Self {
        Self {
            name: prize.words.name,
            value: prize.words.value,
            kit: prize.kit.into_iter().map(Into::into).collect(),
            version: prize.version.map(|version| version.number),
        }
    }
}

impl From<&DrawingState> for AnnouncedDrawingView {
    fn from(drawing: &DrawingState) -> Self {
        Self {
            id: drawing.id.get(),
            status: drawing.status.into(),
        }
    }
}

impl From<&Version> for NextPrizeView {
    fn from(version: &Version) -> Self {
        Self {
            prize: DrawingPrize::of_version(version).into(),
            counts_from: version.takes_effect_at,
        }
    }
}

impl From<PromisedPrize> for PromisedPrizeView {
    fn from(promised: PromisedPrize) -> Self {
        Self {
            landing_page: promised.raffle.key.into(),
            period: promised.period.to_string(),
            drawing: promised.drawing.as_ref().map(Into::into),
            prize: promised.prize.into(),
            counts_from: promised.counts_from,
            cut_off: promised.cut_off,
            next: promised.waiting.as_ref().map(Into::into),
        }
    }
}

impl From<RulesHead> for RulesVersionView {
    fn from(head: RulesHead) -> Self {
        Self {
            version: head.stamp.version,
            from_period: head.from.to_string(),
            created_at: head.at,
            hash: head.stamp.hash.to_string(),
        }
    }
}

impl From<Rules> for RulesView {
    fn from(rules: Rules) -> Self {
        Self {
            head: rules.head.into(),
            text: rules.text,
        }
    }
}

impl From<CurrentRules> for CurrentRulesView {
    fn from(current: CurrentRules) -> Self {
        Self {
            rules: current.rules.into(),
            versions: current.versions.into_iter().map(Into::into).collect(),
            prizes: current.prizes.into_iter().map(Into::into).collect(),
        }
    }
}

/// Which rules are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Version(u32),
    Month(Period),
}

impl Asked {
    /// Text that is neither a version nor a month names no rules, so it is a 404.
    fn read(text: &str) -> Result<Self, ApiError> {
        if let Ok(period) = text.parse() {
            return Ok(Self::Month(period));
        }
        let version = text.parse().map(Self::Version);
        version.map_err(|_| ApiError::not_found())
    }
}

/// Gets the official rules of this month, lists all versions, and says what can be won in each raffle.
#[utoipa::path(
    get, path = "/api/rules", operation_id = "get_rules",
    responses(
        (status = 200, body = CurrentRulesView, headers(("ETag" = String, description = "Of the answer"))),
        (status = 304, description = "`If-None-Match` has the ETag")
    )
)]
pub(crate) async fn current_rules<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    state: Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let times = state.drawing_times();
    let current = pools
        .visitor_reads
        .run(move |store| usecases::rules::current(store, times))
        .await?;
    changing_json(&request, &CurrentRulesView::from(current))
}

/// Gets a version of the official rules, or the rules of a month such as `2026-11`.
///
/// A version never changes. The rules of a month do not change once it has begun.
#[utoipa::path(
    get, path = "/api/rules/{version}", operation_id = "get_rules_version",
    params(("version" = String, Path, description = "The number of a version, or a month")),
    responses(
        (status = 200, body = RulesView, headers(("ETag" = String, description = "Of the answer"))),
        (status = 304, description = "`If-None-Match` has the ETag")
    )
)]
pub(crate) async fn find_rules<S: Store>(
    request: HttpRequest,
    pools: Data<RequestPools<S>>,
    version: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let asked = Asked::read(&version)?;
    let find = move |store: &S| match asked {
        Asked::Version(version) => usecases::rules::version(store, version),
        Asked::Month(period) => usecases::rules::of_period(store, period),
    };
    let rules = pools.visitor_reads.run(find).await?;
    changing_json(&request, &RulesView::from(rules))
}
