//! The texts of the entries in the log, the key, the ranks and the record.

use chrono::{DateTime, TimeDelta, Utc};
use drawing::beacon::{BeaconSignature, Chain, Round};
use drawing::rules::RulesStamp;
use drawing::{
    AnnouncedPrize, Announcement, BeaconChoice, BeaconValue, DrawFacts, DrawKey, DrawingId, DrawingKind,
    DrawnDetails, EntriesByKind, Hash, LeftOut, LogAction, LogEntry, MAX_OUTPUTS, NewLogEntry, Period,
    Record, Replaced, SealDetails, Seed, SeedSource, VersionStamp, ranks, verify_log,
};
use proptest::prelude::*;
use raffle::KitItem;
use raffle::fixtures::{FRESH_SIPS, GARDEN_BAG};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::num::NonZeroU64;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn prize() -> AnnouncedPrize {
    AnnouncedPrize {
        name: "Garden \"Bag\"\nEssentials".to_owned(),
        value_in_cents: 4_900,
        kit: vec![KitItem {
            item: "Bag".to_owned(),
            detail: "Canvas".to_owned(),
            value_in_cents: 4_900,
        }],
    }
}

fn announcement() -> Announcement {
    Announcement {
        raffle: GARDEN_BAG,
        period: Period::new(2026, 11).unwrap(),
        kind: DrawingKind::Additional,
        cut_off: Some(at("2026-12-01T05:00:00Z")),
        beacon: BeaconChoice::Chain(Chain::quicknet().chain_hash),
        round: Round::new(32_398_885),
        seal_before: Some(at("2026-12-01T16:00:00Z")),
        commitment: Hash::new([1; 32]),
        seed_source: SeedSource::Os,
        reason: Some("the prize was lost".to_owned()),
        prize: prize(),
        version: Some(VersionStamp {
            number: 2,
            hash: Hash::new([9; 32]),
        }),
        replaces: Some(Replaced {
            drawing: DrawingId::new(6),
            root: Hash::new([7; 32]),
            weights_hash: Hash::new([8; 32]),
        }),
        rules: RulesStamp {
            version: 3,
            hash: Hash::new([5; 32]),
        },
    }
}

const ANNOUNCED: &str = r#"{"scheme":"tombola-drawing/1","landingPage":"garden-bag","period":"2026-11","kind":"additional","cutOff":"2026-12-01T05:00:00.000000Z","beacon":"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971","round":32398885,"sealBefore":"2026-12-01T16:00:00.000000Z","commitment":"0101010101010101010101010101010101010101010101010101010101010101","seedSource":"os","reason":"the prize was lost","prize":{"name":"Garden \"Bag\"\nEssentials","valueInCents":4900,"kit":[{"item":"Bag","detail":"Canvas","valueInCents":4900}]},"version":{"number":2,"hash":"0909090909090909090909090909090909090909090909090909090909090909"},"replaces":{"drawing":6,"root":"0707070707070707070707070707070707070707070707070707070707070707","weightsHash":"0808080808080808080808080808080808080808080808080808080808080808"},"rules":{"version":3,"hash":"0505050505050505050505050505050505050505050505050505050505050505"}}"#;

fn seal() -> SealDetails {
    SealDetails {
        opening: Hash::new([2; 32]),
        round: None,
        cut_off: at("2026-12-01T05:00:00Z"),
        root: Hash::new([3; 32]),
        weights_hash: Hash::new([4; 32]),
        entries: 6,
        entries_by_kind: EntriesByKind {
            base: 2,
            imported: 1,
            bonus: 2,
            purchased: 1,
        },
        left_out: LeftOut {
            flagged: 4,
            flagged_last_48_hours: 3,
            duplicate: 2,
            disputed: 1,
        },
    }
}

const SEALED: &str = r#"{"scheme":"tombola-drawing/1","opening":"0202020202020202020202020202020202020202020202020202020202020202","round":0,"cutOff":"2026-12-01T05:00:00.000000Z","root":"0303030303030303030303030303030303030303030303030303030303030303","weightsHash":"0404040404040404040404040404040404040404040404040404040404040404","totalEntries":6,"entriesByKind":{"base":2,"imported":1,"bonus":2,"purchased":1},"leftOut":{"flagged":4,"flaggedLast48Hours":3,"duplicate":2,"disputed":1}}"#;

#[test]
fn details_have_the_members_of_the_specification_in_its_order() {
    assert_eq!(announcement().details(), ANNOUNCED);
    assert_eq!(Announcement::from_details(ANNOUNCED), Ok(announcement()));
    assert_eq!(seal().details(), SEALED);
    assert_eq!(SealDetails::from_details(SEALED), Ok(seal()));

    let plain = Announcement {
        kind: DrawingKind::Regular,
        cut_off: None,
        beacon: BeaconChoice::Off,
        round: None,
        seal_before: None,
        reason: None,
        version: None,
        replaces: None,
        ..announcement()
    };
    let details = plain.details();
    assert_eq!(Announcement::from_details(&details), Ok(plain));
    for part in [
        r#""cutOff":null"#,
        r#""beacon":"off","round":0,"sealBefore":null"#,
        r#""version":null,"replaces":null,"rules":{"#,
    ] {
        assert!(details.contains(part), "{details}");
    }
}

#[test]
fn an_announcement_says_whether_it_takes_a_list() {
    let member = format!(
        r#","replaces":{{"drawing":6,"root":"{}","weightsHash":"{}"}}"#,
        "07".repeat(32),
        "08".repeat(32)
    );
    for (from, to) in [
        (member.as_str(), ""),
        (r#""drawing":6,"#, ""),
        (r#""drawing":6"#, r#""drawing":"6""#),
        (r#""drawing":6"#, r#""drawing":6,"more":1"#),
        (r#""root":"07"#, r#""root":"7"#),
    ] {
        let changed = ANNOUNCED.replacen(from, to, 1);
        assert_ne!(changed, ANNOUNCED);
        assert!(Announcement::from_details(&changed).is_err(), "{changed}");
    }
}

#[test]
fn an_announcement_names_the_rules_of_its_month() {
    let member = format!(r#","rules":{{"version":3,"hash":"{}"}}}}"#, "05".repeat(32));
    for (from, to) in [
        (member.as_str(), "}"),
        (member.as_str(), r#","rules":null}"#),
        (r#""version":3,"#, ""),
        (r#""version":3"#, r#""version":"3""#),
        (r#""version":3"#, r#""version":-3"#),
        (r#""version":3"#, r#""version":3,"more":1"#),
        (r#""hash":"05"#, r#""hash":"5"#),
    ] {
        let changed = ANNOUNCED.replacen(from, to, 1);
        assert_ne!(changed, ANNOUNCED);
        assert!(Announcement::from_details(&changed).is_err(), "{changed}");
    }
}

/// Each details with one thing changed that must not be read.
#[test]
fn details_in_another_spelling_are_rejected() {
    let changes = [
        ("tombola-drawing/1", "tombola-drawing/2"),
        ("{\"scheme", "{\"more\":1,\"scheme"),
        ("\"round\":", "\"more\":1,\"round\":"),
        ("{\"scheme", "{\n\"scheme"),
        ("05:00:00.000000Z", "05:00:00Z"),
        ("05:00:00.000000Z", "05:00:00.000000+00:00"),
        ("\"0", "\"A"),
    ];
    for (from, to) in changes {
        let (announced, sealed) = (ANNOUNCED.replacen(from, to, 1), SEALED.replacen(from, to, 1));
        assert!(announced != ANNOUNCED && sealed != SEALED, "{from}");
        assert!(Announcement::from_details(&announced).is_err(), "{announced}");
        assert!(SealDetails::from_details(&sealed).is_err(), "{sealed}");
    }
    for (from, to) in [
        ("\"2026-11\"", "\"2026-13\""),
        ("\"additional\"", "\"Additional\""),
        ("32398885", "\"32398885\""),
        ("32398885", "9007199254740992"),
        ("32398885", "-1"),
        ("\"reason\":\"the prize was lost\",", ""),
        (",\"prize\":{", ",\"prices\":{"),
        (
            "\"valueInCents\":4900,\"kit\"",
            "\"more\":1,\"valueInCents\":4900,\"kit\"",
        ),
        ("\"item\":", "\"more\":1,\"item\":"),
        ("\"version\":{\"number\":2,", "\"version\":{"),
        ("\"cutOff\":\"2026-12-01T05:00:00.000000Z\",", ""),
    ] {
        let details = ANNOUNCED.replacen(from, to, 1);
        assert_ne!(details, ANNOUNCED);
        assert!(Announcement::from_details(&details).is_err(), "{details}");
    }
    for (from, to) in [
        ("\"cutOff\":\"2026-12-01T05:00:00.000000Z\"", "\"cutOff\":null"),
        ("\"duplicate\":2,", ""),
        (",\"purchased\":1", ",\"purchased\":-1"),
        (",\"purchased\":1", ",\"purchased\":1,\"gift\":1"),
    ] {
        let details = SEALED.replacen(from, to, 1);
        assert_ne!(details, SEALED);
        assert!(SealDetails::from_details(&details).is_err(), "{details}");
    }
}

fn entry() -> LogEntry {
    let sealed = NewLogEntry {
        action: LogAction::DrawingSealed,
        drawing: Some(DrawingId::new(7)),
        details: SEALED.to_owned(),
        random_seed: Some(Seed::new([5; 32])),
        participant_count: Some(3),
        verification_hash: None,
        session: None,
        at: at("2026-12-01T05:00:01Z"),
    };
    LogEntry::after(Some((11, Hash::new([6; 32]))), sealed)
}

#[test]
fn an_entry_of_the_log_is_a_line_of_json() {
    let entry = entry();
    let details = serde_json::to_string(SEALED).unwrap();
    let expected = format!(
        r#"{{"id":12,"action":"drawing_sealed","drawing":7,"details":{details},"randomSeed":"{}","participantCount":3,"verificationHash":null,"session":null,"at":"2026-12-01T05:00:01.000000Z","previous":"{}","hash":"{}"}}"#,
        "05".repeat(32),
        "06".repeat(32),
        entry.hash
    );
    assert_eq!(entry.to_json(), expected);
    let read = LogEntry::from_json(&expected).unwrap();
    assert_eq!(read, entry);
    assert_eq!(
        verify_log(Some((11, Hash::new([6; 32]))), &read),
        Ok((12, entry.hash))
    );
}

#[test]
fn a_line_that_is_no_entry_is_rejected() {
    let line = entry().to_json();
    for (from, to) in [
        ("drawing_sealed", "drawing_peeled"),
        ("\"session\":null,", ""),
        ("\"drawing\":7,", ""),
        (":\"0505", ":\"ABCD"),
        ("01.000000Z\",\"previous", "01Z\",\"previous"),
        // Another line in the hashed text.
        ("\"details\":\"{", "\"details\":\"\\n{"),
    ] {
        let changed = line.replacen(from, to, 1);
        assert_ne!(changed, line);
        assert!(LogEntry::from_json(&changed).is_err(), "{changed}");
    }
}

fn quicknet(round: u64, signature: u8) -> BeaconValue {
    let signature = BeaconSignature::new([signature; 48]);
    BeaconValue::signed(
        Chain::quicknet().chain_hash,
        Round::new(round).unwrap(),
        signature,
    )
}

fn facts() -> DrawFacts {
    DrawFacts {
        opening: Hash::new([2; 32]),
        seed: Seed::new([5; 32]),
        root: Hash::new([3; 32]),
        weights_hash: Hash::new([4; 32]),
        participants: 3,
        entries: 6,
        beacon: quicknet(24_000_000, 9),
    }
}

#[test]
fn the_record_has_a_line_for_each_fact() {
    let record = Record {
        drawing: DrawingId::new(7),
        raffle: FRESH_SIPS,
        period: Period::new(2026, 11).unwrap(),
        kind: DrawingKind::Regular,
        seal: Hash::new([7; 32]),
        facts: facts(),
        entry_numbers: vec![4, 1, 6],
        drawn_at: at("2026-12-01T17:00:04Z") + TimeDelta::microseconds(5),
    };
    let randomness = record.facts.beacon.randomness.to_string();
    let lines = [
        "tombola-drawing/1 record".to_owned(),
        "drawing 7".to_owned(),
        "raffle fresh-sips".to_owned(),
        "period 2026-11".to_owned(),
        "kind regular".to_owned(),
        format!("opening {}", "02".repeat(32)),
        format!("seal {}", "07".repeat(32)),
        format!("seed {}", "05".repeat(32)),
        format!("root {}", "03".repeat(32)),
        format!("weightsHash {}", "04".repeat(32)),
        "totalParticipants 3".to_owned(),
        "totalEntries 6".to_owned(),
        format!("beacon {}", Chain::quicknet().chain_hash),
        "round 24000000".to_owned(),
        format!("signature {}", "09".repeat(48)),
        format!("randomness {randomness}"),
        "entryNumbers 4,1,6".to_owned(),
        "drawnAt 2026-12-01T17:00:04.000005Z".to_owned(),
        String::new(),
    ];
    assert_eq!(record.text(), lines.join("\n"));

    let details = record.drawn_details();
    let expected = format!(
        r#"{{"scheme":"tombola-drawing/1","landingPage":"fresh-sips","seal":"{}","root":"{}","totalEntries":6,"round":24000000,"signature":"{}","entryNumbers":[4,1,6]}}"#,
        "07".repeat(32),
        "03".repeat(32),
        "09".repeat(48),
    );
    assert_eq!(details.details(), expected);
    assert_eq!(DrawnDetails::from_details(&expected), Ok(details));

    let off = Record {
        facts: DrawFacts {
            beacon: BeaconValue::OFF,
            ..facts()
        },
        ..record
    };
    let text = format!(
        "beacon off\nround 0\nsignature -\nrandomness {}\n",
        "00".repeat(32)
    );
    assert!(off.text().contains(&text), "{}", off.text());
    assert!(
        off.drawn_details()
            .details()
            .contains(r#""round":0,"signature":null"#)
    );
}

#[test]
fn a_value_of_the_beacon_is_consistent_only_as_a_whole() {
    let value = quicknet(5, 1);
    assert!(value.is_consistent() && BeaconValue::OFF.is_consistent());
    let changes: [fn(&mut BeaconValue); 4] = [
        |value| {
            value.round = if value.round.is_some() {
                None
            } else {
                Round::new(1)
            }
        },
        |value| {
            value.signature = match value.signature {
                Some(_) => None,
                None => Some(BeaconSignature::new([2; 48])),
            }
        },
        |value| value.randomness = Hash::new([1; 32]),
        |value| {
            value.beacon = match value.beacon {
                BeaconChoice::Off => BeaconChoice::Chain(Chain::quicknet().chain_hash),
                BeaconChoice::Chain(_) => BeaconChoice::Off,
            }
        },
    ];
    for whole in [value, BeaconValue::OFF] {
        for change in changes {
            let mut changed = whole;
            change(&mut changed);
            assert!(!changed.is_consistent(), "{changed:?}");
        }
    }
}

#[test]
fn every_fact_is_in_the_key() {
    let changes: [fn(&mut DrawFacts); 8] = [
        |facts| facts.opening = Hash::ZERO,
        |facts| facts.seed = Seed::new([6; 32]),
        |facts| facts.root = Hash::ZERO,
        |facts| facts.weights_hash = Hash::ZERO,
        |facts| facts.participants += 1,
        |facts| facts.entries += 1,
        |facts| facts.beacon.round = Round::new(1),
        |facts| facts.beacon.randomness = Hash::ZERO,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let mut changed = facts();
        change(&mut changed);
        assert_ne!(changed.key(), facts().key(), "change {n}");
    }
}

/// The index of the entrant who holds an entry, when the entrants have these weights.
fn holder(weights: &[u64], entry: u64) -> u64 {
    let mut last = 0;
    let index = weights.iter().position(|weight| {
        last += weight;
        entry <= last
    });
    index.unwrap() as u64
}

proptest! {
    #[test]
    fn ranks_are_different_entrants_who_hold_their_entries(
        key: [u8; 32],
        weights in prop::collection::vec(1u64..9, 1..40),
    ) {
        let entries = NonZeroU64::new(weights.iter().sum()).unwrap();
        let count = weights.len() as u64;
        let drawn = ranks(&DrawKey::new(key), entries, count, |entry| {
            Ok::<_, Infallible>(holder(&weights, entry))
        }).unwrap();
        prop_assert_eq!(drawn.len(), weights.len().min(10));
        let indexes: BTreeSet<u64> = drawn.iter().map(|rank| rank.index).collect();
        prop_assert_eq!(indexes.len(), drawn.len());
        for (n, rank) in drawn.iter().enumerate() {
            prop_assert_eq!(rank.rank as usize, n);
            prop_assert!((1..=entries.get()).contains(&rank.entry_number));
            prop_assert_eq!(rank.index, holder(&weights, rank.entry_number));
        }
    }
}

/// One entrant has nearly all entries, so the other one is not found.
#[test]
fn the_search_for_alternates_ends() {
    let entries = NonZeroU64::new((1 << 53) - 1).unwrap();
    let mut asked = 0u32;
    let drawn = ranks(&DrawKey::new([1; 32]), entries, 2, |entry| {
        asked += 1;
        Ok::<_, Infallible>(u64::from(entry == entries.get()))
    })
    .unwrap();
    assert_eq!(drawn.len(), 1);
    assert!(asked <= MAX_OUTPUTS && asked > MAX_OUTPUTS - 1_000, "{asked}");
}

#[test]
fn a_holder_that_fails_ends_the_drawing() {
    let entries = NonZeroU64::new(6).unwrap();
    assert_eq!(
        ranks(&DrawKey::new([1; 32]), entries, 3, |_| Err("gone")),
        Err("gone")
    );
    let none = DrawFacts {
        entries: 0,
        ..facts()
    };
    assert_eq!(none.ranks(|_| Err("gone")), Ok(vec![]));
}
