//! Sending push messages, on the fakes.

use crate::support::InlineRunner;
use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use claims::ClaimKey;
use fakes::{FakeSeeds, FixedClock, MemStore, PlainSealer, SeededEntropy};
use kernel::{EntrantId, Origin, Phone, StoreError, UnitOfWork};
use push::{
    Deliveries, Endpoint, EndpointRules, NewSubscription, PushMessage, PushOutcome, PushService,
    SubscriptionKeys,
};
use raffle::fixtures::GARDEN_BAG;
use raffle::{RaffleKey, SignUp};
use staff::{Actor, SecondPerson, SessionId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use usecases::claims::ClaimNotices;
use usecases::drawings::{DrawingTools, PerformDrawing, Schedule};

const RAFFLE: RaffleKey = GARDEN_BAG;

fn drawn_at() -> DateTime<Utc> {
    "2026-12-01T17:00:00Z".parse().unwrap()
}

/// Push services that answer by endpoint, and keep what they got.
#[derive(Default)]
struct FakePush {
    answers: HashMap<&'static str, PushOutcome>,
    got: Mutex<Vec<PushMessage>>,
}

#[async_trait]
impl PushService for FakePush {
    async fn push(&self, message: &PushMessage) -> PushOutcome {
        self.got.lock().unwrap().push(message.clone());
        let name = message.endpoint.as_str().rsplit('/').next().unwrap();
        let answer = self.answers.get(name).copied();
        if name == "slow" {
            sleep(Duration::from_secs(3600)).await;
        }
        answer.unwrap_or(PushOutcome::Accepted)
    }
}

impl FakePush {
    fn got(&self) -> Vec<PushMessage> {
        self.got.lock().unwrap().clone()
    }

    fn count(&self, name: &str) -> usize {
        self.got()
            .iter()
            .filter(|message| message.endpoint.as_str().ends_with(name))
            .count()
    }
}

fn entered(store: &MemStore) -> EntrantId {
    let command = SignUp {
        phone: Phone::from_e164("+12125550001").unwrap(),
        raffle: Some(RAFFLE),
        referral_code: None,
        event_id: None,
        consent: None,
        origin: Origin::default(),
        fingerprint: None,
        session: None,
    };
    let clock = FixedClock::at(drawn_at() - TimeDelta::days(1));
    let entered = usecases::entering::enter(store, &clock, &SeededEntropy::default(), &command, None);
    entered.unwrap().entrant.id
}

fn draw(store: &MemStore) {
    let (key, sealer) = (ClaimKey::new(&[7; 32]).unwrap(), PlainSealer::default());
    let tools = DrawingTools {
        entropy: &SeededEntropy::default(),
        seeds: &FakeSeeds::default(),
        sealer: &sealer,
        claims: ClaimNotices {
            key: &key,
            earlier: &[],
            sealer: &sealer,
            public_origin: "https://example.org",
            site_name: "Tombola",
        },
        time_zone: Tz::UTC,
        schedule: Schedule::Manual,
        beacon: None,
        delay: TimeDelta::hours(1),
        production: false,
    };
    let request = PerformDrawing {
        actor: Actor {
            member: None,
            session: SessionId::new(1),
            address: None,
        },
        second: SecondPerson::NotNeeded,
        raffle: RAFFLE,
        reason: None,
        prize: None,
        idempotency_key: None,
    };
    usecases::drawings::perform(store, tools, &request).unwrap();
}

/// A site with an entrant's browsers, whose raffle was drawn just now.
fn drawn(browsers: &[&str]) -> (MemStore, EntrantId) {
    let store = MemStore::with_rules();
    store.set_time(drawn_at() - TimeDelta::days(1));
    let entrant = entered(&store);
    for name in browsers {
        let endpoint = format!("https://fcm.googleapis.com/{name}");
        let new = NewSubscription {
            entrant,
            endpoint: Endpoint::parse(&endpoint, EndpointRules::KnownServices).unwrap(),
            keys: SubscriptionKeys::from_bytes([4; 65], [0; 16]).unwrap(),
            user_agent: None,
            at: drawn_at(),
        };
        usecases::push::subscribe(&store, &new).unwrap();
    }
    store.set_time(drawn_at());
    draw(&store);
    (store, entrant)
}

/// Runs the sender for so long, and stops it.
async fn run_for(store: &MemStore, service: &Arc<FakePush>, time: Duration) {
    let (stop, stopping) = watch::channel(false);
    let sending = usecases::push::run(store.clone(), InlineRunner, service.clone(), stopping);
    let stopping_later = async {
        sleep(time).await;
        stop.send(true).unwrap();
    };
    let both = async { tokio::join!(sending, stopping_later) };
    timeout(time + Duration::from_secs(10), both).await.unwrap();
}

fn waiting(store: &MemStore) -> i64 {
    store.read::<_, StoreError>(|tx| tx.count_deliveries()).unwrap()
}

fn active(store: &MemStore, entrant: EntrantId) -> usize {
    store.endpoints_of(entrant).len()
}

const MOMENT: Duration = Duration::from_secs(3);

#[tokio::test(start_paused = true)]
async fn every_browser_gets_one_message_that_leads_to_the_drawing() {
    let (store, entrant) = drawn(&["a", "b"]);
    let service = Arc::new(FakePush::default());
    run_for(&store, &service, MOMENT).await;
    run_for(&store, &service, MOMENT).await;
    assert_eq!((service.count("a"), service.count("b")), (1, 1));
    let message = &service.got()[0];
    let payload = String::from_utf8(message.payload.clone()).unwrap();
    assert!(
        payload.contains(r#""url":"/drawings/1""#) && payload.contains("Garden Bag"),
        "{payload}"
    );
    assert!(!payload.contains("555"), "it names nobody");
    assert_eq!(
        (message.topic.as_str(), message.ttl.as_secs()),
        ("drawing-1", 24 * 60 * 60)
    );
    assert_eq!((waiting(&store), active(&store, entrant)), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn a_subscription_that_is_gone_is_given_up_and_a_refused_message_is_not_sent_again() {
    let (store, entrant) = drawn(&["gone", "refused"]);
    let answers = HashMap::from([
        ("gone", PushOutcome::Gone),
        ("refused", PushOutcome::Refused(413)),
    ]);
    let service = Arc::new(FakePush {
        answers,
        ..FakePush::default()
    });
    run_for(&store, &service, MOMENT).await;
    assert_eq!((service.count("gone"), service.count("refused")), (1, 1));
    assert_eq!((waiting(&store), active(&store, entrant)), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_message_that_cannot_be_sent_now_is_sent_later_and_never_a_day_late() {
    let (store, _) = drawn(&["busy"]);
    let answers = HashMap::from([("busy", PushOutcome::Later { after: None })]);
    let busy = Arc::new(FakePush {
        answers,
        ..FakePush::default()
    });
    run_for(&store, &busy, MOMENT).await;
    assert_eq!((busy.count("busy"), waiting(&store)), (1, 1), "it waits");
    store.set_time(drawn_at() + TimeDelta::seconds(31));
    run_for(&store, &busy, MOMENT).await;
    assert_eq!((busy.count("busy"), waiting(&store)), (2, 1));
    store.set_time(drawn_at() + TimeDelta::hours(25));
    run_for(&store, &busy, MOMENT).await;
    assert_eq!((busy.count("busy"), waiting(&store)), (2, 0), "it is too old");
}

#[tokio::test(start_paused = true)]
async fn a_stop_records_what_was_sent_and_leaves_the_rest_to_others() {
    let (store, _) = drawn(&["a", "slow"]);
    let service = Arc::new(FakePush::default());
    run_for(&store, &service, MOMENT).await;
    assert_eq!(waiting(&store), 1, "nobody knows whether it was sent");
    store.set_time(drawn_at() + TimeDelta::minutes(2));
    let other = Arc::new(FakePush::default());
    run_for(&store, &other, MOMENT).await;
    assert_eq!((other.count("a"), other.count("slow")), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_once_loses_nothing() {
    let (store, _) = drawn(&["a"]);
    store.fail_next(StoreError::Unavailable("away".into()));
    let service = Arc::new(FakePush::default());
    run_for(&store, &service, MOMENT).await;
    assert_eq!((service.count("a"), waiting(&store)), (1, 0));
}
