//! Requests for data (D45) and how long data is kept (D46).

pub mod retention;
