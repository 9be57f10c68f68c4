//! `people::People`: what staff see and note about entrants.

mod file;
mod import;
mod search;

use crate::PgTx;
use crate::rows::{TextRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Jsonb, Nullable, Text, Timestamptz};
use kernel::{EntrantId, PageRequest, Phone, StoreError};
use people::{
    MarkOutcome, NewMark, NewPerson, Notes, People, PeopleFilter, Person, PersonEdit, PersonRow,
    UnmarkOutcome,
};
use serde_json::{Value, json};
use std::collections::HashSet;

const TAGS: &str = "
SELECT DISTINCT tag AS text FROM user_data_management, jsonb_array_elements_text(tags) AS tag WHERE tags <> '[]' ORDER BY tag";

const EDIT: &str = "
INSERT INTO user_data_management AS noted (user_id, tags, notes, created_at, updated_at)
SELECT id, coalesce($2, '[]'), coalesce($3, ''), $4, $4 FROM users WHERE id = $1 AND erased_at IS NULL
ON CONFLICT ON CONSTRAINT user_data_management_user_id_key
DO UPDATE SET tags = coalesce($2, noted.tags), notes = coalesce($3, noted.notes), updated_at = $4
RETURNING user_id, tags, notes";

/// Whoever changes a mark locks the entries first, in the order of their ids.
const LOCK: &str = "SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";

/// A statement of its own, so that it sees the marks for which the lock had to wait.
const MARKS: &str = "
SELECT users.id, coalesce(noted.is_duplicate, false) AS is_duplicate
FROM users LEFT JOIN user_data_management AS noted ON noted.user_id = users.id
WHERE users.id = ANY($1) AND erased_at IS NULL";

const MARK: &str = "
INSERT INTO user_data_management AS noted
    (user_id, is_duplicate, duplicate_of, merged_at, reason, has_set_flag, created_at, updated_at)
SELECT id, true, $2, $4, $3, NOT is_flagged, $4, $4 FROM users WHERE id = $1
ON CONFLICT ON CONSTRAINT user_data_management_user_id_key
DO UPDATE SET is_duplicate = true, duplicate_of = $2, merged_at = $4, reason = $3,
    has_set_flag = excluded.has_set_flag, updated_at = $4";

const MARK_OF: &str = "
SELECT duplicate_of, has_set_flag FROM user_data_management WHERE user_id = $1 AND is_duplicate FOR UPDATE";

/// Ends the mark of an entry, if it has one. The end of a flag runs it too.
const END_MARK: &str = "
UPDATE user_data_management
SET is_duplicate = false, duplicate_of = NULL, merged_at = NULL, reason = NULL, has_set_flag = false, updated_at = $2
WHERE user_id = $1 AND is_duplicate";

rows! {
    struct NotesRow {
        user_id: i64,
        tags: Value,
        notes: String,
    }

    struct IsDuplicateRow {
        id: i64,
        is_duplicate: bool,
    }

    struct MarkRow {
        duplicate_of: i64,
        has_set_flag: bool,
    }
}

/// Reads the list of tags of an entrant.
fn read_tags(user_id: i64, tags: Value) -> Result<Vec<String>, StoreError> {
    let text = |tag| match tag {
        Value::String(tag) => Some(tag),
        _ => None,
    };
    let list = match tags {
        Value::Array(tags) => tags.into_iter().map(text).collect(),
        _ => None,
    };
    list.ok_or(StoreError::corrupt("user_data_management", "tags", user_id))
}

impl PgTx {
    /// Removes the mark of an entry as a duplicate, if it has one.
    pub(crate) fn end_mark(&self, entrant: EntrantId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let end = sql_query(END_MARK)
            .bind::<BigInt, _>(entrant.get())
            .bind::<Timestamptz, _>(at);
        self.query(|connection| end.execute(connection)).map(drop)
    }

    fn lock_people(&self, ids: &[i64]) -> Result<(), StoreError> {
        let lock = sql_query(LOCK).bind::<Array<BigInt>, _>(ids);
        self.query(|connection| lock.execute(connection)).map(drop)
    }

    /// Why a mark is refused. Both entries are locked.
    fn refusal(&self, mark: &NewMark) -> Result<Option<MarkOutcome>, StoreError> {
        let ids = [mark.duplicate.get(), mark.original.get()];
        let marks = sql_query(MARKS).bind::<Array<BigInt>, _>(ids.as_slice());
        let rows: Vec<IsDuplicateRow> = self.query(|connection| marks.load(connection))?;
        let state = |id: EntrantId| {
            let row = rows.iter().find(|row| row.id == id.get());
            row.map(|row| row.is_duplicate)
        };
        Ok(match (state(mark.duplicate), state(mark.original)) {
            (None, _) => Some(MarkOutcome::UnknownDuplicate),
            _ if mark.duplicate == mark.original => Some(MarkOutcome::Oneself),
            (_, None) => Some(MarkOutcome::UnknownOriginal),
            (Some(true), _) => Some(MarkOutcome::AlreadyMarked),
            (_, Some(true)) => Some(MarkOutcome::OriginalIsDuplicate),
            (Some(false), Some(false)) => None,
        })
    }
}

impl People for PgTx {
    fn list_people(&self, filter: &PeopleFilter, page: PageRequest) -> Result<Vec<PersonRow>, StoreError> {
        self.search(filter, page)
    }

    fn count_people(&self, filter: &PeopleFilter, most: u32) -> Result<i64, StoreError> {
        self.count_matches(filter, most)
    }

    fn find_person_file(&self, id: EntrantId) -> Result<Option<Person>, StoreError> {
        self.read_file(id)
    }

    fn list_tags(&self) -> Result<Vec<String>, StoreError> {
        let rows: Vec<TextRow> = self.query(|connection| sql_query(TAGS).load(connection))?;
        Ok(rows.into_iter().map(|row| row.text).collect())
    }

    fn known_numbers(&self, phones: &[Phone]) -> Result<Vec<Phone>, StoreError> {
        self.find_known(phones)
    }

    fn add_people(
        &mut self,
        people: &[NewPerson],
        batch: &str,
        at: DateTime<Utc>,
    ) -> Result<Vec<Phone>, StoreError> {
        self.add_imported(people, batch, at)
    }

    fn erased_numbers(&self, phones: &HashSet<Phone>) -> Result<Vec<Phone>, StoreError> {
        self.find_erased_numbers(phones)
    }

    fn edit_person(&mut self, edit: &PersonEdit) -> Result<Option<Notes>, StoreError> {
        let query = sql_query(EDIT)
            .bind::<BigInt, _>(edit.entrant.get())
            .bind::<Nullable<Jsonb>, _>(edit.tags.as_ref().map(|tags| json!(tags)))
            .bind::<Nullable<Text>, _>(edit.notes.as_deref())
            .bind::<Timestamptz, _>(edit.at);
        let row: Option<NotesRow> = self.query(|connection| query.get_result(connection).optional())?;
        row.map(|row| {
            Ok(Notes {
                tags: read_tags(row.user_id, row.tags)?,
                notes: row.notes,
            })
        })
        .transpose()
    }

    fn mark_duplicate(&mut self, mark: &NewMark) -> Result<MarkOutcome, StoreError> {
        // Before the rows, as whoever flags does.
        self.begin_writing()?;
        self.lock_people(&[mark.duplicate.get(), mark.original.get()])?;
        if let Some(refusal) = self.refusal(mark)? {
            return Ok(refusal);
        }
        let query = sql_query(MARK)
            .bind::<BigInt, _>(mark.duplicate.get())
            .bind::<BigInt, _>(mark.original.get())
            .bind::<Text, _>(mark.reason.as_str())
            .bind::<Timestamptz, _>(mark.at);
        self.query(|connection| query.execute(connection))?;
        Ok(MarkOutcome::Marked)
    }

    fn unmark_duplicate(
        &mut self,
        duplicate: EntrantId,
        at: DateTime<Utc>,
    ) -> Result<UnmarkOutcome, StoreError> {
        self.begin_writing()?;
        self.lock_people(&[duplicate.get()])?;
        let query = sql_query(MARK_OF).bind::<BigInt, _>(duplicate.get());
        let mark: Option<MarkRow> = self.query(|connection| query.get_result(connection).optional())?;
        let Some(mark) = mark else {
            return Ok(UnmarkOutcome::NotMarked);
        };
        self.end_mark(duplicate, at)?;
        Ok(UnmarkOutcome::Unmarked {
            must_unflag: mark.has_set_flag,
            original: EntrantId::new(mark.duplicate_of),
        })
    }
}
