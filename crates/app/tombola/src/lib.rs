//! The program `tombola`: configuration, logging, wiring and subcommands. Only this crate knows PostgreSQL and Redis.

pub mod approve;
pub mod audit;
mod client;
pub mod config;
mod connections;
pub mod database;
pub mod demo;
pub mod drawings;
pub mod hash_password;
pub mod health;
pub mod init;
pub mod keys;
mod listen;
pub mod logging;
pub mod openapi;
mod pools;
pub mod privacy;
pub mod push_keys;
pub mod redis_limiter;
pub mod reset_totp;
pub mod retention;
pub mod rollups;
mod sealing;
pub mod serve;
mod system;
#[cfg(feature = "otlp")]
mod traces;
pub mod verify;
mod worker;
mod workers;

pub use sealing::SecretKeySealer;
pub use system::{OsEntropy, OsSeeds, SystemClock};
