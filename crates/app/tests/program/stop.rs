//! SIGTERM (D33).

use crate::server::{Connection, Server};
use std::time::{Duration, Instant};

const BODY: &str = r#"{"phoneNumber": "5551234567"}"#;

#[test]
fn an_open_request_is_finished() {
    let mut server = Server::on_new_database(&[]);
    let mut connection = Connection::open(&server);
    connection.send_head_for(BODY);
    connection.send(&BODY[..10]);
    // When each worker has served a later request, the head has been read.
    for _ in 0..8 {
        server.get("/healthz");
    }
    server.signal("TERM");
    server.wait_for_line(|line| line.contains("stopping"));
    connection.send(&BODY[10..]);
    let head = connection.read_until("\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 201"), "{head}");
    let started = Instant::now();
    assert!(server.wait().success());
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(server.log.last().unwrap().contains("stopped"));
}

#[test]
fn idle_connections_do_not_delay_the_stop() {
    let mut server = Server::on_new_database(&[]);
    let mut idle = Connection::open(&server);
    idle.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    idle.read_until("alive");
    let started = Instant::now();
    server.signal("TERM");
    assert!(server.wait().success());
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_body_that_does_not_arrive_gets_408() {
    let server = Server::on_new_database(&[]);
    let mut connection = Connection::open(&server);
    connection.send_head_for(BODY);
    connection.send(&BODY[..10]);
    let answer = connection.read_until("body_timeout");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}
