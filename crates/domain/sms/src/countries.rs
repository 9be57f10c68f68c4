//! Which numbers get texts (D38). docs/texting.md says how the tables are kept.

use kernel::Phone;
use std::collections::BTreeMap;

const AREA_CODES: &str = include_str!("../data/area_codes.csv");
const CALLING_CODES: &str = include_str!("../data/calling_codes.csv");

/// How a number of North America begins.
pub(crate) const NORTH_AMERICA: &str = "+1";

/// The countries whose numbers get texts (`SMS_COUNTRIES`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmsCountries {
    countries: Vec<String>,
    refused_area_codes: Vec<String>,
    calling_codes: Vec<String>,
}

/// A part of the list is not the code of a country.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a country")]
pub struct UnknownCountry(pub String);

/// One line of the table of area codes.
pub(crate) struct AreaCode<'a> {
    pub(crate) code: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) country: &'a str,
    /// The states or provinces, separated by `;`.
    pub(crate) states: &'a str,
    /// The time zones, separated by `;`.
    pub(crate) zones: &'a str,
}

fn lines(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split(',').collect())
}

pub(crate) fn area_codes() -> impl Iterator<Item = AreaCode<'static>> {
    lines(AREA_CODES).filter_map(|line| match line.as_slice() {
        [code, kind, country, states, zones] => Some(AreaCode {
            code,
            kind,
            country,
            states,
            zones,
        }),
        _ => None,
    })
}

/// The calling codes and the countries that share each.
fn calling_codes() -> BTreeMap<&'static str, Vec<&'static str>> {
    let pair = |line: Vec<&'static str>| match line.as_slice() {
        [code, countries] => Some((*code, countries.split(';').collect())),
        _ => None,
    };
    lines(CALLING_CODES).filter_map(pair).collect()
}

/// Whether numbers of this kind cost whoever calls them, or whoever is called: they never get texts.
fn is_never_texted(kind: &str) -> bool {
    matches!(kind, "toll_free" | "premium")
}

impl SmsCountries {
    /// Reads the codes of countries (ISO 3166-1), separated by commas, such as `US,CA`. The territories of the United
    /// States count as US. Countries that share a calling code, such as Russia and Kazakhstan, cannot be told apart: to
    /// list one of them permits the numbers of all of them.
    ///
    /// # Errors
    /// The first part that is no country's code.
    pub fn parse(list: &str) -> Result<Self, UnknownCountry> {
        let calling_codes = calling_codes();
        let countries: Vec<String> = list
            .split(',')
            .map(|part| part.trim().to_ascii_uppercase())
            .collect();
        let is_known = |country: &String| {
            area_codes().any(|area| area.country == country)
                || calling_codes.values().flatten().any(|other| other == country)
        };
        if let Some(unknown) = countries.iter().find(|country| !is_known(country)) {
            return Err(UnknownCountry(unknown.clone()));
        }
        let is_listed = |country: &str| countries.iter().any(|listed| listed == country);
        let refused = area_codes().filter(|area| is_never_texted(area.kind) || !is_listed(area.country));
        let permitted = calling_codes
            .iter()
            .filter(|(_, sharing)| sharing.iter().any(|country| is_listed(country)));
        Ok(Self {
            refused_area_codes: refused
                .map(|area| format!("{NORTH_AMERICA}{}", area.code))
                .collect(),
            calling_codes: permitted.map(|(code, _)| format!("+{code}")).collect(),
            countries,
        })
    }

    /// The countries for people: the names of the two that most sites text, the codes of others.
    pub fn in_words(&self) -> String {
        let name = |code: &String| match code.as_str() {
            "US" => "the United States".to_owned(),
            "CA" => "Canada".to_owned(),
            _ => code.clone(),
        };
        let names: Vec<_> = self.countries.iter().map(name).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => names.concat(),
        }
    }

    /// The codes of the countries.
    pub fn codes(&self) -> &[String] {
        &self.countries
    }

    /// Whether a number gets texts. Of North America's numbers, toll-free and premium ones never do, and those of other
    /// countries do not; area codes that nobody has, such as 555, do.
    pub fn permit(&self, phone: &Phone) -> bool {
        let number = phone.as_e164();
        let begins = |prefixes: &[String]| prefixes.iter().any(|prefix| number.starts_with(prefix.as_str()));
        if number.starts_with(NORTH_AMERICA) {
            return !begins(&self.refused_area_codes);
        }
        begins(&self.calling_codes)
    }

    /// How the refused numbers of North America begin, such as `+1800`: five characters each.
    pub fn refused_area_codes(&self) -> &[String] {
        &self.refused_area_codes
    }

    /// How the permitted numbers of the rest of the world begin, such as `+44`: two to four characters each.
    pub fn calling_codes(&self) -> &[String] {
        &self.calling_codes
    }
}

impl Default for SmsCountries {
    /// The United States.
    fn default() -> Self {
        Self::parse("US").unwrap_or(Self {
            countries: Vec::new(),
            refused_area_codes: Vec::new(),
            calling_codes: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono_tz::Tz;
    use std::collections::BTreeSet;

    fn permitted(countries: &str, number: &str) -> bool {
        let countries = SmsCountries::parse(countries).unwrap();
        countries.permit(&Phone::from_e164(number).unwrap())
    }

    #[test]
    fn by_default_the_united_states_and_canada_get_texts() {
        assert_eq!(SmsCountries::default(), SmsCountries::parse("US").unwrap());
        for number in ["+12125551234", "+14165551234", "+17875551234", "+16715551234"] {
            assert!(permitted("US,CA", number), "{number}");
        }
        for number in [
            "+18765551234",
            "+12425551234",
            "+37120000000",
            "+442071234567",
            "+9607712345",
        ] {
            assert!(!permitted("US,CA", number), "{number}");
        }
    }

    #[test]
    fn people_read_names_of_countries() {
        let words = |codes| SmsCountries::parse(codes).unwrap().in_words();
        assert_eq!(words("US"), "the United States");
        assert_eq!(words("US,CA,GB"), "the United States, Canada and GB");
    }

    #[test]
    fn toll_free_and_premium_numbers_never_get_texts() {
        for number in ["+18005551234", "+18335551234", "+19005551234"] {
            assert!(!permitted("US,CA", number), "{number}");
        }
    }

    #[test]
    fn area_codes_that_nobody_has_are_no_other_countrys() {
        for countries in ["US,CA", "GB"] {
            assert!(permitted(countries, "+15551234567"), "{countries}");
        }
    }

    #[test]
    fn a_list_names_other_countries_too() {
        assert!(permitted(" gb , lv", "+442071234567") && permitted("GB,LV", "+37120000000"));
        assert!(!permitted("GB,LV", "+12125551234") && !permitted("GB,LV", "+4930123456"));
        assert!(permitted("JM", "+18765551234"));
        assert!(permitted("KZ", "+77012345678"), "it shares +7");
        let unknown = |list: &str| SmsCountries::parse(list).unwrap_err().0;
        assert_eq!(unknown("US,Canada"), "CANADA");
        assert_eq!((unknown(""), unknown("US,,CA")), (String::new(), String::new()));
        assert_eq!(unknown("XX"), "XX");
    }

    /// Newer than the tables of libphonenumber. Source: NANPA's planning letters.
    #[test]
    fn an_overlay_has_the_country_states_and_zones_of_the_code_that_it_lies_over() {
        let lines: Vec<_> = lines(AREA_CODES).collect();
        let place = |code: &str| {
            let line = lines.iter().find(|line| line[0] == code);
            line.unwrap_or_else(|| panic!("{code} is missing"))[1..].to_vec()
        };
        for (overlay, over) in [
            ("357", "559"),
            ("436", "440"),
            ("457", "318"),
            ("465", "718"),
            ("471", "662"),
            ("483", "334"),
            ("621", "281"),
            ("624", "716"),
            ("679", "313"),
            ("729", "423"),
            ("837", "530"),
            ("861", "309"),
            ("924", "507"),
        ] {
            assert_eq!(place(overlay), place(over), "{overlay}");
        }
    }

    #[test]
    fn every_line_of_the_area_codes_is_sound() {
        let lines: Vec<_> = lines(AREA_CODES).collect();
        assert!(lines.len() > 400, "{}", lines.len());
        let codes: Vec<&str> = lines.iter().map(|line| line[0]).collect();
        assert!(codes.is_sorted() && codes.iter().collect::<BTreeSet<_>>().len() == codes.len());
        for line in lines {
            let [code, kind, country, states, zones] = line.as_slice() else {
                panic!("{line:?}");
            };
            assert!(
                code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit()),
                "{line:?}"
            );
            assert!(
                ["geographic", "toll_free", "premium", "personal"].contains(kind),
                "{line:?}"
            );
            assert!(is_code(country), "{line:?}");
            assert_eq!(*kind == "geographic", !zones.is_empty(), "{line:?}");
            for zone in zones.split(';').filter(|zone| !zone.is_empty()) {
                assert!(zone.parse::<Tz>().is_ok(), "{line:?}");
            }
            let has_states = *kind == "geographic" && ["US", "CA"].contains(country);
            assert_eq!(has_states, !states.is_empty(), "{line:?}");
            assert!(
                states.split(';').all(|state| state.is_empty() || is_code(state)),
                "{line:?}"
            );
        }
    }

    #[test]
    fn no_calling_code_begins_with_another() {
        let codes = calling_codes();
        assert!(codes.len() > 190, "{}", codes.len());
        for (code, countries) in &codes {
            assert!(
                (1..=3).contains(&code.len()) && countries.iter().all(|country| is_code(country)),
                "{code} {countries:?}"
            );
            let longer = |other: &&&str| other.starts_with(code) && *other != code;
            assert_eq!(codes.keys().find(longer), None, "{code}");
        }
        assert_eq!(
            (codes["44"][0], codes["371"].as_slice(), codes.get("1")),
            ("GB", ["LV"].as_slice(), None)
        );
    }

    fn is_code(text: &str) -> bool {
        text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
    }
}
