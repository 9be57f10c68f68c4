//! The story of sending messages, on the fakes and in paused time: a test that waits an hour takes a moment.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is unexpected fails the test"
)]

mod support;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FakeSms, FixedClock, MemStore, PlainSealer, SeededEntropy, SmsAnswer};
use kernel::{Clock, PageRequest, Phone, Raffle, StoreError, UnitOfWork};
use sms::{
    Audience, Campaigns, Credentials, DEFAULT_PLACEHOLDER, Dispatching, Fence, Label, LinkBase, MessageId,
    MessageKind, MessageQuery, MessageQueryError, MessageStatus, MessageTemplate, NewMessage, NewTemplate,
    Outbox, OutgoingMessage, ProviderMessage, SendError, SmsSender,
};
use staff::{Actor, SessionId};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::InlineRunner;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use usecases::campaigns::{ScheduleCommand, SmsRules};
use usecases::deliver_messages::{acquire_lease, is_halted, release_lease};
use usecases::provider_callbacks::find_message;
use usecases::send_messages::SendingTools;
use usecases::{RunError, Runner, campaigns, credentials as accounts, send_messages, sms_templates};

const STAFF: Actor = Actor {
    session: SessionId::new(1),
    address: None,
};
const PER_SECOND: u32 = 10;

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).unwrap()
}

fn credentials(digit: char) -> Credentials {
    let hex = digit.to_string().repeat(32);
    Credentials::parse(&format!("AC{hex}"), &hex, "+15550000000").unwrap()
}

/// Follows Tokio's paused time, from noon on.
struct PausedClock(Instant);

impl Clock for PausedClock {
    fn now(&self) -> DateTime<Utc> {
        FixedClock::default().now() + TimeDelta::from_std(self.0.elapsed()).unwrap()
    }
}

/// A provider whose answers take time.
#[derive(Clone)]
struct Provider {
    sms: FakeSms,
    clock: Arc<PausedClock>,
    latency: Arc<Mutex<Duration>>,
    refused: Arc<Mutex<Option<Credentials>>>,
    calls: Arc<Mutex<Vec<Instant>>>,
}

impl Provider {
    fn calls_since(&self, since: Instant) -> usize {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|at| **at >= since).count()
    }
}

#[async_trait]
impl SmsSender for Provider {
    async fn send_message(
        &self,
        credentials: &Credentials,
        message: &OutgoingMessage,
    ) -> Result<ProviderMessage, SendError> {
        self.calls.lock().unwrap().push(Instant::now());
        let latency = *self.latency.lock().unwrap();
        sleep(latency).await;
        if self.refused.lock().unwrap().as_ref() == Some(credentials) {
            return Err(SendError::Credentials);
        }
        self.sms.set_now(self.clock.now());
        self.sms.send_message(credentials, message).await
    }

    async fn find_message(
        &self,
        credentials: &Credentials,
        query: &MessageQuery,
    ) -> Result<Option<ProviderMessage>, MessageQueryError> {
        self.sms.find_message(credentials, query).await
    }
}

/// One server, and what it works with.
struct Office {
    store: MemStore,
    provider: Provider,
    clock: Arc<PausedClock>,
}

impl Office {
    fn open() -> Self {
        let clock = Arc::new(PausedClock(Instant::now()));
        let provider = Provider {
            sms: FakeSms::default(),
            clock: clock.clone(),
            latency: Arc::new(Mutex::new(Duration::from_millis(50))),
            refused: Arc::default(),
            calls: Arc::default(),
        };
        Self {
            store: MemStore::default(),
            provider,
            clock,
        }
    }

    fn tools(&self) -> SendingTools {
        SendingTools {
            sender: Arc::new(self.provider.clone()),
            clock: self.clock.clone(),
            sealer: Arc::new(PlainSealer::default()),
            entropy: Arc::new(SeededEntropy::new(1)),
            environment: Some(credentials('a')),
            rules: Arc::new(SmsRules {
                public_origin: "https://example.org".to_owned(),
                time_zone: chrono_tz::America::New_York,
                quiet_hours: None,
                monthly_cap: 1,
            }),
            max_per_second: PER_SECOND,
        }
    }

    /// Runs the story while the script runs, and until it has stopped.
    async fn while_sending(&self, script: impl Future<Output = ()>) {
        self.while_sending_with(InlineRunner, script).await;
    }

    async fn while_sending_with<R: Runner + 'static>(&self, runner: R, script: impl Future<Output = ()>) {
        let (stop, stopping) = watch::channel(false);
        let story = send_messages::run(self.store.clone(), runner, self.tools(), stopping);
        let script = async {
            script.await;
            stop.send(true).unwrap();
        };
        tokio::join!(story, script);
    }

    /// Queues a message to each of so many numbers.
    fn queue(&self, count: u32) -> Vec<MessageId> {
        (0..count).map(|n| self.queue_to(n)).collect()
    }

    fn queue_to(&self, n: u32) -> MessageId {
        let message = NewMessage {
            kind: MessageKind::Test,
            entrant: None,
            phone: phone(n),
            body: Some(format!("Hello {n}")),
            at: self.clock.now(),
        };
        self.store
            .transaction::<_, StoreError>(|tx| tx.queue_message(&message))
            .unwrap()
    }

    fn schedule_campaign(&self, recipients: u32) {
        let clock = &*self.clock;
        let template = NewTemplate {
            name: Label::parse("June").unwrap(),
            raffle: Raffle::KitchenGarden,
            message: MessageTemplate::parse("Look: {LINK}", DEFAULT_PLACEHOLDER).unwrap(),
            is_active: true,
        };
        let template = sms_templates::create(&self.store, clock, STAFF, &template).unwrap();
        let command = ScheduleCommand {
            actor: STAFF,
            name: Label::parse("Summer").unwrap(),
            template: template.id,
            scheduled_at: clock.now(),
            audience: Audience::Custom((0..recipients).map(phone).collect()),
            link_base: LinkBase::parse("https://example.org").unwrap(),
            idempotency_key: None,
        };
        campaigns::schedule(&self.store, clock, &SeededEntropy::new(0), &command).unwrap();
    }

    fn statuses(&self, ids: &[MessageId]) -> BTreeSet<&'static str> {
        let status = |id: &MessageId| find_message(&self.store, *id).unwrap().unwrap().status.name();
        ids.iter().map(status).collect()
    }

    fn status(&self, id: MessageId) -> MessageStatus {
        find_message(&self.store, id).unwrap().unwrap().status
    }

    /// The number of messages that the provider sent. No number got two.
    fn sent(&self) -> usize {
        let sent = self.provider.sms.sent();
        let numbers: BTreeSet<_> = sent
            .iter()
            .map(|sent| sent.outgoing.to.as_e164().to_owned())
            .collect();
        assert_eq!(numbers.len(), sent.len(), "a message was sent twice");
        sent.len()
    }

    /// Waits until the provider has sent so many messages.
    async fn wait_for(&self, count: usize) {
        let deadline = Instant::now() + seconds(600);
        while self.sent() < count {
            assert!(Instant::now() < deadline, "{} of {count} were sent", self.sent());
            sleep(Duration::from_millis(10)).await;
        }
    }

    fn is_halted(&self) -> bool {
        is_halted(&self.store).unwrap()
    }

    fn other_sender_acquires_lease(&self) -> Option<Fence> {
        acquire_lease(&self.store, &*self.clock, "another server").unwrap()
    }
}

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

#[tokio::test(start_paused = true)]
async fn a_message_that_may_have_been_sent_is_looked_up_before_it_is_sent_again() {
    let office = Office::open();
    let ids = office.queue(2);
    for (n, sent) in [(0, true), (1, false)] {
        office
            .provider
            .sms
            .answer_next(&phone(n), SmsAnswer::Lost { sent });
    }
    office
        .while_sending(async {
            sleep(seconds(3)).await;
            assert_eq!(office.statuses(&ids), BTreeSet::from(["unknown"]));
            assert_eq!(office.sent(), 1);
            office.wait_for(2).await;
        })
        .await;
    assert_eq!(office.statuses(&ids), BTreeSet::from(["sent"]));
    assert_eq!(office.provider.calls.lock().unwrap().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_messages_in_flight_and_releases_the_others() {
    let office = Office::open();
    *office.provider.latency.lock().unwrap() = seconds(3);
    let ids = office.queue(60);
    office.while_sending(sleep(seconds(2))).await;
    let sent = office.sent();
    assert_eq!(sent, office.provider.calls.lock().unwrap().len());
    assert!((10..25).contains(&sent), "{sent}");
    assert_eq!(office.statuses(&ids), BTreeSet::from(["pending", "sent"]));
    assert!(
        office.other_sender_acquires_lease().is_some(),
        "the lease is free at once"
    );
    let now = office.clock.now();
    let uncertain = |tx: &mut fakes::MemTx| tx.claim_uncertain(Fence::new(2), 10, now, now);
    let uncertain = office
        .store
        .transaction::<_, StoreError>(uncertain)
        .unwrap()
        .unwrap();
    assert_eq!(uncertain, [], "there is nothing to look up");
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_long_for_a_provider_that_hangs() {
    let office = Office::open();
    *office.provider.latency.lock().unwrap() = seconds(3_600);
    let id = office.queue(1)[0];
    office.while_sending(sleep(seconds(2))).await;
    assert!(
        office.clock.0.elapsed() < seconds(11),
        "{:?}",
        office.clock.0.elapsed()
    );
    assert_eq!(
        office.status(id),
        MessageStatus::Sending,
        "the next sender looks it up"
    );
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
