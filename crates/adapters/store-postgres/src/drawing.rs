//! What the domain `drawing` stores.

mod cut_offs;
mod drawings;
mod frozen_entrants;
mod log;
mod official_rules;
mod published_lists;
mod steps;
