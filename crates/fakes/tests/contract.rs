//! The fakes keep the stores' contract.

contracts::store_contract!(fakes::MemStore::default());
