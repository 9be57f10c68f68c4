//! The fakes keep the contracts of the gateways.

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

mod beacon {
    use contracts::beacon::BeaconNetwork;
    use drawing::beacon::{Asked, Beacon, BeaconVerifier, Round};
    use fakes::FakeBeacon;
    use std::future::ready;

    struct Network(FakeBeacon);

    fn round(number: u64) -> Round {
        Round::new(number).unwrap()
    }

    fn network() -> Network {
        let network = Network(FakeBeacon::default());
        for published in network.published() {
            network.0.publish(published);
        }
        network
    }

    impl BeaconNetwork for Network {
        fn beacon(&self) -> &dyn Beacon {
            &self.0
        }

        fn verifier(&self) -> &dyn BeaconVerifier {
            &self.0
        }

        fn published(&self) -> [Round; 2] {
            [round(1000), round(1001)]
        }

        fn future(&self) -> Round {
            round(1002)
        }

        async fn go_away(&self) {
            self.0.set_away(true);
        }

        async fn come_back(&self) {
            self.0.set_away(false);
        }
    }

    contracts::beacon_contract!(ready(network()));

    #[tokio::test]
    async fn a_test_decides_what_is_published_and_sees_what_was_asked() {
        let beacon = FakeBeacon::default();
        beacon.publish(round(7));
        let published = Asked::Published(FakeBeacon::signature_of(round(7)));
        assert_eq!(beacon.ask(round(7)).await, published);
        beacon.withhold(round(7));
        assert_ne!(beacon.ask(round(7)).await, published);
        assert_eq!(beacon.clone().asked(), [round(7), round(7)]);
        let by_hand = FakeBeacon::signature_of(round(8));
        assert!(beacon.verifies(beacon.chain(), round(8), &by_hand));
    }
}
