use super::fixture::{Fixture, PER_SECOND, phone, seconds};
use chrono::TimeDelta;
use fakes::SmsAnswer;
use kernel::{Clock, Phone, StoreError, UnitOfWork};
use sms::{MessageKind, NewMessage, Outbox, QuietHours, RecipientHours};
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

/// A number in New York, where it is 8:00 when the test begins.
fn in_new_york(n: u32) -> Phone {
    Phone::from_e164(&format!("+1212555{n:04}")).unwrap()
}

fn queue_winner_text(fixture: &Fixture, n: u32) {
    let message = NewMessage {
        kind: MessageKind::Victory,
        entrant: None,
        phone: in_new_york(n),
        body: Some(format!("You may have won {n}").into()),
        at: fixture.clock.now(),
    };
    let queue = |tx: &mut fakes::MemTx| tx.queue_message(&message);
    fixture.store.transaction::<_, StoreError>(queue).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_message_that_waited_for_the_provider_is_not_sent_after_hours() {
    let from_five_past_eight = QuietHours {
        from: 8 * 60 + 5,
        until: 9 * 60,
    };
    let hours = RecipientHours::new(Some(from_five_past_eight), chrono_tz::UTC).ok();
    let fixture = Fixture {
        hours,
        ..Fixture::open()
    };
    let eight = fixture.clock.now();
    fixture.store.set_time(eight);
    (0..20).for_each(|n| queue_winner_text(&fixture, n));
    let busy = SmsAnswer::NotSent {
        retry_after: Some(seconds(360)),
    };
    fixture.provider.sms.answer_next(&in_new_york(5), busy);
    fixture
        .while_sending(async {
            fixture.wait_for(5).await;
            sleep(seconds(1)).await;
            // The next ones are claimed already. The provider takes messages again at 8:06.
            fixture.store.set_time(eight + TimeDelta::minutes(6));
            let since = Instant::now();
            sleep(seconds(59 * 60)).await;
            assert_eq!(fixture.provider.calls_since(since), 0);
            fixture.store.set_time(eight + TimeDelta::minutes(60));
            fixture.wait_for(20).await;
        })
        .await;
    assert_eq!(fixture.provider.calls.lock().unwrap().len(), 21);
}
