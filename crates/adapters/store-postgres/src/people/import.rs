//! Adding imported people, many with one statement.

use crate::PgTx;
use crate::rows::rows;
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Binary, Text, Timestamptz};
use kernel::{Phone, StoreError};
use people::NewPerson;
use raffle::{Entries, EntryKind};

const KNOWN: &str = "SELECT id, phone_number FROM users WHERE phone_number = ANY ($1)";

/// Takes the advisory lock of `append_lock.rs` before the new rows get their sequence numbers, as `sql/add_entrant.sql` does.
const ADD: &str = "
WITH writing AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared(7266209184103)
), input AS (
    SELECT person.* FROM writing, unnest($1, $2, $3, $4, $5, $6, $7)
        WITH ORDINALITY AS person (id, phone_number, referral_code, landing_page, person_salt, person_tag, basis, place)
), added AS (
    INSERT INTO users (id, phone_number, referral_code, landing_page, person_salt, person_tag, created_at, base_entries)
    SELECT id, phone_number, referral_code, landing_page, person_salt, person_tag, $9, $10 FROM input ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id, phone_number
), imported_entry AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT id, $11, $10, id FROM added
), noted AS (
    INSERT INTO user_data_management
        (user_id, data_source, import_batch_id, consent_basis, created_at, updated_at)
    SELECT added.id, 'import', $8, basis, $9, $9 FROM added JOIN input USING (id)
)
SELECT id, phone_number FROM added";

rows! {
    struct NumberRow {
        id: i64,
        phone_number: String,
    }
}

fn numbers(rows: Vec<NumberRow>) -> Result<Vec<Phone>, StoreError> {
    let read = |row: NumberRow| {
        Phone::from_e164(&row.phone_number).ok_or(StoreError::corrupt("users", "phone_number", row.id))
    };
    rows.into_iter().map(read).collect()
}

impl PgTx {
    pub(super) fn find_known(&self, phones: &[Phone]) -> Result<Vec<Phone>, StoreError> {
        let given: Vec<&str> = phones.iter().map(Phone::as_e164).collect();
        let find = sql_query(KNOWN).bind::<Array<Text>, _>(&given);
        numbers(self.query(|connection| find.load(connection))?)
    }

    pub(super) fn add_imported(
        &mut self,
        people: &[NewPerson],
        batch: &str,
        at: DateTime<Utc>,
    ) -> Result<Vec<Phone>, StoreError> {
        let texts = |of: fn(&NewPerson) -> &str| people.iter().map(of).collect::<Vec<_>>();
        let ids: Vec<i64> = people.iter().map(|person| person.id.get()).collect();
        let salts: Vec<&[u8]> = people
            .iter()
            .map(|person| person.salt.as_bytes().as_slice())
            .collect();
        let tags: Vec<Vec<u8>> = people
            .iter()
            .map(|person| person.tag().as_bytes().to_vec())
            .collect();
        let add = sql_query(ADD)
            .bind::<Array<BigInt>, _>(&ids)
            .bind::<Array<Text>, _>(texts(|person| person.phone.as_e164()))
            .bind::<Array<Text>, _>(texts(|person| person.referral_code.as_str()))
            .bind::<Array<Text>, _>(texts(|person| person.raffle.as_str()))
            .bind::<Array<Binary>, _>(&salts)
            .bind::<Array<Binary>, _>(&tags)
            .bind::<Array<Text>, _>(texts(|person| person.consent_basis.as_str()))
            .bind::<Text, _>(batch)
            .bind::<Timestamptz, _>(at)
            .bind::<BigInt, _>(Entries::NEW.base)
            .bind::<Text, _>(EntryKind::Imported.as_str());
        numbers(self.query(|connection| add.load(connection))?)
    }
}
