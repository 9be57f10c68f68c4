//! Which keys the stored secrets need.

use crate::support::{TestDatabase, connect, execute};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Text;
use kernel::UnitOfWork;
use std::collections::BTreeSet;
use store_postgres::Sealed;
use strum::IntoEnumIterator;

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    name: String,
}

/// A new encrypted column is counted too. The account of texts is a setting, and its column has other settings.
#[test]
fn every_column_that_is_encrypted_is_counted() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let commented = "
        SELECT format('%s.%s', attrelid::regclass, attname) AS name FROM pg_attribute
        JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND atttypid = 'bytea'::regtype
            AND col_description(attrelid, attnum) ~* 'encrypted|sealed'";
    let columns: Vec<Column> = sql_query(commented).load(&mut connection).unwrap();
    let columns: BTreeSet<String> = columns.into_iter().map(|column| column.name).collect();
    let counted = Sealed::iter()
        .filter(|kind| *kind != Sealed::SmsAccount)
        .map(|kind| {
            let (table, column) = kind.column();
            format!("{table}.{column}")
        })
        .collect();
    assert_eq!(columns, counted);
}

/// The counts of a kind by the first two bytes, in order.
fn counted(database: &TestDatabase, kind: Sealed) -> Vec<(Vec<u8>, i64)> {
    let counts = database.store().read(|tx| tx.count_sealed(kind, 2)).unwrap();
    let mut counts: Vec<_> = counts.into_iter().map(|count| (count.key, count.count)).collect();
    counts.sort();
    counts
}

#[test]
fn secrets_are_counted_by_their_first_bytes() {
    let database = TestDatabase::new();
    for kind in Sealed::iter() {
        assert_eq!(counted(&database, kind), [], "{kind:?}");
    }
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "INSERT INTO staff_members (name, role, state, totp_secret, created_at)
         SELECT 'm' || n, 'owner', 'active', CASE WHEN n < 4 THEN decode('01' || lpad((n / 2)::text, 2, '0') || '77', 'hex') END, now()
         FROM generate_series(1, 5) AS n",
    );
    execute(
        &mut connection,
        "INSERT INTO system_settings (key, value, category, created_at, updated_at)
         VALUES ('sms_credentials', '01ff8899', 'sms', now(), now())",
    );
    execute(
        &mut connection,
        "INSERT INTO sms_sent_messages (phone_number, kind, status, sealed_body, due_at, created_at)
         VALUES ('+15551234567', 'code', 'pending', '\\x010203', now(), now())",
    );
    assert_eq!(
        counted(&database, Sealed::SecondFactors),
        [(vec![1, 0], 1), (vec![1, 1], 2)]
    );
    assert_eq!(counted(&database, Sealed::SmsAccount), [(vec![1, 255], 1)]);
    assert_eq!(counted(&database, Sealed::Texts), [(vec![1, 2], 1)]);
    execute(
        &mut connection,
        "UPDATE sms_sent_messages SET status = 'delivered'",
    );
    assert_eq!(counted(&database, Sealed::Texts), []);
}
