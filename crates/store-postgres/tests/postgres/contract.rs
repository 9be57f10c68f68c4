//! PostgreSQL keeps the stores' contract.

contracts::store_contract!(crate::support::TestDatabase::new().store());
