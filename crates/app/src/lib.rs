//! The program `tombola`: configuration, logging, wiring and subcommands. Only this crate knows PostgreSQL and Redis.

pub mod approve;
pub mod audit;
mod claimer;
mod cleaner;
mod clearer;
mod client;
pub mod config;
mod connections;
pub mod database;
pub mod demo;
mod drawer;
pub mod drawings;
mod folder;
pub mod hash_password;
pub mod health;
pub mod init;
pub mod keys;
mod listen;
pub mod logging;
pub mod openapi;
mod pools;
pub mod privacy;
mod publisher;
pub mod push_keys;
mod reconciler;
pub mod redis_limiter;
pub mod reset_totp;
pub mod retention;
pub mod rollups;
mod sealing;
mod sender;
pub mod serve;
mod system;
#[cfg(feature = "otlp")]
mod traces;
pub mod verify;
mod worker;
mod workers;
mod write_probe;

pub use sealing::SecretKeySealer;
pub use system::{OsEntropy, OsSeeds, SystemClock};
