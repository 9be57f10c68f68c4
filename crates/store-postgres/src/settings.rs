use crate::PgTx;
use crate::schema::system_settings;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::upsert::excluded;
use kernel::StoreError;
use pricing::PricingSettings;

const SHOW_PRICING: &str = "show_pricing";

impl PricingSettings for PgTx {
    fn show_pricing(&mut self) -> Result<bool, StoreError> {
        let query = system_settings::table
            .filter(system_settings::key.eq(SHOW_PRICING))
            .select((system_settings::id, system_settings::value));
        let row: Option<(i64, String)> = self.ask(|connection| query.first(connection).optional())?;
        let Some((row, value)) = row else {
            return Ok(false);
        };
        value.parse().map_err(|_| StoreError::Corrupt {
            table: "system_settings",
            column: "value",
            row,
        })
    }

    fn set_show_pricing(&mut self, show: bool, at: DateTime<Utc>) -> Result<(), StoreError> {
        let row = (
            system_settings::key.eq(SHOW_PRICING),
            system_settings::value.eq(show.to_string()),
            system_settings::category.eq("pricing"),
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
        self.ask(|connection| upsert.execute(connection)).map(drop)
    }
}
