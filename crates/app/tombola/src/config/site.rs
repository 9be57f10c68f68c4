//! `SITE_NAME`, `CONTACT_EMAIL`, `SPONSOR_NAME`, `SPONSOR_ADDRESS`: who runs the site, as its pages and texts say it.

use super::read::{self, Reader};
use sms::{MAX_SITE_NAME, is_site_name};
use web::SiteIdentity;

/// The name of a site that has chosen no other one.
const DEFAULT_NAME: &str = "Tombola";
/// The longest name of a sponsor, in characters.
const MAX_SPONSOR_NAME: usize = 100;
/// The longest postal address, in characters.
const MAX_ADDRESS: usize = 200;

/// The pages of a real site must not show placeholders, so production needs a contact and a sponsor.
pub(super) fn read(reader: &mut Reader, production: bool) -> Option<SiteIdentity> {
    // All of them before the first `?`, so that all problems are found.
    let name = read_name(reader);
    let contact_email = read_contact_email(reader);
    let sponsor_name = read_line(reader, "SPONSOR_NAME", MAX_SPONSOR_NAME);
    let sponsor_address = read_line(reader, "SPONSOR_ADDRESS", MAX_ADDRESS);
    if production {
        require(reader, "CONTACT_EMAIL", "hello@example.org");
        require(reader, "SPONSOR_NAME", "Example Gardens, Inc.");
        require(reader, "SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701");
    }
    Some(SiteIdentity {
        name: name?,
        contact_email,
        sponsor_name,
        sponsor_address,
    })
}

fn require(reader: &mut Reader, name: &str, example: &str) {
    if reader.text(name).is_none() {
        reader.problem(&format!("{name}: is required in production, such as {example}"));
    }
}

fn read_name(reader: &mut Reader) -> Option<String> {
    let name = reader
        .text("SITE_NAME")
        .unwrap_or_else(|| DEFAULT_NAME.to_owned());
    if is_site_name(&name) {
        return Some(name);
    }
    let expected = format!(
        "1 to {MAX_SITE_NAME} letters, digits, spaces and . , ' & ! + -, all in the GSM alphabet of texts"
    );
    reader.wrong("SITE_NAME", &name, &expected);
    None
}

fn read_contact_email(reader: &mut Reader) -> Option<String> {
    let text = reader.text("CONTACT_EMAIL")?;
    if read::is_email(&text) {
        return Some(text);
    }
    reader.wrong(
        "CONTACT_EMAIL",
        &text,
        "an email address, such as hello@example.org",
    );
    None
}

/// One line of text, of at most so many characters.
fn read_line(reader: &mut Reader, name: &str, max: usize) -> Option<String> {
    let text = reader.text(name)?;
    if text.chars().count() <= max && !text.chars().any(char::is_control) {
        return Some(text);
    }
    reader.wrong(name, &text, &format!("one line of at most {max} characters"));
    None
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Problems};
    use web::SiteIdentity;

    fn site(variables: &[(&str, &str)]) -> Result<SiteIdentity, Problems> {
        let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
        let config = Config::read(|name| match name {
            "DATABASE_URL" => Some("postgresql://localhost/tombola".to_owned()),
            name => value(name).map(|(_, value)| (*value).to_owned()),
        });
        config.map(|config| config.site)
    }

    #[test]
    fn a_site_in_development_has_a_name_and_nothing_else() {
        let nobody = SiteIdentity {
            name: "Tombola".to_owned(),
            contact_email: None,
            sponsor_name: None,
            sponsor_address: None,
        };
        assert_eq!(site(&[]).unwrap(), nobody);
        assert_eq!(
            site(&[("CONTACT_EMAIL", " "), ("SPONSOR_NAME", "")]).unwrap(),
            nobody
        );
    }

    #[test]
    fn every_setting_is_taken_as_it_is_given() {
        let given = site(&[
            ("SITE_NAME", "Bees & Co."),
            ("CONTACT_EMAIL", "o.brien+raffle@mail.example-site.org"),
            ("SPONSOR_NAME", "Bees \"& Honey\" <Inc.>"),
            ("SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701"),
        ]);
        let expected = SiteIdentity {
            name: "Bees & Co.".to_owned(),
            contact_email: Some("o.brien+raffle@mail.example-site.org".to_owned()),
            sponsor_name: Some("Bees \"& Honey\" <Inc.>".to_owned()),
            sponsor_address: Some("12 Elm Street, Springfield, IL 62701".to_owned()),
        };
        assert_eq!(given.unwrap(), expected);
    }

    #[test]
    fn an_invalid_setting_is_one_problem_that_names_it() {
        let (long_name, long_address) = ("n".repeat(101), "n".repeat(201));
        for (name, wrong) in [
            ("SITE_NAME", "<b>Tombola</b>"),
            ("SITE_NAME", "Tómbola"),
            ("SITE_NAME", "a name that is longer than thirty"),
            ("SPONSOR_NAME", &long_name),
            ("SPONSOR_NAME", "two\nlines"),
            ("SPONSOR_ADDRESS", &long_address),
            ("SPONSOR_ADDRESS", "12 Elm Street\nSpringfield"),
            ("CONTACT_EMAIL", "hello"),
            ("CONTACT_EMAIL", "@example.org"),
            ("CONTACT_EMAIL", "hello@"),
            ("CONTACT_EMAIL", "hello@localhost"),
            ("CONTACT_EMAIL", "hello@example..org"),
            ("CONTACT_EMAIL", "hello@-example.org"),
            ("CONTACT_EMAIL", "a..b@example.org"),
            ("CONTACT_EMAIL", "a@b@example.org"),
            ("CONTACT_EMAIL", "hello?subject=x@example.org"),
            ("CONTACT_EMAIL", "\"><script>@example.org"),
            ("CONTACT_EMAIL", "Anna <hello@example.org>"),
            ("CONTACT_EMAIL", "hello@example.org,other@example.org"),
        ] {
            let problems = site(&[(name, wrong)]).unwrap_err().0;
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].starts_with(&format!("{name}: ")), "{problems:?}");
        }
    }
}
