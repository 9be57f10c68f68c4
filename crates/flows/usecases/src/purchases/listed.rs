//! What staff see of purchases: a list, and what was sold.

use crate::people::MOST_COUNTED;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{PageRequest, StoreError, UnitOfWork};
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
        let filter = PurchaseFilter {
            search: asked.map(|asked| search(tx, asked)).transpose()?,
            ..filter.clone()
        };
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
    store.snapshot(|tx| {
        let filter = PurchaseFilter {
            search: asked.map(|asked| search(tx, asked)).transpose()?,
            ..filter.clone()
        };
        tx.count_purchases(&filter, u32::MAX)
    })
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

fn search(tx: &impl People, asked: &AskedPurchases) -> Result<PurchaseSearch, StoreError> {
    let query = match asked {
        AskedPurchases::Paid(intent) => return Ok(PurchaseSearch::Payment(intent.clone())),
        AskedPurchases::Of(query) => query.clone(),
    };
    let filter = PeopleFilter {
        query: Some(query),
        ..PeopleFilter::default()
    };
    let page = PageRequest {
        limit: MOST_BUYERS,
        offset: 0,
    };
    let found = tx.list_people(&filter, page)?;
    Ok(PurchaseSearch::Buyers(
        found.into_iter().map(|person| person.id).collect(),
    ))
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
