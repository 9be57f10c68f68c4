use crate::PgTx;
use crate::schema::user_consent;
use crate::statement::values;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz};
use kernel::{EntrantId, StoreError};
use sms::{Consents, NewConsent};

const RECORD_CONSENT: &str = include_str!("../sql/record_consent.sql");

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
            version: consent.wording,
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
}
