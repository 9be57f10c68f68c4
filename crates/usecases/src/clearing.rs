//! Deleting collected data: D13.

use analytics::{AnalyticsClearing, AnalyticsCounts, ReferralClearing, ReferralCounts};
use chrono::{DateTime, Utc};
use kernel::{Clock, StoreError, UnitOfWork};
use sms::{SmsClearing, SmsCounts};
use staff::{Action, Actor, AuditLog, NewAuditEntry};

/// How much each clearing would delete now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredData {
    /// Deleted by clearing analytics.
    pub analytics: AnalyticsCounts,
    /// Deleted by clearing referrals.
    pub referrals: ReferralCounts,
    /// Deleted by clearing messages; clearing campaigns deletes the same except the templates.
    pub sms: SmsCounts,
}

/// Counts how much each clearing would delete now.
pub fn stored_data<S>(store: &S) -> Result<StoredData, StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + ReferralClearing + SmsClearing>,
{
    store.snapshot(|tx| {
        Ok(StoredData {
            analytics: tx.count_analytics()?,
            referrals: tx.count_referral_data()?,
            sms: tx.count_sms()?,
        })
    })
}

/// Deletes page views, shares, funnel steps and their roll-ups.
///
/// This needs read committed: the store waits for running writers, and must then see what they wrote.
pub fn clear_analytics<S>(store: &S, clock: &dyn Clock, actor: Actor) -> Result<AnalyticsCounts, StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let deleted = tx.clear_analytics()?;
        tx.record_audit(
            &NewAuditEntry::new(actor, Action::ClearAnalytics, at)
                .number("pageViews", deleted.page_views)
                .number("socialShares", deleted.social_shares)
                .number("funnelSteps", deleted.funnel_steps),
        )?;
        Ok(deleted)
    })
}

/// Deletes referrals and takes back the entries that were given for them.
pub fn clear_referrals<S>(store: &S, clock: &dyn Clock, actor: Actor) -> Result<ReferralCounts, StoreError>
where
    S: UnitOfWork<Tx: ReferralClearing + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let deleted = tx.clear_referrals(at)?;
        tx.record_audit(
            &NewAuditEntry::new(actor, Action::ClearReferrals, at)
                .number("referrals", deleted.referrals)
                .number("bonusEntries", deleted.bonus_entries),
        )?;
        Ok(deleted)
    })
}

/// Deletes campaigns, their messages and clicks. Opt-outs and the counts for the monthly cap stay.
pub fn clear_campaigns<S>(store: &S, clock: &dyn Clock, actor: Actor) -> Result<SmsCounts, StoreError>
where
    S: UnitOfWork<Tx: SmsClearing + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let deleted = tx.clear_campaigns()?;
        tx.record_audit(&sms_entry(actor, Action::ClearCampaigns, &deleted, at))?;
        Ok(deleted)
    })
}

/// Deletes campaigns, their messages and clicks, the templates, and the replies.
pub fn clear_sms<S>(store: &S, clock: &dyn Clock, actor: Actor) -> Result<SmsCounts, StoreError>
where
    S: UnitOfWork<Tx: SmsClearing + AuditLog>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let deleted = tx.clear_sms()?;
        let entry = sms_entry(actor, Action::ClearSms, &deleted, at)
            .number("templates", deleted.templates)
            .number("replies", deleted.replies);
        tx.record_audit(&entry)?;
        Ok(deleted)
    })
}

fn sms_entry(actor: Actor, action: Action, deleted: &SmsCounts, at: DateTime<Utc>) -> NewAuditEntry {
    NewAuditEntry::new(actor, action, at)
        .number("campaigns", deleted.campaigns)
        .number("messages", deleted.messages)
        .number("clicks", deleted.clicks)
}
