//! The fakes keep the contracts of the gateways.

#![allow(clippy::unwrap_used, reason = "anything unexpected fails the test")]

use tokio as _; // the macros make tests that run on it

mod payments {
    use contracts::payments::PaymentsProvider;
    use fakes::FakePayments;
    use pricing::{IntentId, Payments};
    use std::future::ready;

    struct Provider(FakePayments);

    impl PaymentsProvider for Provider {
        fn payments(&self) -> &dyn Payments {
            &self.0
        }

        async fn pay(&self, intent: &IntentId) {
            self.0.succeed(intent);
        }

        async fn decline(&self, intent: &IntentId) {
            self.0.decline(intent);
        }

        async fn cancel(&self, intent: &IntentId) {
            self.0.cancel(intent);
        }
    }

    contracts::payments_contract!(ready(Provider(FakePayments::default())));
}

mod sms_sender {
    use chrono::{DateTime, Utc};
    use contracts::sms_sender::{NextAnswer, SmsProvider};
    use fakes::{FakeSms, FixedClock, SmsAnswer};
    use kernel::{Clock, Phone};
    use sms::{Credentials, Failure, SmsSender};
    use std::future::ready;

    struct Provider(FakeSms);

    impl SmsProvider for Provider {
        fn sender(&self) -> &dyn SmsSender {
            &self.0
        }

        fn credentials(&self) -> Credentials {
            let hex = "0123456789abcdef0123456789abcdef";
            Credentials::parse(&format!("AC{hex}"), hex, "+15557654321").unwrap()
        }

        fn now(&self) -> DateTime<Utc> {
            FixedClock::default().now()
        }

        async fn answer_next(&self, to: &Phone, answer: NextAnswer) {
            let answer = match answer {
                NextAnswer::Refused(code) => SmsAnswer::Refused(Failure {
                    code: Some(code),
                    sentence: "Refused".to_owned(),
                }),
                NextAnswer::OptedOut => SmsAnswer::OptedOut,
                NextAnswer::TooMany => SmsAnswer::NotSent { retry_after: None },
            };
            self.0.answer_next(to, answer);
        }

        async fn reject_credentials(&self) {
            self.0.refuse_credentials(true);
        }
    }

    contracts::sms_sender_contract!(ready(Provider(FakeSms::default())));
}
