//! Runs the contract tests of stores on the fakes.

contracts::store_contract!(fakes::MemStore::default());
contracts::store_contract!(drawing_calendar: fakes::MemStore::default());

#[test]
fn a_former_id_finds_its_entrant_and_is_given_to_nobody_else() {
    let store = fakes::MemStore::default();
    let give = |id, former| store.set_former_id(id, former);
    contracts::former_ids::a_former_id_finds_its_entrant_and_is_given_to_nobody_else(&store, give);
}
