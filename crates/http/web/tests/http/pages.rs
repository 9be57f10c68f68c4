//! The prerendered pages and their files.

use crate::support::{app_state, get, send, send_all, site};
use actix_web::test::TestRequest;
use chrono::DateTime;
use claims::PublicWinner;
use drawing::DrawingId;
use fakes::{FakePictures, MemStore};
use kernel::{StoreError, UnitOfWork};
use raffle::fixtures::GARDEN_BAG;
use raffle::pictures::{MadePicture, PictureMaker, Pictures, UNNAMED_LIFE};
use raffle::{Content, KitItem, PageDifferences, Palette, Picture, Raffle, RaffleKey, Scene};
use std::path::Path;
use usecases::claims::LastWinner;
use usecases::raffles::{ShownRaffle, ShownRaffles, shown};
use web::{
    AppState, BuiltClient, Client, ClientError, ClientSettings, HeaderSettings, SecurityHeaders, SiteIdentity,
};

const PAGES: &str = r#"{
    "pages": [
        {"route": "/", "of": "default", "file": "pages/home.html", "title": "Home", "description": "Win", "canonical": "/", "index": true, "sources": "payments"},
        {"route": "/{raffle}", "of": "raffle", "file": "pages/raffle.html", "title": "{{ raffle.metaTitle }}", "description": "{{ raffle.metaDescription }}",
         "canonical": "/{{ raffle.key }}", "image": "{{ raffle.image }}", "index": true, "sources": "payments"},
        {"route": "/{raffle}/ref/{code}", "of": "raffle", "file": "pages/raffle.html", "title": "{{ raffle.metaTitle }}", "description": "Win",
         "canonical": "/{{ raffle.key }}", "index": true, "sources": "payments"},
        {"route": "/welcome", "file": "pages/welcome.html", "title": "{{ count }}", "description": "All", "index": true, "sources": "ads"},
        {"route": "/terms", "file": "pages/terms.html", "title": "Rules | %SITE_NAME%", "description": "The rules of %SITE_NAME%", "index": true, "sources": "own"},
        {"route": "/contact", "file": "pages/contact.html", "title": "Contact", "description": "Contact", "index": true, "sources": "own"},
        {"route": "/privacy", "file": "pages/privacy.html", "title": "Privacy", "description": "Privacy", "index": true, "sources": "ads"},
        {"route": "/success/{userId}", "of": "default", "file": "pages/home.html", "title": "In", "description": "In", "index": false, "sources": "payments"},
        {"route": "/planter/{trackingId}", "of": "link", "file": "pages/planter.html", "title": "{{ raffle.package.name }}", "description": "Win",
         "index": false, "sources": "ads"}
    ],
    "notFound": {"file": "pages/404.html", "title": "404 Page Not Found", "description": "Nothing", "index": false, "sources": "own"},
    "csp": {"script": ["sha256-boot"], "style": ["sha256-page"]},
    "scenes": {"tool-bag": {"svg": "<svg>bag</svg>", "image": "/assets/og-bag.0a.png"}, "gift-box": {"svg": "<svg>box</svg>", "image": "/assets/og.0a.png"}},
    "early": {"origin": "https://early", "code": "CODE", "nextDrawing": "soon"}
}"#;

/// Templates, by name. Their values stand between signs that the tests look for.
const TEMPLATES: [(&str, &str); 5] = [
    ("home", "home"),
    ("raffle", "{{ raffle.key }}"),
    (
        "welcome",
        "{% for raffle in raffles %}<a href=\"/{{ raffle.key }}\">{{ raffle.name }}, {{ raffle.value }}</a>{% endfor %}",
    ),
    (
        "planter",
        "{{ raffle.key }} {{ raffle.trackingName }} {% if raffle.package.day %}{{ raffle.package.date }}{% else %}next{% endif %}",
    ),
    ("404", "404"),
];

const TEXTS_WITH_TOKENS: [(&str, &str); 3] = [
    (
        "terms",
        "<p>%SITE_NAME%: drawn on the 1st (%SITE_TIME_ZONE%) by %SPONSOR_NAME%, %SPONSOR_ADDRESS%</p>",
    ),
    (
        "contact",
        "<a href=\"mailto:%CONTACT_EMAIL%\">%CONTACT_EMAIL%</a>",
    ),
    (
        "privacy",
        "<code>%VISITOR_COOKIE%</code>, %RETENTION_DAYS% days, 100%",
    ),
];

fn write(folder: &Path, name: &str, content: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn built_client() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "pages.json", PAGES.as_bytes());
    for (page, text) in TEMPLATES.into_iter().chain(TEXTS_WITH_TOKENS) {
        let html = format!("<html><head><!--head--></head><body>{text}</body></html>");
        write(folder.path(), &format!("pages/{page}.html"), html.as_bytes());
    }
    write(folder.path(), "assets/site.0a.js", b"plain();");
    write(folder.path(), "assets/site.0a.js.br", b"brotli");
    write(folder.path(), "assets/site.0a.js.gz", b"gzip");
    write(folder.path(), "push-worker.js", b"show();");
    write(folder.path(), "robots.txt", b"User-agent: *");
    write(folder.path(), "site.webmanifest", br#"{"name": "%SITE_NAME%"}"#);
    folder
}

fn settings() -> ClientSettings {
    ClientSettings {
        origin: "https://example.org".to_owned(),
        time_zone: chrono_tz::America::New_York,
        site: site(),
        visitor_cookie: "__Host-visitor",
        retention_days: "90".to_owned(),
        ads_pixel: None,
        stand_in: None,
        inbox: None,
        phone_verification: false,
    }
}

fn load_client(folder: &Path, settings: &ClientSettings) -> Result<Client, ClientError> {
    Client::load(&BuiltClient::read(folder)?, settings)
}

fn state(folder: &Path) -> AppState {
    let client = load_client(folder, &settings()).unwrap();
    client.start_showing(four()).unwrap();
    AppState {
        client,
        ..app_state()
    }
}

/// The first four raffles, as they are in their first versions.
fn four() -> ShownRaffles {
    shown(&MemStore::default(), DateTime::UNIX_EPOCH).unwrap()
}

async fn send_to_built_client(requests: Vec<TestRequest>) -> Vec<crate::support::Response> {
    let folder = built_client();
    send_all(&MemStore::default(), state(folder.path()), requests).await
}

#[actix_web::test]
async fn a_path_gets_the_page_of_its_route() {
    let cases = [
        ("/", 200, "home"),
        ("/garden-bag", 200, "garden-bag"),
        ("/garden-bag/ref/CDFG3467", 200, "garden-bag"),
        ("/garden-bag?utm_source=text", 200, "garden-bag"),
        ("/success/7", 200, "home"),
        ("/success/seven", 404, "404"),
        ("/garden-bag/ref/", 404, "404"),
        ("/garden-bag/ref/a/b", 404, "404"),
        ("/garden", 404, "404"),
        ("/pages/home.html", 404, "404"),
        ("/pages.json", 404, "404"),
        ("/assets/../pages.json", 404, "404"),
        ("/assets/%2e%2e/pages.json", 404, "404"),
        ("/assets/site.0a.js.br", 404, "404"),
    ];
    let responses = send_to_built_client(cases.iter().map(|(path, ..)| get(path)).collect()).await;
    for ((path, status, page), response) in cases.iter().zip(responses) {
        assert_eq!(response.status.as_u16(), *status, "{path}");
        assert!(
            String::from_utf8_lossy(&response.bytes).contains(&format!("<body>{page}</body>")),
            "{path}"
        );
        assert_eq!(response.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(response.header("cache-control"), "no-cache");
    }
}

#[actix_web::test]
async fn a_page_may_load_only_what_its_entry_needs() {
    let folder = built_client();
    let state = AppState {
        headers: SecurityHeaders::new(&HeaderSettings {
            stripe: true,
            ads_pixel: true,
            ..HeaderSettings::default()
        }),
        ..state(folder.path())
    };
    let (nothing, ads, payments) = ((false, false), (false, true), (true, true));
    let cases = [
        ("/", payments),
        ("/garden-bag/ref/CDFG3467", payments),
        ("/success/7", payments),
        ("/privacy", ads),
        ("/planter/gb-1a2b3c", ads),
        ("/terms", nothing),
        ("/success/seven", nothing),
        ("/garden-bag/", nothing),
        ("/assets/site.0a.js", nothing),
        ("/robots.txt", nothing),
        ("/api/drawings", nothing),
        ("/api/none", nothing),
    ];
    let requests = cases.iter().map(|(path, _)| get(path)).collect();
    let responses = send_all(&MemStore::default(), state, requests).await;
    for ((path, sources), response) in cases.iter().zip(responses) {
        let policy = response.header("content-security-policy");
        let found = (policy.contains("stripe.com"), policy.contains("facebook"));
        assert_eq!(found, *sources, "{path}: {policy}");
    }
}

#[actix_web::test]
async fn the_words_in_a_tracking_id_choose_the_raffle() {
    let (long, long_kitchen) = ("k".repeat(3000), "k".repeat(3000) + "kitchen");
    let (garden, kitchen) = (
        "garden-bag planter-garden December 31st",
        "kitchen-garden planter-kitchen-garden February 14th",
    );
    let cases = [
        ("garden-2b4c6d8f9g2h", garden),
        ("kitchen-2b4c6d8f9g2h", kitchen),
        ("my_kitchen_2b4c", kitchen),
        ("kitchen-garden-2b4c", garden),
        ("2b4c6d8f9g2h", garden),
        ("kitchen-2b4c?utm_source=text", kitchen),
        (&long, garden),
        (&long_kitchen, kitchen),
        ("my%20kitchen", kitchen),
        ("k%C3%BCche", garden),
        ("%3Cscript%3E%00", garden),
        ("..%2F..%2Fpages.json", garden),
        ("..", garden),
        ("", "404"),
        ("kitchen/2b4c", "404"),
    ];
    let requests = cases.iter().map(|(id, _)| get(&format!("/planter/{id}")));
    let responses = send_to_built_client(requests.collect()).await;
    for ((id, page), response) in cases.iter().zip(responses) {
        let html = String::from_utf8_lossy(&response.bytes);
        assert!(html.contains(&format!("<body>{page}</body>")), "{id}: {html}");
        assert_eq!(response.status, if *page == "404" { 404 } else { 200 }, "{id}");
        assert!(html.contains("noindex"), "{id}");
    }
}

/// The text of the body at a path, or the address that it redirects to.
async fn seen(state: AppState, path: &str) -> String {
    let answer = send_all(&MemStore::default(), state, vec![get(path)])
        .await
        .remove(0);
    let html = String::from_utf8(answer.bytes.to_vec()).unwrap();
    let body = html
        .split_once("<body>")
        .map(|(_, body)| body.replace("</body></html>", ""));
    body.unwrap_or_else(|| answer.header("location").to_owned())
}

/// A raffle made in the console has no row of its own in any table but those of raffles.
fn a_fifth() -> (Raffle, ShownRaffle) {
    let key = RaffleKey::new("2026-box").unwrap();
    let raffle = Raffle {
        number: 5,
        key,
        is_default: false,
        link_prefix: None,
        link_words: Vec::new(),
        tracking_name: None,
        ..four().list.0[0].clone()
    };
    let shown = ShownRaffle {
        key,
        is_open: true,
        tracking_name: raffle.tracking_name(),
        content: Content {
            name: "Box".to_owned(),
            meta_title: "Win the <Box>".to_owned(),
            palette: Palette::Plum,
            picture: Picture {
                scene: Scene::GiftBox,
                ..Picture::default()
            },
            ..Content::default()
        },
        picture: None,
        differences: PageDifferences::default(),
    };
    (raffle, shown)
}

#[actix_web::test]
async fn a_raffle_that_is_data_has_pages_of_its_own_and_a_change_of_its_words_shows() {
    let folder = built_client();
    let body = "{{ raffle.palette }} {{ raffle.scene }} {% for part in raffle.parts %}{{ part.item }} {{ part.value }} {% endfor %}";
    let html = format!("<html><head><!--head--></head><body>{body}</body></html>");
    write(folder.path(), "pages/raffle.html", html.as_bytes());
    let (raffle, mut fifth) = a_fifth();
    let with = |fifth: &ShownRaffle| {
        let mut raffles = four();
        raffles.list.0.push(raffle.clone());
        raffles.raffles.push(fifth.clone());
        let state = state(folder.path());
        state.client.show(raffles);
        state
    };
    assert_eq!(seen(with(&fifth), "/2026-box").await, "plum <svg>box</svg> ");
    assert_eq!(seen(with(&fifth), "/2026-Box/").await, "/2026-box");
    let page = send_all(&MemStore::default(), with(&fifth), vec![get("/2026-box")])
        .await
        .remove(0);
    let html = String::from_utf8(page.bytes.to_vec()).unwrap();
    for part in [
        "<title>Win the &lt;Box&gt;</title>",
        "<link rel=\"canonical\" href=\"https://example.org/2026-box\">",
        "<meta property=\"og:image\" content=\"https://example.org/assets/og.0a.png\">",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert_eq!(
        seen(with(&fifth), "/planter/r5-2b4c").await,
        "2026-box planter-2026-box next"
    );
    fifth.content.kit = vec![KitItem {
        item: "Ribbon & \"bow\"".to_owned(),
        value_in_cents: 125_050,
        ..KitItem::default()
    }];
    let changed = "plum <svg>box</svg> Ribbon &amp; &quot;bow&quot; $1,250.50 ";
    assert_eq!(seen(with(&fifth), "/2026-box").await, changed);
    let names = seen(with(&fifth), "/welcome").await;
    assert!(names.ends_with("<a href=\"/2026-box\">Box, $0</a>"), "{names}");
    fifth.is_open = false;
    assert!(!seen(with(&fifth), "/welcome").await.contains("2026-box"));
    assert_eq!(seen(with(&fifth), "/2026-box").await, changed, "its pages stay");
}

/// The renditions of any picture.
fn a_picture() -> MadePicture {
    FakePictures.make(b"\xff\xd8\xff").unwrap()
}

#[actix_web::test]
async fn an_uploaded_picture_stands_in_the_place_of_the_scene() {
    let folder = built_client();
    let body = "{{ raffle.scene }}{{ raffle.offerScene }}";
    let html = format!("<html><head><!--head--></head><body>{body}</body></html>");
    write(folder.path(), "pages/raffle.html", html.as_bytes());
    let (raffle, mut fifth) = a_fifth();
    let picture = a_picture().summary();
    fifth.picture = Some(picture);
    fifth.content.picture.alt = "A \"red\" box & a <bow>".to_owned();
    let mut raffles = four();
    raffles.list.0.push(raffle);
    raffles.raffles.push(fifth);
    let state = state(folder.path());
    state.client.show(raffles);
    let page = send_all(&MemStore::default(), state, vec![get("/2026-box")])
        .await
        .remove(0);
    let html = String::from_utf8(page.bytes.to_vec()).unwrap();
    let [large, medium, small] = picture.pages.map(|made| format!("/media/{}", made.hash));
    let img = |phone| {
        format!(
            "<img src=\"{medium}\" srcset=\"{large} 1440w, {medium} 960w, {small} 480w\" \
             sizes=\"(min-width: 1024px) 400px, {phone}\" width=\"1440\" height=\"900\" \
             alt=\"A &quot;red&quot; box &amp; a &lt;bow&gt;\" fetchpriority=\"high\" decoding=\"async\">"
        )
    };
    let page = img("(min-width: 600px) 320px, 256px");
    let offer = img("(min-width: 600px) 256px, 128px");
    assert!(html.contains(&format!("<body>{page}{offer}</body>")), "{html}");
    let preview = format!(
        "<meta property=\"og:image\" content=\"https://example.org/media/{}\">\
         <meta property=\"og:image:width\" content=\"1200\"><meta property=\"og:image:height\" content=\"630\">",
        picture.link_preview.hash
    );
    assert!(html.contains(&preview), "{html}");
}

/// Pages ask the store which pictures there are, so those that were withdrawn are no more.
#[test]
fn a_picture_is_shown_until_it_is_withdrawn() {
    let store = MemStore::default();
    let picture = a_picture();
    let hash = picture.summary().hash();
    store.change_content(GARDEN_BAG, |content| content.picture.upload = Some(hash));
    let shown = || {
        usecases::raffles::shown(&store, DateTime::UNIX_EPOCH)
            .unwrap()
            .raffles[0]
            .picture
    };
    assert_eq!(shown(), None, "it is not there");
    store
        .transaction::<_, StoreError>(|tx| tx.add_picture(&picture, DateTime::UNIX_EPOCH))
        .unwrap();
    assert_eq!(shown(), Some(picture.summary()));
    let much_later = DateTime::UNIX_EPOCH + UNNAMED_LIFE * 2;
    let deleted = store.transaction::<_, StoreError>(|tx| tx.delete_unnamed_pictures(much_later));
    assert_eq!(deleted.unwrap(), 0, "a version names it");
    store
        .transaction::<_, StoreError>(|tx| tx.withdraw_picture(hash, DateTime::UNIX_EPOCH))
        .unwrap();
    assert_eq!(shown(), None);
}

#[actix_web::test]
async fn the_pages_of_a_raffle_that_has_ended_lead_to_the_open_ones_in_html_and_in_json() {
    let folder = built_client();
    let body = "{% if raffle.isOpen %}Enter{% else %}Ended: {% for raffle in raffles %}{{ raffle.key }} {% endfor %}{{ raffle.key }}{% endif %}";
    let json = "<script>{{ raffle.json }}</script>";
    let html = format!("<html><head><!--head--></head><body>{body}{json}</body></html>");
    for page in ["raffle", "planter"] {
        write(folder.path(), &format!("pages/{page}.html"), html.as_bytes());
    }
    let state = || {
        let mut raffles = four();
        raffles.raffles[1].is_open = false;
        raffles.raffles[2].is_open = false;
        raffles.raffles[3].content.name = "<Kit>".to_owned();
        let state = state(folder.path());
        state.client.show(raffles);
        state
    };
    for path in ["/fresh-sips", "/fresh-sips/ref/CDFG3467", "/planter/fresh-2b4c"] {
        let seen = seen(state(), path).await;
        let (words, json) = seen.split_once("<script>").unwrap();
        assert_eq!(words, "Ended: garden-bag sustainable-living fresh-sips", "{path}");
        let open = r#""isOpen":false,"openRaffles":[{"key":"garden-bag","name":"Garden Bag Essentials"},{"key":"sustainable-living","name":"\u003cKit>"}]"#;
        assert!(json.contains(open), "{json}");
    }
    let open = seen(state(), "/garden-bag").await;
    assert!(open.starts_with("Enter<script>"), "{open}");
    assert!(open.contains(r#""isOpen":true,"openRaffles":[]"#), "{open}");
}

#[actix_web::test]
async fn without_an_open_raffle_all_raffles_are_at_the_addresses_of_the_default_one() {
    let folder = built_client();
    let closed = || {
        let state = state(folder.path());
        state.client.show(ShownRaffles::default());
        state
    };
    for path in ["/", "/success/7", "/planter/garden-2b4c"] {
        assert_eq!(seen(closed(), path).await, "", "{path}: a list of none");
    }
    assert_eq!(seen(closed(), "/garden-bag").await, "404");
}

/// The name stands in the HTML, so that a page needs nothing more for it.
#[actix_web::test]
async fn sign_up_pages_name_the_last_winner_as_long_as_the_record_does() {
    let folder = built_client();
    let place = "<div class=\"last-winner\"></div>";
    let html = format!("<html><head><!--head--></head><body>{place}</body></html>");
    write(folder.path(), "pages/raffle.html", html.as_bytes());
    let seen = async |winners: &[Option<LastWinner>]| {
        let state = state(folder.path());
        for winner in winners {
            state.client.name_last_winner(winner.clone());
        }
        let page = get("/garden-bag/ref/CDFG3467");
        let page = send_all(&MemStore::default(), state, vec![page]).await.remove(0);
        let html = String::from_utf8(page.bytes.to_vec()).unwrap();
        (html, page.header("etag").to_owned())
    };
    let before = seen(&[]).await;
    assert!(before.0.contains(place));
    let winner = LastWinner {
        drawing: DrawingId::new(7),
        drawn_at: DateTime::UNIX_EPOCH,
        prize: "Tools".to_owned(),
        winner: PublicWinner {
            first_name: "Ada".to_owned(),
            state: "IL".to_owned(),
        },
    };
    let named = seen(&[Some(winner.clone())]).await;
    assert!(
        named.0.contains("Our last winner: Ada, IL</strong>"),
        "{}",
        named.0
    );
    assert_ne!(named.1, before.1, "browsers ask with the tag");
    assert_eq!(seen(&[Some(winner), None]).await, before);
}

#[actix_web::test]
async fn capitals_redirect_to_the_page_and_codes_keep_theirs() {
    for (path, page) in [
        ("/Garden-Bag", "/garden-bag"),
        ("/GARDEN-BAG/?utm=A", "/garden-bag?utm=A"),
        ("/garden-bag/REF/cdFG3467/", "/garden-bag/ref/cdFG3467"),
        ("/Success/7", "/success/7"),
        ("/PLANTER/Garden-garden", "/planter/Garden-garden"),
    ] {
        let answer = send_to_built_client(vec![get(path)]).await.remove(0);
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (308, page),
            "{path}"
        );
    }
    let unknown = send_to_built_client(vec![get("/Nothing"), get("/garden-bag/ref/"), get("/REF")]).await;
    assert!(unknown.iter().all(|answer| answer.status == 404));
}

#[actix_web::test]
async fn a_trailing_slash_redirects_only_to_a_page_of_this_site() {
    let paths = [
        "/garden-bag/",
        "//example.com/",
        "/nothing/",
        "/planter/%5Cexample.com/",
    ];
    let responses = send_to_built_client(paths.map(get).into()).await;
    assert_eq!(
        (responses[0].status.as_u16(), responses[0].header("location")),
        (308, "/garden-bag")
    );
    let advertised = get("/garden-bag/?utm_source=ig&fbclid=x%2Fy");
    let advertised = send_to_built_client(vec![advertised]).await.remove(0);
    assert_eq!(
        advertised.header("location"),
        "/garden-bag?utm_source=ig&fbclid=x%2Fy"
    );
    assert_eq!(
        (responses[1].status.as_u16(), responses[1].header("location")),
        (404, "")
    );
    assert_eq!(responses[2].status, 404);
    assert_eq!(responses[3].header("location"), "/planter/%5Cexample.com");
}

#[actix_web::test]
async fn nothing_of_a_tracking_id_is_in_its_page() {
    let ids = ["x", "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"].map(|id| id.replace('/', "%2F"));
    let requests = ids.iter().map(|id| get(&format!("/planter/{id}")));
    let responses = send_to_built_client(requests.collect()).await;
    assert_eq!(responses[0].bytes, responses[1].bytes);
    assert_eq!(responses[1].header("cache-control"), "no-cache");
    assert_eq!(responses[0].header("etag"), responses[1].header("etag"));
}

#[actix_web::test]
async fn a_page_has_its_title_and_canonical_url() {
    let response = &send_to_built_client(vec![get("/garden-bag/ref/CDFG3467")]).await[0];
    let html = String::from_utf8_lossy(&response.bytes);
    let title = "<title>Win the Garden Bag Essentials, free every month</title>";
    assert!(html.contains(title), "{html}");
    assert!(
        html.contains("<link rel=\"canonical\" href=\"https://example.org/garden-bag\">"),
        "{html}"
    );
}

#[actix_web::test]
async fn pages_show_the_settings_of_this_server() {
    let folder = built_client();
    let body = async |settings: ClientSettings, path: &str| {
        let state = AppState {
            client: load_client(folder.path(), &settings).unwrap(),
            ..app_state()
        };
        let response = send_all(&MemStore::default(), state, vec![get(path)])
            .await
            .remove(0);
        let html = String::from_utf8(response.bytes.to_vec()).unwrap();
        let (_, body) = html.split_once("<body>").unwrap();
        (
            body.replace("</body></html>", ""),
            response.header("etag").to_owned(),
        )
    };
    let (rules, etag) = body(settings(), "/terms").await;
    assert_eq!(
        rules,
        "<p>Bees &amp; Co.: drawn on the 1st (America/New_York) by [placeholder: SPONSOR_NAME is not set], \
         [placeholder: SPONSOR_ADDRESS is not set]</p>"
    );
    assert_eq!(
        body(settings(), "/contact").await.0,
        "<a href=\"mailto:hello@example.org\">hello@example.org</a>"
    );
    assert_eq!(
        body(settings(), "/privacy").await.0,
        "<code>__Host-visitor</code>, 90 days, 100%"
    );
    let other = ClientSettings {
        time_zone: chrono_tz::Asia::Tokyo,
        site: other_site(),
        ..settings()
    };
    let (rules, other_etag) = body(other, "/terms").await;
    assert_eq!(
        rules,
        "<p>Ants &amp; Sons: drawn on the 1st (Asia/Tokyo) by \
         &lt;Bees&gt; &amp; &quot;Honey&quot;, 1 %SITE_NAME% St</p>"
    );
    assert_ne!(
        etag, other_etag,
        "browsers must not keep the page with the old setting"
    );
}

/// A site whose settings have signs that mean something in HTML and JSON.
fn other_site() -> SiteIdentity {
    SiteIdentity {
        name: "Ants & Sons".to_owned(),
        contact_email: Some("hello@example.org".to_owned()),
        sponsor_name: Some("<Bees> & \"Honey\"".to_owned()),
        sponsor_address: Some("1 %SITE_NAME% St".to_owned()),
    }
}

#[actix_web::test]
async fn head_and_manifest_have_the_name_of_the_site() {
    let folder = built_client();
    let settings = ClientSettings {
        site: other_site(),
        ..settings()
    };
    let state = AppState {
        client: load_client(folder.path(), &settings).unwrap(),
        ..app_state()
    };
    let requests = vec![get("/terms"), get("/site.webmanifest")];
    let answers = send_all(&MemStore::default(), state, requests).await;
    let html = String::from_utf8(answers[0].bytes.to_vec()).unwrap();
    for part in [
        "<title>Rules | Ants &amp; Sons</title>",
        "<meta name=\"description\" content=\"The rules of Ants &amp; Sons\">",
        "<meta property=\"og:site_name\" content=\"Ants &amp; Sons\">",
        "<meta property=\"og:title\" content=\"Rules | Ants &amp; Sons\">",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert_eq!(answers[1].header("content-type"), "application/manifest+json");
    assert_eq!(answers[1].json()["name"], "Ants & Sons");
}

#[test]
fn a_page_with_a_setting_that_the_server_does_not_know_is_an_error() {
    let folder = built_client();
    write(
        folder.path(),
        "pages/terms.html",
        b"<html><!--head-->%OTHER_NAME%</html>",
    );
    let error = load_client(folder.path(), &settings()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "pages/terms.html has %OTHER_NAME%, which this server does not know"
    );
}

#[actix_web::test]
async fn files_are_compressed_and_cacheable_forever() {
    let script = |accept| get("/assets/site.0a.js").insert_header(("Accept-Encoding", accept));
    let responses = send_to_built_client(vec![
        script("gzip, br"),
        script("gzip"),
        script("identity"),
        get("/robots.txt"),
    ])
    .await;
    let encodings_and_bodies: Vec<_> = responses
        .iter()
        .map(|a| (a.header("content-encoding"), a.bytes.to_vec()))
        .collect();
    assert_eq!(encodings_and_bodies[0], ("br", b"brotli".to_vec()));
    assert_eq!(encodings_and_bodies[1], ("gzip", b"gzip".to_vec()));
    assert_eq!(encodings_and_bodies[2], ("", b"plain();".to_vec()));
    assert_eq!(
        responses[0].header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(
        responses[0].header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(responses[0].header("vary"), "Accept-Encoding");
    assert_eq!(responses[3].header("cache-control"), "public, max-age=3600");
}

#[actix_web::test]
async fn the_service_worker_stands_at_the_top_and_is_always_the_newest() {
    let responses = send_to_built_client(vec![get("/push-worker.js")]).await;
    let worker = &responses[0];
    assert_eq!(worker.bytes.as_ref(), b"show();");
    assert_eq!(worker.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(worker.header("cache-control"), "no-cache");
}

#[actix_web::test]
async fn a_matching_etag_gets_304() {
    let folder = built_client();
    let store = MemStore::default();
    let first = send_all(&store, state(folder.path()), vec![get("/garden-bag")])
        .await
        .remove(0);
    let etag = first.header("etag").to_owned();
    let again = get("/garden-bag").insert_header(("If-None-Match", format!("\"other\", {etag}")));
    let other = get("/").insert_header(("If-None-Match", etag));
    let responses = send_all(&store, state(folder.path()), vec![again, other]).await;
    assert_eq!((responses[0].status.as_u16(), responses[0].bytes.len()), (304, 0));
    assert_eq!(responses[1].status, 200);
}

#[actix_web::test]
async fn a_head_request_succeeds_like_a_get() {
    let response = &send_to_built_client(vec![
        TestRequest::default()
            .method(actix_web::http::Method::HEAD)
            .uri("/garden-bag"),
    ])
    .await[0];
    assert_eq!(response.status, 200);
}

#[actix_web::test]
async fn without_a_client_the_api_is_still_served() {
    let response = send(&MemStore::default(), get("/garden-bag")).await;
    assert_eq!(
        (response.status.as_u16(), &response.bytes[..]),
        (404, &b"404 Page Not Found"[..])
    );
    assert_eq!(send(&MemStore::default(), get("/healthz")).await.status, 200);
}

#[test]
fn an_incomplete_build_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let load = || load_client(folder.path(), &settings()).err().unwrap();
    assert!(matches!(load(), ClientError::Read { .. }));
    write(folder.path(), "pages.json", b"{}");
    assert!(matches!(load(), ClientError::Manifest(_)));
    write(folder.path(), "pages.json", PAGES.as_bytes());
    for (page, _) in TEMPLATES.into_iter().chain(TEXTS_WITH_TOKENS) {
        write(folder.path(), &format!("pages/{page}.html"), b"<html></html>");
    }
    assert!(matches!(load(), ClientError::NoPlace(_)));
    let html = b"<html><head><!--head--></head><body>{{ nothing.known }}</body></html>";
    for (page, _) in TEMPLATES.into_iter().chain(TEXTS_WITH_TOKENS) {
        write(folder.path(), &format!("pages/{page}.html"), html);
    }
    assert!(matches!(load(), ClientError::Template(_)));
}
