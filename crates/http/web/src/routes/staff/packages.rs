//! The packages of entries that are sold.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, may};
use crate::http::body::{Body, JsonBody};
use crate::http::field::{Field, text, texts};
use crate::http::fields::{Messages, field, message, no_phone_number, rule_about};
use crate::http::path_id::PathId;
use crate::http::query::{PageQuery, Params};
use crate::http::responses::{Created, Listed, page_of};
use crate::http::views::{PackageView, SuccessView};
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use kernel::Money;
use pricing::{EntryCount, NewPackage, PackageId, PackageText};
use serde::{Deserialize, Serialize};
use usecases::packages::PackageError;
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, create::<S>, update::<S>, delete::<S>]
}

impl From<PackageError> for ApiError {
    fn from(error: PackageError) -> Self {
        match error {
            PackageError::UnknownPackage => Self::not_found(),
            PackageError::Store(error) => error.into(),
        }
    }
}

/// A package to sell. `entries` and `entryCount` are the same, and so are `price` and `priceInCents`.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(rename_all = "camelCase")]
#[validate(
    schema(function = entries_rule, skip_on_field_errors = false),
    schema(function = price_rule, skip_on_field_errors = false)
)]
pub(crate) struct PackageBody {
    /// One line, without control characters.
    #[schema(inline)]
    #[validate(nested)]
    name: NameField,
    #[schema(inline)]
    #[validate(nested)]
    description: DescriptionField,
    #[schema(minimum = 1, maximum = 1_000_000)]
    entries: Option<i64>,
    #[schema(minimum = 1, maximum = 1_000_000)]
    entry_count: Option<i64>,
    /// In cents.
    #[schema(minimum = 1, maximum = 99_999_999)]
    price: Option<i64>,
    #[schema(minimum = 1, maximum = 99_999_999)]
    price_in_cents: Option<i64>,
    /// False without it.
    is_popular: Option<bool>,
    /// True without it.
    is_active: Option<bool>,
    /// 0 without it.
    #[schema(minimum = 0, maximum = 2147483647)]
    #[validate(range(
        min = 0,
        max = 2_147_483_647,
        message = "Must be a whole number from 0 to 2147483647"
    ))]
    sort_order: Option<i64>,
}

impl JsonBody for PackageBody {}

impl PackageBody {
    fn offer(self) -> Result<NewPackage, ApiError> {
        Ok(NewPackage {
            entries: field("entries", self.read_entries())?,
            price: field("price", self.read_price())?,
            name: self.name.value()?.0,
            description: self.description.value()?.0,
            is_popular: self.is_popular.unwrap_or(false),
            is_active: self.is_active.unwrap_or(true),
            sort_order: u32::try_from(self.sort_order.unwrap_or_default()).unwrap_or_default(),
        })
    }

    fn read_entries(&self) -> Result<EntryCount, Messages> {
        let count = self.entries.or(self.entry_count).unwrap_or_default();
        if count < 1 {
            return Err(message("Must be at least 1 entry"));
        }
        EntryCount::new(count).ok_or_else(|| message("Must be at most 1,000,000 entries"))
    }

    fn read_price(&self) -> Result<Money, Messages> {
        let cents = self.price.or(self.price_in_cents).unwrap_or_default();
        if cents < 1 {
            return Err(message("Price must be greater than 0"));
        }
        Money::from_cents(cents).ok_or_else(|| message("Price must be at most $999,999.99"))
    }
}

fn entries_rule(body: &PackageBody) -> Result<(), ValidationError> {
    rule_about("entries", body.read_entries())
}

fn price_rule(body: &PackageBody) -> Result<(), ValidationError> {
    rule_about("price", body.read_price())
}

type NameField = Field<Name>;
type DescriptionField = Field<Description>;

struct Name(PackageText);

texts! {
    Name: text().min_length(Some(1)).max_length(Some(PackageText::NAME_CHARS)),
        missing "Name is required",
        |sent| read_text(&sent, PackageText::NAME_CHARS, Self::MISSING).map(Self);
}

struct Description(PackageText);

texts! {
    Description: text().min_length(Some(1)).max_length(Some(PackageText::DESCRIPTION_CHARS)),
        missing "Description is required",
        |sent| read_text(&sent, PackageText::DESCRIPTION_CHARS, Self::MISSING).map(Self);
}

fn read_text(text: &str, most: usize, required: &str) -> Result<PackageText, Messages> {
    let text = text.trim();
    if text.is_empty() {
        return Err(message(required));
    }
    no_phone_number(text)?;
    PackageText::parse(text, most)
        .ok_or_else(|| message(format!("Must be one line of at most {most} characters")))
}

/// A page of packages.
#[derive(Serialize, ToSchema)]
pub(crate) struct PackagesView {
    packages: Vec<PackageView>,
}

/// Lists all packages, by sort order and then id. `X-Total-Count` has their number.
#[utoipa::path(get, path = "/api/admin/entry-packages", operation_id = "list_packages")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewFigures>,
    Params(page): Params<PageQuery>,
) -> Result<Listed<PackagesView>, ApiError> {
    let (packages, total) = admin
        .run(move |call| usecases::packages::list(call.store, page))
        .await?;
    let packages = packages.into_iter().map(Into::into).collect();
    Ok(page_of(total, PackagesView { packages }))
}

/// Adds a package.
#[utoipa::path(post, path = "/api/admin/entry-packages", operation_id = "create_package")]
pub(crate) async fn create<S: Store>(
    admin: Admin<S, may::ManagePackages>,
    body: Body<PackageBody>,
) -> Result<Created<PackageView>, ApiError> {
    let offer = body.valid()?.offer()?;
    let package = admin
        .run(move |call| usecases::packages::create(call.store, call.clock, call.actor, &offer))
        .await?;
    Ok(Created(PackageView::from(package)))
}

/// Changes a package. Earlier purchases stay as they were.
#[utoipa::path(put, path = "/api/admin/entry-packages/{id}", operation_id = "update_package")]
pub(crate) async fn update<S: Store>(
    admin: Admin<S, may::ManagePackages>,
    PathId(id): PathId<PackageId>,
    body: Body<PackageBody>,
) -> Result<Json<PackageView>, ApiError> {
    let offer = body.valid()?.offer()?;
    let package = admin
        .run(move |call| usecases::packages::update(call.store, call.clock, call.actor, id, &offer))
        .await?;
    Ok(Json(package.into()))
}

/// Deletes a package. Its purchases stay.
#[utoipa::path(
    delete,
    path = "/api/admin/entry-packages/{id}",
    operation_id = "delete_package"
)]
pub(crate) async fn delete<S: Store>(
    admin: Admin<S, may::ManagePackages>,
    PathId(id): PathId<PackageId>,
) -> Result<Json<SuccessView>, ApiError> {
    admin
        .run(move |call| usecases::packages::delete(call.store, call.clock, call.actor, id))
        .await?;
    Ok(Json(SuccessView::new()))
}
