//! The official rules and their versions.

use super::Store;
use crate::http::conditional::changing_json;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, routes};
use crate::{ApiError, AppState, RequestPools};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use drawing::Period;
use drawing::rules::{Rules, RulesHead};
use serde::Serialize;
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

/// Gets the official rules of this month, and lists all versions.
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
    let zone = state.time_zone;
    let current = pools
        .visitor_reads
        .run(move |store| usecases::rules::current(store, zone))
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
