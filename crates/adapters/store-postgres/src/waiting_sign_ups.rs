//! `raffle::WaitingSignUps`: sign-ups that wait until their numbers are proved.

use crate::PgTx;
use crate::rows::rows;
use crate::statement::Prepared;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Bool, Jsonb, Text, Timestamptz};
use kernel::{BrowserHash, EntrantId, Phone, StoreError};
use raffle::{NewWaitingSignUp, SignUp, SignUpId, WaitingSignUp, WaitingSignUps};
use serde_json::Value;

const ADD: &str = "
INSERT INTO waiting_sign_ups (id, browser_hash, sign_up, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)";

const FIND: &str = "
SELECT id FROM waiting_sign_ups
WHERE browser_hash = $1 AND sign_up ->> 'phoneNumber' = $2 AND expires_at > $3
ORDER BY created_at DESC LIMIT 1";

const LOCK: &str = "
SELECT id, browser_hash, sign_up, user_id, is_new, expires_at FROM waiting_sign_ups WHERE id = $1 FOR NO KEY UPDATE";

const REPLACE: &str = "UPDATE waiting_sign_ups SET sign_up = $2 WHERE id = $1";

const EXTEND: &str = "UPDATE waiting_sign_ups SET expires_at = $2 WHERE id = $1";

const COMPLETE: &str = "UPDATE waiting_sign_ups SET sign_up = NULL, user_id = $2, is_new = $3 WHERE id = $1";

const FORGET_FORMS: &str = "
UPDATE waiting_sign_ups SET sign_up = NULL WHERE sign_up IS NOT NULL AND expires_at <= $1";

const FORGET: &str = "DELETE FROM waiting_sign_ups WHERE created_at < $1";

rows! {
    struct FoundRow {
        id: Vec<u8>,
    }

    struct Row {
        id: Vec<u8>,
        browser_hash: Vec<u8>,
        sign_up: Option<Value>,
        user_id: Option<i64>,
        is_new: Option<bool>,
        expires_at: DateTime<Utc>,
    }
}

impl Row {
    fn read(self) -> Result<WaitingSignUp, StoreError> {
        Ok(WaitingSignUp {
            id: SignUpId::new(bytes("id", self.id)?),
            browser: BrowserHash::new(bytes("browser_hash", self.browser_hash)?),
            expires_at: self.expires_at,
            sign_up: self.sign_up.map(read_sign_up).transpose()?,
            entered: self.user_id.map(EntrantId::new).zip(self.is_new),
        })
    }
}

/// The error for a row that is not valid. It names no row: ids are secret.
fn corrupt(column: &'static str) -> StoreError {
    StoreError::Failed(format!("corrupt waiting_sign_ups.{column}").into())
}

fn bytes<const N: usize>(column: &'static str, bytes: Vec<u8>) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| corrupt(column))
}

/// A sign-up as it is stored until its number is proved.
fn sign_up_json(sign_up: &SignUp) -> Result<Value, StoreError> {
    serde_json::to_value(sign_up).map_err(|error| StoreError::Failed(error.into()))
}

/// The error names no value: it may be a number.
fn read_sign_up(json: Value) -> Result<SignUp, StoreError> {
    serde_json::from_value(json).map_err(|_| corrupt("sign_up"))
}

fn id_bytes(id: SignUpId) -> Vec<u8> {
    id.as_bytes().to_vec()
}

impl WaitingSignUps for PgTx {
    fn add_waiting_sign_up(&mut self, new: &NewWaitingSignUp) -> Result<(), StoreError> {
        let add = Prepared(
            sql_query(ADD)
                .bind::<Binary, _>(id_bytes(new.id))
                .bind::<Binary, _>(new.browser.as_bytes().to_vec())
                .bind::<Jsonb, _>(sign_up_json(&new.sign_up)?)
                .bind::<Timestamptz, _>(new.at)
                .bind::<Timestamptz, _>(new.expires_at),
        );
        self.query(|connection| add.execute(connection)).map(drop)
    }

    fn find_waiting_sign_up(
        &self,
        browser: &BrowserHash,
        phone: &Phone,
        now: DateTime<Utc>,
    ) -> Result<Option<SignUpId>, StoreError> {
        let find = Prepared(
            sql_query(FIND)
                .bind::<Binary, _>(browser.as_bytes().to_vec())
                .bind::<Text, _>(phone.as_e164())
                .bind::<Timestamptz, _>(now),
        );
        let row: Option<FoundRow> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(|row| bytes("id", row.id).map(SignUpId::new)).transpose()
    }

    fn lock_waiting_sign_up(&mut self, id: SignUpId) -> Result<Option<WaitingSignUp>, StoreError> {
        let lock = Prepared(sql_query(LOCK).bind::<Binary, _>(id_bytes(id)));
        let row: Option<Row> = self.query(|connection| lock.get_result(connection).optional())?;
        row.map(Row::read).transpose()
    }

    fn replace_sign_up(&mut self, id: SignUpId, sign_up: &SignUp) -> Result<(), StoreError> {
        let replace = Prepared(
            sql_query(REPLACE)
                .bind::<Binary, _>(id_bytes(id))
                .bind::<Jsonb, _>(sign_up_json(sign_up)?),
        );
        self.query(|connection| replace.execute(connection)).map(drop)
    }

    fn extend_sign_up(&mut self, id: SignUpId, expires_at: DateTime<Utc>) -> Result<(), StoreError> {
        let extend = Prepared(
            sql_query(EXTEND)
                .bind::<Binary, _>(id_bytes(id))
                .bind::<Timestamptz, _>(expires_at),
        );
        self.query(|connection| extend.execute(connection)).map(drop)
    }

    fn complete_sign_up(&mut self, id: SignUpId, entrant: EntrantId, is_new: bool) -> Result<(), StoreError> {
        let complete = Prepared(
            sql_query(COMPLETE)
                .bind::<Binary, _>(id_bytes(id))
                .bind::<BigInt, _>(entrant.get())
                .bind::<Bool, _>(is_new),
        );
        self.query(|connection| complete.execute(connection)).map(drop)
    }

    fn forget_sign_ups(&mut self, now: DateTime<Utc>, kept_since: DateTime<Utc>) -> Result<i64, StoreError> {
        let forms = sql_query(FORGET_FORMS).bind::<Timestamptz, _>(now);
        let forgotten = self.query(|connection| forms.execute(connection))?;
        let rows = sql_query(FORGET).bind::<Timestamptz, _>(kept_since);
        let deleted = self.query(|connection| rows.execute(connection))?;
        Ok(i64::try_from(forgotten + deleted).unwrap_or(i64::MAX))
    }
}
