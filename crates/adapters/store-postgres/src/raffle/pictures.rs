use crate::PgTx;
use crate::named_lock::LockGroup;
use crate::rows::{CountRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Binary, Timestamptz};
use kernel::StoreError;
use raffle::PictureHash;
use raffle::pictures::{
    AddedPicture, MOST_PICTURES, MadePicture, Medium, PictureSummary, Pictures, Size, StoredRendition,
    UNNAMED_LIFE, Withdrawal,
};

const FIND: &str = "SELECT withdrawn_at FROM pictures WHERE hash = $1";

const COUNT: &str = "SELECT count(*) AS n FROM pictures WHERE withdrawn_at IS NULL";

const ADD: &str = "INSERT INTO pictures (hash, added_at, last_named_at) VALUES ($1, $2, $2)";

const ADD_RENDITION: &str = "
INSERT INTO picture_renditions (picture_hash, position, width, height, hash, jpeg) VALUES ($1, $2, $3, $4, $5, $6)";

const RENDITIONS: &str = "
SELECT position, width, height, picture_renditions.hash
FROM picture_renditions JOIN pictures ON pictures.hash = picture_hash
WHERE picture_hash = $1 AND withdrawn_at IS NULL ORDER BY position";

const MEDIUM: &str = "
SELECT jpeg FROM picture_renditions WHERE hash = $1 ORDER BY (jpeg IS NULL), picture_hash LIMIT 1";

const KEEP: &str = "UPDATE pictures SET last_named_at = $2 WHERE hash = $1 AND withdrawn_at IS NULL";

const WITHDRAW: &str = "UPDATE pictures SET withdrawn_at = $2 WHERE hash = $1 AND withdrawn_at IS NULL";

const DROP_BYTES: &str = "UPDATE picture_renditions SET jpeg = NULL WHERE picture_hash = $1";

const KEEP_NAMED: &str = "
UPDATE pictures SET last_named_at = $1
WHERE withdrawn_at IS NULL AND encode(hash, 'hex') IN (SELECT * FROM named_pictures())";

/// A draft that names one meanwhile has moved its time, which is looked at again after waiting for that draft.
const DELETE_UNNAMED: &str = "DELETE FROM pictures WHERE withdrawn_at IS NULL AND last_named_at < $1";

rows! {
    struct PictureRow {
        withdrawn_at: Option<DateTime<Utc>>,
    }

    struct RenditionRow {
        position: i64,
        width: i64,
        height: i64,
        hash: Vec<u8>,
    }

    struct MediumRow {
        jpeg: Option<Vec<u8>>,
    }
}

impl Pictures for PgTx {
    fn add_picture(&mut self, picture: &MadePicture, now: DateTime<Utc>) -> Result<AddedPicture, StoreError> {
        self.lock_name(LockGroup::Pictures, "")?;
        let summary = picture.summary();
        let hash = summary.hash();
        match self.row_of(hash)? {
            Some(row) if row.withdrawn_at.is_some() => return Ok(AddedPicture::Withdrawn),
            Some(_) if self.keep_picture(hash, now)? => return Ok(AddedPicture::Known),
            // A withdrawal or a deletion came between the two.
            Some(_) => return Err(StoreError::Conflict),
            None => {}
        }
        let count: CountRow = self.query(|connection| sql_query(COUNT).get_result(connection))?;
        if count.n >= MOST_PICTURES {
            return Ok(AddedPicture::TooMany);
        }
        let add = sql_query(ADD)
            .bind::<Binary, _>(hash.as_bytes())
            .bind::<Timestamptz, _>(now);
        self.query(|connection| add.execute(connection))?;
        for (position, (made, stored)) in (0..).zip(picture.renditions.iter().zip(summary.renditions())) {
            let add = sql_query(ADD_RENDITION)
                .bind::<Binary, _>(hash.as_bytes())
                .bind::<BigInt, _>(position)
                .bind::<BigInt, _>(i64::from(stored.size.width))
                .bind::<BigInt, _>(i64::from(stored.size.height))
                .bind::<Binary, _>(stored.hash.as_bytes())
                .bind::<Binary, _>(&made.jpeg);
            self.query(|connection| add.execute(connection))?;
        }
        Ok(AddedPicture::New)
    }

    fn find_picture(&self, hash: PictureHash) -> Result<Option<PictureSummary>, StoreError> {
        let query = sql_query(RENDITIONS).bind::<Binary, _>(hash.as_bytes());
        let rows: Vec<RenditionRow> = self.query(|connection| query.load(connection))?;
        let renditions = rows.into_iter().map(StoredRendition::try_from);
        let renditions: Vec<_> = renditions.collect::<Result<_, _>>()?;
        Ok(match renditions.as_slice() {
            &[large, medium, small, link_preview] => Some(PictureSummary {
                pages: [large, medium, small],
                link_preview,
            }),
            [] => None,
            _ => return Err(StoreError::corrupt("picture_renditions", "position", 0)),
        })
    }

    fn find_medium(&self, hash: PictureHash) -> Result<Option<Medium>, StoreError> {
        let query = sql_query(MEDIUM).bind::<Binary, _>(hash.as_bytes());
        let row: Option<MediumRow> = self.query(|connection| query.get_result(connection).optional())?;
        Ok(row.map(|row| row.jpeg.map_or(Medium::Withdrawn, Medium::Jpeg)))
    }

    fn keep_picture(&mut self, hash: PictureHash, now: DateTime<Utc>) -> Result<bool, StoreError> {
        self.change(KEEP, hash, now)
    }

    fn withdraw_picture(&mut self, hash: PictureHash, now: DateTime<Utc>) -> Result<Withdrawal, StoreError> {
        if !self.change(WITHDRAW, hash, now)? {
            let row = self.row_of(hash)?;
            return Ok(row.map_or(Withdrawal::Unknown, |_| Withdrawal::Before));
        }
        let drop_bytes = sql_query(DROP_BYTES).bind::<Binary, _>(hash.as_bytes());
        self.query(|connection| drop_bytes.execute(connection))?;
        Ok(Withdrawal::Done)
    }

    fn delete_unnamed_pictures(&mut self, now: DateTime<Utc>) -> Result<usize, StoreError> {
        let keep = sql_query(KEEP_NAMED).bind::<Timestamptz, _>(now);
        self.query(|connection| keep.execute(connection))?;
        let delete = sql_query(DELETE_UNNAMED).bind::<Timestamptz, _>(now - UNNAMED_LIFE);
        self.query(|connection| delete.execute(connection))
    }
}

impl PgTx {
    fn row_of(&self, hash: PictureHash) -> Result<Option<PictureRow>, StoreError> {
        let query = sql_query(FIND).bind::<Binary, _>(hash.as_bytes());
        self.query(|connection| query.get_result(connection).optional())
    }

    /// Whether the statement changed the picture.
    fn change(&self, statement: &str, hash: PictureHash, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let update = sql_query(statement)
            .bind::<Binary, _>(hash.as_bytes())
            .bind::<Timestamptz, _>(now);
        Ok(self.query(|connection| update.execute(connection))? == 1)
    }
}

impl TryFrom<RenditionRow> for StoredRendition {
    type Error = StoreError;

    fn try_from(row: RenditionRow) -> Result<Self, StoreError> {
        let corrupt = |column| StoreError::corrupt("picture_renditions", column, row.position);
        let [width, height] = [(row.width, "width"), (row.height, "height")]
            .map(|(side, column)| u32::try_from(side).map_err(|_| corrupt(column)));
        Ok(Self {
            size: Size::new(width?, height?),
            hash: PictureHash::new(row.hash.try_into().map_err(|_| corrupt("hash"))?),
        })
    }
}
