use crate::PgTx;
use crate::schema::sms_opt_outs;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::upsert::excluded;
use kernel::{Phone, StoreError};
use pricing::ProviderEvents;
use sms::OptOuts;

impl PgTx {
    fn set_opted_out(&mut self, phone: &Phone, opted_out: bool, at: DateTime<Utc>) -> Result<(), StoreError> {
        let row = (
            sms_opt_outs::phone_number.eq(phone.as_e164()),
            sms_opt_outs::opted_out.eq(opted_out),
            sms_opt_outs::changed_at.eq(at),
        );
        let upsert = diesel::insert_into(sms_opt_outs::table)
            .values(row)
            .on_conflict(sms_opt_outs::phone_number)
            .do_update()
            .set((
                sms_opt_outs::opted_out.eq(excluded(sms_opt_outs::opted_out)),
                sms_opt_outs::changed_at.eq(excluded(sms_opt_outs::changed_at)),
            ));
        self.query(|connection| upsert.execute(connection)).map(drop)
    }
}

impl OptOuts for PgTx {
    fn opt_out(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.set_opted_out(phone, true, at)
    }

    fn opt_in(&mut self, phone: &Phone, at: DateTime<Utc>) -> Result<(), StoreError> {
        self.set_opted_out(phone, false, at)
    }

    fn has_opted_out(&self, phone: &Phone) -> Result<bool, StoreError> {
        let query = sms_opt_outs::table
            .find(phone.as_e164())
            .select(sms_opt_outs::opted_out);
        let opted_out: Option<bool> = self.query(|connection| query.first(connection).optional())?;
        Ok(opted_out.unwrap_or(false))
    }

    /// Stored with the events of all providers, whose ids do not collide.
    fn record_inbound(&mut self, provider_id: &str, at: DateTime<Utc>) -> Result<bool, StoreError> {
        self.record_event(provider_id, at)
    }
}
