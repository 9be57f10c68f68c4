use super::fixture::{Fixture, seconds};
use fakes::MemStore;
use kernel::StoreError;
use sms::{CampaignFilter, Fence};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use usecases::send_messages::steps::release_lease;
use usecases::{RunError, Runner};

#[tokio::test(start_paused = true)]
async fn a_sender_that_loses_the_lease_stops_and_every_message_is_sent_once() {
    let fixture = Fixture::open();
    let ids = fixture.queue(60);
    fixture
        .while_sending(async {
            fixture.wait_for(20).await;
            let first = Fence::new(1);
            release_lease(&fixture.store, &*fixture.clock, first).unwrap();
            let second = fixture.other_sender_acquires_lease().unwrap();
            sleep(seconds(2)).await;
            let since = Instant::now();
            sleep(seconds(1)).await;
            assert_eq!(fixture.provider.calls_since(since), 0, "another server sends");
            release_lease(&fixture.store, &*fixture.clock, second).unwrap();
            fixture.wait_for(60).await;
        })
        .await;
    assert_eq!(fixture.statuses(&ids), BTreeSet::from(["sent"]));
}

/// A runner whose store is unavailable at times.
#[derive(Clone)]
struct AwayRunner {
    store: MemStore,
    is_away: Arc<Mutex<bool>>,
}

impl Runner for AwayRunner {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        if *self.is_away.lock().unwrap() {
            self.store.fail_next(StoreError::Unavailable("away".into()));
        }
        Ok(step())
    }
}

#[tokio::test(start_paused = true)]
async fn sending_pauses_while_the_store_is_unavailable() {
    let fixture = Fixture::open();
    let ids = fixture.queue(60);
    let is_away = Arc::new(Mutex::new(false));
    let runner = AwayRunner {
        store: fixture.store.clone(),
        is_away: is_away.clone(),
    };
    let script = async {
        fixture.wait_for(20).await;
        *is_away.lock().unwrap() = true;
        sleep(seconds(4)).await;
        let since = Instant::now();
        sleep(seconds(20)).await;
        assert_eq!(fixture.provider.calls_since(since), 0, "its lease has ended");
        *is_away.lock().unwrap() = false;
        fixture.wait_for(60).await;
    };
    fixture.while_sending_with(runner, script).await;
    assert_eq!(fixture.statuses(&ids), BTreeSet::from(["sent"]));
}

/// A runner that returns late from a step that started a campaign.
#[derive(Clone)]
struct SlowCampaigns {
    store: MemStore,
    delay: Duration,
}

impl SlowCampaigns {
    fn started(&self) -> usize {
        let all = CampaignFilter::default();
        let campaigns = usecases::campaigns::newest(&self.store, &all, 10).unwrap();
        campaigns
            .iter()
            .filter(|campaign| campaign.started_at.is_some())
            .count()
    }
}

impl Runner for SlowCampaigns {
    async fn run<T: Send + 'static>(&self, step: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
        let before = self.started();
        let result = step();
        if self.started() > before {
            sleep(self.delay).await;
        }
        Ok(result)
    }
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_renewed_while_a_large_campaign_starts() {
    let fixture = Fixture::open();
    fixture.schedule_campaign(30);
    let runner = SlowCampaigns {
        store: fixture.store.clone(),
        delay: seconds(20),
    };
    let script = async {
        sleep(seconds(1)).await;
        assert_eq!(runner.started(), 1);
        for _ in 0..38 {
            sleep(Duration::from_millis(500)).await;
            assert_eq!(fixture.other_sender_acquires_lease(), None);
        }
        fixture.wait_for(30).await;
    };
    fixture.while_sending_with(runner.clone(), script).await;
}
