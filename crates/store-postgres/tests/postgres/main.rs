//! The store on a real PostgreSQL.

mod away;
mod contract;
mod schema;
mod support;
