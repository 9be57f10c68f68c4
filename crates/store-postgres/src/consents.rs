use crate::PgTx;
use crate::schema::user_consent;
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{Consent, EntrantId, Phone, StoreError};
use sms::{ConsentId, Consents, NewConsent, StoredConsent};

const RECORD_CONSENT: &str = include_str!("../sql/record_consent.sql");

const FIND: &str = "
SELECT id, user_id, version, act, granted, host(ip_address) AS ip_address, created_at, revoked_at
FROM user_consent
WHERE id = $1 AND consent_type = 'sms_campaigns'";

const REVOKE: &str = "
UPDATE user_consent SET revoked_at = $2
FROM users
WHERE users.phone_number = $1 AND user_id = users.id AND consent_type = 'sms_campaigns' AND granted
    AND revoked_at IS NULL";

const RESTORE: &str = "
INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at, created_at)
SELECT users.id, 'sms_campaigns', newest.version, 'start_keyword', true, $2, $2
FROM users
CROSS JOIN LATERAL (
    SELECT version, revoked_at
    FROM user_consent
    WHERE user_id = users.id AND consent_type = 'sms_campaigns'
    ORDER BY id DESC
    LIMIT 1
) AS newest
WHERE users.phone_number = $1 AND newest.revoked_at IS NOT NULL";

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
            .select((user_consent::granted, user_consent::revoked_at.is_null()));
        let newest: Option<(bool, bool)> = self.query(|connection| query.first(connection).optional())?;
        Ok(newest.is_some_and(|(granted, stands)| granted && stands))
    }

    fn find_consent(&self, id: ConsentId) -> Result<Option<StoredConsent>, StoreError> {
        let find = sql_query(FIND).bind::<BigInt, _>(id.get());
        let row: Option<Row> = self.query(|connection| find.get_result(connection).optional())?;
        row.map(StoredConsent::try_from).transpose()
    }

    fn revoke_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        let revoke = sql_query(REVOKE)
            .bind::<Text, _>(phone.as_e164())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| revoke.execute(connection)).map(drop)
    }

    fn restore_consents(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        let restore = sql_query(RESTORE)
            .bind::<Text, _>(phone.as_e164())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| restore.execute(connection)).map(drop)
    }
}
