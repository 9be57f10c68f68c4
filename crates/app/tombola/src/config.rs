//! The configuration from environment variables: read once at the start, with all problems reported together.

mod assemble;
mod connections;
mod database;
mod drawings;
mod environment;
mod keys;
mod push;
mod read;
mod security_contact;
mod site;
mod tracking_origins;

use crate::keys::SecretKeys;
pub use drawings::DrawingConfig;

use assemble::read_all;
use kernel::StaffName;
use pricing::EntryCap;
use privacy::retention::Terms;
use push_web::Vapid;
use read::Reader;
use secrecy::SecretString;
use sms::{ConsentDefault, Credentials, DailyBudget, RecipientHours, SmsCountries};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;
use web::{GeoHeaders, PoolSize, SiteIdentity, TrackingOrigins, TrustedProxies};

/// Every variable that is read. `.env.example` documents the same ones.
pub const VARIABLES: &[&str] = &[
    "APP_ENV",
    "DEMO",
    "BIND_ADDR",
    "DATABASE_URL",
    "MIGRATION_DATABASE_URL",
    "ALLOW_OWNER_ROLE",
    "DATABASE_POOL_SIZE",
    "DATABASE_POOL_SIZE_READS",
    "DATABASE_POOL_SIZE_CALLBACKS",
    "DATABASE_POOL_SIZE_CONSOLE",
    "REQUEST_QUEUE",
    "REQUEST_QUEUE_READS",
    "REQUEST_QUEUE_CALLBACKS",
    "REQUEST_QUEUE_CONSOLE",
    "PUBLIC_ORIGIN",
    "CLIENT_DIR",
    "ERASURE_JOURNAL",
    "SECRET_KEY",
    "SECRET_KEY_PREVIOUS",
    "VISITOR_TOKEN_KEY",
    "STAFF_TOKEN_KEY",
    "DRAWING_SEED_KEY",
    "SMS_CREDENTIALS_KEY",
    "SMS_CODES_KEY",
    "ADMIN_USERNAME",
    "ADMIN_PASSWORD_HASH",
    "ADMIN_PASSWORD",
    "STAFF_TOTP",
    "TWO_PERSON",
    "STRIPE_SECRET_KEY",
    "STRIPE_PUBLISHABLE_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "STRIPE_API_BASE",
    "TWILIO_ACCOUNT_SID",
    "TWILIO_AUTH_TOKEN",
    "TWILIO_PHONE_NUMBER",
    "TWILIO_API_BASE",
    "VAPID_PUBLIC_KEY",
    "VAPID_PRIVATE_KEY",
    "VAPID_SUBJECT",
    "TRACKING_ORIGINS",
    "TRUSTED_PROXIES",
    "GEO_HEADERS",
    "RATE_LIMITS",
    "CONNECTIONS_PER_ADDRESS",
    "WRITE_TIMEOUT_SECONDS",
    "DRAIN_SECONDS",
    "SMS_MAX_PER_SECOND",
    "SMS_MONTHLY_CAP",
    "SMS_DAILY_BUDGET",
    "SMS_COUNTRIES",
    "SMS_QUIET_HOURS",
    "SMS_CONSENT_DEFAULT",
    "PHONE_VERIFICATION",
    "SITE_TIME_ZONE",
    "SITE_NAME",
    "ENTRY_CAP_PER_MONTH",
    "CONTACT_EMAIL",
    "SPONSOR_NAME",
    "SPONSOR_ADDRESS",
    "SECURITY_CONTACT",
    "FRAUD_ACCOUNTS_PER_IP",
    "RETENTION_DAYS",
    "ADS_PIXEL_ID",
    "DRAWING_SCHEDULE",
    "DRAWING_BEACON",
    "DRAWING_DELAY",
    "METRICS_ADDR",
    "OTLP_ENDPOINT",
    "REDIS_URL",
    "REDIS_CA_FILE",
    "LOG_FORMAT",
    "RUST_LOG",
];

/// The whole configuration. Its `Debug` shows no secret.
#[derive(Debug)]
pub struct Config {
    /// Development or production.
    pub environment: Environment,
    /// In a demo, the origin of the Stripe stand-in. Every page of a demo says that it is one.
    pub stand_in: Option<String>,
    /// The address to listen on.
    pub bind: SocketAddr,
    /// The database.
    pub database: Database,
    /// The site's origin as visitors see it, such as `https://example.org`.
    pub public_origin: String,
    /// The folder of the built client. If there is none, the client in the program is served.
    pub client_dir: Option<PathBuf>,
    /// The secrets from which all keys are derived.
    pub keys: SecretKeys,
    /// The administrator, who may sign in to the console.
    pub admin: Option<Admin>,
    /// Whether owners and managers must have a second factor.
    pub totp_required: bool,
    /// Whether two people make the calls that one should not make alone.
    pub two_person: bool,
    /// Card payments.
    pub stripe: Option<Stripe>,
    /// How drawings are announced, and the beacon that decides them.
    pub drawings: DrawingConfig,
    /// The Twilio account, used unless staff save another one.
    pub twilio: Option<Credentials>,
    /// The root URL of Twilio's API.
    pub twilio_api_base: String,
    /// How this server says who it is to the push services of browsers. Without it, no push messages are sent.
    pub push: Option<Vapid>,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// The headers in which these proxies name the visitor's country and city.
    pub geo_headers: GeoHeaders,
    /// Whether requests are rate limited by address.
    pub rate_limits: bool,
    /// How many connections one address may have at a time, if there is a limit.
    pub connections_per_address: Option<u32>,
    /// How long a visitor may read nothing of an answer before the connection is closed.
    pub write_timeout: Duration,
    /// How long the server still answers after SIGTERM, while `/readyz` says that it is stopping.
    pub drain: Duration,
    /// Settings of messages.
    pub sms: Sms,
    /// Whether sign-ups need a code that is sent to their number.
    pub phone_verification: bool,
    /// The site's time zone, for dates and the start of days.
    pub time_zone: chrono_tz::Tz,
    /// Who runs the site.
    pub site: SiteIdentity,
    /// The most bought and free entries of one entrant in a month.
    pub entry_cap: EntryCap,
    /// The file with the ids of erased people, outside of the database. Without it nobody can be erased.
    pub erasure_journal: Option<PathBuf>,
    /// Where vulnerabilities are reported, a `mailto:` or `https:` URI, if there is a place.
    pub security_contact: Option<String>,
    /// From how many accounts on a network is suspicious.
    pub fraud_accounts_per_ip: u32,
    /// After how many days addresses, user agents and fingerprints are erased.
    pub retention: Terms,
    /// The account of the ads pixel.
    pub ads_pixel: Option<String>,
    /// The address that serves metrics to Prometheus, if any.
    pub metrics: Option<SocketAddr>,
    /// The collector that traces are sent to, if any. Needs the cargo feature `otlp`.
    pub otlp_endpoint: Option<String>,
    /// The Redis in which several servers share rate limits.
    pub redis: Option<Redis>,
    /// The format of log lines.
    pub log_format: LogFormat,
}

/// Development has defaults that production rejects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// A developer's machine.
    Development,
    /// The real site.
    Production,
}

/// The database.
#[derive(Debug)]
pub struct Database {
    /// Its URL, with the role that the server runs as.
    pub url: SecretString,
    /// Its URL with the role that owns the tables, if that is another one.
    pub migration_url: Option<SecretString>,
    /// Whether the server may run as a role that could change logs, the ledger and drawings.
    pub allow_owner_role: bool,
    /// What visitors look up: threads, each with a connection, and the queue for them.
    pub visitor_reads: PoolSize,
    /// What visitors change.
    pub visitor_writes: PoolSize,
    /// The calls of the providers.
    pub callbacks: PoolSize,
    /// The console.
    pub console: PoolSize,
}

/// The Redis server.
#[derive(Debug)]
pub struct Redis {
    /// Its URL.
    pub url: SecretString,
    /// The certificates of the authorities to trust, in PEM, instead of the system's.
    pub authorities: Option<Vec<u8>>,
}

/// The administrator, who may sign in to the console.
#[derive(Debug)]
pub struct Admin {
    /// The name.
    pub username: StaffName,
    /// The password or its hash.
    pub password: AdminPassword,
}

/// The form in which the administrator's password is configured.
#[derive(Debug)]
pub enum AdminPassword {
    /// An Argon2id hash.
    Hash(SecretString),
    /// The password itself, in development only.
    Plain(SecretString),
}

/// Stripe's keys.
#[derive(Debug)]
pub struct Stripe {
    /// The key for API calls.
    pub secret_key: SecretString,
    /// The key for the browser.
    pub publishable_key: String,
    /// The secret that signs webhook events.
    pub webhook_secret: SecretString,
    /// The root URL of the API.
    pub api_base: String,
}

/// Settings of messages.
#[derive(Debug)]
pub struct Sms {
    /// The maximum number of messages per second.
    pub max_per_second: u32,
    /// The maximum number of campaign messages to a phone number in a calendar month.
    pub monthly_cap: u32,
    /// The maximum number of messages on one day, in UTC, campaign messages aside.
    pub daily_budget: DailyBudget,
    /// The countries whose numbers get messages.
    pub countries: SmsCountries,
    /// The hours in which numbers get campaign, welcome and winner messages. `None` for any hour.
    pub hours: Option<RecipientHours>,
    /// What the links of campaign messages may begin with.
    pub tracking_origins: TrackingOrigins,
    /// The consent to campaign messages of an entrant who did not answer.
    pub consent_default: ConsentDefault,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// All problems of a configuration, one line each.
#[derive(Debug, PartialEq, Eq)]
pub struct Problems(Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for Problems {}

impl Config {
    /// Reads the configuration from variables. An empty value counts as absent.
    ///
    /// # Errors
    /// Every variable with an invalid or missing value, and what is expected. Secrets are not repeated.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Problems> {
        let mut reader = Reader::new(variable);
        let config = read_all(&mut reader);
        let problems = reader.problems();
        match config {
            Some(config) if problems.is_empty() => Ok(config),
            _ => Err(Problems(problems)),
        }
    }

    /// Reads the configuration from the environment of this process.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn from_environment() -> Result<Self, Problems> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Development or production.
    pub fn is_production(&self) -> bool {
        self.environment == Environment::Production
    }

    /// Whether a start may print a link that makes the first owner: only in development, where no stranger can open it, and
    /// while the environment names no administrator.
    pub fn offers_first_owner(&self) -> bool {
        let origin = Url::parse(&self.public_origin).ok();
        let host = origin.as_ref().and_then(Url::host_str);
        !self.is_production()
            && self.admin.is_none()
            && self.bind.ip().to_canonical().is_loopback()
            && host.is_some_and(connections::is_loopback)
    }
}

/// Reads only the address to listen on, for commands that need nothing else.
///
/// # Errors
/// When it is invalid.
pub fn bind_from_environment() -> Result<SocketAddr, Problems> {
    let mut reader = Reader::new(|name| std::env::var(name).ok());
    let bind = assemble::read_bind(&mut reader);
    bind.ok_or_else(|| Problems(reader.problems()))
}

impl Database {
    /// Reads only the database's URL, for commands that need nothing else.
    ///
    /// # Errors
    /// When it is missing or invalid.
    pub fn url_from_environment() -> Result<SecretString, Problems> {
        let mut reader = Reader::new(|name| std::env::var(name).ok());
        let production = environment::read(&mut reader) == Some(Environment::Production);
        let url = connections::read_database_url(&mut reader, production);
        let problems = reader.problems();
        url.filter(|_| problems.is_empty()).ok_or(Problems(problems))
    }

    /// Reads only the URL of the tables' owner, if there is one.
    ///
    /// # Errors
    /// When it is invalid.
    pub fn migration_url_from_environment() -> Result<Option<SecretString>, Problems> {
        let mut reader = Reader::new(|name| std::env::var(name).ok());
        let production = environment::read(&mut reader) == Some(Environment::Production);
        let url = connections::read_migration_url(&mut reader, production);
        let problems = reader.problems();
        problems.is_empty().then_some(url).ok_or(Problems(problems))
    }
}

#[cfg(test)]
mod tests;
