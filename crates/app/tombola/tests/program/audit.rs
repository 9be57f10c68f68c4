//! Verifying the logs with `tombola audit verify` after somebody tampered with the database.

use crate::drawings::{ADMIN, login, perform, text, wait_for_checkpoint};
use crate::server::{Server, tombola};
use crate::support::{TestDatabase, connect, execute};
use diesel::PgConnection;
use diesel::connection::SimpleConnection;
use std::process::Output;

/// A database with entries in both logs. The log of drawings begins with the checkpoint of the day, when the audit log has two.
fn database_with_logs() -> TestDatabase {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &ADMIN);
    let (_, token) = (login(&server), login(&server));
    assert_eq!(server.register("5551234567").0, 201);
    wait_for_checkpoint(&database);
    for key in ["one", "two"] {
        let (status, answer) = perform(&server, &token, key).unwrap();
        assert_eq!(status, 201, "{answer}");
    }
    drop(server);
    database
}

/// Removes the newest entries of the audit log together with the stored end, so that the chain is valid.
const CUT_OFF: &str = "
    SET session_replication_role = replica;
    DELETE FROM admin_audit_log WHERE id > (SELECT max(id) FROM admin_audit_log) - {count};
    UPDATE admin_audit_head SET (last_id, position, hash) =
        (SELECT id, position, hash FROM admin_audit_log ORDER BY id DESC LIMIT 1)";

fn verify(database: &TestDatabase, arguments: &[&str]) -> Output {
    tombola("audit", &[("DATABASE_URL", &database.url)])
        .arg("verify")
        .args(arguments)
        .output()
        .unwrap()
}

/// Tampers as a superuser can: without triggers, and puts everything back.
fn tampered(database: &TestDatabase, connection: &mut PgConnection, tamper: &str, undo: &str) -> String {
    let without_triggers = |connection: &mut PgConnection, sql: &str| {
        let sql = format!("SET session_replication_role = replica; {sql}; RESET session_replication_role");
        connection.batch_execute(&sql).unwrap();
    };
    without_triggers(connection, tamper);
    let output = verify(database, &[]);
    assert!(!output.status.success(), "{tamper}");
    without_triggers(connection, undo);
    let undone = verify(database, &[]);
    assert!(undone.status.success(), "{undo}: {}", text(&undone.stderr));
    text(&output.stderr)
}

/// The last hashes of the audit log and of the log of drawings.
fn heads(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    let head = |line: &str| {
        line.split("last hash ")
            .nth(1)
            .unwrap()
            .trim_end_matches('.')
            .to_owned()
    };
    report.lines().map(head).collect()
}

#[test]
fn changed_deleted_and_inserted_entries_of_the_audit_log_are_named() {
    let database = database_with_logs();
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "CREATE TABLE kept AS SELECT * FROM admin_audit_log",
    );
    let restore = "INSERT INTO admin_audit_log OVERRIDING SYSTEM VALUE SELECT * FROM kept WHERE id = 2";
    for (tamper, undo, fault) in [
        (
            "UPDATE admin_audit_log SET session_id = 99 WHERE id = 2",
            "UPDATE admin_audit_log SET session_id = kept.session_id FROM kept WHERE kept.id = admin_audit_log.id",
            "entry 2 was changed",
        ),
        (
            "UPDATE admin_audit_log SET details = details || '{\"totalEntries\": 7}' WHERE id = 2",
            "UPDATE admin_audit_log SET details = kept.details FROM kept WHERE kept.id = admin_audit_log.id",
            "entry 2 was changed",
        ),
        (
            "UPDATE admin_audit_log AS changed SET action = 'logout', hash = audit_hash(jsonb_populate_record(changed, '{\"action\": \"logout\"}')) WHERE id = 2",
            "UPDATE admin_audit_log SET action = kept.action, hash = kept.hash FROM kept WHERE kept.id = admin_audit_log.id",
            "entry 2 was changed together with its hash: entry 3",
        ),
        (
            "DELETE FROM admin_audit_log WHERE id = 2",
            restore,
            "1 entries are missing before entry 3",
        ),
        (
            "INSERT INTO admin_audit_log OVERRIDING SYSTEM VALUE
             SELECT (jsonb_populate_record(kept, '{\"id\": 77}')).* FROM kept WHERE id = 2",
            "DELETE FROM admin_audit_log WHERE id = 77",
            "entry 77 was inserted",
        ),
        (
            "DELETE FROM admin_audit_log WHERE id = (SELECT max(id) FROM kept)",
            "INSERT INTO admin_audit_log OVERRIDING SYSTEM VALUE SELECT * FROM kept ORDER BY id DESC LIMIT 1",
            "1 entries are missing at the end: entry ",
        ),
    ] {
        let found = tampered(&database, &mut connection, tamper, undo);
        assert!(
            found.contains(&format!("FAILED audit log: the audit log is not valid: {fault}")),
            "{tamper}: {found}"
        );
    }
}

#[test]
fn changed_deleted_and_inserted_entries_of_the_log_of_drawings_are_named() {
    let database = database_with_logs();
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "CREATE TABLE kept AS SELECT * FROM drawing_audit_logs",
    );
    for (tamper, undo, fault) in [
        (
            "UPDATE drawing_audit_logs SET admin_session_id = 99 WHERE id = 2",
            "UPDATE drawing_audit_logs SET admin_session_id = kept.admin_session_id FROM kept WHERE kept.id = drawing_audit_logs.id",
            "entry 2 was changed",
        ),
        (
            "DELETE FROM drawing_audit_logs WHERE id = 2",
            "INSERT INTO drawing_audit_logs SELECT * FROM kept WHERE id = 2",
            "entry 3 does not follow the one before it",
        ),
        (
            "INSERT INTO drawing_audit_logs
             SELECT (jsonb_populate_record(kept, jsonb_build_object('id', 77, 'hash', repeat('a', 64)))).* FROM kept WHERE id = 1",
            "DELETE FROM drawing_audit_logs WHERE id = 77",
            "entry 77 does not follow the one before it",
        ),
    ] {
        let found = tampered(&database, &mut connection, tamper, undo);
        assert!(found.contains(fault), "{tamper}: {found}");
        assert!(found.contains("FAILED log of drawings: "), "{found}");
        assert!(found.contains("ok     audit log: "), "{found}");
    }
}

#[test]
fn a_checkpoint_in_public_shows_that_the_audit_log_was_rewritten() {
    let database = database_with_logs();
    assert!(verify(&database, &[]).status.success());
    let mut connection = connect(&database.admin_url);
    let all_but_the_first = "(SELECT max(id) - min(id) FROM admin_audit_log)";
    connection
        .batch_execute(&CUT_OFF.replace("{count}", all_but_the_first))
        .unwrap();
    let output = verify(&database, &[]);
    assert!(!output.status.success());
    let found = text(&output.stderr);
    assert!(found.contains("ok     audit log: "), "{found}");
    assert!(found.contains("the audit log differs from checkpoint"), "{found}");
}

#[test]
fn an_earlier_head_shows_that_entries_are_missing_at_the_end() {
    let database = database_with_logs();
    let printed = heads(&verify(&database, &[]));
    assert_eq!(printed.len(), 2);
    let both = ["--expect", &printed[0], "--expect", &printed[1]];
    assert!(verify(&database, &both).status.success());
    {
        let server = Server::start(&database.url, &ADMIN);
        login(&server);
    }
    let later = heads(&verify(&database, &both));
    assert_ne!(later[0], printed[0]);
    // Somebody removes the last entry together with the stored end.
    let mut connection = connect(&database.admin_url);
    connection
        .batch_execute(&CUT_OFF.replace("{count}", "1"))
        .unwrap();
    assert!(verify(&database, &both).status.success());
    let expected = verify(&database, &["--expect", &later[0]]);
    assert!(!expected.status.success());
    let found = text(&expected.stderr);
    assert!(
        found.contains(&format!("no entry of a log has the hash {}", later[0])),
        "{found}"
    );
    assert!(!verify(&database, &["--expect", "no hash"]).status.success());
}
