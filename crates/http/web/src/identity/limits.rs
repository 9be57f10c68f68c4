//! Rate limits by client address (D33).

use futures_util::future::BoxFuture;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use kernel::Network;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// Routes that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Limit {
    /// Entering a raffle.
    Entering,
    /// Buying.
    Buying,
    /// Reporting what a visitor does.
    PageViews,
    /// Reading data.
    Reads,
    /// Callbacks of providers whose signature is not valid.
    FailedSignatures,
    /// Whole lists of drawings.
    WholeLists,
    /// Bringing rounds of the beacon.
    Beacons,
    /// Pages, files, the API's description and unknown paths. Each server counts these for itself.
    Pages,
}

impl Limit {
    /// Requests a minute from one address.
    pub const fn per_minute(self) -> NonZeroU32 {
        match self {
            Self::Entering => NonZeroU32::MIN.saturating_add(29),
            Self::Buying => NonZeroU32::MIN.saturating_add(19),
            Self::PageViews => NonZeroU32::MIN.saturating_add(299),
            Self::Reads => NonZeroU32::MIN.saturating_add(599),
            Self::FailedSignatures | Self::WholeLists => NonZeroU32::MIN.saturating_add(59),
            Self::Beacons => NonZeroU32::MIN.saturating_add(9),
            Self::Pages => NonZeroU32::MIN.saturating_add(2_999),
        }
    }

    /// Whether servers share the count, if they can. Pages are served without asking another process.
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::Pages)
    }

    /// The name in keys and metrics.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Counts requests by address.
pub trait RateLimiter: Send + Sync {
    /// Counts one request; `Err` holds the time until the next one passes.
    fn check<'a>(&'a self, limit: Limit, address: IpAddr) -> BoxFuture<'a, Result<(), Duration>>;
}

/// Lets every request pass: `RATE_LIMITS=off`.
pub struct NoLimits;

impl RateLimiter for NoLimits {
    fn check<'a>(&'a self, _: Limit, _: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Counts in this process, with the GCRA of the `governor` crate.
pub struct MemoryLimiter {
    entering: DefaultKeyedRateLimiter<IpAddr>,
    buying: DefaultKeyedRateLimiter<IpAddr>,
    page_views: DefaultKeyedRateLimiter<IpAddr>,
    reads: DefaultKeyedRateLimiter<IpAddr>,
    failed_signatures: DefaultKeyedRateLimiter<IpAddr>,
    whole_lists: DefaultKeyedRateLimiter<IpAddr>,
    beacons: DefaultKeyedRateLimiter<IpAddr>,
    pages: DefaultKeyedRateLimiter<IpAddr>,
}

impl MemoryLimiter {
    /// A limiter with the limits of [`Limit::per_minute`].
    pub fn new() -> Self {
        let keyed = |limit: Limit| DefaultKeyedRateLimiter::keyed(Quota::per_minute(limit.per_minute()));
        Self {
            entering: keyed(Limit::Entering),
            buying: keyed(Limit::Buying),
            page_views: keyed(Limit::PageViews),
            reads: keyed(Limit::Reads),
            failed_signatures: keyed(Limit::FailedSignatures),
            whole_lists: keyed(Limit::WholeLists),
            beacons: keyed(Limit::Beacons),
            pages: keyed(Limit::Pages),
        }
    }

    /// Evicts addresses that have used none of their quota lately. Call it from time to time.
    pub fn evict_idle(&self) {
        for limiter in [
            &self.entering,
            &self.buying,
            &self.page_views,
            &self.reads,
            &self.failed_signatures,
            &self.whole_lists,
            &self.beacons,
            &self.pages,
        ] {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    /// Counts one request.
    ///
    /// # Errors
    /// The time until the next request passes.
    pub fn check_now(&self, limit: Limit, address: IpAddr) -> Result<(), Duration> {
        let limiter = match limit {
            Limit::Entering => &self.entering,
            Limit::Buying => &self.buying,
            Limit::PageViews => &self.page_views,
            Limit::Reads => &self.reads,
            Limit::FailedSignatures => &self.failed_signatures,
            Limit::WholeLists => &self.whole_lists,
            Limit::Beacons => &self.beacons,
            Limit::Pages => &self.pages,
        };
        let now = DefaultClock::default().now();
        limiter
            .check_key(&subscriber(address))
            .map_err(|not_until| not_until.wait_time_from(now))
    }
}

impl Default for MemoryLimiter {
    fn default() -> Self {
        Self::new()
    }
}

impl RateLimiter for MemoryLimiter {
    fn check<'a>(&'a self, limit: Limit, address: IpAddr) -> BoxFuture<'a, Result<(), Duration>> {
        Box::pin(std::future::ready(self.check_now(limit, address)))
    }
}

/// The address that stands for a subscriber, who has a whole /64 of IPv6 addresses.
pub fn subscriber(address: IpAddr) -> IpAddr {
    Network::of(address).first()
}

/// The key under which a limiter outside of this process counts.
pub fn limit_key(limit: Limit, address: IpAddr) -> String {
    format!("tombola:limit:{}:{}", limit.as_str(), subscriber(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_limit() {
        let limiter = MemoryLimiter::new();
        let (one, other) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into());
        for _ in 0..30 {
            assert!(limiter.check_now(Limit::Entering, one).is_ok());
        }
        let wait = limiter.check_now(Limit::Entering, one).unwrap_err();
        assert!(
            wait > Duration::ZERO && wait <= Duration::from_secs(2),
            "{wait:?}"
        );
        assert!(limiter.check_now(Limit::Entering, other).is_ok());
        assert!(limiter.check_now(Limit::Reads, one).is_ok());
    }

    #[test]
    fn a_64_prefix_of_ipv6_addresses_counts_as_one() {
        let key = |text: &str| limit_key(Limit::Reads, text.parse().unwrap());
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
        assert_eq!(key("192.0.2.1"), "tombola:limit:reads:192.0.2.1");
    }
}
