//! Deleting collected data. A job deletes in many short transactions, so that nobody waits for it.
//!
//! Each step of a job locks its row, deletes a batch and stores how far it has come, all in one transaction. So any
//! server can take any step, and a server that stops loses nothing: [`continue_unattended`] goes on.

use analytics::{AnalyticsClearing, AnalyticsCounts, ReferralClearing, ReferralCounts, ReferralCut};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, EntrantId, StoreError, UnitOfWork};
use sms::{CampaignId, MessageCut, MessageId, SmsClearing, SmsCounts};
use staff::{
    Actor, AuditLog, ClearingJob, ClearingJobs, ClearingKind, JobError, JobFigures, JobId, JobPosition,
    NewAuditEntry,
};

/// How much one transaction of a job may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchSizes {
    /// The number of entrants whose entries are taken back. A friend of theirs who enters meanwhile waits.
    pub entrants: u32,
    /// The number of messages that are deleted.
    pub messages: u32,
}

impl Default for BatchSizes {
    fn default() -> Self {
        Self {
            entrants: 2_000,
            messages: 5_000,
        }
    }
}

/// The number of attempts without progress after which a job fails, when other work was in the way or the database away.
/// A server tries every five seconds, so this is about five minutes.
const MAX_ATTEMPTS: u32 = 60;
/// How many of these attempts any other error counts as.
const WEIGHT_OF_AN_ERROR: u32 = 20;
/// How long a job has no progress before another server goes on with it. Steps are much shorter.
pub const UNATTENDED_AFTER: TimeDelta = TimeDelta::seconds(5);

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

/// A job that staff asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartedJob {
    /// A new one, which nobody works on yet.
    New(JobId),
    /// One of the same kind is running already.
    Running(JobId),
}

impl StartedJob {
    /// The job.
    pub const fn id(self) -> JobId {
        match self {
            Self::New(id) | Self::Running(id) => id,
        }
    }
}

/// Starts a clearing, or finds the one of this kind that is running. [`run`] does the work.
pub fn start<S>(
    store: &S,
    clock: &dyn Clock,
    actor: Actor,
    kind: ClearingKind,
) -> Result<StartedJob, StoreError>
where
    S: UnitOfWork<Tx: ClearingJobs>,
{
    loop {
        let at = clock.now();
        if let Some(id) = store.transaction(|tx| tx.add_job(kind, actor, at))? {
            return Ok(StartedJob::New(id));
        }
        // It may have ended since.
        let running = store.read::<_, StoreError>(|tx| tx.list_running_jobs())?;
        if let Some(job) = running.into_iter().find(|job| job.kind == kind) {
            return Ok(StartedJob::Running(job.id));
        }
    }
}

/// The job with this id.
pub fn find<S>(store: &S, id: JobId) -> Result<Option<ClearingJob>, StoreError>
where
    S: UnitOfWork<Tx: ClearingJobs>,
{
    store.read(|tx| tx.find_job(id))
}

/// The running jobs, oldest first.
pub fn list_running<S>(store: &S) -> Result<Vec<ClearingJob>, StoreError>
where
    S: UnitOfWork<Tx: ClearingJobs>,
{
    store.read(|tx| tx.list_running_jobs())
}

/// What a step of a job led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It deleted a batch, and there is more to do.
    Progress,
    /// The job has ended: by this step, or before.
    Ended,
    /// Nothing could be deleted now.
    Delayed,
}

/// Works on a job, as long as `goes_on` says so, until it ends or has to wait. [`continue_unattended`] then goes on.
///
/// # Errors
/// [`StoreError`] when not even the failed attempt could be recorded.
pub fn run<S>(
    store: &S,
    clock: &dyn Clock,
    id: JobId,
    batches: BatchSizes,
    mut goes_on: impl FnMut() -> bool,
) -> Result<(), StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + ReferralClearing + SmsClearing + ClearingJobs + AuditLog>,
{
    while goes_on() && step(store, clock, id, batches)? == Step::Progress {}
    Ok(())
}

/// Works on every job without progress for this long, such as [`UNATTENDED_AFTER`]: those of servers that have stopped,
/// and those that had to wait. Returns their number.
///
/// # Errors
/// As [`run`].
pub fn continue_unattended<S>(
    store: &S,
    clock: &dyn Clock,
    idle: TimeDelta,
    mut goes_on: impl FnMut() -> bool,
) -> Result<usize, StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + ReferralClearing + SmsClearing + ClearingJobs + AuditLog>,
{
    let now = clock.now();
    let jobs = store.read::<_, StoreError>(|tx| tx.list_unattended_jobs(idle, now))?;
    for id in &jobs {
        run(store, clock, *id, BatchSizes::default(), &mut goes_on)?;
    }
    Ok(jobs.len())
}

/// Takes the next step of a job in one transaction. A step that fails counts as an attempt; after too many, the job has
/// failed.
///
/// # Errors
/// As [`run`].
pub fn step<S>(store: &S, clock: &dyn Clock, id: JobId, batches: BatchSizes) -> Result<Step, StoreError>
where
    S: UnitOfWork<Tx: AnalyticsClearing + ReferralClearing + SmsClearing + ClearingJobs + AuditLog>,
{
    let at = clock.now();
    let outcome = store.transaction(|tx| {
        let Some(mut job) = tx.lock_job(id)? else {
            return Ok(Step::Ended);
        };
        let work = delete_next(tx, &mut job, batches)?;
        if work == Work::Busy {
            return Ok(Step::Delayed);
        }
        job.attempts = 0;
        if work == Work::Done {
            job.finish(None, at);
            tx.record_audit(&audit_entry(&job, at))?;
        }
        tx.save_job(&job, at)?;
        Ok(if work == Work::Done {
            Step::Ended
        } else {
            Step::Progress
        })
    });
    match outcome {
        Ok(Step::Delayed) => count_attempt(store, id, JobError::Busy, 1, at),
        Ok(step) => Ok(step),
        Err(error) => {
            tracing::warn!(job = %id, %error, "cannot clear data");
            let weight = match error {
                StoreError::Unavailable(_) | StoreError::Conflict => 1,
                _ => WEIGHT_OF_AN_ERROR,
            };
            count_attempt(store, id, JobError::StoreFailed, weight, at)
        }
    }
}

fn count_attempt<S>(
    store: &S,
    id: JobId,
    error: JobError,
    weight: u32,
    at: DateTime<Utc>,
) -> Result<Step, StoreError>
where
    S: UnitOfWork<Tx: ClearingJobs + AuditLog>,
{
    store.transaction(|tx| {
        let Some(mut job) = tx.lock_job(id)? else {
            return Ok(Step::Ended);
        };
        job.attempts += weight;
        let failed = job.attempts >= MAX_ATTEMPTS;
        if failed {
            job.finish(Some(error), at);
            tx.record_audit(&audit_entry(&job, at).text("error", error.as_str()))?;
        }
        tx.save_job(&job, at)?;
        Ok(if failed { Step::Ended } else { Step::Delayed })
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    More,
    Done,
    Busy,
}

/// Counts first, then deletes.
fn delete_next<T>(tx: &mut T, job: &mut ClearingJob, batches: BatchSizes) -> Result<Work, StoreError>
where
    T: AnalyticsClearing + ReferralClearing + SmsClearing,
{
    if job.total.is_none() {
        job.total = Some(count(tx, job.kind)?);
        return Ok(Work::More);
    }
    match job.kind {
        ClearingKind::ClearAnalytics => clear_analytics(tx, job),
        ClearingKind::ClearReferrals => clear_referrals(tx, job, batches.entrants),
        ClearingKind::ClearCampaigns | ClearingKind::ClearSms => clear_messages(tx, job, batches.messages),
    }
}

fn count<T>(tx: &T, kind: ClearingKind) -> Result<JobFigures, StoreError>
where
    T: AnalyticsClearing + ReferralClearing + SmsClearing,
{
    Ok(match kind {
        ClearingKind::ClearAnalytics => analytics_figures(tx.count_analytics()?),
        ClearingKind::ClearReferrals => {
            let counts = tx.count_referral_data()?;
            referral_figures(counts.referrals, counts.bonus_entries)
        }
        ClearingKind::ClearCampaigns | ClearingKind::ClearSms => sms_figures(kind, tx.count_sms()?),
    })
}

/// Everything at once: tables are truncated, which takes no longer for more rows.
fn clear_analytics(tx: &mut impl AnalyticsClearing, job: &mut ClearingJob) -> Result<Work, StoreError> {
    let Some(deleted) = tx.clear_analytics()? else {
        return Ok(Work::Busy);
    };
    job.deleted = analytics_figures(deleted);
    Ok(Work::Done)
}

/// The referrals at once, then the entries of a few entrants at a time.
fn clear_referrals(
    tx: &mut impl ReferralClearing,
    job: &mut ClearingJob,
    limit: u32,
) -> Result<Work, StoreError> {
    let Some(position) = job.position else {
        let Some((referrals, cut)) = tx.cut_referrals()? else {
            return Ok(Work::Busy);
        };
        job.deleted = referral_figures(referrals, 0);
        job.position = Some(position_of_referrals(&cut));
        return Ok(Work::More);
    };
    let mut cut = ReferralCut {
        last_row: position.bound,
        clearing: position.group,
        after: EntrantId::new(position.after),
    };
    let Some(entries) = tx.take_referral_entries(&mut cut, limit)? else {
        return Ok(Work::Done);
    };
    job.deleted.add(&referral_figures(0, entries));
    job.position = Some(position_of_referrals(&cut));
    Ok(Work::More)
}

/// The campaigns at once, then a few of their messages at a time.
fn clear_messages(tx: &mut impl SmsClearing, job: &mut ClearingJob, limit: u32) -> Result<Work, StoreError> {
    let Some(position) = job.position else {
        let with_templates = job.kind == ClearingKind::ClearSms;
        let Some((deleted, cut)) = tx.cut_campaigns(with_templates)? else {
            return Ok(Work::Busy);
        };
        job.deleted = sms_figures(job.kind, deleted);
        job.position = Some(position_of_messages(&cut));
        return Ok(Work::More);
    };
    let mut cut = MessageCut {
        last_campaign: CampaignId::new(position.bound),
        campaign: CampaignId::new(position.group),
        message: MessageId::new(position.after),
    };
    let Some(deleted) = tx.delete_messages(&mut cut, limit)? else {
        return Ok(Work::Done);
    };
    job.deleted.add(&sms_figures(job.kind, deleted));
    job.position = Some(position_of_messages(&cut));
    Ok(Work::More)
}

fn position_of_referrals(cut: &ReferralCut) -> JobPosition {
    JobPosition {
        bound: cut.last_row,
        group: cut.clearing,
        after: cut.after.get(),
    }
}

fn position_of_messages(cut: &MessageCut) -> JobPosition {
    JobPosition {
        bound: cut.last_campaign.get(),
        group: cut.campaign.get(),
        after: cut.message.get(),
    }
}

fn analytics_figures(counts: AnalyticsCounts) -> JobFigures {
    JobFigures::new([
        ("pageViews", counts.page_views),
        ("socialShares", counts.social_shares),
        ("funnelSteps", counts.funnel_steps),
    ])
}

fn referral_figures(referrals: i64, bonus_entries: i64) -> JobFigures {
    JobFigures::new([("referrals", referrals), ("bonusEntries", bonus_entries)])
}

/// Without the templates and the replies if they are not cleared.
fn sms_figures(kind: ClearingKind, counts: SmsCounts) -> JobFigures {
    let figures = [
        ("campaigns", counts.campaigns),
        ("messages", counts.messages),
        ("clicks", counts.clicks),
        ("templates", counts.templates),
        ("replies", counts.replies),
    ];
    let names = kind.figure_names();
    JobFigures::new(figures.into_iter().filter(|(name, _)| names.contains(name)))
}

fn audit_entry(job: &ClearingJob, at: DateTime<Utc>) -> NewAuditEntry {
    let entry = NewAuditEntry::new(job.actor, job.kind.action(), at);
    job.deleted
        .iter()
        .fold(entry, |entry, (name, number)| entry.number(name, number))
}
