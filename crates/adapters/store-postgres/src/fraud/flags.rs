use crate::PgTx;
use crate::fraud::evidence;
use crate::rows::rows;
use crate::sorting::order_by;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_query;
use diesel::sql_types::{BigInt, Nullable, Text, Timestamptz};
use fraud::{Detected, FlagOutcome, FlaggedEntrant, FlaggedFilter, FlaggedSort, Flags, FraudRules, NewFlag};
use kernel::{EntrantId, PageRequest, Phone, SortOrder, StoreError};
use referral::Credit;

const FLAG: &str = "
WITH entrant AS (
    SELECT id FROM users WHERE id = $1 AND erased_at IS NULL
), flagged AS (
    UPDATE users SET is_flagged = true, flag_reason = $2, flag_public_reason = $3, flagged_at = statement_timestamp()
    WHERE id = $1 AND NOT is_flagged AND erased_at IS NULL
    RETURNING id
)
SELECT (SELECT count(*) FROM entrant) AS found, (SELECT count(*) FROM flagged) AS changed";

const UNFLAG: &str = "
WITH entrant AS (
    SELECT id FROM users WHERE id = $1 AND erased_at IS NULL
), unflagged AS (
    UPDATE users SET is_flagged = false, flag_reason = NULL, flag_public_reason = NULL, flag_evidence = NULL,
        flagged_at = NULL, unflagged_at = $2
    WHERE id = $1 AND is_flagged AND erased_at IS NULL
    RETURNING id
)
SELECT (SELECT count(*) FROM entrant) AS found, (SELECT count(*) FROM unflagged) AS changed";

/// A statement of its own, so that it sees an appeal for which the one that unflags had to wait.
const ACCEPT_APPEAL: &str = "
UPDATE flag_appeals SET status = 'accepted', decided_at = $2 WHERE user_id = $1 AND status = 'open'";

const FLAGGED: &str = "
SELECT id, phone_number, landing_page, total_entries, host(ip_address) AS ip_address, created_at,
       coalesce(flag_reason, '') AS reason, flag_evidence, flagged_at
FROM users";

/// The flagged entrants that a filter lets through. `strpos` takes the text as it is; in a pattern, `%` and `_` would
/// match more.
const MATCHING: &str = "
WHERE is_flagged AND erased_at IS NULL AND ($1 IS NULL OR landing_page = $1) AND ($2 IS NULL OR (flagged_at, id) < ($2, $3))
    AND ($4 IS NULL OR strpos(lower(flag_reason), lower($4)) > 0 OR strpos(host(ip_address), lower($4)) > 0
        OR strpos(phone_number, $5) > 0)";

rows! {
    struct OutcomeRow {
        found: i64,
        changed: i64,
    }
}

impl From<OutcomeRow> for FlagOutcome {
    fn from(row: OutcomeRow) -> Self {
        match (row.found, row.changed) {
            (0, _) => Self::UnknownEntrant,
            (_, 0) => Self::Unchanged,
            _ => Self::Changed,
        }
    }
}

rows! {
    struct FlaggedRow {
        id: i64,
        phone_number: String,
        landing_page: String,
        total_entries: i64,
        ip_address: Option<String>,
        created_at: DateTime<Utc>,
        reason: String,
        flag_evidence: Option<serde_json::Value>,
        flagged_at: DateTime<Utc>,
    }
}

impl TryFrom<FlaggedRow> for FlaggedEntrant {
    type Error = StoreError;

    fn try_from(row: FlaggedRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("users", column, row.id);
        let address = row.ip_address.map(|text| text.parse()).transpose();
        Ok(Self {
            id: EntrantId::new(row.id),
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            total_entries: row.total_entries,
            address: address.map_err(|_| corrupt("ip_address"))?,
            created_at: row.created_at,
            reason: row.reason,
            evidence: evidence::from_json(row.flag_evidence.as_ref())
                .ok_or_else(|| corrupt("flag_evidence"))?,
            flagged_at: row.flagged_at,
        })
    }
}

const fn column_of(sort: FlaggedSort) -> &'static str {
    match sort {
        FlaggedSort::FlaggedAt => "flagged_at",
        FlaggedSort::CreatedAt => "created_at",
        FlaggedSort::TotalEntries => "total_entries",
    }
}

/// A query with the parameters of [`MATCHING`].
fn matching(sql: String, filter: &FlaggedFilter) -> BoxedSqlQuery<'_, Pg, SqlQuery> {
    let search = filter.search.as_ref();
    sql_query(sql)
        .into_boxed()
        .bind::<Nullable<Text>, _>(filter.raffle.as_ref().map(|raffle| raffle.as_str()))
        .bind::<Nullable<Timestamptz>, _>(filter.after.map(|after| after.flagged_at))
        .bind::<Nullable<BigInt>, _>(filter.after.map(|after| after.id.get()))
        .bind::<Nullable<Text>, _>(search.map(|search| search.text.as_str()))
        .bind::<Nullable<Text>, _>(search.and_then(|search| search.digits.as_deref()))
}

/// Each change holds the append lock: a clearing of referrals takes back what was given up to a row of the ledger, and
/// must not miss what is taken back meanwhile.
impl Flags for PgTx {
    fn flag(&mut self, flag: &NewFlag) -> Result<FlagOutcome, StoreError> {
        self.begin_writing()?;
        let query = sql_query(FLAG)
            .bind::<BigInt, _>(flag.entrant.get())
            .bind::<Text, _>(&flag.reason)
            .bind::<Text, _>(flag.public_reason.as_str());
        let row: OutcomeRow = self.query(|connection| query.get_result(connection))?;
        if row.changed > 0 {
            self.change_credits(&[flag.entrant.get()], Credit::reverse)?;
        }
        Ok(row.into())
    }

    fn unflag(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<FlagOutcome, StoreError> {
        self.begin_writing()?;
        let query = sql_query(UNFLAG)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(at);
        let row: OutcomeRow = self.query(|connection| query.get_result(connection))?;
        if row.changed > 0 {
            let accept = sql_query(ACCEPT_APPEAL)
                .bind::<BigInt, _>(entrant.get())
                .bind::<Timestamptz, _>(at);
            self.query(|connection| accept.execute(connection))?;
            self.change_credits(&[entrant.get()], Credit::restore)?;
            self.end_mark(entrant, at)?;
        }
        Ok(row.into())
    }

    fn flag_suspicious(&mut self, rules: &FraudRules) -> Result<Detected, StoreError> {
        self.begin_writing()?;
        let part = self.flag_next_networks(rules)?;
        self.change_credits(&part.flagged, Credit::reverse)?;
        Ok(Detected {
            flagged: i64::try_from(part.flagged.len()).unwrap_or(i64::MAX),
            is_complete: part.is_complete,
        })
    }

    fn find_flagged(&self, entrant: EntrantId) -> Result<Option<FlaggedEntrant>, StoreError> {
        let find = sql_query(format!(
            "{FLAGGED} WHERE id = $1 AND is_flagged AND erased_at IS NULL"
        ))
        .bind::<BigInt, _>(entrant.get());
        let row: Option<FlaggedRow> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(FlaggedEntrant::try_from).transpose()
    }

    fn list_flagged(
        &self,
        filter: &FlaggedFilter,
        sort: FlaggedSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<FlaggedEntrant>, StoreError> {
        let order_by = order_by(column_of(sort), "id", order);
        let query = matching(
            format!("{FLAGGED} {MATCHING} {order_by} LIMIT $6 OFFSET $7"),
            filter,
        )
        .bind::<BigInt, _>(i64::from(page.limit))
        .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<FlaggedRow> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(FlaggedEntrant::try_from).collect()
    }

    fn count_flagged(&self, filter: &FlaggedFilter) -> Result<i64, StoreError> {
        let count = "SELECT count(*) AS found, 0::bigint AS changed FROM users";
        let query = matching(format!("{count} {MATCHING}"), filter);
        let row: OutcomeRow = self.query(|connection| query.get_result(connection))?;
        Ok(row.found)
    }
}
