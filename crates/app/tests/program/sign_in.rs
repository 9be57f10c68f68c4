//! Signing in to the console with a real password hash, across restarts and servers.

use crate::server::{Server, tombola};
use crate::support::TestDatabase;
use std::io::Write;
use std::process::Stdio;

const PASSWORD: &str = "correct horse";

/// Runs `tombola admin hash-password` with this input, and returns whether it succeeded and its output.
fn hash_password(input: &str) -> (bool, String) {
    let mut command = tombola("admin", &[]);
    command
        .arg("hash-password")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

fn login(server: &Server, password: &str) -> (u16, String) {
    let body = serde_json::json!({"username": "anna", "password": password});
    server.post("/api/admin/login", &body.to_string())
}

fn token(login: (u16, String)) -> String {
    assert_eq!(login.0, 200, "{}", login.1);
    let json: serde_json::Value = serde_json::from_str(&login.1).unwrap();
    json["sessionToken"].as_str().unwrap().to_owned()
}

fn is_signed_in(server: &Server, token: &str) -> bool {
    match server
        .get_with("/api/admin/audit-log", &[("X-Session-Token", token)])
        .0
    {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

#[test]
fn a_printed_hash_accepts_its_password_and_sessions_survive_a_restart() {
    let (made, hash) = hash_password(&format!("{PASSWORD}\n"));
    assert!(
        made && hash.starts_with("$argon2id$") && hash.ends_with('\n'),
        "{hash}"
    );
    let database = TestDatabase::new();
    let (old, new) = ("01".repeat(32), "02".repeat(32));
    let anna = [
        ("ADMIN_USERNAME", "anna"),
        ("ADMIN_PASSWORD_HASH", hash.trim_end()),
    ];
    let start = |keys: &[(&str, &str)]| Server::start(&database.url, &[&anna[..], keys].concat());

    let server = start(&[("SECRET_KEY", &old)]);
    assert_eq!(login(&server, "wrong").0, 401);
    let token = token(login(&server, PASSWORD));
    assert!(is_signed_in(&server, &token));
    drop(server);
    let server = start(&[("SECRET_KEY", &new), ("SECRET_KEY_PREVIOUS", &old)]);
    assert!(is_signed_in(&server, &token));
    drop(server);
    let server = start(&[("SECRET_KEY", &new)]);
    assert!(!is_signed_in(&server, &token));
}

#[test]
fn failures_count_across_servers_and_restarts() {
    let database = TestDatabase::new();
    let anna = [("ADMIN_USERNAME", "anna"), ("ADMIN_PASSWORD", PASSWORD)];
    let servers = [0, 1].map(|_| Server::start(&database.url, &anna));
    for n in 0..5 {
        assert_eq!(login(&servers[n % 2], "wrong").0, 401);
    }
    assert_eq!(login(&servers[0], PASSWORD).0, 429);
    drop(servers);
    let server = Server::start(&database.url, &anna);
    assert_eq!(login(&server, PASSWORD).0, 429);
}

#[test]
fn without_an_administrator_the_start_warns_and_sign_in_fails() {
    let server = Server::on_new_database(&[]);
    let warned = server
        .log
        .iter()
        .any(|line| line.contains("WARN") && line.contains("ADMIN_USERNAME"));
    assert!(warned, "{:?}", server.log);
    assert_eq!(login(&server, PASSWORD).0, 401);
}

#[test]
fn an_empty_password_is_not_hashed() {
    for input in ["", "\n"] {
        assert_eq!(hash_password(input), (false, String::new()), "{input:?}");
    }
}
