//! `fraud::SharedNetworks`: the networks that many people share.

use crate::PgTx;
use crate::rows::{CountRow, IdRow, rows};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text, Timestamptz};
use fraud::{NewSharedNetwork, SharedNetwork, SharedNetworkId, SharedNetworks};
use kernel::{Network, PageRequest, StoreError};

const ADD: &str = "
INSERT INTO shared_networks (network, label, created_at) VALUES ($1::cidr, $2, $3)
ON CONFLICT ON CONSTRAINT shared_networks_network_key DO NOTHING
RETURNING id";

const REMOVE: &str = "
DELETE FROM shared_networks WHERE id = $1 RETURNING id, text(network) AS network, label, created_at";

/// In the order in which folding locks networks.
const CHECK_AGAIN: &str = "
WITH inner_network AS (
    SELECT network FROM analytics_networks WHERE network <<= $1::cidr AND checked > 0 ORDER BY network FOR UPDATE
)
UPDATE analytics_networks SET checked = 0
FROM inner_network
WHERE analytics_networks.network = inner_network.network";

const LIST: &str = "
SELECT id, text(network) AS network, label, created_at FROM shared_networks ORDER BY id DESC LIMIT $1 OFFSET $2";

rows! {
    struct Row {
        id: i64,
        network: String,
        label: String,
        created_at: DateTime<Utc>,
    }
}

impl TryFrom<Row> for SharedNetwork {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: SharedNetworkId::new(row.id),
            network: Network::parse(&row.network).ok_or(StoreError::corrupt(
                "shared_networks",
                "network",
                row.id,
            ))?,
            label: row.label,
            created_at: row.created_at,
        })
    }
}

impl SharedNetworks for PgTx {
    fn add_shared_network(
        &mut self,
        new: &NewSharedNetwork,
        at: DateTime<Utc>,
    ) -> Result<Option<SharedNetworkId>, StoreError> {
        let add = sql_query(ADD)
            .bind::<Text, _>(new.network().to_string())
            .bind::<Text, _>(new.label())
            .bind::<Timestamptz, _>(at);
        let added: Option<IdRow> = self.query(|connection| add.get_result(connection).optional())?;
        Ok(added.map(|row| SharedNetworkId::new(row.id)))
    }

    fn remove_shared_network(&mut self, id: SharedNetworkId) -> Result<Option<SharedNetwork>, StoreError> {
        let remove = sql_query(REMOVE).bind::<BigInt, _>(id.get());
        let removed: Option<Row> = self.query(|connection| remove.get_result(connection).optional())?;
        let Some(removed) = removed else { return Ok(None) };
        let check_again = sql_query(CHECK_AGAIN).bind::<Text, _>(&removed.network);
        self.query(|connection| check_again.execute(connection))?;
        removed.try_into().map(Some)
    }

    fn list_shared_networks(&self, page: PageRequest) -> Result<Vec<SharedNetwork>, StoreError> {
        let list = sql_query(LIST)
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(i64::from(page.offset));
        let rows: Vec<Row> = self.query(|connection| list.load(connection))?;
        rows.into_iter().map(SharedNetwork::try_from).collect()
    }

    fn count_shared_networks(&self) -> Result<i64, StoreError> {
        let count = sql_query("SELECT count(*) AS n FROM shared_networks");
        let row: CountRow = self.query(|connection| count.get_result(connection))?;
        Ok(row.n)
    }
}
