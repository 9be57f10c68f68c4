//! `staff::ClearingJobs`.

use crate::PgTx;
use crate::rows::{FoundRow, IdRow};
use crate::schema::clearing_jobs;
use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Double, Timestamptz};
use ipnet::IpNet;
use kernel::StoreError;
use serde_json::{Map, Value};
use staff::{
    Actor, ClearingJob, ClearingJobs, ClearingKind, JobFigures, JobId, JobPosition, MemberId, SessionId,
};

const UNATTENDED: &str = "
SELECT id FROM clearing_jobs
WHERE state = 'running' AND updated_at < clock_timestamp() - make_interval(secs => $1)
ORDER BY id";

const UNFINISHED_REFERRAL_CLEARING: &str = "
SELECT EXISTS (
    SELECT FROM clearing_jobs AS job
    WHERE kind = 'clear_referrals' AND bound_id IS NOT NULL AND state <> 'completed' AND NOT EXISTS (
        SELECT FROM clearing_jobs AS later
        WHERE later.kind = 'clear_referrals' AND later.state = 'completed' AND later.id > job.id
    )
) AS found";

#[derive(Queryable, Selectable)]
#[diesel(table_name = clearing_jobs)]
struct Row {
    id: i64,
    kind: String,
    state: String,
    session_id: i64,
    member_id: Option<i64>,
    ip_address: Option<IpNet>,
    total: Option<Value>,
    deleted: Value,
    bound_id: Option<i64>,
    group_id: Option<i64>,
    after_id: Option<i64>,
    attempts: i32,
    error_code: Option<String>,
    started_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for ClearingJob {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("clearing_jobs", column, row.id);
        let kind: ClearingKind = row.kind.parse().map_err(|_| corrupt("kind"))?;
        let error = row.error_code.as_deref().map(str::parse).transpose();
        let position = match (row.bound_id, row.group_id, row.after_id) {
            (Some(bound), Some(group), Some(after)) => Some(JobPosition { bound, group, after }),
            _ => None,
        };
        Ok(Self {
            id: JobId::new(row.id),
            kind,
            actor: Actor {
                member: row.member_id.map(MemberId::new),
                session: SessionId::new(row.session_id),
                address: row.ip_address.map(|network| network.addr()),
            },
            state: row.state.parse().map_err(|_| corrupt("state"))?,
            total: row.total.as_ref().map(|json| read_figures(kind, json)),
            deleted: read_figures(kind, &row.deleted),
            position,
            attempts: u32::try_from(row.attempts).map_err(|_| corrupt("attempts"))?,
            error: error.map_err(|_| corrupt("error_code"))?,
            started_at: row.started_at,
            finished_at: row.finished_at,
        })
    }
}

fn read_figures(kind: ClearingKind, json: &Value) -> JobFigures {
    let figure = |name: &&'static str| Some((*name, json.get(*name)?.as_i64()?));
    JobFigures::new(kind.figure_names().iter().filter_map(figure))
}

fn write_figures(figures: &JobFigures) -> Value {
    let entries = figures
        .iter()
        .map(|(name, number)| (name.to_owned(), Value::from(number)));
    Value::Object(entries.collect::<Map<_, _>>())
}

impl ClearingJobs for PgTx {
    fn add_job(
        &mut self,
        kind: ClearingKind,
        actor: Actor,
        at: DateTime<Utc>,
    ) -> Result<Option<JobId>, StoreError> {
        let row = (
            clearing_jobs::kind.eq(kind.as_str()),
            clearing_jobs::session_id.eq(actor.session.get()),
            clearing_jobs::member_id.eq(actor.member.map(MemberId::get)),
            clearing_jobs::ip_address.eq(actor.address.map(IpNet::from)),
            clearing_jobs::started_at.eq(at),
        );
        let insert = diesel::insert_into(clearing_jobs::table)
            .values(row)
            .on_conflict_do_nothing()
            .returning(clearing_jobs::id);
        let id: Option<i64> = self.query(|connection| insert.get_result(connection).optional())?;
        Ok(id.map(JobId::new))
    }

    fn find_job(&self, id: JobId) -> Result<Option<ClearingJob>, StoreError> {
        let query = clearing_jobs::table.find(id.get()).select(Row::as_select());
        let row: Option<Row> = self.query(|connection| query.first(connection).optional())?;
        row.map(ClearingJob::try_from).transpose()
    }

    fn list_running_jobs(&self) -> Result<Vec<ClearingJob>, StoreError> {
        let query = clearing_jobs::table
            .filter(clearing_jobs::state.eq("running"))
            .order(clearing_jobs::id)
            .select(Row::as_select());
        let rows: Vec<Row> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(ClearingJob::try_from).collect()
    }

    /// By the clock of the database.
    fn list_unattended_jobs(&self, idle: TimeDelta, _: DateTime<Utc>) -> Result<Vec<JobId>, StoreError> {
        let query = sql_query(UNATTENDED).bind::<Double, _>(idle.as_seconds_f64());
        let rows: Vec<IdRow> = self.query(|connection| query.load(connection))?;
        Ok(rows.into_iter().map(|row| JobId::new(row.id)).collect())
    }

    fn lock_job(&mut self, id: JobId) -> Result<Option<ClearingJob>, StoreError> {
        let query = clearing_jobs::table
            .find(id.get())
            .filter(clearing_jobs::state.eq("running"))
            .select(Row::as_select())
            .for_no_key_update();
        let row: Option<Row> = self.query(|connection| query.first(connection).optional())?;
        row.map(ClearingJob::try_from).transpose()
    }

    fn save_job(&mut self, job: &ClearingJob, _: DateTime<Utc>) -> Result<(), StoreError> {
        let update = diesel::update(clearing_jobs::table.find(job.id.get())).set((
            clearing_jobs::state.eq(job.state.as_str()),
            clearing_jobs::total.eq(job.total.as_ref().map(write_figures)),
            clearing_jobs::deleted.eq(write_figures(&job.deleted)),
            clearing_jobs::bound_id.eq(job.position.map(|position| position.bound)),
            clearing_jobs::group_id.eq(job.position.map(|position| position.group)),
            clearing_jobs::after_id.eq(job.position.map(|position| position.after)),
            clearing_jobs::attempts.eq(i32::try_from(job.attempts).unwrap_or(i32::MAX)),
            clearing_jobs::error_code.eq(job.error.map(|error| error.as_str())),
            clearing_jobs::finished_at.eq(job.finished_at),
            clearing_jobs::updated_at.eq(sql::<Timestamptz>("clock_timestamp()")),
        ));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn has_unfinished_referral_clearing(&self) -> Result<bool, StoreError> {
        let query = sql_query(UNFINISHED_REFERRAL_CLEARING);
        let row: FoundRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.found)
    }
}
