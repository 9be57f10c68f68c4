//! The rules that every store keeps, on the store in memory. PostgreSQL keeps the same ones:
//! `crates/store-postgres/tests`.

contracts::store_contract!(staff_ports: fakes::MemStore::default());
contracts::store_contract!(approvals: fakes::MemStore::default());
