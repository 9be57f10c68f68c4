//! What the store has of `staff`.

use chrono::{DateTime, Utc};
use staff::audit_chain::{ChainEntry, ChainHead};
use staff::{
    Account, AdminSession, Approval, ApprovalKind, AttemptId, AttemptSubject, AuditEntry, ClearingJob,
    MemberId, RecoveryHash, SessionId, TokenHash,
};

use std::collections::BTreeMap;

/// Accounts, sessions, login attempts and the audit log. Ids are never reused, so they are counted separately.
#[derive(Clone, Default)]
pub(crate) struct StaffState {
    pub(crate) sessions: Vec<OpenSession>,
    pub(crate) sessions_opened: usize,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) attempts_made: usize,
    pub(crate) audit: Vec<AuditEntry>,
    pub(crate) chain: Vec<ChainEntry>,
    pub(crate) jobs: Vec<StoredJob>,
    pub(crate) accounts: Vec<Account>,
    pub(crate) recovery_codes: Vec<(MemberId, RecoveryHash)>,
    pub(crate) approvals: Vec<Approval>,
    pub(crate) start_settings: BTreeMap<String, String>,
}

#[derive(Clone)]
pub(crate) struct OpenSession {
    pub(crate) token: TokenHash,
    pub(crate) session: AdminSession,
}

#[derive(Clone)]
pub(crate) struct StoredJob {
    pub(crate) job: ClearingJob,
    pub(crate) updated_at: DateTime<Utc>,
}

#[derive(Clone)]
pub(crate) struct Attempt {
    pub(crate) id: AttemptId,
    pub(crate) subject: AttemptSubject,
    pub(crate) at: DateTime<Utc>,
}

impl StaffState {
    pub(crate) fn delete_sessions(&mut self, which: impl Fn(&OpenSession) -> bool) -> usize {
        let before = self.sessions.len();
        self.sessions.retain(|session| !which(session));
        before - self.sessions.len()
    }

    pub(crate) fn change_session(&mut self, id: SessionId, change: impl Fn(&mut AdminSession)) {
        let sessions = self.sessions.iter_mut().map(|open| &mut open.session);
        sessions.filter(|session| session.id == id).for_each(change);
    }
}

impl StaffState {
    pub(crate) fn head(&self) -> ChainHead {
        let last = self.chain.last();
        let end = last.and_then(|last| {
            Some(ChainHead {
                last_id: last.id,
                position: last.position?,
                hash: last.hash?,
            })
        });
        end.unwrap_or(ChainHead::EMPTY)
    }
}

impl StaffState {
    /// Erases what was to be written to or about winners with these claims.
    pub(crate) fn erase_notes_to(&mut self, claims: &[String]) {
        let proposals = self.approvals.iter_mut().map(|approval| &mut approval.proposal);
        let of_claims = proposals.filter(|proposal| {
            let target = proposal.target.as_ref();
            let has_note = matches!(
                proposal.kind,
                ApprovalKind::RejectClaim | ApprovalKind::ConfirmNumber
            );
            has_note && target.is_some_and(|target| claims.contains(target))
        });
        of_claims.for_each(|proposal| proposal.note = None);
    }
}
