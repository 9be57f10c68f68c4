//! Purchases with the Stripe stand-in: after a kill at any point, a paid purchase is credited once.

use crate::server::{Server, wait_for, wait_until};
use crate::stand_in::StandIn;
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::{Value, json};
use stand_ins::stripe::{Config, WEBHOOK_SECRET};

const PAID: &str = "SELECT paid_entries AS n FROM users";
const CREDITS: &str = "SELECT count(*) AS n FROM entry_ledger WHERE kind = 'purchase'";

/// The Stripe stand-in.
struct Provider(StandIn);

impl Provider {
    fn start() -> Self {
        let start = || stand_ins::kit::StandIn::start(Config::default());
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

    /// Waits for the first payment intent, and returns its id.
    fn wait_for_payment(&self) -> String {
        wait_for(|| {
            let payments = self.get("/control/intents");
            payments["intents"][0]["id"].as_str().map(str::to_owned)
        })
    }

    fn pay(&self, id: &str) {
        self.post(
            &format!("/control/intents/{id}/pay"),
            &json!({"paymentMethod": "pm_card_visa"}),
        );
    }
}

struct Checkout {
    database: TestDatabase,
    provider: Provider,
    server: Option<Server>,
    order: Value,
}

impl Checkout {
    fn open() -> Self {
        let (database, provider) = (TestDatabase::new(), Provider::start());
        let server = start(&database, &provider);
        let user = json_of(server.register("5551234567"), 201)["user"]["id"].clone();
        let mut connection = connect(&database.admin_url);
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
        let order = json!({"userId": user, "amount": 500, "entriesAdded": 10, "packageId": package});
        Self {
            database,
            provider,
            server: Some(server),
            order,
        }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    fn create_intent(&self) -> (u16, String) {
        self.server()
            .post("/api/stripe/create-payment-intent", &self.order.to_string())
    }

    fn created_intent(&self) -> String {
        let created = json_of(self.create_intent(), 200);
        created["paymentIntentId"].as_str().unwrap().to_owned()
    }

    fn confirm(&self, payment: &str) -> (u16, String) {
        let confirmation = json!({
            "paymentIntentId": payment, "userId": self.order["userId"], "packageId": self.order["packageId"]
        });
        self.server()
            .post("/api/confirm-payment", &confirmation.to_string())
    }

    fn kill(&mut self) {
        let mut server = self.server.take().unwrap();
        server.signal("KILL");
        server.wait();
    }

    /// Starts the program again and waits until the purchase is credited; confirming it again does not credit it twice.
    fn assert_credited_after_a_restart(&mut self, payment: &str) {
        self.server = Some(start(&self.database, &self.provider));
        let mut connection = connect(&self.database.admin_url);
        wait_until(|| number(&mut connection, PAID) != 0);
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
fn only_events_with_a_valid_signature_are_accepted() {
    let checkout = Checkout::open();
    let payment = checkout.created_intent();
    let url = checkout.server().url("/api/stripe/webhook");
    let post_event = |body: &str, signature: Option<&str>| {
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
    checkout
        .provider
        .post("/control/webhooks", &json!({"url": url, "hold": true}));
    checkout.provider.pay(&payment);
    let events = checkout.provider.get("/control/events");
    let id = events["events"][0]["id"].as_str().unwrap().to_owned();
    let deliver = |options: &Value| {
        let result = checkout.provider.post("/control/webhooks/deliver", options);
        let deliveries = result["deliveries"].as_array().unwrap().clone();
        let statuses = deliveries.iter().map(|delivery| delivery["status"].clone());
        statuses.collect::<Vec<Value>>()
    };
    let mut connection = connect(&checkout.database.admin_url);

    // One hour ahead, because time passes during the test. The adapter's tests check the exact tolerance.
    for wrong in [
        json!({"age": 301}),
        json!({"age": -3600}),
        json!({"secret": "whsec_forged"}),
    ] {
        assert_eq!(deliver(&wrong), [400], "{wrong}");
    }
    let signed = checkout.provider.get(&format!("/control/events/{id}/signed"));
    let (body, signature) = (
        signed["body"].as_str().unwrap(),
        signed["signature"].as_str().unwrap(),
    );
    let reformatted = serde_json::to_string_pretty(&serde_json::from_str::<Value>(body).unwrap()).unwrap();
    let other_amount = body.replace("\"amount\":500", "\"amount\":501");
    assert_ne!(other_amount, body);
    assert_eq!(
        post_event(&reformatted, Some(signature)),
        400,
        "the same JSON in other bytes"
    );
    assert_eq!(post_event(&other_amount, Some(signature)), 400, "another amount");
    assert_eq!(post_event(body, None), 400, "unsigned");
    assert_eq!(
        (number(&mut connection, PAID), number(&mut connection, CREDITS)),
        (0, 0)
    );

    assert_eq!(deliver(&json!({"copies": 3, "reversed": true})), [200, 200, 200]);
    assert_eq!(post_event(body, Some(signature)), 200);
    assert_eq!(
        (number(&mut connection, PAID), number(&mut connection, CREDITS)),
        (10, 1)
    );
}

#[test]
fn a_kill_before_the_browser_confirms() {
    let mut checkout = Checkout::open();
    let payment = checkout.created_intent();
    checkout.provider.pay(&payment);
    checkout.kill();
    checkout.assert_credited_after_a_restart(&payment);
}

#[test]
fn a_kill_before_the_payment_intents_id_is_stored() {
    let mut checkout = Checkout::open();
    checkout.provider.post(
        "/control/failures",
        &json!({"kind": "hang", "method": "POST", "path": "/v1/payment_intents"}),
    );
    let server = checkout.server.take().unwrap();
    let order = checkout.order.to_string();
    let payment = std::thread::scope(|scope| {
        let url = server.url("/api/stripe/create-payment-intent");
        scope.spawn(move || {
            let request = ureq::post(url).header("Content-Type", "application/json");
            assert!(request.send(order).is_err(), "the request must fail");
        });
        let payment = checkout.provider.wait_for_payment();
        server.signal("KILL");
        payment
    });
    drop(server);
    checkout.provider.pay(&payment);
    checkout.assert_credited_after_a_restart(&payment);
}

#[test]
fn a_kill_during_a_call_to_the_provider() {
    let mut checkout = Checkout::open();
    let payment = checkout.created_intent();
    checkout.provider.pay(&payment);
    checkout
        .provider
        .post("/control/failures", &json!({"kind": "hang", "method": "GET"}));
    let server = checkout.server.take().unwrap();
    let before = call_count(&checkout.provider);
    let confirmation = json!({
        "paymentIntentId": payment, "userId": checkout.order["userId"], "packageId": checkout.order["packageId"]
    });
    std::thread::scope(|scope| {
        let url = server.url("/api/confirm-payment");
        scope.spawn(move || {
            let request = ureq::post(url).header("Content-Type", "application/json");
            assert!(
                request.send(confirmation.to_string()).is_err(),
                "the request must fail"
            );
        });
        wait_until(|| call_count(&checkout.provider) != before);
        server.signal("KILL");
    });
    drop(server);
    checkout.assert_credited_after_a_restart(&payment);
}

/// The number of calls to the provider.
fn call_count(provider: &Provider) -> usize {
    provider.get("/control/calls")["calls"].as_array().unwrap().len()
}

#[test]
fn a_kill_after_the_credit() {
    let mut checkout = Checkout::open();
    let payment = checkout.created_intent();
    checkout.provider.pay(&payment);
    assert_eq!(checkout.confirm(&payment).0, 200);
    checkout.kill();
    checkout.assert_credited_after_a_restart(&payment);
}

#[test]
fn a_kill_while_events_arrive() {
    let mut checkout = Checkout::open();
    let payment = checkout.created_intent();
    let url = checkout.server().url("/api/stripe/webhook");
    checkout
        .provider
        .post("/control/webhooks", &json!({"url": url, "copies": 3}));
    checkout.provider.pay(&payment);
    checkout.kill();
    checkout.assert_credited_after_a_restart(&payment);
}
