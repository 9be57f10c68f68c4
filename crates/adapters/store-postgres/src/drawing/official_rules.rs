//! `drawing::rules::OfficialRules`.

use crate::PgTx;
use crate::schema::official_rules;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use drawing::rules::{OfficialRules, Rules, RulesHead, RulesStamp};
use drawing::{Hash, Period};
use kernel::StoreError;

/// A version without its text.
#[derive(Queryable, Selectable)]
#[diesel(table_name = official_rules)]
struct HeadRow {
    version: i64,
    from_period: String,
    hash: Vec<u8>,
    created_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = official_rules)]
struct Row {
    #[diesel(embed)]
    head: HeadRow,
    text: String,
}

impl TryFrom<HeadRow> for RulesHead {
    type Error = StoreError;

    fn try_from(row: HeadRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("official_rules", column, row.version);
        let hash = row.hash.as_slice().try_into().map_err(|_| corrupt("hash"))?;
        Ok(Self {
            stamp: RulesStamp {
                version: u32::try_from(row.version).map_err(|_| corrupt("version"))?,
                hash: Hash::new(hash),
            },
            from: row.from_period.parse().map_err(|_| corrupt("from_period"))?,
            at: row.created_at,
        })
    }
}

impl TryFrom<Row> for Rules {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            head: row.head.try_into()?,
            text: row.text,
        })
    }
}

impl OfficialRules for PgTx {
    fn add_rules(&mut self, rules: &Rules) -> Result<bool, StoreError> {
        let RulesHead { stamp, from, at } = rules.head;
        let row = (
            official_rules::version.eq(i64::from(stamp.version)),
            official_rules::from_period.eq(from.to_string()),
            official_rules::hash.eq(stamp.hash.as_bytes().as_slice()),
            official_rules::text.eq(&rules.text),
            official_rules::created_at.eq(at),
        );
        let insert = diesel::insert_into(official_rules::table)
            .values(row)
            .on_conflict_do_nothing();
        Ok(self.query(|connection| insert.execute(connection))? == 1)
    }

    fn newest_rules(&self) -> Result<Option<Rules>, StoreError> {
        let query = official_rules::table
            .order(official_rules::version.desc())
            .select(Row::as_select());
        let row = self.query(|connection| query.first(connection).optional())?;
        row.map(Rules::try_from).transpose()
    }

    fn find_rules(&self, version: u32) -> Result<Option<Rules>, StoreError> {
        let query = official_rules::table
            .find(i64::from(version))
            .select(Row::as_select());
        let row = self.query(|connection| query.first(connection).optional())?;
        row.map(Rules::try_from).transpose()
    }

    fn rules_of(&self, period: Period) -> Result<Option<Rules>, StoreError> {
        let query = official_rules::table
            .filter(official_rules::from_period.le(period.to_string()))
            .order(official_rules::version.desc())
            .select(Row::as_select());
        let row = self.query(|connection| query.first(connection).optional())?;
        row.map(Rules::try_from).transpose()
    }

    fn rules_stamp_of(&self, period: Period) -> Result<Option<RulesStamp>, StoreError> {
        let query = official_rules::table
            .filter(official_rules::from_period.le(period.to_string()))
            .order(official_rules::version.desc())
            .select(HeadRow::as_select());
        let row = self.query(|connection| query.first(connection).optional())?;
        Ok(row.map(RulesHead::try_from).transpose()?.map(|head| head.stamp))
    }

    fn list_rules(&self) -> Result<Vec<RulesHead>, StoreError> {
        let query = official_rules::table
            .order(official_rules::version.desc())
            .select(HeadRow::as_select());
        let rows = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(RulesHead::try_from).collect()
    }
}
