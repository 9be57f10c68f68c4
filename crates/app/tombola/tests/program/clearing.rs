//! A clearing that is killed in the middle: the next start ends it.

use crate::server::{Server, wait_for, wait_until};
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::Value;

const ADMIN: [(&str, &str); 3] = [
    ("ADMIN_USERNAME", "anna"),
    ("ADMIN_PASSWORD", "correct horse"),
    ("RATE_LIMITS", "off"),
];

/// Entrants in a chain of referrals, each with an entry for the next one. More than four batches of a clearing.
const CHAIN: &str = "
    WITH entrant AS (
        INSERT INTO users (id, phone_number, referral_code, bonus_entries)
        SELECT n, '+1555' || lpad(n::text, 7, '0'), translate(lpad(n::text, 8, '0'), '0123456789', 'CDFGHJKMNP'),
               CASE WHEN n < 10000 THEN 1 ELSE 0 END
        FROM generate_series(1, 10000) AS n
        ORDER BY n
        RETURNING id, phone_number
    ), numbered AS (
        SELECT id, phone_number, lag(id) OVER (ORDER BY id) AS referrer FROM entrant
    ), referral AS (
        INSERT INTO referrals (referrer_id, referred_user_id, referred_phone_number)
        SELECT referrer, id, phone_number FROM numbered WHERE referrer IS NOT NULL
    )
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT id, 'base', 1, id FROM numbered
    UNION ALL
    SELECT referrer, 'referral', 1, id FROM numbered WHERE referrer IS NOT NULL";
const REFERRALS: i64 = 9_999;

/// Entrants whose counter is not the sum of their ledger.
const UNBALANCED: &str = "
    SELECT count(*) AS n FROM users
    WHERE bonus_entries <> (SELECT coalesce(sum(delta), 0) FROM entry_ledger
                            WHERE user_id = users.id AND kind IN ('referral', 'clearing'))";
const STILL_TO_CLEAR: &str = "SELECT count(*) AS n FROM users WHERE bonus_entries > 0";
/// A statement of the server waits for the row that the test holds.
const WAITING: &str = "
    SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tombola' AND wait_event_type = 'Lock'";

fn json((status, body): (u16, String), expected: u16) -> Value {
    assert_eq!(status, expected, "{body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn a_killed_clearing_is_ended_by_the_next_start() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let mut server = Server::start(&database.url, &ADMIN);
    execute(&mut connection, CHAIN);
    let login = server.post(
        "/api/admin/login",
        r#"{"username": "anna", "password": "correct horse"}"#,
    );
    let token = json(login, 200)["sessionToken"].as_str().unwrap().to_owned();
    let authorization = format!("Bearer {token}");
    let staff = [("Authorization", authorization.as_str())];

    // The clearing stops at an entrant of its fourth batch.
    let mut holder = connect(&database.admin_url);
    execute(&mut holder, "BEGIN");
    execute(
        &mut holder,
        "SELECT 1 FROM users WHERE id = (SELECT id FROM users ORDER BY id OFFSET 7000 LIMIT 1) FOR UPDATE",
    );
    let started = server.send("POST", "/api/admin/clear-referrals", &staff, "");
    let path = format!("/api/admin/jobs/{}", json(started, 202)["jobId"]);
    wait_until(|| {
        number(&mut connection, STILL_TO_CLEAR) == REFERRALS - 6_000 && number(&mut connection, WAITING) > 0
    });
    server.signal("KILL");
    server.wait();

    // What is committed is consistent, and a part is still to do.
    assert_eq!(number(&mut connection, UNBALANCED), 0);
    assert_eq!(number(&mut connection, STILL_TO_CLEAR), REFERRALS - 6_000);
    let server = Server::start(&database.url, &ADMIN);
    let job = json(server.get_with(&path, &staff), 200);
    assert_eq!(job["state"], "running", "{job}");
    assert_eq!(job["deleted"]["bonusEntries"], 6_000, "{job}");

    execute(&mut holder, "ROLLBACK");
    let job = wait_for(|| {
        let job = json(server.get_with(&path, &staff), 200);
        (job["state"] != "running").then_some(job)
    });
    assert_eq!(job["state"], "completed", "{job}");
    assert_eq!(job["deleted"]["referrals"], REFERRALS, "{job}");
    assert_eq!(job["deleted"]["bonusEntries"], REFERRALS, "{job}");
    assert_eq!(job["deletedRows"], job["totalRows"], "{job}");
    assert_eq!(number(&mut connection, UNBALANCED), 0);
    assert_eq!(number(&mut connection, STILL_TO_CLEAR), 0);
    assert_eq!(number(&mut connection, "SELECT count(*) AS n FROM referrals"), 0);
    let audited = "SELECT count(*) AS n FROM admin_audit_log WHERE action = 'clear_referrals'";
    assert_eq!(number(&mut connection, audited), 1, "recorded once");
}
