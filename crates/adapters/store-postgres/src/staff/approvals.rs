//! `staff::Approvals`.

use crate::PgTx;
use crate::schema::staff_approvals;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use kernel::{PageRequest, StoreError};
use serde_json::Value;
use staff::{
    APPROVAL_LIFE, Approval, ApprovalDecision, ApprovalId, ApprovalKind, ApprovalStatus, Approvals, Argument,
    MemberId, NewApproval, Proposal,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = staff_approvals)]
struct Row {
    id: i64,
    kind: String,
    target: Option<String>,
    summary: String,
    arguments: Value,
    note: Option<String>,
    sealed: Option<Vec<u8>>,
    proposed_by: i64,
    proposed_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    status: String,
    decided_by: Option<i64>,
    decided_at: Option<DateTime<Utc>>,
    error: Option<String>,
    completed_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Approval {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("staff_approvals", column, row.id);
        let status: ApprovalStatus = row.status.parse().map_err(|_| corrupt("status"))?;
        let decision = row.decided_at.map(|at| ApprovalDecision {
            status,
            by: row.decided_by.map(MemberId::new),
            at,
        });
        Ok(Self {
            id: ApprovalId::new(row.id),
            proposal: Proposal {
                kind: row.kind.parse().map_err(|_| corrupt("kind"))?,
                target: row.target,
                summary: row.summary,
                arguments: read_arguments(&row.arguments).ok_or_else(|| corrupt("arguments"))?,
                note: row.note,
                sealed: row.sealed,
            },
            proposed_by: MemberId::new(row.proposed_by),
            proposed_at: row.proposed_at,
            expires_at: row.expires_at,
            decision,
            error: row.error,
            completed_at: row.completed_at,
        })
    }
}

/// An array keeps the order of the arguments.
fn read_arguments(json: &Value) -> Option<Vec<Argument>> {
    let argument = |pair: &Value| match pair.as_array()?.as_slice() {
        [Value::String(name), Value::String(value)] => Some(Argument::new(name, value)),
        _ => None,
    };
    json.as_array()?.iter().map(argument).collect()
}

fn write_arguments(arguments: &[Argument]) -> Value {
    let pair = |argument: &Argument| Value::from(vec![argument.name.as_str(), argument.value.as_str()]);
    Value::Array(arguments.iter().map(pair).collect())
}

type Query = staff_approvals::BoxedQuery<'static, Pg>;

/// The rows with a status.
fn matching(status: Option<ApprovalStatus>, now: DateTime<Utc>) -> Query {
    let query = staff_approvals::table.into_boxed();
    match status {
        None => query,
        Some(ApprovalStatus::Open) => query
            .filter(staff_approvals::status.eq("open"))
            .filter(staff_approvals::expires_at.gt(now)),
        Some(ApprovalStatus::Expired) => query
            .filter(staff_approvals::status.eq("open"))
            .filter(staff_approvals::expires_at.le(now)),
        Some(status) => query.filter(staff_approvals::status.eq(status.as_str())),
    }
}

impl Approvals for PgTx {
    fn add_approval(&mut self, new: &NewApproval) -> Result<ApprovalId, StoreError> {
        let proposal = &new.proposal;
        let row = (
            staff_approvals::kind.eq(proposal.kind.as_str()),
            staff_approvals::target.eq(proposal.target.as_deref()),
            staff_approvals::summary.eq(&proposal.summary),
            staff_approvals::arguments.eq(write_arguments(&proposal.arguments)),
            staff_approvals::note.eq(proposal.note.as_deref()),
            staff_approvals::sealed.eq(proposal.sealed.as_deref()),
            staff_approvals::proposed_by.eq(new.proposed_by.get()),
            staff_approvals::proposed_at.eq(new.at),
            staff_approvals::expires_at.eq(new.at + APPROVAL_LIFE),
        );
        let insert = diesel::insert_into(staff_approvals::table)
            .values(row)
            .returning(staff_approvals::id);
        let id: i64 = self.query(|connection| insert.get_result(connection))?;
        Ok(ApprovalId::new(id))
    }

    fn find_approval(&self, id: ApprovalId) -> Result<Option<Approval>, StoreError> {
        let query = staff_approvals::table.find(id.get()).select(Row::as_select());
        let row: Option<Row> = self.query(|connection| query.first(connection).optional())?;
        row.map(Approval::try_from).transpose()
    }

    fn decide_approval(
        &mut self,
        id: ApprovalId,
        decision: ApprovalDecision,
        error: Option<&str>,
    ) -> Result<bool, StoreError> {
        let open = staff_approvals::table
            .find(id.get())
            .filter(staff_approvals::status.eq("open"));
        let update = diesel::update(open).set((
            staff_approvals::status.eq(decision.status.as_str()),
            staff_approvals::decided_by.eq(decision.by.map(MemberId::get)),
            staff_approvals::decided_at.eq(decision.at),
            staff_approvals::error.eq(error),
            staff_approvals::sealed.eq(None::<Vec<u8>>),
        ));
        let decided = self.query(|connection| update.execute(connection))?;
        Ok(decided > 0)
    }

    fn complete_approval(&mut self, id: ApprovalId, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let unshown = staff_approvals::table
            .find(id.get())
            .filter(staff_approvals::status.eq("approved"))
            .filter(staff_approvals::completed_at.is_null());
        let update = diesel::update(unshown).set(staff_approvals::completed_at.eq(at));
        let marked = self.query(|connection| update.execute(connection))?;
        Ok(marked > 0)
    }

    fn list_approvals(
        &self,
        status: Option<ApprovalStatus>,
        now: DateTime<Utc>,
        page: PageRequest,
    ) -> Result<Vec<Approval>, StoreError> {
        let query = matching(status, now)
            .order(staff_approvals::id.desc())
            .limit(page.limit.into())
            .offset(page.offset.into())
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Approval::try_from).collect()
    }

    fn count_approvals(&self, status: Option<ApprovalStatus>, now: DateTime<Utc>) -> Result<i64, StoreError> {
        let query = matching(status, now).count();
        self.query(|connection| query.get_result(connection))
    }
    fn was_approved(
        &self,
        kind: ApprovalKind,
        target: &str,
        since: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let approved = staff_approvals::table
            .filter(staff_approvals::status.eq("approved"))
            .filter(staff_approvals::kind.eq(kind.as_str()))
            .filter(staff_approvals::target.eq(target))
            .filter(staff_approvals::decided_at.ge(since));
        let query = diesel::select(diesel::dsl::exists(approved));
        self.query(|connection| query.get_result(connection))
    }
}
