use crate::office::{Office, seconds};
use fakes::MemStore;
use kernel::{PageRequest, StoreError, UnitOfWork};
use sms::{Campaigns, Fence};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use usecases::deliver_messages::release_lease;
use usecases::{RunError, Runner};

#[tokio::test(start_paused = true)]
async fn a_sender_that_loses_the_lease_stops_and_every_message_is_sent_once() {
    let office = Office::open();
    let ids = office.queue(60);
    office
        .while_sending(async {
            office.wait_for(20).await;
            let first = Fence::new(1);
            release_lease(&office.store, &*office.clock, first).unwrap();
            let second = office.other_sender_acquires_lease().unwrap();
            sleep(seconds(2)).await;
            let since = Instant::now();
            sleep(seconds(1)).await;
            assert_eq!(office.provider.calls_since(since), 0, "another server sends");
            release_lease(&office.store, &*office.clock, second).unwrap();
            office.wait_for(60).await;
        })
        .await;
    assert_eq!(office.statuses(&ids), BTreeSet::from(["sent"]));
}

/// A store that is away at times.
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
async fn sending_stops_while_the_store_is_away_and_goes_on_after_it() {
    let office = Office::open();
    let ids = office.queue(60);
    let is_away = Arc::new(Mutex::new(false));
    let runner = AwayRunner {
        store: office.store.clone(),
        is_away: is_away.clone(),
    };
    let script = async {
        office.wait_for(20).await;
        *is_away.lock().unwrap() = true;
        sleep(seconds(4)).await;
        let since = Instant::now();
        sleep(seconds(20)).await;
        assert_eq!(office.provider.calls_since(since), 0, "its lease has ended");
        *is_away.lock().unwrap() = false;
        office.wait_for(60).await;
    };
    office.while_sending_with(runner, script).await;
    assert_eq!(office.statuses(&ids), BTreeSet::from(["sent"]));
}

/// Answers late about a step that started a campaign.
#[derive(Clone)]
struct SlowCampaigns {
    store: MemStore,
    delay: Duration,
}

impl SlowCampaigns {
    fn started(&self) -> usize {
        let all = PageRequest { limit: 10, offset: 0 };
        let campaigns = self
            .store
            .read::<_, StoreError>(|tx| tx.list_campaigns(all))
            .unwrap();
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
    let office = Office::open();
    office.schedule_campaign(30);
    let runner = SlowCampaigns {
        store: office.store.clone(),
        delay: seconds(20),
    };
    let script = async {
        sleep(seconds(1)).await;
        assert_eq!(runner.started(), 1);
        for _ in 0..38 {
            sleep(Duration::from_millis(500)).await;
            assert_eq!(office.other_sender_acquires_lease(), None);
        }
        office.wait_for(30).await;
    };
    office.while_sending_with(runner.clone(), script).await;
}
