//! What staff see of purchases: a list, and what was sold.

use crate::people::MOST_COUNTED;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{EntrantId, PageRequest, StoreError, UnitOfWork};
use people::{People, PeopleFilter, PeopleQuery};
use pricing::{
    IntentId, ListedPurchase, PackageId, Packages, PurchaseFilter, PurchaseList, PurchaseSearch, Sales,
};
use std::collections::BTreeMap;

/// What staff look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedPurchases {
    /// The purchases of those whom this finds.
    Of(PeopleQuery),
    /// The one with this payment.
    Paid(IntentId),
}

/// The names that packages have now. One that was deleted has none.
pub type PackageNames = BTreeMap<PackageId, String>;

/// A page of the purchases that match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchasePage {
    /// The purchases of the page, the newest first.
    pub purchases: Vec<ListedPurchase>,
    /// The names of packages.
    pub packages: PackageNames,
    /// The number of all that match, at most [`MOST_COUNTED`].
    pub total: i64,
    /// Whether there are no more than `total`.
    pub is_total_exact: bool,
}

/// Of those whom a search finds, the purchases of this many are listed. Four digits find one of ten thousand entrants.
const MOST_BUYERS: u32 = 500;

/// A page of the purchases that match, the newest first. `asked`: only what staff look for.
pub fn list<S>(
    store: &S,
    filter: &PurchaseFilter,
    asked: Option<&AskedPurchases>,
    page: PageRequest,
) -> Result<PurchasePage, StoreError>
where
    S: UnitOfWork<Tx: PurchaseList + Packages + People>,
{
    store.snapshot(|tx| {
        let filter = looking_for(tx, filter, asked)?;
        let counted = tx.count_purchases(&filter, MOST_COUNTED + 1)?;
        Ok(PurchasePage {
            purchases: tx.list_purchases(&filter, page)?,
            packages: package_names(tx)?,
            total: counted.min(i64::from(MOST_COUNTED)),
            is_total_exact: counted <= i64::from(MOST_COUNTED),
        })
    })
}

/// The number of purchases that match.
pub fn count<S>(store: &S, filter: &PurchaseFilter, asked: Option<&AskedPurchases>) -> Result<i64, StoreError>
where
    S: UnitOfWork<Tx: PurchaseList + People>,
{
    store.snapshot(|tx| tx.count_purchases(&looking_for(tx, filter, asked)?, u32::MAX))
}

/// What was paid from one moment until before another, in all and apart, with the names of packages.
pub fn sales<S>(
    store: &S,
    from: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
    zone: Tz,
) -> Result<(Sales, PackageNames), StoreError>
where
    S: UnitOfWork<Tx: PurchaseList + Packages>,
{
    store.snapshot(|tx| Ok((Sales::of(tx.sold(from, until, zone)?), package_names(tx)?)))
}

/// The filter with what staff look for.
fn looking_for(
    tx: &impl People,
    filter: &PurchaseFilter,
    asked: Option<&AskedPurchases>,
) -> Result<PurchaseFilter, StoreError> {
    let search = match asked {
        None => None,
        Some(AskedPurchases::Paid(intent)) => Some(PurchaseSearch::Payment(intent.clone())),
        Some(AskedPurchases::Of(query)) => Some(PurchaseSearch::Buyers(buyers(tx, query)?)),
    };
    Ok(PurchaseFilter {
        search,
        ..filter.clone()
    })
}

fn buyers(tx: &impl People, query: &PeopleQuery) -> Result<Vec<EntrantId>, StoreError> {
    let filter = PeopleFilter {
        query: Some(query.clone()),
        ..PeopleFilter::default()
    };
    let page = PageRequest {
        limit: MOST_BUYERS,
        offset: 0,
    };
    let found = tx.list_people(&filter, page)?;
    Ok(found.into_iter().map(|person| person.id).collect())
}

fn package_names(tx: &impl Packages) -> Result<PackageNames, StoreError> {
    let all = PageRequest {
        limit: i32::MAX as u32,
        offset: 0,
    };
    let packages = tx.list_packages(false, all)?.into_iter();
    Ok(packages
        .map(|package| (package.id, package.offer.name.as_str().to_owned()))
        .collect())
}
