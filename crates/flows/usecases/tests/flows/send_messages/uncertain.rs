use super::fixture::{Fixture, phone, seconds};
use fakes::SmsAnswer;
use kernel::{Clock, StoreError, UnitOfWork};
use sms::{Dispatching, Fence, MessageStatus};
use std::collections::BTreeSet;
use tokio::time::sleep;

#[tokio::test(start_paused = true)]
async fn a_message_that_may_have_been_sent_is_looked_up_before_it_is_sent_again() {
    let fixture = Fixture::open();
    let ids = fixture.queue(2);
    for (n, sent) in [(0, true), (1, false)] {
        fixture
            .provider
            .sms
            .answer_next(&phone(n), SmsAnswer::Lost { sent });
    }
    fixture
        .while_sending(async {
            sleep(seconds(3)).await;
            assert_eq!(fixture.statuses(&ids), BTreeSet::from(["unknown"]));
            assert_eq!(fixture.sent(), 1);
            fixture.wait_for(2).await;
        })
        .await;
    assert_eq!(fixture.statuses(&ids), BTreeSet::from(["sent"]));
    assert_eq!(fixture.provider.calls.lock().unwrap().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_messages_in_flight_and_releases_the_others() {
    let fixture = Fixture::open();
    *fixture.provider.latency.lock().unwrap() = seconds(3);
    let ids = fixture.queue(60);
    fixture.while_sending(sleep(seconds(2))).await;
    let sent = fixture.sent();
    assert_eq!(sent, fixture.provider.calls.lock().unwrap().len());
    assert!((10..25).contains(&sent), "{sent}");
    assert_eq!(fixture.statuses(&ids), BTreeSet::from(["pending", "sent"]));
    assert!(
        fixture.other_sender_acquires_lease().is_some(),
        "the lease is free at once"
    );
    let now = fixture.clock.now();
    let uncertain = |tx: &mut fakes::MemTx| tx.claim_uncertain(Fence::new(2), 10, now, now);
    let uncertain = fixture
        .store
        .transaction::<_, StoreError>(uncertain)
        .unwrap()
        .unwrap();
    assert_eq!(uncertain, [], "there is nothing to look up");
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_long_for_a_provider_that_hangs() {
    let fixture = Fixture::open();
    *fixture.provider.latency.lock().unwrap() = seconds(3_600);
    let id = fixture.queue(1)[0];
    fixture.while_sending(sleep(seconds(2))).await;
    assert!(
        fixture.clock.0.elapsed() < seconds(11),
        "{:?}",
        fixture.clock.0.elapsed()
    );
    assert_eq!(
        fixture.status(id),
        MessageStatus::Sending,
        "the next sender looks it up"
    );
}
