//! The threads that run blocking work, their queues, and what they share.

pub(crate) mod blocking_pool;
pub(crate) mod coalescing_cache;
pub(crate) mod collector;
pub(crate) mod known_raffles;
pub(crate) mod picture_queue;
pub(crate) mod readiness;
pub(crate) mod request_pools;
pub(crate) mod stopping;
pub(crate) mod turns;
