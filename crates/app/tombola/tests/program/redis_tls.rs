//! A real Redis that is reached by TLS.

use crate::server::{Server, wait_for, wait_until};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

struct TlsRedis {
    process: Child,
    port: u16,
    folder: Arc<TempDir>,
}

/// Makes an authority, and a certificate for `localhost` that it signed.
fn make_certificates(folder: &Path) {
    for (name, subject, more) in [
        ("authority", "/CN=test authority", &[][..]),
        ("other", "/CN=other authority", &[]),
        (
            "server",
            "/CN=localhost",
            &[
                "-addext",
                "subjectAltName=DNS:localhost",
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-CA",
                "authority.pem",
                "-CAkey",
                "authority-key.pem",
            ],
        ),
    ] {
        let made = Command::new("openssl")
            .current_dir(folder)
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
            ])
            .args(["-nodes", "-days", "2", "-subj", subject])
            .args([
                "-keyout",
                &format!("{name}-key.pem"),
                "-out",
                &format!("{name}.pem"),
            ])
            .args(more)
            .output()
            .expect("openssl is needed: `make setup` installs it");
        assert!(made.status.success(), "{made:?}");
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl TlsRedis {
    fn start() -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        make_certificates(folder.path());
        // Redis cannot choose a port itself. If somebody else takes the free one meanwhile, Redis ends, and gets another.
        loop {
            if let Some(redis) = Self::start_on(free_port(), &folder) {
                return redis;
            }
        }
    }

    fn start_on(port: u16, folder: &Arc<TempDir>) -> Option<Self> {
        let process = Command::new("redis-server")
            .current_dir(folder.path())
            .args(["--port", "0", "--save", "", "--unixsocket", "redis"])
            .args(["--bind", "127.0.0.1", "--tls-port", &port.to_string()])
            .args([
                "--tls-cert-file",
                "server.pem",
                "--tls-key-file",
                "server-key.pem",
            ])
            .args(["--tls-ca-cert-file", "authority.pem", "--tls-auth-clients", "no"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is needed: `make setup` installs it");
        let mut redis = Self {
            process,
            port,
            folder: folder.clone(),
        };
        wait_for(|| {
            let has_ended = redis.process.try_wait().unwrap().is_some();
            (has_ended || redis.try_count_keys().is_some()).then_some(!has_ended)
        })
        .then_some(redis)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Asks without TLS, through the socket.
    fn try_count_keys(&self) -> Option<u64> {
        let client = redis::Client::open(format!("unix://{}", self.file("redis").display())).ok()?;
        redis::cmd("DBSIZE")
            .query(&mut client.get_connection().ok()?)
            .ok()
    }

    fn server(&self, host: &str, authority: &str) -> Server {
        let url = format!("rediss://{host}:{}", self.port);
        let file = self.file(authority);
        let variables = [
            ("REDIS_URL", url.as_str()),
            ("REDIS_CA_FILE", file.to_str().unwrap()),
        ];
        Server::on_new_database(&variables)
    }
}

impl Drop for TlsRedis {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn requests_are_counted_by_tls_only_in_a_redis_with_a_trusted_certificate_for_its_name() {
    let redis = TlsRedis::start();
    for (host, authority) in [("localhost", "other.pem"), ("127.0.0.1", "authority.pem")] {
        let mut server = redis.server(host, authority);
        wait_until(|| {
            server.register("1");
            server.has_logged("Redis is away")
        });
        assert_eq!(redis.try_count_keys(), Some(0), "{host} {authority}");
    }
    let server = redis.server("localhost", "authority.pem");
    wait_until(|| {
        server.register("1");
        redis.try_count_keys() != Some(0)
    });
}
