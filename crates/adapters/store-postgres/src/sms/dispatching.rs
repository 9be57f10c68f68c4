//! `sms::Dispatching`: the sender's lease, claims of messages, and their outcomes.
//!
//! A claim locks the single row of `sms_dispatcher`, filtered by its fence, until it commits. A takeover of the lease
//! locks that row with `FOR UPDATE`, so no claim under an earlier fence commits after it. Long claims use
//! `FOR KEY SHARE`, so that renewing the lease, which changes no key column, need not wait for them.

use crate::PgTx;
use crate::rows::TextRow;
use crate::schema::{sms_dispatcher, sms_sent_messages};
use crate::sms::addressees::EntrantColumns;
use crate::sms::outbox::{corrupt_message, read_body};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{Phone, ReferralCode, StoreError};
use raffle::RaffleKey;
use sms::{
    Addressee, Claim, Claimed, ClaimedMessage, ConsentId, DeliveryReport, Dispatching, Fence, Fenced, Halt,
    MessageId, MessageKind, Outcome, RecipientRules, Tally, UncertainMessage, Verdict, WaitingMessage,
    WelcomeWindow,
};
use std::collections::BTreeMap;
use strum::IntoEnumIterator;

const CLAIM_MESSAGES: &str = include_str!("../../sql/claim_messages.sql");
const CLAIM_UNCERTAIN: &str = include_str!("../../sql/claim_uncertain.sql");

const MARK_UNKNOWN: &str =
    "UPDATE sms_sent_messages SET status = 'unknown', due_at = $1 WHERE status = 'sending'";

/// Numbers that have opted out. They are locked in order, as in every other transaction.
const OPT_OUT: &str = "
INSERT INTO sms_opt_outs (phone_number, opted_out, changed_at)
SELECT DISTINCT phone_number, true, $1 FROM sms_sent_messages
WHERE id = ANY ($2) AND phone_number IS NOT NULL
ORDER BY phone_number
ON CONFLICT (phone_number) DO UPDATE SET opted_out = true, changed_at = excluded.changed_at
RETURNING phone_number AS text";

const SAVE_CONSENTS: &str = "
UPDATE sms_sent_messages AS message SET consent_id = consent.id
FROM unnest($1::bigint[], $2::bigint[]) AS consent (message_id, id)
WHERE message.id = consent.message_id";

const WRITE_BODIES: &str = "
UPDATE sms_sent_messages AS message SET message_body = written.body
FROM unnest($1::bigint[], $2::text[]) AS written (id, body)
WHERE message.id = written.id AND message.status = 'sending'";

#[derive(QueryableByName)]
#[diesel(table_name = sms_sent_messages)]
struct WaitingRow {
    id: i64,
    kind: String,
    #[diesel(sql_type = Text)]
    phone_number: String,
    message_body: Option<String>,
    sealed_body: Option<Vec<u8>>,
    attempt: i32,
    #[diesel(sql_type = Nullable<Text>)]
    landing_page: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    referral_code: Option<String>,
    created_at: DateTime<Utc>,
    #[diesel(sql_type = Nullable<BigInt>)]
    consent_id: Option<i64>,
    #[diesel(sql_type = Bool)]
    is_erased: bool,
    #[diesel(sql_type = Bool)]
    has_opted_out: bool,
    #[diesel(sql_type = Nullable<Bool>)]
    welcome_is_active: Option<bool>,
    /// Of the campaign's audience; null if the message is of no campaign.
    #[diesel(sql_type = Nullable<Bool>)]
    is_of_entrants: Option<bool>,
    #[diesel(embed)]
    entrant: EntrantColumns,
}

impl WaitingRow {
    fn message(&self) -> Result<WaitingMessage, StoreError> {
        let corrupt = |column| corrupt_message(self.id, column);
        Ok(WaitingMessage {
            kind: self.kind.parse().map_err(|_| corrupt("kind"))?,
            phone: Phone::from_e164(&self.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            queued_at: self.created_at,
            is_erased: self.is_erased,
            has_opted_out: self.has_opted_out,
            welcome_is_active: self.welcome_is_active,
            campaign: self.addressee(),
        })
    }

    fn addressee(&self) -> Option<Addressee> {
        let is_of_entrants = self.is_of_entrants?;
        Some(self.entrant.addressee(is_of_entrants))
    }

    /// The consent that allows the message now, if it is another one than when it was queued.
    fn other_consent(&self) -> Option<i64> {
        let consent = self.addressee()?.consent().map(ConsentId::get);
        consent.filter(|_| consent != self.consent_id)
    }
}

impl TryFrom<WaitingRow> for ClaimedMessage {
    type Error = StoreError;

    fn try_from(row: WaitingRow) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        let kind: MessageKind = row.kind.parse().map_err(|_| corrupt("kind"))?;
        let welcome = match (kind, &row.landing_page, &row.referral_code) {
            (MessageKind::Welcome, Some(landing_page), Some(code)) => {
                let landing_page: RaffleKey = landing_page.parse().map_err(|_| corrupt("user_id"))?;
                let code = ReferralCode::parse(code).map_err(|_| corrupt("user_id"))?;
                Some((landing_page, code))
            }
            _ => None,
        };
        Ok(Self {
            id: MessageId::new(row.id),
            kind,
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            body: read_body(row.message_body, row.sealed_body),
            welcome,
            attempt: u32::try_from(row.attempt).map_err(|_| corrupt("attempt"))?,
        })
    }
}

#[derive(QueryableByName)]
#[diesel(table_name = sms_sent_messages)]
struct UncertainRow {
    id: i64,
    attempt: i32,
    #[diesel(sql_type = Text)]
    phone_number: String,
    #[diesel(sql_type = Nullable<Text>)]
    needle: Option<String>,
    sealed_body: Option<Vec<u8>>,
    created_at: DateTime<Utc>,
}

impl TryFrom<UncertainRow> for UncertainMessage {
    type Error = StoreError;

    fn try_from(row: UncertainRow) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        Ok(Self {
            id: MessageId::new(row.id),
            attempt: u32::try_from(row.attempt).map_err(|_| corrupt("attempt"))?,
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            needle: read_body(row.needle, row.sealed_body).ok_or_else(|| corrupt("message_body"))?,
            queued_at: row.created_at,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sms_dispatcher)]
struct Lease {
    owner: Option<String>,
    fence: i64,
    expires_at: Option<DateTime<Utc>>,
}

impl PgTx {
    /// Whether this is still the fence. If it is, no other sender takes over until this transaction ends.
    pub(crate) fn hold_fence(&mut self, fence: Fence) -> Result<bool, StoreError> {
        let query = sms_dispatcher::table
            .filter(sms_dispatcher::fence.eq(fence.get()))
            .select(sms_dispatcher::id)
            .for_key_share();
        let held: Option<bool> = self.query(|connection| query.first(connection).optional())?;
        Ok(held.is_some())
    }

    fn renew_lease(
        &mut self,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<Fence>, StoreError> {
        let own = sms_dispatcher::table.filter(
            sms_dispatcher::owner
                .eq(owner)
                .and(sms_dispatcher::expires_at.gt(now)),
        );
        let renew = diesel::update(own)
            .set(sms_dispatcher::expires_at.eq(until))
            .returning(sms_dispatcher::fence);
        let fence: Option<i64> = self.query(|connection| renew.get_result(connection).optional())?;
        Ok(fence.map(Fence::new))
    }

    /// Locks and reads the current minute's count of claimed welcome messages; `None` if this is no longer the fence.
    /// Concurrent claims wait for each other here.
    fn lock_welcome_window(&mut self, fence: Fence) -> Result<Option<Option<WelcomeWindow>>, StoreError> {
        let query = sms_dispatcher::table
            .filter(sms_dispatcher::fence.eq(fence.get()))
            .select((sms_dispatcher::welcome_minute, sms_dispatcher::welcome_texts))
            .for_no_key_update();
        let row: Option<(Option<DateTime<Utc>>, i64)> =
            self.query(|connection| query.first(connection).optional())?;
        Ok(row.map(|(minute, claimed)| {
            let claimed = u32::try_from(claimed).unwrap_or(u32::MAX);
            minute.map(|minute| WelcomeWindow { minute, claimed })
        }))
    }

    /// Notes for messages which consent allows them.
    fn save_consents(&mut self, consents: &[(i64, i64)]) -> Result<(), StoreError> {
        if consents.is_empty() {
            return Ok(());
        }
        let (ids, consents): (Vec<i64>, Vec<i64>) = consents.iter().copied().unzip();
        let update = sql_query(SAVE_CONSENTS)
            .bind::<Array<BigInt>, _>(ids)
            .bind::<Array<BigInt>, _>(consents);
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn save_welcome_window(&mut self, window: WelcomeWindow) -> Result<(), StoreError> {
        let update = diesel::update(sms_dispatcher::table).set((
            sms_dispatcher::welcome_minute.eq(window.minute),
            sms_dispatcher::welcome_texts.eq(i64::from(window.claimed)),
        ));
        self.query(|connection| update.execute(connection)).map(drop)
    }
}

impl Dispatching for PgTx {
    fn acquire_lease(
        &mut self,
        owner: &str,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        look_up_at: DateTime<Utc>,
    ) -> Result<Option<Fence>, StoreError> {
        if let Some(fence) = self.renew_lease(owner, now, until)? {
            return Ok(Some(fence));
        }
        let query = sms_dispatcher::table.select(Lease::as_select()).for_update();
        let lease: Lease = self.query(|connection| query.first(connection))?;
        if lease.owner.is_some() && lease.expires_at.is_some_and(|end| end > now) {
            let is_own = lease.owner.as_deref() == Some(owner);
            return Ok(is_own.then(|| Fence::new(lease.fence)));
        }
        let fence = lease.fence + 1;
        let take = diesel::update(sms_dispatcher::table).set((
            sms_dispatcher::owner.eq(owner),
            sms_dispatcher::fence.eq(fence),
            sms_dispatcher::expires_at.eq(until),
            sms_dispatcher::halt.eq(None::<String>),
        ));
        self.query(|connection| take.execute(connection))?;
        // The row is locked and nothing was claimed under the new fence yet: messages being sent are from earlier
        // fences.
        self.expect_few_rows()?;
        let mark_unknown = sql_query(MARK_UNKNOWN).bind::<Timestamptz, _>(look_up_at);
        self.query(|connection| mark_unknown.execute(connection))?;
        Ok(Some(Fence::new(fence)))
    }

    fn release_lease(&mut self, fence: Fence, now: DateTime<Utc>) -> Result<(), StoreError> {
        let own = sms_dispatcher::table.filter(sms_dispatcher::fence.eq(fence.get()));
        let release = diesel::update(own).set((
            sms_dispatcher::owner.eq(None::<String>),
            sms_dispatcher::expires_at.eq(now),
        ));
        self.query(|connection| release.execute(connection)).map(drop)
    }

    fn claim_messages(
        &mut self,
        claim: &Claim,
        recipients: &RecipientRules<'_>,
    ) -> Result<Result<Claimed, Fenced>, StoreError> {
        let Some(earlier) = self.lock_welcome_window(claim.fence)? else {
            return Ok(Err(Fenced));
        };
        self.expect_few_rows()?;
        let window = claim.welcome_window(earlier);
        let quotas = claim.quotas(earlier);
        let quota = |kind: MessageKind| (kind.as_str(), i64::from(quotas.of(kind)));
        let (kinds, most): (Vec<&str>, Vec<i64>) = MessageKind::iter().map(quota).unzip();
        let query = sql_query(CLAIM_MESSAGES)
            .bind::<Array<Text>, _>(kinds)
            .bind::<Array<BigInt>, _>(most)
            .bind::<Timestamptz, _>(claim.now)
            .bind::<BigInt, _>(i64::from(claim.limit));
        let waiting: Vec<WaitingRow> = self.query(|connection| query.load(connection))?;
        let mut held_back = BTreeMap::new();
        let mut claimed = Vec::with_capacity(waiting.len());
        let mut consents = Vec::new();
        for row in waiting {
            match recipients.judge(&row.message()?, claim.now) {
                Verdict::Send => {
                    consents.extend(row.other_consent().map(|consent| (row.id, consent)));
                    claimed.push(ClaimedMessage::try_from(row)?);
                }
                verdict => drop(held_back.insert(row.id, verdict)),
            }
        }
        let ids: Vec<i64> = claimed.iter().map(|message| message.id.get()).collect();
        if !ids.is_empty() {
            let messages = sms_sent_messages::table.filter(sms_sent_messages::id.eq_any(ids));
            let update = diesel::update(messages).set((
                sms_sent_messages::status.eq("sending"),
                sms_sent_messages::attempt.eq(sms_sent_messages::attempt + 1),
            ));
            self.query(|connection| update.execute(connection))?;
        }
        self.save_consents(&consents)?;
        let welcomes = claimed
            .iter()
            .filter(|message| message.kind == MessageKind::Welcome);
        let welcomes = u32::try_from(welcomes.count()).unwrap_or(u32::MAX);
        if welcomes > 0 {
            self.save_welcome_window(window.plus(welcomes))?;
        }
        let ids: Vec<i64> = held_back.keys().copied().collect();
        self.update_messages(&ids, |id, delivery| match held_back.get(&id.get())? {
            Verdict::Skip(reason) => delivery.skip(*reason),
            Verdict::Wait(until) => delivery.postpone(*until),
            Verdict::Send => None,
        })?;
        Ok(Ok(Claimed {
            messages: claimed,
            held_back: held_back.len(),
        }))
    }

    fn write_bodies(&mut self, bodies: &[(MessageId, String)]) -> Result<(), StoreError> {
        if bodies.is_empty() {
            return Ok(());
        }
        let (ids, bodies): (Vec<i64>, Vec<&str>) =
            bodies.iter().map(|(id, body)| (id.get(), body.as_str())).unzip();
        let update = sql_query(WRITE_BODIES)
            .bind::<Array<BigInt>, _>(ids)
            .bind::<Array<Text>, _>(bodies);
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn record_outcomes(&mut self, outcomes: &[Outcome], at: DateTime<Utc>) -> Result<(), StoreError> {
        let mut by_message: BTreeMap<i64, Vec<&Outcome>> = BTreeMap::new();
        for outcome in outcomes {
            by_message.entry(outcome.message.get()).or_default().push(outcome);
        }
        let ids: Vec<i64> = by_message.keys().copied().collect();
        let mut opted_out = Vec::new();
        self.update_messages(&ids, |id, delivery| {
            let mut sum = None::<Tally>;
            for outcome in by_message.get(&id.get()).into_iter().flatten() {
                let Some(tally) = delivery.apply_attempt(outcome, at) else {
                    continue;
                };
                sum = Some(sum.unwrap_or_default().plus(tally));
                if outcome.report == DeliveryReport::OptedOut {
                    opted_out.push(id.get());
                }
            }
            sum
        })?;
        if opted_out.is_empty() {
            return Ok(());
        }
        // In this order, as when STOP comes from the recipient.
        let opt_out = sql_query(OPT_OUT)
            .bind::<Timestamptz, _>(at)
            .bind::<Array<BigInt>, _>(&opted_out);
        let numbers: Vec<TextRow> = self.query(|connection| opt_out.load(connection))?;
        let numbers: Vec<&str> = numbers.iter().map(|row| row.text.as_str()).collect();
        self.revoke_consents_of(&numbers, at)
    }

    fn release_claims(&mut self, messages: &[(MessageId, u32)]) -> Result<(), StoreError> {
        let attempts: BTreeMap<i64, u32> = messages
            .iter()
            .map(|(id, attempt)| (id.get(), *attempt))
            .collect();
        let ids: Vec<i64> = attempts.keys().copied().collect();
        self.update_messages(&ids, |id, delivery| {
            attempts
                .get(&id.get())
                .and_then(|attempt| delivery.release(*attempt))
        })
        .map(drop)
    }

    fn claim_uncertain(
        &mut self,
        fence: Fence,
        limit: u32,
        now: DateTime<Utc>,
        again_at: DateTime<Utc>,
    ) -> Result<Result<Vec<UncertainMessage>, Fenced>, StoreError> {
        if !self.hold_fence(fence)? {
            return Ok(Err(Fenced));
        }
        self.expect_few_rows()?;
        let query = sql_query(CLAIM_UNCERTAIN)
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Timestamptz, _>(again_at);
        let rows: Vec<UncertainRow> = self.query(|connection| query.load(connection))?;
        let messages: Result<Vec<_>, _> = rows.into_iter().map(UncertainMessage::try_from).collect();
        Ok(Ok(messages?))
    }

    fn record_halt(&mut self, fence: Fence, halt: Halt) -> Result<bool, StoreError> {
        let own = sms_dispatcher::table.filter(sms_dispatcher::fence.eq(fence.get()));
        let update = diesel::update(own).set(sms_dispatcher::halt.eq(halt.as_str()));
        let changed = self.query(|connection| update.execute(connection))?;
        Ok(changed > 0)
    }

    fn clear_halt(&mut self) -> Result<(), StoreError> {
        let update = diesel::update(sms_dispatcher::table).set(sms_dispatcher::halt.eq(None::<String>));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn halt(&self) -> Result<Option<Halt>, StoreError> {
        let query = sms_dispatcher::table.select(sms_dispatcher::halt);
        let name: Option<String> = self.query(|connection| query.first(connection))?;
        Ok(name.as_deref().and_then(|name| name.parse().ok()))
    }
}
