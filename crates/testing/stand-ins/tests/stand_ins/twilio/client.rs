//! A running stand-in, and calls of its API.

use serde_json::{Value, json};
use stand_ins::kit::testing::{TestStandIn, status_and_json};
use stand_ins::twilio::Config;
use std::ops::Deref;
use std::time::Duration;

pub(crate) const ACCOUNT: &str = "AC0123456789abcdef0123456789abcdef";
pub(crate) const TOKEN: &str = "fedcba9876543210fedcba9876543210";
pub(crate) const SENDER: &str = "+15557654321";
pub(crate) const RECIPIENT: &str = "+15551234567";

pub(crate) struct TestTwilio(TestStandIn);

impl Deref for TestTwilio {
    type Target = TestStandIn;

    fn deref(&self) -> &TestStandIn {
        &self.0
    }
}

impl TestTwilio {
    pub(crate) async fn start() -> Self {
        Self::start_with(Config::default()).await
    }

    pub(crate) async fn start_with(config: Config) -> Self {
        Self(TestStandIn::start(config).await)
    }

    pub(crate) async fn stop(self) {
        self.0.stop().await;
    }

    /// A request that creates a message with these parameters.
    pub(crate) fn create(&self, parameters: &[(&str, &str)]) -> reqwest::RequestBuilder {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(parameters)
            .finish();
        self.http
            .post(self.url(&format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json")))
            .basic_auth(ACCOUNT, Some(TOKEN))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
    }

    /// A valid request that creates a message.
    pub(crate) fn message(&self, to: &str, body: &str) -> reqwest::RequestBuilder {
        self.create(&[("To", to), ("From", SENDER), ("Body", body)])
    }

    /// Creates a message with a status callback. Returns its SID.
    pub(crate) async fn create_with_callback(&self, to: &str, callback: &str) -> String {
        let parameters = [
            ("To", to),
            ("From", SENDER),
            ("Body", "Hello"),
            ("StatusCallback", callback),
        ];
        let (status, message) = status_and_json(self.create(&parameters)).await;
        assert_eq!(status, 201, "{message}");
        message["sid"].as_str().unwrap().to_owned()
    }

    /// The response to a GET of a path after the account.
    pub(crate) async fn read(&self, path: &str) -> (u16, Value) {
        let url = self.url(&format!("/2010-04-01/Accounts/{ACCOUNT}{path}"));
        status_and_json(self.http.get(url).basic_auth(ACCOUNT, Some(TOKEN))).await
    }

    /// Waits until all messages are delivered. Returns the counts of callbacks.
    pub(crate) async fn all_delivered(&self) -> Value {
        loop {
            let counts = self.get("/control/callbacks").await;
            if counts["waiting"] == 0 {
                return counts;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(crate) async fn calls(&self) -> Value {
        self.get("/control/calls").await["calls"].take()
    }

    /// The messages that were accepted.
    pub(crate) async fn accepted(&self) -> Vec<Value> {
        let found = self.get("/control/messages").await;
        let messages = found["messages"].as_array().unwrap().clone();
        assert_eq!(found["total"], json!(messages.len()));
        messages
    }
}
