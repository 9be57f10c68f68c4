use crate::PgTx;
use crate::schema::sms_daily_counts;
use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use diesel::query_dsl::methods::FilterDsl;
use kernel::StoreError;
use sms::DailyCounts;

impl DailyCounts for PgTx {
    fn count_text(&mut self, at: DateTime<Utc>, most: u32) -> Result<bool, StoreError> {
        if most == 0 {
            return Ok(false);
        }
        let first = (
            sms_daily_counts::day.eq(at.date_naive()),
            sms_daily_counts::texts.eq(1),
        );
        let count = diesel::insert_into(sms_daily_counts::table)
            .values(first)
            .on_conflict(sms_daily_counts::day)
            .do_update()
            .set(sms_daily_counts::texts.eq(sms_daily_counts::texts + 1))
            .filter(sms_daily_counts::texts.lt(i64::from(most)));
        Ok(self.query(|connection| count.execute(connection))? > 0)
    }

    fn count_texts(&mut self, at: DateTime<Utc>, texts: u32) -> Result<(), StoreError> {
        if texts == 0 {
            return Ok(());
        }
        let first = (
            sms_daily_counts::day.eq(at.date_naive()),
            sms_daily_counts::texts.eq(i64::from(texts)),
        );
        let add = diesel::insert_into(sms_daily_counts::table)
            .values(first)
            .on_conflict(sms_daily_counts::day)
            .do_update()
            .set(sms_daily_counts::texts.eq(sms_daily_counts::texts + i64::from(texts)));
        self.query(|connection| add.execute(connection)).map(drop)
    }

    fn texts_on(&self, day: NaiveDate) -> Result<u32, StoreError> {
        let texts = sms_daily_counts::table.find(day).select(sms_daily_counts::texts);
        let texts: Option<i64> = self.query(|connection| texts.first(connection).optional())?;
        Ok(u32::try_from(texts.unwrap_or(0)).unwrap_or(u32::MAX))
    }
}
