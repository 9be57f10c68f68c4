use crate::PgTx;
use crate::rows::rows;
use crate::statement::Prepared;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, Nullable, Text, Timestamptz};
use kernel::StoreError;
use raffle::{
    Deleted, HeldRaffles, Opening, Openings, PageDifferences, Raffle, RaffleKey, RaffleList, Raffles,
    TrackingPage,
};
use std::collections::BTreeMap;

const LIST: &str = "SELECT clock_timestamp() AS since, raffle.* FROM list_raffles() AS raffle";

const DIFFERENCES: &str = "
SELECT number, key, share_heading, masks_numbers, waits_for_user, tracking_page::text AS tracking_page FROM raffles
WHERE masks_numbers OR waits_for_user OR num_nonnulls(share_heading, tracking_page::text) > 0";

const HOLD: &str = "SELECT * FROM hold_raffles(alone => false)";

const HOLD_ALONE: &str = "SELECT * FROM hold_raffles(alone => true)";

const TAKE_BACK: &str = "DELETE FROM raffle_openings WHERE landing_page = $1 AND opens_at <> ALL ($2)";

const SAVE: &str = "
INSERT INTO raffle_openings (landing_page, opens_at, closes_at)
SELECT $1, opens_at, closes_at FROM unnest($2, $3) AS opening (opens_at, closes_at)
ON CONFLICT (landing_page, opens_at) DO UPDATE SET closes_at = EXCLUDED.closes_at
WHERE raffle_openings.closes_at IS DISTINCT FROM EXCLUDED.closes_at";

const ADD: &str =
    "INSERT INTO raffles (key, position) SELECT $1, coalesce(max(position), 0) + 1 FROM raffles";

const ORDER: &str = "
UPDATE raffles SET position = place FROM unnest($1) WITH ORDINALITY AS ordered (key, place)
WHERE raffles.key = ordered.key AND position <> place";

rows! {
    struct RaffleRow {
        since: DateTime<Utc>,
        number: i64,
        key: String,
        is_default: bool,
        link_prefix: Option<String>,
        link_words: Vec<String>,
        tracking_name: Option<String>,
        opens_at: Vec<DateTime<Utc>>,
        closes_at: Vec<Option<DateTime<Utc>>>,
    }

    struct DifferencesRow {
        number: i64,
        key: String,
        share_heading: Option<String>,
        masks_numbers: bool,
        waits_for_user: bool,
        tracking_page: Option<String>,
    }

    struct DeletedRow {
        deleted: bool,
    }
}

impl TryFrom<RaffleRow> for Raffle {
    type Error = StoreError;

    fn try_from(row: RaffleRow) -> Result<Self, StoreError> {
        let openings = row.opens_at.into_iter().zip(row.closes_at);
        let openings = openings.map(|(opens_at, closes_at)| Opening { opens_at, closes_at });
        let corrupt = |table, column| StoreError::corrupt(table, column, row.number);
        Ok(Self {
            number: row.number,
            key: row.key.parse().map_err(|_| corrupt("raffles", "key"))?,
            openings: Openings::new(openings.collect())
                .ok_or_else(|| corrupt("raffle_openings", "opens_at"))?,
            is_default: row.is_default,
            link_prefix: row.link_prefix,
            link_words: row.link_words,
            tracking_name: row.tracking_name,
        })
    }
}

impl Raffles for PgTx {
    fn list_raffles(&self) -> Result<RaffleList, StoreError> {
        Ok(self.load_raffles(LIST)?.raffles)
    }

    fn page_differences(&self) -> Result<BTreeMap<RaffleKey, PageDifferences>, StoreError> {
        let rows: Vec<DifferencesRow> = self.query(|connection| sql_query(DIFFERENCES).load(connection))?;
        rows.into_iter().map(DifferencesRow::read).collect()
    }

    fn hold_raffles(&mut self) -> Result<HeldRaffles, StoreError> {
        self.load_raffles(HOLD)
    }

    fn hold_raffles_alone(&mut self) -> Result<HeldRaffles, StoreError> {
        self.load_raffles(HOLD_ALONE)
    }

    fn save_openings(&mut self, raffle: RaffleKey, openings: &Openings) -> Result<(), StoreError> {
        let opens_at: Vec<_> = openings
            .as_slice()
            .iter()
            .map(|opening| opening.opens_at)
            .collect();
        let closes_at: Vec<_> = openings
            .as_slice()
            .iter()
            .map(|opening| opening.closes_at)
            .collect();
        let take_back = sql_query(TAKE_BACK)
            .bind::<Text, _>(raffle.as_str())
            .bind::<Array<Timestamptz>, _>(&opens_at);
        self.query(|connection| take_back.execute(connection))?;
        let save = sql_query(SAVE)
            .bind::<Text, _>(raffle.as_str())
            .bind::<Array<Timestamptz>, _>(&opens_at)
            .bind::<Array<Nullable<Timestamptz>>, _>(closes_at);
        self.query(|connection| save.execute(connection)).map(drop)
    }

    fn add_raffle(&mut self, key: RaffleKey) -> Result<(), StoreError> {
        let add = sql_query(ADD).bind::<Text, _>(key.as_str());
        self.query(|connection| add.execute(connection)).map(drop)
    }

    fn delete_raffle(&mut self, key: RaffleKey) -> Result<Deleted, StoreError> {
        let delete = sql_query("SELECT delete_raffle($1) AS deleted").bind::<Text, _>(key.as_str());
        let row: DeletedRow = self.query(|connection| delete.get_result(connection))?;
        Ok(match row.deleted {
            true => Deleted::Yes,
            false => Deleted::InUse,
        })
    }

    fn order_raffles(&mut self, keys: &[RaffleKey]) -> Result<(), StoreError> {
        let keys: Vec<_> = keys.iter().map(|key| key.as_str()).collect();
        let order = sql_query(ORDER).bind::<Array<Text>, _>(keys);
        self.query(|connection| order.execute(connection)).map(drop)
    }
}

impl DifferencesRow {
    fn read(self) -> Result<(RaffleKey, PageDifferences), StoreError> {
        let corrupt = |column| StoreError::corrupt("raffles", column, self.number);
        let page = self.tracking_page.as_deref().map(TrackingPage::read);
        let differences = PageDifferences {
            share_heading: self.share_heading,
            masks_numbers: self.masks_numbers,
            waits_for_user: self.waits_for_user,
            tracking_page: page.transpose().map_err(|_| corrupt("tracking_page"))?,
        };
        Ok((self.key.parse().map_err(|_| corrupt("key"))?, differences))
    }
}

impl PgTx {
    fn load_raffles(&self, query: &str) -> Result<HeldRaffles, StoreError> {
        let rows: Vec<RaffleRow> = self.query(|connection| Prepared(sql_query(query)).load(connection))?;
        // There is at least one raffle: nothing deletes one that was open.
        let since = rows.first().map(|row| row.since);
        let raffles = rows.into_iter().map(Raffle::try_from);
        Ok(HeldRaffles {
            raffles: RaffleList(raffles.collect::<Result<_, _>>()?),
            since: since.ok_or_else(|| StoreError::corrupt("raffles", "number", 0))?,
        })
    }
}
