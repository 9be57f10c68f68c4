use crate::mem_store::MemTx;
use crate::state::{next_id, storable};
use chrono::{DateTime, Utc};
use kernel::{PageRequest, StoreError};
use staff::{Approval, ApprovalDecision, ApprovalId, ApprovalKind, ApprovalStatus, Approvals, NewApproval};

impl Approvals for MemTx {
    fn add_approval(&mut self, new: &NewApproval) -> Result<ApprovalId, StoreError> {
        storable(Some(new.proposal.summary.as_str()))?;
        storable(new.proposal.note.as_deref())?;
        let approvals = &mut self.0.staff.approvals;
        let id = ApprovalId::new(next_id(approvals.len()));
        approvals.push(Approval::new(id, new.clone()));
        Ok(id)
    }

    fn find_approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        let mut approvals = self.0.staff.approvals.iter();
        Ok(approvals.find(|approval| approval.id == id).cloned())
    }

    fn decide_approval(
        &mut self,
        id: ApprovalId,
        decision: ApprovalDecision,
        error: Option<&str>,
    ) -> Result<bool, StoreError> {
        let mut approvals = self.0.staff.approvals.iter_mut();
        let open = approvals.find(|approval| approval.id == id && approval.decision.is_none());
        let Some(approval) = open else { return Ok(false) };
        approval.decide(decision);
        approval.error = error.map(str::to_owned);
        Ok(true)
    }

    fn complete_approval(&mut self, id: ApprovalId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut approvals = self.0.staff.approvals.iter_mut();
        let is_approved = |approval: &Approval| {
            let decision = approval.decision;
            decision.is_some_and(|decision| decision.status == ApprovalStatus::Approved)
        };
        let unshown = approvals
            .find(|approval| approval.id == id && is_approved(approval) && approval.completed_at.is_none());
        let Some(approval) = unshown else {
            return Ok(false);
        };
        approval.completed_at = Some(at);
        Ok(true)
    }

    fn list_approvals(
        &self,
        status: Option<ApprovalStatus>,
        now: DateTime<Utc>,
        page: PageRequest,
    ) -> Result<Vec<Approval>, StoreError> {
        let approvals = self.0.staff.approvals.iter().rev();
        let matching = approvals.filter(|approval| has_status(approval, status, now));
        let part = matching.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn count_approvals(&self, status: Option<ApprovalStatus>, now: DateTime<Utc>) -> Result<i64, StoreError> {
        let approvals = self.0.staff.approvals.iter();
        let count = approvals
            .filter(|approval| has_status(approval, status, now))
            .count();
        Ok(i64::try_from(count).unwrap_or(i64::MAX))
    }

    fn was_approved(
        &self,
        kind: ApprovalKind,
        target: &str,
        since: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut approvals = self.0.staff.approvals.iter();
        Ok(approvals.any(|approval| {
            let (proposal, decision) = (&approval.proposal, approval.decision);
            let approved = decision.is_some_and(|it| it.status == ApprovalStatus::Approved && it.at >= since);
            approved && proposal.kind == kind && proposal.target.as_deref() == Some(target)
        }))
    }
}

fn has_status(approval: &Approval, status: Option<ApprovalStatus>, now: DateTime<Utc>) -> bool {
    status.is_none_or(|status| approval.status_at(now) == status)
}
