//! The HTTP side over actix-web: routes, bodies, views, extractors and errors, generic over the store.
//!
//! A handler turns the body into a command, runs one blocking use case and turns the result into a view. All requests share
//! the [`AppState`]: clock, tokens, limits and the client's pages. Start reading at [`routes::configure`].

mod app_state;
mod callers;
mod client;
mod http;
mod identity;
pub mod routes;
mod threads;

pub use app_state::{
    AppState, ClaimServices, CodeServices, DrawingSettings, PaymentGateway, PrivacyServices, PushSettings,
    SmsServices, StaffSettings, TrackingOrigins, rules_text,
};
pub use client::site_identity::SiteIdentity;
pub use client::{BuiltClient, Client, ClientError, ClientSettings};
pub use http::body::BODY_LIMIT;
pub use http::error::{ApiError, Fields};
pub use http::headers::{HeaderSettings, SecurityHeaders};
pub use identity::address::TrustedProxies;
pub use identity::geo::GeoHeaders;
pub use identity::keys::{StaffBrowserToken, StaffToken, TokenKeys, TokenKind, VisitorToken};
pub use identity::known_credentials::KnownCredentials;
pub use identity::limits::{Limit, MemoryLimiter, NoLimits, RateLimiter, limit_key, subscriber};
pub use identity::password::{Argon2Hash, NotAHash, PasswordCheck};
pub use identity::sign_in::{AdminSignIn, Administrator, SignInSettings};
pub use identity::visitor_tokens::{VisitorTokens, success_path};
pub use routes::openapi::openapi_json;
pub use routes::proof_document::{NotAProof, ProofDocument, UnreadableProof, proof_from_json};
pub use routes::{application, approval_tools};
pub use threads::blocking_pool::{DEADLINE, set_idle_priority};
pub use threads::coalescing_cache::{CoalescingCache, DashboardCache};
pub use threads::collector::Collector;
pub use threads::known_raffles::KnownRaffles;
pub use threads::picture_queue::PictureQueue;
pub use threads::readiness::Readiness;
pub use threads::request_pools::{PoolSize, RequestPool, RequestPools};
pub use threads::stopping::Stopping;
pub use threads::turns::Turns;
pub use usecases::Store;
