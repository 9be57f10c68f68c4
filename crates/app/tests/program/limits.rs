//! Limits that several servers count together, in a real Redis.

use crate::server::{PATIENCE, Server};
use crate::support::TestDatabase;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

struct Redis {
    process: Child,
    folder: tempfile::TempDir,
}

impl Redis {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("redis");
        let process = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(&socket)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is needed: `make setup` installs it");
        let started = Instant::now();
        while UnixStream::connect(&socket).is_err() {
            assert!(started.elapsed() < PATIENCE, "Redis does not start");
        }
        Self { process, folder }
    }

    fn url(&self) -> String {
        format!("unix://{}", self.folder.path().join("redis").display())
    }

    fn stop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn two_servers_share_a_limit_and_each_keeps_one_while_redis_is_away() {
    let mut redis = Redis::start();
    let database = TestDatabase::new();
    let url = redis.url();
    let servers = [0, 1].map(|_| Server::start(&database.url, &[("REDIS_URL", &url)]));
    let try_to_enter =
        |server: &Server, times: u32| (0..times).filter(|_| server.register("1").0 == 400).count();

    assert_eq!(try_to_enter(&servers[0], 20) + try_to_enter(&servers[1], 20), 30);
    let (status, body) = servers[1].register("1");
    assert_eq!(status, 429, "{body}");

    redis.stop();
    // One more is allowed every two seconds, and this takes a while.
    let allowed = try_to_enter(&servers[0], 60);
    assert!((30..60).contains(&allowed), "{allowed}");
    assert_eq!(try_to_enter(&servers[1], 5), 5);
}
