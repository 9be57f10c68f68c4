//! Routes, bodies, views, extractors and errors over actix-web, generic over the store.
//!
//! A handler reads downwards: body to command, one blocking use case, result to view. What all requests share (time,
//! tokens, limits, the client's pages) is the [`Site`]. Start reading at [`routes::configure`].

mod address;
mod admin;
mod app_state;
mod blocking_pool;
mod body;
mod client;
mod coalescing_cache;
mod collector;
mod csv;
mod error;
mod headers;
mod keys;
mod limits;
mod middleware;
mod openapi;
mod password;
mod proof_document;
mod query;
pub mod routes;
mod tracking;
mod visitor;

pub use address::TrustedProxies;
pub use admin::{AdminSignIn, Administrator};
pub use app_state::{AppState, PaymentGateway, SmsServices};
pub use blocking_pool::{BlockingPool, DEADLINE};
pub use body::BODY_LIMIT;
pub use client::{Client, ClientError, ClientSettings};
pub use coalescing_cache::CoalescingCache;
pub use collector::Collector;
pub use error::{ApiError, Fields};
pub use headers::{HeaderSettings, SecurityHeaders};
pub use keys::SiteSecrets;
pub use limits::{Limit, MemoryLimiter, NoLimits, RateLimiter, limit_key};
pub use openapi::openapi_json;
pub use password::{Argon2Hash, NotAHash, PASSWORD_BYTES, PasswordCheck};
pub use proof_document::{NotAProof, ProofDocument};
pub use routes::{Store, application};
pub use visitor::VisitorTokens;
