//! Filling templates with the words of raffles.

use super::*;
use fakes::MemStore;
use proptest::prelude::*;
use raffle::{Content, KitItem};
use serde_json::Value as Json;
use usecases::raffles::{ShownRaffle, shown};

/// As the build writes a page for signing up, with a place of each kind.
const SIGN_UP: &[u8] = br#"<!doctype html><html data-palette="{{ raffle.palette }}" data-raffle="{{ raffle.key }}"><head><!--head--></head><body><div id="root"><h1>{{ raffle.title }}</h1><div class="scene">{{ raffle.scene }}</div><p>{{ raffle.tagline }}</p><p>{{ raffle.description }}</p><dd>{{ raffle.value }}</dd>{% if raffle.showsNextDrawing %}<p>Next Drawing</p>{% else %}<p>Drawn monthly</p>{% endif %}<ul>{% for part in raffle.parts %}<li><b>{{ part.item }}</b><i>{{ part.detail }}</i><span>{{ part.value }}</span></li>{% endfor %}</ul><a href="mailto:?subject={{ raffle.emailSubject|encoded }}&amp;body={{ raffle.emailBody|encoded }}">Email</a></div><script type="application/json" id="raffle">{{ raffle.json }}</script></body></html>"#;
const OTHER: &[u8] = b"<html><head><!--head--></head><body></body></html>";
const PAGES: &[u8] = br#"{
    "pages": [
        {"route": "/{raffle}", "of": "raffle", "file": "sign-up.html", "title": "{{ raffle.metaTitle }}", "description": "{{ raffle.metaDescription }}", "index": true, "sources": "payments"},
        {"route": "/privacy", "file": "other.html", "title": "Privacy", "description": "", "index": true, "sources": "ads"}
    ],
    "notFound": {"file": "other.html", "title": "404", "description": "", "index": false, "sources": "own"},
    "csp": {"script": [], "style": []},
    "scenes": {"tool-bag": {"svg": "<svg></svg>", "image": "/assets/og.png"}},
    "early": {"origin": "https://early", "code": "CODE", "nextDrawing": "soon"}
}"#;

fn client() -> Client {
    let files: [(_, &'static [u8]); 3] = [
        ("pages.json", PAGES),
        ("sign-up.html", SIGN_UP),
        ("other.html", OTHER),
    ];
    let settings = ClientSettings {
        origin: "https://example.org".to_owned(),
        time_zone: Tz::UTC,
        site: SiteIdentity {
            name: "Bees".to_owned(),
            contact_email: None,
            sponsor_name: None,
            sponsor_address: None,
        },
        visitor_cookie: "visitor",
        retention_days: "90".to_owned(),
        ads_pixel: None,
        stand_in: None,
        inbox: None,
        phone_verification: false,
    };
    Client::load(&BuiltClient::embedded(files), &settings).unwrap()
}

fn four() -> ShownRaffles {
    shown(&MemStore::default(), DateTime::UNIX_EPOCH).unwrap()
}

/// The sign-up page of the first raffle with another content.
fn page_with(client: &Client, content: Content) -> String {
    let mut raffles = four();
    raffles.raffles.truncate(1);
    raffles.raffles[0].content = content;
    client.start_showing(raffles).unwrap();
    let pages = client.pages();
    let key = four().raffles[0].key;
    let page = pages.named("/{raffle}", Some(key)).unwrap();
    String::from_utf8(page.html.plain().to_vec()).unwrap()
}

fn unescaped(html: &str) -> String {
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
}

fn decoded(encoded: &str) -> String {
    url::form_urlencoded::parse(format!("a={encoded}").as_bytes())
        .map(|(_, value)| value.into_owned())
        .collect()
}

/// What would do harm if it were not escaped, and what is hard to show.
fn any_text() -> impl Strategy<Value = String> {
    let harm = prop_oneof![
        Just("\"'>".to_owned()),
        Just("</script><script>alert(1)</script>".to_owned()),
        Just("<!--head-->".to_owned()),
        Just("{{ raffle.key }}{% if %}{# a #}".to_owned()),
        Just("&amp;%SITE_NAME%".to_owned()),
        Just("{PRIZE} {LINK} {OTHER}".to_owned()),
        Just("🎁👩‍🌾".to_owned()),
        Just("\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{627}\u{644}\u{633}\u{644}\u{627}\u{645}".to_owned()),
        Just("w".repeat(60)),
        "\\PC{0,20}",
        Just("\n".to_owned()),
    ];
    proptest::collection::vec(harm, 1..4).prop_map(|parts| parts.concat())
}

prop_compose! {
    fn any_content()(
        texts in proptest::collection::vec(any_text(), 9),
        parts in proptest::collection::vec((any_text(), any_text(), 0..100_000_i64), 2),
        shows_next_drawing: bool,
    ) -> Content {
        let mut texts = texts.into_iter();
        let mut text = || texts.next().unwrap_or_default();
        let mut content = Content {
            name: text(),
            title: text(),
            tagline: text(),
            description: text(),
            meta_title: text(),
            meta_description: text(),
            shows_next_drawing,
            ..Content::default()
        };
        content.share.email_subject = text();
        content.share.email_body = text();
        let part = |(item, detail, value_in_cents)| KitItem { item, detail, value_in_cents };
        content.kit = parts.into_iter().map(part).collect();
        content
    }
}

proptest! {
    #[test]
    fn any_words_are_shown_as_they_are_and_are_never_html(content in any_content()) {
        let client = client();
        let harmless = Content {
            kit: vec![KitItem::default(); content.kit.len()],
            ..Content::default()
        };
        let html = page_with(&client, content.clone());
        let (before_json, after) = html.split_once("id=\"raffle\">").unwrap();
        let text = unescaped(before_json);
        let shown = [&content.title, &content.tagline, &content.description, &content.meta_title, &content.meta_description];
        let of_parts = content.kit.iter().flat_map(|part| [&part.item, &part.detail]);
        for value in shown.into_iter().chain(of_parts) {
            prop_assert!(text.contains(value), "{value:?} in {text}");
        }
        prop_assert_eq!(text.contains("Next Drawing"), content.shows_next_drawing);
        let tags = |html: &str| html.matches('<').count();
        prop_assert_eq!(tags(&html), tags(&page_with(&client, harmless)));

        let (_, mail) = before_json.split_once("?subject=").unwrap();
        let (mail, _) = mail.split_once('"').unwrap();
        let (subject, _) = mail.split_once("&amp;body=").unwrap();
        prop_assert_eq!(decoded(&unescaped(subject)), content.share.email_subject.as_str());

        let (json, _) = after.split_once("</script>").unwrap();
        let mut json: Json = serde_json::from_str(json).unwrap();
        let fields = json.as_object_mut().unwrap();
        for extra in [
            "key",
            "shareHeading",
            "masksNumbers",
            "waitsForUser",
            "isOpen",
            "openRaffles",
        ] {
            prop_assert!(fields.remove(extra).is_some(), "{extra}");
        }
        prop_assert_eq!(Content::read(&json.to_string()).unwrap(), content);
    }
}

#[test]
fn what_people_share_has_the_places_that_the_browser_fills() {
    let mut content = four().raffles[0].content.clone();
    content.share.email_body = "{PRIZE} for {VALUE}\n{LINK} ({NEXT_DRAWING})".to_owned();
    let html = page_with(&client(), content);
    let body = "body=Garden%20Bag%20Essentials%20for%20%24150%2B%0D%0A\
                https%3A%2F%2Fearly%2Fgarden-bag%2Fref%2FCODE%20(soon)\"";
    assert!(html.contains(body), "{html}");
}

/// The pages, each with its place in memory.
fn places(client: &Client) -> HashMap<PageName, usize> {
    let pages = client.pages();
    let places = pages.by_name.iter();
    places
        .map(|(name, page)| (name.clone(), Arc::as_ptr(page).addr()))
        .collect()
}

/// How many pages are so.
fn count(client: &Client, is_so: impl Fn(&Variants) -> bool) -> usize {
    let pages = client.pages();
    pages.by_name.values().filter(|page| is_so(&page.html)).count()
}

#[test]
fn a_change_is_shown_before_all_other_pages_are_compressed() {
    let client = client();
    client.start_showing(four()).unwrap();
    assert_eq!(count(&client, Variants::is_compressed), 0);
    let mut raffles = four();
    raffles.raffles[1].content.title = "Sip".to_owned();
    client.show(raffles);
    assert_eq!(count(&client, Variants::is_compressed), 1, "the one that changed");
}

#[test]
fn pages_of_the_first_raffles_that_are_open_are_compressed_best() {
    let client = client();
    let mut raffles = four();
    let one = raffles.raffles[0].clone();
    raffles.raffles = (0..200)
        .map(|n| ShownRaffle {
            key: format!("made-{n}").parse().unwrap(),
            is_open: n > 0,
            ..one.clone()
        })
        .collect();
    client.start_showing(raffles).unwrap();
    client.compress_pages(|| false);
    assert_eq!(count(&client, Variants::is_compressed), 0, "it was told to end");
    client.compress_pages(|| true);
    assert_eq!(count(&client, |html| !html.is_compressed()), 0);
    assert_eq!(count(&client, Variants::is_compressed_best), COMPRESSED_BEST);
    let pages = client.pages();
    let is_best = |n: usize| {
        let key = format!("made-{n}").parse().unwrap();
        pages
            .named("/{raffle}", Some(key))
            .unwrap()
            .html
            .is_compressed_best()
    };
    assert_eq!(
        [0, 1, 199].map(is_best),
        [false, true, false],
        "the first has ended"
    );
}

#[test]
fn a_page_that_stays_as_it_is_is_not_made_again() {
    let client = client();
    client.show(four());
    let all = client.pages();
    client.show(four());
    client.name_last_winner(None);
    assert!(Arc::ptr_eq(&all, &client.pages()), "nothing was done");
    let before = places(&client);
    let mut raffles = four();
    raffles.raffles[1].content.title = "Sip".to_owned();
    client.show(raffles);
    let after = places(&client);
    let changed: Vec<_> = after
        .iter()
        .filter(|(name, place)| before[*name] != **place)
        .collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
}
