//! A receiver of Twilio's webhooks and status callbacks.

use actix_web::HttpResponse;
use stand_ins::kit::testing::{ReceivedWebhook, WebhookReceiver};
use std::collections::BTreeMap;
use std::ops::Deref;

pub(crate) const TWIML: &str = "<Response><Message>Help</Message></Response>";

pub(crate) struct Receiver(WebhookReceiver);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Callback {
    pub(crate) signature: String,
    pub(crate) query: String,
    form: BTreeMap<String, String>,
}

impl Callback {
    pub(crate) fn get(&self, name: &str) -> &str {
        self.form.get(name).map(String::as_str).unwrap_or_default()
    }
}

impl From<ReceivedWebhook> for Callback {
    fn from(webhook: ReceivedWebhook) -> Self {
        Self {
            signature: webhook.header("x-twilio-signature"),
            form: url::form_urlencoded::parse(&webhook.body).into_owned().collect(),
            query: webhook.query,
        }
    }
}

impl Receiver {
    pub(crate) async fn start() -> Self {
        let respond = || HttpResponse::Ok().content_type("text/xml").body(TWIML);
        Self(WebhookReceiver::start(respond).await)
    }

    pub(crate) async fn next(&self) -> Callback {
        self.0.next().await.into()
    }

    /// The statuses of the next callbacks.
    pub(crate) async fn statuses(&self, count: usize) -> Vec<String> {
        let mut statuses = Vec::new();
        for _ in 0..count {
            statuses.push(self.next().await.get("MessageStatus").to_owned());
        }
        statuses
    }
}

impl Deref for Receiver {
    type Target = WebhookReceiver;

    fn deref(&self) -> &WebhookReceiver {
        &self.0
    }
}
