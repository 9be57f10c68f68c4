//! Drawings on a real database: kills during a drawing, and verification by the command and by Python.

use crate::server::{PATIENCE, Server, tombola, wait_until};
use crate::stand_in::StandIn;
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::{Value, json};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::Output;
use std::time::Instant;

pub(crate) const ADMIN: [(&str, &str); 3] = [
    ("ADMIN_USERNAME", "anna"),
    ("ADMIN_PASSWORD", "correct horse"),
    ("RATE_LIMITS", "off"),
];

pub(crate) fn add_entrants(connection: &mut diesel::PgConnection, count: u32) {
    let add = format!(
        "WITH entrant AS (
            INSERT INTO users (phone_number, referral_code)
            SELECT '+1555' || lpad(n::text, 7, '0'), translate(lpad(n::text, 8, '0'), '0123456789', 'CDFGHJKMNP')
            FROM generate_series(1, {count}) AS n
            RETURNING id
        )
        INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT id, 'base', 1, id FROM entrant"
    );
    execute(connection, &add);
}

const RUNNING_DRAWINGS: &str = "
    SELECT count(*) AS n FROM pg_locks
    WHERE relation = 'drawing_turns'::regclass AND mode = 'ShareRowExclusiveLock' AND granted";

pub(crate) fn login(server: &Server) -> String {
    let (status, body) = server.post(
        "/api/admin/login",
        r#"{"username": "anna", "password": "correct horse"}"#,
    );
    assert_eq!(status, 200, "{body}");
    let json: Value = serde_json::from_str(&body).unwrap();
    json["sessionToken"].as_str().unwrap().to_owned()
}

pub(crate) fn perform(server: &Server, token: &str, key: &str) -> Result<(u16, Value), ureq::Error> {
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
    let mut answer = request.send(json!({"landingPage": "garden-bag"}).to_string())?;
    let body = answer.body_mut().read_to_string()?;
    Ok((answer.status().as_u16(), serde_json::from_str(&body).unwrap()))
}

fn drawing(database: &TestDatabase, arguments: &[&str]) -> Output {
    tombola("drawing", &[("DATABASE_URL", &database.url)])
        .args(arguments)
        .output()
        .unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_kill_leaves_either_no_drawing_or_a_complete_one() {
    kill_while_drawing([0, 3]);
}

mod slow {
    #[test]
    fn a_kill_leaves_either_no_drawing_or_a_complete_one() {
        super::kill_while_drawing(0..6);
    }
}

fn kill_while_drawing(moments: impl IntoIterator<Item = u32>) {
    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    drop(Server::start(&database.url, &ADMIN));
    // So many that a drawing takes some time.
    add_entrants(&mut connection, 20_000);
    for (round, moment) in (1..).zip(moments) {
        let key = format!("round-{round}");
        let mut server = Server::start(&database.url, &ADMIN);
        let token = login(&server);
        std::thread::scope(|scope| {
            let response = scope.spawn(|| perform(&server, &token, &key));
            let started = Instant::now();
            while number(&mut connection, RUNNING_DRAWINGS) == 0 && !response.is_finished() {
                assert!(started.elapsed() < PATIENCE);
            }
            // Kill a little later in each round.
            for _ in 0..moment * 40 {
                number(&mut connection, RUNNING_DRAWINGS);
            }
            server.signal("KILL");
        });
        server.wait();
        wait_until(|| number(&mut connection, RUNNING_DRAWINGS) == 0);
        assert_complete(&database, &mut connection);

        let server = Server::start(&database.url, &ADMIN);
        let (status, answer) = perform(&server, &login(&server), &key).unwrap();
        assert_eq!(status, 201, "{answer}");
        assert_eq!(answer["totalParticipants"], 20_000);
        drop(server);
        assert_complete(&database, &mut connection);
        let drawings = number(&mut connection, "SELECT count(*) AS n FROM drawing_results");
        assert_eq!(drawings, round, "the same key returns the same drawing");
    }
}

fn assert_complete(database: &TestDatabase, connection: &mut diesel::PgConnection) {
    let log = drawing(database, &["verify-log"]);
    assert!(log.status.success(), "{}", text(&log.stderr));
    for (fault, statement) in [
        (
            "chunks without a drawing",
            "SELECT count(*) AS n FROM drawing_chunks WHERE drawing_id NOT IN (SELECT id FROM drawing_results)",
        ),
        (
            "drawings without all of their chunks",
            "SELECT count(*) AS n FROM drawing_seals AS seal
             WHERE (total_participants + 4095) / 4096
                   <> (SELECT count(*) FROM drawing_chunks AS chunk WHERE chunk.drawing_id = seal.drawing_id)",
        ),
        (
            "too many or too few texts",
            "SELECT (SELECT count(*) FROM drawing_results) - (SELECT count(*) FROM sms_sent_messages) AS n",
        ),
        (
            "too many or too few audit entries",
            "SELECT (SELECT count(*) FROM drawing_results)
                    - (SELECT count(*) FROM admin_audit_log WHERE action = 'perform_drawing') AS n",
        ),
        (
            "a step that is cut off: without a beacon, all steps are one transaction",
            "SELECT count(*) AS n FROM drawings WHERE status <> 'drawn'",
        ),
    ] {
        assert_eq!(number(connection, statement), 0, "{fault}");
    }
}

/// Writes a response of the API into a file.
pub(crate) fn save(server: &Server, path: &str, file: &str, folder: &tempfile::TempDir) -> PathBuf {
    let (status, body) = server.get(path);
    assert_eq!(status, 200, "{body}");
    let file = folder.path().join(file);
    std::fs::write(&file, body).unwrap();
    file
}

#[test]
fn a_proof_is_verified_without_a_database_by_the_command_and_by_python() {
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

    let valid = verify(&["verify", proof_path, "--entrants", list_path]);
    let stdout = text(&valid.stdout);
    assert!(valid.status.success(), "{stdout}{}", text(&valid.stderr));
    for check in ["announcement", "seal", "seed", "draw", "record", "list"] {
        assert!(
            stdout
                .lines()
                .any(|line| line.starts_with("ok ") && line.contains(check)),
            "{check}: {stdout}"
        );
    }
    assert!(
        stdout.contains("the operator could have known the winner"),
        "{stdout}"
    );
    let phone = answer["winnerPhoneNumber"].as_str().unwrap();
    assert!(
        stdout.contains(&format!("ending in {}", &phone[phone.len() - 4..])),
        "{stdout}"
    );
    let without_list = verify(&["verify", proof_path]);
    assert!(without_list.status.success() && text(&without_list.stdout).contains("was not given"));

    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../scripts/drawing/verify_drawing.py"
    );
    let python = std::process::Command::new("python3")
        .args([script, proof_path, "--entrants", list_path])
        .output()
        .expect("python3 is needed: `make setup` installs it");
    assert!(python.status.success(), "{}", text(&python.stdout));

    let complete = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, complete.replacen(",1,", ",2,", 1)).unwrap();
    let invalid = verify(&["verify", proof_path, "--entrants", list_path]);
    assert!(!invalid.status.success());
    assert!(
        text(&invalid.stderr).contains("FAILED list"),
        "{}",
        text(&invalid.stderr)
    );
    std::fs::write(&list, complete.trim_end()).unwrap();
    assert!(
        !verify(&["verify", proof_path, "--entrants", list_path])
            .status
            .success()
    );

    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(&proof).unwrap()).unwrap();
    document["winningEntryNumber"] = json!(document["winningEntryNumber"].as_u64().unwrap() % 20 + 1);
    std::fs::write(&proof, document.to_string()).unwrap();
    let invalid = verify(&["verify", proof_path]);
    assert!(
        text(&invalid.stderr).contains("FAILED draw"),
        "{}",
        text(&invalid.stderr)
    );
    for nonsense in ["", "{}", "[]", "\u{0}"] {
        std::fs::write(&proof, nonsense).unwrap();
        let invalid = verify(&["verify", proof_path]);
        assert!(
            !invalid.status.success() && text(&invalid.stderr).contains("proof"),
            "{nonsense:?}"
        );
    }
    assert!(!verify(&["verify", "no such file"]).status.success());
}

/// A server on which somebody has entered, and which has written the checkpoint of the day after that: entry 1 of the log.
fn server_with_checkpoint(database: &TestDatabase) -> Server {
    let server = Server::start(&database.url, &ADMIN);
    assert_eq!(server.register("5551234567").0, 201);
    wait_for_checkpoint(database);
    server
}

/// A server writes it within a second after the first entrant.
pub(crate) fn wait_for_checkpoint(database: &TestDatabase) {
    let mut connection = connect(&database.admin_url);
    let checkpoints = "SELECT count(*) AS n FROM drawing_audit_logs WHERE action = 'checkpoint'";
    wait_until(|| number(&mut connection, checkpoints) == 1);
}

#[test]
fn a_tampered_log_is_detected() {
    let database = TestDatabase::new();
    let server = server_with_checkpoint(&database);
    assert_eq!(perform(&server, &login(&server), "one").unwrap().0, 201);
    drop(server);
    let valid = drawing(&database, &["verify-log"]);
    assert!(
        text(&valid.stdout).starts_with("The log is valid: 4 entries, 1 drawings, last hash "),
        "{valid:?}"
    );
    let mut connection = connect(&database.admin_url);
    for (table, change, found) in [
        (
            "drawing_audit_logs",
            "UPDATE drawing_audit_logs SET participant_count = 2 WHERE action = 'drawing_performed'",
            "entry 4 was changed",
        ),
        (
            "drawing_seals",
            "UPDATE drawing_seals SET total_entries = 2",
            "differs from entry 3 of the log",
        ),
        (
            "drawing_audit_logs",
            "DELETE FROM drawing_audit_logs WHERE id = 3",
            "entry 4 does not follow the one before it",
        ),
    ] {
        execute(&mut connection, "BEGIN");
        execute(
            &mut connection,
            &format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
        );
        execute(&mut connection, change);
        execute(&mut connection, "COMMIT");
        let invalid = drawing(&database, &["verify-log"]);
        assert!(!invalid.status.success(), "{change}");
        assert!(text(&invalid.stderr).contains(found), "{}", text(&invalid.stderr));
        if table == "drawing_audit_logs" && found.contains("changed") {
            execute(
                &mut connection,
                "UPDATE drawing_audit_logs SET participant_count = 1 WHERE action = 'drawing_performed'",
            );
        }
        if table == "drawing_seals" {
            execute(&mut connection, "UPDATE drawing_seals SET total_entries = 1");
        }
    }
}

#[test]
fn attack_a_backdated_row_of_the_ledger_differs_from_a_checkpoint() {
    let database = TestDatabase::new();
    let server = server_with_checkpoint(&database);
    assert_eq!(perform(&server, &login(&server), "one").unwrap().0, 201);
    drop(server);
    let mut connection = connect(&database.admin_url);
    let backdated = "INSERT INTO entry_ledger (user_id, kind, delta, cause_id, created_at)
                     SELECT user_id, 'referral', 5, max(id) + 100, now() - interval '1 day' FROM entry_ledger GROUP BY 1";
    // The database sets the time of the row, so it counts from now on.
    execute(&mut connection, backdated);
    let valid = drawing(&database, &["verify-log"]);
    assert!(valid.status.success(), "{valid:?}");

    execute(&mut connection, "ALTER TABLE entry_ledger DISABLE TRIGGER USER");
    execute(&mut connection, backdated);
    let found = drawing(&database, &["verify-log"]);
    assert!(!found.status.success());
    let report = text(&found.stderr);
    assert!(
        report.contains("the ledger differs from checkpoint 1 of the log"),
        "{report}"
    );
}

#[test]
fn attack_a_log_that_was_rewritten_after_somebody_saved_it_is_found() {
    let (database, folder) = (TestDatabase::new(), tempfile::tempdir().unwrap());
    let server = Server::start(&database.url, &ADMIN);
    assert_eq!(server.register("5551234567").0, 201);
    let (_, answer) = perform(&server, &login(&server), "one").unwrap();
    let path = format!("/api/drawings/{}/proof", answer["id"]);
    let proof = save(&server, &path, "proof.json", &folder);
    let copy = save(&server, "/api/drawings/log", "log.jsonl", &folder);
    drop(server);
    let compare = || {
        let arguments = [
            "verify-log",
            copy.to_str().unwrap(),
            "--proof",
            proof.to_str().unwrap(),
        ];
        drawing(&database, &arguments)
    };
    let same = compare();
    let report = text(&same.stdout);
    assert!(same.status.success(), "{same:?}");
    assert!(
        report.contains("its proof fits the copy")
            && report.contains("The server's log has the same entries."),
        "{report}"
    );

    // The server goes on: the copy is the beginning of its log.
    let server = Server::start(&database.url, &ADMIN);
    assert_eq!(perform(&server, &login(&server), "two").unwrap().0, 201);
    drop(server);
    assert!(compare().status.success());

    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "ALTER TABLE drawing_audit_logs DISABLE TRIGGER ALL",
    );
    // The hash stays as it was, so that only the content shows the change.
    execute(
        &mut connection,
        "UPDATE drawing_audit_logs SET participant_count = 9 WHERE id = 2",
    );
    let forked = compare();
    assert!(!forked.status.success());
    assert!(
        text(&forked.stderr).contains("entry 2 is the first that differs"),
        "{forked:?}"
    );
    execute(&mut connection, "DELETE FROM drawing_audit_logs WHERE id >= 2");
    let shortened = compare();
    assert!(!shortened.status.success());
    assert!(
        text(&shortened.stderr).contains("the server does not have entry 2"),
        "{shortened:?}"
    );
}

#[test]
fn the_start_logs_each_announced_drawing_whose_seed_cannot_be_decrypted() {
    let database = TestDatabase::new();
    let (old, new) = ("01".repeat(32), "02".repeat(32));
    let monthly = [("DRAWING_SCHEDULE", "monthly")];
    let start = |keys: &[(&str, &str)]| Server::start(&database.url, &[&ADMIN[..], &monthly, keys].concat());
    let error_count = |server: &mut Server| {
        server.wait_for_line(|line| line.contains("DRAWING_BEACON")); // what comes after the look at the seeds
        let is_key_error = |line: &&String| line.contains("ERROR") && line.contains("SECRET_KEY_PREVIOUS");
        server.log.iter().filter(is_key_error).count()
    };
    let mut connection = connect(&database.admin_url);
    let mut first = start(&[("SECRET_KEY", &old)]);
    assert_eq!(error_count(&mut first), 0);
    let announced = "SELECT count(*) AS n FROM drawings WHERE status = 'announced'";
    wait_until(|| number(&mut connection, announced) == 4);
    drop(first);
    assert_eq!(error_count(&mut start(&[("SECRET_KEY", &new)])), 4);
    let mut server = start(&[("SECRET_KEY", &new), ("SECRET_KEY_PREVIOUS", &old)]);
    assert_eq!(error_count(&mut server), 0);
}

/// A drawing with a beacon is killed after its announcement, after its seal and while it waits: it goes on with the same
/// seed, list and round, and ends in the drawing that anybody can compute.
#[test]
fn a_kill_at_any_step_ends_in_the_same_drawing() {
    let beacon = StandIn::start(
        || {
            stand_ins::kit::StandIn::start(stand_ins::drand::Config {
                period: NonZeroU32::MIN,
                ..stand_ins::drand::Config::default()
            })
        },
        |provider| (provider.url(), provider.stop()),
    );
    let folder = tempfile::tempdir().unwrap();
    let chain = folder.path().join("chain.json");
    std::fs::write(&chain, beacon.get("/control/chain").to_string()).unwrap();
    let chain = chain.to_str().unwrap();
    let settings = [("DRAWING_BEACON", chain), ("DRAWING_DELAY", "10")];
    let start = |database: &TestDatabase| Server::start(&database.url, &[&ADMIN[..], &settings].concat());

    let database = TestDatabase::new();
    let mut connection = connect(&database.admin_url);
    let mut server = start(&database);
    for n in 0..20 {
        assert_eq!(server.register(&format!("55512300{n:02}")).0, 201);
    }
    let (status, sealed) = perform(&server, &login(&server), "one").unwrap();
    assert_eq!((status, &sealed["status"]), (202, &json!("sealed")), "{sealed}");
    server.signal("KILL");
    server.wait();

    let facts = "
        SELECT hashtextextended(drawing_seals::text || (SELECT string_agg(round::text, ',') FROM drawing_announcements), 0) AS n
        FROM drawing_seals";
    let before = number(&mut connection, facts);
    let drawn = "SELECT count(*) AS n FROM drawing_results";
    for _ in 0..3 {
        let mut server = start(&database);
        server.signal("KILL");
        server.wait();
    }
    let server = start(&database);
    wait_until(|| number(&mut connection, drawn) == 1);
    assert_eq!(
        number(&mut connection, facts),
        before,
        "the same seed, list and round"
    );
    let (status, answer) = perform(&server, &login(&server), "one").unwrap();
    assert_eq!((status, &answer["id"]), (201, &sealed["id"]), "{answer}");

    let id = &answer["id"];
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
    let paths = [proof.to_str().unwrap(), list.to_str().unwrap()];
    let arguments = ["verify", paths[0], "--entrants", paths[1], "--chain", chain];
    let verified = tombola("drawing", &[]).args(arguments).output().unwrap();
    assert!(verified.status.success(), "{}", text(&verified.stderr));
    let log = drawing(&database, &["verify-log"]);
    assert!(log.status.success(), "{}", text(&log.stderr));
}
