//! Routes, bodies, views, extractors and errors over actix-web, generic over the store.
//!
//! A handler reads downwards: body to command, one blocking use case, result to view. What all requests share (time,
//! tokens, limits, the client's pages) is the [`Site`]. Start reading at [`routes::configure`].

mod address;
mod admin;
mod body;
mod client;
mod collector;
mod error;
mod flow_threads;
mod headers;
mod keys;
mod latest;
mod limits;
mod middleware;
mod openapi;
mod password;
mod proof_document;
mod query;
pub mod routes;
mod site;
mod spreadsheet;
mod tracking;
mod visitor;

pub use address::TrustedProxies;
pub use admin::{AdminSignIn, Administrator};
pub use body::BODY_LIMIT;
pub use client::{Client, ClientError, ClientSettings};
pub use collector::Collector;
pub use error::{ApiError, Fields};
pub use flow_threads::{DEADLINE, FlowThreads};
pub use headers::{HeaderSettings, SecurityHeaders};
pub use keys::SiteSecrets;
pub use latest::Latest;
pub use limits::{Limit, MemoryLimiter, NoLimits, RateLimiter, limit_key};
pub use openapi::openapi_json;
pub use password::{Argon2Hash, NotAHash, PASSWORD_BYTES, PasswordCheck};
pub use proof_document::{NotAProof, ProofDocument};
pub use routes::{Store, application};
pub use site::{PaymentGateway, Site, Texting};
pub use visitor::VisitorTokens;
