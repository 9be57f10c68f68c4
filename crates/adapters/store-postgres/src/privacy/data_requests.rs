//! `privacy::DataRequests`: requests of people for their data.

use crate::PgTx;
use crate::rows::{IdRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Nullable, Text, Timestamptz};
use kernel::{EntrantId, StoreError};
use privacy::{DataRequest, DataRequestId, DataRequests, NewDataRequest, RequestTokenHash};
use std::str::FromStr;

const LOCK: &str = "SELECT id FROM users WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE";

const ADD: &str = "
INSERT INTO data_export_requests (user_id, request_type, asked_by, created_at) VALUES ($1, $2, $3, $4) RETURNING *";

const SAVE: &str = "
UPDATE data_export_requests
SET status = $2, token_hash = $3, completed_at = $4, expires_at = $5
WHERE id = $1";

const LIST: &str = "SELECT * FROM data_export_requests WHERE user_id = $1 ORDER BY id DESC";

const FIND: &str = "SELECT * FROM data_export_requests WHERE id = $1";

const FIND_EXPORT: &str = "SELECT * FROM data_export_requests WHERE token_hash = $1";

const EXPIRE: &str = "
UPDATE data_export_requests SET status = 'expired' WHERE status = 'pending' AND expires_at <= $1";

rows! {
    struct Row {
        id: i64,
        user_id: i64,
        request_type: String,
        asked_by: String,
        status: String,
        token_hash: Option<Vec<u8>>,
        completed_at: Option<DateTime<Utc>>,
        expires_at: Option<DateTime<Utc>>,
        created_at: DateTime<Utc>,
    }
}

impl Row {
    fn read(self) -> Result<DataRequest, StoreError> {
        let id = self.id;
        let corrupt = |column| corrupt(id, column);
        let token = self
            .token_hash
            .map(|bytes| bytes32(bytes).ok_or_else(|| corrupt("token_hash")));
        Ok(DataRequest {
            id: DataRequestId::new(id),
            entrant: EntrantId::new(self.user_id),
            kind: named(&self.request_type).ok_or_else(|| corrupt("request_type"))?,
            asker: named(&self.asked_by).ok_or_else(|| corrupt("asked_by"))?,
            status: named(&self.status).ok_or_else(|| corrupt("status"))?,
            created_at: self.created_at,
            expires_at: self.expires_at,
            completed_at: self.completed_at,
            token: token.transpose()?.map(RequestTokenHash::new),
        })
    }
}

const fn corrupt(row: i64, column: &'static str) -> StoreError {
    StoreError::corrupt("data_export_requests", column, row)
}

fn named<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn bytes32(bytes: Vec<u8>) -> Option<[u8; 32]> {
    bytes.try_into().ok()
}

impl DataRequests for PgTx {
    fn lock_requester(&mut self, entrant: EntrantId) -> Result<bool, StoreError> {
        let lock = sql_query(LOCK).bind::<BigInt, _>(entrant.get());
        let found: Option<IdRow> = self.query(|connection| lock.get_result(connection).optional())?;
        Ok(found.is_some())
    }

    fn add_data_request(&mut self, new: &NewDataRequest) -> Result<DataRequest, StoreError> {
        let add = sql_query(ADD)
            .bind::<BigInt, _>(new.entrant.get())
            .bind::<Text, _>(new.kind.as_str())
            .bind::<Text, _>(new.asker.as_str())
            .bind::<Timestamptz, _>(new.at);
        let row: Row = self.query(|connection| add.get_result(connection))?;
        row.read()
    }

    fn save_data_request(&mut self, request: &DataRequest) -> Result<(), StoreError> {
        let save = sql_query(SAVE)
            .bind::<BigInt, _>(request.id.get())
            .bind::<Text, _>(request.status.as_str())
            .bind::<Nullable<Binary>, _>(request.token.map(|token| token.as_bytes().to_vec()))
            .bind::<Nullable<Timestamptz>, _>(request.completed_at)
            .bind::<Nullable<Timestamptz>, _>(request.expires_at);
        self.query(|connection| save.execute(connection)).map(drop)
    }

    fn list_data_requests(&self, entrant: EntrantId) -> Result<Vec<DataRequest>, StoreError> {
        let list = sql_query(LIST).bind::<BigInt, _>(entrant.get());
        let rows: Vec<Row> = self.query(|connection| list.load(connection))?;
        rows.into_iter().map(Row::read).collect()
    }

    fn find_data_request(&self, id: DataRequestId) -> Result<Option<DataRequest>, StoreError> {
        let find = sql_query(FIND).bind::<BigInt, _>(id.get());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(Row::read).transpose()
    }

    fn find_export(&self, token: &RequestTokenHash) -> Result<Option<DataRequest>, StoreError> {
        let find = sql_query(FIND_EXPORT).bind::<Binary, _>(token.as_bytes().to_vec());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(Row::read).transpose()
    }

    fn expire_data_requests(&mut self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let expire = sql_query(EXPIRE).bind::<Timestamptz, _>(now);
        let expired = self.query(|connection| expire.execute(connection))?;
        Ok(u64::try_from(expired).unwrap_or(u64::MAX))
    }
}
