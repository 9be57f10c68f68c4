//! Drawings with a real database: killed in the middle, and checked from outside.

use crate::server::{PATIENCE, Server, tombola};
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Output;
use std::time::Instant;

const ADMIN: [(&str, &str); 3] = [
    ("ADMIN_USERNAME", "anna"),
    ("ADMIN_PASSWORD", "correct horse"),
    ("RATE_LIMITS", "off"),
];

/// Enough that a drawing takes a while.
const ENTRANTS: &str = "
    WITH entrant AS (
        INSERT INTO users (phone_number, referral_code)
        SELECT '+1555' || lpad(n::text, 7, '0'), translate(lpad(n::text, 8, '0'), '0123456789', 'CDFGHJKMNP')
        FROM generate_series(1, 60000) AS n
        RETURNING id
    )
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT id, 'base', 1, id FROM entrant";

const DRAWING: &str = "
    SELECT count(*) AS n FROM pg_locks
    WHERE relation = 'drawing_audit_logs'::regclass AND mode = 'ShareRowExclusiveLock' AND granted";

fn login(server: &Server) -> String {
    let (status, body) = server.post(
        "/api/admin/login",
        r#"{"username": "anna", "password": "correct horse"}"#,
    );
    assert_eq!(status, 200, "{body}");
    let json: Value = serde_json::from_str(&body).unwrap();
    json["sessionToken"].as_str().unwrap().to_owned()
}

fn perform(server: &Server, token: &str, key: &str) -> Option<(u16, Value)> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        .build()
        .into();
    let request = agent
        .post(server.url("/api/admin/drawing/perform"))
        .header("Content-Type", "application/json")
        .header("Authorization", format!("Bearer {token}"))
        .header("Idempotency-Key", key);
    let mut answer = request
        .send(json!({"landingPage": "garden-bag"}).to_string())
        .ok()?;
    let body = answer.body_mut().read_to_string().ok()?;
    Some((answer.status().as_u16(), serde_json::from_str(&body).ok()?))
}

fn drawing(database: &TestDatabase, arguments: &[&str]) -> Output {
    tombola("drawing", &[("DATABASE_URL", &database.url)])
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_kill_at_any_point_leaves_no_drawing_or_a_whole_one() {
    let database = TestDatabase::new();
    let mut connection = connect(&database.url);
    drop(Server::start(&database.url, &ADMIN));
    execute(&mut connection, ENTRANTS);
    for round in 0..6 {
        let key = format!("round {round}").replace(' ', "-");
        let mut server = Server::start(&database.url, &ADMIN);
        let token = login(&server);
        std::thread::scope(|scope| {
            let answer = scope.spawn(|| perform(&server, &token, &key));
            let started = Instant::now();
            while number(&mut connection, DRAWING) == 0 && !answer.is_finished() {
                assert!(started.elapsed() < PATIENCE);
            }
            // Each round a little later.
            for _ in 0..round * 40 {
                number(&mut connection, DRAWING);
            }
            server.signal("KILL");
        });
        server.wait();
        while number(&mut connection, DRAWING) != 0 {}
        assert_whole(&database, &mut connection);

        let server = Server::start(&database.url, &ADMIN);
        let (status, answer) = perform(&server, &login(&server), &key).unwrap();
        assert_eq!(status, 201, "{answer}");
        assert_eq!(answer["totalParticipants"], 60_000);
        drop(server);
        assert_whole(&database, &mut connection);
        let drawings = number(&mut connection, "SELECT count(*) AS n FROM drawing_results");
        assert_eq!(drawings, round + 1, "asked for again, it is the same drawing");
    }
}

fn assert_whole(database: &TestDatabase, connection: &mut diesel::PgConnection) {
    let log = drawing(database, &["verify-log"]);
    assert!(log.status.success(), "{}", text(&log.stderr));
    for (what, statement) in [
        (
            "chunks of no drawing",
            "SELECT count(*) AS n FROM drawing_chunks WHERE drawing_id NOT IN (SELECT id FROM drawing_results)",
        ),
        (
            "drawings without all of their chunks",
            "SELECT count(*) AS n FROM drawing_results AS result
             WHERE (total_participants + 4095) / 4096
                   <> (SELECT count(*) FROM drawing_chunks WHERE drawing_id = result.id)",
        ),
        (
            "texts too many or too few",
            "SELECT (SELECT count(*) FROM drawing_results) - (SELECT count(*) FROM sms_sent_messages) AS n",
        ),
        (
            "entries of the audit log too many or too few",
            "SELECT (SELECT count(*) FROM drawing_results)
                    - (SELECT count(*) FROM admin_audit_log WHERE action = 'perform_drawing') AS n",
        ),
        (
            "open commitments besides four",
            "SELECT count(*) - 4 AS n FROM drawing_commitments
             WHERE id NOT IN (SELECT commitment_id FROM drawing_results)",
        ),
    ] {
        assert_eq!(number(connection, statement), 0, "{what}");
    }
}

/// Writes an answer of the API into a file.
fn save(server: &Server, path: &str, file: &str, folder: &tempfile::TempDir) -> PathBuf {
    let (status, body) = server.get(path);
    assert_eq!(status, 200, "{body}");
    let file = folder.path().join(file);
    std::fs::write(&file, body).unwrap();
    file
}

#[test]
fn a_proof_is_checked_without_a_database_by_the_program_and_by_python() {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &ADMIN);
    for n in 0..20 {
        assert_eq!(server.register(&format!("55512300{n:02}")).0, 201);
    }
    let (status, answer) = perform(&server, &login(&server), "one").unwrap();
    assert_eq!(status, 201, "{answer}");
    let (folder, id) = (tempfile::tempdir().unwrap(), &answer["id"]);
    let proof = save(
        &server,
        &format!("/api/drawings/{id}/proof"),
        "proof.json",
        &folder,
    );
    let list = save(
        &server,
        &format!("/api/drawings/{id}/entrants"),
        "entrants.csv",
        &folder,
    );
    let (proof_path, list_path) = (proof.to_str().unwrap(), list.to_str().unwrap());
    let verify = |arguments: &[&str]| tombola("drawing", &[]).args(arguments).output().unwrap();

    let right = verify(&["verify", proof_path, "--entrants", list_path]);
    let said = text(&right.stdout);
    assert!(right.status.success(), "{said}{}", text(&right.stderr));
    assert_eq!(
        said.lines().filter(|line| line.starts_with("ok ")).count(),
        7,
        "{said}"
    );
    let phone = answer["winnerPhoneNumber"].as_str().unwrap();
    assert!(
        said.contains(&format!("ending in {}", &phone[phone.len() - 4..])),
        "{said}"
    );
    let alone = verify(&["verify", proof_path]);
    assert!(alone.status.success() && text(&alone.stdout).contains("was not given"));

    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/verify_drawing.py");
    let python = std::process::Command::new("python3")
        .args([script, proof_path, "--entrants", list_path])
        .output()
        .expect("python3 is needed: `make setup` installs it");
    assert!(python.status.success(), "{}", text(&python.stdout));

    let whole = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, whole.replacen(",1,", ",2,", 1)).unwrap();
    let wrong = verify(&["verify", proof_path, "--entrants", list_path]);
    assert!(!wrong.status.success());
    assert!(
        text(&wrong.stderr).contains("FAILED the list"),
        "{}",
        text(&wrong.stderr)
    );
    std::fs::write(&list, whole.trim_end()).unwrap();
    assert!(
        !verify(&["verify", proof_path, "--entrants", list_path])
            .status
            .success()
    );

    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(&proof).unwrap()).unwrap();
    document["winningEntryNumber"] = json!(document["winningEntryNumber"].as_u64().unwrap() % 20 + 1);
    std::fs::write(&proof, document.to_string()).unwrap();
    let wrong = verify(&["verify", proof_path]);
    assert!(
        text(&wrong.stderr).contains("FAILED the winning entry number"),
        "{}",
        text(&wrong.stderr)
    );
    for nonsense in ["", "{}", "[]", "\u{0}"] {
        std::fs::write(&proof, nonsense).unwrap();
        let wrong = verify(&["verify", proof_path]);
        assert!(
            !wrong.status.success() && text(&wrong.stderr).contains("proof"),
            "{nonsense:?}"
        );
    }
    assert!(!verify(&["verify", "no such file"]).status.success());
}

#[test]
fn a_log_that_was_changed_behind_the_databases_back_is_found_out() {
    let database = TestDatabase::new();
    let server = Server::start(&database.url, &ADMIN);
    assert_eq!(server.register("5551234567").0, 201);
    assert_eq!(perform(&server, &login(&server), "one").unwrap().0, 201);
    drop(server);
    let right = drawing(&database, &["verify-log"]);
    assert!(
        text(&right.stdout).starts_with("The log is valid: 6 entries, 1 drawings, last hash "),
        "{right:?}"
    );
    let mut connection = connect(&database.url);
    for (table, change, found) in [
        (
            "drawing_audit_logs",
            "UPDATE drawing_audit_logs SET participant_count = 2 WHERE action = 'drawing_performed'",
            "entry 5 was changed",
        ),
        (
            "drawing_results",
            "UPDATE drawing_results SET winning_entry_number = 1, total_entries = 2",
            "is not what entry 5 says",
        ),
        (
            "drawing_audit_logs",
            "DELETE FROM drawing_audit_logs WHERE id = 3",
            "entry 4 does not follow",
        ),
    ] {
        execute(&mut connection, "BEGIN");
        execute(
            &mut connection,
            &format!("ALTER TABLE {table} DISABLE TRIGGER USER"),
        );
        execute(&mut connection, change);
        execute(&mut connection, "COMMIT");
        let wrong = drawing(&database, &["verify-log"]);
        assert!(!wrong.status.success(), "{change}");
        assert!(text(&wrong.stderr).contains(found), "{}", text(&wrong.stderr));
        if table == "drawing_audit_logs" && found.contains("changed") {
            execute(
                &mut connection,
                "UPDATE drawing_audit_logs SET participant_count = 1 WHERE action = 'drawing_performed'",
            );
        }
        if table == "drawing_results" {
            execute(&mut connection, "UPDATE drawing_results SET total_entries = 1");
        }
    }
}

#[test]
fn a_raffle_whose_seed_cannot_be_opened_any_more_is_named_at_the_start() {
    let database = TestDatabase::new();
    let (old, new) = ("01".repeat(32), "02".repeat(32));
    let start = |keys: &[(&str, &str)]| Server::start(&database.url, &[&ADMIN[..], keys].concat());
    let complaints = |server: &Server| {
        let complaint = |line: &&String| line.contains("ERROR") && line.contains("SECRET_KEY_PREVIOUS");
        server.log.iter().filter(complaint).count()
    };
    assert_eq!(complaints(&start(&[("SECRET_KEY", &old)])), 0);
    assert_eq!(complaints(&start(&[("SECRET_KEY", &new)])), 4);
    let server = start(&[("SECRET_KEY", &new), ("SECRET_KEY_PREVIOUS", &old)]);
    assert_eq!(complaints(&server), 0);
    assert_eq!(server.register("5551234567").0, 201);
    assert_eq!(perform(&server, &login(&server), "one").unwrap().0, 201);
    drop(server);
    let server = start(&[("SECRET_KEY", &new)]);
    assert_eq!(
        complaints(&server),
        3,
        "the next seed was sealed with the new key"
    );
    assert_eq!(perform(&server, &login(&server), "two").unwrap().0, 201);
}
