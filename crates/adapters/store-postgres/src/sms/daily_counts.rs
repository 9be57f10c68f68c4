use crate::PgTx;
use crate::schema::sms_daily_counts;
use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Date};
use kernel::StoreError;
use sms::DailyCounts;

const COUNT: &str = "
INSERT INTO sms_daily_counts AS counted (day, texts) SELECT $1, 1 WHERE $2 > 0
ON CONFLICT (day) DO UPDATE SET texts = counted.texts + 1 WHERE counted.texts < $2";

const ADD: &str = "
INSERT INTO sms_daily_counts AS counted (day, texts) SELECT $1, $2 WHERE $2 > 0
ON CONFLICT (day) DO UPDATE SET texts = counted.texts + excluded.texts";

impl DailyCounts for PgTx {
    fn count_text(&mut self, at: DateTime<Utc>, most: u32) -> Result<bool, StoreError> {
        let count = sql_query(COUNT)
            .bind::<Date, _>(at.date_naive())
            .bind::<BigInt, _>(i64::from(most));
        Ok(self.query(|connection| count.execute(connection))? > 0)
    }

    fn count_texts(&mut self, at: DateTime<Utc>, texts: u32) -> Result<(), StoreError> {
        let add = sql_query(ADD)
            .bind::<Date, _>(at.date_naive())
            .bind::<BigInt, _>(i64::from(texts));
        self.query(|connection| add.execute(connection)).map(drop)
    }

    fn texts_on(&self, day: NaiveDate) -> Result<u32, StoreError> {
        let texts = sms_daily_counts::table.find(day).select(sms_daily_counts::texts);
        let texts: Option<i64> = self.query(|connection| texts.first(connection).optional())?;
        Ok(u32::try_from(texts.unwrap_or(0)).unwrap_or(u32::MAX))
    }
}
