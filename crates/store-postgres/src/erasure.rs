//! `privacy::Erasure`: erasing people, and what is kept of their numbers.
//!
//! An erasure is one transaction. It locks in this order: folding, the entrant, campaigns by id, texts by id. Whatever adds
//! rows for an entrant waits for the entrant (by a foreign key) or for the campaign, and finds the person erased then.
//! `docs/privacy.md` says of every column what happens to it; a test compares it with the schema, and another one searches
//! every column for what was erased.

use crate::PgTx;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Nullable, Text, Timestamptz};
use kernel::{EntrantId, Phone, StoreError};
use pricing::Purchase;
use privacy::{Erased, Erasure, NumberHmac};
use raffle::Recalled;
use sms::SkipReason;

const LOCK: &str = "SELECT phone_number FROM users WHERE id = $1 FOR UPDATE";

/// What stands against an erasure. A claim is open until it has ended for good.
const CHECK: &str = "
SELECT erased_at IS NOT NULL AS is_erased,
       EXISTS (SELECT FROM winner_verification WHERE winner_id = $1 AND ended_at IS NULL) AS has_claim,
       EXISTS (
           SELECT FROM purchases WHERE user_id = $1 AND status IN ('pending', 'failed') AND created_at > $2
       ) AS has_purchase
FROM users
WHERE id = $1";

/// `$1`: the hashes of the number, that of the current key first. Someone who was erased before under the same number leaves
/// only whether the number was credited.
const KEEP: &str = "
WITH earlier AS (
    SELECT was_credited FROM erased_numbers WHERE number_hmac = ANY ($1) AND expires_at > $4
)
INSERT INTO erased_numbers (number_hmac, opted_out_at, is_flagged, was_credited, counts, expires_at)
SELECT ($1)[1], (SELECT changed_at FROM sms_opt_outs WHERE phone_number = $3 AND opted_out), is_flagged,
       EXISTS (SELECT FROM referrals WHERE referred_user_id = $2) OR EXISTS (SELECT FROM earlier WHERE was_credited),
       coalesce((SELECT jsonb_object_agg(month, texts) FROM sms_monthly_counts WHERE phone_number = $3), '{}'),
       $4 + interval '13 months'
FROM users
WHERE id = $2
ON CONFLICT (number_hmac) DO UPDATE
SET opted_out_at = excluded.opted_out_at, is_flagged = excluded.is_flagged, was_credited = excluded.was_credited,
    counts = excluded.counts, expires_at = excluded.expires_at";

/// A campaign that begins reads its audience after it has locked its row, and one that is being sent takes its recipients so.
const LOCK_CAMPAIGNS: &str = "
SELECT id FROM sms_scheduled_campaigns WHERE status IN ('pending', 'sending') ORDER BY id FOR NO KEY UPDATE";

/// Takes a number out of the recipients of campaigns that are being sent. A recipient without a text is not counted any more.
const LEAVE_CAMPAIGNS: &str = "
WITH gone AS (
    DELETE FROM sms_recipients AS recipient
    USING sms_scheduled_campaigns AS campaign
    WHERE recipient.campaign_id = campaign.id AND status = 'sending' AND recipient.phone_number = $1
    RETURNING campaign_id, recipient.phone_number > last_recipient AS is_waiting
)
UPDATE sms_scheduled_campaigns AS campaign
SET recipient_count = recipient_count - 1, open_count = open_count - 1
FROM gone
WHERE campaign.id = gone.campaign_id AND is_waiting";

const LEAVE_LISTS: &str = "
UPDATE sms_scheduled_campaigns
SET custom_phone_numbers = custom_phone_numbers - $1,
    custom_number_count = jsonb_array_length(custom_phone_numbers - $1)
WHERE custom_phone_numbers ? $1";

/// A campaign goes on after its last recipient, so the one before takes its place.
const MOVE_LAST_RECIPIENT: &str = "
UPDATE sms_scheduled_campaigns AS campaign
SET last_recipient = coalesce(
    (SELECT max(phone_number) FROM sms_recipients WHERE campaign_id = campaign.id AND phone_number < $1), ''
)
WHERE last_recipient = $1";

const LOCK_TEXTS: &str = "
SELECT id, status = 'pending' AS is_pending
FROM sms_sent_messages
WHERE id IN (
    SELECT id FROM sms_sent_messages WHERE user_id = $1
    UNION
    SELECT id FROM sms_sent_messages WHERE user_id IS NULL AND phone_number = $2
)
ORDER BY id
FOR NO KEY UPDATE";

const ERASE_CLICKS: &str = "
UPDATE sms_click_tracking
SET user_phone_number = NULL, ip_address = NULL, user_agent = NULL, tracking_id = 'erased ' || id
WHERE tracking_id IN (SELECT tracking_id FROM sms_sent_messages WHERE id = ANY ($1))";

/// A trigger erases those that have ended.
const ERASE_TEXTS: &str = "UPDATE sms_sent_messages SET is_erased = true WHERE id = ANY ($1)";

/// Statements about the number `$1`.
const OF_NUMBER: [&str; 5] = [
    "DELETE FROM sms_replies WHERE phone_number = $1",
    "DELETE FROM sms_opt_outs WHERE phone_number = $1",
    "DELETE FROM sms_monthly_counts WHERE phone_number = $1",
    "UPDATE verification_codes SET network = NULL
     WHERE verification_id IN (
         SELECT id FROM verifications WHERE sign_up IS NOT NULL AND sign_up ->> 'phoneNumber' = $1
     )",
    "UPDATE verifications SET sign_up = NULL, network = NULL
     WHERE sign_up IS NOT NULL AND sign_up ->> 'phoneNumber' = $1",
];

/// Statements about the entrant `$1`, in this order: the sessions are found by steps that name the entrant.
const OF_ENTRANT: [&str; 14] = [
    "DELETE FROM sms_replies WHERE user_id = $1",
    "DELETE FROM flag_appeals WHERE user_id = $1",
    "UPDATE user_consent SET ip_address = NULL, user_agent = NULL WHERE user_id = $1",
    "UPDATE social_shares SET ip_address = NULL WHERE user_id = $1",
    "UPDATE verification_codes SET network = NULL
     WHERE verification_id IN (SELECT id FROM verifications WHERE user_id = $1)",
    "UPDATE verifications SET sign_up = NULL, network = NULL, user_id = NULL WHERE user_id = $1",
    ERASE_VIEWS,
    ERASE_STEPS,
    "UPDATE referrals SET referred_phone_number = NULL, ip_address = NULL WHERE referred_user_id = $1",
    "UPDATE drawing_results SET winner_phone_number = NULL WHERE winner_id = $1 AND winner_phone_number IS NOT NULL",
    ERASE_AUDIT,
    "UPDATE winner_verification_events SET note = NULL
     WHERE note IS NOT NULL AND claim_id IN (SELECT id FROM winner_verification WHERE winner_id = $1)",
    ERASE_CLAIMS,
    ERASE_NETWORKS,
];

/// Views of the sessions in which the entrant took a step. Keys of views begin with the 48 bits of their session's time, so
/// each session is a range of the primary key. What is counted stays.
const ERASE_VIEWS: &str = "
WITH session AS MATERIALIZED (
    SELECT DISTINCT session_key, left(replace(session_key::text, '-', ''), 12) AS began
    FROM conversion_funnel WHERE user_id = $1
)
UPDATE page_views
SET session_id = '', ip_address = NULL, user_agent = NULL, fingerprint = NULL, country = NULL, city = NULL,
    device = NULL, browser = NULL, sms_tracking_id = NULL
FROM session
WHERE view_key BETWEEN (began || repeat('0', 20))::uuid AND (began || repeat('f', 20))::uuid
    AND page_views.session_key = session.session_key";

const ERASE_STEPS: &str = "
UPDATE conversion_funnel SET session_id = '', user_id = NULL, step_data = NULL
WHERE session_key IN (SELECT session_key FROM conversion_funnel WHERE user_id = $1)";

/// What staff wrote about the entrant, the appeals and the claims. Appeals are deleted before, so all entries about appeals
/// that are gone lose their notes.
const ERASE_AUDIT: &str = "
UPDATE admin_audit_log SET details = details - ARRAY['reason', 'note', 'notes', 'tags']
WHERE details ?| ARRAY['reason', 'note', 'notes', 'tags'] AND (
    action IN ('flag_user', 'unflag_user', 'edit_person', 'mark_duplicate', 'unmark_duplicate') AND target = $1::text
    OR action = 'decide_appeal' AND NOT EXISTS (SELECT FROM flag_appeals WHERE flag_appeals.id::text = target)
    OR action IN ('approve_claim', 'reject_claim', 'deliver_prize', 'resend_claim', 'note_call', 'confirm_number',
                  'mark_unreachable')
        AND target IN (SELECT id::text FROM winner_verification WHERE winner_id = $1)
)";

const ERASE_CLAIMS: &str = "
UPDATE winner_verification
SET verification_data = NULL, browser_hash = NULL, verification_code = NULL, code_sent_at = NULL, public_name = NULL,
    public_state = NULL, reject_note = CASE WHEN reject_note IS NOT NULL THEN 'erased' END,
    objection = CASE WHEN objection IS NOT NULL THEN 'erased' END,
    details_erased_at = coalesce(details_erased_at, clock_timestamp())
WHERE winner_id = $1";

/// The number of accounts of an address and of a network counts those that have an address. Nobody folds meanwhile.
const ERASE_NETWORKS: &str = "
WITH entrant AS (
    SELECT ip_address, sequence_number FROM users WHERE id = $1 AND ip_address IS NOT NULL
), address AS (
    UPDATE analytics_addresses AS counted SET accounts = accounts - 1, checked = least(checked, accounts - 1)
    FROM entrant
    WHERE counted.ip_address = entrant.ip_address
        AND sequence_number <= (SELECT last_id FROM analytics_watermarks WHERE source = 'entrants')
)
UPDATE analytics_networks AS counted SET accounts = accounts - 1, checked = least(checked, accounts - 1)
FROM entrant
WHERE counted.network = network_of(entrant.ip_address)
    AND sequence_number <= (SELECT last_id FROM analytics_watermarks WHERE source = 'networks')";

/// Addresses and networks that nobody has any more.
const FORGET_NETWORKS: [&str; 2] = [
    "DELETE FROM analytics_addresses WHERE accounts = 0 AND ip_address = $1::inet",
    "DELETE FROM analytics_networks WHERE accounts = 0 AND network = network_of($1::inet)",
];

const ERASE_ENTRANT: &str = "
UPDATE users
SET phone_number = NULL, erased_at = $2, ip_address = NULL, user_agent = NULL, fingerprint = NULL, sign_up_event_id = NULL,
    stripe_customer_id = NULL, person_salt = NULL, flag_reason = NULL, flag_evidence = NULL
WHERE id = $1";

const RECALL: &str = "
SELECT opted_out_at, is_flagged AND expires_at > $2 AS is_flagged, was_credited AND expires_at > $2 AS was_credited,
       number_hmac
FROM erased_numbers
WHERE number_hmac = ANY ($1)
ORDER BY expires_at DESC
LIMIT 1";

const HAS_STOPS: &str = "SELECT EXISTS (SELECT FROM erased_numbers WHERE opted_out_at IS NOT NULL) AS any";

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

const RECALL_FLAG: &str = "
UPDATE users SET is_flagged = true, flagged_at = statement_timestamp(),
    flag_reason = 'This number was flagged before its data was erased'
WHERE id = $1";

const FORGET: &str = "
WITH deleted AS (
    DELETE FROM erased_numbers WHERE expires_at <= $1 AND opted_out_at IS NULL RETURNING 1
), forgotten AS (
    UPDATE erased_numbers SET is_flagged = false, was_credited = false, counts = '{}'
    WHERE expires_at <= $1 AND opted_out_at IS NOT NULL AND (is_flagged OR was_credited OR counts <> '{}')
    RETURNING 1
)
SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM forgotten) AS n";

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = Nullable<Text>)]
    phone_number: Option<String>,
}

#[derive(QueryableByName)]
struct CheckRow {
    #[diesel(sql_type = Bool)]
    is_erased: bool,
    #[diesel(sql_type = Bool)]
    has_claim: bool,
    #[diesel(sql_type = Bool)]
    has_purchase: bool,
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Bool)]
    is_pending: bool,
}

#[derive(QueryableByName)]
struct AddressRow {
    #[diesel(sql_type = Nullable<Text>)]
    ip_address: Option<String>,
}

#[derive(QueryableByName)]
struct KeptRow {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    opted_out_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Bool)]
    is_flagged: bool,
    #[diesel(sql_type = Bool)]
    was_credited: bool,
    #[diesel(sql_type = Binary)]
    number_hmac: Vec<u8>,
}

#[derive(QueryableByName)]
struct AnyRow {
    #[diesel(sql_type = Bool)]
    any: bool,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

impl PgTx {
    /// Runs a statement about one number.
    fn about_number(&mut self, statement: &str, phone: &str) -> Result<(), StoreError> {
        let query = sql_query(statement).bind::<Text, _>(phone);
        self.query(|connection| query.execute(connection)).map(drop)
    }

    /// Runs a statement about one entrant.
    fn about_entrant(&mut self, statement: &str, entrant: EntrantId) -> Result<(), StoreError> {
        let query = sql_query(statement).bind::<BigInt, _>(entrant.get());
        self.query(|connection| query.execute(connection)).map(drop)
    }

    /// All hashes of a number, that of the current key first.
    fn hashes(&self, phone: &Phone) -> Vec<Vec<u8>> {
        let hashes = self
            .number_keys()
            .map(|keys| keys.hashes(phone))
            .unwrap_or_default();
        let bytes = |hash: &NumberHmac| hash.as_bytes().to_vec();
        hashes.iter().map(bytes).collect()
    }

    fn keep_number(
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
        let keep = sql_query(KEEP)
            .bind::<Array<Binary>, _>(hashes)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Text, _>(phone.as_e164())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| keep.execute(connection)).map(drop)
    }

    fn leave_campaigns(&mut self, phone: &str) -> Result<(), StoreError> {
        for statement in [LEAVE_CAMPAIGNS, LEAVE_LISTS, MOVE_LAST_RECIPIENT] {
            self.about_number(statement, phone)?;
        }
        Ok(())
    }

    fn erase_texts(&mut self, entrant: EntrantId, phone: &str) -> Result<(), StoreError> {
        let lock = sql_query(LOCK_TEXTS)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Text, _>(phone);
        let texts: Vec<TextRow> = self.query(|connection| lock.load(connection))?;
        let ids: Vec<i64> = texts.iter().map(|text| text.id).collect();
        for statement in [ERASE_CLICKS, ERASE_TEXTS] {
            let erase = sql_query(statement).bind::<Array<BigInt>, _>(&ids);
            self.query(|connection| erase.execute(connection))?;
        }
        let pending: Vec<i64> = texts
            .iter()
            .filter(|text| text.is_pending)
            .map(|text| text.id)
            .collect();
        self.update_messages(&pending, |_, delivery| delivery.skip(SkipReason::NoConsent))
            .map(drop)
    }

    /// The entrant's row, last: other statements read from it what they erase.
    fn erase_entrant(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let address = sql_query("SELECT host(ip_address) AS ip_address FROM users WHERE id = $1")
            .bind::<BigInt, _>(entrant.get());
        let row: AddressRow = self.query(|connection| address.get_result(connection))?;
        let erase = sql_query(ERASE_ENTRANT)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| erase.execute(connection))?;
        for statement in FORGET_NETWORKS {
            let forget = sql_query(statement).bind::<Nullable<Text>, _>(row.ip_address.as_deref());
            self.query(|connection| forget.execute(connection))?;
        }
        Ok(())
    }

    fn erase_number(
        &mut self,
        entrant: EntrantId,
        phone: &Phone,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.expect_few_rows()?;
        self.keep_number(entrant, phone, at)?;
        self.run(LOCK_CAMPAIGNS)?;
        self.leave_campaigns(phone.as_e164())?;
        self.erase_texts(entrant, phone.as_e164())?;
        for statement in OF_NUMBER {
            self.about_number(statement, phone.as_e164())?;
        }
        for statement in OF_ENTRANT {
            self.about_entrant(statement, entrant)?;
        }
        self.erase_entrant(entrant, at)
    }

    /// Gives these numbers their STOP back, if they said so before they were erased.
    pub(crate) fn recall_stops(&mut self, phones: &[Phone]) -> Result<(), StoreError> {
        let any: AnyRow = self.query(|connection| sql_query(HAS_STOPS).get_result(connection))?;
        if !any.any {
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

    fn find_kept(&self, phone: &Phone, now: DateTime<Utc>) -> Result<Option<KeptRow>, StoreError> {
        let hashes = self.hashes(phone);
        if hashes.is_empty() {
            return Ok(None);
        }
        let find = sql_query(RECALL)
            .bind::<Array<Binary>, _>(hashes)
            .bind::<Timestamptz, _>(now);
        self.query(|connection| find.get_result(connection).optional())
    }

    /// See `raffle::Entrants::recall_number`.
    pub(crate) fn recall(&mut self, phone: &Phone, now: DateTime<Utc>) -> Result<Recalled, StoreError> {
        let Some(kept) = self.find_kept(phone, now)? else {
            return Ok(Recalled::default());
        };
        self.recall_stop(phone, &kept)?;
        let counts = sql_query(RECALL_COUNTS)
            .bind::<Text, _>(phone.as_e164())
            .bind::<Binary, _>(&kept.number_hmac)
            .bind::<Timestamptz, _>(now);
        self.query(|connection| counts.execute(connection))?;
        Ok(Recalled {
            was_credited: kept.was_credited,
            was_flagged: kept.is_flagged,
        })
    }

    /// See `raffle::Entrants::flag_again`.
    pub(crate) fn recall_flag(&mut self, entrant: EntrantId) -> Result<(), StoreError> {
        self.about_entrant(RECALL_FLAG, entrant)?;
        self.reverse_referrals(&[entrant.get()])
    }
}

impl Erasure for PgTx {
    fn erase_person(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError> {
        self.begin_folding()?;
        let lock = sql_query(LOCK).bind::<BigInt, _>(entrant.get());
        let found: Option<NumberRow> = self.query(|connection| lock.get_result(connection).optional())?;
        let refusal = self.check_erasure(entrant, at)?;
        if refusal != Erased::Done {
            return Ok(refusal);
        }
        let number = found.and_then(|row| row.phone_number);
        let phone = number
            .as_deref()
            .and_then(Phone::from_e164)
            .ok_or(StoreError::Corrupt {
                table: "users",
                column: "phone_number",
                row: entrant.get(),
            })?;
        self.erase_number(entrant, &phone, at)?;
        Ok(Erased::Done)
    }

    fn check_erasure(&self, entrant: EntrantId, at: DateTime<Utc>) -> Result<Erased, StoreError> {
        let check = sql_query(CHECK)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(at - Purchase::OPEN_FOR);
        let row: Option<CheckRow> = self.query(|connection| check.get_result(connection).optional())?;
        Ok(match row {
            None => Erased::Unknown,
            Some(row) if row.is_erased => Erased::Before,
            Some(row) if row.has_claim => Erased::OpenClaim,
            Some(row) if row.has_purchase => Erased::OpenPurchase,
            Some(_) => Erased::Done,
        })
    }

    fn forget_numbers(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let forget = sql_query(FORGET).bind::<Timestamptz, _>(now);
        let row: CountRow = self.query(|connection| forget.get_result(connection))?;
        Ok(row.n.unsigned_abs())
    }
}
