//! Wires the pools of requests to their connections (docs/adr/0013), and the connections of everything else.

use crate::config::Database;
use privacy::NumberKeys;
use secrecy::ExposeSecret;
use std::io;
use store_postgres::{PgStore, PoolSettings};
use web::{PoolSize, RequestPool, RequestPools, Turns};

/// Connections besides those of requests: two collect events, one folds them, one reconciles purchases, one continues
/// clearings, one publishes lists, and three send messages, so that the lease is renewed while a campaign starts.
const WORKER_CONNECTIONS: u32 = 9;
/// The threads for sign-ups that ask for a code, which wait for each other.
const CODES: u32 = 4;
/// The threads for what staff change. Few people are staff, and each change is short.
const CONSOLE_WRITES: u32 = 2;
/// How many clearings may wait in the queue. One of each kind runs at a time.
const CLEARINGS: usize = 8;
/// How many drawings may wait in the queue.
const DRAWINGS: usize = 64;

/// All stores of a server. Their connections are opened when they are needed.
pub(crate) struct Stores {
    visitor_reads: PgStore,
    visitor_writes: PgStore,
    visitor_codes: PgStore,
    callbacks: PgStore,
    console: PgStore,
    console_writes: PgStore,
    /// For drawings: one connection for staff, one for the server's own steps.
    pub(crate) drawings: PgStore,
    clearing: PgStore,
    /// For the workers in the background.
    pub(crate) workers: PgStore,
    /// For the probe of `/readyz`, which must not wait for anything else.
    pub(crate) probe: PgStore,
}

impl Stores {
    pub(crate) fn new(database: &Database, number_keys: &NumberKeys) -> Self {
        let store = |size| {
            let settings = PoolSettings {
                size,
                ..PoolSettings::default()
            };
            PgStore::new(database.url.expose_secret(), settings).with_number_keys(number_keys.clone())
        };
        Self {
            visitor_reads: store(database.visitor_reads.threads),
            visitor_writes: store(database.visitor_writes.threads),
            visitor_codes: store(CODES),
            callbacks: store(database.callbacks.threads),
            console: store(database.console.threads),
            console_writes: store(CONSOLE_WRITES),
            drawings: store(2),
            clearing: store(1),
            workers: store(WORKER_CONNECTIONS),
            probe: store(1),
        }
    }

    /// Starts the threads that run requests.
    pub(crate) fn request_pools(&self, database: &Database) -> io::Result<RequestPools<PgStore>> {
        let codes = PoolSize {
            threads: CODES,
            ..database.visitor_writes
        };
        let console_writes = PoolSize {
            threads: CONSOLE_WRITES,
            ..database.console
        };
        let start = |name, size: PoolSize, store: &PgStore| RequestPool::start(name, size, store.clone());
        Ok(RequestPools {
            visitor_reads: start("visitor_reads", database.visitor_reads, &self.visitor_reads)?,
            visitor_writes: start("visitor_writes", database.visitor_writes, &self.visitor_writes)?,
            visitor_codes: start("visitor_codes", codes, &self.visitor_codes)?,
            turns: Turns::default(),
            callbacks: start("callbacks", database.callbacks, &self.callbacks)?,
            console: start("console", database.console, &self.console)?,
            console_writes: start("console_writes", console_writes, &self.console_writes)?,
            drawings: RequestPool::in_background("drawings", DRAWINGS, self.drawings.clone())?,
            clearing: RequestPool::in_background("clearing", CLEARINGS, self.clearing.clone())?,
        })
    }

    /// Updates the metrics of the connections.
    pub(crate) fn record_connections(&self) {
        let stores = [
            ("visitor_reads", &self.visitor_reads),
            ("visitor_writes", &self.visitor_writes),
            ("visitor_codes", &self.visitor_codes),
            ("callbacks", &self.callbacks),
            ("console", &self.console),
            ("console_writes", &self.console_writes),
            ("drawings", &self.drawings),
            ("clearing", &self.clearing),
            ("workers", &self.workers),
            ("probe", &self.probe),
        ];
        for (pool, store) in stores {
            let (open, idle) = store.connections();
            let gauge = |state| metrics::gauge!("database_connections", "pool" => pool, "state" => state);
            gauge("open").set(f64::from(open));
            gauge("idle").set(f64::from(idle));
        }
    }
}
