//! What the environment says (D31): read once, validated as a whole, all problems named at once.

mod assemble;
mod read;

use assemble::{read_all, read_database_url};
use read::Reader;
use secrecy::{SecretSlice, SecretString};
use sms::{ConsentDefault, Credentials, QuietHours};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use web::TrustedProxies;

/// Every variable there is. `.env.example` documents the same ones.
pub const VARIABLES: [&str; 33] = [
    "APP_ENV",
    "DEMO",
    "BIND_ADDR",
    "DATABASE_URL",
    "DATABASE_POOL_SIZE",
    "PUBLIC_ORIGIN",
    "CLIENT_DIR",
    "SECRET_KEY",
    "SECRET_KEY_PREVIOUS",
    "ADMIN_USERNAME",
    "ADMIN_PASSWORD_HASH",
    "ADMIN_PASSWORD",
    "STRIPE_SECRET_KEY",
    "STRIPE_PUBLISHABLE_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "STRIPE_API_BASE",
    "TWILIO_ACCOUNT_SID",
    "TWILIO_AUTH_TOKEN",
    "TWILIO_PHONE_NUMBER",
    "TWILIO_API_BASE",
    "TRUSTED_PROXIES",
    "RATE_LIMITS",
    "SMS_MAX_PER_SECOND",
    "SMS_MONTHLY_CAP",
    "SMS_QUIET_HOURS",
    "SMS_CONSENT_DEFAULT",
    "SITE_TIME_ZONE",
    "FRAUD_ACCOUNTS_PER_IP",
    "ADS_PIXEL_ID",
    "METRICS_ADDR",
    "REDIS_URL",
    "LOG_FORMAT",
    "RUST_LOG",
];

/// The whole configuration. Its `Debug` shows no secret.
#[derive(Debug)]
pub struct Config {
    /// Whether this is production.
    pub environment: Environment,
    /// In a demo, the origin of what stands in for Stripe. Every page says then that it is one.
    pub stand_in: Option<String>,
    /// Where to listen.
    pub bind: SocketAddr,
    /// The database.
    pub database: Database,
    /// The site's origin as visitors see it, such as `https://example.org`.
    pub public_origin: String,
    /// The built client.
    pub client_dir: PathBuf,
    /// From which all keys are made.
    pub secret_key: SecretSlice<u8>,
    /// Earlier ones, whose tokens still hold.
    pub previous_secret_keys: Vec<SecretSlice<u8>>,
    /// Who may sign in to the console.
    pub admin: Option<Admin>,
    /// Card payments.
    pub stripe: Option<Stripe>,
    /// The account that texts are sent with, unless staff save another.
    pub twilio: Option<Credentials>,
    /// The root of Twilio's API.
    pub twilio_api_base: String,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
    /// Whether requests are limited by address.
    pub rate_limits: bool,
    /// How texts are sent.
    pub sms: Sms,
    /// In which dates are shown and days begin.
    pub time_zone: chrono_tz::Tz,
    /// From how many accounts on an address is suspicious.
    pub fraud_accounts_per_ip: u32,
    /// The account that the ads pixel reports to.
    pub ads_pixel: Option<String>,
    /// Where Prometheus reads figures; nowhere without it.
    pub metrics: Option<SocketAddr>,
    /// Where limits are counted when several servers run.
    pub redis_url: Option<SecretString>,
    /// How log lines look.
    pub log_format: LogFormat,
}

/// Development has conveniences that production refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// One's own machine.
    Development,
    /// The real site.
    Production,
}

/// The database.
#[derive(Debug)]
pub struct Database {
    /// Where it is.
    pub url: SecretString,
    /// Connections at most.
    pub pool_size: u32,
}

/// Who may sign in to the console.
#[derive(Debug)]
pub struct Admin {
    /// The name.
    pub username: String,
    /// The password, or what is known of it.
    pub password: AdminPassword,
}

/// How the administrator's password is known.
#[derive(Debug)]
pub enum AdminPassword {
    /// As an Argon2id hash.
    Hash(SecretString),
    /// As it is, in development only.
    Plain(SecretString),
}

/// Stripe's keys.
#[derive(Debug)]
pub struct Stripe {
    /// For our calls.
    pub secret_key: SecretString,
    /// For the browser.
    pub publishable_key: String,
    /// For Stripe's calls to us.
    pub webhook_secret: SecretString,
    /// The root of its API.
    pub api_base: String,
}

/// How texts are sent.
#[derive(Debug)]
pub struct Sms {
    /// Texts a second at most.
    pub max_per_second: u32,
    /// Campaign texts a phone may get in a calendar month.
    pub monthly_cap: u32,
    /// When no text is sent, in the site's time zone.
    pub quiet_hours: Option<QuietHours>,
    /// What an absent answer about campaign texts means.
    pub consent_default: ConsentDefault,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Everything that is wrong, a line each.
#[derive(Debug, PartialEq, Eq)]
pub struct Problems(Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for Problems {}

impl Config {
    /// Reads the configuration from variables; an empty one counts as absent.
    ///
    /// # Errors
    /// Every variable whose value is wrong or missing, with what it should be. No secret is repeated.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Problems> {
        let mut reader = Reader::new(variable);
        let config = read_all(&mut reader);
        let problems = reader.problems();
        match config {
            Some(config) if problems.is_empty() => Ok(config),
            _ => Err(Problems(problems)),
        }
    }

    /// Reads it from this process's environment.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn from_environment() -> Result<Self, Problems> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Whether this is production.
    pub fn is_production(&self) -> bool {
        self.environment == Environment::Production
    }
}

impl Database {
    /// Reads only where the database is, for commands that need no more.
    ///
    /// # Errors
    /// When it is not said.
    pub fn url_from_environment() -> Result<SecretString, Problems> {
        let mut reader = Reader::new(|name| std::env::var(name).ok());
        let url = read_database_url(&mut reader);
        url.ok_or_else(|| Problems(reader.problems()))
    }
}

#[cfg(test)]
mod tests;
