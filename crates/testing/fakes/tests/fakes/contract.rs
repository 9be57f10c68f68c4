//! Runs the contract tests of stores on the fakes.

contracts::store_contract!(fakes::MemStore::default());
contracts::store_contract!(drawing_calendar: fakes::MemStore::default());
