use crate::{
    AdminSignIn, Client, FlowThreads, Latest, RateLimiter, SecurityHeaders, TrustedProxies, VisitorTokens,
};
use chrono_tz::Tz;
use kernel::{Clock, Entropy};
use sms::ConsentDefault;
use std::sync::Arc;

/// What all requests share, whatever the store is.
pub struct Site {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness for referral codes.
    pub entropy: Arc<dyn Entropy>,
    /// Signs and checks visitor cookies.
    pub visitors: VisitorTokens,
    /// Who may use the console.
    pub admin: AdminSignIn,
    /// What an absent answer about campaign texts means.
    pub consent_default: ConsentDefault,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
    /// Who may ask how often.
    pub limiter: Arc<dyn RateLimiter>,
    /// Where use cases run.
    pub flows: FlowThreads,
    /// In which days begin and end.
    pub time_zone: Tz,
    /// The dashboard's figures, for all who look at it.
    pub dashboard: Latest,
    /// From how many accounts on an address is suspicious.
    pub fraud_accounts_per_ip: u32,
    /// The pages.
    pub client: Client,
    /// Headers of every answer.
    pub headers: SecurityHeaders,
}
