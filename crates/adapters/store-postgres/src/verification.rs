use crate::PgTx;
use crate::named_lock::LockGroup;
use crate::schema::{verification_codes, verifications};
use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use ipnet::IpNet;
use kernel::{EntrantId, StoreError};
use raffle::SignUp;
use serde_json::Value;
use verification::{
    BrowserHash, CodeHash, NewVerification, NumberTag, Sender, SentCode, TRIES, Unfinished, Usage,
    Verification, VerificationId, Verifications,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = verifications)]
struct Row {
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
fn sign_up_json(sign_up: &SignUp) -> Result<Value, StoreError> {
    serde_json::to_value(sign_up).map_err(|error| StoreError::Failed(error.into()))
}

/// The error names no value: it may be a number.
fn read_sign_up(json: Value) -> Result<SignUp, StoreError> {
    serde_json::from_value(json).map_err(|_| corrupt("sign_up"))
}

/// A code and the network that asked for it.
type Sent = (DateTime<Utc>, Option<IpNet>);

fn sent_codes(rows: Vec<Sent>, network: Option<IpNet>) -> Vec<SentCode> {
    let sent = |(at, by): Sent| SentCode {
        at,
        same_network: network.is_some() && by == network,
    };
    rows.into_iter().map(sent).collect()
}

impl PgTx {
    /// Makes requests of one network wait for each other, and then those of one prefix. Always in this order, so that nobody
    /// waits in a circle.
    fn lock_sender(&mut self, sender: &Sender) -> Result<(), StoreError> {
        if let Some(network) = sender.network {
            self.lock_name(LockGroup::CodesOfNetwork, &network.to_string())?;
        }
        self.lock_name(LockGroup::CodesOfPrefix, &hex::encode(sender.prefix.as_bytes()))
    }

    fn codes_to_number(&self, sender: &Sender, now: DateTime<Utc>) -> Result<Vec<SentCode>, StoreError> {
        let codes = verification_codes::table
            .filter(verification_codes::number_tag.eq(sender.number.as_bytes().as_slice()))
            .filter(verification_codes::sent_at.gt(now - TimeDelta::days(1)))
            .select((verification_codes::sent_at, verification_codes::network));
        let rows: Vec<Sent> = self.query(|connection| codes.load(connection))?;
        Ok(sent_codes(rows, sender.network.map(IpNet::from)))
    }

    fn codes_of_network(
        &self,
        sender: &Sender,
        now: DateTime<Utc>,
    ) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let Some(network) = sender.network else {
            return Ok(Vec::new());
        };
        let codes = verification_codes::table
            .filter(verification_codes::network.eq(IpNet::from(network)))
            .filter(verification_codes::sent_at.gt(now - TimeDelta::minutes(1)))
            .select(verification_codes::sent_at);
        self.query(|connection| codes.load(connection))
    }

    fn unfinished_of_prefix(
        &self,
        sender: &Sender,
        now: DateTime<Utc>,
    ) -> Result<Vec<Unfinished>, StoreError> {
        let unfinished = verifications::table
            .filter(verifications::prefix_tag.eq(sender.prefix.as_bytes().as_slice()))
            .filter(verifications::completed_at.is_null())
            .filter(verifications::created_at.gt(now - TimeDelta::hours(1)))
            .select((verifications::created_at, verifications::network));
        let rows: Vec<Sent> = self.query(|connection| unfinished.load(connection))?;
        Ok(sent_codes(rows, sender.network.map(IpNet::from)))
    }

    fn count_code(
        &mut self,
        id: VerificationId,
        sender: &Sender,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let row = (
            verification_codes::verification_id.eq(id.as_bytes().as_slice()),
            verification_codes::number_tag.eq(sender.number.as_bytes().as_slice()),
            verification_codes::network.eq(sender.network.map(IpNet::from)),
            verification_codes::sent_at.eq(at),
        );
        let insert = diesel::insert_into(verification_codes::table).values(row);
        self.query(|connection| insert.execute(connection)).map(drop)
    }
}

impl Verifications for PgTx {
    fn lock_usage(
        &mut self,
        sender: &Sender,
        except: Option<VerificationId>,
        now: DateTime<Utc>,
    ) -> Result<Usage, StoreError> {
        self.lock_sender(sender)?;
        Ok(Usage {
            number: self.codes_to_number(sender, now)?,
            network: self.codes_of_network(sender, now)?,
            prefix: match except {
                None => self.unfinished_of_prefix(sender, now)?,
                Some(_) => Vec::new(),
            },
        })
    }

    fn add_verification(&mut self, new: &NewVerification) -> Result<(), StoreError> {
        let row = (
            verifications::id.eq(new.id.as_bytes().as_slice()),
            verifications::browser_hash.eq(new.browser.as_bytes().as_slice()),
            verifications::code_hash.eq(new.code.as_bytes().as_slice()),
            verifications::number_tag.eq(new.sender.number.as_bytes().as_slice()),
            verifications::prefix_tag.eq(new.sender.prefix.as_bytes().as_slice()),
            verifications::network.eq(new.sender.network.map(IpNet::from)),
            verifications::created_at.eq(new.at),
            verifications::expires_at.eq(new.expires_at),
            verifications::resend_at.eq(new.resend_at),
            verifications::sign_up.eq(sign_up_json(&new.sign_up)?),
        );
        let insert = diesel::insert_into(verifications::table).values(row);
        self.query(|connection| insert.execute(connection))?;
        self.count_code(new.id, &new.sender, new.at)
    }

    fn find_open_verification(
        &self,
        browser: &BrowserHash,
        number: &NumberTag,
        now: DateTime<Utc>,
    ) -> Result<Option<Verification>, StoreError> {
        let tries = i32::try_from(TRIES).unwrap_or(i32::MAX);
        let open = verifications::table
            .filter(verifications::number_tag.eq(number.as_bytes().as_slice()))
            .filter(verifications::browser_hash.eq(browser.as_bytes().as_slice()))
            .filter(verifications::completed_at.is_null())
            .filter(verifications::expires_at.gt(now))
            .filter(verifications::tries.lt(tries))
            .order(verifications::created_at.desc())
            .select(Row::as_select());
        let row: Option<Row> = self.query(|connection| open.first(connection).optional())?;
        row.map(Verification::try_from).transpose()
    }

    fn lock_verification(&mut self, id: VerificationId) -> Result<Option<Verification>, StoreError> {
        let query = verifications::table
            .find(id.as_bytes().as_slice())
            .select(Row::as_select())
            .for_no_key_update();
        let row: Option<Row> = self.query(|connection| query.first(connection).optional())?;
        row.map(Verification::try_from).transpose()
    }

    fn replace_sign_up(&mut self, id: VerificationId, sign_up: &SignUp) -> Result<(), StoreError> {
        let update = diesel::update(verifications::table.find(id.as_bytes().as_slice()))
            .set(verifications::sign_up.eq(sign_up_json(sign_up)?));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn replace_code(
        &mut self,
        id: VerificationId,
        code: &CodeHash,
        sender: &Sender,
        at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
        resend_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let update = diesel::update(verifications::table.find(id.as_bytes().as_slice())).set((
            verifications::code_hash.eq(code.as_bytes().as_slice()),
            verifications::expires_at.eq(expires_at),
            verifications::resend_at.eq(resend_at),
        ));
        self.query(|connection| update.execute(connection))?;
        self.count_code(id, sender, at)
    }

    fn count_try(&mut self, id: VerificationId) -> Result<(), StoreError> {
        let update = diesel::update(verifications::table.find(id.as_bytes().as_slice()))
            .set(verifications::tries.eq(verifications::tries + 1));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn complete_verification(
        &mut self,
        id: VerificationId,
        entrant: EntrantId,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let update = diesel::update(verifications::table.find(id.as_bytes().as_slice())).set((
            verifications::completed_at.eq(at),
            verifications::user_id.eq(entrant.get()),
            verifications::sign_up.eq(None::<serde_json::Value>),
        ));
        self.query(|connection| update.execute(connection)).map(drop)
    }

    fn forget_verifications(
        &mut self,
        now: DateTime<Utc>,
        counted_since: DateTime<Utc>,
    ) -> Result<i64, StoreError> {
        let expired = verifications::table
            .filter(verifications::sign_up.is_not_null())
            .filter(verifications::expires_at.le(now));
        let forget = diesel::update(expired).set(verifications::sign_up.eq(None::<serde_json::Value>));
        let forgotten = self.query(|connection| forget.execute(connection))?;
        let old = verifications::table.filter(verifications::created_at.lt(counted_since));
        let deleted = self.query(|connection| diesel::delete(old).execute(connection))?;
        Ok(i64::try_from(forgotten + deleted).unwrap_or(i64::MAX))
    }
}
