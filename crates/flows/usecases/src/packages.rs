//! Packages for sale, and whether they are offered.

use crate::drawings::Schedule;
use crate::rules;
use chrono_tz::Tz;
use drawing::rules::OfficialRules;
use kernel::{Clock, DatabaseClock, PageRequest, StoreError, UnitOfWork};
use pricing::{NewPackage, Package, PackageId, Packages, PricingSettings};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// The packages that visitors may buy now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The active packages.
    pub packages: Vec<Package>,
    /// Whether packages are shown and sold.
    pub show_pricing: bool,
}

/// Why a package was not changed.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// There is no such package.
    #[error("unknown package")]
    UnknownPackage,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What must be there before packages are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaleNeeds {
    /// Nothing: the site is in development.
    Nothing,
    /// What production needs: official rules of this month, by the calendar of the zone, that name a sponsor, and a drawing
    /// of each month, by which the free way is spread.
    Production {
        /// The zone of the site.
        zone: Tz,
        /// Who announces drawings.
        schedule: Schedule,
    },
}

/// Why packages are not shown or hidden.
#[derive(Debug, thiserror::Error)]
pub enum ShowPricingError {
    /// No official rules that name a sponsor count this month.
    #[error("rules are missing")]
    RulesMissing,
    /// Staff start each drawing by hand.
    #[error("drawings are not scheduled")]
    NotScheduled,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The packages that visitors may buy now.
pub fn offer<S>(store: &S) -> Result<Offer, StoreError>
where
    S: UnitOfWork<Tx: Packages + PricingSettings>,
{
    store.snapshot(|tx| {
        Ok(Offer {
            packages: tx.list_packages(true, PageRequest::default())?,
            show_pricing: tx.show_pricing()?,
        })
    })
}

/// A page of all packages, by sort order and then id, with the number of all.
pub fn list<S>(store: &S, page: PageRequest) -> Result<(Vec<Package>, i64), StoreError>
where
    S: UnitOfWork<Tx: Packages>,
{
    store.snapshot(|tx| Ok((tx.list_packages(false, page)?, tx.count_packages()?)))
}

/// Adds a package.
pub fn create<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    offer: &NewPackage,
) -> Result<Package, StoreError>
where
    S: UnitOfWork<Tx: Packages + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let id = tx.add_package(offer, at)?;
        tx.record_audit(&audit_entry(actor, Action::CreatePackage, id, offer, at))?;
        tx.find_package(id)?.ok_or(StoreError::Conflict)
    })
}

/// Changes a package. Purchases keep the price and entries that they were made with.
///
/// # Errors
/// [`PackageError::UnknownPackage`].
pub fn update<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    id: PackageId,
    offer: &NewPackage,
) -> Result<Package, PackageError>
where
    S: UnitOfWork<Tx: Packages + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let before = tx.find_package(id)?.ok_or(PackageError::UnknownPackage)?.offer;
        if !tx.change_package(id, offer)? {
            return Err(PackageError::UnknownPackage);
        }
        let entry = audit_entry(actor, Action::UpdatePackage, id, offer, at)
            .text("nameBefore", before.name.as_str())
            .number("entriesBefore", before.entries.get())
            .number("priceInCentsBefore", before.price.cents());
        tx.record_audit(&entry)?;
        tx.find_package(id)?.ok_or(PackageError::UnknownPackage)
    })
}

/// Deletes a package. Its purchases stay.
///
/// # Errors
/// [`PackageError::UnknownPackage`].
pub fn delete<S>(store: &S, clock: &dyn Clock, actor: Actor, id: PackageId) -> Result<(), PackageError>
where
    S: UnitOfWork<Tx: Packages + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let package = tx.find_package(id)?.ok_or(PackageError::UnknownPackage)?;
        if !tx.delete_package(id)? {
            return Err(PackageError::UnknownPackage);
        }
        tx.record_audit(&audit_entry(actor, Action::DeletePackage, id, &package.offer, at))?;
        Ok(())
    })
}

/// Whether packages are shown and sold.
pub fn show_pricing<S>(store: &S) -> Result<bool, StoreError>
where
    S: UnitOfWork<Tx: PricingSettings>,
{
    store.read(|tx| tx.show_pricing())
}

/// Sets whether packages are shown and sold. They can always be hidden.
///
/// # Errors
/// [`ShowPricingError::RulesMissing`], [`ShowPricingError::NotScheduled`] when they are to be shown and what they need is
/// not there.
pub fn set_show_pricing<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    show: bool,
    needs: SaleNeeds,
) -> Result<(), ShowPricingError>
where
    S: UnitOfWork<Tx: PricingSettings + AuditLog + OfficialRules + DatabaseClock>,
{
    let at = clock.now();
    let word = |shown| if shown { "on" } else { "off" };
    store.transaction(|tx| {
        if let (true, SaleNeeds::Production { zone, schedule }) = (show, needs) {
            if schedule == Schedule::Manual {
                return Err(ShowPricingError::NotScheduled);
            }
            let rules = rules::of_this_month(tx, zone)?;
            rules
                .filter(|rules| !rules.is_draft())
                .ok_or(ShowPricingError::RulesMissing)?;
        }
        let before = tx.show_pricing()?;
        tx.set_show_pricing(show, at)?;
        let entry = NewAuditEntry::new(actor, Action::UpdateSettings, at)
            .text("showPricing", word(show))
            .text("showPricingBefore", word(before));
        tx.record_audit(&entry)?;
        Ok(())
    })
}

fn audit_entry(
    actor: Actor,
    action: Action,
    id: PackageId,
    offer: &NewPackage,
    at: chrono::DateTime<chrono::Utc>,
) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at)
        .target(id)
        .text("name", offer.name.as_str())
        .number("entries", offer.entries.get())
        .number("priceInCents", offer.price.cents())
}
