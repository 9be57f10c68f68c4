//! Everything about one entrant. Each list is the newest rows and the number of all, and has an index that begins with the
//! entrant.

use super::search::read_phone;
use crate::PgTx;
use crate::rows::{CountRow, rows};
use crate::schema::{purchases, referrals, sms_sent_messages, users};
use chrono::{DateTime, Utc};
use diesel::deserialize::QueryableByName;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{EntrantId, MessageId, StoreError};
use people::{
    ClaimLine, DataSource, DuplicateRef, LedgerLine, Newest, Notes, Person, PersonRef, Profile, PurchaseLine,
    ReferralLine, ReplyLine, TextLine,
};

const PROFILE: &str = "
SELECT host(users.ip_address) AS ip_address, user_agent, base_entries, bonus_entries, paid_entries, held_entries,
       coalesce(opted.opted_out, false) AS opted_out, coalesce(noted.data_source, 'site') AS data_source,
       noted.import_batch_id, noted.consent_basis, coalesce(noted.notes, '') AS notes,
       users.erased_at
FROM users
LEFT JOIN user_data_management AS noted ON noted.user_id = users.id
LEFT JOIN sms_opt_outs AS opted ON opted.phone_number = users.phone_number
WHERE users.id = $1";

const REFERRER: &str = "
SELECT users.id, phone_number FROM referrals JOIN users ON users.id = referrer_id WHERE referred_user_id = $1";

const DUPLICATE_OF: &str = "
SELECT users.id, phone_number, reason, merged_at FROM user_data_management JOIN users ON users.id = duplicate_of
WHERE user_id = $1 AND is_duplicate";

const DUPLICATES: &str = "
SELECT users.id, phone_number, reason, merged_at FROM user_data_management JOIN users ON users.id = user_id
WHERE duplicate_of = $1 AND is_duplicate
ORDER BY merged_at DESC, users.id DESC LIMIT 100";

const LEDGER: &str = "
SELECT id, kind, delta, cause_id, created_at FROM entry_ledger WHERE user_id = $1 ORDER BY id DESC LIMIT 100";

const REFERRALS: &str = "
SELECT users.id, users.phone_number, referrals.is_reversed, referrals.created_at
FROM referrals JOIN users ON users.id = referred_user_id
WHERE referrer_id = $1 ORDER BY referrals.id DESC LIMIT 100";

const PURCHASES: &str = "
SELECT id, amount, entries_added, status, created_at, completed_at, refunded_at, (
    SELECT coalesce(sum(refunded), 0)::bigint FROM payment_reversals AS reversal
    WHERE reversal.stripe_payment_intent_id = purchases.stripe_payment_intent_id AND refund = 'failed'
) AS failed_refunds
FROM purchases WHERE user_id = $1 ORDER BY id DESC LIMIT 100";

const TEXTS: &str = "
SELECT texts.id, texts.kind, campaign_name, texts.status, message_body, texts.created_at, texts.sent_at
FROM sms_sent_messages AS texts LEFT JOIN sms_scheduled_campaigns AS campaign ON campaign.id = texts.campaign_id
WHERE user_id = $1 ORDER BY texts.id DESC LIMIT 100";

const REPLIES: &str = "
SELECT id, body, keyword, created_at FROM sms_replies WHERE user_id = $1 ORDER BY id DESC LIMIT 100";

const CLAIMS: &str = "
SELECT id, drawing_id, rank::bigint AS rank, status, created_at FROM winner_verification
WHERE winner_id = $1 ORDER BY id DESC LIMIT 100";

#[derive(QueryableByName)]
#[diesel(table_name = users)]
struct ProfileRow {
    #[diesel(sql_type = Nullable<Text>)]
    ip_address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    user_agent: Option<String>,
    base_entries: i64,
    bonus_entries: i64,
    paid_entries: i64,
    held_entries: i64,
    #[diesel(sql_type = Bool)]
    opted_out: bool,
    #[diesel(sql_type = Text)]
    data_source: String,
    #[diesel(sql_type = Nullable<Text>)]
    import_batch_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    consent_basis: Option<String>,
    #[diesel(sql_type = Text)]
    notes: String,
    erased_at: Option<DateTime<Utc>>,
}

#[derive(QueryableByName)]
#[diesel(table_name = users)]
struct RefRow {
    id: i64,
    phone_number: Option<String>,
}

#[derive(QueryableByName)]
struct DuplicateRow {
    #[diesel(embed)]
    person: RefRow,
    #[diesel(sql_type = Text)]
    reason: String,
    #[diesel(sql_type = Timestamptz)]
    merged_at: DateTime<Utc>,
}

rows! {
    struct LedgerRow {
        id: i64,
        kind: String,
        delta: i64,
        cause_id: i64,
        created_at: DateTime<Utc>,
    }
}

#[derive(QueryableByName)]
#[diesel(table_name = referrals)]
struct ReferralRow {
    #[diesel(embed)]
    friend: RefRow,
    is_reversed: bool,
    created_at: DateTime<Utc>,
}

#[derive(QueryableByName)]
#[diesel(table_name = purchases)]
struct PurchaseRow {
    id: i64,
    amount: i64,
    entries_added: i64,
    status: String,
    created_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    refunded_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = BigInt)]
    failed_refunds: i64,
}

#[derive(QueryableByName)]
#[diesel(table_name = sms_sent_messages)]
struct TextRow {
    id: i64,
    kind: String,
    #[diesel(sql_type = Nullable<Text>)]
    campaign_name: Option<String>,
    status: String,
    message_body: Option<String>,
    created_at: DateTime<Utc>,
    sent_at: Option<DateTime<Utc>>,
}

rows! {
    struct ReplyRow {
        id: i64,
        body: String,
        keyword: Option<String>,
        created_at: DateTime<Utc>,
    }

    struct ClaimRow {
        id: i64,
        drawing_id: i64,
        rank: i64,
        status: String,
        created_at: DateTime<Utc>,
    }

    struct ConsentRow {
        granted: bool,
    }
}

impl TryFrom<RefRow> for PersonRef {
    type Error = StoreError;

    fn try_from(row: RefRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: EntrantId::new(row.id),
            phone: read_phone(row.id, row.phone_number.as_deref())?,
        })
    }
}

impl TryFrom<DuplicateRow> for DuplicateRef {
    type Error = StoreError;

    fn try_from(row: DuplicateRow) -> Result<Self, StoreError> {
        Ok(Self {
            person: row.person.try_into()?,
            reason: row.reason,
            merged_at: row.merged_at,
        })
    }
}

impl TryFrom<ReferralRow> for ReferralLine {
    type Error = StoreError;

    fn try_from(row: ReferralRow) -> Result<Self, StoreError> {
        Ok(Self {
            friend: row.friend.try_into()?,
            is_reversed: row.is_reversed,
            created_at: row.created_at,
        })
    }
}

impl From<LedgerRow> for LedgerLine {
    fn from(row: LedgerRow) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            delta: row.delta,
            cause: row.cause_id,
            created_at: row.created_at,
        }
    }
}

impl From<PurchaseRow> for PurchaseLine {
    fn from(row: PurchaseRow) -> Self {
        Self {
            id: row.id,
            amount: row.amount,
            entries: row.entries_added,
            status: row.status,
            created_at: row.created_at,
            completed_at: row.completed_at,
            refunded_at: row.refunded_at,
            failed_refunds: row.failed_refunds,
        }
    }
}

impl From<TextRow> for TextLine {
    fn from(row: TextRow) -> Self {
        Self {
            id: MessageId::new(row.id),
            kind: row.kind,
            campaign: row.campaign_name,
            status: row.status,
            body: row.message_body,
            created_at: row.created_at,
            sent_at: row.sent_at,
        }
    }
}

impl From<ReplyRow> for ReplyLine {
    fn from(row: ReplyRow) -> Self {
        Self {
            id: row.id,
            body: row.body,
            keyword: row.keyword,
            created_at: row.created_at,
        }
    }
}

impl From<ClaimRow> for ClaimLine {
    fn from(row: ClaimRow) -> Self {
        Self {
            id: row.id,
            drawing: row.drawing_id,
            rank: row.rank,
            status: row.status,
            created_at: row.created_at,
        }
    }
}

fn read_source(id: EntrantId, name: &str) -> Result<DataSource, StoreError> {
    name.parse()
        .map_err(|_| StoreError::corrupt("user_data_management", "data_source", id.get()))
}

impl PgTx {
    pub(super) fn read_file(&self, id: EntrantId) -> Result<Option<Person>, StoreError> {
        let Some((profile, notes)) = self.read_profile(id)? else {
            return Ok(None);
        };
        let referrer: Vec<RefRow> = self.rows_of(id, REFERRER)?;
        let original: Vec<DuplicateRow> = self.rows_of(id, DUPLICATE_OF)?;
        let duplicates: Vec<DuplicateRow> = self.rows_of(id, DUPLICATES)?;
        let claims: Vec<ClaimRow> = self.rows_of(id, CLAIMS)?;
        Ok(Some(Person {
            notes,
            referred_by: referrer.into_iter().next().map(PersonRef::try_from).transpose()?,
            duplicate_of: original
                .into_iter()
                .next()
                .map(DuplicateRef::try_from)
                .transpose()?,
            duplicates: duplicates
                .into_iter()
                .map(DuplicateRef::try_from)
                .collect::<Result<_, _>>()?,
            ledger: self.newest::<LedgerRow, _>(id, LEDGER, "entry_ledger WHERE user_id")?,
            referrals: self.newest_referrals(id)?,
            purchases: self.newest::<PurchaseRow, _>(id, PURCHASES, "purchases WHERE user_id")?,
            texts: self.newest::<TextRow, _>(id, TEXTS, "sms_sent_messages WHERE user_id")?,
            replies: self.newest::<ReplyRow, _>(id, REPLIES, "sms_replies WHERE user_id")?,
            claims: claims.into_iter().map(ClaimLine::from).collect(),
            profile,
        }))
    }

    fn read_profile(&self, id: EntrantId) -> Result<Option<(Profile, Notes)>, StoreError> {
        let Some(row) = self.person_row(id)? else {
            return Ok(None);
        };
        let profile: Vec<ProfileRow> = self.rows_of(id, PROFILE)?;
        let Some(found) = profile.into_iter().next() else {
            return Ok(None);
        };
        let notes = Notes {
            tags: row.tags.clone(),
            notes: found.notes,
        };
        let address = found.ip_address.map(|text| text.parse()).transpose();
        let address = address.map_err(|_| StoreError::corrupt("users", "ip_address", id.get()))?;
        let profile = Profile {
            row,
            address,
            user_agent: found.user_agent,
            base_entries: found.base_entries,
            bonus_entries: found.bonus_entries,
            paid_entries: found.paid_entries,
            held_entries: found.held_entries,
            has_opted_out: found.opted_out,
            sms_campaigns: self.consents(id)?,
            data_source: read_source(id, &found.data_source)?,
            import_batch: found.import_batch_id,
            consent_basis: found.consent_basis,
            erased_at: found.erased_at,
        };
        Ok(Some((profile, notes)))
    }

    fn consents(&self, id: EntrantId) -> Result<bool, StoreError> {
        let newest = "
SELECT granted AND revoked_at IS NULL AS granted FROM user_consent
WHERE user_id = $1 AND consent_type = 'sms_campaigns' ORDER BY id DESC LIMIT 1";
        let rows: Vec<ConsentRow> = self.rows_of(id, newest)?;
        Ok(rows.iter().any(|row| row.granted))
    }

    fn newest_referrals(&self, id: EntrantId) -> Result<Newest<ReferralLine>, StoreError> {
        let rows: Vec<ReferralRow> = self.rows_of(id, REFERRALS)?;
        let rows = rows
            .into_iter()
            .map(ReferralLine::try_from)
            .collect::<Result<_, _>>()?;
        let total = self.count_of(id, "referrals WHERE referrer_id")?;
        Ok(Newest { total, rows })
    }

    /// The newest rows of a list; `all` is the table and the column with the entrant.
    fn newest<R, L>(&self, id: EntrantId, list: &str, all: &str) -> Result<Newest<L>, StoreError>
    where
        R: QueryableByName<Pg> + Into<L> + 'static,
    {
        let rows: Vec<R> = self.rows_of(id, list)?;
        Ok(Newest {
            total: self.count_of(id, all)?,
            rows: rows.into_iter().map(Into::into).collect(),
        })
    }

    fn count_of(&self, id: EntrantId, all: &str) -> Result<i64, StoreError> {
        let counts: Vec<CountRow> = self.rows_of(id, &format!("SELECT count(*) AS n FROM {all} = $1"))?;
        Ok(counts.iter().map(|row| row.n).sum())
    }

    fn rows_of<R: QueryableByName<Pg> + 'static>(
        &self,
        id: EntrantId,
        sql: &str,
    ) -> Result<Vec<R>, StoreError> {
        let query = sql_query(sql).bind::<BigInt, _>(id.get());
        self.query(|connection| query.load(connection))
    }
}
