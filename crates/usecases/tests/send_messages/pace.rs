use crate::fixture::{Fixture, PER_SECOND, phone, seconds};
use fakes::SmsAnswer;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};

#[tokio::test(start_paused = true)]
async fn every_message_is_sent_once_at_the_pace() {
    let fixture = Fixture::open();
    let ids = fixture.queue(100);
    fixture.while_sending(fixture.wait_for(100)).await;
    assert_eq!(fixture.statuses(&ids), BTreeSet::from(["sent"]));
    let calls = fixture.provider.calls.lock().unwrap().clone();
    for (first, later) in calls.iter().zip(&calls[PER_SECOND as usize..]) {
        let apart = later.duration_since(*first);
        assert!(apart > Duration::from_millis(980), "eleven within {apart:?}");
    }
    let all = calls[99].duration_since(calls[0]);
    assert!(all < Duration::from_millis(10_500), "no time is lost: {all:?}");
}

#[tokio::test(start_paused = true)]
async fn sending_pauses_for_as_long_as_a_busy_provider_asks() {
    let fixture = Fixture::open();
    fixture.queue(20);
    let retry_after = Some(seconds(30));
    fixture
        .provider
        .sms
        .answer_next(&phone(5), SmsAnswer::NotSent { retry_after });
    fixture
        .while_sending(async {
            fixture.wait_for(5).await;
            sleep(seconds(1)).await;
            let since = Instant::now();
            sleep(seconds(28)).await;
            assert_eq!(fixture.provider.calls_since(since), 0);
            fixture.wait_for(20).await;
        })
        .await;
    assert_eq!(fixture.provider.calls.lock().unwrap().len(), 21);
}
