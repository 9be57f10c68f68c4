//! The rules that every store keeps, on the store in memory. PostgreSQL keeps the same ones:
//! `crates/store-postgres/tests`.

contracts::store_contract!(drawing: fakes::MemStore::default());
contracts::store_contract!(drawing_flow: fakes::MemStore::default());
contracts::store_contract!(published_lists: fakes::MemStore::default());
