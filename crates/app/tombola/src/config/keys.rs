//! The secrets from which keys are derived.

use super::read::Reader;
use crate::keys::{KEY_BYTES, SecretKeys, SecretList};
use secrecy::SecretSlice;
use std::collections::BTreeSet;

/// The default key, so that a checkout runs without configuration. It is public, so production refuses to start without
/// a key of its own.
const DEVELOPMENT_KEY: [u8; KEY_BYTES] = *b"tombola development key, public!";

/// The keys in `.env.example`, which everybody knows.
const EXAMPLE_KEYS: [&str; 7] = [
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210",
    "1111111111111111111111111111111111111111111111111111111111111111",
    "2222222222222222222222222222222222222222222222222222222222222222",
    "3333333333333333333333333333333333333333333333333333333333333333",
    "4444444444444444444444444444444444444444444444444444444444444444",
    "5555555555555555555555555555555555555555555555555555555555555555",
];

/// Fewer different bytes than any key of `openssl rand` has.
const LEAST_DIFFERENT_BYTES: usize = 12;

pub(super) fn read(reader: &mut Reader, production: bool) -> Option<SecretKeys> {
    // Read all variables before the first `?`, so that all problems are found.
    let mut keys = KeyReader {
        reader,
        production,
        seen: Vec::new(),
    };
    let current = keys.secret_key();
    let previous = keys.list("SECRET_KEY_PREVIOUS");
    let mut own = |name| keys.own(name);
    let (visitor_tokens, staff_tokens) = (own("VISITOR_TOKEN_KEY"), own("STAFF_TOKEN_KEY"));
    let (drawing_seeds, sms_credentials) = (own("DRAWING_SEED_KEY"), own("SMS_CREDENTIALS_KEY"));
    let sms_codes = own("SMS_CODES_KEY");
    Some(SecretKeys {
        site: SecretList {
            current: current?,
            previous: previous?,
        },
        visitor_tokens,
        staff_tokens,
        drawing_seeds,
        sms_credentials,
        sms_codes,
    })
}

/// Reads every list of keys by the same rules (D74): production takes none that is public, not random or used twice.
struct KeyReader<'a, 'r> {
    reader: &'a mut Reader<'r>,
    production: bool,
    /// The keys so far, with the variable of each.
    seen: Vec<(&'static str, Vec<u8>)>,
}

impl KeyReader<'_, '_> {
    fn secret_key(&mut self) -> Option<SecretSlice<u8>> {
        if self.reader.text("SECRET_KEY").is_none() {
            if self.production {
                self.reader.problem("SECRET_KEY: is required in production: 64 hexadecimal digits, as `openssl rand -hex 32` prints");
                return None;
            }
            return Some(DEVELOPMENT_KEY.to_vec().into());
        }
        let mut keys = self.list("SECRET_KEY")?;
        if keys.len() != 1 {
            self.reader
                .problem("SECRET_KEY: must be one key; SECRET_KEY_PREVIOUS holds the earlier ones");
            return None;
        }
        keys.pop()
    }

    /// The secrets of one purpose, newest first.
    fn own(&mut self, name: &'static str) -> Option<SecretList> {
        self.reader.text(name)?;
        let mut keys = self.list(name)?.into_iter();
        let Some(current) = keys.next() else {
            self.reader
                .problem(&format!("{name}: must hold a key of 64 hexadecimal digits"));
            return None;
        };
        let previous = keys.collect();
        Some(SecretList { current, previous })
    }

    /// The keys of a variable, newest first; none if it is not set. `None` if there is a problem.
    fn list(&mut self, name: &'static str) -> Option<Vec<SecretSlice<u8>>> {
        let text = self.reader.text(name).unwrap_or_default();
        let Some(keys) = parse_list(&text) else {
            self.reader.problem(&format!(
                "{name}: must be 64 hexadecimal digits, and several keys are separated by commas"
            ));
            return None;
        };
        let problem = keys.iter().find_map(|key| self.problem_of(name, key));
        if let Some(problem) = problem.filter(|_| self.production) {
            self.reader.problem(&format!(
                "{name}: {problem}; generate one with `openssl rand -hex 32`"
            ));
            return None;
        }
        Some(keys.into_iter().map(Into::into).collect())
    }

    fn problem_of(&mut self, name: &'static str, key: &[u8]) -> Option<String> {
        if is_public(key) {
            return Some("is a key that everybody knows".to_owned());
        }
        if key.iter().collect::<BTreeSet<_>>().len() < LEAST_DIFFERENT_BYTES {
            return Some("is not random".to_owned());
        }
        let earlier = self.seen.iter().find(|(_, seen)| seen == key);
        let repeated = earlier.map(|(earlier, _)| format!("repeats a key of {earlier}"));
        self.seen.push((name, key.to_vec()));
        repeated
    }
}

fn parse_list(text: &str) -> Option<Vec<Vec<u8>>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let parse = |text| hex::decode(text).ok().filter(|key| key.len() == KEY_BYTES);
    parts.map(parse).collect()
}

fn is_public(key: &[u8]) -> bool {
    let text = hex::encode(key);
    EXAMPLE_KEYS.contains(&text.as_str()) || *key == DEVELOPMENT_KEY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use secrecy::ExposeSecret;

    const OWN: [&str; 5] = [
        "VISITOR_TOKEN_KEY",
        "STAFF_TOKEN_KEY",
        "DRAWING_SEED_KEY",
        "SMS_CREDENTIALS_KEY",
        "SMS_CODES_KEY",
    ];

    fn read_with(variables: &[(&str, &str)]) -> Result<Config, String> {
        let database = [("DATABASE_URL", "postgresql://tombola@localhost/tombola")];
        let all = [&database, variables].concat();
        let value = |name: &str| all.iter().find(|(given, _)| *given == name);
        Config::read(|name| value(name).map(|(_, value)| (*value).to_owned()))
            .map_err(|problems| problems.to_string())
    }

    fn bytes(list: &SecretList) -> Vec<u8> {
        list.iter().map(|key| key.expose_secret()[0]).collect()
    }

    #[test]
    fn each_purpose_can_have_secrets_of_its_own() {
        let (one, other) = ("01".repeat(32), "ab".repeat(32));
        let keys = read_with(&[]).unwrap().keys;
        assert_eq!(keys.site.current.expose_secret(), DEVELOPMENT_KEY);
        let own = [
            &keys.visitor_tokens,
            &keys.staff_tokens,
            &keys.drawing_seeds,
            &keys.sms_credentials,
            &keys.sms_codes,
        ];
        assert!(own.iter().all(|own| own.is_none()), "derived from SECRET_KEY");

        let list = format!(" {one}, {other} ,");
        for (n, name) in OWN.iter().enumerate() {
            let keys = read_with(&[(name, list.as_str())]).unwrap().keys;
            let own = [
                keys.visitor_tokens,
                keys.staff_tokens,
                keys.drawing_seeds,
                keys.sms_credentials,
                keys.sms_codes,
            ];
            let set: Vec<_> = own.iter().map(|own| own.as_ref().map(bytes)).collect();
            let mut expected = vec![None; 5];
            expected[n] = Some(vec![0x01, 0xab]);
            assert_eq!(set, expected, "{name}");
        }
    }

    #[test]
    fn a_malformed_secret_is_rejected_and_not_repeated() {
        let key = "01".repeat(32);
        for name in OWN {
            for wrong in [
                "hidden".to_owned(),
                ",".to_owned(),
                key[2..].to_owned(),
                format!("{key}01"),
                format!("{key},hidden"),
                format!("{key};{key}"),
            ] {
                let error = read_with(&[(name, &wrong)]).unwrap_err();
                assert!(error.starts_with(&format!("{name}: ")), "{error}");
                assert_eq!(error.lines().count(), 1, "{error}");
                assert!(!error.contains("hidden") && !error.contains(&key), "{error}");
            }
        }
    }

    #[test]
    fn production_rejects_keys_that_everybody_knows() {
        let production = [
            ("APP_ENV", "production"),
            ("PUBLIC_ORIGIN", "https://example.org"),
            ("CONTACT_EMAIL", "hello@example.org"),
            ("SPONSOR_NAME", "Example Gardens, Inc."),
            ("SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701"),
        ];
        let good = "00112233445566778899aabbccddeeff".repeat(2);
        let development = hex::encode(DEVELOPMENT_KEY);
        let upper = EXAMPLE_KEYS[0].to_uppercase();
        let example = include_str!("../../../../../.env.example");
        for known in EXAMPLE_KEYS
            .into_iter()
            .chain([development.as_str(), upper.as_str()])
        {
            let with_known = [&production[..], &[("SECRET_KEY", known)]].concat();
            assert!(
                read_with(&with_known).unwrap_err().starts_with("SECRET_KEY: "),
                "{known}"
            );
            assert!(
                read_with(&[("SECRET_KEY", known)]).is_ok(),
                "{known} in development"
            );
            let other = "f".to_owned() + &good[1..];
            let list = format!("{other},{known}");
            for name in OWN.into_iter().chain(["SECRET_KEY_PREVIOUS"]) {
                let with_known = [&production[..], &[("SECRET_KEY", &good), (name, &list)]].concat();
                let error = read_with(&with_known).unwrap_err();
                assert!(
                    error.starts_with(&format!("{name}: is a key that everybody knows")),
                    "{error}"
                );
            }
        }
        for known in EXAMPLE_KEYS {
            assert!(example.contains(known), "{known}");
        }
    }

    #[test]
    fn production_rejects_keys_that_are_not_random_or_used_twice() {
        let good = "00112233445566778899aabbccddeeff".repeat(2);
        let zeros = "0".repeat(64);
        let production = |name: &str, list: &str| {
            let variables = [
                ("APP_ENV", "production"),
                ("PUBLIC_ORIGIN", "https://example.org"),
                ("CONTACT_EMAIL", "hello@example.org"),
                ("SPONSOR_NAME", "Example Gardens, Inc."),
                ("SPONSOR_ADDRESS", "12 Elm Street, Springfield, IL 62701"),
                ("SECRET_KEY", &good),
                (name, list),
            ];
            read_with(&variables).map(drop)
        };
        for name in OWN.into_iter().chain(["SECRET_KEY_PREVIOUS"]) {
            let error = production(name, &zeros).unwrap_err();
            assert!(error.starts_with(&format!("{name}: is not random")), "{error}");
            let error = production(name, &good).unwrap_err();
            assert!(
                error.starts_with(&format!("{name}: repeats a key of SECRET_KEY")),
                "{error}"
            );
            assert!(!error.contains(&good), "{error}");
            let other = "f".to_owned() + &good[1..];
            assert_eq!(production(name, &other), Ok(()));
            let error = production(name, &format!("{other},{other}")).unwrap_err();
            assert!(
                error.starts_with(&format!("{name}: repeats a key of {name}")),
                "{error}"
            );
        }
        assert!(
            read_with(&[("SECRET_KEY", zeros.as_str())]).is_ok(),
            "in development"
        );
    }
}
