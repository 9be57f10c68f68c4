//! `VAPID_PUBLIC_KEY`, `VAPID_PRIVATE_KEY`, `VAPID_SUBJECT`: messages that browsers show when a raffle is drawn.

use super::read::{self, Reader};
use push_web::{Vapid, VapidError, VapidKeys};
use url::Url;

/// The public key of `.env.example`, from RFC 8291. Everybody knows its private key.
const EXAMPLE_KEY: &str =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";

/// Without keys, no messages are sent and the pages have no button for them.
pub(super) fn read(reader: &mut Reader, production: bool) -> Option<Vapid> {
    let public = reader.text("VAPID_PUBLIC_KEY");
    let private = reader.text("VAPID_PRIVATE_KEY");
    let subject = read_subject(reader);
    if production && public.as_deref() == Some(EXAMPLE_KEY) {
        reader.problem("VAPID_PUBLIC_KEY: is the key of .env.example, which everybody knows; `tombola push-keys` makes new ones");
    }
    let [public, private] =
        reader.all_or_none([("VAPID_PUBLIC_KEY", public), ("VAPID_PRIVATE_KEY", private)])?;
    let Some(subject) = subject else {
        reader.problem("VAPID_SUBJECT: is not set, but VAPID_PUBLIC_KEY is; set it, or CONTACT_EMAIL");
        return None;
    };
    let keys = VapidKeys {
        public,
        private: private.into(),
    };
    Vapid::new(&keys, &subject)
        .map_err(|error| reader.problem(&format!("{}: {error}", variable_of(error))))
        .ok()
}

const fn variable_of(error: VapidError) -> &'static str {
    match error {
        VapidError::Public => "VAPID_PUBLIC_KEY",
        VapidError::Private | VapidError::Pair => "VAPID_PRIVATE_KEY",
    }
}

/// How push services reach the operator: a `mailto:` or `https:` URI, or the address that the pages show.
fn read_subject(reader: &mut Reader) -> Option<String> {
    let Some(text) = reader.text("VAPID_SUBJECT") else {
        let email = reader.text("CONTACT_EMAIL")?;
        return Some(format!("mailto:{email}"));
    };
    let is_subject = match text.strip_prefix("mailto:") {
        Some(email) => read::is_email(email),
        None => text.starts_with("https://") && Url::parse(&text).is_ok(),
    };
    if is_subject {
        return Some(text);
    }
    let expected = "a mailto: or https: URI, such as mailto:hello@example.org";
    reader.wrong("VAPID_SUBJECT", &text, expected);
    None
}

#[cfg(test)]
mod tests {
    use super::EXAMPLE_KEY;
    use crate::config::{Config, Problems};

    const PRIVATE_KEY: &str = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";

    fn public_key(variables: &[(&str, &str)]) -> Result<Option<String>, Problems> {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let config = Config::read(|name| match name {
            "DATABASE_URL" => Some("postgresql://localhost/tombola".to_owned()),
            name => value(name).map(|(_, value)| (*value).to_owned()),
        });
        config.map(|config| config.push.map(|vapid| vapid.public_key().to_owned()))
    }

    fn problem(variables: &[(&str, &str)]) -> String {
        public_key(variables).unwrap_err().0.join("\n")
    }

    #[test]
    fn keys_and_a_subject_turn_messages_on() {
        let keys = [
            ("VAPID_PUBLIC_KEY", EXAMPLE_KEY),
            ("VAPID_PRIVATE_KEY", PRIVATE_KEY),
        ];
        for subject in [
            ("VAPID_SUBJECT", "mailto:push@example.org"),
            ("VAPID_SUBJECT", "https://example.org/contact"),
            ("CONTACT_EMAIL", "hello@example.org"),
        ] {
            let found = public_key(&[keys[0], keys[1], subject]);
            assert_eq!(found.unwrap().as_deref(), Some(EXAMPLE_KEY), "{subject:?}");
        }
        assert_eq!(public_key(&[]).unwrap(), None);
    }

    #[test]
    fn a_wrong_variable_is_named() {
        let [public, private] = [
            ("VAPID_PUBLIC_KEY", EXAMPLE_KEY),
            ("VAPID_PRIVATE_KEY", PRIVATE_KEY),
        ];
        let subject = ("VAPID_SUBJECT", "mailto:push@example.org");
        let other = ("VAPID_PRIVATE_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE");
        for (variables, expected) in [
            (vec![public, subject], "VAPID_PRIVATE_KEY"),
            (vec![public, private], "VAPID_SUBJECT"),
            (vec![public, private, ("VAPID_SUBJECT", "us")], "VAPID_SUBJECT"),
            (
                vec![("VAPID_PUBLIC_KEY", "short"), private, subject],
                "VAPID_PUBLIC_KEY",
            ),
            (
                vec![public, ("VAPID_PRIVATE_KEY", "short"), subject],
                "VAPID_PRIVATE_KEY",
            ),
            (vec![public, other, subject], "VAPID_PRIVATE_KEY"),
            (
                vec![("APP_ENV", "production"), public, private, subject],
                "which everybody knows",
            ),
        ] {
            let problem = problem(&variables);
            assert!(problem.contains(expected), "{expected}: {problem}");
            assert!(!problem.contains(PRIVATE_KEY), "{problem}");
        }
    }
}
