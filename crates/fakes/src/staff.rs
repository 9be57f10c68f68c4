use crate::mem_store::{MemTx, next_id, storable};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{PageRequest, StoreError, UniqueKey};
use staff::{
    Actor, AdminSessions, AttemptId, AttemptLimit, AuditEntry, AuditFilter, AuditLog, ClearingJob,
    ClearingJobs, ClearingKind, Detail, JobId, JobState, LoginAttempts, NewAdminSession, NewAuditEntry,
    Reservation, SessionId, TokenHash,
};
use std::net::IpAddr;

/// Sessions, login attempts and the audit log. Ids are never reused, so they are counted separately.
#[derive(Clone, Default)]
pub(crate) struct StaffState {
    sessions: Vec<(SessionId, NewAdminSession)>,
    sessions_opened: usize,
    attempts: Vec<Attempt>,
    attempts_made: usize,
    audit: Vec<AuditEntry>,
    jobs: Vec<StoredJob>,
}

#[derive(Clone)]
struct StoredJob {
    job: ClearingJob,
    updated_at: DateTime<Utc>,
}

#[derive(Clone)]
struct Attempt {
    id: AttemptId,
    subscriber: IpAddr,
    at: DateTime<Utc>,
}

impl AdminSessions for MemTx {
    fn open_session(&mut self, session: &NewAdminSession) -> Result<SessionId, StoreError> {
        storable(session.user_agent.as_deref())?;
        let staff = &mut self.0.staff;
        if staff
            .sessions
            .iter()
            .any(|(_, open)| open.token_hash == session.token_hash)
        {
            return Err(StoreError::Duplicate(UniqueKey::SessionToken));
        }
        let id = SessionId::new(next_id(staff.sessions_opened));
        staff.sessions_opened += 1;
        staff.sessions.push((id, session.clone()));
        Ok(id)
    }

    fn find_session(&self, token: &TokenHash, now: DateTime<Utc>) -> Result<Option<SessionId>, StoreError> {
        let mut sessions = self.0.staff.sessions.iter();
        let found = sessions.find(|(_, open)| open.token_hash == *token && open.expires_at > now);
        Ok(found.map(|(id, _)| *id))
    }

    fn close_session(&mut self, token: &TokenHash) -> Result<bool, StoreError> {
        let closed = self.0.staff.delete_sessions(|open| open.token_hash == *token);
        Ok(closed > 0)
    }

    fn forget_expired_sessions(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        Ok(self.0.staff.delete_sessions(|open| open.expires_at <= now))
    }
}

impl StaffState {
    fn delete_sessions(&mut self, which: impl Fn(&NewAdminSession) -> bool) -> usize {
        let before = self.sessions.len();
        self.sessions.retain(|(_, session)| !which(session));
        before - self.sessions.len()
    }
}

impl LoginAttempts for MemTx {
    fn reserve_attempt(
        &mut self,
        subscriber: IpAddr,
        limit: AttemptLimit,
        now: DateTime<Utc>,
    ) -> Result<Reservation, StoreError> {
        let staff = &mut self.0.staff;
        let counting = staff
            .attempts
            .iter()
            .filter(|made| made.subscriber == subscriber && made.at > limit.since(now));
        let moments: Vec<_> = counting.map(|made| made.at).collect();
        if let Some(oldest) = moments.iter().min()
            && moments.len() >= limit.attempts as usize
        {
            return Ok(Reservation::Refused { oldest: *oldest });
        }
        let id = AttemptId::new(next_id(staff.attempts_made));
        staff.attempts_made += 1;
        staff.attempts.push(Attempt {
            id,
            subscriber,
            at: now,
        });
        Ok(Reservation::Granted(id))
    }

    fn forget_attempt(&mut self, attempt: AttemptId) -> Result<(), StoreError> {
        self.0.staff.attempts.retain(|made| made.id != attempt);
        Ok(())
    }

    fn forget_attempts_before(&mut self, moment: DateTime<Utc>) -> Result<usize, StoreError> {
        let attempts = &mut self.0.staff.attempts;
        let before = attempts.len();
        attempts.retain(|made| made.at >= moment);
        Ok(before - attempts.len())
    }
}

impl AuditLog for MemTx {
    fn record_audit(&mut self, entry: &NewAuditEntry) -> Result<i64, StoreError> {
        storable(entry.target.as_deref())?;
        storable(entry.details.iter().filter_map(|(_, detail)| match detail {
            Detail::Text(text) => Some(text.as_str()),
            Detail::Number(_) => None,
        }))?;
        let audit = &mut self.0.staff.audit;
        let id = next_id(audit.len());
        let mut details: Vec<_> = entry
            .details
            .iter()
            .map(|(name, detail)| ((*name).to_owned(), detail.clone()))
            .collect();
        details.sort_by(|(a, _), (b, _)| a.cmp(b));
        audit.push(AuditEntry {
            id,
            session: entry.actor.session,
            action: entry.action,
            target: entry.target.clone(),
            details,
            address: entry.actor.address,
            created_at: entry.at,
        });
        Ok(id)
    }

    fn list_audit(&self, filter: &AuditFilter, page: PageRequest) -> Result<Vec<AuditEntry>, StoreError> {
        let newest_first = self.0.staff.audit.iter().rev();
        let matching = newest_first.filter(|entry| matches(filter, entry));
        let part = matching.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn count_audit(&self, filter: &AuditFilter) -> Result<i64, StoreError> {
        let matching = self.0.staff.audit.iter().filter(|entry| matches(filter, entry));
        Ok(i64::try_from(matching.count()).unwrap_or(i64::MAX))
    }
}

fn matches(filter: &AuditFilter, entry: &AuditEntry) -> bool {
    filter.action.is_none_or(|action| entry.action == action)
        && filter.from.is_none_or(|from| entry.created_at >= from)
        && filter.until.is_none_or(|until| entry.created_at < until)
        && filter.before.is_none_or(|before| entry.id < before)
}

impl ClearingJobs for MemTx {
    fn add_job(
        &mut self,
        kind: ClearingKind,
        actor: Actor,
        at: DateTime<Utc>,
    ) -> Result<Option<JobId>, StoreError> {
        let jobs = &mut self.0.staff.jobs;
        if running(jobs).any(|stored| stored.job.kind == kind) {
            return Ok(None);
        }
        let id = JobId::new(next_id(jobs.len()));
        jobs.push(StoredJob {
            job: ClearingJob::new(id, kind, actor, at),
            updated_at: at,
        });
        Ok(Some(id))
    }

    fn find_job(&self, id: JobId) -> Result<Option<ClearingJob>, StoreError> {
        let found = self.0.staff.jobs.iter().find(|stored| stored.job.id == id);
        Ok(found.map(|stored| stored.job.clone()))
    }

    fn list_running_jobs(&self) -> Result<Vec<ClearingJob>, StoreError> {
        Ok(running(&self.0.staff.jobs)
            .map(|stored| stored.job.clone())
            .collect())
    }

    fn list_unattended_jobs(&self, idle: TimeDelta, now: DateTime<Utc>) -> Result<Vec<JobId>, StoreError> {
        Ok(running(&self.0.staff.jobs)
            .filter(|stored| stored.updated_at < now - idle)
            .map(|stored| stored.job.id)
            .collect())
    }

    fn lock_job(&mut self, id: JobId) -> Result<Option<ClearingJob>, StoreError> {
        let found = running(&self.0.staff.jobs).find(|stored| stored.job.id == id);
        Ok(found.map(|stored| stored.job.clone()))
    }

    fn save_job(&mut self, job: &ClearingJob, at: DateTime<Utc>) -> Result<(), StoreError> {
        for stored in &mut self.0.staff.jobs {
            if stored.job.id == job.id {
                stored.job = job.clone();
                stored.updated_at = at;
            }
        }
        Ok(())
    }

    fn has_unfinished_referral_clearing(&self) -> Result<bool, StoreError> {
        let mut clearings = self.0.staff.jobs.iter().rev().map(|stored| &stored.job);
        let begun = clearings.find(|job| {
            job.kind == ClearingKind::ClearReferrals
                && (job.position.is_some() || job.state == JobState::Completed)
        });
        Ok(begun.is_some_and(|job| job.state != JobState::Completed))
    }
}

fn running(jobs: &[StoredJob]) -> impl Iterator<Item = &StoredJob> {
    jobs.iter().filter(|stored| stored.job.state == JobState::Running)
}
