//! The secrets from which keys are derived.

use super::read::Reader;
use crate::keys::{KEY_BYTES, SecretKeys, SecretList};
use secrecy::SecretSlice;

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

pub(super) fn read(reader: &mut Reader, production: bool) -> Option<SecretKeys> {
    // Read all variables before the first `?`, so that all problems are found.
    let current = read_secret_key(reader, production);
    let previous = read_previous_keys(reader);
    let mut own = |name| read_own(reader, name, production);
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

fn read_secret_key(reader: &mut Reader, production: bool) -> Option<SecretSlice<u8>> {
    let Some(text) = reader.text("SECRET_KEY") else {
        if production {
            reader.problem("SECRET_KEY: is required in production: 64 hexadecimal digits, as `openssl rand -hex 32` prints");
            return None;
        }
        return Some(DEVELOPMENT_KEY.to_vec().into());
    };
    if production && is_public(&text) {
        reader.problem("SECRET_KEY: is a key that everybody knows; generate one with `openssl rand -hex 32`");
    }
    let key = parse(&text);
    if key.is_none() {
        reader.problem("SECRET_KEY: must be 64 hexadecimal digits");
    }
    key
}

fn read_previous_keys(reader: &mut Reader) -> Option<Vec<SecretSlice<u8>>> {
    let keys = parse_list(&reader.text("SECRET_KEY_PREVIOUS").unwrap_or_default());
    if keys.is_none() {
        reader.problem("SECRET_KEY_PREVIOUS: must be keys of 64 hexadecimal digits, separated by commas");
    }
    keys
}

/// The secrets of one purpose, newest first.
fn read_own(reader: &mut Reader, name: &str, production: bool) -> Option<SecretList> {
    let text = reader.text(name)?;
    if production && text.split(',').any(is_public) {
        reader.problem(&format!(
            "{name}: is a key that everybody knows; generate one with `openssl rand -hex 32`"
        ));
    }
    let mut keys = parse_list(&text).unwrap_or_default().into_iter();
    let Some(current) = keys.next() else {
        reader.problem(&format!(
            "{name}: must be one or more keys of 64 hexadecimal digits, separated by commas"
        ));
        return None;
    };
    let previous = keys.collect();
    Some(SecretList { current, previous })
}

fn parse_list(text: &str) -> Option<Vec<SecretSlice<u8>>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(parse).collect()
}

fn parse(text: &str) -> Option<SecretSlice<u8>> {
    let key = hex::decode(text).ok().filter(|key| key.len() == KEY_BYTES)?;
    Some(key.into())
}

fn is_public(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    EXAMPLE_KEYS.contains(&text.as_str()) || text == hex::encode(DEVELOPMENT_KEY)
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
        let good = "ab".repeat(32);
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
            let list = format!("{good},{known}");
            for name in OWN {
                let with_known = [&production[..], &[("SECRET_KEY", &good), (name, &list)]].concat();
                let error = read_with(&with_known).unwrap_err();
                assert!(error.starts_with(&format!("{name}: ")), "{error}");
            }
        }
        for known in EXAMPLE_KEYS {
            assert!(example.contains(known), "{known}");
        }
    }
}
