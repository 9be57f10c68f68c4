//! What every route speaks: bodies, fields, queries, answers and their headers.

pub(crate) mod body;
pub(crate) mod conditional;
pub(crate) mod cookies;
pub(crate) mod csv;
pub(crate) mod description;
pub(crate) mod error;
pub(crate) mod field;
pub(crate) mod field_names;
pub(crate) mod fields;
pub(crate) mod headers;
pub(crate) mod names;
pub(crate) mod negotiation;
pub(crate) mod path_id;
pub(crate) mod query;
pub(crate) mod responses;
pub(crate) mod views;
