//! The rules that every store keeps, on the store in memory. PostgreSQL keeps the same ones:
//! `crates/store-postgres/tests`.

contracts::store_contract!(purchases: fakes::MemStore::default());
contracts::store_contract!(purchase_flow: fakes::MemStore::default());
contracts::store_contract!(purchase_history: fakes::MemStore::default());
