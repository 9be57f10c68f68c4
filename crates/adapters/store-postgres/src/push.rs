//! `push::PushStore`: subscriptions of browsers, and the messages that wait for them.

use crate::PgTx;
use crate::rows::{IdRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Nullable, Text, Timestamptz};
use kernel::{DrawingId, EntrantId, StoreError};
use push::{
    Attempt, Deliveries, DeliveryId, Endpoint, MESSAGE_LIFE, NewSubscription, Next,
    SUBSCRIPTIONS_PER_ENTRANT, SubscriptionId, SubscriptionKeys, Subscriptions, Waiting,
};

const ADD: &str = "
INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth, user_agent, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (endpoint) DO UPDATE
SET user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, user_agent = excluded.user_agent,
    is_active = true, created_at = excluded.created_at";

const DELETE_SURPLUS: &str = "
DELETE FROM push_subscriptions
WHERE id IN (SELECT id FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2)";

const DELETE: &str = "DELETE FROM push_subscriptions WHERE user_id = $1 AND endpoint = $2";

/// Of several servers, one inserts the row of a drawing; the others wait for it and queue nothing.
const QUEUE: &str = "
WITH result AS (
    INSERT INTO push_results (drawing_id, queued_at)
    SELECT id, $1
    FROM drawing_results
    WHERE created_at > $2 AND NOT EXISTS (SELECT FROM push_results WHERE drawing_id = id)
    ORDER BY id
    LIMIT 1
    ON CONFLICT DO NOTHING
    RETURNING drawing_id
), queued AS (
    INSERT INTO push_deliveries (subscription_id, drawing_id, due_at)
    SELECT push_subscriptions.id, result.drawing_id, $1
    FROM result
    JOIN drawing_results ON drawing_results.id = result.drawing_id
    JOIN users ON users.landing_page = drawing_results.landing_page
    JOIN push_subscriptions ON push_subscriptions.user_id = users.id AND is_active
)
SELECT drawing_id AS id FROM result";

const CLAIM: &str = "
WITH due AS (
    SELECT id FROM push_deliveries WHERE due_at <= $1 ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE push_deliveries AS delivery
SET due_at = $2, attempts = attempts + 1
FROM due, push_subscriptions AS subscription, drawing_results AS result, drawings
WHERE delivery.id = due.id AND subscription.id = subscription_id AND result.id = delivery.drawing_id
    AND drawings.id = delivery.drawing_id
RETURNING delivery.id, subscription_id, endpoint, p256dh, auth, delivery.drawing_id, drawings.prize -> 'words' ->> 'name' AS prize,
          result.created_at AS drawn_at, attempts";

const DEACTIVATE: &str = "UPDATE push_subscriptions SET is_active = false WHERE id = ANY ($1)";

const FINISH: &str = "DELETE FROM push_deliveries WHERE id = ANY ($1) OR subscription_id = ANY ($2)";

const RETRY: &str = "
UPDATE push_deliveries SET due_at = retry.at
FROM unnest($1, $2) AS retry (id, at)
WHERE push_deliveries.id = retry.id";

rows! {
    struct WaitingRow {
        id: i64,
        subscription_id: i64,
        endpoint: String,
        p256dh: Vec<u8>,
        auth: Vec<u8>,
        drawing_id: i64,
        prize: String,
        drawn_at: DateTime<Utc>,
        attempts: i32,
    }
}

impl WaitingRow {
    fn read(self) -> Result<Waiting, StoreError> {
        let subscription = self.subscription_id;
        let corrupt = |column| corrupt(subscription, column);
        let p256dh = self.p256dh.try_into().map_err(|_| corrupt("p256dh"))?;
        let auth = self.auth.try_into().map_err(|_| corrupt("auth"))?;
        Ok(Waiting {
            id: DeliveryId::new(self.id),
            subscription: SubscriptionId::new(subscription),
            endpoint: Endpoint::from_stored(&self.endpoint).ok_or_else(|| corrupt("endpoint"))?,
            keys: SubscriptionKeys::from_bytes(p256dh, auth).ok_or_else(|| corrupt("p256dh"))?,
            drawing: DrawingId::new(self.drawing_id),
            prize: self.prize,
            drawn_at: self.drawn_at,
            attempts: u32::try_from(self.attempts).unwrap_or_default(),
        })
    }
}

const fn corrupt(row: i64, column: &'static str) -> StoreError {
    StoreError::corrupt("push_subscriptions", column, row)
}

impl Subscriptions for PgTx {
    fn subscribe(&mut self, new: &NewSubscription) -> Result<bool, StoreError> {
        if self.lock_entrant(new.entrant)?.is_none() {
            return Ok(false);
        }
        let add = sql_query(ADD)
            .bind::<BigInt, _>(new.entrant.get())
            .bind::<Text, _>(new.endpoint.as_str())
            .bind::<Binary, _>(new.keys.p256dh().as_slice())
            .bind::<Binary, _>(new.keys.auth().as_slice())
            .bind::<Nullable<Text>, _>(new.user_agent.as_deref())
            .bind::<Timestamptz, _>(new.at);
        self.query(|connection| add.execute(connection))?;
        let kept = i64::try_from(SUBSCRIPTIONS_PER_ENTRANT).unwrap_or(i64::MAX);
        let delete = sql_query(DELETE_SURPLUS)
            .bind::<BigInt, _>(new.entrant.get())
            .bind::<BigInt, _>(kept);
        self.query(|connection| delete.execute(connection))?;
        Ok(true)
    }

    fn unsubscribe(&mut self, entrant: EntrantId, endpoint: &Endpoint) -> Result<bool, StoreError> {
        let delete = sql_query(DELETE)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Text, _>(endpoint.as_str());
        let deleted = self.query(|connection| delete.execute(connection))?;
        Ok(deleted > 0)
    }
}

impl Deliveries for PgTx {
    fn queue_result(&mut self, now: DateTime<Utc>) -> Result<Option<DrawingId>, StoreError> {
        let queue = sql_query(QUEUE)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now - MESSAGE_LIFE);
        let queued: Option<IdRow> = self.query(|connection| queue.get_result(connection).optional())?;
        Ok(queued.map(|row| DrawingId::new(row.id)))
    }

    fn claim_deliveries(
        &mut self,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Waiting>, StoreError> {
        let claim = sql_query(CLAIM)
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(until)
            .bind::<BigInt, _>(i64::from(limit));
        let rows: Vec<WaitingRow> = self.query(|connection| claim.load(connection))?;
        rows.into_iter().map(WaitingRow::read).collect()
    }

    fn record_attempts(&mut self, attempts: &[Attempt]) -> Result<(), StoreError> {
        let (mut done, mut gone, mut retried, mut times) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for attempt in attempts {
            match attempt.next {
                Next::Done => done.push(attempt.id.get()),
                Next::Deactivate => gone.push(attempt.subscription.get()),
                Next::RetryAt(at) => {
                    retried.push(attempt.id.get());
                    times.push(at);
                }
            }
        }
        let deactivate = sql_query(DEACTIVATE).bind::<Array<BigInt>, _>(&gone);
        self.query(|connection| deactivate.execute(connection))?;
        let finish = sql_query(FINISH)
            .bind::<Array<BigInt>, _>(&done)
            .bind::<Array<BigInt>, _>(&gone);
        self.query(|connection| finish.execute(connection))?;
        let retry = sql_query(RETRY)
            .bind::<Array<BigInt>, _>(&retried)
            .bind::<Array<Timestamptz>, _>(&times);
        self.query(|connection| retry.execute(connection)).map(drop)
    }

    fn count_deliveries(&self) -> Result<i64, StoreError> {
        let count = sql_query("SELECT count(*) AS id FROM push_deliveries");
        let row: IdRow = self.query(|connection| count.get_result(connection))?;
        Ok(row.id)
    }
}
