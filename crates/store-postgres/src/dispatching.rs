//! Who sends texts, and which ones: `sms::Dispatching`.
//!
//! Whoever claims texts locks the one row of `sms_dispatcher`, by its fence, until the claim is committed, and whoever
//! takes over locks it alone (`FOR UPDATE`): so no claim under an earlier fence goes on. Claims lock it so that a renewal
//! of the lease, which changes no key, need not wait for the long ones (`FOR KEY SHARE`).

use crate::PgTx;
use crate::outbox::corrupt_message;
use crate::schema::{sms_dispatcher, sms_sent_messages};
use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text, Timestamptz};
use kernel::{Phone, Raffle, ReferralCode, StoreError};
use sms::{
    Claim, ClaimedMessage, DeliveryReport, Dispatching, Fence, Fenced, Halt, MessageId, MessageKind, Outcome,
    SkipReason, UncertainMessage,
};
use std::collections::{BTreeMap, BTreeSet};
use strum::IntoEnumIterator;

const CLAIM_TEXTS: &str = include_str!("../sql/claim_messages.sql");
const TAKE_DOUBTFUL: &str = include_str!("../sql/claim_uncertain.sql");

const DOUBT: &str = "UPDATE sms_sent_messages SET status = 'unknown', due_at = $1 WHERE status = 'sending'";

const OPT_OUT: &str = "
INSERT INTO sms_opt_outs (phone_number, opted_out, changed_at)
SELECT DISTINCT phone_number, true, $1 FROM sms_sent_messages WHERE id = ANY ($2) ORDER BY phone_number
ON CONFLICT (phone_number) DO UPDATE SET opted_out = true, changed_at = excluded.changed_at";

const WRITE_BODIES: &str = "
UPDATE sms_sent_messages AS text SET message_body = written.body
FROM unnest($1::bigint[], $2::text[]) AS written (id, body)
WHERE text.id = written.id AND text.status = 'sending'";

const HAND_BACK: &str = "
UPDATE sms_sent_messages AS text SET status = 'pending', due_at = text.created_at
FROM unnest($1::bigint[], $2::bigint[]) AS given (id, attempt)
WHERE text.id = given.id AND text.attempt = given.attempt AND text.status IN ('sending', 'unknown')";

#[derive(QueryableByName)]
struct WaitingRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    phone_number: String,
    #[diesel(sql_type = Nullable<Text>)]
    message_body: Option<String>,
    #[diesel(sql_type = Integer)]
    attempt: i32,
    #[diesel(sql_type = Nullable<Text>)]
    landing_page: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    referral_code: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    skip: Option<String>,
}

impl WaitingRow {
    fn skip_reason(&self) -> Result<Option<SkipReason>, StoreError> {
        let Some(name) = &self.skip else {
            return Ok(None);
        };
        let reason = name.parse().map_err(|_| corrupt_message(self.id, "skip"))?;
        Ok(Some(reason))
    }
}

impl TryFrom<WaitingRow> for ClaimedMessage {
    type Error = StoreError;

    fn try_from(row: WaitingRow) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        let kind: MessageKind = row.kind.parse().map_err(|_| corrupt("kind"))?;
        let welcome = match (kind, &row.landing_page, &row.referral_code) {
            (MessageKind::Welcome, Some(landing_page), Some(code)) => {
                let landing_page: Raffle = landing_page.parse().map_err(|_| corrupt("user_id"))?;
                let code = ReferralCode::parse(code).map_err(|_| corrupt("user_id"))?;
                Some((landing_page, code))
            }
            _ => None,
        };
        Ok(Self {
            id: MessageId::new(row.id),
            kind,
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            body: row.message_body,
            welcome,
            attempt: u32::try_from(row.attempt).map_err(|_| corrupt("attempt"))?,
        })
    }
}

#[derive(QueryableByName)]
struct DoubtfulRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Integer)]
    attempt: i32,
    #[diesel(sql_type = Text)]
    phone_number: String,
    #[diesel(sql_type = Text)]
    needle: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: DateTime<Utc>,
}

impl TryFrom<DoubtfulRow> for UncertainMessage {
    type Error = StoreError;

    fn try_from(row: DoubtfulRow) -> Result<Self, StoreError> {
        let corrupt = |column| corrupt_message(row.id, column);
        Ok(Self {
            id: MessageId::new(row.id),
            attempt: u32::try_from(row.attempt).map_err(|_| corrupt("attempt"))?,
            phone: Phone::from_e164(&row.phone_number).ok_or_else(|| corrupt("phone_number"))?,
            needle: row.needle,
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

/// How many texts of each kind a claim may have.
fn wanted(claim: &Claim, welcomes_left: i64) -> (Vec<&'static str>, Vec<i64>) {
    let limit = i64::from(claim.limit);
    let most = |kind| match kind {
        MessageKind::Test => limit,
        _ if claim.quiet => 0,
        MessageKind::Welcome => limit.min(welcomes_left),
        MessageKind::Victory | MessageKind::Campaign => limit,
    };
    MessageKind::iter()
        .map(|kind| (kind.as_str(), most(kind)))
        .unzip()
}

impl PgTx {
    /// Whether this is still the fence; nobody takes over until this transaction ends.
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

    /// How many welcome texts may still be claimed in this minute. Claims that ask come one after the other.
    fn welcomes_left(&mut self, claim: &Claim, minute: DateTime<Utc>) -> Result<Option<i64>, StoreError> {
        let query = sms_dispatcher::table
            .filter(sms_dispatcher::fence.eq(claim.fence.get()))
            .select((sms_dispatcher::welcome_minute, sms_dispatcher::welcome_texts))
            .for_no_key_update();
        let row: Option<(Option<DateTime<Utc>>, i64)> =
            self.query(|connection| query.first(connection).optional())?;
        let per_minute = i64::from(claim.welcome_per_minute);
        Ok(row.map(|(of, claimed)| match of == Some(minute) {
            true => (per_minute - claimed).max(0),
            false => per_minute,
        }))
    }

    fn count_welcomes(&mut self, minute: DateTime<Utc>, in_all: i64) -> Result<(), StoreError> {
        let update = diesel::update(sms_dispatcher::table).set((
            sms_dispatcher::welcome_minute.eq(minute),
            sms_dispatcher::welcome_texts.eq(in_all),
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
        // Nobody claims meanwhile, and nobody has under this fence: all that are being sent are an earlier one's.
        self.look_for_few_rows()?;
        let doubt = sql_query(DOUBT).bind::<Timestamptz, _>(look_up_at);
        self.query(|connection| doubt.execute(connection))?;
        Ok(Some(Fence::new(fence)))
    }

    fn release_lease(&mut self, fence: Fence, now: DateTime<Utc>) -> Result<(), StoreError> {
        let own = sms_dispatcher::table.filter(sms_dispatcher::fence.eq(fence.get()));
        let give = diesel::update(own).set((
            sms_dispatcher::owner.eq(None::<String>),
            sms_dispatcher::expires_at.eq(now),
        ));
        self.query(|connection| give.execute(connection)).map(drop)
    }

    fn claim_messages(&mut self, claim: &Claim) -> Result<Result<Vec<ClaimedMessage>, Fenced>, StoreError> {
        let minute = claim
            .now
            .duration_trunc(TimeDelta::minutes(1))
            .unwrap_or(claim.now);
        let Some(welcomes_left) = self.welcomes_left(claim, minute)? else {
            return Ok(Err(Fenced));
        };
        self.look_for_few_rows()?;
        let (kinds, most) = wanted(claim, welcomes_left);
        let query = sql_query(CLAIM_TEXTS)
            .bind::<Array<Text>, _>(kinds)
            .bind::<Array<BigInt>, _>(most)
            .bind::<Timestamptz, _>(claim.now)
            .bind::<BigInt, _>(i64::from(claim.limit));
        let waiting: Vec<WaitingRow> = self.query(|connection| query.load(connection))?;
        let mut skipped = BTreeMap::new();
        let mut claimed = Vec::with_capacity(waiting.len());
        for row in waiting {
            match row.skip_reason()? {
                Some(reason) => drop(skipped.insert(row.id, reason)),
                None => claimed.push(ClaimedMessage::try_from(row)?),
            }
        }
        let ids: Vec<i64> = claimed.iter().map(|text| text.id.get()).collect();
        if !ids.is_empty() {
            let texts = sms_sent_messages::table.filter(sms_sent_messages::id.eq_any(ids));
            let update = diesel::update(texts).set((
                sms_sent_messages::status.eq("sending"),
                sms_sent_messages::attempt.eq(sms_sent_messages::attempt + 1),
            ));
            self.query(|connection| update.execute(connection))?;
        }
        let welcomes = claimed.iter().filter(|text| text.kind == MessageKind::Welcome);
        let welcomes = i64::try_from(welcomes.count()).unwrap_or(i64::MAX);
        if welcomes > 0 {
            let before = i64::from(claim.welcome_per_minute) - welcomes_left;
            self.count_welcomes(minute, before + welcomes)?;
        }
        let ids: Vec<i64> = skipped.keys().copied().collect();
        self.update_messages(&ids, |text| {
            if let Some(reason) = skipped.get(&text.id) {
                text.skip(*reason);
            }
        })?;
        Ok(Ok(claimed))
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
        let ids: BTreeSet<i64> = outcomes.iter().map(|outcome| outcome.text.get()).collect();
        let ids: Vec<i64> = ids.into_iter().collect();
        let mut by_text: BTreeMap<i64, Vec<&Outcome>> = BTreeMap::new();
        for outcome in outcomes {
            by_text.entry(outcome.text.get()).or_default().push(outcome);
        }
        let mut opted_out = Vec::new();
        self.update_messages(&ids, |text| {
            for outcome in by_text.get(&text.id).into_iter().flatten() {
                if text.settle(outcome, at) && outcome.what == DeliveryReport::OptedOut {
                    opted_out.push(text.id);
                }
            }
        })?;
        if opted_out.is_empty() {
            return Ok(());
        }
        let insert = sql_query(OPT_OUT)
            .bind::<Timestamptz, _>(at)
            .bind::<Array<BigInt>, _>(opted_out);
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    fn release_claims(&mut self, texts: &[(MessageId, u32)]) -> Result<(), StoreError> {
        if texts.is_empty() {
            return Ok(());
        }
        let (ids, attempts): (Vec<i64>, Vec<i64>) = texts
            .iter()
            .map(|(id, attempt)| (id.get(), i64::from(*attempt)))
            .unzip();
        let update = sql_query(HAND_BACK)
            .bind::<Array<BigInt>, _>(ids)
            .bind::<Array<BigInt>, _>(attempts);
        self.query(|connection| update.execute(connection)).map(drop)
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
        self.look_for_few_rows()?;
        let query = sql_query(TAKE_DOUBTFUL)
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Timestamptz, _>(again_at);
        let rows: Vec<DoubtfulRow> = self.query(|connection| query.load(connection))?;
        let texts: Result<Vec<_>, _> = rows.into_iter().map(UncertainMessage::try_from).collect();
        Ok(Ok(texts?))
    }

    fn set_halt(&mut self, halt: Option<Halt>) -> Result<(), StoreError> {
        let update =
            diesel::update(sms_dispatcher::table).set(sms_dispatcher::halt.eq(halt.map(Halt::as_str)));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn halt(&self) -> Result<Option<Halt>, StoreError> {
        let query = sms_dispatcher::table.select(sms_dispatcher::halt);
        let name: Option<String> = self.query(|connection| query.first(connection))?;
        Ok(name.as_deref().and_then(|name| name.parse().ok()))
    }
}
