//! What the schema guarantees of entrants' ids.

use crate::support::{TestDatabase, connect, error_of, execute, number};

#[test]
fn a_row_without_an_id_gets_a_random_one_of_52_bits() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    execute(
        &mut connection,
        "INSERT INTO users (phone_number, referral_code)
         SELECT '+' || 15550000000 + n, lpad(n::text, 8, 'C') FROM generate_series(1, 4000) AS n",
    );
    let outside = "SELECT count(*) AS n FROM users WHERE id NOT BETWEEN 1 AND 4503599627370495";
    assert_eq!(number(&mut connection, outside), 0);
    // Each of the 52 bits is set in about half of the rows: 2,000, with a standard deviation of 32.
    let lopsided = "SELECT count(*) AS n FROM (
                        SELECT bit, count(*) FILTER (WHERE (id >> bit) & 1 = 1) AS ones
                        FROM users, generate_series(0, 51) AS bit
                        GROUP BY bit
                    ) AS bits WHERE ones NOT BETWEEN 1700 AND 2300";
    assert_eq!(number(&mut connection, lopsided), 0);
}

#[test]
fn an_id_has_52_bits() {
    let mut connection = connect(&TestDatabase::new().admin_url);
    let insert = |id: &str| {
        format!(
            "INSERT INTO users (id, phone_number, referral_code) VALUES ({id}, '+15551234567', 'CDFG3467')"
        )
    };
    for id in ["0", "-1", "4503599627370496"] {
        let error = error_of(&mut connection, &insert(id));
        assert!(error.contains("users_id_52_bits"), "{error}");
    }
}
