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

/// Calls whose answers nobody reads.
#[cfg(target_os = "linux")]
mod slow {
    use super::{Server, connect, wait_until};
    use std::io::{ErrorKind, Write};
    use std::net::TcpStream;

    const CALLS: [&str; 4] = [
        "HEAD /healthz",
        "GET /nowhere",
        "GET /api/settings/pricing",
        "GET /api/openapi.json",
    ];
    const CONNECTIONS: usize = 100;
    const BYTES_OF_EACH: usize = 28_000_000;

    /// A connection on which one call is sent again and again, for as long as the server takes it.
    struct Flood<'a> {
        stream: TcpStream,
        calls: &'a [u8],
        left: usize,
    }

    impl Flood<'_> {
        /// Sends what the server takes. Says whether it took some, or closed the connection with an error.
        fn send(&mut self) -> Result<bool, ErrorKind> {
            let mut is_taken = false;
            while self.left > 0 {
                let part = &self.calls[..self.calls.len().min(self.left)];
                match self.stream.write(part) {
                    Ok(bytes) => self.left -= bytes,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) => return Err(error.kind()),
                }
                is_taken = true;
            }
            Ok(is_taken)
        }
    }

    /// The resident memory of the server, in kB.
    fn memory(server: &Server) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.unwrap().trim_end_matches("kB").trim().parse().unwrap()
    }

    /// The processor time of the server, in hundredths of a second, but for compressing pages: that goes on when nothing else
    /// needs the processor, so on a busy machine it begins at any moment.
    fn processor_time(server: &Server) -> u64 {
        let process = format!("/proc/{}", server.id());
        let tasks = std::fs::read_dir(format!("{process}/task")).unwrap();
        let compressing = tasks
            .map(|task| task.unwrap().path().display().to_string())
            .find(|task| is_named(task, "compress-pages"));
        time_of(&process) - compressing.map_or(0, |task| time_of(&task))
    }

    fn is_named(task: &str, name: &str) -> bool {
        // A thread may have ended meanwhile.
        std::fs::read_to_string(format!("{task}/comm")).is_ok_and(|comm| comm.trim() == name)
    }

    /// The processor time of a process or of a thread.
    fn time_of(task: &str) -> u64 {
        let stat = std::fs::read_to_string(format!("{task}/stat")).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let times = fields.split_whitespace().skip(11).take(2);
        times.map(|time| time.parse::<u64>().unwrap()).sum()
    }

    /// 100 connections that send 28 MB of calls each and read nothing cost at most 50 MB in all.
    #[test]
    fn answers_that_nobody_reads_cost_little_memory_and_no_processor_time() {
        let server = Server::on_new_database(&[("WRITE_TIMEOUT_SECONDS", "10")]);
        // What the server keeps after its first answers is not what the connections cost.
        std::thread::scope(|scope| {
            let ask_all = || CALLS.map(|call| server.get(call.rsplit_once(' ').unwrap().1));
            (0..40).for_each(|_| drop(scope.spawn(ask_all)));
        });
        let before = memory(&server);
        let calls = CALLS.map(|call| format!("{call} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(400));
        let floods = calls.iter().cycle().take(CONNECTIONS).map(|calls| {
            let stream = connect(&server);
            stream.set_nonblocking(true).unwrap();
            Flood {
                stream,
                calls: calls.as_bytes(),
                left: BYTES_OF_EACH,
            }
        });
        let mut floods: Vec<_> = floods.collect();
        let (mut most, mut worked, mut quiet) = (before, 0, 0);
        // Until the server has answered what it has read, and waits.
        wait_until(|| {
            let is_taken = floods.iter_mut().filter_map(|flood| flood.send().ok()).max();
            most = most.max(memory(&server));
            let now = processor_time(&server);
            let is_quiet = is_taken == Some(false) && now == worked;
            (worked, quiet) = (now, if is_quiet { quiet + 1 } else { 0 });
            quiet > 40
        });
        wait_until(|| {
            floods.retain_mut(|flood| flood.send().is_ok());
            floods.is_empty()
        });
        let (grown, worked) = (most - before, processor_time(&server) - worked);
        assert!(grown <= 50_000, "{grown} kB for {CONNECTIONS} connections");
        assert!(worked <= 200, "{worked} hundredths of a second");
    }
}
