//! Connections: how they are made, bounded in time, and given up.

use crate::errors::{Fault, fault};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use std::time::Duration;

/// How many connections there may be, and how long anything may take.
#[derive(Debug, Clone, Copy)]
pub struct PoolSettings {
    /// Connections at most.
    pub size: u32,
    /// How long a flow waits for a free connection before it is told that the store is not available.
    pub wait: Duration,
    /// How long one statement may run.
    pub statement: Duration,
}

impl Default for PoolSettings {
    /// 8 connections, 1 s, 2 s: with the database away every request has its 503 within 3 s.
    fn default() -> Self {
        Self {
            size: 8,
            wait: Duration::from_secs(1),
            statement: Duration::from_secs(2),
        }
    }
}

/// One connection, and whether it may be used again.
pub(crate) struct PgLink {
    pub(crate) connection: PgConnection,
    /// Between transactions and, as far as is known, alive.
    pub(crate) reusable: bool,
}

impl PgLink {
    pub(crate) fn execute(&mut self, sql: &str) -> QueryResult<()> {
        self.connection
            .batch_execute(sql)
            .inspect_err(|error| self.note(error))
    }

    pub(crate) fn note(&mut self, error: &diesel::result::Error) {
        if fault(error) == Fault::Lost {
            self.reusable = false;
        }
    }
}

pub(crate) struct PgManager {
    url: String,
    on_connect: String,
}

impl PgManager {
    pub(crate) fn new(url: &str, settings: PoolSettings) -> Self {
        let statement = settings.statement.as_millis();
        let on_connect = format!(
            "SET statement_timeout = {statement}; SET lock_timeout = {statement}; \
             SET idle_in_transaction_session_timeout = '10s'; SET TIME ZONE 'UTC'; SET application_name = 'tombola'"
        );
        Self {
            url: bounded_in_time(url),
            on_connect,
        }
    }
}

/// Bounds connecting (libpq knows nothing shorter than 2 s) and the silence of a server that is gone, which TCP would
/// wait out for hours. What the URL says already, wins.
fn bounded_in_time(url: &str) -> String {
    const BOUNDS: [&str; 5] = [
        "connect_timeout=2",
        "keepalives_idle=10",
        "keepalives_interval=5",
        "keepalives_count=2",
        "tcp_user_timeout=10000",
    ];
    let is_url = url.contains("://");
    BOUNDS.iter().fold(url.to_owned(), |url, bound| {
        let name = bound.split('=').next().unwrap_or_default();
        let separator = match (is_url, url.contains('?')) {
            (true, true) => '&',
            (true, false) => '?',
            (false, _) => ' ',
        };
        if url.contains(name) {
            url
        } else {
            format!("{url}{separator}{bound}")
        }
    })
}

impl r2d2::ManageConnection for PgManager {
    type Connection = PgLink;
    type Error = diesel::ConnectionError;

    fn connect(&self) -> Result<PgLink, Self::Error> {
        let mut connection = PgConnection::establish(&self.url)?;
        connection
            .batch_execute(&self.on_connect)
            .map_err(diesel::ConnectionError::CouldntSetupConfiguration)?;
        Ok(PgLink {
            connection,
            reusable: true,
        })
    }

    /// Not called: a ping per checkout costs a round trip, and `BEGIN` shows as much.
    fn is_valid(&self, link: &mut PgLink) -> Result<(), Self::Error> {
        link.execute("SELECT 1")
            .map_err(diesel::ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, link: &mut PgLink) -> bool {
        !link.reusable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_url_gets_its_bounds() {
        let rest = |s: &str| {
            format!(
                "keepalives_idle=10{s}keepalives_interval=5{s}keepalives_count=2{s}tcp_user_timeout=10000"
            )
        };
        let cases = [
            (
                "postgresql://a@b/c",
                format!("postgresql://a@b/c?connect_timeout=2&{}", rest("&")),
            ),
            (
                "postgresql://a@b/c?host=/tmp",
                format!("postgresql://a@b/c?host=/tmp&connect_timeout=2&{}", rest("&")),
            ),
            (
                "host=/tmp dbname=c",
                format!("host=/tmp dbname=c connect_timeout=2 {}", rest(" ")),
            ),
            (
                "postgresql://a@b/c?connect_timeout=9",
                format!("postgresql://a@b/c?connect_timeout=9&{}", rest("&")),
            ),
        ];
        for (url, expected) in cases {
            assert_eq!(bounded_in_time(url), expected);
        }
    }
}
