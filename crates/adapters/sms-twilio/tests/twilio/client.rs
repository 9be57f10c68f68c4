//! The adapter and the stand-in that it calls.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Phone;
use serde_json::{Value, json};
use sms::{
    Credentials, MessageQuery, MessageQueryError, OutgoingMessage, ProviderMessage, SendError, SmsSender,
};
use sms_twilio::{Timeouts, TwilioSms};
use stand_ins::kit::testing::TestStandIn;
use stand_ins::twilio::Config;
use std::error::Error;
use std::ops::Deref;
use std::time::Duration;

pub(crate) const ACCOUNT: &str = "AC0123456789abcdef0123456789abcdef";
pub(crate) const TOKEN: &str = "fedcba9876543210fedcba9876543210";
pub(crate) const SENDER: &str = "+15557654321";
pub(crate) const RECIPIENT: &str = "+15551234567";
pub(crate) const MARK: &str = "https://tombola.example/planter/garden-bcdfghjklmnp";
/// The stand-in sends no callbacks here, so this is only a URL.
pub(crate) const CALLBACK: &str = "https://tombola.example/api/twilio/status?text=7";

pub(crate) struct TestTwilio {
    stand_in: TestStandIn,
    pub(crate) sms: TwilioSms,
}

impl Deref for TestTwilio {
    type Target = TestStandIn;

    fn deref(&self) -> &TestStandIn {
        &self.stand_in
    }
}

impl TestTwilio {
    pub(crate) async fn start() -> Self {
        let minute = Duration::from_secs(60);
        Self::start_with(Timeouts {
            connect_timeout: minute,
            total_timeout: minute,
        })
        .await
    }

    pub(crate) async fn start_with(patience: Timeouts) -> Self {
        let config = Config {
            callbacks: false,
            ..Config::default()
        };
        let stand_in = TestStandIn::start(config).await;
        let sms = TwilioSms::new(stand_in.base().parse().unwrap(), patience).unwrap();
        Self { stand_in, sms }
    }

    /// Stops, and expects that everything matched Twilio's schemas.
    pub(crate) async fn stop(self) {
        self.stand_in.stop_without_violations().await;
    }

    /// Sends a message to [`RECIPIENT`].
    pub(crate) async fn send(&self) -> Result<ProviderMessage, SendError> {
        self.sms.send_message(&credentials(), &text_to(RECIPIENT)).await
    }

    /// Finds the message to [`RECIPIENT`] since this many minutes from now.
    pub(crate) async fn find(&self, minutes: i64) -> Result<Option<ProviderMessage>, MessageQueryError> {
        self.sms
            .find_message(&credentials(), &query(in_minutes(minutes)))
            .await
    }

    /// The messages that the provider accepted.
    pub(crate) async fn accepted(&self) -> Vec<Value> {
        let found = self.get("/control/messages").await;
        found["messages"].as_array().unwrap().clone()
    }

    /// The number of API calls by operation and result.
    pub(crate) async fn calls(&self) -> Value {
        self.get("/control/calls").await["calls"].take()
    }

    /// Waits until all messages are delivered.
    pub(crate) async fn all_delivered(&self) {
        while self.get("/control/callbacks").await["waiting"] != 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// An adapter whose provider cannot be reached.
pub(crate) fn unreachable() -> TwilioSms {
    // No program may listen there: it is a port of the system.
    TwilioSms::new("http://127.0.0.1:1".parse().unwrap(), Timeouts::default()).unwrap()
}

/// Expects that neither an error nor its causes contain phone numbers, message texts or credentials.
pub(crate) fn assert_no_private_data(error: &(impl Error + 'static)) {
    let mut shown = format!("{error:?} {error}");
    let mut source = error.source();
    while let Some(error) = source {
        shown.push_str(&error.to_string());
        source = error.source();
    }
    for private in [
        &RECIPIENT[1..],
        &SENDER[1..],
        ACCOUNT,
        TOKEN,
        MARK,
        "planter",
        "text=7",
    ] {
        assert!(!shown.contains(private), "{shown}");
    }
}

pub(crate) fn unknown_auth_token() -> Value {
    json!({"accountSid": ACCOUNT, "authToken": "0".repeat(32)})
}

pub(crate) fn credentials() -> Credentials {
    Credentials::parse(ACCOUNT, TOKEN, SENDER).unwrap()
}

pub(crate) fn text_to(to: &str) -> OutgoingMessage {
    OutgoingMessage {
        to: Phone::from_e164(to).unwrap(),
        body: format!("Your planter & more: {MARK} – Grüße 🎉"),
        status_callback: CALLBACK.to_owned(),
    }
}

pub(crate) fn query(since: DateTime<Utc>) -> MessageQuery {
    MessageQuery {
        to: Phone::from_e164(RECIPIENT).unwrap(),
        needle: MARK.to_owned(),
        since,
    }
}

#[expect(clippy::disallowed_methods, reason = "the stand-in uses the system clock")]
pub(crate) fn in_minutes(minutes: i64) -> DateTime<Utc> {
    Utc::now() + TimeDelta::minutes(minutes)
}
