//! `.env.example` against the variables that are read.

use crate::config::{Config, VARIABLES};
use std::collections::{BTreeMap, BTreeSet};

const EXAMPLE: &str = include_str!("../../../../../../.env.example");

/// `NAME=value` lines of the example, commented out or not.
pub(super) fn examples() -> BTreeMap<String, String> {
    let variable = |line: &str| {
        let (name, value) = line.trim_start_matches('#').split_once('=')?;
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        is_name.then(|| (name.to_owned(), value.trim_matches('\'').to_owned()))
    };
    EXAMPLE.lines().filter_map(variable).collect()
}

#[test]
fn the_example_file_documents_exactly_the_variables() {
    let documented: BTreeSet<_> = examples().into_keys().collect();
    assert_eq!(
        documented,
        VARIABLES.iter().map(|name| (*name).to_owned()).collect()
    );
}

#[test]
fn every_variable_that_is_read_is_listed() {
    let asked = std::cell::RefCell::new(BTreeSet::new());
    let _ = Config::read(|name| {
        asked.borrow_mut().insert(name.to_owned());
        None
    });
    let mut listed: BTreeSet<_> = VARIABLES.iter().map(|name| (*name).to_owned()).collect();
    listed.remove("RUST_LOG"); // read by the logging library
    assert_eq!(asked.into_inner(), listed);
}

#[test]
fn the_example_values_are_valid() {
    let variables = examples();
    let config = Config::read(|name| variables.get(name).cloned()).unwrap();
    assert!(config.stripe.is_some() && config.twilio.is_some() && config.admin.is_some());
}
