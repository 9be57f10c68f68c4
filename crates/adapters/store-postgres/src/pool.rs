//! Connections: opening them, their timeouts, and when they are closed.

use crate::errors::{Fault, fault};
use crate::tls::local_conninfo;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use std::time::Duration;

/// The size of the pool, and time limits.
#[derive(Debug, Clone, Copy)]
pub struct PoolSettings {
    /// The largest number of open connections.
    pub size: u32,
    /// How long to wait for a free connection before failing with [`kernel::StoreError::Unavailable`].
    pub wait: Duration,
    /// How long one statement may run, and wait for locks, if the work has no deadline of its own ([`kernel::run_until`]).
    pub statement: Duration,
}

impl Default for PoolSettings {
    /// 8 connections, 1 s to wait for one, and 2 s for a statement.
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
    /// Whether it is outside a transaction and not known to be lost.
    pub(crate) reusable: bool,
    /// The session's `statement_timeout`.
    statement_timeout: Duration,
}

impl PgLink {
    pub(crate) fn execute(&mut self, sql: &str) -> QueryResult<()> {
        self.connection
            .batch_execute(sql)
            .inspect_err(|error| self.mark_if_lost(error))
    }

    /// Begins a transaction, or only sets the timeout if `begin` is empty.
    pub(crate) fn begin(&mut self, begin: &str, timeout: Duration) -> QueryResult<()> {
        self.limit_statements(timeout)?;
        if !begin.is_empty() {
            self.execute(begin)?;
            self.reusable = false; // until it has ended
        }
        Ok(())
    }

    /// Sets the session's `statement_timeout`. Costs a round trip only when it changes. Outside of transactions only,
    /// because a rollback would undo it.
    pub(crate) fn limit_statements(&mut self, timeout: Duration) -> QueryResult<()> {
        if self.statement_timeout != timeout {
            self.execute(&format!("SET statement_timeout = {}", timeout.as_millis()))?;
            self.statement_timeout = timeout;
        }
        Ok(())
    }

    pub(crate) fn mark_if_lost(&mut self, error: &diesel::result::Error) {
        if fault(error) == Fault::Lost {
            self.reusable = false;
        }
    }
}

pub(crate) struct PgManager {
    url: String,
    on_connect: String,
    statement_timeout: Duration,
}

impl PgManager {
    /// `jit` is off: PostgreSQL compiles a statement, which takes 100 ms or more, when the planner expects high costs.
    /// While `enable_seqscan` is off, it expects them for each table that is read whole, even one with a single row.
    pub(crate) fn new(url: &str, settings: PoolSettings) -> Self {
        let statement = settings.statement.as_millis();
        let on_connect = format!(
            "SET statement_timeout = {statement}; SET lock_timeout = {statement}; \
             SET idle_in_transaction_session_timeout = '10s'; SET TIME ZONE 'UTC'; SET application_name = 'tombola'; \
             SET jit = off"
        );
        Self {
            url: with_timeouts(url),
            on_connect,
            statement_timeout: settings.statement,
        }
    }
}

/// The `statement_timeout` of work that has this much time left: a little less, so that the statement is canceled before
/// the work's caller gives up. In steps, so that it seldom changes from one request to the next.
pub(crate) fn statement_timeout(time_left: Duration) -> Duration {
    const STEP: u64 = 250;
    const LEAST: u64 = 100;
    let millis = u64::try_from(time_left.as_millis()).unwrap_or(u64::MAX);
    let whole_steps = millis.saturating_sub(1) / STEP * STEP;
    Duration::from_millis(whole_steps.clamp(LEAST, i32::MAX as u64))
}

/// Adds a timeout for connecting (2 s is libpq's minimum) and TCP timeouts for a server that no longer answers, which
/// would otherwise take hours. Parameters that the URL sets are kept.
fn with_timeouts(url: &str) -> String {
    const TIMEOUTS: [&str; 5] = [
        "connect_timeout=2",
        "keepalives_idle=10",
        "keepalives_interval=5",
        "keepalives_count=2",
        "tcp_user_timeout=10000",
    ];
    let is_url = url.contains("://");
    TIMEOUTS.iter().fold(url.to_owned(), |url, timeout| {
        let name = timeout.split('=').next().unwrap_or_default();
        let separator = match (is_url, url.contains('?')) {
            (true, true) => '&',
            (true, false) => '?',
            (false, _) => ' ',
        };
        if url.contains(name) {
            url
        } else {
            format!("{url}{separator}{timeout}")
        }
    })
}

impl r2d2::ManageConnection for PgManager {
    type Connection = PgLink;
    type Error = diesel::ConnectionError;

    fn connect(&self) -> Result<PgLink, Self::Error> {
        let conninfo =
            local_conninfo(&self.url).map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
        let mut connection = PgConnection::establish(&conninfo)?;
        connection
            .batch_execute(&self.on_connect)
            .map_err(diesel::ConnectionError::CouldntSetupConfiguration)?;
        Ok(PgLink {
            connection,
            reusable: true,
            statement_timeout: self.statement_timeout,
        })
    }

    /// Not called: a ping at each checkout costs a round trip, and `BEGIN` detects a lost connection as well.
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
    fn a_statement_is_canceled_before_the_deadline() {
        let cases = [
            (2_500, 2_250),
            (2_260, 2_250),
            (2_250, 2_000),
            (300, 250),
            (30, 100),
            (120_000, 119_750),
        ];
        for (left, expected) in cases {
            let timeout = statement_timeout(Duration::from_millis(left));
            assert_eq!(timeout, Duration::from_millis(expected), "{left} ms left");
        }
        assert!(statement_timeout(Duration::MAX).as_millis() <= i32::MAX as u128);
    }

    #[test]
    fn timeouts_are_added_to_every_form_of_url() {
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
            assert_eq!(with_timeouts(url), expected);
        }
    }
}
