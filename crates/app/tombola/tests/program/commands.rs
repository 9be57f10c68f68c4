//! Commands for operators: `--version`, `health`, `init`, `verify` and `retention run`.

use crate::server::{Server, tombola};
use crate::support::{TestDatabase, connect, execute, number};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn verify(database: &TestDatabase) -> Output {
    tombola("verify", &[("DATABASE_URL", &database.url)])
        .output()
        .unwrap()
}

#[test]
fn the_version_is_that_of_the_workspace() {
    let output = tombola("--version", &[]).output().unwrap();
    assert_eq!(
        text(&output.stdout),
        format!("tombola {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn health_follows_the_running_server() {
    let mut server = Server::on_new_database(&[]);
    let address = server.address.clone();
    let health = |check: &str| {
        tombola("health", &[("BIND_ADDR", &address)])
            .arg(check)
            .output()
            .unwrap()
    };
    for check in ["alive", "ready"] {
        let output = health(check);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(check));
    }
    server.signal("TERM");
    server.wait();
    let output = health("ready");
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("no answer from"));
}

#[test]
fn init_writes_a_file_with_which_the_server_starts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("site.env");
    let init = |answers: &str| {
        let mut child = tombola("init", &[])
            .args(["--for", "systemd", "--output", file.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(answers.as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap()
    };
    assert!(!init("localhost\n").status.success());
    assert!(!file.exists());
    let output = init(
        "raffle.example.org\nhello@example.org\nExample Gardens, Inc.\n12 Elm Street, Springfield, IL 62701\nalex\ncorrect horse battery\n",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("correct horse"));

    let values: Vec<(String, String)> = dotenvy::from_path_iter(&file)
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let database = TestDatabase::new();
    let keep = |(name, _): &&(String, String)| {
        !["BIND_ADDR", "DATABASE_URL", "METRICS_ADDR"].contains(&name.as_str())
    };
    let variables: Vec<(&str, &str)> = values
        .iter()
        .filter(keep)
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let server = Server::start(&database.url, &variables);
    let sign_in = |password: &str| {
        let body = format!(r#"{{"username": "alex", "password": "{password}"}}"#);
        server.post("/api/admin/login", &body).0
    };
    assert_eq!(sign_in("correct horse battery"), 200);
    assert_eq!(sign_in("correct horse batterie"), 401);
}

#[test]
fn verify_checks_the_ledger_the_roll_ups_and_the_log() {
    let database = TestDatabase::new();
    {
        let server = Server::start(&database.url, &[]);
        assert_eq!(server.register("5551234567").0, 201);
    }
    let good = verify(&database);
    assert!(good.status.success(), "{}", text(&good.stderr));
    let lines = text(&good.stdout);
    for check in [
        "ok     ledger: ",
        "ok     roll-ups: ",
        "ok     log of drawings: ",
        "ok     audit log: ",
    ] {
        assert!(lines.contains(check), "{lines}");
    }

    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "UPDATE users SET bonus_entries = bonus_entries + 1",
    );
    let bad = verify(&database);
    assert!(!bad.status.success());
    let lines = text(&bad.stderr);
    assert!(
        lines.contains("FAILED ledger: the entries of 1 entrants differ"),
        "{lines}"
    );
    assert!(lines.contains("ok     log of drawings: "), "{lines}");
}

#[test]
fn retention_erases_old_addresses_and_says_how_many() {
    let database = TestDatabase::new();
    {
        let server = Server::start(&database.url, &[]);
        assert_eq!(server.register("5551234567").0, 201);
        assert_eq!(server.register("5551234568").0, 201);
    }
    let mut connection = connect(&database.admin_url);
    execute(
        &mut connection,
        "UPDATE users SET ip_address = '192.0.2.7', created_at = now() - interval '31 days'
         WHERE sequence_number = (SELECT min(sequence_number) FROM users)",
    );
    let settings = [("DATABASE_URL", database.url.as_str()), ("RETENTION_DAYS", "30")];
    let rebuilt = tombola("analytics", &settings).arg("rebuild").output().unwrap();
    assert!(rebuilt.status.success(), "{}", text(&rebuilt.stderr));
    let run = tombola("retention", &settings).arg("run").output().unwrap();
    assert!(run.status.success(), "{}", text(&run.stderr));
    assert!(
        text(&run.stdout).contains("\nsignUps: 1\n"),
        "{}",
        text(&run.stdout)
    );
    let addresses = "SELECT count(*) AS n FROM users WHERE ip_address = '192.0.2.7'";
    assert_eq!(number(&mut connection, addresses), 0);
    let months = "SELECT count(*) AS n FROM pg_inherits WHERE inhparent = 'page_views'::regclass";
    assert!(
        number(&mut connection, months) >= 6,
        "the server made the months to come"
    );
    assert!(verify(&database).status.success());
}

/// The program has no shell in its image, so a probe is the program itself: it must not need the settings of the server.
#[test]
fn health_needs_no_settings() {
    let output = Command::new(env!("CARGO_BIN_EXE_tombola"))
        .args(["health", "alive"])
        .env_clear()
        .env("BIND_ADDR", "127.0.0.1:1")
        .output()
        .unwrap();
    assert!(text(&output.stderr).contains("127.0.0.1:1"));
}
