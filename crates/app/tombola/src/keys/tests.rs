use super::*;
use crate::OsEntropy;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Sealer;

const LIFE: TimeDelta = TimeDelta::hours(12);
const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

fn secret(byte: u8) -> SecretSlice<u8> {
    SecretSlice::from(vec![byte; KEY_BYTES])
}

fn list(current: u8, previous: &[u8]) -> SecretList {
    SecretList {
        current: secret(current),
        previous: previous.iter().copied().map(secret).collect(),
    }
}

/// All keys are derived from these secrets.
fn derived(current: u8, previous: &[u8]) -> SecretKeys {
    SecretKeys {
        site: list(current, previous),
        visitor_tokens: None,
        staff_tokens: None,
        drawing_seeds: None,
        sms_credentials: None,
        sms_codes: None,
    }
}

/// Every purpose has secrets of its own, and all of them are the same.
fn same_for_all(current: u8) -> SecretKeys {
    SecretKeys {
        site: list(9, &[]),
        visitor_tokens: Some(list(current, &[])),
        staff_tokens: Some(list(current, &[])),
        drawing_seeds: Some(list(current, &[])),
        sms_credentials: Some(list(current, &[])),
        sms_codes: Some(list(current, &[])),
    }
}

type Reads = Box<dyn Fn(&[u8]) -> bool>;

/// One of the purposes: makes something, and tells whether it can read something.
struct Use {
    name: &'static str,
    made: Vec<u8>,
    reads: Reads,
}

fn token_use<K: TokenKind + 'static>(name: &'static str, keys: TokenKeys<K>) -> Use {
    Use {
        name,
        made: keys.sign("7".to_owned(), NOW, LIFE, None).unwrap().into_bytes(),
        reads: Box::new(move |made| {
            let token = std::str::from_utf8(made).unwrap_or_default();
            keys.read(token, NOW).is_some()
        }),
    }
}

fn sealing_use<T: Purpose + 'static>(name: &'static str, keys: &SecretKeys) -> Use {
    let sealer = keys.sealer::<T, _>(OsEntropy);
    Use {
        name,
        made: sealer.seal("the same context", b"7"),
        reads: Box::new(move |made| sealer.open("the same context", made).is_some()),
    }
}

fn uses(keys: &SecretKeys) -> [Use; 6] {
    [
        token_use("visitor tokens", keys.visitor_tokens()),
        token_use("staff tokens", keys.staff_tokens()),
        sealing_use::<drawing::Secrets>("drawing seeds", keys),
        sealing_use::<sms::Credentials>("sms credentials", keys),
        sealing_use::<sms::SealedText>("sms bodies", keys),
        sealing_use::<claims::ClaimSecrets>("claim details", keys),
    ]
}

#[test]
fn no_purpose_reads_what_another_made() {
    for keys in [derived(1, &[]), derived(2, &[1, 3]), same_for_all(1)] {
        let uses = uses(&keys);
        for (n, reader) in uses.iter().enumerate() {
            for (m, maker) in uses.iter().enumerate() {
                assert_eq!(
                    (reader.reads)(&maker.made),
                    n == m,
                    "{} reads {}",
                    reader.name,
                    maker.name
                );
            }
        }
    }
}

/// What a token or a sealed secret names as its purpose is not the only thing that separates them.
#[test]
fn the_keys_of_all_purposes_differ() {
    let keys = |secret: &SecretSlice<u8>| {
        [
            derive::<VisitorToken>(secret),
            derive::<StaffToken>(secret),
            derive::<drawing::Secrets>(secret),
            derive::<sms::Credentials>(secret),
            derive::<claims::ClaimSecrets>(secret),
            derive::<ClaimKey>(secret),
            secret.clone(),
        ]
    };
    let all: Vec<_> = [secret(1), secret(2)].iter().flat_map(keys).collect();
    for (n, one) in all.iter().enumerate() {
        for other in &all[n + 1..] {
            assert_ne!(one.expose_secret(), other.expose_secret());
        }
    }
}

#[test]
fn previous_secrets_only_read() {
    let old = uses(&derived(1, &[]));
    let both = uses(&derived(2, &[1]));
    let new = uses(&derived(2, &[]));
    for (n, old) in old.iter().enumerate() {
        assert!((both[n].reads)(&old.made), "{}", old.name);
        assert!(!(new[n].reads)(&old.made), "{}", old.name);
        assert!(
            (new[n].reads)(&both[n].made),
            "the current secret makes {}",
            old.name
        );
    }
}

#[test]
fn own_secrets_replace_the_sites_for_tokens() {
    let site = uses(&derived(9, &[]));
    let own = uses(&same_for_all(1));
    for n in [0, 1] {
        assert!(!(own[n].reads)(&site[n].made), "{}", own[n].name);
        assert!(!(site[n].reads)(&own[n].made), "{}", own[n].name);
    }
    let mut moved = derived(9, &[]);
    moved.visitor_tokens = Some(list(1, &[9]));
    assert!(
        (uses(&moved)[0].reads)(&site[0].made),
        "the list of its own names the site's secret"
    );
}

#[test]
fn what_the_sites_secrets_sealed_still_opens_when_own_secrets_are_set() {
    let old = uses(&derived(8, &[]));
    let own = SecretKeys {
        site: list(9, &[8]),
        ..same_for_all(1)
    };
    let own = uses(&own);
    for n in [2, 3] {
        assert!((own[n].reads)(&old[n].made), "{}", own[n].name);
        assert!(
            !(old[n].reads)(&own[n].made),
            "{} is sealed with its own key",
            own[n].name
        );
    }
}

#[test]
fn the_link_of_a_claim_can_be_made_again_after_the_key_has_changed() {
    let token = |key: &ClaimKey| key.token(kernel::DrawingId::new(7), 1);
    let (old, _) = derived(1, &[]).claim_keys().unwrap();
    let (new, earlier) = derived(2, &[1]).claim_keys().unwrap();
    assert_ne!(token(&new), token(&old));
    assert_eq!(earlier.iter().map(token).collect::<Vec<_>>(), [token(&old)]);
}

#[test]
fn the_number_of_an_erased_person_is_recognized_after_the_key_changed() {
    let phone = kernel::Phone::parse("5551234567").unwrap();
    let hashes = |keys: SecretKeys| keys.number_keys().unwrap().hashes(&phone);
    let (before, after) = (hashes(derived(1, &[])), hashes(derived(2, &[1])));
    assert_eq!(after[1..], before[..]);
    assert_ne!(after[0], before[0]);
}
