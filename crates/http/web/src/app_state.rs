use crate::KnownRaffles;
use crate::{
    AdminSignIn, Client, CoalescingCache, DashboardCache, GeoHeaders, KnownCredentials, PictureQueue,
    RateLimiter, Readiness, SecurityHeaders, SiteIdentity, Stopping, Store, TrustedProxies, VisitorTokens,
};
use chrono::TimeDelta;
use chrono_tz::Tz;
use claims::{ClaimKey, ClaimSecrets};
use codes::CodeKey;
use drawing::beacon::{Beacon, BeaconVerifier, Chain, ChainHash};
use drawing::rules::{RulesFacts, RulesSchedule};
use drawing::{Secrets, Seeds};
use fraud::FraudRules;
use kernel::{Clock, Entropy, Sealer, StoreError};
use pricing::{CapRules, EntryCap, Payments, Webhooks};
use privacy::{Journal, RequestKeys};
use push::EndpointRules;
use sms::{ConsentDefault, Credentials, LinkBase, SealedText, SmsCallbacks};
use staff::{SecondPerson, TotpSecret};
use std::sync::Arc;
use usecases::campaigns::SmsRules;
use usecases::claims::{ClaimNotices, ClaimTools};
use usecases::codes::CodeTools;
use usecases::credentials::Account;
use usecases::drawings::{DrawingTimes, DrawingTools, Schedule};
use usecases::packages::SaleNeeds;
use usecases::privacy::requests::RequestTools;
use usecases::purchases::PurchaseRules;
use usecases::second_factor::StaffTools;

/// The state that all requests share, besides the store.
pub struct AppState {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness for referral codes and salts.
    pub entropy: Arc<dyn Entropy>,
    /// The source of the seeds of drawings.
    pub seeds: Arc<dyn Seeds>,
    /// Encrypts the seeds that are stored until their drawing.
    pub seed_sealer: Arc<dyn Sealer<Secrets>>,
    /// How drawings are announced, and the beacon that decides them.
    pub drawings: DrawingSettings,
    /// The site's origin as visitors see it, such as `https://example.org`.
    pub public_origin: String,
    /// Who runs the site.
    pub site: SiteIdentity,
    /// Where vulnerabilities are reported: a `mailto:` or `https:` URI, if there is one.
    pub security_contact: Option<String>,
    /// Signs and checks visitor cookies.
    pub visitors: VisitorTokens,
    /// Whether sign-ups and requests for data need a code (`PHONE_VERIFICATION`).
    pub phone_verification: bool,
    /// How codes are sent.
    pub codes: CodeServices,
    /// How winners claim their prizes.
    pub claims: ClaimServices,
    /// How people get a copy of their data, or have it deleted.
    pub privacy: PrivacyServices,
    /// Messages that browsers show when a raffle is drawn.
    pub push: PushSettings,
    /// Sign-in to the console.
    pub admin: AdminSignIn,
    /// The accounts of staff.
    pub staff: StaffSettings,
    /// Whether a sign-up without an answer about campaign messages is consent.
    pub consent_default: ConsentDefault,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// The headers in which these proxies name the visitor's country and city.
    pub geo_headers: GeoHeaders,
    /// Limits the requests of an address.
    pub limiter: Arc<dyn RateLimiter>,
    /// Whether the server can write.
    pub readiness: Readiness,
    /// The raffles.
    pub raffles: KnownRaffles,
    /// The time zone in which days begin and end.
    pub time_zone: Tz,
    /// The latest figures of the dashboard.
    pub dashboard: DashboardCache,
    /// The entries that take part in each raffle, for odds.
    pub raffle_totals: CoalescingCache,
    /// The cap on bought and free entries.
    pub entry_cap: EntryCap,
    /// The rules of fraud detection.
    pub fraud_rules: FraudRules,
    /// The payment provider; without it, nothing can be bought.
    pub payments: Option<Arc<PaymentGateway>>,
    /// The SMS provider, and the rules of sending.
    pub sms: SmsServices,
    /// Makes pictures of uploads.
    pub pictures: PictureQueue,
    /// The pages and files of the client.
    pub client: Client,
    /// The headers of every response.
    pub headers: SecurityHeaders,
    /// Whether the server is about to stop.
    pub stopping: Stopping,
}

impl AppState {
    /// The text of the official rules as the settings make it.
    pub fn rules_text(&self) -> String {
        let DrawingSettings { schedule, beacon, .. } = &self.drawings;
        rules_text(
            &self.site,
            self.time_zone,
            self.entry_cap,
            *schedule,
            beacon.as_ref(),
        )
    }

    /// What must stand before packages are shown.
    pub(crate) const fn sale_needs(&self) -> SaleNeeds {
        match self.drawings.production {
            true => SaleNeeds::Production {
                zone: self.time_zone,
                schedule: self.drawings.schedule,
            },
            false => SaleNeeds::Nothing,
        }
    }

    /// When regular drawings take place.
    pub const fn drawing_times(&self) -> DrawingTimes {
        DrawingTimes {
            schedule: self.drawings.schedule,
            zone: self.time_zone,
        }
    }

    /// The rules of buying.
    pub(crate) const fn purchase_rules(&self) -> PurchaseRules {
        PurchaseRules {
            cap: self.cap_rules(),
            times: self.drawing_times(),
        }
    }

    /// The cap on bought and free entries, by the site's calendar.
    pub(crate) const fn cap_rules(&self) -> CapRules {
        CapRules {
            cap: self.entry_cap,
            zone: self.time_zone,
        }
    }
}

/// The text of the official rules as these settings make it.
pub fn rules_text(
    site: &SiteIdentity,
    time_zone: Tz,
    entry_cap: EntryCap,
    schedule: Schedule,
    beacon: Option<&Chain>,
) -> String {
    let [name, contact, sponsor, address] = site.tokens().map(|(_, value)| value);
    let facts = RulesFacts {
        site_name: name,
        sponsor_name: sponsor,
        sponsor_address: address,
        contact_email: contact,
        time_zone: time_zone.name(),
        entry_cap: entry_cap.get(),
        schedule: match schedule {
            Schedule::Manual => RulesSchedule::Manual,
            Schedule::Monthly => RulesSchedule::Monthly,
        },
        has_beacon: beacon.is_some(),
    };
    facts.text()
}

/// How drawings are announced, and the beacon that decides them.
#[derive(Clone)]
pub struct DrawingSettings {
    /// Who announces drawings.
    pub schedule: Schedule,
    /// The chain of the beacon for new drawings; `None` when the beacon is off.
    pub beacon: Option<Chain>,
    /// How long after its announcement the round of a drawing of staff is.
    pub delay: TimeDelta,
    /// Whether an additional drawing needs a reason and a day of notice.
    pub production: bool,
    /// Checks the signatures of the beacon.
    pub verifier: Arc<dyn BeaconVerifier>,
    /// The hosts that publish the rounds of `beacon`.
    pub hosts: Option<Arc<dyn Beacon>>,
}

impl DrawingSettings {
    /// The hosts of a chain, if it is the configured one.
    pub fn beacon_of(&self, chain: ChainHash) -> Option<&dyn Beacon> {
        let hosts = self.hosts.as_deref();
        hosts.filter(|hosts| hosts.chain().chain_hash == chain)
    }
}

/// What one-time codes need.
pub struct CodeServices {
    /// Hashes codes and numbers.
    pub key: CodeKey,
    /// Encrypts the bodies of texts with codes.
    pub sealer: Arc<dyn Sealer<SealedText>>,
    /// The host of the site, without a port.
    pub host: String,
    /// Whether limits hold.
    pub limits: bool,
}

/// What winners' claims need.
pub struct ClaimServices {
    /// Makes the tokens of new links and hashes the codes of calls.
    pub key: ClaimKey,
    /// The keys before it, which made earlier links.
    pub earlier_keys: Vec<ClaimKey>,
    /// Encrypts the bodies of texts.
    pub texts: Arc<dyn Sealer<SealedText>>,
    /// Encrypts the winners' details.
    pub details: Arc<dyn Sealer<ClaimSecrets>>,
}

/// What requests of people for their data need.
pub struct PrivacyServices {
    /// Makes links to copies.
    pub keys: RequestKeys,
    /// Where erasures are noted first.
    pub journal: Arc<dyn Journal>,
}

/// How browsers subscribe to messages.
pub struct PushSettings {
    /// The public VAPID key in base64url; `None` while the server sends no messages.
    pub public_key: Option<String>,
    /// Which push services are allowed.
    pub endpoints: EndpointRules,
}

/// The accounts of staff.
pub struct StaffSettings {
    /// Encrypts the secrets of second factors.
    pub sealer: Arc<dyn Sealer<TotpSecret>>,
    /// Whether owners and managers must have a second factor (`STAFF_TOTP`).
    pub totp_required: bool,
    /// Whether two people make the calls that one should not make alone (`TWO_PERSON`).
    pub two_person: bool,
}

impl StaffSettings {
    /// What a member of staff who makes a call alone lacks.
    pub(crate) const fn second_person(&self) -> SecondPerson {
        match self.two_person {
            true => SecondPerson::Missing,
            false => SecondPerson::NotNeeded,
        }
    }
}

/// The provider of card payments.
pub struct PaymentGateway {
    /// The key for the provider's script in the browser.
    pub publishable_key: String,
    /// Creates and retrieves payments.
    pub payments: Arc<dyn Payments>,
    /// Verifies and parses the provider's events.
    pub webhooks: Arc<dyn Webhooks>,
}

/// Everything that sending messages needs.
pub struct SmsServices {
    /// The account from the environment.
    pub environment: Option<Credentials>,
    /// Encrypts the account that staff save.
    pub sealer: Arc<dyn Sealer<Credentials>>,
    /// The account that callbacks were last checked with.
    pub known: KnownCredentials,
    /// Verifies and parses the provider's callbacks.
    pub callbacks: Arc<dyn SmsCallbacks>,
    /// The rules for all messages.
    pub rules: Arc<SmsRules>,
    /// The maximum number of messages per second.
    pub max_per_second: u32,
    /// What the links of campaign messages may begin with.
    pub tracking_origins: TrackingOrigins,
}

/// What the links of campaign messages may begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrackingOrigins {
    /// Any http or https address. In development only.
    Any,
    /// These origins.
    Only(Vec<LinkBase>),
}

impl SmsServices {
    /// The account that messages are sent with: the saved one, or else the one from the environment.
    pub(crate) fn account<S: Store>(&self, store: &S) -> Result<Account, StoreError> {
        usecases::credentials::current(store, &*self.sealer, self.environment.as_ref())
    }
}

impl AppState {
    fn claim_notices(&self) -> ClaimNotices<'_> {
        ClaimNotices {
            key: &self.claims.key,
            earlier: &self.claims.earlier_keys,
            sealer: &*self.claims.texts,
            public_origin: &self.public_origin,
            site_name: &self.site.name,
        }
    }

    /// The tools of one-time codes.
    pub(crate) fn code_tools(&self) -> CodeTools<'_> {
        CodeTools {
            entropy: &*self.entropy,
            key: &self.codes.key,
            sealer: &*self.codes.sealer,
            site_name: &self.site.name,
            host: &self.codes.host,
            countries: &self.sms.rules.countries,
            limits: self.codes.limits,
            daily_budget: self.sms.rules.daily_budget,
        }
    }

    /// The tools of claims.
    pub fn claim_tools(&self) -> ClaimTools<'_> {
        ClaimTools {
            notices: self.claim_notices(),
            codes: self.code_tools(),
            entropy: &*self.entropy,
            details: &*self.claims.details,
            countries: &self.sms.rules.countries,
            time_zone: self.time_zone,
        }
    }

    /// The tools of requests for data. `has_account`: whether there is an account to send texts with.
    pub(crate) fn request_tools(&self, has_account: bool) -> RequestTools<'_> {
        RequestTools {
            clock: &*self.clock,
            keys: &self.privacy.keys,
            journal: &*self.privacy.journal,
            codes: self.phone_verification.then(|| self.code_tools()),
            has_account,
        }
    }

    /// The tools of drawings.
    pub fn drawing_tools(&self) -> DrawingTools<'_> {
        DrawingTools {
            entropy: &*self.entropy,
            seeds: &*self.seeds,
            sealer: &*self.seed_sealer,
            claims: self.claim_notices(),
            time_zone: self.time_zone,
            schedule: self.drawings.schedule,
            beacon: self.drawings.beacon.as_ref(),
            delay: self.drawings.delay,
            production: self.drawings.production,
        }
    }
}

impl AppState {
    /// The tools of staff's accounts.
    pub fn staff_tools(&self) -> StaffTools<'_> {
        StaffTools {
            clock: &*self.clock,
            entropy: &*self.entropy,
            sealer: &*self.staff.sealer,
            totp_required: self.staff.totp_required,
            environment_password: self.admin.environment_password(),
        }
    }
}
