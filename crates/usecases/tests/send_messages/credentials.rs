use crate::office::{Office, STAFF, credentials, seconds};
use fakes::PlainSealer;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use usecases::credentials as accounts;

#[tokio::test(start_paused = true)]
async fn refused_credentials_stop_sending_until_staff_save_others() {
    let office = Office::open();
    *office.provider.refused.lock().unwrap() = Some(credentials('a'));
    let ids = office.queue(20);
    office
        .while_sending(async {
            sleep(seconds(3)).await;
            assert!(office.is_halted());
            let since = Instant::now();
            sleep(seconds(60)).await;
            assert_eq!(office.provider.calls_since(since), 0);
            assert_eq!(
                office.statuses(&ids),
                BTreeSet::from(["pending"]),
                "nothing is lost"
            );
            let sealer = PlainSealer::default();
            accounts::save(&office.store, &*office.clock, &sealer, STAFF, &credentials('b')).unwrap();
            sleep(seconds(5)).await;
            assert_eq!((office.sent(), office.is_halted()), (20, false));
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn refused_credentials_are_tried_again_after_a_while() {
    let office = Office::open();
    *office.provider.refused.lock().unwrap() = Some(credentials('a'));
    office.queue(20);
    office
        .while_sending(async {
            sleep(seconds(60)).await;
            *office.provider.refused.lock().unwrap() = None;
            sleep(seconds(60)).await;
            assert_eq!(office.sent(), 0);
            office.wait_for(20).await;
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_late_refusal_of_replaced_credentials_stops_nothing() {
    let office = Office::open();
    *office.provider.refused.lock().unwrap() = Some(credentials('a'));
    *office.provider.latency.lock().unwrap() = seconds(5);
    office.queue(5);
    office
        .while_sending(async {
            sleep(seconds(2)).await;
            assert_eq!(office.provider.calls_since(office.clock.0), 5, "no answer yet");
            let sealer = PlainSealer::default();
            accounts::save(&office.store, &*office.clock, &sealer, STAFF, &credentials('b')).unwrap();
            *office.provider.latency.lock().unwrap() = Duration::from_millis(50);
            sleep(seconds(8)).await;
            assert_eq!((office.sent(), office.is_halted()), (5, false));
        })
        .await;
}
