//! A database that hangs or is missing.

use crate::proxy::Proxy;
use crate::server::{Server, wait_until};
use crate::support::TestDatabase;
use std::time::{Duration, Instant};
use web::DEADLINE;

/// Added to a limit, because these tests run on busy machines too.
const BUSY: Duration = Duration::from_secs(10);

#[test]
fn while_the_database_hangs_every_request_gets_503_within_three_seconds() {
    let proxy = Proxy::to(&TestDatabase::new().url);
    let server = Server::start(&proxy.url, &[("DATABASE_POOL_SIZE", "2"), ("RATE_LIMITS", "off")]);
    assert_eq!(server.register("5551234567").0, 201);
    proxy.set_frozen(true);
    assert!(DEADLINE < Duration::from_secs(3));
    // More requests than connections: some hang, some wait for a connection, some wait for a new one.
    std::thread::scope(|scope| {
        for n in 0..8 {
            let server = &server;
            scope.spawn(move || {
                let started = Instant::now();
                let (status, body) = if n % 2 == 0 {
                    server.register("5557654321")
                } else {
                    server.get("/api/users/1")
                };
                assert_eq!(status, 503, "{body}");
                // A request that waits for a thread until its deadline learns that the server is busy.
                assert!(body.contains("unavailable") || body.contains("busy"), "{body}");
                assert!(started.elapsed() < DEADLINE + BUSY, "{:?}", started.elapsed());
            });
        }
    });
    wait_until(|| server.get("/readyz/writes").0 == 503);
    let (status, body) = server.get("/readyz");
    assert_eq!(status, 200, "pages need no database");
    assert!(body.contains(r#""writes":"unavailable""#), "{body}");
    assert_eq!(server.get("/healthz").0, 200);
    proxy.set_frozen(false);
    wait_until(|| server.get("/readyz/writes").0 == 200);
    assert_eq!(server.register("5551234567").0, 200);
}

#[test]
fn without_a_database_the_start_fails_with_the_reason() {
    let url = "postgresql://nobody@localhost/nothing?host=/nowhere";
    let output = crate::server::tombola("serve", &[("DATABASE_URL", url)])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.starts_with("tombola: cannot read the migrations of the database: the store is not available"),
        "{error}"
    );
}
