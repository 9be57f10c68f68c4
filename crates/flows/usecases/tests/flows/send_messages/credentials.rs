use super::fixture::{Fixture, STAFF, credentials, seconds};
use fakes::PlainSealer;
use kernel::{Clock, StoreError, UnitOfWork};
use sms::SmsSettings;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use usecases::credentials as accounts;

#[tokio::test(start_paused = true)]
async fn refused_credentials_halt_sending_until_staff_save_others() {
    let fixture = Fixture::open();
    *fixture.provider.refused.lock().unwrap() = Some(credentials('a'));
    let ids = fixture.queue(20);
    fixture
        .while_sending(async {
            sleep(seconds(3)).await;
            assert!(fixture.is_halted());
            let since = Instant::now();
            sleep(seconds(60)).await;
            assert_eq!(fixture.provider.calls_since(since), 0);
            assert_eq!(
                fixture.statuses(&ids),
                BTreeSet::from(["pending"]),
                "nothing is lost"
            );
            let sealer = PlainSealer::default();
            accounts::save(&fixture.store, &*fixture.clock, &sealer, STAFF, &credentials('b')).unwrap();
            sleep(seconds(5)).await;
            assert_eq!((fixture.sent(), fixture.is_halted()), (20, false));
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_text_that_is_taken_after_others_were_saved_goes_with_the_new_account() {
    let fixture = Fixture::open();
    *fixture.provider.refused.lock().unwrap() = Some(credentials('a'));
    let sealer = PlainSealer::default();
    fixture
        .while_sending(async {
            // At many moments between two renewals of the lease, which read the account too.
            for round in 0..20 {
                sleep(seconds(2) + Duration::from_millis(50) * round).await;
                accounts::save(&fixture.store, &*fixture.clock, &sealer, STAFF, &credentials('a')).unwrap();
                sleep(seconds(2)).await;
                accounts::save(&fixture.store, &*fixture.clock, &sealer, STAFF, &credentials('b')).unwrap();
                fixture.queue_to(round);
                sleep(seconds(2)).await;
            }
            let calls = fixture.provider.calls_since(fixture.clock.0);
            assert_eq!((fixture.sent(), calls), (20, 20));
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn refused_credentials_are_tried_again_after_a_while() {
    let fixture = Fixture::open();
    *fixture.provider.refused.lock().unwrap() = Some(credentials('a'));
    fixture.queue(20);
    fixture
        .while_sending(async {
            sleep(seconds(60)).await;
            *fixture.provider.refused.lock().unwrap() = None;
            sleep(seconds(60)).await;
            assert_eq!(fixture.sent(), 0);
            fixture.wait_for(20).await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_late_refusal_of_replaced_credentials_halts_nothing() {
    let fixture = Fixture::open();
    *fixture.provider.refused.lock().unwrap() = Some(credentials('a'));
    *fixture.provider.latency.lock().unwrap() = seconds(5);
    fixture.queue(5);
    fixture
        .while_sending(async {
            sleep(seconds(2)).await;
            assert_eq!(fixture.provider.calls_since(fixture.clock.0), 5, "no answer yet");
            let sealer = PlainSealer::default();
            accounts::save(&fixture.store, &*fixture.clock, &sealer, STAFF, &credentials('b')).unwrap();
            *fixture.provider.latency.lock().unwrap() = Duration::from_millis(50);
            sleep(seconds(8)).await;
            assert_eq!((fixture.sent(), fixture.is_halted()), (5, false));
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn while_the_saved_account_cannot_be_opened_no_other_account_sends() {
    let fixture = Fixture::open();
    let sealer = PlainSealer::default();
    accounts::save(&fixture.store, &*fixture.clock, &sealer, STAFF, &credentials('b')).unwrap();
    // As if it had been sealed with a key that is not configured any more.
    let at = fixture.clock.now();
    fixture
        .store
        .transaction::<_, StoreError>(|tx| tx.save_sealed_credentials(b"sealed with another key", at))
        .unwrap();
    let ids = fixture.queue(20);
    fixture
        .while_sending(async {
            sleep(seconds(60)).await;
            assert_eq!(fixture.sent(), 0);
            assert_eq!(
                fixture.statuses(&ids),
                BTreeSet::from(["pending"]),
                "nothing is lost"
            );
            accounts::save(&fixture.store, &*fixture.clock, &sealer, STAFF, &credentials('b')).unwrap();
            fixture.wait_for(20).await;
        })
        .await;
}
