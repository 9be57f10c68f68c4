//! Limits that several servers share through a real Redis.

use crate::server::{Server, wait_until};
use crate::support::TestDatabase;
use governor::clock::{Clock, FakeRelativeClock};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::num::NonZeroU32;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tombola::redis_limiter::{GCRA, gcra_arguments};

struct Redis {
    process: Child,
    folder: tempfile::TempDir,
}

impl Redis {
    fn start() -> Self {
        let mut redis = Self {
            process: Command::new("true").spawn().unwrap(),
            folder: tempfile::tempdir().unwrap(),
        };
        redis.start_again();
        redis
    }

    fn start_again(&mut self) {
        self.process.wait().unwrap();
        let socket = self.folder.path().join("redis");
        let _ = std::fs::remove_file(&socket);
        self.process = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(&socket)
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is needed: `make setup` installs it");
        wait_until(|| UnixStream::connect(&socket).is_ok());
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
    let mut servers = [0, 1].map(|_| Server::start(&database.url, &[("REDIS_URL", &url)]));
    let try_to_enter =
        |server: &Server, times: u32| (0..times).filter(|_| server.register("1").0 == 400).count();

    // One more request is allowed every two seconds, and this takes a while.
    let allowed = try_to_enter(&servers[0], 40) + try_to_enter(&servers[1], 40);
    assert!((30..80).contains(&allowed), "{allowed}");

    redis.stop();
    let allowed = try_to_enter(&servers[0], 60);
    assert!((30..60).contains(&allowed), "{allowed}");
    assert_eq!(try_to_enter(&servers[1], 5), 5);

    redis.start_again();
    wait_until(|| {
        servers[0].register("1");
        servers[0].has_logged("Redis is back")
    });
    servers[0].signal("TERM");
    servers[0].wait();
    // Each outage is logged once, and not at every request. On a busy machine Redis may also be away because it is slow.
    let log = servers[0].log.iter();
    let outages: Vec<bool> = log
        .filter_map(|line| match line {
            line if line.contains("Redis is away") => Some(true),
            line if line.contains("Redis is back") => Some(false),
            _ => None,
        })
        .collect();
    assert_eq!(outages.first(), Some(&true));
    assert!(
        outages.windows(2).all(|lines| lines[0] != lines[1]),
        "{outages:?}"
    );
}

/// Requests of three visitors: the microseconds since the request before, and which visitor.
fn requests() -> impl Strategy<Value = Vec<(u64, u8)>> {
    let gap = prop_oneof![4 => 0..100_000u64, 2 => 0..5_000_000u64, 1 => Just(0), 1 => Just(2_000_000)];
    prop::collection::vec((gap, 0..3u8), 1..150)
}

/// Quotas whose interval is a whole number of microseconds, as those of all limits are.
fn quota() -> impl Strategy<Value = NonZeroU32> {
    prop::sample::select(vec![1, 2, 3, 5, 20, 30, 300, 600]).prop_map(|n| NonZeroU32::new(n).unwrap())
}

#[test]
fn redis_and_memory_give_the_same_answers_to_the_same_requests() {
    let redis = Redis::start();
    let client = redis::Client::open(redis.url()).unwrap();
    let connection = Mutex::new(client.get_connection().unwrap());
    let script = redis::Script::new(&["local now = tonumber(ARGV[3])", GCRA].concat());
    let mut runner = TestRunner::new(Config::with_cases(64));
    let outcome = runner.run(&(quota(), requests()), |(per_minute, requests)| {
        let _: () = redis::cmd("FLUSHALL")
            .query(&mut *connection.lock().unwrap())
            .unwrap();
        let clock = FakeRelativeClock::default();
        let store = DashMapStateStore::<u8>::default();
        let memory: RateLimiter<u8, _, FakeRelativeClock, NoOpMiddleware<Nanos>> =
            RateLimiter::new(Quota::per_minute(per_minute), store, clock.clone());
        let mut now = 1_700_000_000_000_000; // as many digits as in production
        for (gap, visitor) in requests {
            now += gap;
            clock.advance(Duration::from_micros(gap));
            let in_memory = match memory.check_key(&visitor) {
                Ok(()) => Duration::ZERO,
                Err(not_until) => not_until.wait_time_from(clock.now()),
            };
            let [interval, tolerance] = gcra_arguments(per_minute);
            let mut call = script.key(visitor);
            let call = call.arg(interval).arg(tolerance).arg(now);
            let in_redis: u64 = call.invoke(&mut *connection.lock().unwrap()).unwrap();
            prop_assert_eq!(Duration::from_micros(in_redis), in_memory);
        }
        Ok(())
    });
    outcome.unwrap();
}
