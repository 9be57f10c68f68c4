//! Reads drawings with all their steps, in one query.
//!
//! A drawing has a row for each of its log entries, and each row repeats the drawing.

use crate::drawing::log::{self, ENTRY_COLUMNS};
use crate::rows::rows;
use crate::schema::{drawing_announcements, drawings};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Jsonb, Nullable, Text, Timestamptz};
use drawing::beacon::{BeaconSignature, Round};
use drawing::steps::{
    Announced, DrawingState, DrawingStatus, Drawn, DrawnRank, KeyedRequest, LateRound, Logged, Plan, Sealed,
    Voided,
};
use drawing::{DrawingId, DrawingKind, Hash, LogAction, LogEntry, SaltKey};
use kernel::{EntrantId, IdempotencyKey, Phone, StoreError};
use serde_json::Value;

const PLAN_COLUMNS: &str = "
drawings.id AS plan_id, drawings.landing_page AS plan_landing_page, period, is_additional,
drawings.status AS plan_status, drawings.commitment AS plan_commitment, seed_source, sealed_secrets,
drawings.cut_off AS plan_cut_off, chain, drawings.reason AS plan_reason, drawings.prize AS plan_prize,
replaces, drawings.idempotency_key AS plan_key, request_hash,
drawings.admin_session_id AS plan_session, drawings.admin_member_id AS plan_member, drawings.created_at AS plan_at";

const STEP_COLUMNS: &str = "
announcement.number AS announcement_number, round, round_at, seal_due_at, seal_before,
announcement.log_id AS announcement_log_id,
seal.log_id AS seal_log_id, seal.random_seed AS seal_seed, seal.salt_key AS seal_salt_key, seal.merkle_root AS seal_root,
seal.weights_hash, seal.total_participants AS seal_participants, seal.total_entries AS seal_entries,
seal.cut_off AS seal_cut_off,
log.id AS result_log_id, result.beacon_signature, result.winner_phone_number AS result_phone,
result.verification_hash AS result_hash, ranks, rank_entries, rank_indexes, rank_users,
void.reason AS void_reason, void.log_id AS void_log_id,
late.signature AS late_signature, late.entry_number AS late_entry_number, late.log_id AS late_log_id";

const STEPS: &str = "
LEFT JOIN LATERAL (
    SELECT * FROM drawing_announcements WHERE drawing_id = drawings.id ORDER BY number DESC LIMIT 1
) AS announcement ON true
LEFT JOIN drawing_seals AS seal ON seal.drawing_id = drawings.id
LEFT JOIN drawing_results AS result ON result.id = drawings.id
LEFT JOIN drawing_voids AS void ON void.drawing_id = drawings.id
LEFT JOIN drawing_late_rounds AS late ON late.drawing_id = drawings.id
LEFT JOIN drawing_audit_logs AS log ON log.drawing_id = drawings.id AND log.action = 'drawing_performed'
LEFT JOIN LATERAL (
    SELECT array_agg(rank ORDER BY rank) AS ranks, array_agg(entry_number ORDER BY rank) AS rank_entries,
           array_agg(leaf_index ORDER BY rank) AS rank_indexes, array_agg(user_id ORDER BY rank) AS rank_users
    FROM drawing_ranks
    WHERE drawing_id = drawings.id
) AS ranked ON true
LEFT JOIN drawing_audit_logs AS entry ON entry.id IN (announcement.log_id, seal.log_id, log.id, void.log_id, late.log_id)
ORDER BY position, entry.id";

/// The query for the drawing that fulfills a condition.
pub(super) fn one(condition: &str) -> String {
    all(&format!(
        "SELECT *, 1 AS position FROM drawings AS drawing WHERE {condition}"
    ))
}

/// The query for a page of the drawings with a list: `LIMIT $1 OFFSET $2`, of the raffle `$3` or, without one, of all.
pub(super) fn page(column: &str, direction: &str) -> String {
    let order = format!("ORDER BY {column} {direction} NULLS LAST, drawings.id {direction}");
    all(&format!(
        "SELECT drawings.*, row_number() OVER ({order}) AS position
         FROM drawings
         JOIN drawing_seals AS seal ON seal.drawing_id = drawings.id
         LEFT JOIN drawing_results AS result ON result.id = drawings.id
         WHERE $3::text IS NULL OR drawings.landing_page = $3
         {order} LIMIT $1 OFFSET $2"
    ))
}

fn all(drawings: &str) -> String {
    format!("SELECT {PLAN_COLUMNS}, {STEP_COLUMNS}, {ENTRY_COLUMNS} FROM ({drawings}) AS drawings {STEPS}")
}

/// Joins the rows of each drawing.
pub(super) fn drawings(rows: Vec<Row>) -> Result<Vec<DrawingState>, StoreError> {
    let mut joined: Vec<(Row, Vec<LogEntry>)> = Vec::new();
    for mut row in rows {
        let entry = row.entry.take().map(LogEntry::try_from).transpose()?;
        match joined.last_mut() {
            Some((last, entries)) if last.plan.plan_id == row.plan.plan_id => entries.extend(entry),
            _ => joined.push((row, Vec::from_iter(entry))),
        }
    }
    let read = |(row, entries): (Row, Vec<LogEntry>)| row.read(&entries);
    joined.into_iter().map(read).collect()
}

/// The drawing of a query for at most one.
pub(super) fn one_drawing(rows: Vec<Row>) -> Result<Option<DrawingState>, StoreError> {
    Ok(drawings(rows)?.into_iter().next())
}

/// A drawing with one of its log entries. What it does not have yet is `None`.
#[derive(QueryableByName)]
pub(super) struct Row {
    #[diesel(embed)]
    plan: PlanRow,
    #[diesel(embed)]
    announcement: Option<AnnouncementRow>,
    #[diesel(embed)]
    seal: Option<SealRow>,
    #[diesel(embed)]
    result: Option<ResultRow>,
    #[diesel(embed)]
    void: Option<VoidRow>,
    #[diesel(embed)]
    late: Option<LateRow>,
    #[diesel(embed)]
    entry: Option<log::Row>,
}

#[derive(QueryableByName)]
#[diesel(table_name = drawings)]
struct PlanRow {
    #[diesel(sql_type = BigInt)]
    plan_id: i64,
    #[diesel(sql_type = Text)]
    plan_landing_page: String,
    period: String,
    is_additional: bool,
    #[diesel(sql_type = Text)]
    plan_status: String,
    #[diesel(sql_type = Text)]
    plan_commitment: String,
    seed_source: String,
    sealed_secrets: Vec<u8>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    plan_cut_off: Option<DateTime<Utc>>,
    chain: String,
    #[diesel(sql_type = Nullable<Text>)]
    plan_reason: Option<String>,
    #[diesel(sql_type = Jsonb)]
    plan_prize: Value,
    replaces: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    plan_key: Option<String>,
    request_hash: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<BigInt>)]
    plan_session: Option<i64>,
    #[diesel(sql_type = Nullable<BigInt>)]
    plan_member: Option<i64>,
    #[diesel(sql_type = Timestamptz)]
    plan_at: DateTime<Utc>,
}

#[derive(QueryableByName)]
#[diesel(table_name = drawing_announcements)]
struct AnnouncementRow {
    #[diesel(sql_type = BigInt)]
    announcement_number: i64,
    round: i64,
    round_at: Option<DateTime<Utc>>,
    seal_due_at: DateTime<Utc>,
    seal_before: Option<DateTime<Utc>>,
    #[diesel(sql_type = BigInt)]
    announcement_log_id: i64,
}

rows! {
    struct SealRow {
        seal_log_id: i64,
        seal_seed: String,
        seal_salt_key: Vec<u8>,
        seal_root: String,
        weights_hash: String,
        seal_participants: i64,
        seal_entries: i64,
        seal_cut_off: DateTime<Utc>,
    }

    struct ResultRow {
        result_log_id: i64,
        beacon_signature: Option<Vec<u8>>,
        result_phone: Option<String>,
        result_hash: String,
        ranks: Vec<i64>,
        rank_entries: Vec<i64>,
        rank_indexes: Vec<i64>,
        rank_users: Vec<i64>,
    }

    struct VoidRow {
        void_reason: String,
        void_log_id: i64,
    }

    struct LateRow {
        late_signature: Vec<u8>,
        late_entry_number: i64,
        late_log_id: i64,
    }
}

impl Row {
    fn read(self, entries: &[LogEntry]) -> Result<DrawingState, StoreError> {
        let id = self.plan.plan_id;
        let log = Log { drawing: id, entries };
        let status = self.plan.plan_status.parse();
        let status: DrawingStatus = status.map_err(|_| self.plan.corrupt("status"))?;
        let announcement = self.announcement.ok_or_else(|| self.plan.corrupt("status"))?;
        let is_whole = match status {
            DrawingStatus::Announced => true,
            DrawingStatus::Sealed => self.seal.is_some(),
            DrawingStatus::Drawn => self.seal.is_some() && self.result.is_some(),
            DrawingStatus::Void => self.void.is_some(),
        };
        if !is_whole {
            return Err(self.plan.corrupt("status"));
        }
        Ok(DrawingState {
            id: DrawingId::new(id),
            plan: self.plan.read()?,
            status,
            announcement: announcement.read(&log)?,
            seal: self.seal.map(|seal| seal.read(&log)).transpose()?,
            result: self.result.map(|result| result.read(&log)).transpose()?,
            void: self.void.map(|void| void.read(&log)).transpose()?,
            late: self.late.map(|late| late.read(&log)).transpose()?,
        })
    }
}

/// The entries of the log that a drawing's steps refer to.
struct Log<'a> {
    drawing: i64,
    entries: &'a [LogEntry],
}

impl Log<'_> {
    fn logged<T>(&self, step: T, id: i64, action: LogAction) -> Result<Logged<T>, StoreError> {
        let is_entry = |entry: &&LogEntry| entry.id == id && entry.entry.action == action;
        let entry = self.entries.iter().find(is_entry).cloned();
        let corrupt = || StoreError::corrupt("drawing_audit_logs", "action", self.drawing);
        Ok(Logged {
            step,
            entry: entry.ok_or_else(corrupt)?,
        })
    }
}

impl PlanRow {
    fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::corrupt("drawings", column, self.plan_id)
    }

    fn read(self) -> Result<Plan, StoreError> {
        let prize = serde_json::from_value(self.plan_prize.clone());
        Ok(Plan {
            raffle: self
                .plan_landing_page
                .parse()
                .map_err(|_| self.corrupt("landing_page"))?,
            period: self.period.parse().map_err(|_| self.corrupt("period"))?,
            kind: match self.is_additional {
                true => DrawingKind::Additional,
                false => DrawingKind::Regular,
            },
            prize: prize.map_err(|_| self.corrupt("prize"))?,
            replaces: self.replaces.map(DrawingId::new),
            cut_off: self.plan_cut_off,
            beacon: self.chain.parse().map_err(|_| self.corrupt("chain"))?,
            commitment: self
                .plan_commitment
                .parse()
                .map_err(|_| self.corrupt("commitment"))?,
            seed_source: self
                .seed_source
                .parse()
                .map_err(|_| self.corrupt("seed_source"))?,
            request: self.request()?,
            session: self.plan_session,
            member: self.plan_member,
            at: self.plan_at,
            sealed_secrets: self.sealed_secrets,
            reason: self.plan_reason,
        })
    }

    fn request(&self) -> Result<Option<KeyedRequest>, StoreError> {
        let Some(key) = &self.plan_key else {
            return Ok(None);
        };
        let hash = self.request_hash.as_deref().and_then(|hash| hash.try_into().ok());
        Ok(Some(KeyedRequest {
            key: IdempotencyKey::parse(key).ok_or_else(|| self.corrupt("idempotency_key"))?,
            body: Hash::new(hash.ok_or_else(|| self.corrupt("request_hash"))?),
        }))
    }
}

impl AnnouncementRow {
    fn read(self, log: &Log) -> Result<Logged<Announced>, StoreError> {
        let corrupt = |column| StoreError::corrupt("drawing_announcements", column, log.drawing);
        let number = u32::try_from(self.announcement_number);
        let announced = Announced {
            number: number.map_err(|_| corrupt("number"))?,
            round: u64::try_from(self.round)
                .map_err(|_| corrupt("round"))
                .map(Round::new)?,
            round_at: self.round_at,
            seal_due_at: self.seal_due_at,
            seal_before: self.seal_before,
        };
        log.logged(announced, self.announcement_log_id, LogAction::DrawingAnnounced)
    }
}

impl SealRow {
    fn read(self, log: &Log) -> Result<Logged<Sealed>, StoreError> {
        let corrupt = |column| StoreError::corrupt("drawing_seals", column, log.drawing);
        let number = |column, value| u64::try_from(value).map_err(|_| corrupt(column));
        let salt_key = self.seal_salt_key.as_slice().try_into();
        let sealed = Sealed {
            salt_key: SaltKey::new(salt_key.map_err(|_| corrupt("salt_key"))?),
            seed: self.seal_seed.parse().map_err(|_| corrupt("random_seed"))?,
            root: self.seal_root.parse().map_err(|_| corrupt("merkle_root"))?,
            weights_hash: self.weights_hash.parse().map_err(|_| corrupt("weights_hash"))?,
            participants: number("total_participants", self.seal_participants)?,
            entries: number("total_entries", self.seal_entries)?,
            cut_off: self.seal_cut_off,
        };
        log.logged(sealed, self.seal_log_id, LogAction::DrawingSealed)
    }
}

impl ResultRow {
    fn read(self, log: &Log) -> Result<Logged<Drawn>, StoreError> {
        let corrupt = |column| StoreError::corrupt("drawing_results", column, log.drawing);
        let signature = self
            .beacon_signature
            .as_deref()
            .map(<[u8; 48]>::try_from)
            .transpose();
        let drawn = Drawn {
            signature: signature
                .map_err(|_| corrupt("beacon_signature"))?
                .map(BeaconSignature::new),
            ranks: self.read_ranks(log.drawing)?,
            winner_phone: self
                .result_phone
                .as_deref()
                .map(|phone| Phone::from_e164(phone).ok_or_else(|| corrupt("winner_phone_number")))
                .transpose()?,
            verification_hash: self
                .result_hash
                .parse()
                .map_err(|_| corrupt("verification_hash"))?,
        };
        log.logged(drawn, self.result_log_id, LogAction::DrawingPerformed)
    }

    fn read_ranks(&self, drawing: i64) -> Result<Vec<DrawnRank>, StoreError> {
        let corrupt = |column| StoreError::corrupt("drawing_ranks", column, drawing);
        let places = self.rank_entries.iter().zip(&self.rank_indexes);
        let ranks = self.ranks.iter().zip(places).zip(&self.rank_users);
        ranks
            .map(|((rank, (entry, index)), entrant)| {
                Ok(DrawnRank {
                    rank: u32::try_from(*rank).map_err(|_| corrupt("rank"))?,
                    entry_number: u64::try_from(*entry).map_err(|_| corrupt("entry_number"))?,
                    index: u64::try_from(*index).map_err(|_| corrupt("leaf_index"))?,
                    entrant: EntrantId::new(*entrant),
                })
            })
            .collect()
    }
}

impl VoidRow {
    fn read(self, log: &Log) -> Result<Logged<Voided>, StoreError> {
        let voided = Voided {
            reason: self.void_reason,
        };
        log.logged(voided, self.void_log_id, LogAction::DrawingVoid)
    }
}

impl LateRow {
    fn read(self, log: &Log) -> Result<Logged<LateRound>, StoreError> {
        let corrupt = |column| StoreError::corrupt("drawing_late_rounds", column, log.drawing);
        let signature = self.late_signature.as_slice().try_into();
        let late = LateRound {
            signature: BeaconSignature::new(signature.map_err(|_| corrupt("signature"))?),
            entry_number: u64::try_from(self.late_entry_number).map_err(|_| corrupt("entry_number"))?,
        };
        log.logged(late, self.late_log_id, LogAction::LateRound)
    }
}
