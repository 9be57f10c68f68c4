//! `analytics::Sharing`: how far entrants have come with sharing their link.

use crate::PgTx;
use crate::rows::rows;
use analytics::{Platform, ShareProgress, Sharing};
use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Date, Nullable, Text, Timestamptz};
use kernel::{EntrantId, EventId, StoreError};

const FIND: &str = "SELECT * FROM share_progress WHERE user_id = $1";

const SAVE: &str = "
INSERT INTO share_progress (user_id, email_shared_on, sms_shared_on, system_shared_on, copy_shared_on, total_shares,
                            share_streak, longest_streak, level, xp, last_event_id, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
ON CONFLICT (user_id) DO UPDATE
SET email_shared_on = excluded.email_shared_on, sms_shared_on = excluded.sms_shared_on,
    system_shared_on = excluded.system_shared_on, copy_shared_on = excluded.copy_shared_on,
    total_shares = excluded.total_shares, share_streak = excluded.share_streak,
    longest_streak = excluded.longest_streak, level = excluded.level, xp = excluded.xp, last_event_id = excluded.last_event_id,
    updated_at = excluded.updated_at";

rows! {
    struct Row {
        email_shared_on: Option<NaiveDate>,
        sms_shared_on: Option<NaiveDate>,
        system_shared_on: Option<NaiveDate>,
        copy_shared_on: Option<NaiveDate>,
        total_shares: i64,
        share_streak: i64,
        longest_streak: i64,
        xp: i64,
        last_event_id: Option<String>,
    }
}

impl From<Row> for ShareProgress {
    fn from(row: Row) -> Self {
        let shared_on = [
            (Platform::Email, row.email_shared_on),
            (Platform::Sms, row.sms_shared_on),
            (Platform::System, row.system_shared_on),
            (Platform::Copy, row.copy_shared_on),
        ];
        let shared_on = shared_on
            .into_iter()
            .filter_map(|(platform, on)| Some((platform, on?)));
        Self {
            shared_on: shared_on.collect(),
            total: row.total_shares,
            streak: row.share_streak,
            longest_streak: row.longest_streak,
            xp: row.xp,
            last_event: row.last_event_id.and_then(|id| EventId::parse(&id).ok()),
        }
    }
}

impl Sharing for PgTx {
    fn find_share_progress(&self, entrant: EntrantId) -> Result<Option<ShareProgress>, StoreError> {
        let find = sql_query(FIND).bind::<BigInt, _>(entrant.get());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        Ok(row.map(ShareProgress::from))
    }

    fn lock_share_progress(&mut self, entrant: EntrantId) -> Result<Option<ShareProgress>, StoreError> {
        if self.lock_entrant(entrant)?.is_none() {
            return Ok(None);
        }
        self.find_share_progress(entrant)
            .map(|found| Some(found.unwrap_or_default()))
    }

    fn save_share_progress(
        &mut self,
        entrant: EntrantId,
        progress: &ShareProgress,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let shared_on = |platform| progress.shared_on.get(&platform).copied();
        let save = sql_query(SAVE)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Nullable<Date>, _>(shared_on(Platform::Email))
            .bind::<Nullable<Date>, _>(shared_on(Platform::Sms))
            .bind::<Nullable<Date>, _>(shared_on(Platform::System))
            .bind::<Nullable<Date>, _>(shared_on(Platform::Copy))
            .bind::<BigInt, _>(progress.total)
            .bind::<BigInt, _>(progress.streak)
            .bind::<BigInt, _>(progress.longest_streak)
            .bind::<BigInt, _>(progress.level())
            .bind::<BigInt, _>(progress.xp)
            .bind::<Nullable<Text>, _>(progress.last_event.as_ref().map(EventId::as_str))
            .bind::<Timestamptz, _>(at);
        self.query(|connection| save.execute(connection)).map(drop)
    }
}
