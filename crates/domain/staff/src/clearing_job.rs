use crate::{Action, Actor};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

kernel::id_type! {
    /// The id of a clearing job.
    pub struct JobId
}

/// The data that a job deletes (D13).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum ClearingKind {
    /// Page views, shares, funnel steps and their roll-ups.
    ClearAnalytics,
    /// Referrals and the entries that were given for them.
    ClearReferrals,
    /// Campaigns, their messages and clicks.
    ClearCampaigns,
    /// The same, the templates of campaigns and the replies.
    ClearSms,
}

impl ClearingKind {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The action that the audit log records at the end.
    pub const fn action(self) -> Action {
        match self {
            Self::ClearAnalytics => Action::ClearAnalytics,
            Self::ClearReferrals => Action::ClearReferrals,
            Self::ClearCampaigns => Action::ClearCampaigns,
            Self::ClearSms => Action::ClearSms,
        }
    }

    /// The names of its figures.
    pub const fn figure_names(self) -> &'static [&'static str] {
        match self {
            Self::ClearAnalytics => &["pageViews", "socialShares", "funnelSteps"],
            Self::ClearReferrals => &["referrals", "bonusEntries"],
            Self::ClearCampaigns => &["campaigns", "messages", "clicks"],
            Self::ClearSms => &["campaigns", "messages", "clicks", "templates", "replies"],
        }
    }
}

/// Whether a job has ended.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum JobState {
    /// It is deleting, or will go on deleting.
    Running,
    /// Everything is deleted.
    Completed,
    /// It has stopped, and only a part may be deleted.
    Failed,
}

impl JobState {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why a job failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum JobError {
    /// Other work held the data for too long.
    Busy,
    /// The store failed.
    StoreFailed,
}

impl JobError {
    /// The name in rows and responses.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Numbers of rows or entries by name, such as `referrals`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobFigures(BTreeMap<&'static str, i64>);

impl JobFigures {
    /// These numbers.
    pub fn new(figures: impl IntoIterator<Item = (&'static str, i64)>) -> Self {
        Self(figures.into_iter().collect())
    }

    /// Adds to each number.
    pub fn add(&mut self, more: &Self) {
        for (name, number) in more.iter() {
            let sum = self.0.entry(name).or_default();
            *sum = sum.saturating_add(number);
        }
    }

    /// One of the numbers; 0 if it is not set.
    pub fn get(&self, name: &str) -> i64 {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// All numbers together.
    pub fn sum(&self) -> i64 {
        self.0.values().fold(0, |sum, number| sum.saturating_add(*number))
    }

    /// The numbers in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, i64)> {
        self.0.iter().map(|(name, number)| (*name, *number))
    }
}

/// How far a job that deletes in batches has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobPosition {
    /// Nothing newer is deleted. Referrals: the last row of the ledger. Messages: the last campaign.
    pub bound: i64,
    /// Referrals: the number of the clearing in the ledger. Messages: the campaign of the last deleted message.
    pub group: i64,
    /// Referrals: the last entrant whose entries were taken back. Messages: the last deleted message.
    pub after: i64,
}

/// A clearing of data, which runs in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClearingJob {
    /// The id.
    pub id: JobId,
    /// The data that it deletes.
    pub kind: ClearingKind,
    /// The staff session that started it.
    pub actor: Actor,
    /// Whether it has ended.
    pub state: JobState,
    /// How much there was to delete. `None` before it was counted.
    pub total: Option<JobFigures>,
    /// How much has been deleted.
    pub deleted: JobFigures,
    /// How far it has come. `None` before deleting begins.
    pub position: Option<JobPosition>,
    /// The number of failed attempts since the last progress.
    pub attempts: u32,
    /// Why it failed.
    pub error: Option<JobError>,
    /// When staff started it.
    pub started_at: DateTime<Utc>,
    /// When it completed or failed.
    pub finished_at: Option<DateTime<Utc>>,
}

impl ClearingJob {
    /// A job that staff start now.
    pub fn new(id: JobId, kind: ClearingKind, actor: Actor, at: DateTime<Utc>) -> Self {
        Self {
            id,
            kind,
            actor,
            state: JobState::Running,
            total: None,
            deleted: JobFigures::default(),
            position: None,
            attempts: 0,
            error: None,
            started_at: at,
            finished_at: None,
        }
    }

    /// Ends the job: with an error it failed.
    pub fn finish(&mut self, error: Option<JobError>, at: DateTime<Utc>) {
        self.error = error;
        self.state = match error {
            None => JobState::Completed,
            Some(_) => JobState::Failed,
        };
        self.finished_at = Some(at);
        if error.is_none() {
            self.total = Some(self.deleted.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionId;
    use strum::IntoEnumIterator;

    #[test]
    fn a_kind_has_the_name_of_its_action() {
        for kind in ClearingKind::iter() {
            assert_eq!(kind.as_str(), kind.action().as_str());
        }
    }

    #[test]
    fn figures_add_up() {
        let mut figures = JobFigures::new([("referrals", 2)]);
        figures.add(&JobFigures::new([("referrals", 1), ("bonusEntries", 5)]));
        assert_eq!((figures.get("referrals"), figures.sum()), (3, 8));
        assert_eq!(figures.get("clicks"), 0);
    }

    #[test]
    fn a_completed_job_deleted_all_there_was_and_a_failed_one_says_why() {
        let actor = Actor {
            member: None,
            session: SessionId::new(1),
            address: None,
        };
        let at = DateTime::UNIX_EPOCH;
        let mut job = ClearingJob::new(JobId::new(1), ClearingKind::ClearReferrals, actor, at);
        job.total = Some(JobFigures::new([("referrals", 9)]));
        job.deleted = JobFigures::new([("referrals", 4)]);
        let mut failed = job.clone();
        failed.finish(Some(JobError::Busy), at);
        assert_eq!(
            (failed.state, failed.total.map(|total| total.sum())),
            (JobState::Failed, Some(9))
        );
        job.finish(None, at);
        assert_eq!((job.state, job.total), (JobState::Completed, Some(job.deleted)));
    }
}
