//! `tombola health`: asks the running server how it is, for supervisors that start a command, such as Docker.

use crate::config::bind_from_environment;
use anyhow::{Context, bail};
use clap::ValueEnum;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long to wait for the connection, and then for the answer. The server answers health checks at once.
const PATIENCE: Duration = Duration::from_secs(2);
/// More than any answer of a health check has.
const ANSWER_BYTES: u64 = 64 * 1024;

/// What to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HealthCheck {
    /// Whether the process answers.
    Alive,
    /// Whether it takes requests.
    Ready,
    /// Whether it can also write to the database.
    Writes,
}

impl HealthCheck {
    fn path(self) -> &'static str {
        match self {
            Self::Alive => "/healthz",
            Self::Ready => "/readyz",
            Self::Writes => "/readyz/writes",
        }
    }
}

/// Asks the server that listens on `BIND_ADDR`, and returns its answer as a line.
///
/// # Errors
/// When the server cannot be reached, does not answer within 2 s, or answers anything but 200.
pub fn run(check: HealthCheck) -> anyhow::Result<String> {
    ask(reachable(bind_from_environment()?), check.path(), PATIENCE)
}

/// A server that listens on all addresses is asked on this machine's own.
fn reachable(bind: SocketAddr) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bind.port())
}

fn ask(address: SocketAddr, path: &str, patience: Duration) -> anyhow::Result<String> {
    let answer = exchange(address, path, patience).with_context(|| format!("no answer from {address}"))?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    if status != "200" {
        bail!("{path} answered {status:?}: {body}");
    }
    Ok(format!("{body}\n"))
}

fn exchange(address: SocketAddr, path: &str, patience: Duration) -> std::io::Result<String> {
    let mut connection = TcpStream::connect_timeout(&address, patience)?;
    connection.set_read_timeout(Some(patience))?;
    connection.set_write_timeout(Some(patience))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes())?;
    let mut answer = String::new();
    connection.take(ANSWER_BYTES).read_to_string(&mut answer)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A server that reads one request, sends this answer, and returns the first line of the request.
    fn server(answer: &'static str) -> (SocketAddr, std::thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let line = std::thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                connection.read_exact(&mut byte).unwrap();
                request.extend(byte);
            }
            connection.write_all(answer.as_bytes()).unwrap();
            let request = String::from_utf8(request).unwrap();
            request.lines().next().unwrap().to_owned()
        });
        (address, line)
    }

    /// More than an answer takes, even on a busy machine.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn an_answer_of_200_is_healthy() {
        let (address, line) = server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
        assert_eq!(ask(address, HealthCheck::Ready.path(), LONG).unwrap(), "{}\n");
        assert_eq!(line.join().unwrap(), "GET /readyz HTTP/1.1");
    }

    #[test]
    fn any_other_answer_is_not() {
        for answer in [
            "HTTP/1.1 503 Service Unavailable\r\n\r\n{}",
            "HTTP/1.1 301 Moved\r\n\r\n200",
            "hello",
            "",
        ] {
            let (address, _) = server(answer);
            let error = ask(address, HealthCheck::Writes.path(), LONG).unwrap_err();
            assert!(error.to_string().contains("/readyz/writes answered"), "{error}");
        }
    }

    #[test]
    fn a_server_that_is_away_or_silent_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let silent = listener.local_addr().unwrap();
        let nobody = "127.0.0.1:1".parse().unwrap(); // no program may listen there
        for address in [silent, nobody] {
            assert!(ask(address, "/healthz", Duration::from_millis(20)).is_err());
        }
    }

    #[test]
    fn a_server_on_all_addresses_is_asked_on_this_machine() {
        for (bind, asked) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:80", "192.0.2.1:80"),
        ] {
            assert_eq!(reachable(bind.parse().unwrap()), asked.parse().unwrap());
        }
    }
}
