//! A stand-in, and calls of it.

use serde_json::{Value, json};
use std::time::Duration;
use twilio_stand_in::{Config, StandIn};

pub(crate) const ACCOUNT: &str = "AC0123456789abcdef0123456789abcdef";
pub(crate) const TOKEN: &str = "fedcba9876543210fedcba9876543210";
pub(crate) const SENDER: &str = "+15557654321";
pub(crate) const SOMEBODY: &str = "+15551234567";

pub(crate) struct Desk {
    stand_in: StandIn,
    pub(crate) http: reqwest::Client,
}

impl Desk {
    pub(crate) async fn open() -> Self {
        Self::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self {
            stand_in: StandIn::start(config).await.unwrap(),
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    pub(crate) async fn close(self) {
        self.stand_in.stop().await;
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.stand_in.url())
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        json_of(self.http.get(self.url(path))).await.1
    }

    pub(crate) async fn control(&self, path: &str, body: Value) -> (u16, Value) {
        let request = self.http.post(self.url(&format!("/control/{path}")));
        json_of(request.body(body.to_string())).await
    }

    /// A change of the stand-in that it must take.
    pub(crate) async fn set(&self, path: &str, body: Value) {
        let (status, said) = self.control(path, body).await;
        assert_eq!(status, 200, "{said}");
    }

    /// A call that asks for a text with these fields.
    pub(crate) fn call(&self, fields: &[(&str, &str)]) -> reqwest::RequestBuilder {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        self.http
            .post(self.url(&format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json")))
            .basic_auth(ACCOUNT, Some(TOKEN))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
    }

    /// A call that is as it should be.
    pub(crate) fn text(&self, to: &str, body: &str) -> reqwest::RequestBuilder {
        self.call(&[("To", to), ("From", SENDER), ("Body", body)])
    }

    /// The name of a new text that is told about there.
    pub(crate) async fn told(&self, to: &str, callback: &str) -> String {
        let fields = [
            ("To", to),
            ("From", SENDER),
            ("Body", "Hello"),
            ("StatusCallback", callback),
        ];
        let (status, text) = json_of(self.call(&fields)).await;
        assert_eq!(status, 201, "{text}");
        text["sid"].as_str().unwrap().to_owned()
    }

    /// What the API answers, behind the account.
    pub(crate) async fn read(&self, path: &str) -> (u16, Value) {
        let url = self.url(&format!("/2010-04-01/Accounts/{ACCOUNT}{path}"));
        json_of(self.http.get(url).basic_auth(ACCOUNT, Some(TOKEN))).await
    }

    /// Waits until no text is on its way.
    pub(crate) async fn carried(&self) -> Value {
        loop {
            let found = self.get("/control/callbacks").await;
            if found["waiting"] == 0 {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(crate) async fn violations(&self) -> usize {
        let found = self.get("/control/violations").await;
        found["violations"].as_array().unwrap().len()
    }

    pub(crate) async fn calls(&self) -> Value {
        self.get("/control/calls").await["calls"].take()
    }

    /// The texts that were accepted.
    pub(crate) async fn accepted(&self) -> Vec<Value> {
        let found = self.get("/control/messages").await;
        let texts = found["messages"].as_array().unwrap().clone();
        assert_eq!(found["total"], json!(texts.len()));
        texts
    }
}

pub(crate) async fn json_of(request: reqwest::RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    (
        status,
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap(),
    )
}
