//! The text of the rules, made from the settings of a site.

/// The text of the page with the terms. A test of the client (`frontend/src/themes/officialRules.test.ts`) writes it and
/// compares it. Where a name stands between percent signs, the setting comes in its place.
const TERMS: &str = include_str!("official_rules.txt");

/// Who announces drawings, and when they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulesSchedule {
    /// Staff do, when they decide.
    Manual,
    /// The server does, for each month.
    Monthly,
}

/// What the rules say about a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesFacts<'a> {
    /// The name of the site.
    pub site_name: &'a str,
    /// The name of the sponsor.
    pub sponsor_name: &'a str,
    /// The postal address of the sponsor.
    pub sponsor_address: &'a str,
    /// The email address that visitors write to.
    pub contact_email: &'a str,
    /// The name of the site's time zone, such as `America/New_York`.
    pub time_zone: &'a str,
    /// The most bought and free entries of one person in a month.
    pub entry_cap: i64,
    /// When drawings are.
    pub schedule: RulesSchedule,
    /// Whether a beacon decides drawings.
    pub has_beacon: bool,
}

impl RulesFacts<'_> {
    /// The text of the rules, which the hash covers byte for byte.
    pub fn text(&self) -> String {
        let tokens = [
            ("SITE_NAME", self.site_name),
            ("SPONSOR_NAME", self.sponsor_name),
            ("SPONSOR_ADDRESS", self.sponsor_address),
            ("CONTACT_EMAIL", self.contact_email),
            ("SITE_TIME_ZONE", self.time_zone),
        ];
        let terms = filled_in(TERMS, &tokens);
        let sections = [
            terms.trim_end(),
            "## Numbers of this site",
            &self.free_way(),
            self.drawing_date(),
            self.beacon(),
        ];
        sections.join("\n\n") + "\n"
    }

    fn free_way(&self) -> String {
        format!(
            "One person can get at most {} in a calendar month, bought and free entries of a day together. Entries for friends \
             do not count toward this limit, and neither do bought entries that a refund took back. Where packages are sold, \
             you can get entries free once on each date, in the time zone of this site ({}): what is left of the limit, \
             divided by the number of dates left and rounded up. The dates left begin with today. They end with the month or, \
             if that is earlier, with the last date that begins before the next announced time at which the list of your \
             raffle is frozen. So on the last date you can get all that is left. While a payment is open, the entries that it \
             would pay for are not given free.",
            entries(self.entry_cap),
            self.time_zone,
        )
    }

    fn drawing_date(&self) -> &'static str {
        match self.schedule {
            RulesSchedule::Monthly => {
                "The entry period of a month ends when the next month begins, in the time zone of this site. The list of \
                 entries is frozen then, and the raffle is drawn at noon of that day or, where the list is not frozen in \
                 time, on a later day."
            }
            RulesSchedule::Manual => {
                "We start each drawing by hand. The entry period of a drawing ends when its list of entries is frozen."
            }
        }
    }

    fn beacon(&self) -> &'static str {
        if self.has_beacon {
            "A public randomness beacon decides the drawings."
        } else {
            "No public randomness beacon decides the drawings, so a proof cannot show that we did not know the winner."
        }
    }
}

fn entries(count: i64) -> String {
    match count {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    }
}

/// Puts values in the place of tokens, in one pass, so that a value that looks like a token stays as it is.
fn filled_in(text: &str, tokens: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        filled.push_str(before);
        let known = tokens
            .iter()
            .find_map(|(name, value)| Some((value, after.strip_prefix(name)?.strip_prefix('%')?)));
        match known {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('%');
                rest = after;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> RulesFacts<'static> {
        RulesFacts {
            site_name: "Bees & Co.",
            sponsor_name: "100%SITE_NAME% Honey",
            sponsor_address: "12 Elm Street",
            contact_email: "hello@example.org",
            time_zone: "America/New_York",
            entry_cap: 100,
            schedule: RulesSchedule::Monthly,
            has_beacon: true,
        }
    }

    #[test]
    fn every_token_of_the_text_is_filled_in_once() {
        let text = facts().text();
        for value in [
            "Bees & Co.",
            "100%SITE_NAME% Honey, 12 Elm Street",
            "hello@example.org",
            "America/New_York",
        ] {
            assert!(text.contains(value), "{value}");
        }
        assert_eq!(text.replace("100%SITE_NAME% Honey", "").matches('%').count(), 0);
    }

    #[test]
    fn the_text_begins_with_its_title_and_ends_with_the_numbers() {
        let text = facts().text();
        assert!(text.starts_with("# Official rules\n\n"), "{text}");
        let numbers = text.split("## Numbers of this site\n\n").nth(1).unwrap();
        assert!(
            numbers.starts_with("One person can get at most 100 entries in a calendar month"),
            "{numbers}"
        );
        assert!(
            numbers.contains("divided by the number of dates left and rounded up"),
            "{numbers}"
        );
        assert!(numbers.ends_with("decides the drawings.\n"), "{numbers}");
    }

    #[test]
    fn each_setting_makes_another_text() {
        let others = [
            RulesFacts {
                site_name: "Tombola",
                ..facts()
            },
            RulesFacts {
                sponsor_name: "Honey, Inc.",
                ..facts()
            },
            RulesFacts {
                sponsor_address: "13 Elm Street",
                ..facts()
            },
            RulesFacts {
                contact_email: "hi@example.org",
                ..facts()
            },
            RulesFacts {
                time_zone: "UTC",
                ..facts()
            },
            RulesFacts {
                entry_cap: 1,
                ..facts()
            },
            RulesFacts {
                schedule: RulesSchedule::Manual,
                ..facts()
            },
            RulesFacts {
                has_beacon: false,
                ..facts()
            },
        ];
        for other in others {
            assert_ne!(other.text(), facts().text(), "{other:?}");
        }
        assert_eq!(facts().text(), facts().text());
    }
}
