//! Deleting what was collected: D13.

use analytics::{AnalyticsClearing, AnalyticsCounts, ReferralClearing, ReferralCounts};
use kernel::{Clock, StoreError, UnitOfWork};
use staff::{Action, Actor, AuditLog, Detail, NewAuditEntry};

/// What a clear would delete now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredData {
    /// By clearing analytics.
    pub analytics: AnalyticsCounts,
    /// By clearing referrals.
    pub referrals: ReferralCounts,
}

/// What a clear would delete now.
///
/// # Errors
/// Only the store's own.
pub fn stored_data<S>(store: &S) -> Result<StoredData, StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + ReferralClearing>,
{
    store.snapshot(|tx| {
        Ok(StoredData {
            analytics: tx.count_analytics()?,
            referrals: tx.count_referral_data()?,
        })
    })
}

/// Deletes page views, shares, funnel steps and their roll-ups.
///
/// Not as if alone: the store lets the writers finish first, and must then see what they wrote.
///
/// # Errors
/// Only the store's own; nothing is deleted then.
pub fn clear_analytics<S>(store: &S, clock: &dyn Clock, actor: Actor) -> Result<AnalyticsCounts, StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + AuditLog>,
{
    let at = clock.now();
    store.intents(|tx| {
        let deleted = tx.clear_analytics()?;
        tx.record_audit(&NewAuditEntry {
            actor,
            action: Action::ClearAnalytics,
            target: None,
            details: vec![
                ("pageViews", Detail::Number(deleted.page_views)),
                ("socialShares", Detail::Number(deleted.social_shares)),
                ("funnelSteps", Detail::Number(deleted.funnel_steps)),
            ],
            at,
        })?;
        Ok(deleted)
    })
}

/// Deletes referrals and takes the entries that were given for them.
///
/// # Errors
/// Only the store's own; nothing is deleted then.
pub fn clear_referrals<S>(store: &S, clock: &dyn Clock, actor: Actor) -> Result<ReferralCounts, StoreError>
where
    S: UnitOfWork<Tx: ReferralClearing + AuditLog>,
{
    let at = clock.now();
    store.intents(|tx| {
        let deleted = tx.clear_referrals(at)?;
        tx.record_audit(&NewAuditEntry {
            actor,
            action: Action::ClearReferrals,
            target: None,
            details: vec![
                ("referrals", Detail::Number(deleted.referrals)),
                ("bonusEntries", Detail::Number(deleted.bonus_entries)),
            ],
            at,
        })?;
        Ok(deleted)
    })
}
