//! Drafts and versions of what raffles say.

use crate::PgTx;
use crate::rows::{read_staff_name, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bytea, Nullable, Text, Timestamptz};
use kernel::{StaffName, StoreError};
use raffle::{Content, Draft, Drafts, RaffleKey, Version, Versions};
use std::collections::BTreeMap;

const FIND_DRAFT: &str =
    "SELECT landing_page, revision, content, saved_at, saved_by FROM raffle_drafts WHERE landing_page = $1";

const LIST_DRAFTS: &str = "SELECT landing_page, revision, content, saved_at, saved_by FROM raffle_drafts";

const LOCK_DRAFT: &str = "
SELECT landing_page, revision, content, saved_at, saved_by FROM raffle_drafts WHERE landing_page = $1 FOR UPDATE";

const SAVE_DRAFT: &str = "
INSERT INTO raffle_drafts (landing_page, revision, content, saved_at, saved_by) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (landing_page) DO UPDATE
SET (revision, content, saved_at, saved_by) = (EXCLUDED.revision, EXCLUDED.content, EXCLUDED.saved_at, EXCLUDED.saved_by)";

const IN_FORCE: &str = "
SELECT landing_page, number, content, published_at, published_by, takes_effect_at FROM raffle_versions
WHERE landing_page = $1 AND takes_effect_at <= $2
ORDER BY number DESC LIMIT 1";

const ALL_IN_FORCE: &str = "
SELECT DISTINCT ON (landing_page) landing_page, number, content, published_at, published_by, takes_effect_at
FROM raffle_versions WHERE takes_effect_at <= $1
ORDER BY landing_page, number DESC";

const NEWEST: &str = "
SELECT DISTINCT ON (landing_page) landing_page, number, content, published_at, published_by, takes_effect_at
FROM raffle_versions ORDER BY landing_page, number DESC";

const LIST: &str = "
SELECT landing_page, number, content, published_at, published_by, takes_effect_at FROM raffle_versions
WHERE landing_page = $1 ORDER BY number DESC";

const ADD: &str = "
INSERT INTO raffle_versions (landing_page, number, content, hash, published_at, published_by, takes_effect_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)";

rows! {
    struct DraftRow {
        landing_page: String,
        revision: i64,
        content: String,
        saved_at: DateTime<Utc>,
        saved_by: Option<String>,
    }

    struct VersionRow {
        landing_page: String,
        number: i64,
        content: String,
        published_at: DateTime<Utc>,
        published_by: Option<String>,
        takes_effect_at: DateTime<Utc>,
    }

    struct BytesRow {
        content: String,
    }
}

impl TryFrom<DraftRow> for Draft {
    type Error = StoreError;

    fn try_from(row: DraftRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("raffle_drafts", column, row.revision);
        Ok(Self {
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            revision: row.revision,
            content: Content::read(&row.content).map_err(|_| corrupt("content"))?,
            saved_at: row.saved_at,
            saved_by: read_staff_name(row.saved_by.as_deref()).ok_or_else(|| corrupt("saved_by"))?,
        })
    }
}

impl TryFrom<VersionRow> for Version {
    type Error = StoreError;

    fn try_from(row: VersionRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("raffle_versions", column, row.number);
        Ok(Self {
            raffle: row.landing_page.parse().map_err(|_| corrupt("landing_page"))?,
            number: row.number,
            content: Content::read(&row.content).map_err(|_| corrupt("content"))?,
            published_at: row.published_at,
            published_by: read_staff_name(row.published_by.as_deref())
                .ok_or_else(|| corrupt("published_by"))?,
            takes_effect_at: row.takes_effect_at,
        })
    }
}

impl Drafts for PgTx {
    fn find_draft(&self, raffle: RaffleKey) -> Result<Option<Draft>, StoreError> {
        self.load_draft(FIND_DRAFT, raffle)
    }

    fn list_drafts(&self) -> Result<BTreeMap<RaffleKey, Draft>, StoreError> {
        let rows: Vec<DraftRow> = self.query(|connection| sql_query(LIST_DRAFTS).load(connection))?;
        let drafts = rows.into_iter().map(Draft::try_from);
        drafts
            .map(|draft| draft.map(|draft| (draft.raffle, draft)))
            .collect()
    }

    fn lock_draft(&mut self, raffle: RaffleKey) -> Result<Option<Draft>, StoreError> {
        self.load_draft(LOCK_DRAFT, raffle)
    }

    fn save_draft(&mut self, draft: &Draft) -> Result<(), StoreError> {
        let save = sql_query(SAVE_DRAFT)
            .bind::<Text, _>(draft.raffle.as_str())
            .bind::<BigInt, _>(draft.revision)
            .bind::<Text, _>(draft.content.bytes())
            .bind::<Timestamptz, _>(draft.saved_at)
            .bind::<Nullable<Text>, _>(draft.saved_by.as_ref().map(StaffName::as_str));
        self.query(|connection| save.execute(connection)).map(drop)
    }
}

impl Versions for PgTx {
    fn version_in_force(&self, raffle: RaffleKey, at: DateTime<Utc>) -> Result<Option<Version>, StoreError> {
        let query = sql_query(IN_FORCE)
            .bind::<Text, _>(raffle.as_str())
            .bind::<Timestamptz, _>(at);
        let row: Option<VersionRow> = self.query(|connection| query.get_result(connection).optional())?;
        row.map(Version::try_from).transpose()
    }

    fn versions_in_force(&self, at: DateTime<Utc>) -> Result<BTreeMap<RaffleKey, Version>, StoreError> {
        let query = sql_query(ALL_IN_FORCE).bind::<Timestamptz, _>(at);
        by_raffle(self.query(|connection| query.load(connection))?)
    }

    fn newest_versions(&self) -> Result<BTreeMap<RaffleKey, Version>, StoreError> {
        by_raffle(self.query(|connection| sql_query(NEWEST).load(connection))?)
    }

    fn list_versions(&self, raffle: RaffleKey) -> Result<Vec<Version>, StoreError> {
        let query = sql_query(LIST).bind::<Text, _>(raffle.as_str());
        let rows: Vec<VersionRow> = self.query(|connection| query.load(connection))?;
        rows.into_iter().map(Version::try_from).collect()
    }

    fn version_bytes(&self, raffle: RaffleKey, number: i64) -> Result<Option<String>, StoreError> {
        let query = sql_query("SELECT content FROM raffle_versions WHERE landing_page = $1 AND number = $2")
            .bind::<Text, _>(raffle.as_str())
            .bind::<BigInt, _>(number);
        let row: Option<BytesRow> = self.query(|connection| query.get_result(connection).optional())?;
        Ok(row.map(|row| row.content))
    }

    fn add_version(&mut self, version: &Version) -> Result<(), StoreError> {
        let add = sql_query(ADD)
            .bind::<Text, _>(version.raffle.as_str())
            .bind::<BigInt, _>(version.number)
            .bind::<Text, _>(version.content.bytes())
            .bind::<Bytea, _>(version.content.hash().to_vec())
            .bind::<Timestamptz, _>(version.published_at)
            .bind::<Nullable<Text>, _>(version.published_by.as_ref().map(StaffName::as_str))
            .bind::<Timestamptz, _>(version.takes_effect_at);
        self.query(|connection| add.execute(connection)).map(drop)
    }
}

fn by_raffle(rows: Vec<VersionRow>) -> Result<BTreeMap<RaffleKey, Version>, StoreError> {
    let versions = rows.into_iter().map(Version::try_from);
    versions
        .map(|version| version.map(|version| (version.raffle, version)))
        .collect()
}

impl PgTx {
    fn load_draft(&self, query: &str, raffle: RaffleKey) -> Result<Option<Draft>, StoreError> {
        let query = sql_query(query).bind::<Text, _>(raffle.as_str());
        let row: Option<DraftRow> = self.query(|connection| query.get_result(connection).optional())?;
        row.map(Draft::try_from).transpose()
    }
}
