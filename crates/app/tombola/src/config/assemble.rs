//! Builds the configuration: defaults, formats and what production rejects.

use super::database::read_database;
use super::read::{self, Reader};
use super::{Admin, AdminPassword, Config, Environment, LogFormat, Sms, Stripe};
use super::{connections, drawings, environment, keys, push, security_contact, site, tracking_origins};
use chrono_tz::Tz;
use kernel::Phone;
use kernel::StaffName;
use pricing::EntryCap;
use privacy::retention::Terms;
use sms::{ConsentDefault, Credentials, DailyBudget, QuietHours, RecipientHours, SmsCountries};
use staff::PASSWORD_BYTES;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use web::{Argon2Hash, GeoHeaders, TrustedProxies};

pub(super) fn read_all(reader: &mut Reader) -> Option<Config> {
    let environment = environment::read(reader);
    let production = environment == Some(Environment::Production);

    // Read all variables before the first `?`, so that all problems are found.
    let bind = read_bind(reader);
    let database = read_database(reader, production);
    let public_origin = read_origin(reader, production, bind);
    environment::check_reach(reader, bind, public_origin.as_deref());
    let client_dir = reader.text("CLIENT_DIR");
    let keys = keys::read(reader, production);
    let admin = read_admin(reader, production);
    let totp = [("required", true), ("optional", false)];
    let totp_required = reader.one_of("STAFF_TOTP", &totp, production);
    let two_person = reader.one_of("TWO_PERSON", &[("on", true), ("off", false)], false);
    let stripe = read_stripe(reader, production);
    let twilio = read_twilio(reader);
    let twilio_api_base = reader.provider("TWILIO_API_BASE", "https://api.twilio.com", production);
    let push = push::read(reader, production);
    let drawings = drawings::read(reader, production);
    let is_demo = read_demo(reader, production);
    let stand_in = stripe.as_ref().map(|stripe| stripe.api_base.clone());
    let trusted_proxies = read_trusted_proxies(reader);
    let geo_headers = read_geo_headers(reader);
    let rate_limits = reader.one_of("RATE_LIMITS", &[("on", true), ("off", false)], true);
    if production && rate_limits == Some(false) {
        reader.problem("RATE_LIMITS: cannot be off in production");
    }
    let connections_per_address = reader.number("CONNECTIONS_PER_ADDRESS", 1, 100_000, 200);
    let write_timeout = reader.number("WRITE_TIMEOUT_SECONDS", 1, 60, 30);
    let drain = reader.number("DRAIN_SECONDS", 0, 300, 3);
    let phone_verification = reader.one_of("PHONE_VERIFICATION", &[("on", true), ("off", false)], production);
    let time_zone = reader.parsed(
        "SITE_TIME_ZONE",
        "a time zone, such as America/New_York",
        "America/New_York",
    );
    let entry_cap = read_entry_cap(reader);
    let erasure_journal = read_erasure_journal(reader, production);
    let sms = read_sms(reader, production, public_origin.as_deref(), time_zone);
    let site = site::read(reader, production);
    let security_contact = security_contact::read(reader);
    let fraud_accounts_per_ip = reader.number("FRAUD_ACCOUNTS_PER_IP", 2, 10_000, 3);
    let retention_days = reader.number("RETENTION_DAYS", 1, 3650, Terms::default().days);
    let ads_pixel = read_ads_pixel(reader);
    let metrics = reader.optional("METRICS_ADDR", "an address with a port, such as 127.0.0.1:9464");
    let otlp_endpoint = read_otlp_endpoint(reader);
    let redis = connections::read_redis(reader, production);
    let formats = [("text", LogFormat::Text), ("json", LogFormat::Json)];
    let log_format = reader.one_of("LOG_FORMAT", &formats, LogFormat::Text);

    Some(Config {
        environment: environment?,
        stand_in: stand_in.filter(|_| is_demo),
        bind: bind?,
        database: database?,
        public_origin: public_origin?,
        client_dir: client_dir.map(Into::into),
        keys: keys?,
        admin,
        totp_required: totp_required?,
        two_person: two_person?,
        stripe,
        twilio,
        twilio_api_base: twilio_api_base?,
        push,
        drawings: drawings?,
        trusted_proxies: trusted_proxies?,
        geo_headers: geo_headers?,
        rate_limits: rate_limits?,
        connections_per_address: connections_per_address.filter(|_| rate_limits == Some(true)),
        write_timeout: Duration::from_secs(write_timeout?.into()),
        drain: Duration::from_secs(drain?.into()),
        sms: sms?,
        phone_verification: phone_verification?,
        time_zone: time_zone?,
        site: site?,
        entry_cap: entry_cap?,
        erasure_journal,
        security_contact,
        fraud_accounts_per_ip: fraud_accounts_per_ip?,
        retention: Terms {
            days: retention_days?,
        },
        ads_pixel,
        metrics,
        otlp_endpoint,
        redis,
        log_format: log_format?,
    })
}

fn read_entry_cap(reader: &mut Reader) -> Option<EntryCap> {
    let cap = reader.number("ENTRY_CAP_PER_MONTH", 1, EntryCap::MAX, EntryCap::DEFAULT_ENTRIES);
    cap.and_then(EntryCap::new)
}

/// Without a file nobody can be erased, so there is a default in development only: in production, the file must be where it
/// outlives the database.
fn read_erasure_journal(reader: &mut Reader, production: bool) -> Option<PathBuf> {
    let in_development = (!production).then(|| PathBuf::from(".data/erasures"));
    reader
        .text("ERASURE_JOURNAL")
        .map(PathBuf::from)
        .or(in_development)
}

pub(super) fn read_bind(reader: &mut Reader) -> Option<SocketAddr> {
    reader.parsed(
        "BIND_ADDR",
        "an address with a port, such as 127.0.0.1:8080",
        "127.0.0.1:8080",
    )
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

fn read_admin(reader: &mut Reader, production: bool) -> Option<Admin> {
    let username = reader.text("ADMIN_USERNAME");
    let hash = reader.text("ADMIN_PASSWORD_HASH");
    let plain = reader.text("ADMIN_PASSWORD");
    if plain.is_some() && production {
        reader.problem("ADMIN_PASSWORD: is not allowed in production; set ADMIN_PASSWORD_HASH");
    }
    if hash.as_ref().is_some_and(|hash| Argon2Hash::parse(hash).is_err()) {
        reader.problem(
            "ADMIN_PASSWORD_HASH: must be an Argon2id hash, as `tombola admin hash-password` prints (quote it: it contains $)",
        );
    }
    if plain.as_ref().is_some_and(|plain| plain.len() > PASSWORD_BYTES) {
        reader.problem(&format!(
            "ADMIN_PASSWORD: must not be longer than {PASSWORD_BYTES} bytes"
        ));
    }
    let password = hash
        .map(|hash| AdminPassword::Hash(hash.into()))
        .or_else(|| plain.map(|password| AdminPassword::Plain(password.into())));
    match (username, password) {
        (Some(username), Some(password)) => {
            let parsed = StaffName::parse(&username);
            if parsed.is_none() {
                reader.problem(
                    "ADMIN_USERNAME: must be 1 to 256 letters a–z, digits, periods, hyphens and underscores",
                );
            }
            parsed.map(|username| Admin { username, password })
        }
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

fn read_stripe(reader: &mut Reader, production: bool) -> Option<Stripe> {
    let secret_key = reader.prefixed("STRIPE_SECRET_KEY", &["sk_", "rk_"]);
    let publishable_key = reader.prefixed("STRIPE_PUBLISHABLE_KEY", &["pk_"]);
    let webhook_secret = reader.prefixed("STRIPE_WEBHOOK_SECRET", &["whsec_"]);
    let api_base = reader.provider("STRIPE_API_BASE", "https://api.stripe.com", production);
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

fn read_twilio(reader: &mut Reader) -> Option<Credentials> {
    let account_sid = reader.text("TWILIO_ACCOUNT_SID");
    let auth_token = reader.text("TWILIO_AUTH_TOKEN");
    let phone_number = reader.text("TWILIO_PHONE_NUMBER");
    let value_of = |part: &Option<String>| part.clone().unwrap_or_default();
    let parsed = Credentials::parse(
        &value_of(&account_sid),
        &value_of(&auth_token),
        &value_of(&phone_number),
    );
    let invalid = parsed.as_ref().err().copied().unwrap_or_default();
    if account_sid.is_some() && invalid.account_sid {
        reader.problem("TWILIO_ACCOUNT_SID: must be AC and 32 hexadecimal digits");
    }
    if auth_token.is_some() && invalid.auth_token {
        reader.problem("TWILIO_AUTH_TOKEN: must be 32 hexadecimal digits");
    }
    let is_e164 = phone_number
        .as_deref()
        .is_none_or(|number| Phone::from_e164(number).is_some());
    if !is_e164 {
        reader.problem("TWILIO_PHONE_NUMBER: must be a number in E.164, such as +15551234567");
    }
    reader.all_or_none([
        ("TWILIO_ACCOUNT_SID", account_sid),
        ("TWILIO_AUTH_TOKEN", auth_token),
        ("TWILIO_PHONE_NUMBER", phone_number),
    ])?;
    parsed.ok()
}

/// A demo talks only to stand-ins on this machine, and never runs in production.
fn read_demo(reader: &mut Reader, production: bool) -> bool {
    if reader.one_of("DEMO", &[("on", true), ("off", false)], false) != Some(true) {
        return false;
    }
    if production {
        reader.problem("DEMO: cannot be on in production");
    }
    if reader.text("STRIPE_SECRET_KEY").is_none() {
        reader.problem(
            "STRIPE_SECRET_KEY: is not set, but DEMO is on; `make demo` sets all variables of a demo",
        );
    }
    for name in ["STRIPE_API_BASE", "TWILIO_API_BASE"] {
        if !reader
            .text(name)
            .is_some_and(|root| read::is_on_this_machine(&root))
        {
            reader.problem(&format!(
                "{name}: must be a stand-in on this machine while DEMO is on, such as http://127.0.0.1:12111"
            ));
        }
    }
    true
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

fn read_geo_headers(reader: &mut Reader) -> Option<GeoHeaders> {
    let list = reader.text("GEO_HEADERS").unwrap_or_default();
    let headers = GeoHeaders::parse(&list)
        .map_err(|part| {
            reader.wrong(
                "GEO_HEADERS",
                &part,
                "a header once each for country and city, such as country=CF-IPCountry,city=CF-IPCity",
            )
        })
        .ok()?;
    if !headers.is_empty() && reader.text("TRUSTED_PROXIES").is_none() {
        reader.problem("GEO_HEADERS: is set, but TRUSTED_PROXIES is not, so nobody could send these headers");
    }
    Some(headers)
}

fn read_sms(
    reader: &mut Reader,
    production: bool,
    public_origin: Option<&str>,
    time_zone: Option<Tz>,
) -> Option<Sms> {
    let max_per_second = reader.number("SMS_MAX_PER_SECOND", 1, 10_000, 10);
    let monthly_cap = reader.number("SMS_MONTHLY_CAP", 0, 100, 1);
    let daily_budget = reader.number("SMS_DAILY_BUDGET", 0, 100_000_000, 10_000);
    let countries = read_countries(reader);
    let hours = read_hours(reader, production, time_zone);
    let tracking_origins = tracking_origins::read(reader, production, public_origin);
    let defaults = [
        ("granted", ConsentDefault::Granted),
        ("none", ConsentDefault::None),
    ];
    let default = if production {
        ConsentDefault::None
    } else {
        ConsentDefault::Granted
    };
    let consent_default = reader.one_of("SMS_CONSENT_DEFAULT", &defaults, default);
    if production && consent_default == Some(ConsentDefault::Granted) {
        reader.problem(
            "SMS_CONSENT_DEFAULT: cannot be granted in production; entrants agree to texts themselves",
        );
    }
    Some(Sms {
        max_per_second: max_per_second?,
        monthly_cap: monthly_cap?,
        daily_budget: DailyBudget::new(daily_budget?),
        countries: countries?,
        hours: hours?,
        tracking_origins: tracking_origins?,
        consent_default: consent_default?,
    })
}

fn read_countries(reader: &mut Reader) -> Option<SmsCountries> {
    let list = reader.text("SMS_COUNTRIES").unwrap_or_else(|| "US".to_owned());
    SmsCountries::parse(&list)
        .map_err(|unknown| {
            reader.wrong(
                "SMS_COUNTRIES",
                &unknown.0,
                "two-letter codes of countries, separated by commas, such as US,CA",
            )
        })
        .ok()
}

/// The hours of recipients. In development they hold only if quiet hours are set; in production the law's hours hold even
/// without quiet hours of the site.
fn read_hours(
    reader: &mut Reader,
    production: bool,
    time_zone: Option<Tz>,
) -> Option<Option<RecipientHours>> {
    let default = if production { "21:00-08:00" } else { "off" };
    let text = reader
        .text("SMS_QUIET_HOURS")
        .unwrap_or_else(|| default.to_owned());
    let quiet = read_quiet_hours(reader, &text)?;
    if quiet.is_none() && !production {
        return Some(None);
    }
    match RecipientHours::new(quiet, time_zone.unwrap_or(Tz::UTC)) {
        Ok(hours) => Some(Some(hours)),
        Err(never) => {
            reader.problem(&format!("SMS_QUIET_HOURS: with {text}, {never}"));
            None
        }
    }
}

fn read_quiet_hours(reader: &mut Reader, text: &str) -> Option<Option<QuietHours>> {
    if text == "off" {
        return Some(None);
    }
    let hours = read::quiet_hours(text);
    if hours.is_none() {
        reader.wrong("SMS_QUIET_HOURS", text, "hours such as 21:00-08:00, or off");
    }
    hours.map(Some)
}

fn read_ads_pixel(reader: &mut Reader) -> Option<String> {
    let id = reader.text("ADS_PIXEL_ID")?;
    if (5..=20).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_digit()) {
        return Some(id);
    }
    reader.wrong("ADS_PIXEL_ID", &id, "5 to 20 digits");
    None
}

fn read_otlp_endpoint(reader: &mut Reader) -> Option<String> {
    let text = reader.text("OTLP_ENDPOINT")?;
    let origin = read::origin(&text);
    if origin.is_none() {
        reader.wrong(
            "OTLP_ENDPOINT",
            &text,
            "an origin without a path, such as http://localhost:4318",
        );
    }
    origin
}
