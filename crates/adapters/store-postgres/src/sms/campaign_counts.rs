//! The counts of campaigns: each change is a row of `sms_campaign_deltas`, each click one of `sms_click_deltas`, and the
//! sender folds these rows into the campaigns.
//!
//! If every report of a delivery and every click changed the campaign's row, those of a large campaign would wait for each
//! other.

use crate::PgTx;
use crate::rows::IdRow;
use crate::schema::sms_campaign_deltas;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use kernel::StoreError;
use sms::Tally;

/// How many deltas of a campaign are folded at once. It bounds how long the campaign's row stays locked.
const FOLD_AT_MOST: i64 = 20_000;

/// The statements that fold the deltas of one campaign.
const FOLDS: [&str; 2] = [
    include_str!("../../sql/fold_campaign.sql"),
    include_str!("../../sql/fold_clicks.sql"),
];

/// Campaigns with something to fold and campaigns that may have ended, in the order in which every transaction locks
/// campaigns. If two servers folded deltas of one campaign at the same time, a later change could be added before an
/// earlier one.
const LOCK_CAMPAIGNS: &str = "
SELECT id
FROM sms_scheduled_campaigns
WHERE (status = 'sending' AND open_count = 0)
    OR EXISTS (SELECT FROM sms_campaign_deltas WHERE campaign_id = sms_scheduled_campaigns.id)
    OR EXISTS (SELECT FROM sms_click_deltas WHERE campaign_id = sms_scheduled_campaigns.id)
ORDER BY id
FOR NO KEY UPDATE";

/// Deletes deltas of cleared campaigns, up to a limit: a report may still change a message whose campaign was cleared, and
/// clicks may not have been folded by then.
fn delete_orphans(table: &str) -> String {
    format!(
        "DELETE FROM {table}
         WHERE (campaign_id, id) IN (
             SELECT campaign_id, id
             FROM {table} AS delta
             WHERE NOT EXISTS (SELECT FROM sms_scheduled_campaigns AS campaign WHERE campaign.id = delta.campaign_id)
             LIMIT $1
         )"
    )
}

impl PgTx {
    /// Adds to a campaign's counts. It locks no row that another transaction uses.
    pub(crate) fn count_campaign_change(&mut self, campaign: i64, tally: Tally) -> Result<(), StoreError> {
        if tally == Tally::default() {
            return Ok(());
        }
        let delta = (
            sms_campaign_deltas::campaign_id.eq(campaign),
            sms_campaign_deltas::open.eq(-tally.closed),
            sms_campaign_deltas::sent.eq(tally.sent),
            sms_campaign_deltas::delivered.eq(tally.delivered),
            sms_campaign_deltas::error.eq(tally.failed),
            sms_campaign_deltas::skipped.eq(tally.skipped),
        );
        let insert = diesel::insert_into(sms_campaign_deltas::table).values(delta);
        self.query(|connection| insert.execute(connection)).map(drop)
    }

    /// Folds the deltas of all campaigns, and deletes those of cleared campaigns. Returns the ids of the campaigns that it
    /// locked; every campaign whose stored counts say that it has ended is one of them.
    pub(crate) fn fold_campaigns(&mut self) -> Result<Vec<i64>, StoreError> {
        let locked: Vec<IdRow> = self.query(|connection| sql_query(LOCK_CAMPAIGNS).load(connection))?;
        for table in ["sms_campaign_deltas", "sms_click_deltas"] {
            let delete = sql_query(delete_orphans(table)).bind::<BigInt, _>(FOLD_AT_MOST);
            self.query(|connection| delete.execute(connection))?;
        }
        let ids: Vec<i64> = locked.into_iter().map(|row| row.id).collect();
        if !ids.is_empty() {
            self.expect_few_rows()?;
        }
        for (id, fold) in ids.iter().flat_map(|id| FOLDS.map(|fold| (id, fold))) {
            let fold = sql_query(fold)
                .bind::<BigInt, _>(id)
                .bind::<BigInt, _>(FOLD_AT_MOST);
            self.query(|connection| fold.execute(connection))?;
        }
        Ok(ids)
    }
}
