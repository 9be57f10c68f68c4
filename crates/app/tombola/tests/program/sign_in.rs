//! Signing in to the console with a real password hash, across restarts and servers.

use crate::server::{Server, tombola, wait_until};
use crate::support::TestDatabase;
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const PASSWORD: &str = "a stable with a correct horse";

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

/// Wrong passwords from 200 addresses keep every check of a password busy, and the account slowed down, until `stop`.
/// Counts the answers, and those for which a password was checked.
fn flood(server: &Server, stop: &AtomicBool, answers: &AtomicUsize, checks: &AtomicUsize) {
    std::thread::scope(|threads| {
        for n in 0..200 {
            threads.spawn(move || {
                let address = format!("198.51.100.{n}");
                let names = ["anna".to_owned(), format!("nobody {n}")];
                for name in names.iter().cycle().take(100) {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let body = serde_json::json!({"username": name, "password": "wrong"});
                    let headers = [("X-Forwarded-For", &*address)];
                    let (status, _) = server.send("POST", "/api/admin/login", &headers, &body.to_string());
                    checks.fetch_add(usize::from(status == 401), Ordering::Relaxed);
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
}

#[test]
fn a_flood_from_two_hundred_addresses_does_not_delay_the_browser_of_the_owner() {
    let anna = [
        ("ADMIN_USERNAME", "anna"),
        ("ADMIN_PASSWORD", PASSWORD),
        ("TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let server = Server::on_new_database(&anna);
    let right = serde_json::json!({"username": "anna", "password": PASSWORD}).to_string();
    let sign_in = |cookie: &str, address: &str| {
        let headers = [("Cookie", cookie), ("X-Forwarded-For", address)];
        server.post_for_cookie("/api/admin/login", &headers, &right)
    };
    let (status, cookie) = sign_in("", "203.0.113.7");
    assert_eq!(status, 200);
    let (stop, answers, checks) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|threads| {
        threads.spawn(|| flood(&server, &stop, &answers, &checks));
        wait_until(|| answers.load(Ordering::Relaxed) >= 200);
        let served_meanwhile = || {
            let before = checks.load(Ordering::Relaxed);
            assert_eq!(sign_in(&cookie, "203.0.113.8").0, 200);
            checks.load(Ordering::Relaxed) - before
        };
        // Behind the others each try would have waited for the 32 that queue. On a busy machine some others are served while a try
        // is still on its way.
        let overtakes = (0..10).any(|_| served_meanwhile() < 16);
        let unknown = sign_in("", "203.0.113.9").0;
        stop.store(true, Ordering::Relaxed);
        assert!(overtakes, "the owner waits like the others");
        assert_eq!(unknown, 429, "the account is slowed down for other browsers");
    });
}
