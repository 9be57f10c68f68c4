use crate::{
    AdminSignIn, Client, FlowThreads, Latest, RateLimiter, SecurityHeaders, TrustedProxies, VisitorTokens,
};
use chrono_tz::Tz;
use drawing::Seeds;
use kernel::{Clock, Entropy, Sealer};
use pricing::{Payments, Webhooks};
use sms::ConsentDefault;
use std::sync::Arc;
use usecases::DrawingTools;

/// What all requests share, whatever the store is.
pub struct Site {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness for referral codes and salts.
    pub entropy: Arc<dyn Entropy>,
    /// Where the seeds of drawings come from.
    pub seeds: Arc<dyn Seeds>,
    /// Keeps them, and other stored secrets.
    pub sealer: Arc<dyn Sealer>,
    /// The site's origin as visitors see it, such as `https://example.org`.
    pub public_origin: String,
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
    /// Where drawings run, one at a time, while nobody else wants to.
    pub drawings: FlowThreads,
    /// In which days begin and end.
    pub time_zone: Tz,
    /// The dashboard's figures, for all who look at it.
    pub dashboard: Latest,
    /// From how many accounts on an address is suspicious.
    pub fraud_accounts_per_ip: u32,
    /// Where cards are charged; nothing can be bought without it.
    pub payments: Option<Arc<PaymentGateway>>,
    /// The pages.
    pub client: Client,
    /// Headers of every answer.
    pub headers: SecurityHeaders,
}

/// The provider of card payments.
pub struct PaymentGateway {
    /// For the provider's script in the browser.
    pub publishable_key: String,
    /// What it does for us.
    pub payments: Arc<dyn Payments>,
    /// What it tells us of.
    pub webhooks: Arc<dyn Webhooks>,
}

impl Site {
    /// What drawings need of it.
    pub fn drawing_tools(&self) -> DrawingTools<'_> {
        DrawingTools {
            clock: &*self.clock,
            entropy: &*self.entropy,
            seeds: &*self.seeds,
            sealer: &*self.sealer,
            public_origin: &self.public_origin,
        }
    }
}
