//! The contract of every store, run on PostgreSQL.

contracts::store_contract!(crate::support::TestDatabase::new().store());
