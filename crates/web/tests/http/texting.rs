//! Staff at work with texts, and a provider that does as it is told.

use crate::site::{Answer, a_site, ask_all, get, post, register, sign_in, signed, sms};
use actix_web::test::TestRequest;
use fakes::{FakeSms, FixedClock, MemStore, SeededEntropy, SentMessage};
use serde_json::{Value, json};
use sms::{Credentials, Fence, MessageId, Outcome, SmsSender};
use std::sync::Arc;
use web::{AppState, SmsServices};

pub(crate) const TEMPLATES: &str = "/api/admin/sms/templates";
pub(crate) const SCHEDULE: &str = "/api/admin/sms/campaigns/schedule";

/// What signs the provider's calls, while staff have saved no other account.
pub(crate) const ENVIRONMENT_TOKEN: &str = "00112233445566778899aabbccddeeff";

/// The account that the server was started with.
pub(crate) fn environment() -> Credentials {
    let sid = format!("AC{}", "e".repeat(32));
    Credentials::parse(&sid, ENVIRONMENT_TOKEN, "+15550001111").unwrap()
}

pub(crate) struct Desk {
    pub(crate) store: MemStore,
    pub(crate) sms: FakeSms,
    pub(crate) token: String,
    entropy: Arc<SeededEntropy>,
}

impl Desk {
    pub(crate) async fn open() -> Self {
        let store = MemStore::default();
        Self {
            token: sign_in(&store).await,
            store,
            sms: FakeSms::default(),
            entropy: Arc::default(),
        }
    }

    /// With an account from the environment.
    pub(crate) fn state(&self) -> AppState {
        let sms = SmsServices {
            environment: Some(environment()),
            callbacks: Arc::new(self.sms.clone()),
            ..sms()
        };
        AppState {
            sms,
            entropy: self.entropy.clone(),
            ..a_site()
        }
    }

    pub(crate) async fn ask(&self, request: TestRequest) -> Answer {
        ask_all(&self.store, self.state(), vec![request]).await.remove(0)
    }

    pub(crate) async fn read(&self, path: &str) -> Answer {
        self.ask(signed(get(path), &self.token)).await
    }

    pub(crate) async fn write(&self, path: &str, body: &Value) -> Answer {
        self.ask(signed(post(path, &body.to_string()), &self.token)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        let request = TestRequest::put()
            .uri(path)
            .insert_header(("Content-Type", "application/json"))
            .set_payload(body.to_string());
        self.ask(signed(request, &self.token)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.ask(signed(TestRequest::delete().uri(path), &self.token))
            .await
    }

    /// What was written down last: action, target and details.
    pub(crate) async fn last_entry(&self) -> (Value, Value, Value) {
        let log = self.read("/api/admin/audit-log?limit=1").await.json();
        let part = |name: &str| log["entries"][0][name].clone();
        (part("action"), part("target"), part("details"))
    }

    /// Somebody who agreed to campaign texts enters; the welcome text is sent with the next delivery.
    pub(crate) async fn enter(&self, n: u32, landing_page: &str) -> Value {
        let body = json!({"phoneNumber": phone(n), "landingPage": landing_page, "smsConsent": true});
        let entered = self.ask(register(&body.to_string())).await;
        assert_eq!(entered.status, 201, "{:?}", entered.bytes);
        entered.json()["user"]["id"].clone()
    }

    /// A template of fresh-sips.
    pub(crate) async fn template(&self) -> Value {
        let body = json!({"name": "June", "landingPage": "fresh-sips", "messageTemplate": "Look: {LINK}"});
        let made = self.write(TEMPLATES, &body).await;
        assert_eq!(made.status, 201, "{:?}", made.bytes);
        made.json()["id"].clone()
    }

    /// A campaign that is due.
    pub(crate) async fn schedule(&self, plan: &Value) -> Value {
        let scheduled = self.write(SCHEDULE, plan).await;
        assert_eq!(scheduled.status, 201, "{:?}", scheduled.bytes);
        scheduled.json()
    }

    /// Begins the campaigns that are due.
    pub(crate) fn begin(&self) -> Fence {
        let clock = FixedClock::default();
        let fence = usecases::deliver_messages::acquire_lease(&self.store, &clock, "a process")
            .unwrap()
            .unwrap();
        usecases::deliver_messages::start_and_finish_campaigns(&self.store, &clock, fence).unwrap();
        fence
    }

    /// Sends all that is to be sent, and ends the campaigns that are over.
    pub(crate) async fn deliver(&self) {
        let (clock, rules) = (FixedClock::default(), self.state().sms.rules);
        let fence = self.begin();
        loop {
            let texts =
                usecases::deliver_messages::claim_next_messages(&self.store, &clock, &rules, fence, 500)
                    .unwrap();
            if texts.is_empty() {
                break;
            }
            for text in texts {
                let result = self.sms.send_message(&environment(), &text.outgoing).await;
                let now = kernel::Clock::now(&clock);
                let what = usecases::deliver_messages::report_of_send(result, text.attempt, now, 0).unwrap();
                let outcome = Outcome {
                    text: text.id,
                    attempt: text.attempt,
                    what,
                };
                usecases::deliver_messages::record_outcomes(&self.store, &clock, &[outcome]).unwrap();
            }
        }
        usecases::deliver_messages::start_and_finish_campaigns(&self.store, &clock, fence).unwrap();
    }

    /// The texts of campaigns that the provider sent.
    pub(crate) fn sent(&self) -> Vec<SentMessage> {
        let mut sent = self.sms.sent();
        sent.retain(|sent| sent.outgoing.body.contains("/planter/"));
        sent
    }

    /// The text of a campaign that this number was sent.
    pub(crate) fn sent_to(&self, n: u32) -> SentMessage {
        let all = self.sent();
        let of_number = all.iter().find(|sent| sent.outgoing.to.as_e164() == phone(n));
        of_number.unwrap().clone()
    }

    /// A call of the provider, signed with this token as if it went to this address.
    pub(crate) fn call(path: &str, parameters: &[(String, String)], token: &str, url: &str) -> TestRequest {
        unsigned_call(path, parameters)
            .insert_header(("X-Twilio-Signature", FakeSms::sign(token, url, parameters)))
    }

    /// The provider calls, as it does.
    pub(crate) async fn tell(&self, path: &str, parameters: &[(String, String)]) -> Answer {
        let url = format!("https://example.org{path}");
        self.ask(Self::call(path, parameters, ENVIRONMENT_TOKEN, &url))
            .await
    }
}

pub(crate) fn unsigned_call(path: &str, parameters: &[(String, String)]) -> TestRequest {
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    TestRequest::post()
        .uri(path)
        .insert_header(("Content-Type", "application/x-www-form-urlencoded"))
        .set_payload(body)
}

/// The number of the `n`th person.
pub(crate) fn phone(n: u32) -> String {
    format!("+1555123{n:04}")
}

/// What the link of a text ends in.
pub(crate) fn tracking_id(text: &SentMessage) -> String {
    let (_, id) = text.outgoing.body.split_once("/planter/").unwrap();
    id.to_owned()
}

/// Which text it is, as its address for callbacks says.
pub(crate) fn text_id(text: &SentMessage) -> MessageId {
    let (_, id) = text.outgoing.status_callback.split_once("?text=").unwrap();
    MessageId::new(id.parse().unwrap())
}

/// The address at which the provider tells of a text.
pub(crate) fn status_path(text: &SentMessage) -> String {
    let address = &text.outgoing.status_callback;
    address.strip_prefix("https://example.org").unwrap().to_owned()
}
