//! The program `tombola`: configuration, logging, wiring, subcommands. Only here are PostgreSQL and Redis known.

pub mod config;
pub mod demo;
mod folder;
pub mod hash_password;
pub mod logging;
pub mod redis_limiter;
pub mod rollups;
pub mod serve;
mod system;

pub use system::{OsEntropy, SystemClock};
