//! `privacy::Exports`: everything that is stored about a person, row by row.
//!
//! A test walks the schema: each table that can hold something about a person is among [`SOURCES`], and each of its columns
//! is exported or named as left out.

mod sources;

use crate::PgTx;
use crate::rows::{NumberRow, TextRow};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Text};
use kernel::{EntrantId, Phone, StoreError};
use privacy::{ExportedTable, Exports};
use sources::{SOURCES, Source};

pub use sources::left_out;

const NUMBER: &str = "SELECT phone_number FROM users WHERE id = $1 AND erased_at IS NULL";

/// Whose rows are exported.
struct Person {
    id: i64,
    number: String,
    hashes: Vec<Vec<u8>>,
}

impl PgTx {
    fn export_source(&self, source: &Source, person: &Person) -> Result<ExportedTable, StoreError> {
        let query = source.query();
        let export = sql_query(query)
            .bind::<BigInt, _>(person.id)
            .bind::<Text, _>(&person.number)
            .bind::<Array<Binary>, _>(&person.hashes);
        let rows: Vec<TextRow> = self.query(|connection| export.load(connection))?;
        Ok(ExportedTable {
            part: source.part,
            name: source.table,
            about: source.about,
            rows: rows.into_iter().map(|row| row.text).collect(),
        })
    }
}

impl Exports for PgTx {
    fn export_person(&self, entrant: EntrantId) -> Result<Option<Vec<ExportedTable>>, StoreError> {
        let find = sql_query(NUMBER).bind::<BigInt, _>(entrant.get());
        let row: Option<NumberRow> = self.query(|connection| find.get_result(connection).optional())?;
        let number = row.and_then(|row| row.phone_number);
        let Some(phone) = number.as_deref().and_then(Phone::from_e164) else {
            return Ok(None);
        };
        let person = Person {
            id: entrant.get(),
            number: phone.as_e164().to_owned(),
            hashes: self.hashes(&phone),
        };
        let tables = SOURCES.iter().map(|source| self.export_source(source, &person));
        tables.collect::<Result<_, _>>().map(Some)
    }
}
