use crate::PgTx;
use crate::schema::user_consent;
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{Consent, EntrantId, Phone, StoreError};
use sms::{
    ConsentAnswer, ConsentId, Consents, NewConsent, StoredConsent, restored_by_start, revoked_by_stop,
};

const RECORD_CONSENT: &str = include_str!("../../sql/record_consent.sql");

const FIND: &str = "
SELECT id, user_id, version, act, granted, host(ip_address) AS ip_address, created_at, revoked_at
FROM user_consent
WHERE id = $1 AND consent_type = 'sms_campaigns'";

/// The answers of the entrants with these numbers, oldest first.
const ANSWERS: &str = "
SELECT user_consent.id, granted, revoked_at
FROM users
JOIN user_consent ON user_id = users.id AND consent_type = 'sms_campaigns'
WHERE users.phone_number = ANY ($1)
ORDER BY user_consent.id";

/// A new answer to the same wording.
const RESTORE: &str = "
INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at, created_at)
SELECT user_id, consent_type, version, $2, $3, CASE WHEN $3 THEN $4 END, $4 FROM user_consent WHERE id = $1";

#[derive(Queryable, QueryableByName)]
#[diesel(table_name = user_consent)]
struct AnswerRow {
    id: i64,
    granted: bool,
    revoked_at: Option<DateTime<Utc>>,
}

impl From<AnswerRow> for ConsentAnswer {
    fn from(row: AnswerRow) -> Self {
        Self {
            id: ConsentId::new(row.id),
            granted: row.granted,
            is_revoked: row.revoked_at.is_some(),
        }
    }
}

#[derive(QueryableByName)]
#[diesel(table_name = user_consent)]
struct Row {
    id: i64,
    user_id: i64,
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = Text)]
    act: String,
    granted: bool,
    #[diesel(sql_type = Nullable<Text>)]
    ip_address: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    created_at: DateTime<Utc>,
    revoked_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for StoredConsent {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("user_consent", column, row.id);
        let address = row.ip_address.map(|address| address.parse()).transpose();
        Ok(Self {
            id: ConsentId::new(row.id),
            entrant: EntrantId::new(row.user_id),
            consent: Consent {
                granted: row.granted,
                act: row.act.parse().map_err(|_| corrupt("act"))?,
            },
            wording: row.version,
            address: address.map_err(|_| corrupt("ip_address"))?,
            at: row.created_at,
            revoked_at: row.revoked_at,
        })
    }
}

struct NewRow<'a> {
    user_id: i64,
    version: &'a str,
    act: &'a str,
    granted: bool,
    ip_address: Option<String>,
    user_agent: Option<&'a str>,
    at: DateTime<Utc>,
}

values!(
    NewRow<'_>: RECORD_CONSENT,
    user_id: BigInt,
    version: Text,
    act: Text,
    granted: Bool,
    ip_address: Nullable<Text>,
    user_agent: Nullable<Text>,
    at: Timestamptz,
);

impl PgTx {
    fn answers_of(&self, numbers: &[&str]) -> Result<Vec<ConsentAnswer>, StoreError> {
        let list = sql_query(ANSWERS).bind::<Array<Text>, _>(numbers);
        let rows: Vec<AnswerRow> = self.query(|connection| list.load(connection))?;
        Ok(rows.into_iter().map(ConsentAnswer::from).collect())
    }

    /// Revokes the consents of numbers that are locked because they have opted out.
    pub(crate) fn revoke_consents_of(
        &mut self,
        numbers: &[&str],
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let revoked = revoked_by_stop(self.answers_of(numbers)?).into_iter();
        let revoked = user_consent::table.filter(user_consent::id.eq_any(revoked.map(ConsentId::get)));
        let update = diesel::update(revoked).set(user_consent::revoked_at.eq(at));
        self.query(|connection| update.execute(connection)).map(drop)
    }
}

impl Consents for PgTx {
    fn record_consent(&mut self, consent: &NewConsent) -> Result<(), StoreError> {
        let row = NewRow {
            user_id: consent.entrant.get(),
            version: consent.wording.version,
            act: consent.consent.act.as_str(),
            granted: consent.consent.granted,
            ip_address: consent.address.map(|address| address.to_string()),
            user_agent: consent.user_agent.as_deref(),
            at: consent.at,
        };
        self.run_statement(&row).map(drop)
    }

    fn has_campaign_consent(&self, entrant: EntrantId) -> Result<bool, StoreError> {
        let query = user_consent::table
            .filter(
                user_consent::user_id
                    .eq(entrant.get())
                    .and(user_consent::consent_type.eq("sms_campaigns")),
            )
            .order(user_consent::id.desc())
            .select((user_consent::id, user_consent::granted, user_consent::revoked_at));
        let newest: Option<AnswerRow> = self.query(|connection| query.first(connection).optional())?;
        Ok(newest.is_some_and(|row| ConsentAnswer::from(row).stands()))
    }

    fn find_consent(&self, id: ConsentId) -> Result<Option<StoredConsent>, StoreError> {
        let find = sql_query(FIND).bind::<BigInt, _>(id.get());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(StoredConsent::try_from).transpose()
    }

    fn revoke_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.revoke_consents_of(&[phone.as_e164()], at)
    }

    fn restore_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        let newest = self.answers_of(&[phone.as_e164()])?.pop();
        let restored = newest.and_then(|newest| Some((newest.id, restored_by_start(newest)?)));
        let Some((earlier, consent)) = restored else {
            return Ok(());
        };
        let restore = sql_query(RESTORE)
            .bind::<BigInt, _>(earlier.get())
            .bind::<Text, _>(consent.act.as_str())
            .bind::<Bool, _>(consent.granted)
            .bind::<Timestamptz, _>(at);
        self.query(|connection| restore.execute(connection)).map(drop)
    }
}
