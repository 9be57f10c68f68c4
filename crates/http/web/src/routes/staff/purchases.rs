//! What was sold: the purchases, and their sums.

use super::Store;
use crate::ApiError;
use crate::callers::admin::{Admin, Call, may};
use crate::callers::right::ShownNumber;
use crate::http::csv::{Columns, CsvRow, cell, time_cell};
use crate::http::field::{Field, ReadByName, optional, text, texts};
use crate::http::names::{Name, Named};
use crate::http::query::{
    DateRangeQuery, Days, PageQuery, Params, QueryType, RaffleFilterField, raffle_filter,
};
use crate::http::responses::{Csv, Export, Listed, page_of};
use crate::http::views::LandingPageView;
use crate::identity::limits::Limit;
use crate::routes::route_table::{Routes, staff_routes};
use actix_web::web::Json;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::PageRequest;
use people::PeopleQuery;
use pricing::{IntentId, ListedPurchase, PackageId, PurchaseFilter, PurchaseState, Sales, Sold};
use serde::{Deserialize, Serialize};
use usecases::audit::{NumberList, record_export};
use usecases::purchases::{AskedPurchases, PackageNames, PurchasePage};
use utoipa::{IntoParams, ToSchema};
use validator::Validate;

pub(super) fn routes<S: Store>() -> Routes {
    staff_routes![Some(Limit::Reads); list::<S>, export::<S>, sales::<S>]
}

/// The purchases to list.
#[derive(Deserialize, Validate, IntoParams)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PurchaseQuery {
    /// A phone number in any spelling, its last four digits, a referral code or an id of the buyer, or the payment's id at the
    /// provider. Without it, all.
    #[param(inline)]
    #[validate(nested)]
    search: Option<PurchaseSearchField>,
    /// Only purchases in this state.
    #[validate(nested)]
    state: Option<PurchaseStateField>,
    /// Only those of this raffle; without it, or with `all`, of all raffles.
    #[validate(nested)]
    landing_page: Option<RaffleFilterField>,
}

type PurchaseSearchField = Field<Asked>;
pub(crate) type PurchaseStateField = Field<PurchaseState>;
pub(crate) type PurchaseStateView = Name<PurchaseState>;

/// What is looked for; nothing for an empty text.
struct Asked(Option<AskedPurchases>);

texts! {
    Asked: text(), |sent| read_asked(&sent).map(Self).ok_or_else(|| vec![UNREADABLE.to_owned()]);
}

const UNREADABLE: &str =
    "Enter a phone number, its last four digits, a referral code, an ID, or a payment such as pi_123.";

fn read_asked(sent: &str) -> Option<Option<AskedPurchases>> {
    let sent = sent.trim();
    if sent.starts_with("pi_") {
        return IntentId::parse(sent).map(AskedPurchases::Paid).map(Some);
    }
    let query = PeopleQuery::parse(sent).ok()?;
    Some(query.map(AskedPurchases::Of))
}

impl Named for PurchaseState {
    const VIEW: &'static str = "PurchaseStateView";
    const ABOUT: Option<&'static str> = Some(
        "How far a purchase is: paid; a part or all of its price went back, or is about to; its bank asks about it or disputes it; not paid yet; never paid.",
    );
}

impl ReadByName for PurchaseState {
    const REFUSAL: &'static str = "There is no such state";
}

/// What staff look for, and the rest of the filter.
type AskedFilter = (Option<AskedPurchases>, PurchaseFilter);

impl QueryType for PurchaseQuery {
    type Value = AskedFilter;

    fn value(self) -> Result<AskedFilter, ApiError> {
        let asked = optional(self.search)?.and_then(|asked| asked.0);
        let filter = PurchaseFilter {
            state: optional(self.state)?,
            raffle: raffle_filter(self.landing_page)?,
            ..PurchaseFilter::default()
        };
        Ok((asked, filter))
    }
}

/// The filter with the days in which it was paid.
fn within((asked, filter): AskedFilter, days: Days, zone: Tz) -> AskedFilter {
    let filter = PurchaseFilter {
        paid_from: days.from(zone),
        paid_until: days.until(zone),
        ..filter
    };
    (asked, filter)
}

/// A purchase.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedPurchaseView {
    id: i64,
    user_id: i64,
    /// The last four digits of the buyer's number; null once the person was erased.
    #[schema(required, example = "***-***-4567", value_type = Option<String>)]
    phone_number: Option<ShownNumber>,
    /// The raffle that the buyer was in when it began.
    landing_page: LandingPageView,
    /// The name that the package has now; null when it was deleted.
    #[schema(required)]
    package: Option<String>,
    entries: i64,
    /// The price, in cents.
    amount: i64,
    /// How much of it went back, in cents.
    returned: i64,
    state: PurchaseStateView,
    /// The payment's id at the provider, once there is one.
    #[schema(required)]
    payment: Option<String>,
    created_at: DateTime<Utc>,
    /// When it was paid.
    #[schema(required)]
    paid_at: Option<DateTime<Utc>>,
}

/// A page of purchases.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedPurchasesView {
    purchases: Vec<ListedPurchaseView>,
    /// The number of all that match, at most 1,000.
    total: i64,
    /// Whether there are no more than `total`.
    is_total_exact: bool,
}

impl ListedPurchaseView {
    fn new(purchase: ListedPurchase, packages: &PackageNames) -> Self {
        Self {
            id: purchase.id.get(),
            user_id: purchase.entrant.get(),
            phone_number: purchase.phone.as_ref().map(ShownNumber::masked),
            landing_page: purchase.raffle.into(),
            package: packages.get(&purchase.package).cloned(),
            entries: purchase.entries.get(),
            amount: purchase.price.cents(),
            returned: purchase.returned,
            state: purchase.state.into(),
            payment: purchase.intent.map(|intent| intent.as_str().to_owned()),
            created_at: purchase.begun_at,
            paid_at: purchase.paid_at,
        }
    }
}

impl From<PurchasePage> for ListedPurchasesView {
    fn from(page: PurchasePage) -> Self {
        let view = |purchase| ListedPurchaseView::new(purchase, &page.packages);
        Self {
            purchases: page.purchases.into_iter().map(view).collect(),
            total: page.total,
            is_total_exact: page.is_total_exact,
        }
    }
}

/// Lists purchases, the newest first; with days, only those that were paid then. `total` and `X-Total-Count` count to 1,000 at most;
/// beyond that `isTotalExact` is false.
#[utoipa::path(get, path = "/api/admin/purchases", operation_id = "list_purchases")]
pub(crate) async fn list<S: Store>(
    admin: Admin<S, may::ViewSales>,
    Params((asked, days, page)): Params<(PurchaseQuery, DateRangeQuery, PageQuery)>,
) -> Result<Listed<ListedPurchasesView>, ApiError> {
    let (asked, filter) = within(asked, days, admin.state().time_zone);
    let list = admin
        .run(move |call| usecases::purchases::list(call.store, &filter, asked.as_ref(), page))
        .await?;
    Ok(page_of(list.total, list.into()))
}

/// Exports the purchases that match as CSV, the newest first, with the last four digits of numbers. The export is recorded in the
/// audit log.
#[utoipa::path(get, path = "/api/admin/purchases/export", operation_id = "export_purchases")]
pub(crate) async fn export<S: Store>(
    admin: Admin<S, may::ViewSales>,
    Params((asked, days)): Params<(PurchaseQuery, DateRangeQuery)>,
) -> Result<Csv<PurchaseRow>, ApiError> {
    let (asked, filter) = within(asked, days, admin.state().time_zone);
    let counted = (asked.clone(), filter.clone());
    admin
        .run(move |call| {
            let (asked, filter) = &counted;
            let rows = usecases::purchases::count(call.store, filter, asked.as_ref())?;
            let list = NumberList::Purchases;
            record_export(call.store, call.clock, call.actor, list, rows, asked.is_some())
        })
        .await?;
    Csv::of("purchases.csv", Purchases { admin, asked, filter }).await
}

/// A purchase, and the name of its package.
pub(crate) type PurchaseRow = (ListedPurchase, Option<String>);

impl CsvRow for PurchaseRow {
    const COLUMNS: Columns<Self> = &[
        ("id", |(purchase, _)| purchase.id.to_string()),
        ("createdAt", |(purchase, _)| time_cell(purchase.begun_at)),
        ("paidAt", |(purchase, _)| cell(purchase.paid_at.map(time_cell))),
        ("userId", |(purchase, _)| purchase.entrant.to_string()),
        ("phoneNumber", |(purchase, _)| {
            cell(purchase.phone.as_ref().map(|phone| phone.masked()))
        }),
        ("landingPage", |(purchase, _)| purchase.raffle.to_string()),
        ("package", |(_, package)| cell(package.as_ref())),
        ("entries", |(purchase, _)| purchase.entries.get().to_string()),
        // Whole numbers: a spreadsheet adds them up, and changes none.
        ("amountInCents", |(purchase, _)| {
            purchase.price.cents().to_string()
        }),
        ("returnedInCents", |(purchase, _)| purchase.returned.to_string()),
        ("state", |(purchase, _)| {
            let name: &str = purchase.state.into();
            name.to_owned()
        }),
        ("payment", |(purchase, _)| {
            cell(purchase.intent.as_ref().map(IntentId::as_str))
        }),
    ];
}

/// How many purchases are read at once.
const PART: u32 = 5_000;

/// The purchases of an export that have not been read yet.
struct Purchases<S> {
    admin: Admin<S, may::ViewSales>,
    asked: Option<AskedPurchases>,
    filter: PurchaseFilter,
}

impl<S: Store> Export for Purchases<S> {
    type Row = PurchaseRow;

    async fn next(&mut self) -> Result<Vec<PurchaseRow>, ApiError> {
        let (asked, filter) = (self.asked.clone(), self.filter.clone());
        let page = PageRequest {
            limit: PART,
            offset: 0,
        };
        let read =
            move |call: Call<'_, S>| usecases::purchases::list(call.store, &filter, asked.as_ref(), page);
        let PurchasePage {
            purchases, packages, ..
        } = self.admin.run(read).await?;
        if let Some(last) = purchases.last() {
            self.filter.after = Some(last.id);
        }
        let row = |purchase: ListedPurchase| {
            let package = packages.get(&purchase.package).cloned();
            (purchase, package)
        };
        Ok(purchases.into_iter().map(row).collect())
    }
}

/// How many purchases were paid, and their money, in cents.
#[derive(Serialize, ToSchema)]
pub(crate) struct SoldView {
    purchases: i64,
    /// The sum of their prices.
    gross: i64,
    /// How much of it went back: refunds, and disputes that were lost.
    returned: i64,
    /// What is left.
    net: i64,
}

impl From<Sold> for SoldView {
    fn from(sold: Sold) -> Self {
        Self {
            purchases: sold.purchases,
            gross: sold.gross,
            returned: sold.returned,
            net: sold.net(),
        }
    }
}

/// What was sold in a month.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonthSalesView {
    /// By the site's calendar.
    #[schema(example = "2026-11")]
    month: String,
    sold: SoldView,
}

/// What was sold in a raffle.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RaffleSalesView {
    landing_page: LandingPageView,
    sold: SoldView,
}

/// What was sold of a package.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PackageSalesView {
    package_id: i64,
    /// The name that it has now; null when it was deleted.
    #[schema(required)]
    package: Option<String>,
    sold: SoldView,
}

/// What was sold, in all and apart. What went back counts in the month in which it was paid.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SalesView {
    total: SoldView,
    /// The newest month first; without months in which nothing was sold.
    by_month: Vec<MonthSalesView>,
    /// What brought most first.
    by_raffle: Vec<RaffleSalesView>,
    /// What brought most first.
    by_package: Vec<PackageSalesView>,
}

impl SalesView {
    fn new(sales: Sales, packages: &PackageNames) -> Self {
        let months = sales.by_month.into_iter().rev();
        Self {
            total: sales.total.into(),
            by_month: months
                .map(|(month, sold)| MonthSalesView {
                    month: month.format("%Y-%m").to_string(),
                    sold: sold.into(),
                })
                .collect(),
            by_raffle: most_first(sales.by_raffle)
                .map(|(raffle, sold)| RaffleSalesView {
                    landing_page: raffle.into(),
                    sold: sold.into(),
                })
                .collect(),
            by_package: most_first(sales.by_package)
                .map(|(id, sold)| package_view(id, sold, packages))
                .collect(),
        }
    }
}

fn package_view(id: PackageId, sold: Sold, packages: &PackageNames) -> PackageSalesView {
    PackageSalesView {
        package_id: id.get(),
        package: packages.get(&id).cloned(),
        sold: sold.into(),
    }
}

fn most_first<K>(sold: impl IntoIterator<Item = (K, Sold)>) -> impl Iterator<Item = (K, Sold)> {
    let mut all: Vec<_> = sold.into_iter().collect();
    all.sort_by_key(|(_, sold)| -sold.net());
    all.into_iter()
}

/// What was sold: purchases that were paid, what they brought, and what went back, by month, raffle and package.
#[utoipa::path(get, path = "/api/admin/sales", operation_id = "get_sales")]
pub(crate) async fn sales<S: Store>(
    admin: Admin<S, may::ViewSales>,
    Params(days): Params<DateRangeQuery>,
) -> Result<Json<SalesView>, ApiError> {
    let zone = admin.state().time_zone;
    let (from, until) = (days.from(zone), days.until(zone));
    let (sales, packages) = admin
        .run(move |call| usecases::purchases::sales(call.store, from, until, zone))
        .await?;
    Ok(Json(SalesView::new(sales, &packages)))
}
