//! What the environment says (D31): read once, validated as a whole, all problems named at once.

mod read;

use kernel::Phone;
use read::Reader;
use secrecy::{SecretSlice, SecretString};
use sms::ConsentDefault;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use web::TrustedProxies;

/// Every variable there is. `.env.example` documents the same ones.
pub const VARIABLES: [&str; 30] = [
    "APP_ENV",
    "BIND_ADDR",
    "DATABASE_URL",
    "DATABASE_POOL_SIZE",
    "PUBLIC_ORIGIN",
    "CLIENT_DIR",
    "SECRET_KEY",
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
    /// Who may sign in to the console.
    pub admin: Option<Admin>,
    /// Card payments.
    pub stripe: Option<Stripe>,
    /// Texts.
    pub twilio: Option<Twilio>,
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

/// Twilio's credentials.
#[derive(Debug)]
pub struct Twilio {
    /// The account.
    pub account_sid: String,
    /// Its secret.
    pub auth_token: SecretString,
    /// The sender.
    pub phone_number: Phone,
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
    /// When no campaign text is sent, in the site's time zone.
    pub quiet_hours: Option<QuietHours>,
    /// What an absent answer about campaign texts means.
    pub consent_default: ConsentDefault,
}

/// A part of the day, in minutes after midnight; it may go over midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// The first quiet minute.
    pub from: u16,
    /// The first minute that is not quiet.
    pub until: u16,
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

/// So that a checkout runs at once. Whoever can read this file can sign with it, so production refuses to start
/// without a key of its own.
const DEVELOPMENT_KEY: [u8; 32] = *b"tombola development key, public!";

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

fn read_all(reader: &mut Reader) -> Option<Config> {
    let environment = reader.one_of(
        "APP_ENV",
        &[
            ("development", Environment::Development),
            ("production", Environment::Production),
        ],
        Environment::Development,
    );
    let production = environment == Some(Environment::Production);

    // Each is read before any is asked for, so that all problems are found.
    let bind = reader.parsed(
        "BIND_ADDR",
        "an address with a port, such as 127.0.0.1:8080",
        "127.0.0.1:8080",
    );
    let url = read_database_url(reader);
    let pool_size = reader.number("DATABASE_POOL_SIZE", 1, 200, 16);
    let public_origin = read_origin(reader, production, bind);
    let client_dir = reader
        .text("CLIENT_DIR")
        .unwrap_or_else(|| "frontend/dist".to_owned());
    let secret_key = read_secret_key(reader, production);
    let admin = read_admin(reader, production);
    let stripe = read_stripe(reader);
    let twilio = read_twilio(reader);
    let trusted_proxies = read_trusted_proxies(reader);
    let rate_limits = reader.one_of("RATE_LIMITS", &[("on", true), ("off", false)], true);
    if production && rate_limits == Some(false) {
        reader.problem("RATE_LIMITS: cannot be off in production");
    }
    let sms = read_sms(reader, production);
    let time_zone = reader.parsed(
        "SITE_TIME_ZONE",
        "a time zone, such as America/New_York",
        "America/New_York",
    );
    let fraud_accounts_per_ip = reader.number("FRAUD_ACCOUNTS_PER_IP", 2, 10_000, 3);
    let metrics = reader.optional("METRICS_ADDR", "an address with a port, such as 127.0.0.1:9464");
    let redis_url = read_redis_url(reader);
    let formats = [("text", LogFormat::Text), ("json", LogFormat::Json)];
    let log_format = reader.one_of("LOG_FORMAT", &formats, LogFormat::Text);

    Some(Config {
        environment: environment?,
        bind: bind?,
        database: Database {
            url: url?,
            pool_size: pool_size?,
        },
        public_origin: public_origin?,
        client_dir: client_dir.into(),
        secret_key: secret_key?,
        admin,
        stripe,
        twilio,
        trusted_proxies: trusted_proxies?,
        rate_limits: rate_limits?,
        sms: sms?,
        time_zone: time_zone?,
        fraud_accounts_per_ip: fraud_accounts_per_ip?,
        metrics,
        redis_url,
        log_format: log_format?,
    })
}

fn read_database_url(reader: &mut Reader) -> Option<SecretString> {
    let Some(url) = reader.text("DATABASE_URL") else {
        reader.problem("DATABASE_URL: is not set; `make run` starts a database of its own");
        return None;
    };
    let known = url.starts_with("postgres://") || url.starts_with("postgresql://") || url.contains("dbname=");
    if !known {
        reader.problem("DATABASE_URL: must be a PostgreSQL URL, such as postgresql://user@host/tombola");
        return None;
    }
    Some(url.into())
}

fn read_origin(reader: &mut Reader, production: bool, bind: Option<SocketAddr>) -> Option<String> {
    let Some(text) = reader.text("PUBLIC_ORIGIN") else {
        if production {
            reader.problem("PUBLIC_ORIGIN: is required in production, such as https://example.org");
        }
        return Some(format!("http://localhost:{}", bind?.port()));
    };
    let origin = read::origin(&text);
    match origin {
        Some(origin) if !production || origin.starts_with("https://") => Some(origin),
        _ => {
            let scheme = if production { "https" } else { "http or https" };
            reader.wrong(
                "PUBLIC_ORIGIN",
                &text,
                &format!("an {scheme} origin without a path, such as https://example.org"),
            );
            None
        }
    }
}

fn read_secret_key(reader: &mut Reader, production: bool) -> Option<SecretSlice<u8>> {
    let Some(text) = reader.text("SECRET_KEY") else {
        if production {
            reader.problem("SECRET_KEY: is required in production: 64 hexadecimal digits, as `openssl rand -hex 32` prints");
            return None;
        }
        return Some(DEVELOPMENT_KEY.to_vec().into());
    };
    match hex::decode(&text) {
        Ok(key) if key.len() == 32 => Some(key.into()),
        _ => {
            reader.problem("SECRET_KEY: must be 64 hexadecimal digits");
            None
        }
    }
}

fn read_admin(reader: &mut Reader, production: bool) -> Option<Admin> {
    let username = reader.text("ADMIN_USERNAME");
    let hash = reader.text("ADMIN_PASSWORD_HASH");
    let plain = reader.text("ADMIN_PASSWORD");
    if plain.is_some() && production {
        reader.problem("ADMIN_PASSWORD: is refused in production; set ADMIN_PASSWORD_HASH");
    }
    if hash.as_ref().is_some_and(|hash| !hash.starts_with("$argon2id$")) {
        reader.problem("ADMIN_PASSWORD_HASH: must be an Argon2id hash, beginning with $argon2id$");
    }
    let password = hash
        .map(|hash| AdminPassword::Hash(hash.into()))
        .or_else(|| plain.map(|password| AdminPassword::Plain(password.into())));
    match (username, password) {
        (Some(username), Some(password)) => Some(Admin { username, password }),
        (Some(_), None) => {
            reader.problem("ADMIN_PASSWORD_HASH: is not set, but ADMIN_USERNAME is");
            None
        }
        (None, Some(_)) => {
            reader.problem("ADMIN_USERNAME: is not set, but the administrator's password is");
            None
        }
        (None, None) => None,
    }
}

fn read_stripe(reader: &mut Reader) -> Option<Stripe> {
    let secret_key = reader.prefixed("STRIPE_SECRET_KEY", &["sk_", "rk_"]);
    let publishable_key = reader.prefixed("STRIPE_PUBLISHABLE_KEY", &["pk_"]);
    let webhook_secret = reader.prefixed("STRIPE_WEBHOOK_SECRET", &["whsec_"]);
    let api_base = reader.root("STRIPE_API_BASE", "https://api.stripe.com");
    let [secret_key, publishable_key, webhook_secret] = reader.all_or_none([
        ("STRIPE_SECRET_KEY", secret_key),
        ("STRIPE_PUBLISHABLE_KEY", publishable_key),
        ("STRIPE_WEBHOOK_SECRET", webhook_secret),
    ])?;
    Some(Stripe {
        secret_key: secret_key.into(),
        publishable_key,
        webhook_secret: webhook_secret.into(),
        api_base: api_base?,
    })
}

fn read_twilio(reader: &mut Reader) -> Option<Twilio> {
    let account_sid = reader.prefixed("TWILIO_ACCOUNT_SID", &["AC"]);
    let auth_token = reader.text("TWILIO_AUTH_TOKEN");
    let phone_number = reader.text("TWILIO_PHONE_NUMBER");
    let api_base = reader.root("TWILIO_API_BASE", "https://api.twilio.com");
    let phone = phone_number.as_deref().and_then(Phone::from_e164);
    if phone_number.is_some() && phone.is_none() {
        reader.problem("TWILIO_PHONE_NUMBER: must be a number in E.164, such as +15551234567");
    }
    let [account_sid, auth_token, _] = reader.all_or_none([
        ("TWILIO_ACCOUNT_SID", account_sid),
        ("TWILIO_AUTH_TOKEN", auth_token),
        ("TWILIO_PHONE_NUMBER", phone_number),
    ])?;
    Some(Twilio {
        account_sid,
        auth_token: auth_token.into(),
        phone_number: phone?,
        api_base: api_base?,
    })
}

fn read_trusted_proxies(reader: &mut Reader) -> Option<TrustedProxies> {
    let list = reader.text("TRUSTED_PROXIES").unwrap_or_default();
    TrustedProxies::parse(&list)
        .map_err(|part| {
            reader.wrong(
                "TRUSTED_PROXIES",
                &part,
                "an address or network, such as 10.0.0.0/8",
            )
        })
        .ok()
}

fn read_sms(reader: &mut Reader, production: bool) -> Option<Sms> {
    let max_per_second = reader.number("SMS_MAX_PER_SECOND", 1, 1_000, 10);
    let monthly_cap = reader.number("SMS_MONTHLY_CAP", 0, 100, 1);
    let quiet_hours = read_quiet_hours(reader, production);
    let defaults = [
        ("granted", ConsentDefault::Granted),
        ("none", ConsentDefault::None),
    ];
    let absent = if production {
        ConsentDefault::None
    } else {
        ConsentDefault::Granted
    };
    let consent_default = reader.one_of("SMS_CONSENT_DEFAULT", &defaults, absent);
    Some(Sms {
        max_per_second: max_per_second?,
        monthly_cap: monthly_cap?,
        quiet_hours: quiet_hours?,
        consent_default: consent_default?,
    })
}

fn read_quiet_hours(reader: &mut Reader, production: bool) -> Option<Option<QuietHours>> {
    let absent = if production { "21:00-08:00" } else { "off" };
    let text = reader
        .text("SMS_QUIET_HOURS")
        .unwrap_or_else(|| absent.to_owned());
    if text == "off" {
        return Some(None);
    }
    let hours = read::quiet_hours(&text);
    if hours.is_none() {
        reader.wrong("SMS_QUIET_HOURS", &text, "hours such as 21:00-08:00, or off");
    }
    hours.map(Some)
}

fn read_redis_url(reader: &mut Reader) -> Option<SecretString> {
    let url = reader.text("REDIS_URL")?;
    if redis::Client::open(url.as_str()).is_err() {
        reader.problem("REDIS_URL: must be a Redis URL, such as redis://localhost:6379");
        return None;
    }
    Some(url.into())
}

#[cfg(test)]
mod tests;
