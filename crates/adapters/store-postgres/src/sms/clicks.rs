use crate::PgTx;
use crate::rows::rows;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz};
use kernel::{EntrantId, StoreError};
use sms::{Clicks, NewClick, TrackedMessage};

const RECORD_CLICK: &str = include_str!("../../sql/record_click.sql");

rows! {
    struct Row {
        id: i64,
        user_id: Option<i64>,
        landing_page: String,
    }
}

impl Clicks for PgTx {
    fn record_click(&mut self, click: &NewClick) -> Result<Option<TrackedMessage>, StoreError> {
        let query = sql_query(RECORD_CLICK)
            .bind::<Text, _>(click.tracking_id.as_str())
            .bind::<Timestamptz, _>(click.at)
            .bind::<Bool, _>(click.cta)
            .bind::<Nullable<Text>, _>(click.address.map(|address| address.to_string()))
            .bind::<Nullable<Text>, _>(click.user_agent.as_deref());
        let row: Option<Row> = self.query(|connection| query.get_result(connection).optional())?;
        let Some(row) = row else {
            return Ok(None);
        };
        let landing_page = row.landing_page.parse();
        Ok(Some(TrackedMessage {
            entrant: row.user_id.map(EntrantId::new),
            raffle: landing_page
                .map_err(|_| StoreError::corrupt("sms_sent_messages", "campaign_id", row.id))?,
        }))
    }
}
