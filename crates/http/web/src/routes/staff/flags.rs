//! Flags, which keep entrants out of drawings.

use super::Store;
use super::evidence::{self, EvidenceView};
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::{Right, ShownAddress, ShownNumber};
use crate::http::body::{Body, JsonBody};
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::{EntrantIdField, Field, ReadByName, WithExample, text, texts};
use crate::http::fields::{field, no_phone_number, read_line, required};
use crate::http::names::{Name, Named};
use crate::http::query::{
    PageQuery, Params, QueryType, RaffleFilterField, SearchField, Sorting, raffle_filter, text_search,
};
use crate::http::responses::{Csv, Export, Listed, page_of};
use crate::http::views::{LandingPageView, SuccessView};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use fraud::{FlaggedEntrant, FlaggedFilter, FlaggedSort, NewFlag, PublicReason, REASON_OF_DETECTION};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use usecases::audit::{NumberList, record_export};
use usecases::flags::FlagError;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); detect::<S>, list::<S>, export::<S>, flag::<S>, unflag::<S>]
}

impl From<FlagError> for ApiError {
    fn from(error: FlagError) -> Self {
        match error {
            FlagError::UnknownEntrant => Self::not_found(),
            FlagError::Store(error) => error.into(),
        }
    }
}

/// The entrant, and the reasons.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlagBody {
    #[schema(inline)]
    #[validate(nested)]
    user_id: EntrantIdField,
    /// For staff: 1 to 200 characters.
    #[schema(inline)]
    #[validate(nested)]
    reason: ReasonField,
    /// What the entrant reads. Only a reason that begins like those of fraud detection needs none: it is `several_accounts`.
    #[validate(nested)]
    public_reason: Option<PublicReasonField>,
}

impl JsonBody for FlagBody {}

impl FlagBody {
    fn flag(self) -> Result<NewFlag, ApiError> {
        let reason = self.reason.value()?.0;
        let public_reason = match self.public_reason {
            Some(chosen) => Some(chosen.value()?),
            None => reason
                .starts_with(REASON_OF_DETECTION)
                .then_some(PublicReason::SeveralAccounts),
        };
        Ok(NewFlag {
            entrant: self.user_id.value()?,
            public_reason: field("publicReason", required(public_reason))?,
            reason,
        })
    }
}

type PublicReasonField = Field<PublicReason>;

impl Named for PublicReason {
    const VIEW: &'static str = "PublicReasonView";
    const ABOUT: Option<&'static str> = Some("What an entrant reads about a flag of staff.");
}

impl ReadByName for PublicReason {
    const REFUSAL: &'static str = "There is no such reason";
}

/// The entrant, and the reason.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnflagBody {
    #[schema(inline)]
    #[validate(nested)]
    user_id: EntrantIdField,
    /// 1 to 200 characters.
    #[schema(inline)]
    #[validate(nested)]
    reason: ReasonField,
}

impl JsonBody for UnflagBody {}

type ReasonField = Field<Reason>;

struct Reason(String);

texts! {
    Reason: text().min_length(Some(1)).max_length(Some(200)).with_example("Multiple accounts from IP 192.0.2.7"),
        |sent| {
            no_phone_number(&sent)?;
            read_line(&sent, 200, "Must be one line of at most 200 characters").map(Self)
        };
}

/// Flags an entrant, who can still use the site but cannot win.
#[utoipa::path(post, path = "/api/admin/flag-user", operation_id = "flag_user")]
pub(crate) async fn flag<S: Store>(
    admin: Admin<S, may::ManageFlags>,
    body: Body<FlagBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let flag = body.valid()?.flag()?;
    admin
        .run(move |call| usecases::flags::flag(call.store, call.clock, call.actor, &flag))
        .await?;
    admin.state().dashboard.invalidate();
    Ok(Json(SuccessView::new()))
}

/// Removes an entrant's flag. Detection does not flag this entrant again.
#[utoipa::path(post, path = "/api/admin/unflag-user", operation_id = "unflag_user")]
pub(crate) async fn unflag<S: Store>(
    admin: Admin<S, may::ManageFlags>,
    body: Body<UnflagBody>,
) -> Result<Json<SuccessView>, ApiError> {
    let body = body.valid()?;
    let (entrant, reason) = (body.user_id.value()?, body.reason.value()?.0);
    admin
        .run(move |call| usecases::flags::unflag(call.store, call.clock, call.actor, entrant, &reason))
        .await?;
    admin.state().dashboard.invalidate();
    Ok(Json(SuccessView::new()))
}

/// The result of detection.
#[derive(Serialize, ToSchema)]
pub(crate) struct DetectionView {
    /// How many entrants were flagged.
    flagged: i64,
}

/// Detection over a million entrants takes a second or two; the first one after a long time takes longer.
const DETECTION_DEADLINE: Duration = Duration::from_secs(30);

/// Flags the entrants of suspicious networks.
#[utoipa::path(
    post,
    path = "/api/admin/fraud-detection",
    operation_id = "run_fraud_detection"
)]
pub(crate) async fn detect<S: Store>(
    admin: Admin<S, may::ManageFlags>,
) -> Result<Json<DetectionView>, ApiError> {
    let detect = |call: Call<'_, S>| {
        let (zone, rules) = (call.state.time_zone, &call.state.fraud_rules);
        usecases::flags::flag_suspicious(call.store, call.clock, zone, call.actor, rules)
    };
    let pool = &admin.pools().console_writes;
    let flagged = admin.run_in(pool, DETECTION_DEADLINE, detect).await?;
    admin.state().dashboard.invalidate();
    Ok(Json(DetectionView { flagged }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlaggedUsersView {
    flagged_users: Vec<FlaggedUserView>,
}

/// A flagged entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlaggedUserView {
    id: i64,
    /// In full for owners and managers; screens show the last four digits.
    #[schema(example = "+15551234567", value_type = String)]
    phone_number: ShownNumber,
    landing_page: LandingPageView,
    total_entries: i64,
    #[schema(required, example = "192.0.2.7", value_type = Option<String>)]
    ip_address: Option<ShownAddress>,
    created_at: DateTime<Utc>,
    /// The reason of the flag.
    reason: String,
    /// What fraud detection found; empty for a flag of staff.
    evidence: Vec<EvidenceView>,
    flagged_at: DateTime<Utc>,
}

impl FlaggedUserView {
    fn new(entrant: FlaggedEntrant, (people, numbers): (Right, Option<Right>)) -> Self {
        Self {
            id: entrant.id.get(),
            phone_number: ShownNumber::to(numbers, &entrant.phone),
            landing_page: entrant.raffle.into(),
            total_entries: entrant.total_entries,
            ip_address: entrant.address.map(|address| ShownAddress::full(address, people)),
            created_at: entrant.created_at,
            reason: entrant.reason,
            evidence: evidence::views(&entrant.evidence),
            flagged_at: entrant.flagged_at,
        }
    }
}

/// The flagged entrants to list.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FlaggedQuery {
    /// Only entrants whose IP address or reason contains this, without regard to the case of the letters A to Z; digits
    /// are also looked for in the numbers.
    #[param(inline)]
    #[validate(nested)]
    search: Option<SearchField>,
    /// Only entrants of this raffle; without it, or with `all`, of all raffles.
    #[validate(nested)]
    landing_page: Option<RaffleFilterField>,
}

impl QueryType for FlaggedQuery {
    type Value = FlaggedFilter;

    fn value(self) -> Result<FlaggedFilter, ApiError> {
        Ok(FlaggedFilter {
            search: text_search(self.search)?,
            raffle: raffle_filter(self.landing_page)?,
            after: None,
        })
    }
}

pub(crate) type FlaggedSortView = Name<FlaggedSort>;

impl Named for FlaggedSort {
    const VIEW: &'static str = "FlaggedSortView";
    const ABOUT: Option<&'static str> = Some("The fields by which flagged entrants can be sorted.");
}

impl ReadByName for FlaggedSort {
    const REFUSAL: &'static str = "Flagged users cannot be sorted by this";
}

/// Lists flagged entrants. `X-Total-Count` has their number.
#[utoipa::path(get, path = "/api/admin/flagged-users", operation_id = "list_flagged_users")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewPeople>,
    Params((filter, (sort, order), page)): Params<(FlaggedQuery, Sorting<FlaggedSort>, PageQuery)>,
) -> Result<Listed<FlaggedUsersView>, ApiError> {
    let list = admin
        .run(move |call| usecases::flags::list(call.store, &filter, sort, order, page))
        .await?;
    let rights = (admin.right(), admin.sight().numbers);
    let view = |entrant| FlaggedUserView::new(entrant, rights);
    let flagged_users = list.flagged.into_iter().map(view).collect();
    Ok(page_of(list.total, FlaggedUsersView { flagged_users }))
}

/// Exports flagged entrants as CSV: all that match, newest flag first, with the last four digits of
/// their numbers. The export is recorded in the audit log.
#[utoipa::path(
    get,
    path = "/api/admin/flagged-users/export",
    operation_id = "export_flagged_users"
)]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ExportLists>,
    Params(filter): Params<FlaggedQuery>,
) -> Result<Csv<FlaggedEntrant>, ApiError> {
    let counted = filter.clone();
    admin
        .run(move |call| {
            let (rows, is_searched) = (
                usecases::flags::count(call.store, &counted)?,
                counted.search.is_some(),
            );
            let list = NumberList::FlaggedUsers;
            record_export(call.store, call.clock, call.actor, list, rows, is_searched)
        })
        .await?;
    Csv::of("flagged-users.csv", Flagged { admin, filter }).await
}

impl CsvRow for FlaggedEntrant {
    const COLUMNS: Columns<Self> = &[
        ("id", |entrant| entrant.id.to_string()),
        ("phoneNumber", |entrant| entrant.phone.masked()),
        ("landingPage", |entrant| entrant.raffle.to_string()),
        ("totalEntries", |entrant| entrant.total_entries.to_string()),
        ("ipAddress", |entrant| cell(entrant.address)),
        ("createdAt", |entrant| time_cell(entrant.created_at)),
        ("reason", |entrant| entrant.reason.clone()),
        ("flaggedAt", |entrant| time_cell(entrant.flagged_at)),
    ];
}

/// How many entrants are read at once.
const PART: u32 = 5_000;

/// The entrants of an export that have not been read yet.
struct Flagged<S> {
    admin: Admin<S, may::ExportLists>,
    filter: FlaggedFilter,
}

impl<S: Store> Export for Flagged<S> {
    type Row = FlaggedEntrant;

    async fn next(&mut self) -> Result<Vec<FlaggedEntrant>, ApiError> {
        let filter = self.filter.clone();
        let read = move |call: Call<'_, S>| usecases::flags::newest(call.store, &filter, PART);
        let flagged = self.admin.run(read).await?;
        self.filter.after = flagged.last().map(FlaggedEntrant::position);
        Ok(flagged)
    }
}
