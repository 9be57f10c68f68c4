//! What is sold, and whether anything is: spec section 2 (Pricing Control), D9.

use super::{StaffRefused, Store};
use crate::admin::Admin;
use crate::body::{Body, FieldErrors, JsonBody};
use crate::error::ErrorView;
use crate::routes::SuccessView;
use crate::{ApiError, AppState};
use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, Utc};
use kernel::Money;
use pricing::{EntryCount, NewPackage, Package, PackageId, PackageText};
use serde::{Deserialize, Serialize};
use sms::Credentials;
use utoipa::ToSchema;

/// A package as staff want it. `entries` and `entryCount`, and `price` and `priceInCents`, are the same.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PackageBody {
    #[schema(value_type = String, required, min_length = 1, max_length = 80)]
    name: Option<String>,
    #[schema(value_type = String, required, min_length = 1, max_length = 300)]
    description: Option<String>,
    #[schema(minimum = 1, maximum = 1_000_000)]
    entries: Option<i64>,
    #[schema(minimum = 1, maximum = 1_000_000)]
    entry_count: Option<i64>,
    /// In cents.
    #[schema(minimum = 1, maximum = 99_999_999)]
    price: Option<i64>,
    #[schema(minimum = 1, maximum = 99_999_999)]
    price_in_cents: Option<i64>,
    /// No without it.
    is_popular: Option<bool>,
    /// Yes without it.
    is_active: Option<bool>,
    /// 0 without it.
    #[schema(minimum = 0, maximum = 2147483647)]
    sort_order: Option<i64>,
}

impl JsonBody for PackageBody {
    const FIELDS: &'static [&'static str] = &[
        "name",
        "description",
        "entries",
        "entryCount",
        "price",
        "priceInCents",
        "isPopular",
        "isActive",
        "sortOrder",
    ];
}

impl PackageBody {
    fn offer(&self) -> Result<NewPackage, ApiError> {
        let mut reading = FieldErrors::default();
        let name = reading.field("name", read_name(self.name.as_deref()));
        let description = reading.field("description", read_description(self.description.as_deref()));
        let entries = reading.field("entries", read_entries(self.entries.or(self.entry_count)));
        let price = reading.field("price", read_price(self.price.or(self.price_in_cents)));
        let sort_order = reading.field("sortOrder", read_sort_order(self.sort_order));
        reading.finish()?;
        Ok(NewPackage {
            name: name.ok_or(ApiError::Internal)?,
            description: description.ok_or(ApiError::Internal)?,
            entries: entries.ok_or(ApiError::Internal)?,
            price: price.ok_or(ApiError::Internal)?,
            is_popular: self.is_popular.unwrap_or(false),
            is_active: self.is_active.unwrap_or(true),
            sort_order: sort_order.unwrap_or_default(),
        })
    }
}

fn one(message: impl Into<String>) -> Vec<String> {
    vec![message.into()]
}

fn read_name(text: Option<&str>) -> Result<PackageText, Vec<String>> {
    read_line(text, PackageText::NAME_CHARS, "Name is required")
}

fn read_description(text: Option<&str>) -> Result<PackageText, Vec<String>> {
    read_line(text, PackageText::DESCRIPTION_CHARS, "Description is required")
}

fn read_line(text: Option<&str>, most: usize, required: &str) -> Result<PackageText, Vec<String>> {
    let text = text
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| one(required))?;
    PackageText::parse(text, most)
        .ok_or_else(|| one(format!("Must be one line of at most {most} characters")))
}

fn read_entries(count: Option<i64>) -> Result<EntryCount, Vec<String>> {
    let count = count
        .filter(|count| *count >= 1)
        .ok_or_else(|| one("Must be at least 1 entry"))?;
    EntryCount::new(count).ok_or_else(|| one("Must be at most 1,000,000 entries"))
}

fn read_price(cents: Option<i64>) -> Result<Money, Vec<String>> {
    let cents = cents
        .filter(|cents| *cents >= 1)
        .ok_or_else(|| one("Price must be greater than 0"))?;
    Money::from_cents(cents).ok_or_else(|| one("Price must be at most $999,999.99"))
}

fn read_sort_order(order: Option<i64>) -> Result<u32, Vec<String>> {
    let most = i64::from(i32::MAX);
    let order = order.unwrap_or_default();
    u32::try_from(order)
        .ok()
        .filter(|_| order <= most)
        .ok_or_else(|| one(format!("Must be a whole number from 0 to {most}")))
}

/// A package. `entries` and `entryCount`, and `price` and `priceInCents`, are the same.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PackageView {
    id: i64,
    name: String,
    description: String,
    entries: i64,
    entry_count: i64,
    /// In cents.
    price: i64,
    price_in_cents: i64,
    is_popular: bool,
    is_active: bool,
    sort_order: u32,
    created_at: DateTime<Utc>,
}

impl From<Package> for PackageView {
    fn from(package: Package) -> Self {
        let offer = package.offer;
        Self {
            id: package.id.get(),
            name: offer.name.as_str().to_owned(),
            description: offer.description.as_str().to_owned(),
            entries: offer.entries.get(),
            entry_count: offer.entries.get(),
            price: offer.price.cents(),
            price_in_cents: offer.price.cents(),
            is_popular: offer.is_popular,
            is_active: offer.is_active,
            sort_order: offer.sort_order,
            created_at: package.created_at,
        }
    }
}

/// All packages.
#[derive(Serialize, ToSchema)]
pub(crate) struct PackagesView {
    packages: Vec<PackageView>,
}

/// What can be switched.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsBody {
    /// Whether packages are shown and sold.
    #[schema(value_type = bool, required)]
    show_pricing: Option<bool>,
}

impl JsonBody for SettingsBody {
    const FIELDS: &'static [&'static str] = &["showPricing"];
}

/// What is switched on.
#[derive(Serialize, ToSchema)]
pub(crate) struct SettingsView {
    settings: SettingsValuesView,
}

/// What is switched on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsValuesView {
    show_pricing: bool,
    sms: SmsSettingsView,
}

/// The account that texts are sent with, as far as it is shown.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SmsSettingsView {
    configured: bool,
    #[schema(required, example = "cdef")]
    account_sid_last4: Option<String>,
    #[schema(required, example = "4567")]
    phone_number_last4: Option<String>,
}

impl SmsSettingsView {
    fn new(credentials: Option<&Credentials>) -> Self {
        let last_four = |sid: &str| {
            sid.get(sid.len().saturating_sub(4)..)
                .unwrap_or_default()
                .to_owned()
        };
        Self {
            configured: credentials.is_some(),
            account_sid_last4: credentials.map(|account| last_four(account.account_sid())),
            phone_number_last4: credentials.map(|account| account.phone().last_four().to_owned()),
        }
    }
}

impl SettingsView {
    fn read<S: Store>(store: &S, state: &AppState) -> Result<Self, ApiError> {
        let credentials = state.sms.credentials(store, &*state.sealer)?;
        Ok(Self {
            settings: SettingsValuesView {
                show_pricing: usecases::packages::show_pricing(store)?,
                sms: SmsSettingsView::new(credentials.as_ref().map(|(account, _)| account)),
            },
        })
    }
}

/// All packages, by sort order and then id.
#[utoipa::path(
    get,
    path = "/api/admin/entry-packages",
    operation_id = "list_packages",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = PackagesView), StaffRefused)
)]
pub(crate) async fn list<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<PackagesView>, ApiError> {
    let packages = state
        .flows
        .run(move || usecases::packages::list(&**store))
        .await?;
    Ok(Json(PackagesView {
        packages: packages.into_iter().map(Into::into).collect(),
    }))
}

/// Adds a package.
#[utoipa::path(
    post,
    path = "/api/admin/entry-packages",
    operation_id = "create_package",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    request_body = PackageBody,
    responses((status = 201, body = PackageView), (status = 400, body = ErrorView), StaffRefused)
)]
pub(crate) async fn create<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    body: Body<PackageBody>,
) -> Result<HttpResponse, ApiError> {
    let offer = body.0.offer()?;
    let clock = state.clock.clone();
    let create = move || usecases::packages::create(&**store, &*clock, admin.actor, &offer);
    let package = state.flows.run(create).await?;
    Ok(HttpResponse::Created().json(PackageView::from(package)))
}

/// Changes a package. What was sold already stays as it was sold.
#[utoipa::path(
    put,
    path = "/api/admin/entry-packages/{id}",
    operation_id = "update_package",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    params(("id" = i64, Path)),
    request_body = PackageBody,
    responses(
        (status = 200, body = PackageView),
        (status = 400, body = ErrorView),
        (status = 404, body = ErrorView),
        StaffRefused
    )
)]
pub(crate) async fn update<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    (id, body): (Path<String>, Body<PackageBody>),
) -> Result<Json<PackageView>, ApiError> {
    let id = read_id(&id)?;
    let offer = body.0.offer()?;
    let clock = state.clock.clone();
    let update = move || usecases::packages::update(&**store, &*clock, admin.actor, id, &offer);
    let package = state.flows.run(update).await?;
    Ok(Json(package.into()))
}

/// Deletes a package. Its purchases stay.
#[utoipa::path(
    delete,
    path = "/api/admin/entry-packages/{id}",
    operation_id = "delete_package",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    params(("id" = i64, Path)),
    responses((status = 200, body = SuccessView), (status = 404, body = ErrorView), StaffRefused)
)]
pub(crate) async fn delete<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    id: Path<String>,
) -> Result<Json<SuccessView>, ApiError> {
    let id = read_id(&id)?;
    let clock = state.clock.clone();
    let delete = move || usecases::packages::delete(&**store, &*clock, admin.actor, id);
    state.flows.run(delete).await?;
    Ok(Json(SuccessView::new()))
}

/// What is switched on.
#[utoipa::path(
    get,
    path = "/api/admin/settings",
    operation_id = "get_settings",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    responses((status = 200, body = SettingsView), StaffRefused)
)]
pub(crate) async fn settings<S: Store>(
    _: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
) -> Result<Json<SettingsView>, ApiError> {
    let at = state.clone();
    let read = move || SettingsView::read(&**store, &at);
    Ok(Json(state.flows.run(read).await?))
}

/// Switches, from now on.
#[utoipa::path(
    post,
    path = "/api/admin/settings",
    operation_id = "update_settings",
    tag = "staff",
    security(("bearer" = []), ("session_token" = [])),
    request_body = SettingsBody,
    responses((status = 200, body = SettingsView), (status = 400, body = ErrorView), StaffRefused)
)]
pub(crate) async fn update_settings<S: Store>(
    admin: Admin<S>,
    store: Data<S>,
    state: Data<AppState>,
    body: Body<SettingsBody>,
) -> Result<Json<SettingsView>, ApiError> {
    let show = body
        .0
        .show_pricing
        .ok_or_else(|| ApiError::field("showPricing", "Required"))?;
    let at = state.clone();
    let switch = move || {
        usecases::packages::set_show_pricing(&**store, &*at.clock, admin.actor, show)?;
        SettingsView::read(&**store, &at)
    };
    Ok(Json(state.flows.run(switch).await?))
}

/// What is no id is no package's.
fn read_id(text: &str) -> Result<PackageId, ApiError> {
    text.parse().map(PackageId::new).map_err(|_| ApiError::NotFound)
}
