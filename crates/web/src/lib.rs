//! The HTTP side over actix-web: routes, bodies, views, extractors and errors, generic over the store.
//!
//! A handler turns the body into a command, runs one blocking use case and turns the result into a view. All requests share
//! the [`AppState`]: clock, tokens, limits and the client's pages. Start reading at [`routes::configure`].

mod address;
mod admin;
mod app_state;
mod blocking_pool;
mod body;
mod claim_records;
mod claim_visitor;
mod client;
mod coalescing_cache;
mod collector;
mod conditional;
mod csv;
mod data_archive;
mod drawing_views;
mod error;
mod field_names;
mod fields;
mod geo;
mod headers;
mod keys;
mod known_credentials;
mod limits;
mod middleware;
mod names;
mod negotiation;
mod openapi;
mod password;
mod proof_document;
mod query;
mod readiness;
mod request_pools;
mod responses;
mod route_table;
pub mod routes;
mod site_identity;
mod stopping;
mod tracking;
mod turns;
mod verification_browser;
mod views;
mod visitor;

pub use address::TrustedProxies;
pub use admin::{AdminSignIn, Administrator, SignInSettings};
pub use app_state::{
    AppState, ClaimServices, DrawingSettings, PaymentGateway, PhoneVerification, PrivacyServices,
    PushSettings, SmsServices, StaffSettings, TrackingOrigins, rules_text,
};
pub use blocking_pool::{DEADLINE, set_idle_priority};
pub use body::BODY_LIMIT;
pub use client::{BuiltClient, Client, ClientError, ClientSettings};
pub use coalescing_cache::CoalescingCache;
pub use collector::Collector;
pub use error::ApiError;
pub use fields::Fields;
pub use geo::GeoHeaders;
pub use headers::{HeaderSettings, SecurityHeaders};
pub use keys::{StaffBrowserToken, StaffToken, TokenKeys, TokenKind, VisitorToken};
pub use known_credentials::KnownCredentials;
pub use limits::{Limit, MemoryLimiter, NoLimits, RateLimiter, limit_key, subscriber};
pub use openapi::openapi_json;
pub use password::{Argon2Hash, NotAHash, PasswordCheck};
pub use proof_document::{NotAProof, ProofDocument, UnreadableProof, proof_from_json};
pub use readiness::Readiness;
pub use request_pools::{PoolSize, RequestPool, RequestPools};
pub use routes::{Store, application, approval_tools};
pub use site_identity::SiteIdentity;
pub use stopping::Stopping;
pub use turns::Turns;
pub use visitor::VisitorTokens;
