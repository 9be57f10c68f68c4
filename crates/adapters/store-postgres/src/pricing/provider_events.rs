use crate::PgTx;
use crate::schema::provider_events;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::StoreError;
use pricing::ProviderEvents;

impl ProviderEvents for PgTx {
    fn record_event(&mut self, id: &str, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let row = (provider_events::id.eq(id), provider_events::created_at.eq(at));
        let insert = diesel::insert_into(provider_events::table)
            .values(row)
            .on_conflict_do_nothing();
        let noted = self.query(|connection| insert.execute(connection))?;
        Ok(noted > 0)
    }
}
