//! The adapter keeps the contract that the fake keeps too.

use crate::client::{TestTwilio, credentials, in_minutes, unknown_auth_token};
use chrono::{DateTime, Utc};
use contracts::sms_sender::{NextAnswer, SmsProvider};
use kernel::Phone;
use serde_json::json;
use sms::{Credentials, SmsSender};

/// The error code of a number that opted out.
const OPTED_OUT: u32 = 21610;

impl SmsProvider for TestTwilio {
    fn sender(&self) -> &dyn SmsSender {
        &self.sms
    }

    fn credentials(&self) -> Credentials {
        credentials()
    }

    fn now(&self) -> DateTime<Utc> {
        in_minutes(0)
    }

    async fn answer_next(&self, to: &Phone, answer: NextAnswer) {
        let refuse = async |code: u32| {
            let fate = json!({"phoneNumber": to.as_e164(), "fate": {"refused": code}});
            self.set("numbers", fate).await;
        };
        match answer {
            NextAnswer::Refused(code) => refuse(code).await,
            NextAnswer::OptedOut => refuse(OPTED_OUT).await,
            NextAnswer::TooMany => {
                self.set("failures", json!({"kind": "tooMany", "method": "POST"}))
                    .await
            }
        }
    }

    async fn reject_credentials(&self) {
        self.set("account", unknown_auth_token()).await;
    }

    async fn finish(self) {
        self.stop().await;
    }
}

contracts::sms_sender_contract!(TestTwilio::start());
