//! The settings that `tombola init` writes, and their form in a file.

use super::Deployment;
use crate::config::Config;
use anyhow::{Context, bail};
use kernel::Entropy;
use push_web::VapidKeys;
use secrecy::{ExposeSecret, SecretString};
use std::fmt::Write;
use url::Host;
use web::Argon2Hash;

/// The domain of the site. The server itself reads `PUBLIC_ORIGIN`; the proxy gets its certificate for the domain.
pub(super) const DOMAIN: &str = "SITE_DOMAIN";

/// A database for the check of settings. Where a deployment has its own, its files say so.
const SAMPLE_DATABASE: (&str, &str) = ("DATABASE_URL", "postgresql://tombola@localhost/tombola");

/// What the operator answered.
pub(super) struct Answers {
    /// Settings and their values.
    pub(super) values: Vec<(&'static str, String)>,
    /// The administrator's password.
    pub(super) password: SecretString,
}

/// Why a setting cannot have this value: what the server would say at its start.
pub(super) fn problem(variable: &str, value: &str) -> Option<String> {
    if value.is_empty() {
        return Some(format!("{variable}: must not be empty"));
    }
    if quoted(value).is_none() {
        return Some(format!(
            "{variable}: cannot contain both ' and one of \" \\ $ `, nor control characters"
        ));
    }
    if variable == DOMAIN {
        let is_domain =
            matches!(Host::parse(value), Ok(Host::Domain(name)) if name == value && name.contains('.'));
        return (!is_domain).then(|| {
            format!(
                "{variable}: {value:?} is not a domain in lower case, without https:// and without a port, such as raffle.example.org"
            )
        });
    }
    let read = Config::read(|name| match name == variable {
        true => Some(value.to_owned()),
        false => None,
    });
    let prefix = format!("{variable}:");
    let problems = read.err()?.to_string();
    let line = problems.lines().find(|line| line.starts_with(&prefix));
    line.map(str::to_owned)
}

/// The settings of a new site.
pub(super) struct Settings {
    deployment: Deployment,
    values: Vec<(&'static str, String)>,
}

impl Settings {
    /// The answers, new keys, and what the deployment needs.
    ///
    /// # Errors
    /// When the password cannot be hashed, or when the server would not start with these settings.
    pub(super) fn new(
        deployment: Deployment,
        answers: Answers,
        entropy: &dyn Entropy,
    ) -> anyhow::Result<Self> {
        let hash = Argon2Hash::of(&answers.password, entropy).context("cannot hash the password")?;
        let push_keys = VapidKeys::generate().context("cannot make keys of push messages")?;
        let domain = answers.values.iter().find(|(name, _)| *name == DOMAIN);
        let origin = domain.map(|(_, domain)| format!("https://{domain}"));
        let mut values = answers.values;
        values.extend([
            ("APP_ENV", "production".to_owned()),
            ("PUBLIC_ORIGIN", origin.unwrap_or_default()),
            ("SECRET_KEY", new_secret(entropy)),
            ("VAPID_PUBLIC_KEY", push_keys.public),
            ("VAPID_PRIVATE_KEY", push_keys.private.expose_secret().to_owned()),
            ("ADMIN_PASSWORD_HASH", hash.as_phc().to_owned()),
            ("LOG_FORMAT", "json".to_owned()),
        ]);
        values.extend(own_settings(deployment, entropy));
        let settings = Self { deployment, values };
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> anyhow::Result<()> {
        let value = |wanted: &str| {
            let found = self.values.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| value.clone())
        };
        let database = |name: &str| (name == SAMPLE_DATABASE.0).then(|| SAMPLE_DATABASE.1.to_owned());
        match Config::read(|name| value(name).or_else(|| database(name))) {
            Ok(_) => Ok(()),
            Err(problems) => bail!("{problems}"),
        }
    }

    /// The content of the file.
    ///
    /// # Errors
    /// When a value cannot be written in the deployment's syntax.
    pub(super) fn render(&self) -> anyhow::Result<String> {
        let mut text =
            "# Settings of this site, by `tombola init`. `.env.example` describes these and all others.\n"
                .to_owned();
        for (name, value) in &self.values {
            let value = match self.deployment {
                // Kubernetes takes everything after the first = as it is.
                Deployment::Kubernetes => Some(value.clone()),
                Deployment::Compose | Deployment::Systemd => quoted(value),
            };
            let value = value.with_context(|| format!("{name}: cannot be quoted"))?;
            writeln!(text, "{name}={value}")?;
        }
        Ok(text)
    }
}

/// What the files of a deployment do not say themselves.
fn own_settings(deployment: Deployment, entropy: &dyn Entropy) -> Vec<(&'static str, String)> {
    match deployment {
        Deployment::Compose => vec![
            ("POSTGRES_PASSWORD", new_secret(entropy)), // of the owner of the tables
            ("SERVER_DATABASE_PASSWORD", new_secret(entropy)), // of the role that the server runs as
            ("COMPOSE_PROJECT_NAME", "tombola".to_owned()),
        ],
        Deployment::Systemd => [
            ("BIND_ADDR", "127.0.0.1:8080"),
            (
                "DATABASE_URL",
                "postgresql://tombola@localhost/tombola?host=/run/postgresql",
            ),
            ("TRUSTED_PROXIES", "127.0.0.1,::1"),
            ("METRICS_ADDR", "127.0.0.1:9464"),
        ]
        .map(|(name, value)| (name, value.to_owned()))
        .to_vec(),
        Deployment::Kubernetes => Vec::new(), // deploy/kubernetes/base has them
    }
}

fn new_secret(entropy: &dyn Entropy) -> String {
    entropy.hex::<32>()
}

/// A value as Docker Compose, systemd and `.env` files in development all read it, if there is such a form.
fn quoted(value: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:@?=&+,-".contains(c);
    if value.chars().any(char::is_control) {
        None
    } else if value.chars().all(is_plain) {
        Some(value.to_owned())
    } else if !value.contains('\'') && !value.contains('\\') {
        Some(format!("'{value}'"))
    } else if !value.contains(['"', '\\', '$', '`']) {
        Some(format!("\"{value}\""))
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
