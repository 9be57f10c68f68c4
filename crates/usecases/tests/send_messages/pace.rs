use crate::office::{Office, PER_SECOND, phone, seconds};
use fakes::SmsAnswer;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, sleep};

#[tokio::test(start_paused = true)]
async fn everything_is_sent_once_at_the_pace() {
    let office = Office::open();
    let ids = office.queue(100);
    office.while_sending(office.wait_for(100)).await;
    assert_eq!(office.statuses(&ids), BTreeSet::from(["sent"]));
    let calls = office.provider.calls.lock().unwrap().clone();
    for (first, later) in calls.iter().zip(&calls[PER_SECOND as usize..]) {
        let apart = later.duration_since(*first);
        assert!(apart > Duration::from_millis(980), "eleven within {apart:?}");
    }
    let all = calls[99].duration_since(calls[0]);
    assert!(all < Duration::from_millis(10_500), "no time is lost: {all:?}");
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_is_too_busy_is_left_alone_for_as_long_as_it_asks() {
    let office = Office::open();
    office.queue(20);
    let retry_after = Some(seconds(30));
    office
        .provider
        .sms
        .answer_next(&phone(5), SmsAnswer::NotSent { retry_after });
    office
        .while_sending(async {
            office.wait_for(5).await;
            sleep(seconds(1)).await;
            let since = Instant::now();
            sleep(seconds(28)).await;
            assert_eq!(office.provider.calls_since(since), 0);
            office.wait_for(20).await;
        })
        .await;
    assert_eq!(office.provider.calls.lock().unwrap().len(), 21);
}
