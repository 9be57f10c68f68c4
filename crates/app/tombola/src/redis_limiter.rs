//! Rate limits that several servers share through Redis.

use crate::config::Redis;
use futures_util::future::BoxFuture;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError, Script, TlsCertificates};
use secrecy::ExposeSecret;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;
use web::{Limit, MemoryLimiter, RateLimiter, limit_key};

/// Counts requests in Redis, by the same algorithm as [`MemoryLimiter`], so that both give the same answers.
///
/// While Redis is unavailable, each server counts for itself: a limit that is too loose for a while is better than a closed
/// site.
pub struct RedisLimiter {
    connection: ConnectionManager,
    gcra: Script,
    fallback: Arc<MemoryLimiter>,
    is_away: AtomicBool,
}

/// Reads the time, in microseconds since 1970. Redis' own clock, because the clocks of several servers differ.
/// Needs Redis 5 or newer, which allows writing after reading the time.
const REDIS_TIME: &str = "
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]";

/// One step of the generic cell rate algorithm, in Lua: ITU-T Recommendation I.371, annex A.1, "virtual scheduling
/// algorithm", which the `governor` crate implements too.
///
/// The key holds the theoretical arrival time (TAT): when the next request would come if they came evenly. A request
/// passes if it comes no more than the tolerance before that time. The answer is 0, or the microseconds until the next
/// request would pass.
///
/// The Lua variable `now` must hold the time in microseconds. `ARGV` holds the [`gcra_arguments`].
/// A TAT is at most one minute ahead, so the key expires after a minute without a request that passes.
pub const GCRA: &str = "
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local tat = tonumber(redis.call('GET', KEYS[1])) or now
local earliest = tat - tolerance
if now < earliest then return earliest - now end
-- '%.0f' writes all digits; Lua's own conversion keeps 14.
redis.call('SET', KEYS[1], string.format('%.0f', math.max(tat, now) + interval), 'EX', 60)
return 0";

const MINUTE: Duration = Duration::from_secs(60);
/// How long a request waits for Redis.
const REDIS_TIMEOUT: Duration = Duration::from_millis(200);

/// The arguments of [`GCRA`] for a quota and a burst of this many requests a minute, in microseconds: the interval
/// between two evenly spaced requests, and the tolerance, which is the interval times the burst without its first
/// request.
pub fn gcra_arguments(per_minute: NonZeroU32) -> [u64; 2] {
    let interval = (MINUTE / per_minute.get()).as_micros() as u64;
    [interval, interval * u64::from(per_minute.get() - 1)]
}

impl RedisLimiter {
    /// Connects at the first request, and again whenever the connection is lost.
    ///
    /// # Errors
    /// When the URL is not a Redis URL, or a certificate cannot be read.
    pub fn new(redis: &Redis, fallback: Arc<MemoryLimiter>) -> Result<Self, RedisError> {
        let url = redis.url.expose_secret();
        let client = match redis.authorities.clone() {
            Some(authorities) => {
                let certificates = TlsCertificates {
                    client_tls: None,
                    root_cert: Some(authorities),
                };
                Client::build_with_tls(url, certificates)?
            }
            None => Client::open(url)?,
        };
        let settings = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(REDIS_TIMEOUT))
            .set_response_timeout(Some(REDIS_TIMEOUT))
            .set_number_of_retries(0)
            .set_max_delay(Duration::from_secs(1));
        let connection = ConnectionManager::new_lazy_with_config(client, settings)?;
        Ok(Self {
            connection,
            gcra: Script::new(&[REDIS_TIME, GCRA].concat()),
            fallback,
            is_away: AtomicBool::new(false),
        })
    }

    /// How long until the next request would pass, zero if this one does; `None` while Redis is unavailable.
    async fn wait(&self, limit: Limit, address: IpAddr) -> Option<Duration> {
        let mut connection = self.connection.clone();
        let mut call = self.gcra.key(limit_key(limit, address));
        for argument in gcra_arguments(limit.per_minute()) {
            call.arg(argument);
        }
        match timeout(REDIS_TIMEOUT, call.invoke_async(&mut connection)).await {
            Ok(Ok(microseconds)) => {
                self.log_recovery();
                Some(Duration::from_micros(microseconds))
            }
            Ok(Err(error)) => self.log_outage(&error),
            Err(elapsed) => self.log_outage(&elapsed),
        }
    }

    /// Logs the first failure only: a request per line would bury the rest of the log.
    fn log_outage(&self, error: &dyn std::error::Error) -> Option<Duration> {
        if !self.is_away.swap(true, Ordering::Relaxed) {
            tracing::warn!(%error, "Redis is away; each server counts for itself until it is back");
        }
        None
    }

    fn log_recovery(&self) {
        let was_away = self.is_away.load(Ordering::Relaxed) && self.is_away.swap(false, Ordering::Relaxed);
        if was_away {
            tracing::info!("Redis is back; servers count together again");
        }
    }
}

impl RateLimiter for RedisLimiter {
    fn check<'a>(&'a self, limit: Limit, address: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        Box::pin(async move {
            if !limit.is_shared() {
                return self.fallback.check_now(limit, address);
            }
            match self.wait(limit, address).await {
                Some(Duration::ZERO) => Ok(()),
                Some(wait) => Err(wait),
                None => self.fallback.check_now(limit, address),
            }
        })
    }
}
