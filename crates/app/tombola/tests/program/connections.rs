//! Limits of connections, with real sockets.

use crate::server::{PATIENCE, Server, wait_until};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often a slow reader reads.
const DRIP: Duration = Duration::from_millis(100);

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Whether a request on this connection is answered. The connection stays open.
fn is_answered(stream: &mut TcpStream) -> bool {
    if stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        .is_err()
    {
        return false;
    }
    let mut answer = Vec::new();
    while !answer.ends_with(b"}") {
        let mut byte = [0];
        match stream.read(&mut byte) {
            Ok(1) => answer.extend(byte),
            _ => return false,
        }
    }
    answer.starts_with(b"HTTP/1.1 200")
}

#[test]
fn connections_that_read_nothing_or_next_to_nothing_are_closed() {
    let variables = [
        ("WRITE_TIMEOUT_SECONDS", "1"),
        ("RUST_LOG", "info,tombola::connections=debug"),
    ];
    let mut server = Server::on_new_database(&variables);
    // More than the buffers of both sockets hold.
    let requests = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(64);
    let mut streams: Vec<_> = (0..20).map(|_| connect(&server)).collect();
    for stream in &mut streams {
        stream.write_all(&requests).unwrap();
    }
    // Half of them read a little now and then.
    let drippers: Vec<_> = streams.split_off(10);
    let (stop, stopped) = channel::<()>();
    let dripping = std::thread::spawn(move || {
        while stopped.recv_timeout(DRIP) == Err(RecvTimeoutError::Timeout) {
            for mut stream in &drippers {
                let _ = stream.read(&mut [0; 100]);
            }
        }
    });
    for _ in 0..20 {
        server.wait_for_line(|line| line.contains("reset a connection that reads too little"));
    }
    drop(stop);
    dripping.join().unwrap();
    for mut stream in streams {
        // It ends, and before all answers.
        let mut received = Vec::new();
        let _ = stream.read_to_end(&mut received);
        let answers = received
            .windows(12)
            .filter(|bytes| *bytes == b"HTTP/1.1 200")
            .count();
        assert!(answers < 64, "{answers}");
    }
    assert_eq!(server.get("/healthz").0, 200);
}

#[test]
fn an_address_has_a_limited_number_of_connections() {
    let server = Server::on_new_database(&[("CONNECTIONS_PER_ADDRESS", "4")]);
    let mut streams: Vec<_> = (0..4).map(|_| connect(&server)).collect();
    assert!(streams.iter_mut().all(is_answered));
    assert!(!is_answered(&mut connect(&server)));
    assert!(streams.iter_mut().all(is_answered), "kept connections go on");
    streams.pop();
    // The server frees the place when it notices that the connection is closed.
    wait_until(|| is_answered(&mut connect(&server)));
}

#[test]
fn a_trusted_proxy_has_any_number_of_connections() {
    let variables = [("CONNECTIONS_PER_ADDRESS", "1"), ("TRUSTED_PROXIES", "127.0.0.1")];
    let server = Server::on_new_database(&variables);
    let mut streams: Vec<_> = (0..10).map(|_| connect(&server)).collect();
    assert!(streams.iter_mut().all(is_answered));
}

#[test]
fn a_provider_may_open_many_connections_at_once() {
    const COUNT: usize = 300;
    let server = Server::on_new_database(&[("TRUSTED_PROXIES", "127.0.0.1")]);
    // The server accepts none of them meanwhile, so all of them wait. More than the queue holds would not be connected.
    server.signal("STOP");
    let address = server.address.parse().unwrap();
    let streams: Result<Vec<_>, _> = (0..COUNT)
        .map(|_| TcpStream::connect_timeout(&address, PATIENCE / 2))
        .collect();
    server.signal("CONT");
    let mut streams = streams.unwrap();
    for stream in &streams {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
    }
    assert!(streams.iter_mut().all(is_answered));
}
