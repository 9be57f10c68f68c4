use crate::{
    AdminSignIn, BlockingPool, Client, CoalescingCache, RateLimiter, SecurityHeaders, Store, TrustedProxies,
    VisitorTokens,
};
use chrono_tz::Tz;
use drawing::Seeds;
use kernel::{Clock, Entropy, Sealer, StoreError};
use pricing::{Payments, Webhooks};
use sms::{ConsentDefault, Credentials, SmsCallbacks};
use std::sync::Arc;
use usecases::campaigns::SmsRules;
use usecases::credentials::CredentialsSource;
use usecases::perform_drawing::DrawingTools;

/// What all requests share, whatever the store is.
pub struct AppState {
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
    pub flows: BlockingPool,
    /// Where drawings run, one at a time, while nobody else wants to.
    pub drawings: BlockingPool,
    /// In which days begin and end.
    pub time_zone: Tz,
    /// The dashboard's figures, for all who look at it.
    pub dashboard: CoalescingCache,
    /// From how many accounts on an address is suspicious.
    pub fraud_accounts_per_ip: u32,
    /// Where cards are charged; nothing can be bought without it.
    pub payments: Option<Arc<PaymentGateway>>,
    /// Where texts are sent, and by which rules.
    pub sms: SmsServices,
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

/// How texts are sent.
pub struct SmsServices {
    /// The account that the server was started with.
    pub environment: Option<Credentials>,
    /// Knows the provider's calls.
    pub callbacks: Arc<dyn SmsCallbacks>,
    /// What holds for all texts.
    pub rules: Arc<SmsRules>,
    /// Texts a second at most.
    pub max_per_second: u32,
}

impl SmsServices {
    /// The account that texts are sent with now.
    pub(crate) fn credentials<S: Store>(
        &self,
        store: &S,
        sealer: &dyn Sealer,
    ) -> Result<Option<(Credentials, CredentialsSource)>, StoreError> {
        usecases::credentials::current(store, sealer, self.environment.as_ref())
    }
}

impl AppState {
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
