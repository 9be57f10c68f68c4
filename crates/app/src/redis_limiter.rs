//! Limits that several servers count together.

use futures_util::future::BoxFuture;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{RedisError, Script};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use web::{Limit, MemoryLimiter, RateLimiter, limit_key};

/// Counts in Redis, a minute at a time from each address's first request. While Redis is away, each server counts for
/// itself: a limit that is too loose for a while is better than a site that is closed.
pub struct RedisLimiter {
    connection: ConnectionManager,
    count: Script,
    meanwhile: Arc<MemoryLimiter>,
}

/// Counts one more, and answers the count and the milliseconds until it begins anew.
const COUNT: &str = "
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}";

const WINDOW: Duration = Duration::from_secs(60);
/// How long a request waits for Redis.
const PATIENCE: Duration = Duration::from_millis(200);

impl RedisLimiter {
    /// Connects when it is first asked, and again whenever the connection is lost.
    ///
    /// # Errors
    /// When the URL is none of Redis.
    pub fn new(url: &str, meanwhile: Arc<MemoryLimiter>) -> Result<Self, RedisError> {
        let client = redis::Client::open(url)?;
        let settings = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE))
            .set_number_of_retries(0)
            .set_max_delay(Duration::from_secs(1));
        let connection = ConnectionManager::new_lazy_with_config(client, settings)?;
        Ok(Self {
            connection,
            count: Script::new(COUNT),
            meanwhile,
        })
    }

    async fn count(&self, limit: Limit, address: IpAddr) -> Option<(u32, u64)> {
        let mut connection = self.connection.clone();
        let mut call = self.count.key(limit_key(limit, address));
        let call = call.arg(WINDOW.as_millis() as u64);
        match timeout(PATIENCE, call.invoke_async(&mut connection)).await {
            Ok(Ok(counted)) => Some(counted),
            Ok(Err(error)) => {
                tracing::warn!(%error, "Redis failed; counting here meanwhile");
                None
            }
            Err(_elapsed) => {
                tracing::warn!("Redis did not answer in time; counting here meanwhile");
                None
            }
        }
    }
}

impl RateLimiter for RedisLimiter {
    fn check<'a>(&'a self, limit: Limit, address: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        Box::pin(async move {
            match self.count(limit, address).await {
                Some((count, _)) if count <= limit.per_minute().get() => Ok(()),
                Some((_, milliseconds)) => Err(Duration::from_millis(milliseconds)),
                None => self.meanwhile.check_now(limit, address),
            }
        })
    }
}
