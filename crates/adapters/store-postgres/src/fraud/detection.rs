//! Fraud detection: reads the accounts of suspicious networks, and flags whom [`FraudRules::examine`] finds.

use super::evidence;
use crate::PgTx;
use crate::rows::{IdRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Inet, Jsonb, Text};
use fraud::{FraudRules, NetworkAccount, reason_of_detection};
use ipnet::IpNet;
use kernel::{EntrantId, Network, StoreError};

/// How many networks are checked in one transaction, which holds the append lock.
const NETWORKS: i64 = 1_000;

/// Networks with new accounts since they were checked, which an index lists. Folding locks them in the same order.
const TAKE_NETWORKS: &str = "
WITH next AS (
    SELECT network FROM analytics_networks
    WHERE accounts > checked AND accounts > 1 AND accounts >= $1
    ORDER BY network LIMIT $2
    FOR UPDATE
)
UPDATE analytics_networks SET checked = accounts
FROM next
WHERE analytics_networks.network = next.network
RETURNING text(analytics_networks.network) AS network,
    EXISTS (SELECT FROM shared_networks WHERE shared_networks.network >>= analytics_networks.network) AS is_shared";

/// `OFFSET 0` keeps the planner from joining all entrants with all networks: each network is one scan of the index.
const ACCOUNTS: &str = "
SELECT networks.nth, account.*
FROM unnest($1, $2) WITH ORDINALITY AS networks (first, last, nth)
CROSS JOIN LATERAL (
    SELECT users.id, users.created_at, fingerprint, referrer_id, NOT is_flagged AND unflagged_at IS NULL AS is_open
    FROM users
    LEFT JOIN referrals ON referred_user_id = users.id
    WHERE users.ip_address >= networks.first AND users.ip_address <= networks.last
    OFFSET 0
) AS account
ORDER BY networks.nth";

const FLAG_FOUND: &str = "
UPDATE users
SET is_flagged = true, flag_reason = found.reason, flag_evidence = found.evidence, flagged_at = statement_timestamp()
FROM unnest($1, $2, $3) AS found (id, reason, evidence)
WHERE users.id = found.id AND NOT is_flagged AND unflagged_at IS NULL
RETURNING users.id";

rows! {
    struct NetworkRow {
        network: String,
        is_shared: bool,
    }
}

/// A network to check.
#[derive(Clone, Copy)]
struct TakenNetwork {
    network: Network,
    is_shared: bool,
}

rows! {
    struct AccountRow {
        /// The number of the network, from 1.
        nth: i64,
        id: i64,
        created_at: DateTime<Utc>,
        fingerprint: Option<String>,
        referrer_id: Option<i64>,
        is_open: bool,
    }
}

impl From<AccountRow> for NetworkAccount {
    fn from(row: AccountRow) -> Self {
        Self {
            id: EntrantId::new(row.id),
            created_at: row.created_at,
            fingerprint: row.fingerprint,
            referrer: row.referrer_id.map(EntrantId::new),
            is_open: row.is_open,
        }
    }
}

/// The entrants to flag, with the columns of their flags.
#[derive(Default)]
struct Findings {
    ids: Vec<i64>,
    reasons: Vec<String>,
    evidence: Vec<serde_json::Value>,
}

/// What a part of detection did.
pub(crate) struct DetectedPart {
    pub(crate) flagged: Vec<i64>,
    pub(crate) is_complete: bool,
}

impl PgTx {
    /// Flags whom the rules find on the next networks that have new accounts.
    pub(crate) fn flag_next_networks(&mut self, rules: &FraudRules) -> Result<DetectedPart, StoreError> {
        self.expect_few_rows()?;
        let networks = self.take_networks(rules)?;
        let findings = self.examine(rules, &networks)?;
        let flag = sql_query(FLAG_FOUND)
            .bind::<Array<BigInt>, _>(findings.ids)
            .bind::<Array<Text>, _>(findings.reasons)
            .bind::<Array<Jsonb>, _>(findings.evidence);
        let flagged: Vec<IdRow> = self.query(|connection| flag.load(connection))?;
        Ok(DetectedPart {
            flagged: flagged.into_iter().map(|row| row.id).collect(),
            is_complete: i64::try_from(networks.len()).is_ok_and(|count| count < NETWORKS),
        })
    }

    fn take_networks(&self, rules: &FraudRules) -> Result<Vec<TakenNetwork>, StoreError> {
        let take = sql_query(TAKE_NETWORKS)
            .bind::<BigInt, _>(i64::from(rules.suspicious_from()))
            .bind::<BigInt, _>(NETWORKS);
        let rows: Vec<NetworkRow> = self.query(|connection| take.load(connection))?;
        let corrupt = StoreError::corrupt("analytics_networks", "network", 0);
        let taken = |row: NetworkRow| {
            let network = Network::parse(&row.network)?;
            let is_shared = row.is_shared;
            Some(TakenNetwork { network, is_shared })
        };
        rows.into_iter().map(taken).collect::<Option<_>>().ok_or(corrupt)
    }

    fn examine(&self, rules: &FraudRules, networks: &[TakenNetwork]) -> Result<Findings, StoreError> {
        let addresses = |of: fn(Network) -> std::net::IpAddr| -> Vec<IpNet> {
            networks.iter().map(|taken| of(taken.network).into()).collect()
        };
        let accounts = sql_query(ACCOUNTS)
            .bind::<Array<Inet>, _>(addresses(Network::first))
            .bind::<Array<Inet>, _>(addresses(Network::last));
        let rows: Vec<AccountRow> = self.query(|connection| accounts.load(connection))?;
        let mut rows = rows.into_iter().peekable();
        let mut findings = Findings::default();
        for (nth, taken) in (1..).zip(networks) {
            let mut accounts = Vec::new();
            while let Some(row) = rows.next_if(|row| row.nth == nth) {
                accounts.push(row.into());
            }
            for finding in rules.examine(taken.is_shared, accounts) {
                findings.ids.push(finding.entrant.get());
                findings.reasons.push(reason_of_detection(taken.network));
                findings.evidence.push(evidence::to_json(&finding.evidence));
            }
        }
        Ok(findings)
    }
}
