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
            first_visitor_key(secret),
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

/// Made by the program before there was a key for each purpose, from a SECRET_KEY of 32 bytes 1.
mod first_version {
    use super::*;

    const SEED: &str = "02f28efdc3cd80df690f4b4b99eaabe23c0c57b36f74488eb3220af39f65ced0e0729fa778c6b476866a0d1bb7e73b640ad3\
        9c967891cf1377b4bf4740384f7e0a360032f0ff32bc32e5455e3310f3567b5c26152a3ab497b182d4d3d4254a793f19da56\
        fc79d37fd31e261f2c";
    const CREDENTIALS: &str = "02f28efdc30d00713130873cb4249721a3420f3f46fadf74cc847b58fd13bc2a0f65856b2bbdf5cd7c238a9f2bb4a8ba2bf5\
        aa9521d35ca2f83123a74d85d42a0748a9cc75e0bac9ba18ff84a69d3224612b40a4a39ea3768fdddc5ab2a8bdc2c6fa33b5\
        336207fe8ce864c0b99fb9592cdb57f690af17577e8f49c8b0";
    const VISITOR: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6Ijk0MTA3ZTc4In0.eyJzdWIiOiI3IiwiYXVkIjoidmlzaXRvciIsImV4\
        cCI6MzQ1NjAwMDAsImlhdCI6MH0.Ux9_91uERaG5c6zkiwvXiM6FsOOHSlRoad7SU_CpACI";
    const STAFF: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6IjBkNmFkYmI5In0.eyJzdWIiOiJhbm5hIiwiYXVkIjoiYWRtaW4iLCJl\
        eHAiOjQzMjAwLCJpYXQiOjB9.WnvhT9HAnj1r11x3IWwh1uyEiBFHRZ8NH_pkMuSjPP0";

    #[test]
    fn sealed_secrets_still_open() {
        let (seed, credentials) = (hex::decode(SEED).unwrap(), hex::decode(CREDENTIALS).unwrap());
        for keys in [
            derived(1, &[]),
            derived(2, &[1]),
            SecretKeys {
                site: list(1, &[]),
                ..same_for_all(3)
            },
        ] {
            let seeds = keys.sealer::<drawing::Secrets, _>(OsEntropy);
            let opened = seeds.open("drawing seed of garden-bag", &seed).unwrap();
            assert_eq!(opened, [7; 64]);
            assert_eq!(seeds.open("drawing seed of fresh-sips", &seed), None);
            assert_eq!(seeds.open("drawing seed of garden-bag", &credentials), None);

            let accounts = keys.sealer::<sms::Credentials, _>(OsEntropy);
            let opened = accounts.open("sms credentials", &credentials).unwrap();
            assert!(sms::Credentials::from_bytes(&opened).is_some());
            assert_eq!(accounts.open("sms credentials", &seed), None);
        }
        let other = derived(2, &[]).sealer::<drawing::Secrets, _>(OsEntropy);
        assert_eq!(other.open("drawing seed of garden-bag", &seed), None);
    }

    #[test]
    fn visitors_keep_their_tokens_and_staff_sign_in_again() {
        let keys = derived(2, &[1]);
        assert_eq!(keys.visitor_tokens().read(VISITOR, NOW).as_deref(), Some("7"));
        assert_eq!(keys.visitor_tokens().read(STAFF, NOW), None);
        assert_eq!(keys.staff_tokens().read(STAFF, NOW), None);
        assert_eq!(keys.staff_tokens().read(VISITOR, NOW), None);
        assert_eq!(derived(2, &[]).visitor_tokens().read(VISITOR, NOW), None);
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
