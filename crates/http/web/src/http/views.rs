//! Parts of responses, and of their descriptions, that several routes share.

use crate::http::field::{Field, FieldSchema, FieldType, text};
use crate::http::fields::{Messages, read_raffle};
use chrono::{DateTime, Utc};
use drawing::Prize;
use kernel::StaffName;
use pricing::Package;
use raffle::RaffleKey;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::{PartialSchema, ToSchema};

/// A raffle's key.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct LandingPageView(RaffleKey);

impl From<RaffleKey> for LandingPageView {
    fn from(key: RaffleKey) -> Self {
        Self(key)
    }
}

impl PartialSchema for LandingPageView {
    fn schema() -> FieldSchema {
        text().description(Some("The key of a raffle.")).into()
    }
}

impl ToSchema for LandingPageView {
    fn name() -> Cow<'static, str> {
        "LandingPageView".into()
    }
}

impl FieldType for RaffleKey {
    type Json = String;

    fn read(sent: String) -> Result<Self, Messages> {
        read_raffle(&sent)
    }

    fn describe() -> FieldSchema {
        LandingPageView::schema()
    }

    fn name() -> Cow<'static, str> {
        LandingPageView::name()
    }
}

pub(crate) type RaffleField = Field<RaffleKey>;

/// A package. `entries` and `entryCount` are the same, and so are `price` and `priceInCents`.
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

/// A prize and its value, in words.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrizeView {
    #[schema(min_length = 1, max_length = 120, example = "Summer Box")]
    pub(crate) name: String,
    #[schema(min_length = 1, max_length = 40, example = "$150+")]
    pub(crate) value: String,
}

impl From<&Prize> for PrizeView {
    fn from(prize: &Prize) -> Self {
        Self {
            name: prize.name.clone(),
            value: prize.value.clone(),
        }
    }
}

/// The change is stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct SuccessView {
    #[schema(example = true)]
    success: bool,
}

impl SuccessView {
    pub(crate) const fn new() -> Self {
        Self { success: true }
    }
}

/// The name of a member of staff, for a view.
pub(crate) fn staff_name(name: Option<StaffName>) -> Option<String> {
    name.map(|name| name.as_str().to_owned())
}
