//! Helpers that the tests share.

use crate::support::InlineRunner;
pub(crate) use crate::support::STAFF;
use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use fakes::{FakeSms, FixedClock, MemStore, PlainSealer, SeededEntropy};
use kernel::{Clock, Phone, StoreError, UnitOfWork};
use raffle::fixtures::KITCHEN_GARDEN;
use sms::{
    Audience, Credentials, DEFAULT_PLACEHOLDER, Fence, Label, LinkBase, MessageId, MessageKind, MessageQuery,
    MessageQueryError, MessageStatus, MessageTemplate, NewMessage, NewTemplate, Outbox, OutgoingMessage,
    ProviderMessage, RecipientHours, SendError, SmsSender, Start,
};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use usecases::campaigns::{ScheduleCommand, SmsRules};
use usecases::provider_callbacks::find_message;
use usecases::send_messages::SendingTools;
use usecases::send_messages::steps::{acquire_lease, is_halted};
use usecases::{Runner, campaigns, send_messages, sms_templates};

pub(crate) const PER_SECOND: u32 = 10;

pub(crate) fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub(crate) fn phone(n: u32) -> Phone {
    Phone::from_e164(&format!("+1555{n:07}")).unwrap()
}

pub(crate) fn credentials(digit: char) -> Credentials {
    let hex = digit.to_string().repeat(32);
    Credentials::parse(&format!("AC{hex}"), &hex, "+15550000000").unwrap()
}

/// Follows Tokio's paused time, from noon on.
pub(crate) struct PausedClock(pub(crate) Instant);

impl Clock for PausedClock {
    fn now(&self) -> DateTime<Utc> {
        FixedClock::default().now() + TimeDelta::from_std(self.0.elapsed()).unwrap()
    }
}

/// A provider with latency.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) sms: FakeSms,
    pub(crate) clock: Arc<PausedClock>,
    pub(crate) latency: Arc<Mutex<Duration>>,
    pub(crate) refused: Arc<Mutex<Option<Credentials>>>,
    pub(crate) calls: Arc<Mutex<Vec<Instant>>>,
}

impl Provider {
    pub(crate) fn calls_since(&self, since: Instant) -> usize {
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

/// A store, a provider and a clock for one server.
pub(crate) struct Fixture {
    pub(crate) store: MemStore,
    pub(crate) provider: Provider,
    pub(crate) clock: Arc<PausedClock>,
    pub(crate) hours: Option<RecipientHours>,
}

impl Fixture {
    pub(crate) fn open() -> Self {
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
            hours: None,
        }
    }

    pub(crate) fn tools(&self) -> SendingTools {
        SendingTools {
            sender: Arc::new(self.provider.clone()),
            clock: self.clock.clone(),
            sealer: Arc::new(PlainSealer::default()),
            body_sealer: Arc::new(PlainSealer::default()),
            entropy: Arc::new(SeededEntropy::new(1)),
            environment: Some(credentials('a')),
            rules: Arc::new(SmsRules {
                public_origin: "https://example.org".to_owned(),
                site_name: "Tombola".to_owned(),
                time_zone: chrono_tz::America::New_York,
                hours: self.hours.clone(),
                monthly_cap: 1,
                daily_budget: sms::DailyBudget::new(10_000),
                countries: sms::SmsCountries::default(),
            }),
            max_per_second: PER_SECOND,
        }
    }

    /// Sends messages while `script` runs, and waits until sending has stopped.
    pub(crate) async fn while_sending(&self, script: impl Future<Output = ()>) {
        self.while_sending_with(InlineRunner, script).await;
    }

    pub(crate) async fn while_sending_with<R: Runner + 'static>(
        &self,
        runner: R,
        script: impl Future<Output = ()>,
    ) {
        let (stop, stopping) = watch::channel(false);
        let sending = send_messages::run(self.store.clone(), runner, self.tools(), stopping);
        let script = async {
            script.await;
            stop.send(true).unwrap();
        };
        tokio::join!(sending, script);
    }

    /// Queues a message to each of `count` numbers.
    pub(crate) fn queue(&self, count: u32) -> Vec<MessageId> {
        (0..count).map(|n| self.queue_to(n)).collect()
    }

    pub(crate) fn queue_to(&self, n: u32) -> MessageId {
        let message = NewMessage {
            kind: MessageKind::Test,
            entrant: None,
            phone: phone(n),
            body: Some(format!("Hello {n}").into()),
            at: self.clock.now(),
        };
        self.store
            .transaction::<_, StoreError>(|tx| tx.queue_message(&message))
            .unwrap()
    }

    pub(crate) fn schedule_campaign(&self, recipients: u32) {
        let clock = &*self.clock;
        let template = NewTemplate {
            name: Label::parse("June").unwrap(),
            raffle: KITCHEN_GARDEN,
            message: MessageTemplate::parse("Look: {LINK}", DEFAULT_PLACEHOLDER).unwrap(),
            is_active: true,
        };
        let template = sms_templates::create(&self.store, clock, STAFF, None, &template).unwrap();
        let command = ScheduleCommand {
            actor: STAFF,
            staff: None,
            name: Label::parse("Summer").unwrap(),
            template: template.id,
            start: Start::Now,
            audience: Audience::Custom((0..recipients).map(phone).collect()),
            consent_basis: None,
            link_base: LinkBase::parse("https://example.org").unwrap(),
            idempotency_key: None,
        };
        campaigns::schedule(&self.store, clock, &SeededEntropy::new(0), &command).unwrap();
    }

    pub(crate) fn statuses(&self, ids: &[MessageId]) -> BTreeSet<&'static str> {
        let status = |id: &MessageId| find_message(&self.store, *id).unwrap().unwrap().status.as_str();
        ids.iter().map(status).collect()
    }

    pub(crate) fn status(&self, id: MessageId) -> MessageStatus {
        find_message(&self.store, id).unwrap().unwrap().status
    }

    /// The number of messages that the provider sent. Fails if a number got two.
    pub(crate) fn sent(&self) -> usize {
        let sent = self.provider.sms.sent();
        let numbers: BTreeSet<_> = sent
            .iter()
            .map(|sent| sent.outgoing.to.as_e164().to_owned())
            .collect();
        assert_eq!(numbers.len(), sent.len(), "a message was sent twice");
        sent.len()
    }

    /// Waits until the provider has sent `count` messages.
    pub(crate) async fn wait_for(&self, count: usize) {
        let deadline = Instant::now() + seconds(600);
        while self.sent() < count {
            assert!(Instant::now() < deadline, "{} of {count} were sent", self.sent());
            sleep(Duration::from_millis(10)).await;
        }
    }

    pub(crate) fn is_halted(&self) -> bool {
        is_halted(&self.store).unwrap()
    }

    pub(crate) fn other_sender_acquires_lease(&self) -> Option<Fence> {
        acquire_lease(&self.store, &*self.clock, "another server").unwrap()
    }
}
