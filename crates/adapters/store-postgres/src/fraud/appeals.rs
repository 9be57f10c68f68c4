//! `fraud::Appeals`: the appeals of flagged entrants. Each change locks the entrant before the appeal, as the end of a
//! flag does.

use super::evidence;
use crate::PgTx;
use crate::rows::{CountRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz};
use fraud::{
    Appeal, AppealCase, AppealId, AppealOutcome, AppealStatus, Appeals, DecisionOutcome, Hold, NewAppeal,
    Verdict,
};
use kernel::{EntrantId, PageRequest, Phone, StoreError};
use serde_json::Value;

const HOLD: &str = "
SELECT flag_evidence, flag_public_reason, coalesce(is_duplicate, false) AS is_duplicate
FROM users LEFT JOIN user_data_management ON user_id = users.id
WHERE users.id = $1 AND is_flagged AND erased_at IS NULL";

const ADD: &str = "
WITH flagged AS (
    SELECT id, flag_reason, flag_evidence, flagged_at FROM users
    WHERE id = $1 AND is_flagged AND erased_at IS NULL
    FOR UPDATE
), added AS (
    INSERT INTO flag_appeals (user_id, message, flag_reason, flag_evidence, flagged_at, created_at)
    SELECT id, $2, coalesce(flag_reason, ''), flag_evidence, flagged_at, $3 FROM flagged
    ON CONFLICT (user_id) WHERE status = 'open' DO NOTHING
    RETURNING id
)
SELECT EXISTS (SELECT FROM flagged) AS found, (SELECT id FROM added) AS changed";

const DECIDE: &str = "
WITH entrant AS (
    SELECT users.id FROM users JOIN flag_appeals ON user_id = users.id WHERE flag_appeals.id = $1 FOR UPDATE OF users
), decided AS (
    UPDATE flag_appeals SET status = $2, note = $3, decided_at = $4
    FROM entrant
    WHERE flag_appeals.id = $1 AND status = 'open'
    RETURNING user_id
)
SELECT EXISTS (SELECT FROM entrant) AS found, (SELECT user_id FROM decided) AS changed";

const APPEAL: &str = "
SELECT appeal.id, appeal.user_id, appeal.message, appeal.status, appeal.note, appeal.created_at, appeal.decided_at,
       appeal.flag_reason, appeal.flag_evidence, appeal.flagged_at, users.phone_number, users.landing_page,
       users.total_entries, users.is_flagged
FROM flag_appeals AS appeal
JOIN users ON users.id = appeal.user_id";

/// Open appeals first, the oldest first; then the others, the one that was decided last first.
const ORDER: &str = "
ORDER BY appeal.status <> 'open', CASE WHEN appeal.status = 'open' THEN appeal.id END, appeal.decided_at DESC,
    appeal.id DESC";

rows! {
    struct HoldRow {
        flag_evidence: Option<Value>,
        flag_public_reason: Option<String>,
        is_duplicate: bool,
    }

    struct ChangeRow {
        found: bool,
        changed: Option<i64>,
    }

    struct Row {
        id: i64,
        user_id: i64,
        message: String,
        status: String,
        note: Option<String>,
        created_at: DateTime<Utc>,
        decided_at: Option<DateTime<Utc>>,
        flag_reason: String,
        flag_evidence: Option<Value>,
        flagged_at: DateTime<Utc>,
        phone_number: String,
        landing_page: String,
        total_entries: i64,
        is_flagged: bool,
    }
}

impl TryFrom<Row> for AppealCase {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("flag_appeals", column, row.id);
        let evidence = evidence::from_json(row.flag_evidence.as_ref());
        Ok(Self {
            appeal: Appeal {
                id: AppealId::new(row.id),
                message: row.message,
                status: row.status.parse().map_err(|_| corrupt("status"))?,
                note: row.note,
                created_at: row.created_at,
                decided_at: row.decided_at,
            },
            entrant: EntrantId::new(row.user_id),
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            total_entries: row.total_entries,
            is_flagged: row.is_flagged,
            reason: row.flag_reason,
            evidence: evidence.ok_or_else(|| corrupt("flag_evidence"))?,
            flagged_at: row.flagged_at,
        })
    }
}

impl Appeals for PgTx {
    fn find_hold(&self, entrant: EntrantId) -> Result<Option<Hold>, StoreError> {
        let find = sql_query(HOLD).bind::<BigInt, _>(entrant.get());
        let row: Option<HoldRow> = self.query(|connection| find.get_result(connection).optional())?;
        let Some(row) = row else { return Ok(None) };
        let corrupt = |column| StoreError::corrupt("users", column, entrant.get());
        let evidence = evidence::from_json(row.flag_evidence.as_ref());
        let public_reason = row.flag_public_reason.map(|name| name.parse()).transpose();
        Ok(Some(Hold::new(
            public_reason.map_err(|_| corrupt("flag_public_reason"))?,
            row.is_duplicate,
            evidence.ok_or_else(|| corrupt("flag_evidence"))?,
        )))
    }

    fn newest_appeal(&self, entrant: EntrantId) -> Result<Option<Appeal>, StoreError> {
        let find = sql_query(format!(
            "{APPEAL} WHERE appeal.user_id = $1 ORDER BY appeal.id DESC LIMIT 1"
        ))
        .bind::<BigInt, _>(entrant.get());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(|row| Ok(AppealCase::try_from(row)?.appeal)).transpose()
    }

    fn add_appeal(&mut self, new: &NewAppeal) -> Result<AppealOutcome, StoreError> {
        let add = sql_query(ADD)
            .bind::<BigInt, _>(new.entrant.get())
            .bind::<Text, _>(new.message.as_str())
            .bind::<Timestamptz, _>(new.at);
        let row: ChangeRow = self.query(|connection| add.get_result(connection))?;
        Ok(match (row.found, row.changed) {
            (_, Some(id)) => AppealOutcome::Added(AppealId::new(id)),
            (true, None) => AppealOutcome::AlreadyOpen,
            (false, None) => AppealOutcome::NotFlagged,
        })
    }

    fn decide_appeal(&mut self, id: AppealId, verdict: &Verdict) -> Result<DecisionOutcome, StoreError> {
        // Before the entrant is locked: the end of a flag takes this lock first, too.
        self.begin_writing()?;
        let decide = sql_query(DECIDE)
            .bind::<BigInt, _>(id.get())
            .bind::<Text, _>(verdict.decision.status().as_str())
            .bind::<Nullable<Text>, _>(verdict.note.as_ref().map(|note| note.as_str()))
            .bind::<Timestamptz, _>(verdict.at);
        let row: ChangeRow = self.query(|connection| decide.get_result(connection))?;
        Ok(match (row.found, row.changed) {
            (_, Some(entrant)) => DecisionOutcome::Decided(EntrantId::new(entrant)),
            (true, None) => DecisionOutcome::DecidedBefore,
            (false, None) => DecisionOutcome::UnknownAppeal,
        })
    }

    fn find_appeal(&self, id: AppealId) -> Result<Option<AppealCase>, StoreError> {
        let find = sql_query(format!("{APPEAL} WHERE appeal.id = $1")).bind::<BigInt, _>(id.get());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(AppealCase::try_from).transpose()
    }

    fn appeals_of(&self, entrant: EntrantId) -> Result<Vec<AppealCase>, StoreError> {
        let list = sql_query(format!(
            "{APPEAL} WHERE appeal.user_id = $1 ORDER BY appeal.id DESC LIMIT 100"
        ))
        .bind::<BigInt, _>(entrant.get());
        let rows: Vec<Row> = self.query(|connection| list.load(connection))?;
        rows.into_iter().map(AppealCase::try_from).collect()
    }

    fn list_appeals(
        &self,
        status: Option<AppealStatus>,
        page: PageRequest,
    ) -> Result<Vec<AppealCase>, StoreError> {
        let list = sql_query(format!(
            "{APPEAL} WHERE $1 IS NULL OR appeal.status = $1 {ORDER} LIMIT $2 OFFSET $3"
        ))
        .bind::<Nullable<Text>, _>(status.map(AppealStatus::as_str))
        .bind::<BigInt, _>(i64::from(page.limit))
        .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<Row> = self.query(|connection| list.load(connection))?;
        rows.into_iter().map(AppealCase::try_from).collect()
    }

    fn count_appeals(&self, status: Option<AppealStatus>) -> Result<i64, StoreError> {
        let count = sql_query("SELECT count(*) AS n FROM flag_appeals WHERE $1 IS NULL OR status = $1")
            .bind::<Nullable<Text>, _>(status.map(AppealStatus::as_str));
        let row: CountRow = self.query(|connection| count.get_result(connection))?;
        Ok(row.n)
    }
}
