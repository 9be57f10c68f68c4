//! What staff write of raffles, and what everybody can read of it.

use crate::support::{authorized, get, get_with_session, post, send, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const BOX: &str = "/api/admin/raffles/summer-box";

fn bodies() -> Value {
    serde_json::from_str(include_str!("valid_bodies.json")).unwrap()
}

/// The console of an owner.
struct Console {
    store: MemStore,
    token: String,
}

impl Console {
    async fn new() -> Self {
        let store = MemStore::with_rules();
        let token = sign_in(&store).await;
        Self { store, token }
    }

    async fn call(&self, method: &str, path: &str, body: &Value) -> crate::support::Response {
        let request = TestRequest::with_uri(path)
            .method(method.parse().unwrap())
            .insert_header(("Content-Type", "application/json"))
            .set_payload(body.to_string());
        send(&self.store, authorized(request, &self.token)).await
    }

    async fn get(&self, path: &str) -> Value {
        get_with_session(&self.store, &self.token, path).await.json()
    }

    /// Makes a raffle and saves what it says; the draft.
    async fn written(&self) -> Value {
        let created = self
            .call(
                "POST",
                "/api/admin/raffles",
                &json!({"landingPage": "summer-box"}),
            )
            .await;
        assert_eq!(created.status.as_u16(), 201);
        let saved = self
            .call("PUT", &format!("{BOX}/draft"), &bodies()["save_raffle_draft"])
            .await;
        assert_eq!(saved.status.as_u16(), 200, "{:?}", saved.bytes);
        saved.json()
    }

    async fn publish(&self, draft: &Value) -> crate::support::Response {
        let body = json!({"revision": draft["revision"], "hash": draft["hash"]});
        self.call("POST", &format!("{BOX}/publish"), &body).await
    }
}

#[actix_web::test]
async fn a_raffle_is_written_published_and_opened() {
    let console = Console::new().await;
    let created = console
        .call(
            "POST",
            "/api/admin/raffles",
            &json!({"landingPage": "winter-box"}),
        )
        .await
        .json();
    assert_eq!(
        (
            &created["raffle"]["status"],
            &created["raffle"]["version"],
            &created["draft"]["revision"]
        ),
        (&json!("draft"), &json!(null), &json!(1))
    );
    assert_eq!(
        created["draft"]["missing"][0],
        json!({"field": "name", "message": "Required"})
    );
    let opened = console
        .call("POST", "/api/admin/raffles/winter-box/open", &json!({}))
        .await;
    assert_eq!(opened.error(), "409 not_published");
    let incomplete = json!({"revision": 1, "hash": created["draft"]["hash"]});
    let refused = console
        .call("POST", "/api/admin/raffles/winter-box/publish", &incomplete)
        .await;
    assert_eq!(refused.error(), "409 incomplete");

    let draft = console.written().await;
    assert_eq!((&draft["revision"], &draft["missing"]), (&json!(2), &json!([])));
    assert_eq!(draft["savedBy"], console.get("/api/admin/me").await["name"]);
    assert_eq!(console.publish(&draft).await.json()["number"], 1);
    let hidden = send(&console.store, get("/api/raffles/summer-box")).await;
    assert_eq!(hidden.error(), "404 not_found");
    let opened = console.call("POST", &format!("{BOX}/open"), &json!({})).await;
    assert_eq!(opened.json()["status"], "open");

    let public = send(&console.store, get("/api/raffles/summer-box")).await.json();
    assert_eq!(
        (&public["status"], &public["version"], &public["waitingVersion"]),
        (&json!("open"), &json!(1), &json!(null))
    );
    assert_eq!(public["content"], draft["content"]);
    let listed = send(&console.store, get("/api/raffles")).await.json();
    let keys: Vec<_> = listed["raffles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["landingPage"].clone())
        .collect();
    assert_eq!(
        keys,
        [
            "garden-bag",
            "fresh-sips",
            "kitchen-garden",
            "sustainable-living",
            "summer-box"
        ]
    );
    let staff = console.get("/api/admin/raffles").await;
    let cards = staff["raffles"].as_array().unwrap();
    assert_eq!((cards.len(), &cards[4]["landingPage"]), (6, &json!("winter-box")));
    let prefixes: Vec<_> = cards
        .iter()
        .map(|card| card["linkPrefix"].as_str().unwrap())
        .collect();
    let of_new = |at: usize| format!("r{}", cards[at]["number"]);
    assert_eq!(prefixes[..4], ["garden", "fresh", "kitchen", "sustainable"]);
    assert_eq!(prefixes[4..], [of_new(4), of_new(5)]);
}

/// The hash is what the announcements of drawings name.
#[actix_web::test]
async fn a_version_is_served_byte_for_byte() {
    let console = Console::new().await;
    let draft = console.written().await;
    console.publish(&draft).await;
    let path = "/api/raffles/summer-box/versions/1";
    assert_eq!(
        send(&console.store, get(path)).await.error(),
        "404 not_found",
        "a draft"
    );
    console.call("POST", &format!("{BOX}/open"), &json!({})).await;
    let version = send(&console.store, get(path)).await;
    assert_eq!(
        hex::encode(Sha256::digest(&version.bytes)),
        draft["hash"].as_str().unwrap()
    );
    assert_eq!(version.json(), draft["content"]);
    let headers = |name| version.headers.get(name).unwrap().to_str().unwrap();
    assert_eq!(
        headers("etag"),
        format!("\"{}\"", draft["hash"].as_str().unwrap())
    );
    assert_eq!(headers("cache-control"), "public, max-age=31536000, immutable");
    let again = send(
        &console.store,
        get(path).insert_header(("If-None-Match", headers("etag"))),
    )
    .await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    for unknown in ["versions/2", "versions/0", "versions/x"] {
        let unknown = send(&console.store, get(&format!("/api/raffles/summer-box/{unknown}"))).await;
        assert_eq!(unknown.error(), "404 not_found");
    }
}

#[actix_web::test]
async fn another_prize_waits_and_is_public_meanwhile() {
    let console = Console::new().await;
    let draft = console.written().await;
    console.publish(&draft).await;
    console.call("POST", &format!("{BOX}/open"), &json!({})).await;
    let mut content = draft["content"].clone();
    content["name"] = json!("Winter Basket");
    let body = json!({"revision": draft["revision"], "content": content});
    let changed = console.call("PUT", &format!("{BOX}/draft"), &body).await.json();
    let published = console.publish(&changed).await.json();
    assert_eq!(published["number"], 2);
    let public = send(&console.store, get("/api/raffles/summer-box")).await.json();
    assert_eq!(
        (&public["name"], &public["version"]),
        (&json!("Summer Picnic Basket"), &json!(1))
    );
    assert_eq!(public["waitingVersion"], published);
    let waiting = send(&console.store, get("/api/raffles/summer-box/versions/2"))
        .await
        .json();
    assert_eq!(waiting["name"], "Winter Basket");
    let file = console.get(BOX).await;
    assert_eq!(
        (
            &file["raffle"]["waitingVersion"],
            &file["versions"][0]["isInForce"]
        ),
        (&published, &json!(false))
    );
    assert_eq!(file["versions"][1]["isInForce"], true);
}

#[actix_web::test]
async fn what_a_draft_must_not_say_is_named_by_field() {
    let console = Console::new().await;
    let draft = console.written().await;
    let mut content = draft["content"].clone();
    content["tagline"] = json!("Worth $500");
    content["kit"][0]["item"] = json!("Call 555 123 4567");
    let body = json!({"revision": draft["revision"], "content": content});
    let refused = console.call("PUT", &format!("{BOX}/draft"), &body).await;
    assert_eq!(
        refused.error(),
        "400 validation content.kit[0].item,content.tagline"
    );
    let fields = refused.json()["fields"].clone();
    assert_eq!(
        fields["content.tagline"],
        json!(["The amount $500 is neither the total value nor the value of a part"])
    );
    content["tagline"] = json!("A day out");
    content["kit"][0]["item"] = json!("Basket");
    content["picture"]["upload"] = json!("A picture");
    let body = json!({"revision": draft["revision"], "content": content});
    let refused = console.call("PUT", &format!("{BOX}/draft"), &body).await;
    assert_eq!(refused.error(), "400 validation content.picture.upload");
    content["picture"]["upload"] = json!("0".repeat(64));
    let body = json!({"revision": draft["revision"], "content": content});
    let refused = console.call("PUT", &format!("{BOX}/draft"), &body).await;
    assert_eq!(refused.error(), "400 validation content.picture.upload");
    assert_eq!(console.get(BOX).await["draft"], draft);
}

#[actix_web::test]
async fn of_two_who_change_a_draft_the_second_is_told() {
    let console = Console::new().await;
    let draft = console.written().await;
    let with_title = |title: &str| {
        let mut content = draft["content"].clone();
        content["title"] = json!(title);
        json!({"revision": draft["revision"], "content": content})
    };
    let path = format!("{BOX}/draft");
    let first = console.call("PUT", &path, &with_title("First")).await;
    assert_eq!(first.json()["revision"], 3);
    let again = console.call("PUT", &path, &with_title("First")).await;
    assert_eq!(
        (again.status.as_u16(), again.json()),
        (200, first.json()),
        "its answer was lost"
    );
    let second = console.call("PUT", &path, &with_title("Second")).await;
    assert_eq!(second.error(), "409 changed_meanwhile");
    assert_eq!(console.publish(&draft).await.error(), "409 changed_meanwhile");
    assert_eq!(console.publish(&first.json()).await.json()["number"], 1);
}

#[actix_web::test]
async fn keys_that_cannot_be_are_refused() {
    let console = Console::new().await;
    for (key, expected) in [
        ("garden-bag", "409 key_taken"),
        ("order", "400 validation landingPage"),
        ("planter-box", "400 validation landingPage"),
        ("Summer", "400 validation landingPage"),
        ("a", "400 validation landingPage"),
    ] {
        let made = console
            .call("POST", "/api/admin/raffles", &json!({"landingPage": key}))
            .await;
        assert_eq!(made.error(), expected, "{key}");
    }
    let copied = console
        .call(
            "POST",
            "/api/admin/raffles/nothing/copy",
            &json!({"newKey": "summer-box"}),
        )
        .await;
    assert_eq!(copied.error(), "404 not_found");
    let copied = console
        .call(
            "POST",
            "/api/admin/raffles/fresh-sips/copy",
            &json!({"newKey": "summer-box"}),
        )
        .await;
    let content = console.get("/api/admin/raffles/fresh-sips").await["draft"]["content"].clone();
    assert_eq!(
        (copied.status.as_u16(), &copied.json()["draft"]["content"]),
        (201, &content)
    );
}

#[actix_web::test]
async fn a_raffle_that_was_never_open_is_deleted() {
    let console = Console::new().await;
    let draft = console.written().await;
    console.publish(&draft).await;
    let open = console
        .call("DELETE", "/api/admin/raffles/garden-bag", &json!(null))
        .await;
    assert_eq!(open.error(), "409 in_use");
    let deleted = console.call("DELETE", BOX, &json!(null)).await;
    assert_eq!(deleted.status.as_u16(), 204);
    let deleted = console.call("DELETE", BOX, &json!(null)).await;
    assert_eq!(deleted.error(), "404 not_found");
}

#[actix_web::test]
async fn raffles_are_ordered() {
    let console = Console::new().await;
    let order = &bodies()["order_raffles"];
    let ordered = console.call("PUT", "/api/admin/raffles/order", order).await;
    assert_eq!(ordered.status.as_u16(), 204);
    let listed = send(&console.store, get("/api/raffles")).await.json();
    let keys: Vec<_> = listed["raffles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["landingPage"].clone())
        .collect();
    assert_eq!(&json!(keys), &order["landingPages"]);
    let short = json!({"landingPages": ["fresh-sips"]});
    let refused = console.call("PUT", "/api/admin/raffles/order", &short).await;
    assert_eq!(refused.error(), "409 changed_meanwhile");
    let unknown = json!({"landingPages": ["Fresh Sips"]});
    let refused = console.call("PUT", "/api/admin/raffles/order", &unknown).await;
    assert_eq!(refused.error(), "400 validation landingPages");
    let anonymous = send(&console.store, post("/api/admin/raffles", "{}")).await;
    assert_eq!(anonymous.status.as_u16(), 401);
}
