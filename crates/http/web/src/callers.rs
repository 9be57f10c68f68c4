//! What a handler may ask of its request: who calls, from where, with which rights.

pub(crate) mod admin;
pub(crate) mod claim_visitor;
pub(crate) mod code_browser;
pub(crate) mod limited;
pub(crate) mod middleware;
pub(crate) mod origin;
pub(crate) mod right;
pub(crate) mod same_origin;
pub(crate) mod tracking;
pub(crate) mod visitor;
