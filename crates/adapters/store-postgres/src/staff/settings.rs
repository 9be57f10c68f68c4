use crate::PgTx;
use crate::schema::system_settings;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::upsert::excluded;
use kernel::StoreError;
use pricing::PricingSettings;
use sms::SmsSettings;

const SHOW_PRICING: &str = "show_pricing";
const SMS_CREDENTIALS: &str = "sms_credentials";

fn corrupt(row: i64) -> StoreError {
    StoreError::corrupt("system_settings", "value", row)
}

impl PgTx {
    /// The row id and the value of a setting.
    fn setting(&self, key: &str) -> Result<Option<(i64, String)>, StoreError> {
        let query = system_settings::table
            .filter(system_settings::key.eq(key))
            .select((system_settings::id, system_settings::value));
        self.query(|connection| query.first(connection).optional())
    }

    fn set_setting(
        &mut self,
        key: &str,
        category: &str,
        value: &str,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let row = (
            system_settings::key.eq(key),
            system_settings::value.eq(value),
            system_settings::category.eq(category),
            system_settings::updated_at.eq(at),
            system_settings::created_at.eq(at),
        );
        let upsert = diesel::insert_into(system_settings::table)
            .values(row)
            .on_conflict(system_settings::key)
            .do_update()
            .set((
                system_settings::value.eq(excluded(system_settings::value)),
                system_settings::updated_at.eq(excluded(system_settings::updated_at)),
            ));
        self.query(|connection| upsert.execute(connection)).map(drop)
    }
}

impl PricingSettings for PgTx {
    fn show_pricing(&self) -> Result<bool, StoreError> {
        let Some((row, value)) = self.setting(SHOW_PRICING)? else {
            return Ok(false);
        };
        value.parse().map_err(|_| corrupt(row))
    }

    fn set_show_pricing(&mut self, show: bool, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.set_setting(SHOW_PRICING, "pricing", &show.to_string(), at)
    }
}

impl SmsSettings for PgTx {
    fn sealed_credentials(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let Some((row, value)) = self.setting(SMS_CREDENTIALS)? else {
            return Ok(None);
        };
        hex::decode(value).map(Some).map_err(|_| corrupt(row))
    }

    fn save_sealed_credentials(&mut self, sealed: &[u8], at: DateTime<Utc>) -> Result<(), StoreError> {
        self.set_setting(SMS_CREDENTIALS, "sms", &hex::encode(sealed), at)
    }
}
