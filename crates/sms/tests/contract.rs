//! The rules that every store keeps, on the store in memory. PostgreSQL keeps the same ones:
//! `crates/store-postgres/tests`.

contracts::store_contract!(consents: fakes::MemStore::default());
contracts::store_contract!(messages: fakes::MemStore::default());
contracts::store_contract!(campaigns: fakes::MemStore::default());
