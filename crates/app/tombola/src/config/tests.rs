mod example_file;

use super::*;
use example_file::examples;
use secrecy::ExposeSecret;
use sms::{QuietHours, RecipientHours};
use std::collections::BTreeMap;

fn read(variables: &[(&str, &str)]) -> Result<Config, Problems> {
    let variables: BTreeMap<_, _> = variables.iter().copied().collect();
    Config::read(|name| variables.get(name).map(|value| (*value).to_owned()))
}

fn problems(variables: &[(&str, &str)]) -> Vec<String> {
    read(variables).unwrap_err().0
}

const DATABASE: (&str, &str) = ("DATABASE_URL", "postgresql://tombola:hidden@localhost/tombola");

const PRODUCTION: [(&str, &str); 7] = [
    ("APP_ENV", "production"),
    DATABASE,
    ("PUBLIC_ORIGIN", "https://example.org"),
    (
        "SECRET_KEY",
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    ),
    ("CONTACT_EMAIL", "hello@example.org"),
    ("SPONSOR_NAME", "Example Gardens, Inc."),
    ("SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701"),
];

#[test]
fn development_needs_only_a_database() {
    let config = read(&[DATABASE]).unwrap();
    assert_eq!(config.bind.to_string(), "127.0.0.1:8080");
    assert_eq!(config.public_origin, "http://localhost:8080");
    assert_eq!(config.sms.consent_default, ConsentDefault::Granted);
    assert_eq!(
        (config.rate_limits, config.sms.hours, config.metrics),
        (true, None, None)
    );
    assert!(config.stripe.is_none() && config.twilio.is_none() && config.admin.is_none());
}

#[test]
fn an_ads_pixel_id_is_a_number() {
    let id = |id| read(&[DATABASE, ("ADS_PIXEL_ID", id)]).map(|config| config.ads_pixel);
    assert_eq!(id("1234567890").unwrap().as_deref(), Some("1234567890"));
    assert_eq!(id("").unwrap(), None);
    for wrong in ["1234", "12345\"><script>", "GTM-12345"] {
        assert!(
            id(wrong).unwrap_err().0[0].starts_with("ADS_PIXEL_ID:"),
            "{wrong}"
        );
    }
}

#[test]
fn traces_go_to_an_origin() {
    let endpoint = |text| read(&[DATABASE, ("OTLP_ENDPOINT", text)]).map(|config| config.otlp_endpoint);
    let local = "http://localhost:4318";
    assert_eq!(endpoint(local).unwrap().as_deref(), Some(local));
    assert_eq!(endpoint("").unwrap(), None);
    for wrong in [
        "localhost:4318",
        "grpc://localhost:4317",
        "http://localhost:4318/v1/traces",
    ] {
        assert!(
            endpoint(wrong).unwrap_err().0[0].starts_with("OTLP_ENDPOINT:"),
            "{wrong}"
        );
    }
}

#[test]
fn an_empty_value_counts_as_absent() {
    assert!(read(&[DATABASE, ("BIND_ADDR", ""), ("REDIS_URL", "  ")]).is_ok());
    assert_eq!(problems(&[("DATABASE_URL", "")]).len(), 1);
}

#[test]
fn sign_ups_need_a_code_in_production_unless_it_is_turned_off() {
    let with = |base: &[(&'static str, &'static str)], value: &'static str| {
        let all = [base, &[("PHONE_VERIFICATION", value)]].concat();
        read(&all).unwrap().phone_verification
    };
    assert!(!read(&[DATABASE]).unwrap().phone_verification);
    assert!(read(&PRODUCTION).unwrap().phone_verification);
    assert!(with(&[DATABASE], "on") && !with(&PRODUCTION, "off"));
}

#[test]
fn texts_go_to_the_listed_countries_within_a_budget() {
    let sms = read(&[DATABASE]).unwrap().sms;
    assert_eq!(sms.countries.codes(), ["US"]);
    assert_eq!(sms.daily_budget.texts(), 10_000);
    let sms = read(&[DATABASE, ("SMS_COUNTRIES", "gb, lv"), ("SMS_DAILY_BUDGET", "0")])
        .unwrap()
        .sms;
    assert_eq!(sms.countries.codes(), ["GB", "LV"]);
    assert_eq!(sms.daily_budget.texts(), 0);
    for wrong in [("SMS_COUNTRIES", "US,Canada"), ("SMS_DAILY_BUDGET", "-1")] {
        let problems = problems(&[DATABASE, wrong]);
        assert!(problems[0].starts_with(wrong.0), "{problems:?}");
    }
}

fn hours(quiet: Option<QuietHours>) -> Option<RecipientHours> {
    RecipientHours::new(quiet, chrono_tz::America::New_York).ok()
}

#[test]
fn the_hours_of_the_law_hold_in_production_and_with_quiet_hours() {
    let lunch = ("SMS_QUIET_HOURS", "12:00-13:00");
    let noon = QuietHours {
        from: 12 * 60,
        until: 13 * 60,
    };
    let read_hours = |variables: &[(&str, &str)]| read(variables).unwrap().sms.hours;
    assert_eq!(read_hours(&[DATABASE]), None);
    assert_eq!(read_hours(&[DATABASE, ("SMS_QUIET_HOURS", "off")]), None);
    assert_eq!(read_hours(&[DATABASE, lunch]), hours(Some(noon)));
    let in_production = |setting| read_hours(&[&PRODUCTION[..], &[setting]].concat());
    assert_eq!(in_production(("SMS_QUIET_HOURS", "off")), hours(None));
    assert_eq!(in_production(lunch), hours(Some(noon)));
    assert_eq!(
        problems(&[DATABASE, ("SMS_QUIET_HOURS", "13:00-19:00")]),
        ["SMS_QUIET_HOURS: with 13:00-19:00, no text could be sent to numbers of unknown area codes"]
    );
}

#[test]
fn production_has_strict_defaults_and_required_variables() {
    let config = read(&PRODUCTION).unwrap();
    assert_eq!(config.sms.consent_default, ConsentDefault::None);
    let night = QuietHours {
        from: 21 * 60,
        until: 8 * 60,
    };
    assert_eq!(config.sms.hours, hours(Some(night)));
    let names: Vec<String> = problems(&[
        ("APP_ENV", "production"),
        DATABASE,
        ("RATE_LIMITS", "off"),
        ("ADMIN_USERNAME", "anna"),
        ("ADMIN_PASSWORD", "correct horse"),
    ])
    .iter()
    .map(|line| line.split(':').next().unwrap().to_owned())
    .collect();
    assert_eq!(
        names,
        [
            "PUBLIC_ORIGIN",
            "SECRET_KEY",
            "ADMIN_PASSWORD",
            "RATE_LIMITS",
            "CONTACT_EMAIL",
            "SPONSOR_NAME",
            "SPONSOR_ADDRESS"
        ]
    );
    let insecure = [
        &PRODUCTION[..2],
        &[("PUBLIC_ORIGIN", "http://example.org")],
        &PRODUCTION[3..],
    ]
    .concat();
    assert_eq!(problems(&insecure).len(), 1);
}

const DEMO: [(&str, &str); 6] = [
    DATABASE,
    ("STRIPE_SECRET_KEY", "sk_test_demo"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_test_demo"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_demo"),
    ("STRIPE_API_BASE", "http://127.0.0.1:12111"),
    ("TWILIO_API_BASE", "http://localhost:12112"),
];

fn demo_with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&DEMO[..], &[("DEMO", "on")], more].concat()
}

#[test]
fn a_demo_must_be_turned_on_and_use_stand_ins_on_this_machine() {
    assert_eq!(
        read(&demo_with(&[])).unwrap().stand_in.as_deref(),
        Some("http://127.0.0.1:12111")
    );
    for off in [
        &DEMO[..],
        &demo_with(&[("DEMO", "off")]),
        &demo_with(&[("DEMO", "")]),
    ] {
        assert_eq!(read(off).unwrap().stand_in, None);
    }
    for (name, value) in [
        ("STRIPE_API_BASE", "https://api.stripe.com"),
        ("STRIPE_API_BASE", "http://127.0.0.1.example.org"),
        ("STRIPE_API_BASE", "http://localhost.example.org"),
        ("STRIPE_API_BASE", ""),
        ("TWILIO_API_BASE", "https://api.twilio.com"),
        ("TWILIO_API_BASE", ""),
        ("DEMO", "yes"),
    ] {
        let lines = problems(&demo_with(&[(name, value)]));
        assert!(
            lines.len() == 1 && lines[0].starts_with(&format!("{name}:")),
            "{name}={value}: {lines:?}"
        );
    }
    let keyless = problems(&demo_with(&[
        ("STRIPE_SECRET_KEY", ""),
        ("STRIPE_PUBLISHABLE_KEY", ""),
        ("STRIPE_WEBHOOK_SECRET", ""),
    ]));
    assert!(keyless[0].starts_with("STRIPE_SECRET_KEY:"), "{keyless:?}");
}

#[test]
fn in_production_entrants_agree_to_texts_themselves() {
    let granted = [&PRODUCTION[..], &[("SMS_CONSENT_DEFAULT", "granted")]].concat();
    assert_eq!(
        problems(&granted),
        ["SMS_CONSENT_DEFAULT: cannot be granted in production; entrants agree to texts themselves"]
    );
    let none = [&PRODUCTION[..], &[("SMS_CONSENT_DEFAULT", "none")]].concat();
    assert_eq!(read(&none).unwrap().sms.consent_default, ConsentDefault::None);
}

#[test]
fn production_sends_secrets_to_providers_over_https_only() {
    for name in ["STRIPE_API_BASE", "TWILIO_API_BASE"] {
        let problems = |base: &str| {
            let stripe = [
                ("STRIPE_SECRET_KEY", "sk_live_1"),
                ("STRIPE_PUBLISHABLE_KEY", "pk_live_1"),
                ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
            ];
            let all = [&PRODUCTION[..], &stripe, &[(name, base)]].concat();
            read(&all).map_or_else(|problems| problems.0, |_| Vec::new())
        };
        let plain = problems("http://provider.example.org");
        assert_eq!(plain.len(), 1, "{plain:?}");
        assert!(
            plain[0].starts_with(&format!("{name}: must be https")),
            "{plain:?}"
        );
        for good in [
            "https://provider.example.org",
            "http://127.0.0.1:12111",
            "http://localhost:12111",
        ] {
            assert_eq!(problems(good), [""; 0], "{good}");
        }
    }
    let development = [DATABASE, ("TWILIO_API_BASE", "http://provider.example.org")];
    assert!(read(&development).is_ok());
}

#[test]
fn production_rejects_a_demo() {
    let lines = problems(&[&PRODUCTION[..], &DEMO[1..], &[("DEMO", "on")]].concat());
    assert_eq!(lines, ["DEMO: cannot be on in production"]);
}

#[test]
fn all_problems_are_reported_together() {
    let wrong = [
        ("APP_ENV", "staging"),
        ("DEMO", "perhaps"),
        ("BIND_ADDR", "localhost"),
        ("DATABASE_URL", "mysql://db"),
        ("DATABASE_POOL_SIZE", "0"),
        ("DATABASE_POOL_SIZE_READS", "201"),
        ("DATABASE_POOL_SIZE_CALLBACKS", "few"),
        ("DATABASE_POOL_SIZE_CONSOLE", "-1"),
        ("REQUEST_QUEUE", "0"),
        ("REQUEST_QUEUE_READS", "0"),
        ("REQUEST_QUEUE_CALLBACKS", "65537"),
        ("REQUEST_QUEUE_CONSOLE", "many"),
        ("PUBLIC_ORIGIN", "https://example.org/path"),
        ("SECRET_KEY", "secret-0815"),
        ("SECRET_KEY_PREVIOUS", "secret-0815"),
        ("VISITOR_TOKEN_KEY", "secret-0815"),
        ("STAFF_TOKEN_KEY", "secret-0815"),
        ("DRAWING_SEED_KEY", "secret-0815"),
        ("SMS_CREDENTIALS_KEY", "secret-0815"),
        ("ADMIN_USERNAME", "anna"),
        ("ADMIN_PASSWORD_HASH", "secret-0815"),
        ("STRIPE_SECRET_KEY", "secret-0815"),
        ("STRIPE_PUBLISHABLE_KEY", "secret-0815"),
        ("STRIPE_WEBHOOK_SECRET", "secret-0815"),
        ("STRIPE_API_BASE", "https://api.stripe.com/v1"),
        ("TWILIO_ACCOUNT_SID", "secret-0815"),
        ("TWILIO_AUTH_TOKEN", "secret-0815"),
        ("TWILIO_PHONE_NUMBER", "5551234567"),
        ("TWILIO_API_BASE", "api.twilio.com"),
        ("TRUSTED_PROXIES", "10.0.0.0/8,proxy"),
        ("GEO_HEADERS", "country"),
        ("RATE_LIMITS", "yes"),
        ("SMS_MAX_PER_SECOND", "many"),
        ("SMS_MONTHLY_CAP", "-1"),
        ("SMS_QUIET_HOURS", "21-8"),
        ("SMS_CONSENT_DEFAULT", "yes"),
        ("SITE_TIME_ZONE", "Mars/Olympus"),
        ("CONTACT_EMAIL", "hello"),
        ("FRAUD_ACCOUNTS_PER_IP", "1"),
        ("RETENTION_DAYS", "0"),
        ("METRICS_ADDR", "9464"),
        ("REDIS_URL", "secret-0815"),
        ("LOG_FORMAT", "xml"),
    ];
    let problems = problems(&wrong);
    for (name, _) in wrong.iter().filter(|(name, _)| *name != "ADMIN_USERNAME") {
        assert_eq!(
            problems
                .iter()
                .filter(|line| line.starts_with(&format!("{name}:")))
                .count(),
            1,
            "{name}"
        );
    }
    assert!(
        problems
            .iter()
            .all(|line| !line.contains("secret-0815") && !line.contains('\n')),
        "{problems:?}"
    );
}

#[test]
fn headers_of_a_place_need_a_trusted_proxy() {
    let headers = ("GEO_HEADERS", "country=CF-IPCountry,city=CF-IPCity");
    let lines = problems(&[DATABASE, headers]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("GEO_HEADERS: is set, but TRUSTED_PROXIES is not"),
        "{lines:?}"
    );
    assert!(read(&[DATABASE, headers, ("TRUSTED_PROXIES", "10.0.0.1")]).is_ok());
}

#[test]
fn previous_keys_are_a_comma_separated_list() {
    let (one, other) = ("01".repeat(32), "ab".repeat(32));
    let count = |list: &str| {
        read(&[DATABASE, ("SECRET_KEY_PREVIOUS", list)])
            .map(|config| config.keys.site.previous.len())
            .ok()
    };
    assert_eq!(read(&[DATABASE]).unwrap().keys.site.previous.len(), 0);
    assert_eq!(count(&one), Some(1));
    assert_eq!(count(&format!(" {one} ,{other}, ")), Some(2));
    assert_eq!(count(&format!("{one},{}", &other[2..])), None);
    assert_eq!(count(&format!("{one};{other}")), None);
}

#[test]
fn an_invalid_password_hash_is_rejected() {
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b7dWRWJTmaaJObG";
    let lines = |hash: &str| {
        let read = read(&[
            DATABASE,
            ("ADMIN_USERNAME", "anna"),
            ("ADMIN_PASSWORD_HASH", hash),
        ]);
        read.map_or_else(|problems| problems.0.len(), |_| 0)
    };
    assert_eq!(lines(hash), 0);
    assert_eq!(lines("$argon2id$anything"), 1);
    assert_eq!(lines(&hash.replace("argon2id", "argon2d")), 1);
    assert_eq!(lines(&hash[1..]), 1, "a shell expands an unquoted $");
}

#[test]
fn a_providers_keys_must_be_set_together() {
    let lines = problems(&[
        DATABASE,
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("TWILIO_AUTH_TOKEN", "0123456789abcdef0123456789abcdef"),
    ]);
    let names: Vec<_> = lines.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "STRIPE_PUBLISHABLE_KEY",
            "STRIPE_WEBHOOK_SECRET",
            "TWILIO_ACCOUNT_SID",
            "TWILIO_PHONE_NUMBER"
        ]
    );
}

#[test]
fn debug_output_has_no_secrets() {
    let mut variables = examples();
    variables.insert("DATABASE_URL".to_owned(), DATABASE.1.to_owned());
    let config = Config::read(|name| variables.get(name).cloned()).unwrap();
    assert!(config.database.url.expose_secret().contains("hidden"));
    let shown = format!("{config:?}");
    let secrets = [
        "SECRET_KEY",
        "SECRET_KEY_PREVIOUS",
        "VISITOR_TOKEN_KEY",
        "STAFF_TOKEN_KEY",
        "DRAWING_SEED_KEY",
        "SMS_CREDENTIALS_KEY",
        "ADMIN_PASSWORD_HASH",
        "STRIPE_SECRET_KEY",
        "STRIPE_WEBHOOK_SECRET",
        "TWILIO_AUTH_TOKEN",
    ];
    for name in secrets {
        assert!(!shown.contains(&variables[name]), "{name} in {shown}");
    }
    assert!(!shown.contains("hidden"), "{shown}");
}

#[test]
fn links_begin_with_listed_origins_in_production_only() {
    let base = |text| sms::LinkBase::parse(text).unwrap();
    let listed = ("TRACKING_ORIGINS", "https://go.example.org/, https://t.example");
    let config = read(&[&PRODUCTION[..], &[listed]].concat()).unwrap();
    let expected = [
        "https://example.org",
        "https://go.example.org",
        "https://t.example",
    ]
    .map(base);
    assert_eq!(
        config.sms.tracking_origins,
        TrackingOrigins::Only(expected.to_vec())
    );
    let config = read(&PRODUCTION).unwrap();
    let own = vec![base("https://example.org")];
    assert_eq!(config.sms.tracking_origins, TrackingOrigins::Only(own));
    let config = read(&[DATABASE, listed]).unwrap();
    assert_eq!(config.sms.tracking_origins, TrackingOrigins::Any);
    for wrong in [
        "go.example.org",
        "http://go.example.org",
        "https://go.example.org/x",
    ] {
        let lines = problems(&[&PRODUCTION[..], &[("TRACKING_ORIGINS", wrong)]].concat());
        assert_eq!(lines.len(), 1, "{lines:?}");
    }
}
