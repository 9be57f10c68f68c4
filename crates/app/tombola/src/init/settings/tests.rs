use super::*;
use crate::OsEntropy;
use std::collections::BTreeMap;
use web::PasswordCheck;

const PASSWORD: &str = "correct horse battery";

fn answers() -> Answers {
    Answers {
        values: vec![
            (DOMAIN, "raffle.example.org".to_owned()),
            ("CONTACT_EMAIL", "hello@example.org".to_owned()),
            ("SPONSOR_NAME", "Example & Sons' Gardens".to_owned()),
            (
                "SPONSOR_ADDRESS",
                "12 Elm Street, Springfield, IL 62701".to_owned(),
            ),
            ("ADMIN_USERNAME", "alex.o-neill".to_owned()),
        ],
        password: PASSWORD.into(),
    }
}

fn render(deployment: Deployment) -> String {
    let settings = Settings::new(deployment, answers(), &OsEntropy).unwrap();
    settings.render().unwrap()
}

/// As development reads `.env`, and as Docker Compose does.
fn with_quotes(text: &str) -> BTreeMap<String, String> {
    dotenvy::from_read_iter(text.as_bytes())
        .collect::<Result<_, _>>()
        .unwrap()
}

/// As Kubernetes does.
fn without_quotes(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn the_server_starts_with_the_settings_of_each_deployment() {
    for (deployment, read) in [
        (
            Deployment::Compose,
            with_quotes as fn(&str) -> BTreeMap<String, String>,
        ),
        (Deployment::Systemd, with_quotes),
        (Deployment::Kubernetes, without_quotes),
    ] {
        let values = read(&render(deployment));
        let config = Config::read(|name| {
            let sample = (name == SAMPLE_DATABASE.0).then(|| SAMPLE_DATABASE.1.to_owned());
            values.get(name).cloned().or(sample)
        })
        .unwrap();
        assert!(config.is_production());
        assert_eq!(config.public_origin, "https://raffle.example.org");
        assert_eq!(config.site.contact_email.as_deref(), Some("hello@example.org"));
        assert_eq!(
            config.site.sponsor_name.as_deref(),
            Some("Example & Sons' Gardens")
        );
        assert_eq!(config.admin.unwrap().username.as_str(), "alex.o-neill");
        let hash = Argon2Hash::parse(&values["ADMIN_PASSWORD_HASH"]).unwrap();
        assert!(hash.verify(&PASSWORD.into()), "{deployment:?}");
    }
}

#[test]
fn systemd_needs_nothing_else() {
    let values = with_quotes(&render(Deployment::Systemd));
    assert!(Config::read(|name| values.get(name).cloned()).is_ok());
}

#[test]
fn each_site_has_its_own_secrets_and_the_password_is_not_written() {
    let (one, other) = (render(Deployment::Compose), render(Deployment::Compose));
    assert!(!one.contains(PASSWORD));
    let (one, other) = (with_quotes(&one), with_quotes(&other));
    for name in ["SECRET_KEY", "POSTGRES_PASSWORD", "ADMIN_PASSWORD_HASH"] {
        assert_ne!(one[name], other[name], "{name}");
    }
    assert_ne!(one["SECRET_KEY"], one["POSTGRES_PASSWORD"]);
}

#[test]
fn values_are_checked_as_the_server_checks_them() {
    for (variable, value) in [
        (DOMAIN, "raffle.example.org"),
        ("CONTACT_EMAIL", "hello@example.org"),
        ("ADMIN_USERNAME", "alex"),
    ] {
        assert_eq!(problem(variable, value), None);
    }
    for (variable, value) in [
        (DOMAIN, ""),
        (DOMAIN, "localhost"),
        (DOMAIN, "192.0.2.1"),
        (DOMAIN, "example.org:8443"),
        (DOMAIN, "Example.org"),
        (DOMAIN, "https://example.org"),
        ("CONTACT_EMAIL", "hello"),
        ("ADMIN_USERNAME", "a\tb"),
        ("ADMIN_USERNAME", "'\""),
    ] {
        let problem = problem(variable, value).unwrap();
        assert!(problem.starts_with(&format!("{variable}: ")), "{problem}");
    }
}

#[test]
fn values_with_signs_are_quoted_so_that_they_are_read_unchanged() {
    for value in [
        "plain-1",
        "two words",
        "$argon2id$v=19$m=1",
        "Bob's garden",
        "a#b",
        "\"quoted\"",
        "ü",
    ] {
        let line = format!("NAME={}\n", quoted(value).unwrap());
        assert_eq!(with_quotes(&line)["NAME"], value);
    }
    for value in ["Bob's $", "back\\slash", "two\nlines"] {
        assert_eq!(quoted(value), None);
    }
}
