//! `codes::Codes`: one-time codes that were sent.

use crate::PgTx;
use crate::named_lock::LockGroup;
use crate::rows::rows;
use crate::statement::Prepared;
use ::codes::{
    CodeHash, CodeId, Codes, Counted, Holder, NewCode, PER_BLOCK, PER_NETWORK, Purpose, Request, SentCode,
    Share, Subject, Usage,
};
use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Bool, Inet, Nullable, Text, Timestamptz};
use ipnet::IpNet;
use kernel::{EntrantId, MessageId, StoreError};

const TO_NUMBER: &str = "
SELECT sent_at, network IS NOT DISTINCT FROM $1 AS same_network, is_own
FROM codes WHERE number_tag = $2 AND sent_at > $3 AND purpose = $4";

const FOR_SUBJECT: &str = "
SELECT sent_at, network IS NOT DISTINCT FROM $1 AS same_network, is_own
FROM codes WHERE subject = $2 AND sent_at > $3";

/// Networks are stored as single addresses, so a block is all those between its first and its last one.
const OF_NETWORKS: &str = "
SELECT sent_at FROM codes
WHERE network BETWEEN $1 AND $2 AND NOT is_completed AND sent_at > $3 AND purpose = $4
ORDER BY sent_at DESC LIMIT $5";

const ADD: &str = "
INSERT INTO codes (purpose, subject, browser_hash, number_tag, network, is_own, code_hash, message_id, user_id, sent_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

const NEWEST: &str = "
SELECT id, code_hash, sent_at, message_id, wrong_tries, is_completed FROM codes
WHERE subject = $1 AND browser_hash IS NOT DISTINCT FROM $2
ORDER BY sent_at DESC, id DESC LIMIT 1";

const COUNT_WRONG_TRY: &str = "UPDATE codes SET wrong_tries = wrong_tries + 1 WHERE id = $1";

const COMPLETE: &str = "
UPDATE codes SET is_completed = true, user_id = $3
WHERE subject = $1 AND browser_hash IS NOT DISTINCT FROM $2 AND NOT is_completed";

const FORGET: &str = "DELETE FROM codes WHERE sent_at < $1";

rows! {
    struct CountedRow {
        sent_at: DateTime<Utc>,
        same_network: bool,
        is_own: bool,
    }

    struct TimeRow {
        sent_at: DateTime<Utc>,
    }

    struct CodeRow {
        id: i64,
        code_hash: Vec<u8>,
        sent_at: DateTime<Utc>,
        message_id: i64,
        wrong_tries: i32,
        is_completed: bool,
    }
}

impl From<CountedRow> for Counted {
    fn from(row: CountedRow) -> Self {
        Self {
            at: row.sent_at,
            same_network: row.same_network,
            share: if row.is_own { Share::Own } else { Share::Everybody },
        }
    }
}

impl CodeRow {
    fn read(self) -> Result<SentCode, StoreError> {
        let corrupt = |column| StoreError::corrupt("codes", column, self.id);
        let hash = self.code_hash.try_into().map_err(|_| corrupt("code_hash"))?;
        Ok(SentCode {
            id: CodeId(self.id),
            hash: CodeHash::new(hash),
            sent_at: self.sent_at,
            message: MessageId::new(self.message_id),
            wrong_tries: u32::try_from(self.wrong_tries).map_err(|_| corrupt("wrong_tries"))?,
            is_completed: self.is_completed,
        })
    }
}

fn browser_of(holder: &Holder) -> Option<Vec<u8>> {
    holder.browser().map(|browser| browser.as_bytes().to_vec())
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

impl PgTx {
    /// Always in this order, so that nobody waits in a circle.
    fn lock_request(&self, request: &Request) -> Result<(), StoreError> {
        let purpose = request.subject.purpose().as_str();
        if let Some(block) = request.block() {
            self.lock_name(LockGroup::CodesOfBlock, &format!("{purpose} {block}"))?;
        }
        let number = hex::encode(request.number.as_bytes());
        self.lock_name(LockGroup::CodesOfNumber, &format!("{purpose} {number}"))
    }

    fn counted_codes(&self, request: &Request, since: DateTime<Utc>) -> Result<Vec<Counted>, StoreError> {
        let network = request.network.map(IpNet::from);
        let rows: Vec<CountedRow> = match request.subject {
            Subject::Claim(_) => {
                let codes = Prepared(
                    sql_query(FOR_SUBJECT)
                        .bind::<Nullable<Inet>, _>(network)
                        .bind::<Text, _>(request.subject.to_string())
                        .bind::<Timestamptz, _>(since),
                );
                self.query(|connection| codes.load(connection))?
            }
            Subject::SignUp(_) | Subject::DataRequest(_) => {
                let codes = Prepared(
                    sql_query(TO_NUMBER)
                        .bind::<Nullable<Inet>, _>(network)
                        .bind::<Binary, _>(request.number.as_bytes().to_vec())
                        .bind::<Timestamptz, _>(since)
                        .bind::<Text, _>(request.subject.purpose().as_str()),
                );
                self.query(|connection| codes.load(connection))?
            }
        };
        Ok(rows.into_iter().map(Into::into).collect())
    }

    fn unfinished_codes(
        &self,
        networks: Option<IpNet>,
        purpose: Purpose,
        since: DateTime<Utc>,
        most: usize,
    ) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let Some(networks) = networks else {
            return Ok(Vec::new());
        };
        let codes = Prepared(
            sql_query(OF_NETWORKS)
                .bind::<Inet, _>(IpNet::from(networks.network()))
                .bind::<Inet, _>(IpNet::from(networks.broadcast()))
                .bind::<Timestamptz, _>(since)
                .bind::<Text, _>(purpose.as_str())
                .bind::<BigInt, _>(limit(most)),
        );
        let rows: Vec<TimeRow> = self.query(|connection| codes.load(connection))?;
        Ok(rows.into_iter().map(|row| row.sent_at).collect())
    }

    fn newest_code(
        &self,
        statement: String,
        subject: Subject,
        holder: Holder,
    ) -> Result<Option<SentCode>, StoreError> {
        let newest = Prepared(
            sql_query(statement)
                .bind::<Text, _>(subject.to_string())
                .bind::<Nullable<Binary>, _>(browser_of(&holder)),
        );
        let row: Option<CodeRow> = self.query(|connection| newest.get_result(connection).optional())?;
        row.map(CodeRow::read).transpose()
    }
}

impl Codes for PgTx {
    fn lock_code_usage(&mut self, request: &Request, now: DateTime<Utc>) -> Result<Usage, StoreError> {
        self.lock_request(request)?;
        let (since, purpose) = (now - TimeDelta::days(1), request.subject.purpose());
        let network = request.network.map(IpNet::from);
        Ok(Usage {
            codes: self.counted_codes(request, since)?,
            network: self.unfinished_codes(network, purpose, since, PER_NETWORK)?,
            block: self.unfinished_codes(request.block(), purpose, since, PER_BLOCK)?,
        })
    }

    fn add_code(&mut self, new: &NewCode) -> Result<(), StoreError> {
        let Request {
            subject,
            holder,
            number,
            network,
        } = new.request;
        let add = Prepared(
            sql_query(ADD)
                .bind::<Text, _>(subject.purpose().as_str())
                .bind::<Text, _>(subject.to_string())
                .bind::<Nullable<Binary>, _>(browser_of(&holder))
                .bind::<Binary, _>(number.as_bytes().to_vec())
                .bind::<Nullable<Inet>, _>(network.map(IpNet::from))
                .bind::<Bool, _>(new.share == Share::Own)
                .bind::<Binary, _>(new.hash.as_bytes().to_vec())
                .bind::<BigInt, _>(new.message.get())
                .bind::<Nullable<BigInt>, _>(new.entrant.map(EntrantId::get))
                .bind::<Timestamptz, _>(new.at),
        );
        self.query(|connection| add.execute(connection)).map(drop)
    }

    fn find_code(&self, subject: Subject, holder: Holder) -> Result<Option<SentCode>, StoreError> {
        self.newest_code(NEWEST.to_owned(), subject, holder)
    }

    fn lock_code(&mut self, subject: Subject, holder: Holder) -> Result<Option<SentCode>, StoreError> {
        self.newest_code(format!("{NEWEST} FOR NO KEY UPDATE"), subject, holder)
    }

    fn count_wrong_try(&mut self, code: CodeId) -> Result<(), StoreError> {
        let count = Prepared(sql_query(COUNT_WRONG_TRY).bind::<BigInt, _>(code.0));
        self.query(|connection| count.execute(connection)).map(drop)
    }

    fn complete_codes(
        &mut self,
        subject: Subject,
        holder: Holder,
        entrant: EntrantId,
    ) -> Result<(), StoreError> {
        let complete = Prepared(
            sql_query(COMPLETE)
                .bind::<Text, _>(subject.to_string())
                .bind::<Nullable<Binary>, _>(browser_of(&holder))
                .bind::<BigInt, _>(entrant.get()),
        );
        self.query(|connection| complete.execute(connection)).map(drop)
    }

    fn forget_codes(&mut self, counted_since: DateTime<Utc>) -> Result<i64, StoreError> {
        let forget = sql_query(FORGET).bind::<Timestamptz, _>(counted_since);
        let deleted = self.query(|connection| forget.execute(connection))?;
        Ok(i64::try_from(deleted).unwrap_or(i64::MAX))
    }
}
