//! The SMS pages of the console, with a fake provider.

use crate::support::{
    Response, app_state, authorized, get, post, put, register, send_all, sign_in, sms_services,
};
use actix_web::test::TestRequest;
use fakes::{FakeSms, FixedClock, MemStore, SeededEntropy, SentMessage};
use kernel::{Phone, StoreError, UnitOfWork};
use serde_json::{Value, json};
use sms::{Credentials, DeliveryReport, Fence, MessageId, OptOuts, Outcome, ProviderStatus, SmsSender};
use std::sync::Arc;
use usecases::send_messages::steps;
use web::{AppState, SmsServices};

pub(crate) const TEMPLATES: &str = "/api/admin/sms/templates";
pub(crate) const SCHEDULE: &str = "/api/admin/sms/campaigns/schedule";

/// The auth token of the account in the environment, which signs the provider's callbacks.
pub(crate) const ENVIRONMENT_TOKEN: &str = "00112233445566778899aabbccddeeff";

/// The account in the environment.
pub(crate) fn environment() -> Credentials {
    let sid = format!("AC{}", "e".repeat(32));
    Credentials::parse(&sid, ENVIRONMENT_TOKEN, "+15550001111").unwrap()
}

/// A console session on one store, and the provider that its application talks to.
pub(crate) struct SmsConsole {
    pub(crate) store: MemStore,
    pub(crate) sms: FakeSms,
    pub(crate) token: String,
    entropy: Arc<SeededEntropy>,
}

impl SmsConsole {
    pub(crate) async fn new() -> Self {
        let store = MemStore::default();
        Self {
            token: sign_in(&store).await,
            store,
            sms: FakeSms::default(),
            entropy: Arc::default(),
        }
    }

    /// The application, with an account in the environment.
    pub(crate) fn state(&self) -> AppState {
        let sms = SmsServices {
            environment: Some(environment()),
            callbacks: Arc::new(self.sms.clone()),
            ..sms_services()
        };
        AppState {
            sms,
            entropy: self.entropy.clone(),
            ..app_state()
        }
    }

    pub(crate) async fn send(&self, request: TestRequest) -> Response {
        send_all(&self.store, self.state(), vec![request]).await.remove(0)
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send(authorized(get(path), &self.token)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        self.send(authorized(post(path, &body.to_string()), &self.token))
            .await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Response {
        self.send(authorized(put(path, body), &self.token)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Response {
        let request = TestRequest::patch()
            .uri(path)
            .insert_header(("Content-Type", "application/json"))
            .set_payload(body.to_string());
        self.send(authorized(request, &self.token)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Response {
        self.send(authorized(TestRequest::delete().uri(path), &self.token))
            .await
    }

    /// The action, the target and the details of the last entry of the audit log.
    pub(crate) async fn last_audit_entry(&self) -> (Value, Value, Value) {
        let log = self.get("/api/admin/audit-log?limit=1").await.json();
        let field = |name: &str| log["entries"][0][name].clone();
        (field("action"), field("target"), field("details"))
    }

    /// Registers an entrant with consent to campaign messages, and returns their id. The welcome message is queued.
    pub(crate) async fn register_entrant(&self, n: u32, landing_page: &str) -> Value {
        let body = json!({"phoneNumber": phone(n), "landingPage": landing_page, "smsConsent": true});
        let response = self.send(register(&body.to_string())).await;
        assert_eq!(response.status, 201, "{:?}", response.bytes);
        response.json()["user"]["id"].clone()
    }

    /// Creates a template for fresh-sips, and returns its id.
    pub(crate) async fn create_template(&self) -> Value {
        let body = json!({"name": "June", "landingPage": "fresh-sips", "messageTemplate": "Look: {LINK}"});
        let response = self.post(TEMPLATES, &body).await;
        assert_eq!(response.status, 201, "{:?}", response.bytes);
        response.json()["id"].clone()
    }

    /// Schedules a campaign, and returns it.
    pub(crate) async fn schedule_campaign(&self, body: &Value) -> Value {
        let response = self.post(SCHEDULE, body).await;
        assert_eq!(response.status, 201, "{:?}", response.bytes);
        response.json()
    }

    /// Takes the sender's lease and starts the campaigns that are due.
    pub(crate) fn start_campaigns(&self) -> Fence {
        let clock = FixedClock::default();
        let fence = steps::acquire_lease(&self.store, &clock, "a process")
            .unwrap()
            .unwrap();
        steps::start_and_finish_campaigns(&self.store, &clock, fence).unwrap();
        fence
    }

    /// Starts the campaigns that are due, sends all waiting messages and finishes campaigns.
    pub(crate) async fn deliver_messages(&self) {
        let (clock, rules) = (FixedClock::default(), self.state().sms.rules);
        let fence = self.start_campaigns();
        loop {
            let messages = steps::claim_next_messages(
                &self.store,
                &clock,
                &rules,
                &fakes::PlainSealer::default(),
                fence,
                500,
            )
            .unwrap();
            if messages.is_empty() {
                break;
            }
            for message in messages {
                let result = self.sms.send_message(&environment(), &message.outgoing).await;
                let now = kernel::Clock::now(&clock);
                let report = DeliveryReport::of_send(result, message.attempt, now, 0).unwrap();
                let outcome = Outcome {
                    message: message.id,
                    attempt: message.attempt,
                    report,
                };
                steps::record_outcomes(&self.store, &clock, &[outcome]).unwrap();
            }
        }
        steps::start_and_finish_campaigns(&self.store, &clock, fence).unwrap();
    }

    /// The campaign messages that the provider got.
    pub(crate) fn sent_messages(&self) -> Vec<SentMessage> {
        let mut sent = self.sms.sent();
        sent.retain(|sent| sent.outgoing.body.contains("/planter/"));
        sent
    }

    /// The campaign message that the provider got for the `n`th phone number.
    pub(crate) fn message_to(&self, n: u32) -> SentMessage {
        let messages = self.sent_messages();
        let found = messages
            .iter()
            .find(|message| message.outgoing.to.as_e164() == phone(n));
        found.unwrap().clone()
    }

    /// A console after a campaign of fresh-sips was sent to two entrants and to one other number.
    pub(crate) async fn with_sent_campaign() -> Self {
        let console = Self::new().await;
        console.register_entrant(1, "fresh-sips").await;
        console.register_entrant(2, "garden-bag").await;
        let numbers = [phone(1), phone(2), phone(3)];
        console.send_campaign_to(&numbers).await;
        assert_eq!(console.sent_messages().len(), 3);
        console
    }

    /// Creates a template and sends a campaign to these numbers.
    pub(crate) async fn send_campaign_to(&self, numbers: &[String]) {
        let body = json!({"templateId": self.create_template().await, "campaignName": "Summer",
                          "scheduledDate": "2025-08-01T12:00:00Z", "targetAudience": "custom",
                          "customPhoneNumbers": numbers});
        self.schedule_campaign(&body).await;
        self.deliver_messages().await;
    }

    /// All campaigns, the newest first.
    pub(crate) async fn campaigns(&self) -> Vec<Value> {
        let list = self.get("/api/admin/sms/campaigns").await.json();
        list["campaigns"].as_array().unwrap().clone()
    }

    pub(crate) async fn newest_campaign(&self) -> Value {
        self.campaigns().await.remove(0)
    }

    /// Whether the `n`th phone number opted out.
    pub(crate) fn has_opted_out(&self, n: u32) -> bool {
        let phone = Phone::from_e164(&phone(n)).unwrap();
        self.store
            .read::<_, StoreError>(|tx| tx.has_opted_out(&phone))
            .unwrap()
    }

    /// A callback of the provider, signed with this token for this URL.
    pub(crate) fn signed_callback(
        path: &str,
        parameters: &[(String, String)],
        token: &str,
        url: &str,
    ) -> TestRequest {
        unsigned_callback(path, parameters)
            .insert_header(("X-Twilio-Signature", FakeSms::sign(token, url, parameters)))
    }

    /// Sends a callback of the provider with a valid signature.
    pub(crate) async fn post_callback(&self, path: &str, parameters: &[(String, String)]) -> Response {
        let url = format!("https://example.org{path}");
        self.send(Self::signed_callback(path, parameters, ENVIRONMENT_TOKEN, &url))
            .await
    }

    /// Sends the status callback with which the provider reports this status of a message.
    pub(crate) async fn report_status(&self, message: &SentMessage, status: ProviderStatus) {
        let report = self.sms.status_callback(&message.message.id, status, None);
        let response = self.post_callback(&status_callback_path(message), &report).await;
        assert_eq!(response.status, 200, "{:?}", response.bytes);
    }
}

/// A callback of the provider without a signature.
pub(crate) fn unsigned_callback(path: &str, parameters: &[(String, String)]) -> TestRequest {
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    TestRequest::post()
        .uri(path)
        .insert_header(("Content-Type", "application/x-www-form-urlencoded"))
        .set_payload(body)
}

/// The `n`th phone number.
pub(crate) fn phone(n: u32) -> String {
    format!("+1555123{n:04}")
}

/// The tracking id in a campaign message's link.
pub(crate) fn tracking_id(message: &SentMessage) -> String {
    let (_, rest) = message.outgoing.body.split_once("/planter/").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

/// The message's id, read from its callback URL.
pub(crate) fn message_id(message: &SentMessage) -> MessageId {
    let (_, id) = message.outgoing.status_callback.split_once("?text=").unwrap();
    MessageId::new(id.parse().unwrap())
}

/// The path of the message's status callbacks.
pub(crate) fn status_callback_path(message: &SentMessage) -> String {
    let url = &message.outgoing.status_callback;
    url.strip_prefix("https://example.org").unwrap().to_owned()
}
