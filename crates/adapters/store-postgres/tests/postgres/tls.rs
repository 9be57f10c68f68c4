//! TLS to a real PostgreSQL server, with authorities made for these tests.

use crate::support::{connect, server_url};
use diesel::prelude::*;
use diesel::sql_types::Text;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use store_postgres::migrations;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

/// An authority and a certificate for `localhost` that it signed.
struct Certificates {
    authority: PathBuf,
    certificate: PathBuf,
    key: PathBuf,
}

impl Certificates {
    fn new(folder: &Path, name: &str) -> Self {
        let path = |kind: &str| folder.join(format!("{name}-{kind}.pem"));
        let (authority, authority_key) = (path("authority"), path("authority-key"));
        let (certificate, key) = (path("certificate"), path("key"));
        let new_key = [
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
        ];
        run(Command::new("openssl")
            .args(new_key)
            .args(["-subj", &format!("/CN={name}"), "-keyout"])
            .arg(&authority_key)
            .arg("-out")
            .arg(&authority));
        run(Command::new("openssl")
            .args(new_key)
            .args([
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost",
            ])
            .args(["-addext", "basicConstraints=critical,CA:FALSE", "-CA"])
            .arg(&authority)
            .arg("-CAkey")
            .arg(&authority_key)
            .arg("-keyout")
            .arg(&key)
            .arg("-out")
            .arg(&certificate));
        Self {
            authority,
            certificate,
            key,
        }
    }
}

/// A server that accepts connections by TLS only, with passwords. It stops with the test, even if the test is killed.
struct TlsServer {
    port: u16,
    own: Certificates,
    other: Certificates,
    /// A shell that stops the server when its standard input is closed.
    supervisor: Option<Child>,
    folder: TempDir,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Text)]
    value: String,
}

/// A value of the server that the other tests use.
fn of_test_server(sql: &str) -> String {
    let found = diesel::sql_query(sql).get_result::<Found>(&mut connect(&server_url()));
    found.unwrap().value
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

impl TlsServer {
    fn start() -> Self {
        let programs = PathBuf::from(of_test_server(
            "SELECT setting AS value FROM pg_config WHERE name = 'BINDIR'",
        ));
        // PostgreSQL refuses to run as root, so this server runs as the user of the other one.
        let data = of_test_server("SELECT setting AS value FROM pg_settings WHERE name = 'data_directory'");
        let owner = std::fs::metadata(data).unwrap();
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let (own, other) = (
            Certificates::new(folder.path(), "own"),
            Certificates::new(folder.path(), "other"),
        );
        let password = folder.path().join("password");
        std::fs::write(&password, "secret\n").unwrap();
        let parts = [folder.path(), &own.certificate, &own.key, &password];
        for path in parts {
            chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
            let mode = if path.is_dir() { 0o755 } else { 0o600 };
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let is_owner = std::fs::metadata("/proc/self").unwrap().uid() == owner.uid();
        let place = folder.path().to_owned();
        let as_owner = |program: &Path| {
            let mut command = Command::new(program);
            if !is_owner {
                command.uid(owner.uid()).gid(owner.gid());
            }
            command.current_dir(&place);
            command
        };
        run(as_owner(&programs.join("initdb"))
            .args([
                "-D",
                "data",
                "-U",
                "tombola",
                "-A",
                "scram-sha-256",
                "--no-sync",
                "-E",
                "UTF8",
                "--no-locale",
            ])
            .arg("--pwfile=password"));
        let only_tls = "hostssl all all 127.0.0.1/32 scram-sha-256\n";
        std::fs::write(folder.path().join("data/pg_hba.conf"), only_tls).unwrap();
        let mut server = Self {
            port: 0,
            own,
            other,
            supervisor: None,
            folder,
        };
        // PostgreSQL cannot choose a port itself. If somebody else takes the free one meanwhile, it gets another.
        while !server.starts_on(free_port(), as_owner(Path::new("/bin/sh")), &programs) {}
        server
    }

    /// Whether the server starts on this port. It does not if the port is taken.
    fn starts_on(&mut self, port: u16, mut shell: Command, programs: &Path) -> bool {
        self.port = port;
        let settings = [
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={port}"),
            "unix_socket_directories=".to_owned(),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", self.own.certificate.display()),
            format!("ssl_key_file={}", self.own.key.display()),
            "fsync=off".to_owned(),
        ];
        let supervisor = shell
            .args([
                "-c",
                r#""$0" -D data "$@" </dev/null >log 2>&1 & read -r _; kill -QUIT $!; wait"#,
            ])
            .arg(programs.join("postgres"))
            .args(settings.iter().flat_map(|setting| ["-c", setting.as_str()]))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        self.supervisor = Some(supervisor);
        let started = Instant::now();
        let (url, log_file) = (self.url("localhost", &self.own), self.folder.path().join("log"));
        loop {
            let log = std::fs::read_to_string(&log_file).unwrap_or_default();
            if log.contains("could not bind") {
                self.stop();
                std::fs::remove_file(log_file).unwrap();
                return false;
            }
            match migrations::run(&url) {
                Ok(_) => return true,
                Err(error) => assert!(started.elapsed() < PATIENCE, "{}: {log}", chain(&error)),
            }
        }
    }

    fn stop(&mut self) {
        if let Some(mut supervisor) = self.supervisor.take() {
            drop(supervisor.stdin.take());
            let _ = supervisor.wait();
        }
    }

    fn url(&self, host: &str, trusted: &Certificates) -> String {
        let authority = trusted.authority.display();
        let port = self.port;
        format!(
            "postgresql://tombola:secret@{host}:{port}/postgres?sslmode=verify-full&sslrootcert={authority}"
        )
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn failure(url: &str) -> String {
    chain(&migrations::run(url).unwrap_err())
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        self.stop();
    }
}

#[test]
fn only_a_server_with_a_trusted_certificate_for_its_name_is_connected_to() {
    let server = TlsServer::start();
    // The server takes connections by TLS only, so this one is encrypted; the password went through it.
    assert_eq!(migrations::run(&server.url("localhost", &server.own)).unwrap(), 0);
    let both = server.url(&format!("127.0.0.1:{},localhost", server.port), &server.own);
    assert_eq!(
        migrations::run(&both).unwrap(),
        0,
        "the second host, because the first one's name is wrong"
    );

    let wrong_name = failure(&server.url("127.0.0.1", &server.own));
    assert!(wrong_name.contains("not valid for name"), "{wrong_name}");
    let wrong_authority = failure(&server.url("localhost", &server.other));
    assert!(
        wrong_authority.contains("invalid peer certificate"),
        "{wrong_authority}"
    );
    let wrong_password = failure(&server.url("localhost", &server.own).replace("secret@", "wrong@"));
    assert!(
        wrong_password.contains("password authentication failed"),
        "{wrong_password}"
    );
    let without = format!("postgresql://tombola:secret@127.0.0.1:{}/postgres", server.port);
    assert!(
        failure(&without).contains("no encryption"),
        "the server demands TLS"
    );
}

#[test]
fn a_server_without_tls_learns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let own = Certificates::new(folder.path(), "own");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = [0; 8];
        stream.read_exact(&mut request).unwrap();
        stream.write_all(b"N").unwrap();
        let mut more = Vec::new();
        stream.read_to_end(&mut more).unwrap();
        (request, more)
    });
    let authority = own.authority.display();
    let url = format!(
        "postgresql://tombola:secret@localhost:{port}/postgres?sslmode=verify-full&sslrootcert={authority}"
    );
    let error = failure(&url);
    assert!(error.contains("the server does not offer TLS"), "{error}");
    assert_eq!(heard.join().unwrap(), ([0, 0, 0, 8, 4, 210, 22, 47], vec![]));
}
