use crate::mem_store::MemTx;
use crate::state::staff::{Attempt, OpenSession, StoredJob};
use crate::state::{next_id, storable};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{PageRequest, StoreError, UniqueKey};
use staff::audit_chain::{ChainEntry, ChainHead, note_hash};
use staff::{
    Account, Accounts, Actor, AdminSession, AdminSessions, AttemptId, AttemptLimit, AttemptSubject,
    AuditChain, AuditEntry, AuditFilter, AuditLog, ClearingJob, ClearingJobs, ClearingKind, Detail, JobId,
    JobState, LoginAttempts, MemberId, NewAdminSession, NewAuditEntry, Reservation, SESSION_IDLE, SessionId,
    StartSettings, TokenHash,
};

impl AdminSessions for MemTx {
    fn open_session(&mut self, session: &NewAdminSession) -> Result<SessionId, StoreError> {
        storable(session.user_agent.as_deref())?;
        let staff = &mut self.0.staff;
        if staff.sessions.iter().any(|open| open.token == session.token_hash) {
            return Err(StoreError::Duplicate(UniqueKey::SessionToken));
        }
        let id = SessionId::new(next_id(staff.sessions_opened));
        staff.sessions_opened += 1;
        staff.sessions.push(OpenSession {
            token: session.token_hash,
            session: AdminSession {
                id,
                member: session.member,
                password_tag: session.password_tag,
                address: session.address,
                user_agent: session.user_agent.clone(),
                code_given_at: session.code_given_at,
                created_at: session.created_at,
                last_used_at: session.created_at,
                expires_at: session.expires_at,
            },
        });
        Ok(id)
    }

    fn find_session(
        &self,
        token: &TokenHash,
        now: DateTime<Utc>,
    ) -> Result<Option<(AdminSession, Account)>, StoreError> {
        let mut sessions = self.0.staff.sessions.iter();
        let Some(open) = sessions.find(|open| open.token == *token && !has_ended(&open.session, now)) else {
            return Ok(None);
        };
        let account = self.find_account(open.session.member)?;
        Ok(account.map(|account| (open.session.clone(), account)))
    }

    fn list_sessions(&self, member: MemberId, now: DateTime<Utc>) -> Result<Vec<AdminSession>, StoreError> {
        let sessions = self.0.staff.sessions.iter().rev().map(|open| &open.session);
        Ok(sessions
            .filter(|session| session.member == member && !has_ended(session, now))
            .cloned()
            .collect())
    }

    fn touch_session(&mut self, session: SessionId, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.0
            .staff
            .change_session(session, |session| session.last_used_at = at);
        Ok(())
    }

    fn note_code(&mut self, session: SessionId, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.0
            .staff
            .change_session(session, |session| session.code_given_at = Some(at));
        Ok(())
    }

    fn close_session(&mut self, token: &TokenHash) -> Result<bool, StoreError> {
        let closed = self.0.staff.delete_sessions(|open| open.token == *token);
        Ok(closed > 0)
    }

    fn close_session_of(&mut self, member: MemberId, session: SessionId) -> Result<bool, StoreError> {
        let is_it = |open: &OpenSession| open.session.member == member && open.session.id == session;
        Ok(self.0.staff.delete_sessions(is_it) > 0)
    }

    fn close_sessions_of(&mut self, member: MemberId) -> Result<usize, StoreError> {
        Ok(self.0.staff.delete_sessions(|open| open.session.member == member))
    }

    fn forget_ended_sessions(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        Ok(self.0.staff.delete_sessions(|open| has_ended(&open.session, now)))
    }
}

impl LoginAttempts for MemTx {
    fn reserve_attempt(
        &mut self,
        subject: AttemptSubject,
        limit: AttemptLimit,
        now: DateTime<Utc>,
    ) -> Result<Reservation, StoreError> {
        let staff = &mut self.0.staff;
        let counting = staff
            .attempts
            .iter()
            .filter(|made| made.subject == subject && made.at > limit.since(now));
        let mut moments: Vec<_> = counting.map(|made| made.at).collect();
        moments.sort();
        if let Some(until) = limit.refused_until(&moments, now) {
            return Ok(Reservation::Refused { until });
        }
        let id = AttemptId::new(next_id(staff.attempts_made));
        staff.attempts_made += 1;
        staff.attempts.push(Attempt { id, subject, at: now });
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
        let id = next_id(self.0.staff.audit.len());
        let mut details: Vec<_> = entry
            .details
            .iter()
            .map(|(name, detail)| ((*name).to_owned(), detail.clone()))
            .collect();
        details.sort_by(|(a, _), (b, _)| a.cmp(b));
        let recorded = AuditEntry {
            id,
            member: entry.actor.member,
            session: entry.actor.session,
            action: entry.action,
            target: entry.target.clone(),
            details,
            address: entry.actor.address,
            created_at: entry.at,
        };
        let head = self.0.staff.head();
        self.0.staff.chain.push(linked(unchained(&recorded), &head));
        self.0.staff.audit.push(recorded);
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

impl AuditChain for MemTx {
    fn list_chain(&self, after: i64, limit: u32) -> Result<Vec<ChainEntry>, StoreError> {
        let later = self.0.staff.chain.iter().filter(|entry| entry.id > after);
        Ok(later.take(limit as usize).cloned().collect())
    }

    fn chain_head(&self) -> Result<Option<ChainHead>, StoreError> {
        Ok(Some(self.0.staff.head()))
    }

    fn lost_without_erasure(&self) -> Result<Option<(String, i64)>, StoreError> {
        Ok(None) // only an erasure erases here
    }
}

impl StartSettings for MemTx {
    fn replace_start_setting(&mut self, name: &str, value: &str) -> Result<Option<String>, StoreError> {
        let settings = &mut self.0.staff.start_settings;
        Ok(settings.insert(name.to_owned(), value.to_owned()))
    }
}

/// Whether a session is over, used or not.
fn has_ended(session: &AdminSession, now: DateTime<Utc>) -> bool {
    now >= session.expires_at || now >= session.last_used_at + SESSION_IDLE
}

/// The entry behind the end of a chain: with its id, its place and its hashes.
fn linked(mut entry: ChainEntry, head: &ChainHead) -> ChainEntry {
    entry.id = head.last_id + 1;
    entry.position = Some(head.position + 1);
    entry.note_hash = match (&entry.note, &entry.note_salt) {
        (Some(note), Some(salt)) => Some(note_hash(salt, note)),
        _ => None,
    };
    entry.previous = Some(head.hash);
    entry.hash = Some(entry.computed_hash());
    entry
}

/// An entry as PostgreSQL has it, but with another spelling of the details, which must only be the same each time.
fn unchained(entry: &AuditEntry) -> ChainEntry {
    let (note, details): (Vec<_>, Vec<_>) = entry
        .details
        .iter()
        .partition(|(name, _)| ["reason", "note", "notes", "tags"].contains(&name.as_str()));
    let note = (!note.is_empty()).then(|| format!("{note:?}"));
    ChainEntry {
        id: entry.id,
        position: None,
        session: entry.session.get(),
        member: entry.member.map(MemberId::get),
        action: entry.action.as_str().to_owned(),
        target: entry.target.clone(),
        details: format!("{details:?}"),
        note_salt: note.is_some().then(|| entry.id.to_be_bytes().repeat(4)),
        note,
        note_hash: None,
        address: entry.address.map(|address| address.to_string()),
        at: entry.created_at,
        previous: None,
        hash: None,
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
