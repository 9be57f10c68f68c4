use crate::schema::verifications;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::StoreError;
use raffle::SignUp;
use serde_json::Value;
use verification::{BrowserHash, CodeHash, Verification, VerificationId};

#[derive(Queryable, Selectable)]
#[diesel(table_name = verifications)]
pub(super) struct Row {
    id: Vec<u8>,
    browser_hash: Vec<u8>,
    code_hash: Vec<u8>,
    tries: i32,
    expires_at: DateTime<Utc>,
    resend_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    sign_up: Option<Value>,
}

impl TryFrom<Row> for Verification {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: VerificationId::new(bytes("id", &row.id)?),
            browser: BrowserHash::new(bytes("browser_hash", &row.browser_hash)?),
            code: CodeHash::new(bytes("code_hash", &row.code_hash)?),
            tries: u32::try_from(row.tries).map_err(|_| corrupt("tries"))?,
            expires_at: row.expires_at,
            resend_at: row.resend_at,
            is_completed: row.completed_at.is_some(),
            sign_up: row.sign_up.map(read_sign_up).transpose()?,
        })
    }
}

/// The error for a row that is not valid. It names no row: ids are secret.
fn corrupt(column: &'static str) -> StoreError {
    StoreError::Failed(format!("corrupt verifications.{column}").into())
}

fn bytes<const N: usize>(column: &'static str, bytes: &[u8]) -> Result<[u8; N], StoreError> {
    bytes.try_into().map_err(|_| corrupt(column))
}

/// A sign-up as it is stored until its code comes.
pub(super) fn sign_up_json(sign_up: &SignUp) -> Result<Value, StoreError> {
    serde_json::to_value(sign_up).map_err(|error| StoreError::Failed(error.into()))
}

/// The error names no value: it may be a number.
fn read_sign_up(json: Value) -> Result<SignUp, StoreError> {
    serde_json::from_value(json).map_err(|_| corrupt("sign_up"))
}
