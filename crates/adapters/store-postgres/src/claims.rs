//! `claims::Claims`: the claims of drawn entrants. A step locks the claim's row first.

use crate::PgTx;
use crate::rows::{CountRow, IdRow, rows};
use chrono::{DateTime, Utc};
use claims::{
    CallCodeHash, Claim, ClaimEvent, ClaimFilter, ClaimId, ClaimTexts, Claims, Deadline, NewClaim, NewEvent,
    Objection, PublicWinner, Rejection, Shipment, TokenHash, TrackingNumber, VerifiedBy,
};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Text, Timestamptz};
use kernel::{BrowserHash, DrawingId, EntrantId, MessageId, PageRequest, StoreError, StoredText};

const ADD: &str = "
INSERT INTO winner_verification (drawing_id, rank, winner_id, token_hash, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (drawing_id, rank) DO NOTHING
RETURNING id";

const CLAIM: &str = "
SELECT id, drawing_id, rank, winner_id, status, verification_method, verified_at, call_code, call_code_at,
       browser_hash, verification_data, submitted_at, started_at, paused_at, needs_call, notifications_sent,
       last_notification_at, reminders, reject_reason, reject_note, rejected_at, rejected_by_two, objection, objected_at,
       approved_at, approved_by_two, confirmed_by_two, public_name, public_state, carrier, tracking_number, shipped_at,
       delivered_at, ended_at, details_erased_at, created_at
FROM winner_verification";

const SAVE: &str = "
UPDATE winner_verification
SET status = $2, verification_method = $3, verified_at = $4, browser_hash = $5, verification_data = $6,
    submitted_at = $7, started_at = $8, expires_at = $9, paused_at = $10, needs_call = $11, notifications_sent = $12,
    last_notification_at = $13, reminders = $14, reject_reason = $15, reject_note = $16, rejected_at = $17, objection = $18,
    objected_at = $19, approved_at = $20, public_name = $21, public_state = $22, delivered_at = $23, ended_at = $24,
    details_erased_at = $25, rejected_by_two = $26, approved_by_two = $27, confirmed_by_two = $28,
    call_code = $29, call_code_at = $30, carrier = $31, tracking_number = $32, shipped_at = $33
WHERE id = $1";

/// `$1`: the name of a filter; `$2`: a status. As [`ClaimFilter::matches`].
const MATCHING: &str = "
WHERE CASE $1
    WHEN 'all' THEN true
    WHEN 'status' THEN status = $2
    WHEN 'needs_call' THEN needs_call AND status IN ('pending', 'code_verified')
    ELSE (needs_call AND status IN ('pending', 'code_verified')) OR status = 'submitted'
        OR (status = 'rejected' AND ended_at IS NULL AND objection IS NOT NULL)
END";

const ADD_EVENT: &str = "
INSERT INTO winner_verification_events (claim_id, kind, note, session_id, created_at) VALUES ($1, $2, $3, $4, $5)";

const EVENTS: &str = "
SELECT claim_id, kind, note, session_id, created_at FROM winner_verification_events WHERE claim_id = $1 ORDER BY id";

const LINK: &str = "
INSERT INTO winner_verification_texts (claim_id, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";

const TEXTS: &str = "
SELECT coalesce(bool_or(status = 'delivered'), false) AS delivered,
       coalesce(bool_or(status IN ('pending', 'sending', 'unknown', 'sent')), false) AS on_the_way
FROM winner_verification_texts
JOIN sms_sent_messages AS message ON message.id = message_id
WHERE claim_id = $1";

rows! {
    struct TextsRow {
        delivered: bool,
        on_the_way: bool,
    }

    struct EventRow {
        claim_id: i64,
        kind: String,
        note: Option<String>,
        session_id: Option<i64>,
        created_at: DateTime<Utc>,
    }

    struct Row {
        id: i64,
        drawing_id: i64,
        rank: i32,
        winner_id: i64,
        status: String,
        verification_method: Option<String>,
        verified_at: Option<DateTime<Utc>>,
        call_code: Option<Vec<u8>>,
        call_code_at: Option<DateTime<Utc>>,
        browser_hash: Option<Vec<u8>>,
        verification_data: Option<Vec<u8>>,
        submitted_at: Option<DateTime<Utc>>,
        started_at: Option<DateTime<Utc>>,
        paused_at: Option<DateTime<Utc>>,
        needs_call: bool,
        notifications_sent: i32,
        last_notification_at: Option<DateTime<Utc>>,
        reminders: i32,
        reject_reason: Option<String>,
        reject_note: Option<String>,
        rejected_at: Option<DateTime<Utc>>,
        rejected_by_two: bool,
        objection: Option<String>,
        objected_at: Option<DateTime<Utc>>,
        approved_at: Option<DateTime<Utc>>,
        approved_by_two: bool,
        confirmed_by_two: bool,
        public_name: Option<String>,
        public_state: Option<String>,
        carrier: Option<String>,
        tracking_number: Option<String>,
        shipped_at: Option<DateTime<Utc>>,
        delivered_at: Option<DateTime<Utc>>,
        ended_at: Option<DateTime<Utc>>,
        details_erased_at: Option<DateTime<Utc>>,
        created_at: DateTime<Utc>,
    }
}

impl Row {
    fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::corrupt("winner_verification", column, self.id)
    }

    fn verified(&self) -> Result<Option<(VerifiedBy, DateTime<Utc>)>, StoreError> {
        let Some((by, at)) = self.verification_method.as_ref().zip(self.verified_at) else {
            return Ok(None);
        };
        let by = by.parse().map_err(|_| self.corrupt("verification_method"))?;
        Ok(Some((by, at)))
    }

    fn call_code(&self) -> Result<Option<(CallCodeHash, DateTime<Utc>)>, StoreError> {
        let Some((hash, made)) = self.call_code.as_ref().zip(self.call_code_at) else {
            return Ok(None);
        };
        let hash: [u8; 32] = hash
            .as_slice()
            .try_into()
            .map_err(|_| self.corrupt("call_code"))?;
        Ok(Some((CallCodeHash::new(hash), made)))
    }

    fn browser(&self) -> Result<Option<BrowserHash>, StoreError> {
        let Some(hash) = &self.browser_hash else {
            return Ok(None);
        };
        let hash: [u8; 32] = hash
            .as_slice()
            .try_into()
            .map_err(|_| self.corrupt("browser_hash"))?;
        Ok(Some(BrowserHash::new(hash)))
    }

    fn rejection(&self) -> Result<Option<Rejection>, StoreError> {
        let Some((reason, at)) = self.reject_reason.as_ref().zip(self.rejected_at) else {
            return Ok(None);
        };
        let objection = self.objection.clone().zip(self.objected_at);
        Ok(Some(Rejection {
            reason: reason.parse().map_err(|_| self.corrupt("reject_reason"))?,
            note: self.reject_note.clone().unwrap_or_default(),
            at,
            by_two: self.rejected_by_two,
            objection: objection.map(|(message, at)| Objection { message, at }),
        }))
    }

    fn public_winner(&self) -> Option<PublicWinner> {
        let (first_name, state) = self.public_name.clone().zip(self.public_state.clone())?;
        Some(PublicWinner { first_name, state })
    }

    fn shipment(&self) -> Result<Option<Shipment>, StoreError> {
        let stored = self.carrier.as_deref().zip(self.tracking_number.as_deref());
        let Some(((carrier, number), at)) = stored.zip(self.shipped_at) else {
            return Ok(None);
        };
        Ok(Some(Shipment {
            carrier: StoredText::line(carrier, Shipment::CARRIER_CHARS)
                .map_err(|_| self.corrupt("carrier"))?,
            tracking_number: TrackingNumber::parse(number).map_err(|_| self.corrupt("tracking_number"))?,
            at,
        }))
    }

    fn count(&self, number: i32, column: &'static str) -> Result<u32, StoreError> {
        u32::try_from(number).map_err(|_| self.corrupt(column))
    }
}

impl TryFrom<Row> for Claim {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: ClaimId::new(row.id),
            drawing: DrawingId::new(row.drawing_id),
            rank: row.count(row.rank, "rank")?,
            entrant: EntrantId::new(row.winner_id),
            status: row.status.parse().map_err(|_| row.corrupt("status"))?,
            created_at: row.created_at,
            deadline: row.started_at.map(Deadline::starting),
            paused_at: row.paused_at,
            needs_call: row.needs_call,
            call_code: row.call_code()?,
            browser: row.browser()?,
            verified: row.verified()?,
            notifications: row.count(row.notifications_sent, "notifications_sent")?,
            last_notification_at: row.last_notification_at,
            reminders: row.count(row.reminders, "reminders")?,
            rejection: row.rejection()?,
            public_winner: row.public_winner(),
            submitted_at: row.submitted_at,
            approved_at: row.approved_at,
            approved_by_two: row.approved_by_two,
            confirmed_by_two: row.confirmed_by_two,
            shipment: row.shipment()?,
            delivered_at: row.delivered_at,
            ended_at: row.ended_at,
            details_erased_at: row.details_erased_at,
            sealed_details: row.verification_data,
        })
    }
}

fn stored(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

const fn name_of(filter: ClaimFilter) -> &'static str {
    match filter {
        ClaimFilter::All => "all",
        ClaimFilter::Status(_) => "status",
        ClaimFilter::NeedsCall => "needs_call",
        ClaimFilter::WaitsForStaff => "waits_for_staff",
    }
}

fn status_of(filter: ClaimFilter) -> Option<&'static str> {
    match filter {
        ClaimFilter::Status(status) => Some(status.as_str()),
        ClaimFilter::All | ClaimFilter::NeedsCall | ClaimFilter::WaitsForStaff => None,
    }
}

fn read_one(row: Option<Row>) -> Result<Option<Claim>, StoreError> {
    row.map(Claim::try_from).transpose()
}

fn read_all(rows: Vec<Row>) -> Result<Vec<Claim>, StoreError> {
    rows.into_iter().map(Claim::try_from).collect()
}

impl Claims for PgTx {
    fn add_claim(&mut self, new: &NewClaim) -> Result<Option<ClaimId>, StoreError> {
        let add = sql_query(ADD)
            .bind::<BigInt, _>(new.drawing.get())
            .bind::<Integer, _>(stored(new.rank))
            .bind::<BigInt, _>(new.entrant.get())
            .bind::<Binary, _>(new.token.as_bytes().as_slice())
            .bind::<Timestamptz, _>(new.at);
        let row: Option<IdRow> = self.query(|connection| add.get_result(connection).optional())?;
        Ok(row.map(|row| ClaimId::new(row.id)))
    }

    fn find_claim(&self, id: ClaimId) -> Result<Option<Claim>, StoreError> {
        let find = sql_query(format!("{CLAIM} WHERE id = $1")).bind::<BigInt, _>(id.get());
        read_one(self.query(|connection| find.get_result(connection).optional())?)
    }

    fn find_claim_by_token(&self, token: &TokenHash) -> Result<Option<Claim>, StoreError> {
        let find = sql_query(format!("{CLAIM} WHERE token_hash = $1"))
            .bind::<Binary, _>(token.as_bytes().as_slice());
        read_one(self.query(|connection| find.get_result(connection).optional())?)
    }

    fn find_claim_by_call_code(&self, code: &CallCodeHash) -> Result<Option<Claim>, StoreError> {
        let find =
            sql_query(format!("{CLAIM} WHERE call_code = $1")).bind::<Binary, _>(code.as_bytes().as_slice());
        read_one(self.query(|connection| find.get_result(connection).optional())?)
    }

    fn lock_claim(&mut self, id: ClaimId) -> Result<Option<Claim>, StoreError> {
        let lock = sql_query(format!("{CLAIM} WHERE id = $1 FOR UPDATE")).bind::<BigInt, _>(id.get());
        read_one(self.query(|connection| lock.get_result(connection).optional())?)
    }

    fn save_claim(&mut self, claim: &Claim) -> Result<(), StoreError> {
        let rejection = claim.rejection.as_ref();
        let objection = rejection.and_then(|rejection| rejection.objection.as_ref());
        let winner = claim.public_winner.as_ref();
        let shipment = claim.shipment.as_ref();
        let save = sql_query(SAVE)
            .bind::<BigInt, _>(claim.id.get())
            .bind::<Text, _>(claim.status.as_str())
            .bind::<Nullable<Text>, _>(claim.verified.map(|(by, _)| by.as_str()))
            .bind::<Nullable<Timestamptz>, _>(claim.verified.map(|(_, at)| at))
            .bind::<Nullable<Binary>, _>(claim.browser.map(|browser| browser.as_bytes().to_vec()))
            .bind::<Nullable<Binary>, _>(claim.sealed_details.as_deref())
            .bind::<Nullable<Timestamptz>, _>(claim.submitted_at)
            .bind::<Nullable<Timestamptz>, _>(claim.deadline.map(|deadline| deadline.started_at))
            .bind::<Nullable<Timestamptz>, _>(claim.deadline.map(Deadline::expires_at))
            .bind::<Nullable<Timestamptz>, _>(claim.paused_at)
            .bind::<Bool, _>(claim.needs_call)
            .bind::<Integer, _>(stored(claim.notifications))
            .bind::<Nullable<Timestamptz>, _>(claim.last_notification_at)
            .bind::<Integer, _>(stored(claim.reminders))
            .bind::<Nullable<Text>, _>(rejection.map(|rejection| rejection.reason.as_str()))
            .bind::<Nullable<Text>, _>(rejection.map(|rejection| rejection.note.as_str()))
            .bind::<Nullable<Timestamptz>, _>(rejection.map(|rejection| rejection.at))
            .bind::<Nullable<Text>, _>(objection.map(|objection| objection.message.as_str()))
            .bind::<Nullable<Timestamptz>, _>(objection.map(|objection| objection.at))
            .bind::<Nullable<Timestamptz>, _>(claim.approved_at)
            .bind::<Nullable<Text>, _>(winner.map(|winner| winner.first_name.as_str()))
            .bind::<Nullable<Text>, _>(winner.map(|winner| winner.state.as_str()))
            .bind::<Nullable<Timestamptz>, _>(claim.delivered_at)
            .bind::<Nullable<Timestamptz>, _>(claim.ended_at)
            .bind::<Nullable<Timestamptz>, _>(claim.details_erased_at)
            .bind::<Bool, _>(rejection.is_some_and(|rejection| rejection.by_two))
            .bind::<Bool, _>(claim.approved_by_two)
            .bind::<Bool, _>(claim.confirmed_by_two)
            .bind::<Nullable<Binary>, _>(claim.call_code.map(|(hash, _)| hash.as_bytes().to_vec()))
            .bind::<Nullable<Timestamptz>, _>(claim.call_code.map(|(_, made)| made))
            .bind::<Nullable<Text>, _>(shipment.map(|shipment| shipment.carrier.as_str()))
            .bind::<Nullable<Text>, _>(shipment.map(|shipment| shipment.tracking_number.as_str()))
            .bind::<Nullable<Timestamptz>, _>(shipment.map(|shipment| shipment.at));
        self.query(|connection| save.execute(connection)).map(drop)
    }

    fn list_claims(&self, filter: ClaimFilter, page: PageRequest) -> Result<Vec<Claim>, StoreError> {
        let list = sql_query(format!("{CLAIM} {MATCHING} ORDER BY id DESC LIMIT $3 OFFSET $4"))
            .bind::<Text, _>(name_of(filter))
            .bind::<Nullable<Text>, _>(status_of(filter))
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(i64::from(page.offset));
        read_all(self.query(|connection| list.load(connection))?)
    }

    fn count_claims(&self, filter: ClaimFilter) -> Result<i64, StoreError> {
        let count = sql_query(format!(
            "SELECT count(*) AS n FROM winner_verification {MATCHING}"
        ))
        .bind::<Text, _>(name_of(filter))
        .bind::<Nullable<Text>, _>(status_of(filter));
        let row: CountRow = self.query(|connection| count.get_result(connection))?;
        Ok(row.n)
    }

    fn claims_of(&self, drawings: &[DrawingId]) -> Result<Vec<Claim>, StoreError> {
        let ids: Vec<i64> = drawings.iter().map(|drawing| drawing.get()).collect();
        let list = sql_query(format!(
            "{CLAIM} WHERE drawing_id = ANY ($1) ORDER BY drawing_id, rank"
        ))
        .bind::<Array<BigInt>, _>(ids);
        read_all(self.query(|connection| list.load(connection))?)
    }

    fn claims_of_entrant(&self, entrant: EntrantId) -> Result<Vec<Claim>, StoreError> {
        let list = sql_query(format!("{CLAIM} WHERE winner_id = $1 ORDER BY id DESC"))
            .bind::<BigInt, _>(entrant.get());
        read_all(self.query(|connection| list.load(connection))?)
    }

    fn newest_named_claim(&self) -> Result<Option<Claim>, StoreError> {
        let newest = sql_query(format!(
            "{CLAIM} WHERE public_name IS NOT NULL ORDER BY drawing_id DESC LIMIT 1"
        ));
        read_one(self.query(|connection| newest.get_result(connection).optional())?)
    }

    fn list_live_claims(&self) -> Result<Vec<Claim>, StoreError> {
        let list = sql_query(format!(
            "{CLAIM} WHERE ended_at IS NULL OR details_erased_at IS NULL ORDER BY id"
        ));
        read_all(self.query(|connection| list.load(connection))?)
    }

    fn add_claim_event(&mut self, event: &NewEvent) -> Result<(), StoreError> {
        let add = sql_query(ADD_EVENT)
            .bind::<BigInt, _>(event.claim.get())
            .bind::<Text, _>(event.kind.as_str())
            .bind::<Nullable<Text>, _>(event.note.as_deref())
            .bind::<Nullable<BigInt>, _>(event.session)
            .bind::<Timestamptz, _>(event.at);
        self.query(|connection| add.execute(connection)).map(drop)
    }

    fn list_claim_events(&self, claim: ClaimId) -> Result<Vec<ClaimEvent>, StoreError> {
        let list = sql_query(EVENTS).bind::<BigInt, _>(claim.get());
        let rows: Vec<EventRow> = self.query(|connection| list.load(connection))?;
        rows.into_iter().map(ClaimEvent::try_from).collect()
    }

    fn link_claim_text(&mut self, claim: ClaimId, message: MessageId) -> Result<(), StoreError> {
        let link = sql_query(LINK)
            .bind::<BigInt, _>(claim.get())
            .bind::<BigInt, _>(message.get());
        self.query(|connection| link.execute(connection)).map(drop)
    }

    fn claim_texts(&self, claim: ClaimId) -> Result<ClaimTexts, StoreError> {
        let read = sql_query(TEXTS).bind::<BigInt, _>(claim.get());
        let row: TextsRow = self.query(|connection| read.get_result(connection))?;
        Ok(ClaimTexts {
            delivered: row.delivered,
            on_the_way: row.on_the_way,
        })
    }
}

impl TryFrom<EventRow> for ClaimEvent {
    type Error = StoreError;

    fn try_from(row: EventRow) -> Result<Self, StoreError> {
        let corrupt = |_| StoreError::corrupt("winner_verification_events", "kind", row.claim_id);
        Ok(Self {
            kind: row.kind.parse().map_err(corrupt)?,
            note: row.note,
            session: row.session_id,
            at: row.created_at,
        })
    }
}
