//! A synchronous standby that does not answer: commits hang, and no time limit of PostgreSQL ends that (docs/adr/0013).

use crate::server::{Server, wait_until};
use crate::support::{connect, execute};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A PostgreSQL server of its own, because `synchronous_standby_names` holds for all databases of a server.
struct OwnPostgres {
    url: String,
    /// The server stops when the standard input of this process is closed, so also when the test is killed.
    user: Child,
    folder: tempfile::TempDir,
}

fn script(folder: &Path) -> Command {
    let mut command =
        Command::new(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../scripts/postgres.sh"));
    command.env("PG_DATA_DIR", folder).env("PG_QUIET", "1");
    command
}

impl OwnPostgres {
    fn start() -> Self {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let mut user = script(folder.path())
            .args([
                "with",
                "--apart",
                "--",
                "sh",
                "-c",
                "echo \"$MIGRATION_DATABASE_URL\"; exec cat",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(user.stdout.take().unwrap())
            .read_line(&mut url)
            .unwrap();
        Self {
            url: url.trim().to_owned(),
            user,
            folder,
        }
    }

    /// Lets commits wait for a standby that does not exist, or for none.
    fn set_standby(&self, name: &str) {
        let mut connection = connect(&self.url);
        execute(
            &mut connection,
            &format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'"),
        );
        execute(&mut connection, "SELECT pg_reload_conf()");
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        let _ = script(self.folder.path()).args(["stop", "--apart"]).status();
        let _ = self.user.kill();
        let _ = self.user.wait();
        if let Some((_, socket)) = self.url.split_once("host=") {
            let _ = std::fs::remove_dir_all(socket);
        }
    }
}

fn wait_for_writes(server: &Server, status: u16) {
    wait_until(|| server.get("/readyz/writes").0 == status);
}

const PASSWORD: &str = "only for this test";

#[test]
fn reads_go_on_and_writes_get_503_while_a_standby_is_silent() {
    let postgres = OwnPostgres::start();
    let variables = [
        ("DATABASE_POOL_SIZE", "2"),
        ("RATE_LIMITS", "off"),
        ("ADMIN_USERNAME", "anna"),
        ("ADMIN_PASSWORD", PASSWORD),
    ];
    let server = Server::start(&postgres.url, &variables);
    let (status, entered) = server.register("5551234567");
    assert_eq!(status, 201);
    let entered: Value = serde_json::from_str(&entered).unwrap();
    let id = &entered["user"]["id"];
    let flag = format!(r#"{{"userId": {id}, "reason": "Fraud", "publicReason": "rules"}}"#);
    let login = format!(r#"{{"username": "anna", "password": "{PASSWORD}"}}"#);
    let (_, answer) = server.post("/api/admin/login", &login);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let authorization = format!("Bearer {}", answer["sessionToken"].as_str().unwrap());
    let staff = [("Authorization", authorization.as_str())];

    postgres.set_standby("missing");
    wait_for_writes(&server, 503);

    // More writes than threads: some hang in their commit, the others wait for a thread.
    std::thread::scope(|scope| {
        for n in 0..6 {
            let (server, staff, flag) = (&server, &staff, &flag);
            let write = move || {
                if n % 2 == 0 {
                    return server.register(&format!("555765432{n}"));
                }
                server.send("POST", "/api/admin/flag-user", staff, flag)
            };
            scope.spawn(move || {
                let started = Instant::now();
                let (status, body) = write();
                assert_eq!(status, 503, "{body}");
                // Its deadline is 2.5 s, for each of the two steps of a call of staff.
                assert!(
                    started.elapsed() < Duration::from_secs(15),
                    "{:?}",
                    started.elapsed()
                );
            });
        }
    });

    // All threads for writes hang now.
    let user = format!("/api/users/{id}");
    for path in [user.as_str(), "/api/drawings", "/readyz"] {
        assert_eq!(server.get(path).0, 200, "{path}");
    }
    for path in ["/api/admin/audit-log", "/api/admin/flagged-users"] {
        let (status, body) = server.get_with(path, &staff);
        assert_eq!(status, 200, "{path}: {body}");
    }
    assert_eq!(server.get("/readyz/writes").0, 503);

    postgres.set_standby("");
    wait_for_writes(&server, 200);
    assert_eq!(server.register("5559876543").0, 201);
    let (status, body) = server.send("POST", "/api/admin/flag-user", &staff, &flag);
    assert!(status == 200 || body.contains("already"), "{body}");
}
