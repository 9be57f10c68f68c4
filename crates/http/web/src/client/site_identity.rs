//! Who runs the site, as its pages and texts say it.

/// What the pages show in development where no contact is set.
const CONTACT_PLACEHOLDER: &str = "hello@tombola.example";
/// What the rules show in development where no sponsor is set. It says so itself, so that nobody takes it for a sponsor.
const SPONSOR_PLACEHOLDER: &str = "[placeholder: SPONSOR_NAME is not set]";
/// The same for the sponsor's address.
const ADDRESS_PLACEHOLDER: &str = "[placeholder: SPONSOR_ADDRESS is not set]";

/// Who runs the site. Only in development something may be missing; then the pages show a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteIdentity {
    /// The site's name, in headers, titles and texts.
    pub name: String,
    /// The email address that visitors write to.
    pub contact_email: Option<String>,
    /// The name of the raffles' sponsor.
    pub sponsor_name: Option<String>,
    /// The sponsor's postal address, on one line.
    pub sponsor_address: Option<String>,
}

impl SiteIdentity {
    /// The settings that are not set, so that the pages show a placeholder.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let settings = [
            ("CONTACT_EMAIL", &self.contact_email),
            ("SPONSOR_NAME", &self.sponsor_name),
            ("SPONSOR_ADDRESS", &self.sponsor_address),
        ];
        let missing = settings.into_iter().filter(|(_, value)| value.is_none());
        missing.map(|(name, _)| name).collect()
    }

    /// The names and values of the tokens that the client's build leaves in pages.
    pub(crate) fn tokens(&self) -> [(&'static str, &str); 4] {
        [
            ("SITE_NAME", &self.name),
            ("CONTACT_EMAIL", given(&self.contact_email, CONTACT_PLACEHOLDER)),
            ("SPONSOR_NAME", given(&self.sponsor_name, SPONSOR_PLACEHOLDER)),
            (
                "SPONSOR_ADDRESS",
                given(&self.sponsor_address, ADDRESS_PLACEHOLDER),
            ),
        ]
    }
}

fn given<'a>(value: &'a Option<String>, placeholder: &'static str) -> &'a str {
    value.as_deref().unwrap_or(placeholder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawing::rules::PLACEHOLDER;

    #[test]
    fn rules_without_a_sponsor_are_a_draft() {
        for placeholder in [SPONSOR_PLACEHOLDER, ADDRESS_PLACEHOLDER] {
            assert!(placeholder.starts_with(PLACEHOLDER), "{placeholder}");
        }
    }
}
