//! Purchases, with a stand-in for the provider: killed at every point, each that was paid is credited, once.

use crate::server::{PATIENCE, Server};
use crate::stand_in::StandIn;
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::{Value, json};
use std::time::Instant;
use stripe_stand_in::{Config, WEBHOOK_SECRET};

const PAID: &str = "SELECT paid_entries AS n FROM users";
const CREDITS: &str = "SELECT count(*) AS n FROM entry_ledger WHERE kind = 'purchase'";

/// The provider.
struct Provider(StandIn);

impl Provider {
    fn start() -> Self {
        let start = || stripe_stand_in::StandIn::start(Config::default());
        Self(StandIn::start(start, |provider| {
            (provider.url(), provider.stop())
        }))
    }

    fn url(&self) -> &str {
        &self.0.url
    }

    fn get(&self, path: &str) -> Value {
        self.0.get(path)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.0.post(path, body)
    }

    /// Waits until there is a payment, and gives its name.
    fn wait_for_payment(&self) -> String {
        let started = Instant::now();
        loop {
            let payments = self.get("/control/intents");
            if let Some(id) = payments["intents"][0]["id"].as_str() {
                return id.to_owned();
            }
            assert!(started.elapsed() < PATIENCE, "{payments}");
        }
    }

    fn pay(&self, id: &str) {
        self.post(
            &format!("/control/intents/{id}/pay"),
            &json!({"paymentMethod": "pm_card_visa"}),
        );
    }
}

struct Shop {
    database: TestDatabase,
    provider: Provider,
    server: Option<Server>,
    wish: Value,
}

impl Shop {
    fn open() -> Self {
        let (database, provider) = (TestDatabase::new(), Provider::start());
        let server = start(&database, &provider);
        let user = json_of(server.register("5551234567"), 201)["user"]["id"].clone();
        let mut connection = connect(&database.url);
        execute(
            &mut connection,
            "INSERT INTO entry_packages (name, description, entries, price, created_at) VALUES ('Ten', 'Ten', 10, 500, now())",
        );
        let package = number(&mut connection, "SELECT id AS n FROM entry_packages");
        execute(
            &mut connection,
            "INSERT INTO system_settings (key, value, category) VALUES ('show_pricing', 'true', 'pricing')
             ON CONFLICT (key) DO UPDATE SET value = 'true'",
        );
        let wish = json!({"userId": user, "amount": 500, "entriesAdded": 10, "packageId": package});
        Self {
            database,
            provider,
            server: Some(server),
            wish,
        }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    fn create(&self) -> (u16, String) {
        self.server()
            .post("/api/stripe/create-payment-intent", &self.wish.to_string())
    }

    fn begin(&self) -> String {
        let created = json_of(self.create(), 200);
        created["paymentIntentId"].as_str().unwrap().to_owned()
    }

    fn confirm(&self, payment: &str) -> (u16, String) {
        let claim = json!({
            "paymentIntentId": payment, "userId": self.wish["userId"], "packageId": self.wish["packageId"]
        });
        self.server().post("/api/confirm-payment", &claim.to_string())
    }

    fn kill(&mut self) {
        let mut server = self.server.take().unwrap();
        server.signal("KILL");
        server.wait();
    }

    /// Starts the program again, and waits until the purchase is credited; then it stays credited once.
    fn assert_credited_after_a_restart(&mut self, payment: &str) {
        self.server = Some(start(&self.database, &self.provider));
        let mut connection = connect(&self.database.url);
        let started = Instant::now();
        while number(&mut connection, PAID) == 0 {
            assert!(started.elapsed() < PATIENCE, "not credited within 60 s");
        }
        assert_eq!(json_of(self.confirm(payment), 200)["entriesAdded"], 10);
        assert_eq!(
            (number(&mut connection, PAID), number(&mut connection, CREDITS)),
            (10, 1)
        );
        let purchases = "SELECT count(*) AS n FROM purchases WHERE status = 'completed'";
        assert_eq!(number(&mut connection, purchases), 1);
    }
}

fn start(database: &TestDatabase, provider: &Provider) -> Server {
    let variables = [
        ("RATE_LIMITS", "off"),
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
        ("STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET),
        ("STRIPE_API_BASE", provider.url()),
    ];
    Server::start(&database.url, &variables)
}

fn json_of((status, body): (u16, String), expected: u16) -> Value {
    assert_eq!(status, expected, "{body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn only_events_as_the_provider_signed_them_are_believed() {
    let shop = Shop::open();
    let payment = shop.begin();
    let url = shop.server().url("/api/stripe/webhook");
    let tell = |body: &str, signature: Option<&str>| {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let request = agent.post(&url).header("Content-Type", "application/json");
        let request = match signature {
            Some(signature) => request.header("Stripe-Signature", signature),
            None => request,
        };
        request.send(body).unwrap().status().as_u16()
    };
    shop.provider
        .post("/control/webhooks", &json!({"url": url, "hold": true}));
    shop.provider.pay(&payment);
    let events = shop.provider.get("/control/events");
    let id = events["events"][0]["id"].as_str().unwrap().to_owned();
    let deliver = |how: &Value| {
        let told = shop.provider.post("/control/webhooks/deliver", how);
        let deliveries = told["deliveries"].as_array().unwrap().clone();
        let statuses = deliveries.iter().map(|delivery| delivery["status"].clone());
        statuses.collect::<Vec<Value>>()
    };
    let mut connection = connect(&shop.database.url);

    // An hour ahead, since time goes on towards it; the adapter's own tests hold it to the second.
    for wrong in [
        json!({"age": 301}),
        json!({"age": -3600}),
        json!({"secret": "whsec_forged"}),
    ] {
        assert_eq!(deliver(&wrong), [400], "{wrong}");
    }
    let signed = shop.provider.get(&format!("/control/events/{id}/signed"));
    let (body, signature) = (
        signed["body"].as_str().unwrap(),
        signed["signature"].as_str().unwrap(),
    );
    let anew = serde_json::to_string_pretty(&serde_json::from_str::<Value>(body).unwrap()).unwrap();
    let dearer = body.replace("\"amount\":500", "\"amount\":501");
    assert_ne!(dearer, body);
    assert_eq!(tell(&anew, Some(signature)), 400, "the same in other bytes");
    assert_eq!(tell(&dearer, Some(signature)), 400, "another amount");
    assert_eq!(tell(body, None), 400, "unsigned");
    assert_eq!(
        (number(&mut connection, PAID), number(&mut connection, CREDITS)),
        (0, 0)
    );

    assert_eq!(deliver(&json!({"copies": 3, "reversed": true})), [200, 200, 200]);
    assert_eq!(tell(body, Some(signature)), 200);
    assert_eq!(
        (number(&mut connection, PAID), number(&mut connection, CREDITS)),
        (10, 1)
    );
}

#[test]
fn killed_before_the_browser_confirms() {
    let mut shop = Shop::open();
    let payment = shop.begin();
    shop.provider.pay(&payment);
    shop.kill();
    shop.assert_credited_after_a_restart(&payment);
}

#[test]
fn killed_before_the_name_of_the_payment_was_noted() {
    let mut shop = Shop::open();
    shop.provider
        .post("/control/failures", &json!({"kind": "hang", "method": "POST"}));
    let server = shop.server.take().unwrap();
    let wish = shop.wish.to_string();
    let payment = std::thread::scope(|scope| {
        let url = server.url("/api/stripe/create-payment-intent");
        scope.spawn(move || {
            let request = ureq::post(url).header("Content-Type", "application/json");
            assert!(request.send(wish).is_err(), "it never answers");
        });
        let payment = shop.provider.wait_for_payment();
        server.signal("KILL");
        payment
    });
    drop(server);
    shop.provider.pay(&payment);
    shop.assert_credited_after_a_restart(&payment);
}

#[test]
fn killed_while_the_provider_is_asked_whether_it_is_paid() {
    let mut shop = Shop::open();
    let payment = shop.begin();
    shop.provider.pay(&payment);
    shop.provider
        .post("/control/failures", &json!({"kind": "hang", "method": "GET"}));
    let server = shop.server.take().unwrap();
    let before = asked(&shop.provider);
    let claim = json!({
        "paymentIntentId": payment, "userId": shop.wish["userId"], "packageId": shop.wish["packageId"]
    });
    std::thread::scope(|scope| {
        let url = server.url("/api/confirm-payment");
        scope.spawn(move || {
            let request = ureq::post(url).header("Content-Type", "application/json");
            assert!(request.send(claim.to_string()).is_err(), "it never answers");
        });
        let started = Instant::now();
        while asked(&shop.provider) == before {
            assert!(started.elapsed() < PATIENCE);
        }
        server.signal("KILL");
    });
    drop(server);
    shop.assert_credited_after_a_restart(&payment);
}

/// How often the provider was asked anything.
fn asked(provider: &Provider) -> usize {
    provider.get("/control/calls")["calls"].as_array().unwrap().len()
}

#[test]
fn killed_after_it_was_credited() {
    let mut shop = Shop::open();
    let payment = shop.begin();
    shop.provider.pay(&payment);
    assert_eq!(shop.confirm(&payment).0, 200);
    shop.kill();
    shop.assert_credited_after_a_restart(&payment);
}

#[test]
fn killed_while_events_come_in() {
    let mut shop = Shop::open();
    let payment = shop.begin();
    let url = shop.server().url("/api/stripe/webhook");
    shop.provider
        .post("/control/webhooks", &json!({"url": url, "copies": 3}));
    shop.provider.pay(&payment);
    shop.kill();
    shop.assert_credited_after_a_restart(&payment);
}
