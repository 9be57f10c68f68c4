//! `SECURITY_CONTACT`: where vulnerabilities are reported.

use super::read::{self, Reader};
use url::Url;

/// The longest URI, in characters.
const MAX_CHARACTERS: usize = 300;

/// A `mailto:` or `https:` URI. Without it, the address that the pages show, unless that is the placeholder of development.
pub(super) fn read(reader: &mut Reader) -> Option<String> {
    let Some(text) = reader.text("SECURITY_CONTACT") else {
        let email = reader.text("CONTACT_EMAIL")?;
        return Some(format!("mailto:{email}"));
    };
    if is_contact(&text) {
        return Some(text);
    }
    let expected = "a mailto: or https: URI of at most 300 characters, such as mailto:security@example.org";
    reader.wrong("SECURITY_CONTACT", &text, expected);
    None
}

fn is_contact(text: &str) -> bool {
    if let Some(email) = text.strip_prefix("mailto:") {
        return read::is_email(email);
    }
    // Without spaces and line breaks, which would end the field of the file, and which a URL parser drops.
    text.starts_with("https://")
        && text.len() <= MAX_CHARACTERS
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && Url::parse(text).is_ok_and(|url| url.username().is_empty() && url.password().is_none())
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Problems};

    fn contact(variables: &[(&str, &str)]) -> Result<Option<String>, Problems> {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let config = Config::read(|name| match name {
            "DATABASE_URL" => Some("postgresql://localhost/tombola".to_owned()),
            name => value(name).map(|(_, value)| (*value).to_owned()),
        });
        config.map(|config| config.security_contact)
    }

    #[test]
    fn the_security_contact_is_an_email_or_a_web_address() {
        for uri in [
            "mailto:security@example.org",
            "https://example.org/report?by=form#here",
        ] {
            assert_eq!(
                contact(&[("SECURITY_CONTACT", uri)]).unwrap().as_deref(),
                Some(uri)
            );
        }
        let long = format!("https://example.org/{}", "a".repeat(300));
        for wrong in [
            "security@example.org",
            "mailto:security",
            "mailto:a@example.org?bcc=b@example.org",
            "http://example.org/report",
            "https://",
            "https://anna:secret@example.org/",
            "https://example.org/a b",
            "https://example.org/\nExpires: never",
            "tel:+12025550123",
            &long,
        ] {
            let problems = contact(&[("SECURITY_CONTACT", wrong)]).unwrap_err().0;
            assert!(
                problems[0].starts_with("SECURITY_CONTACT:"),
                "{wrong}: {problems:?}"
            );
        }
    }

    #[test]
    fn the_address_on_the_pages_is_the_default_and_the_placeholder_is_not() {
        let email = ("CONTACT_EMAIL", "hello@example.org");
        let other = ("SECURITY_CONTACT", "mailto:security@example.org");
        assert_eq!(
            contact(&[email]).unwrap().as_deref(),
            Some("mailto:hello@example.org")
        );
        assert_eq!(contact(&[email, other]).unwrap().as_deref(), Some(other.1));
        assert_eq!(contact(&[]).unwrap(), None);
    }
}
