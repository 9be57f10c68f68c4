use super::*;
use proptest::prelude::*;

/// Everything that today's raffle `garden-bag` says.
const GARDEN_BAG: &str = r#"{"name":"Garden Bag Essentials","title":"Win the Garden Bag Essentials","tagline":"A canvas bag, packed for a season of growing.","description":"One bag with the tools you reach for every day and the seeds to get started.","kit":[{"item":"Canvas tool bag","detail":"Waxed cotton, eight pockets, leather handles","valueInCents":3800},{"item":"Hand trowel","detail":"Forged steel with an ash handle","valueInCents":2400},{"item":"Hand fork","detail":"Three tines, made to match the trowel","valueInCents":2200},{"item":"Bypass pruners","detail":"For stems up to three quarters of an inch","valueInCents":3200},{"item":"Garden gloves","detail":"Leather palms, cotton backs, sizes S to XL","valueInCents":1800},{"item":"Seed box","detail":"Ten packets of vegetables, herbs and flowers","valueInCents":2400}],"totalValue":{"dollars":150,"orMore":true},"metaTitle":"Win the Garden Bag Essentials, free every month","metaDescription":"A free monthly raffle for a canvas bag of garden tools and seeds worth $150+. Enter with your phone number. No purchase required.","successTitle":"Garden Bag Success!","showsNextDrawing":false,"share":{"emailSubject":"Amazing Raffle - Win Premium Supplies!","emailBody":"Hi,\n\nI entered a free monthly raffle for the {PRIZE}: a canvas bag of garden tools and seeds worth {VALUE}. No purchase required.\n\nYou can enter here: {LINK}\n\nAll it takes is a phone number. If you enter through my link, I get an extra entry.","textBody":"I entered a free monthly raffle for a bag of garden tools and seeds worth $150+. Enter through my link and I get an extra entry: {LINK}"},"palette":"clay","picture":{"scene":"tool-bag","upload":null,"alt":""}}"#;

fn garden_bag() -> Content {
    Content::read(GARDEN_BAG).unwrap()
}

/// The garden bag after a change.
fn changed(change: impl FnOnce(&mut Content)) -> Content {
    let mut content = garden_bag();
    change(&mut content);
    content
}

/// The faults, each as `field: sentence`.
fn faults(content: &Content) -> Vec<String> {
    let faults = content.faults();
    let lines = faults
        .iter()
        .map(|found| format!("{}: {}", found.field, found.fault));
    lines.collect()
}

/// What is missing, likewise.
fn missing(content: &Content) -> Vec<String> {
    let gaps = content.missing();
    let lines = gaps.iter().map(|found| format!("{}: {}", found.field, found.gap));
    lines.collect()
}

fn part(value_in_cents: i64) -> KitItem {
    KitItem {
        item: "Pot".to_owned(),
        detail: "Clay".to_owned(),
        value_in_cents,
    }
}

#[test]
fn a_complete_content_has_no_faults_and_lacks_nothing() {
    assert_eq!(garden_bag().faults(), []);
    assert_eq!(garden_bag().missing(), []);
    assert_eq!(garden_bag().normalized(), garden_bag());
    assert_eq!(garden_bag().value_in_words(), "$150+");
    assert_eq!(garden_bag().kit_value_in_cents(), 15_800);
}

/// The hash is that of `sha256sum` of the text above.
#[test]
fn a_content_has_one_spelling_and_one_hash() {
    assert_eq!(garden_bag().bytes(), GARDEN_BAG);
    let spaced = GARDEN_BAG.replace("\":", "\" : ").replace(",\"", ",\n \"");
    assert_eq!(Content::read(&spaced).unwrap().bytes(), GARDEN_BAG);
    let hash = "b3de3bf778a517ea19520842ce293b443ea757429a56f919fa4c891ff39e6bd1";
    assert_eq!(hex::encode(garden_bag().hash()), hash);
    assert_ne!(
        changed(|it| it.shows_next_drawing = true).hash(),
        garden_bag().hash()
    );
}

#[test]
fn a_content_has_all_fields_and_no_others() {
    for (part, other) in [
        (r#""alt":"""#, r#""alt":"","x":1"#),
        (r#""name":"#, r#""names":"#),
        (r#","showsNextDrawing":false"#, ""),
        ("3800", "38.5"),
        ("150,", "150.0,"),
        ("clay", "garden-bag"),
        ("tool-bag", "bag"),
        (r#""upload":null"#, r#""upload":"00""#),
    ] {
        assert!(GARDEN_BAG.contains(part));
        assert!(
            Content::read(&GARDEN_BAG.replacen(part, other, 1)).is_err(),
            "{other}"
        );
    }
}

#[test]
fn a_draft_from_nothing_lacks_everything_and_is_kept() {
    let empty = Content::default();
    assert_eq!(empty.faults(), []);
    assert_eq!(
        missing(&empty),
        [
            "name: Required",
            "title: Required",
            "tagline: Required",
            "description: Required",
            "metaTitle: Required",
            "metaDescription: Required",
            "successTitle: Required",
            "share.emailSubject: Required",
            "share.emailBody: Required",
            "share.textBody: Required",
            "kit: Required",
            "totalValue: Required",
        ]
    );
    assert_eq!(Content::read(&empty.bytes()).unwrap(), empty);
}

#[test]
fn parts_links_and_the_text_of_an_upload_may_be_missing() {
    let content = changed(|it| {
        it.kit = vec![part(20_000), KitItem::default()];
        it.share.email_body = "Enter here: {link}".to_owned();
        it.share.text_body = "Enter".to_owned();
        it.picture.upload = Some(PictureHash::of(b"picture"));
    });
    assert_eq!(
        missing(&content),
        [
            "kit[1].item: Required",
            "kit[1].detail: Required",
            "share.emailBody: Must hold {LINK}",
            "share.textBody: Must hold {LINK}",
            "picture.alt: Required",
            "kit[1].valueInCents: Required",
        ]
    );
    assert_eq!(content.faults(), []);
}

type Text = fn(&mut Content) -> &mut String;

/// All texts: the path, the most characters, and the text.
const TEXTS: [(&str, &str, Text); 13] = [
    ("name", "60", |it| &mut it.name),
    ("title", "80", |it| &mut it.title),
    ("tagline", "120", |it| &mut it.tagline),
    ("description", "600", |it| &mut it.description),
    ("kit[5].item", "60", |it| &mut it.kit[5].item),
    ("kit[5].detail", "120", |it| &mut it.kit[5].detail),
    ("metaTitle", "70", |it| &mut it.meta_title),
    ("metaDescription", "170", |it| &mut it.meta_description),
    ("successTitle", "60", |it| &mut it.success_title),
    ("share.emailSubject", "120", |it| &mut it.share.email_subject),
    ("share.emailBody", "1,500", |it| &mut it.share.email_body),
    ("share.textBody", "320", |it| &mut it.share.text_body),
    ("picture.alt", "160", |it| &mut it.picture.alt),
];

/// The faults after a text is another.
fn faults_of(text: Text, value: &str) -> Vec<String> {
    faults(&changed(|it| value.clone_into(text(it))))
}

#[test]
fn each_text_has_its_limit_in_characters() {
    for (path, most, text) in TEXTS {
        let chars = most.replace(',', "").parse().unwrap();
        assert!(faults_of(text, &"🌱".repeat(chars)).is_empty(), "{path}");
        let too_long = [format!("{path}: At most {most} characters")];
        assert_eq!(faults_of(text, &"é".repeat(chars + 1)), too_long);
    }
}

#[test]
fn two_texts_have_line_breaks_and_names_no_web_address() {
    for (path, _, text) in TEXTS {
        let has_lines = ["description", "share.emailBody"].contains(&path);
        let is_name = ["name", "kit[5].item", "kit[5].detail", "successTitle"].contains(&path);
        let expected = |is_wrong: bool, sentence: &str| -> Vec<String> {
            is_wrong
                .then(|| format!("{path}: {sentence}"))
                .into_iter()
                .collect()
        };
        assert_eq!(
            faults_of(text, "a\nb"),
            expected(!has_lines, "Must not hold line breaks")
        );
        assert_eq!(
            faults_of(text, "x.com"),
            expected(is_name, "Must not hold a web address")
        );
    }
}

#[test]
fn no_text_has_a_phone_number_an_invisible_character_or_another_amount() {
    for (path, _, text) in TEXTS {
        let value = "555 123-4567, \u{200b}$160, USD 38, $149.99, $160 or $150";
        let amount = |amount| {
            format!("{path}: The amount {amount} is neither the total value nor the value of a part")
        };
        let expected = [
            format!("{path}: Must not hold invisible characters"),
            format!("{path}: Must not hold a phone number"),
            amount("$160"),
            amount("$149.99"),
        ];
        assert_eq!(faults_of(text, value), expected);
        assert_eq!(faults_of(text, "$160 for $38"), [amount("$160")]);
        assert_eq!(faults_of(text, "555 123 4567"), expected[1..2]);
    }
}

#[test]
fn placeholders_are_filled_in_only_in_the_mail_and_in_the_message() {
    for (path, _, text) in TEXTS {
        let found = faults_of(text, "{LINK} {FOO} {LINK}");
        let unknown = format!("{path}: Unknown placeholder {{FOO}}");
        match path {
            "share.emailBody" | "share.textBody" => assert_eq!(found, [unknown]),
            "share.emailSubject" => {
                let misplaced = "share.emailSubject: {LINK} is filled in only in the mail and in the message";
                assert_eq!(found, [misplaced.to_owned(), unknown]);
            }
            _ => assert!(found.is_empty(), "{path}"),
        }
    }
}

#[test]
fn the_parts_of_what_is_published_are_worth_the_total() {
    let of_kit = |values: &[i64]| {
        missing(&changed(|it| {
            it.kit = values.iter().map(|value| part(*value)).collect()
        }))
    };
    let less = "totalValue: The parts are worth less than the total value";
    assert_eq!(of_kit(&[14_999]), [less]);
    assert_eq!(of_kit(&[14_999, 1]), [""; 0]);
    assert_eq!(of_kit(&[]), ["kit: Required"]);
}

#[test]
fn a_kit_has_up_to_20_parts_that_are_worth_the_total_and_at_most_5000_dollars() {
    let of_kit = |values: &[i64], dollars: i64| {
        let mut content = Content {
            kit: values.iter().map(|value| part(*value)).collect(),
            ..Content::default()
        };
        content.total_value.dollars = dollars;
        faults(&content)
    };
    let more = "kit: The parts are worth more than $5,000, which some states want registered";
    assert_eq!(of_kit(&[100; 20], 20), [""; 0]);
    assert_eq!(of_kit(&[100; 21], 20), ["kit: At most 20 parts"]);
    assert_eq!(of_kit(&[14_999], 150), [""; 0], "a draft is not finished");
    assert_eq!(of_kit(&[], 150), [""; 0]);
    assert_eq!(of_kit(&[500_000], 5_000), [""; 0]);
    assert_eq!(of_kit(&[500_000, 1], 5_000), [more]);
    assert_eq!(of_kit(&[i64::MAX, i64::MAX], 5_000), [more]);
    assert_eq!(of_kit(&[], 5_001), ["totalValue: At most $5,000"]);
    assert_eq!(of_kit(&[1], i64::MAX), ["totalValue: At most $5,000"]);
    assert_eq!(of_kit(&[1, -1], 0), ["kit[1].valueInCents: Must not be negative"]);
    assert_eq!(of_kit(&[], -1), ["totalValue: Must not be negative"]);
}

#[test]
fn a_value_is_said_in_dollars() {
    for (dollars, or_more, words) in [
        (150, true, "$150+"),
        (1_250, false, "$1,250"),
        (5_000, true, "$5,000+"),
        (0, false, "$0"),
        (1_234_567, false, "$1,234,567"),
    ] {
        let content = changed(|it| it.total_value = TotalValue { dollars, or_more });
        assert_eq!(content.value_in_words(), words);
    }
}

#[test]
fn a_part_says_its_cents_only_where_it_has_some() {
    for (value_in_cents, words) in [
        (3_800, "$38"),
        (1_250, "$12.50"),
        (125_005, "$1,250.05"),
        (0, "$0"),
        (-1, "$0"),
    ] {
        let part = KitItem {
            value_in_cents,
            ..KitItem::default()
        };
        assert_eq!(part.value_in_words(), words);
    }
}

#[test]
fn a_prize_is_its_name_parts_and_value() {
    let same = changed(|it| it.title.clear());
    assert!(same.has_same_prize(&garden_bag()));
    for other in [
        changed(|it| it.name.push('!')),
        changed(|it| it.kit[0].value_in_cents += 1),
        changed(|it| it.total_value.or_more = false),
    ] {
        assert!(!other.has_same_prize(&garden_bag()));
    }
}

#[test]
fn texts_are_normalized() {
    let content = changed(|it| {
        it.name = " Cafe\u{301} ".to_owned();
        it.kit[5].detail = "\tSeeds ".to_owned();
        it.share.email_body = "Hi\r\n{LINK}\rBye\n".to_owned();
    });
    let content = content.normalized();
    assert_eq!(content.name, "Caf\u{e9}");
    assert_eq!(content.kit[5].detail, "Seeds");
    assert_eq!(content.share.email_body, "Hi\n{LINK}\nBye");
}

proptest! {
    #[test]
    fn normalizing_twice_is_normalizing_once(texts in prop::collection::vec(r"(?s).{0,9}[ \r\n\u{301}\u{2001}]{0,4}", 13)) {
        let content = changed(|it| {
            for (text, (_, _, field)) in texts.into_iter().zip(TEXTS) {
                *field(it) = text;
            }
        });
        let once = content.normalized();
        prop_assert_eq!(once.clone().normalized(), once.clone());
        prop_assert_eq!(Content::read(&once.bytes()).unwrap(), once);
    }

    #[test]
    fn plain_words_have_no_faults(
        texts in prop::collection::vec("[a-zA-Zéß漢🌱 ,;:!?'’&%+-]{1,60}", 13),
        values in prop::collection::vec(0..=25_000i64, 6..=20),
    ) {
        let content = changed(|it| {
            it.total_value.dollars = values.iter().sum::<i64>() / 100;
            it.kit = values.into_iter().map(part).collect();
            for (text, (_, _, field)) in texts.into_iter().zip(TEXTS) {
                *field(it) = text;
            }
        });
        prop_assert_eq!(content.normalized().faults(), []);
    }
}

#[test]
fn what_changed_is_said_by_field() {
    let after = changed(|it| {
        it.title = "Another".to_owned();
        it.kit.pop();
        it.share.text_body.push('!');
        it.picture.scene = Scene::GiftBox;
    });
    let mut fields = after.changes_since(&garden_bag());
    fields.sort_unstable();
    assert_eq!(fields, ["kit", "picture.scene", "share.textBody", "title"]);
    assert_eq!(garden_bag().changes_since(&garden_bag()), [""; 0]);
}
