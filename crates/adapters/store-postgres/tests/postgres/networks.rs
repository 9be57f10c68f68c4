//! Fraud detection over many networks.

use crate::support::{TestDatabase, connect, execute, number};
use analytics::{Folded, Rollups, Settled};
use chrono_tz::Tz;
use diesel::pg::PgConnection;
use fraud::{Detected, Flags, FraudRules};
use kernel::{StoreError, UnitOfWork};
use store_postgres::PgStore;

const RULES: FraudRules = FraudRules {
    accounts_per_network: 3,
    flag_shared_networks: true,
};

/// Adds three accounts on each of these networks.
fn add_networks(connection: &mut PgConnection, first: u32, last: u32) {
    execute(
        connection,
        &format!(
            "INSERT INTO users (phone_number, referral_code, ip_address)
             SELECT '+1555' || lpad((n * 3 + account)::text, 7, '0'), 'C' || upper(lpad(to_hex(n * 3 + account), 7, '0')),
                    ('2001:db8:0:' || to_hex(n) || '::' || account)::inet
             FROM generate_series({first}, {last}) AS n, generate_series(0, 2) AS account"
        ),
    );
}

fn settled(store: &PgStore) -> Settled {
    store
        .transaction::<_, StoreError>(|tx| tx.settle())
        .unwrap()
        .unwrap()
}

fn fold(store: &PgStore) {
    let settled = settled(store);
    while store
        .transaction::<_, StoreError>(|tx| tx.fold(&settled, Tz::UTC))
        .unwrap()
        != Folded::All
    {}
}

fn detect_part(store: &PgStore) -> Detected {
    store
        .transaction::<_, StoreError>(|tx| tx.flag_suspicious(&RULES))
        .unwrap()
}

#[test]
fn many_networks_are_checked_in_parts_and_once() {
    let database = TestDatabase::new();
    let (store, mut connection) = (database.store(), connect(&database.admin_url));
    add_networks(&mut connection, 1, 2_500);
    fold(&store);
    let parts: Vec<_> = (0..4).map(|_| detect_part(&store)).collect();
    let part = |flagged, is_complete| Detected { flagged, is_complete };
    assert_eq!(
        parts,
        [
            part(3_000, false),
            part(3_000, false),
            part(1_500, true),
            part(0, true)
        ]
    );
    let flagged =
        "SELECT count(*) AS n FROM users WHERE is_flagged AND jsonb_array_length(flag_evidence) = 2";
    assert_eq!(
        number(&mut connection, flagged),
        7_500,
        "a shared network and a burst"
    );
    add_networks(&mut connection, 2_501, 2_501);
    fold(&store);
    assert_eq!(detect_part(&store), part(3, true));
}

#[test]
fn networks_are_recounted() {
    let database = TestDatabase::new();
    let (store, mut connection) = (database.store(), connect(&database.admin_url));
    add_networks(&mut connection, 1, 3);
    fold(&store);
    let networks = "SELECT count(*) AS n FROM analytics_networks WHERE accounts = 3";
    assert_eq!(number(&mut connection, networks), 3);
    let differences = || {
        store
            .transaction::<_, StoreError>(|tx| tx.differences(Tz::UTC))
            .unwrap()
    };
    assert_eq!(differences(), [""; 0]);
    execute(
        &mut connection,
        "DELETE FROM analytics_networks WHERE network = '2001:db8:0:1::/64'",
    );
    assert_eq!(differences(), ["analytics_networks: 1 rows differ"]);
    let settled = settled(&store);
    store
        .transaction::<_, StoreError>(|tx| tx.rebuild(&settled, Tz::UTC))
        .unwrap();
    assert_eq!(number(&mut connection, networks), 3);
    assert_eq!(differences(), [""; 0]);
}
