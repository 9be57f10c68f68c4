//! The rules that every store keeps, on the store in memory. PostgreSQL keeps the same ones:
//! `crates/store-postgres/tests`.

contracts::store_contract!(collection: fakes::MemStore::default());
contracts::store_contract!(flags: fakes::MemStore::default());
contracts::store_contract!(clearing: fakes::MemStore::default());
