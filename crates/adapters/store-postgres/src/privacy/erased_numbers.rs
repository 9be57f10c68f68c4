//! What is kept of the numbers of erased people, by a keyed hash, and given to the next entrant with the number.

use crate::PgTx;
use crate::rows::{CountRow, rows};
use crate::schema::erased_numbers;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Date, Text, Timestamptz};
use kernel::{EntrantId, Phone, StoreError};
use pricing::MonthEntries;
use privacy::NumberHmac;
use raffle::Recalled;
use referral::Credit;
use std::collections::HashSet;

/// `$1`: the hashes of the number, that of the current key first. `$5` and `$6`: months, and the entries that count toward the cap
/// of each. Someone who was erased before under the same number leaves only whether the number was credited.
const KEEP: &str = "
WITH earlier AS (
    SELECT was_credited FROM erased_numbers WHERE number_hmac = ANY ($1) AND expires_at > $4
), said AS (
    DELETE FROM sms_opt_outs WHERE phone_number = $3 RETURNING opted_out, changed_at
), counted AS (
    DELETE FROM sms_monthly_counts WHERE phone_number = $3 RETURNING month, texts
)
INSERT INTO erased_numbers
    (number_hmac, opted_out_at, is_flagged, duplicate_of, has_set_flag, was_credited, counts, entries, expires_at)
SELECT ($1)[1], (SELECT changed_at FROM said WHERE opted_out), is_flagged, duplicate_of, coalesce(has_set_flag, false),
       EXISTS (SELECT FROM referrals WHERE referred_user_id = $2) OR EXISTS (SELECT FROM earlier WHERE was_credited),
       coalesce((SELECT jsonb_object_agg(month, texts) FROM counted), '{}'),
       coalesce((SELECT jsonb_object_agg(month, used) FROM unnest($5, $6) AS capped (month, used)), '{}'),
       $4 + interval '13 months'
FROM users LEFT JOIN user_data_management ON user_id = users.id
WHERE users.id = $2
ON CONFLICT (number_hmac) DO UPDATE
SET opted_out_at = excluded.opted_out_at, is_flagged = excluded.is_flagged, duplicate_of = excluded.duplicate_of,
    has_set_flag = excluded.has_set_flag, was_credited = excluded.was_credited, counts = excluded.counts,
    entries = excluded.entries, expires_at = excluded.expires_at";

const KEPT: &str = "SELECT number_hmac FROM erased_numbers WHERE number_hmac = ANY ($1)";

const RECALL_STOPS: &str = "
INSERT INTO sms_opt_outs (phone_number, opted_out, changed_at)
SELECT DISTINCT ON (phone_number) phone_number, true, opted_out_at
FROM unnest($1, $2) AS listed (hmac, phone_number)
JOIN erased_numbers ON number_hmac = hmac AND opted_out_at IS NOT NULL
ORDER BY phone_number, expires_at DESC
ON CONFLICT (phone_number) DO NOTHING";

/// A START or STOP that came after the erasure wins.
const RECALL_STOP: &str = "
INSERT INTO sms_opt_outs (phone_number, opted_out, changed_at) VALUES ($1, true, $2)
ON CONFLICT (phone_number) DO NOTHING";

const RECALL_COUNTS: &str = "
INSERT INTO sms_monthly_counts (phone_number, month, texts)
SELECT $1, key::date, value::bigint
FROM erased_numbers, jsonb_each_text(counts)
WHERE number_hmac = $2 AND expires_at > $3
ON CONFLICT (phone_number, month) DO UPDATE SET texts = greatest(sms_monthly_counts.texts, excluded.texts)";

const RECALL_ENTRIES: &str = "
INSERT INTO inherited_entries (user_id, month, entries)
SELECT $1, key::date, value::bigint
FROM erased_numbers, jsonb_each_text(entries)
WHERE number_hmac = $2 AND expires_at > $3";

/// Nothing names an entry that is just added, so the mark closes no circle, and no lock of the original is needed.
const RECALL_MARK: &str = "
INSERT INTO user_data_management
    (user_id, is_duplicate, duplicate_of, merged_at, reason, has_set_flag, created_at, updated_at)
SELECT $1, true, duplicate_of, $3, 'This number was marked as a duplicate before its data was erased', has_set_flag, $3, $3
FROM erased_numbers
WHERE number_hmac = $2 AND expires_at > $3 AND duplicate_of IS NOT NULL";

const RECALL_FLAG: &str = "
UPDATE users SET is_flagged = true, flagged_at = statement_timestamp(),
    flag_reason = 'This number was flagged before its data was erased'
WHERE id = $1";

const FORGET: &str = "
WITH deleted AS (
    DELETE FROM erased_numbers WHERE expires_at <= $1 AND opted_out_at IS NULL RETURNING 1
), forgotten AS (
    UPDATE erased_numbers
    SET is_flagged = false, duplicate_of = NULL, has_set_flag = false, was_credited = false, counts = '{}', entries = '{}'
    WHERE expires_at <= $1 AND opted_out_at IS NOT NULL AND (
        is_flagged OR duplicate_of IS NOT NULL OR was_credited OR counts <> '{}' OR entries <> '{}'
    )
    RETURNING 1
)
SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM forgotten) AS n";

#[derive(Queryable, Selectable)]
#[diesel(table_name = erased_numbers)]
struct KeptRow {
    number_hmac: Vec<u8>,
    opted_out_at: Option<DateTime<Utc>>,
    is_flagged: bool,
    was_credited: bool,
    expires_at: DateTime<Utc>,
}

rows! {
    struct HashRow {
        number_hmac: Vec<u8>,
    }
}

impl PgTx {
    /// All hashes of a number, that of the current key first.
    pub(crate) fn hashes(&self, phone: &Phone) -> Vec<Vec<u8>> {
        let hashes = self
            .number_keys()
            .map(|keys| keys.hashes(phone))
            .unwrap_or_default();
        let bytes = |hash: &NumberHmac| hash.as_bytes().to_vec();
        hashes.iter().map(bytes).collect()
    }

    /// Moves STOP and counts of a number to its hash, with what else is kept of the entrant.
    pub(crate) fn keep_number(
        &mut self,
        entrant: EntrantId,
        phone: &Phone,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let hashes = self.hashes(phone);
        if hashes.is_empty() {
            return Err(StoreError::Failed(
                "the store has no key for erased numbers".into(),
            ));
        }
        let used = MonthEntries::used_by_month(self.month_entries(entrant, None)?);
        let used = used.into_iter().map(|(month, used)| (month, used.all()));
        let (months, used): (Vec<_>, Vec<_>) = used.unzip();
        let keep = sql_query(KEEP)
            .bind::<Array<Binary>, _>(hashes)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Text, _>(phone.as_e164())
            .bind::<Timestamptz, _>(at)
            .bind::<Array<Date>, _>(months)
            .bind::<Array<BigInt>, _>(used);
        self.query(|connection| keep.execute(connection)).map(drop)
    }

    /// See `people::People::erased_numbers`.
    pub(crate) fn find_erased_numbers(&self, phones: &HashSet<Phone>) -> Result<Vec<Phone>, StoreError> {
        let hashed: Vec<(Vec<u8>, &Phone)> = phones
            .iter()
            .flat_map(|phone| self.hashes(phone).into_iter().map(move |hash| (hash, phone)))
            .collect();
        let hashes: Vec<&[u8]> = hashed.iter().map(|(hash, _)| hash.as_slice()).collect();
        let find = sql_query(KEPT).bind::<Array<Binary>, _>(&hashes);
        let rows: Vec<HashRow> = self.query(|connection| find.load(connection))?;
        let kept: HashSet<Vec<u8>> = rows.into_iter().map(|row| row.number_hmac).collect();
        let found = hashed.into_iter().filter(|(hash, _)| kept.contains(hash));
        Ok(found.map(|(_, phone)| phone.clone()).collect())
    }

    /// Gives these numbers their STOP back, if they said so before they were erased.
    pub(crate) fn recall_stops(&mut self, phones: &[Phone]) -> Result<(), StoreError> {
        let stops = erased_numbers::table.filter(erased_numbers::opted_out_at.is_not_null());
        let has_stops = diesel::select(exists(stops));
        if !self.query(|connection| has_stops.get_result(connection))? {
            return Ok(());
        }
        let hashed = phones
            .iter()
            .flat_map(|phone| self.hashes(phone).into_iter().map(move |hash| (hash, phone)));
        let (hashes, numbers): (Vec<Vec<u8>>, Vec<&str>) =
            hashed.map(|(hash, phone)| (hash, phone.as_e164())).unzip();
        let recall = sql_query(RECALL_STOPS)
            .bind::<Array<Binary>, _>(hashes)
            .bind::<Array<Text>, _>(numbers);
        self.query(|connection| recall.execute(connection)).map(drop)
    }

    fn recall_stop(&mut self, phone: &Phone, kept: &KeptRow) -> Result<(), StoreError> {
        let Some(at) = kept.opted_out_at else {
            return Ok(());
        };
        let recall = sql_query(RECALL_STOP)
            .bind::<Text, _>(phone.as_e164())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| recall.execute(connection)).map(drop)
    }

    fn find_kept(&self, phone: &Phone) -> Result<Option<KeptRow>, StoreError> {
        let hashes = self.hashes(phone);
        if hashes.is_empty() {
            return Ok(None);
        }
        let find = erased_numbers::table
            .filter(erased_numbers::number_hmac.eq_any(hashes))
            .order(erased_numbers::expires_at.desc())
            .select(KeptRow::as_select());
        self.query(|connection| find.first(connection).optional())
    }

    /// See `raffle::Entrants::recall_number`.
    pub(crate) fn recall(
        &mut self,
        entrant: EntrantId,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Recalled, StoreError> {
        let Some(kept) = self.find_kept(phone)? else {
            return Ok(Recalled::default());
        };
        self.recall_stop(phone, &kept)?;
        let counts = sql_query(RECALL_COUNTS)
            .bind::<Text, _>(phone.as_e164())
            .bind::<Binary, _>(&kept.number_hmac)
            .bind::<Timestamptz, _>(now);
        self.query(|connection| counts.execute(connection))?;
        for of_entrant in [RECALL_ENTRIES, RECALL_MARK] {
            let recall = sql_query(of_entrant)
                .bind::<BigInt, _>(entrant.get())
                .bind::<Binary, _>(&kept.number_hmac)
                .bind::<Timestamptz, _>(now);
            self.query(|connection| recall.execute(connection))?;
        }
        Ok(Recalled {
            was_credited: kept.was_credited && kept.expires_at > now,
            was_flagged: kept.is_flagged && kept.expires_at > now,
        })
    }

    /// See `raffle::Entrants::flag_again`.
    pub(crate) fn recall_flag(&mut self, entrant: EntrantId) -> Result<(), StoreError> {
        self.about_entrant(RECALL_FLAG, entrant)?;
        self.change_credits(&[entrant.get()], Credit::reverse)
    }

    /// See `privacy::Erasure::forget_numbers`.
    pub(crate) fn forget_kept(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let forget = sql_query(FORGET).bind::<Timestamptz, _>(now);
        let row: CountRow = self.query(|connection| forget.get_result(connection))?;
        Ok(row.n.unsigned_abs())
    }
}
