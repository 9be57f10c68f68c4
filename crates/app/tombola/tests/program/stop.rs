//! SIGTERM.

use crate::server::{Connection, PATIENCE, Server};
use std::sync::mpsc::channel;
use std::thread;

const BODY: &str = r#"{"phoneNumber": "5551234567"}"#;

/// It waits for open requests, and ends none of them because its time is over.
fn assert_stops_by_itself(server: &mut Server) {
    assert!(server.wait().success());
    assert!(!server.has_logged("some requests did not end in time"));
    assert!(server.log.last().unwrap().contains("stopped"));
}

#[test]
fn an_open_request_is_finished() {
    let mut server = Server::on_new_database(&[]);
    let mut connection = Connection::open(&server);
    connection.send_head_for(BODY);
    connection.send(&BODY[..10]);
    server.signal("TERM");
    server.wait_for_line(|line| line.contains("stopping"));
    connection.send(&BODY[10..]);
    let head = connection.read_until("\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 201"), "{head}");
    assert_stops_by_itself(&mut server);
}

#[test]
fn idle_connections_do_not_delay_the_stop() {
    let mut server = Server::on_new_database(&[]);
    let mut idle = Connection::open(&server);
    idle.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    idle.read_until("alive");
    server.signal("TERM");
    assert_stops_by_itself(&mut server);
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

/// Longer than any test waits: the tests end it with SIGINT.
const LONG_DRAIN: [(&str, &str); 1] = [("DRAIN_SECONDS", "300")];

#[test]
fn while_it_drains_the_server_is_not_ready_and_still_answers() {
    let mut server = Server::on_new_database(&LONG_DRAIN);
    assert_eq!(server.get("/readyz").0, 200);
    server.signal("TERM");
    server.wait_for_line(|line| line.contains("draining"));
    let (status, body) = server.get("/readyz");
    assert_eq!(status, 503);
    assert!(body.contains("stopping"), "{body}");
    assert_eq!(server.register("5551234567").0, 201);
    server.signal("INT");
    assert!(server.wait().success());
}

#[test]
fn no_kept_connection_loses_an_answer_when_the_server_stops() {
    let mut server = Server::on_new_database(&LONG_DRAIN);
    let connections: Vec<_> = (0..32).map(|_| Connection::open(&server)).collect();
    let (answered, answers) = channel();
    let clients: Vec<_> = connections
        .into_iter()
        .map(|mut connection| {
            let answered = answered.clone();
            // Requests one after the other, until an answer says that the connection ends.
            thread::spawn(move || {
                loop {
                    connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
                    let answer = connection.read_until("}").to_lowercase();
                    let _ = answered.send(());
                    if answer.contains("connection: close") {
                        break;
                    }
                }
            })
        })
        .collect();
    for _ in 0..clients.len() * 4 {
        answers.recv_timeout(PATIENCE).unwrap();
    }
    server.signal("TERM");
    for client in clients {
        client.join().unwrap();
    }
    server.signal("INT");
    assert!(server.wait().success());
}
