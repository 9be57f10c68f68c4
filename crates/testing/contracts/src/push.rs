//! Messages of browsers about drawings.

use crate::Store;
use crate::drawing_flow::kit::{Kit, drawn, entered_with_friends, request};
use crate::support::{at_once, entered, new_entrant, noon};
use ::push::{
    Attempt, Deliveries, Endpoint, EndpointRules, MESSAGE_LIFE, NewSubscription, Next, SubscriptionKeys,
    Subscriptions, Waiting,
};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{DatabaseClock, DrawingId, EntrantId, StoreError};
use privacy::Erasure;
use raffle::Entrants;
use usecases::push::{SubscribeError, subscribe, unsubscribe};

fn endpoint(name: &str) -> Endpoint {
    Endpoint::parse(
        &format!("https://fcm.googleapis.com/{name}"),
        EndpointRules::KnownServices,
    )
    .unwrap()
}

fn subscription(entrant: EntrantId, name: &str, second: i64) -> NewSubscription {
    NewSubscription {
        entrant,
        endpoint: endpoint(name),
        keys: SubscriptionKeys::from_bytes([4; 65], [second.to_be_bytes()[7]; 16]).unwrap(),
        user_agent: Some("Test".to_owned()),
        at: noon() + TimeDelta::seconds(second),
    }
}

pub(crate) fn subscribed<S: Store>(store: &S, entrant: EntrantId, name: &str, second: i64) {
    subscribe(store, &subscription(entrant, name, second)).unwrap();
}

/// What a transaction saw that is then taken back.
enum TakenBack {
    IsSubscribed(bool),
    Store(StoreError),
}

impl From<StoreError> for TakenBack {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Those of these browsers that are subscriptions of an entrant: an end of each would find it.
fn subscribed_of<S: Store, const N: usize>(
    store: &S,
    entrant: EntrantId,
    names: [&'static str; N],
) -> Vec<&'static str> {
    let is_subscribed = |name: &&str| {
        let end = |tx: &mut S::Tx| -> Result<(), _> {
            let was_there = tx.unsubscribe(entrant, &endpoint(name))?;
            Err(TakenBack::IsSubscribed(was_there))
        };
        match store.transaction(end) {
            Err(TakenBack::IsSubscribed(was_there)) => was_there,
            Err(TakenBack::Store(error)) => panic!("{error}"),
            Ok(()) => unreachable!("it is taken back"),
        }
    };
    names.into_iter().filter(is_subscribed).collect()
}

fn now<S: Store>(store: &S) -> DateTime<Utc> {
    store.read::<_, StoreError>(|tx| tx.database_time()).unwrap()
}

fn queue<S: Store>(store: &S) -> Option<DrawingId> {
    let now = now(store);
    store
        .transaction::<_, StoreError>(|tx| tx.queue_result(now))
        .unwrap()
}

fn claim<S: Store>(store: &S, at: DateTime<Utc>, limit: u32) -> Vec<Waiting> {
    let until = at + TimeDelta::minutes(1);
    store
        .transaction::<_, StoreError>(|tx| tx.claim_deliveries(at, until, limit))
        .unwrap()
}

fn end<S: Store>(store: &S, waiting: &Waiting, next: Next) {
    let attempt = Attempt {
        id: waiting.id,
        subscription: waiting.subscription,
        next,
    };
    store
        .transaction::<_, StoreError>(|tx| tx.record_attempts(&[attempt]))
        .unwrap();
}

fn count<S: Store>(store: &S) -> i64 {
    store.read::<_, StoreError>(|tx| tx.count_deliveries()).unwrap()
}

/// An entrant of the raffle that is drawn.
fn taking_part<S: Store>(store: &S) -> EntrantId {
    entered_with_friends(store, 1, 1).id
}

fn told(waiting: &[Waiting]) -> Vec<Endpoint> {
    let mut told: Vec<_> = waiting.iter().map(|waiting| waiting.endpoint.clone()).collect();
    told.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    told
}

pub fn a_browser_subscribes_once_and_ends_it<S: Store>(store: &S) {
    let (one, other) = (entered(store, 1).id, entered(store, 2).id);
    subscribed(store, one, "a", 1);
    subscribed(store, one, "a", 2);
    subscribed(store, one, "b", 3);
    assert_eq!(subscribed_of(store, one, ["a", "b"]), ["a", "b"]);
    assert!(
        !unsubscribe(store, other, &endpoint("a")).unwrap(),
        "it is somebody else's"
    );
    assert!(unsubscribe(store, one, &endpoint("a")).unwrap());
    assert!(!unsubscribe(store, one, &endpoint("a")).unwrap());
    assert_eq!(subscribed_of(store, one, ["a", "b"]), ["b"]);
    let refused = subscribe(store, &subscription(EntrantId::new(77), "c", 4));
    assert!(matches!(refused, Err(SubscribeError::UnknownEntrant)));
}

pub fn a_browser_belongs_to_who_subscribed_last<S: Store>(store: &S) {
    let (one, other) = (entered(store, 1).id, entered(store, 2).id);
    subscribed(store, one, "a", 1);
    subscribed(store, other, "a", 2);
    assert_eq!(subscribed_of(store, one, ["a"]), [""; 0]);
    assert_eq!(subscribed_of(store, other, ["a"]), ["a"]);
}

pub fn a_sixth_browser_takes_the_place_of_the_oldest<S: Store>(store: &S) {
    let (one, other) = (entered(store, 1).id, entered(store, 2).id);
    subscribed(store, other, "other", 0);
    for (second, name) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        subscribed(store, one, name, i64::try_from(second).unwrap());
    }
    subscribed(store, one, "a", 10); // the browser came again
    subscribed(store, one, "f", 11);
    let all = ["a", "b", "c", "d", "e", "f"];
    assert_eq!(subscribed_of(store, one, all), ["a", "c", "d", "e", "f"]);
    assert_eq!(subscribed_of(store, other, ["other"]), ["other"]);
}

pub fn a_result_is_queued_once_for_every_browser_of_its_raffle<S: Store>(store: &S) {
    let entrant = taking_part(store);
    subscribed(store, entrant, "a", 1);
    subscribed(store, entrant, "b", 2);
    assert_eq!(queue(store), None);
    let state = drawn(store, &Kit::new(1));
    let queued = at_once(4, |_| queue(store));
    let first: Vec<_> = queued.into_iter().flatten().collect();
    assert_eq!(first, [state.id], "one server queues it");
    assert_eq!(count(store), 2);
    let waiting = claim(store, now(store), 10);
    assert_eq!(told(&waiting), [endpoint("a"), endpoint("b")]);
    let message = &waiting[0];
    assert_eq!(
        (message.drawing, message.prize.as_str(), message.attempts),
        (state.id, raffle::fixtures::prize(state.plan.raffle), 1)
    );
    assert_eq!(message.drawn_at, state.result.unwrap().entry.entry.at);
    subscribed(store, entrant, "later", 3);
    assert_eq!(
        queue(store),
        None,
        "who subscribes later is told of the next drawing"
    );
}

pub fn a_browser_of_another_raffle_is_not_told<S: Store>(store: &S) {
    taking_part(store);
    let other = new_entrant(9, "GGGG7777"); // of another raffle
    let added = store.transaction::<_, StoreError>(|tx| tx.add_entrant(&other));
    assert_eq!(added.unwrap(), Some(other.id));
    subscribed(store, other.id, "other", 1);
    let state = drawn(store, &Kit::new(1));
    assert_eq!(queue(store), Some(state.id));
    assert_eq!(count(store), 0);
}

pub fn a_result_of_yesterday_is_told_to_nobody<S: Store>(store: &S) {
    subscribed(store, taking_part(store), "a", 1);
    drawn(store, &Kit::new(1));
    let late = now(store) + MESSAGE_LIFE + TimeDelta::minutes(1);
    let queued = store.transaction::<_, StoreError>(|tx| tx.queue_result(late));
    assert_eq!(queued.unwrap(), None);
}

pub fn a_drawing_that_waits_for_its_round_is_not_told<S: Store>(store: &S) {
    subscribed(store, taking_part(store), "a", 1);
    let kit = Kit::with_beacon(1);
    kit.perform(store, &request(None)).unwrap();
    assert_eq!(queue(store), None);
}

pub fn a_claimed_message_is_due_again_only_later<S: Store>(store: &S) {
    let entrant = taking_part(store);
    for (name, second) in [("a", 1), ("b", 2), ("c", 3)] {
        subscribed(store, entrant, name, second);
    }
    drawn(store, &Kit::new(1));
    queue(store);
    let at = now(store);
    let claims = at_once(3, |_| claim(store, at, 1));
    let all: Vec<_> = claims.into_iter().flatten().collect();
    assert_eq!(told(&all), ["a", "b", "c"].map(endpoint), "each is claimed once");
    assert_eq!(claim(store, at, 10), []);
    end(store, &all[0], Next::Done);
    end(store, &all[1], Next::RetryAt(at + TimeDelta::hours(1)));
    let again = claim(store, at + TimeDelta::minutes(2), 10);
    assert_eq!(
        told(&again),
        [all[2].endpoint.clone()],
        "its sender did not come back"
    );
    assert_eq!(again[0].attempts, 2);
    let retried = claim(store, at + TimeDelta::hours(1), 10);
    assert_eq!(told(&retried), told(&all[1..]));
}

pub fn a_subscription_that_is_gone_gets_no_more_messages<S: Store>(store: &S) {
    let entrant = taking_part(store);
    subscribed(store, entrant, "a", 1);
    subscribed(store, entrant, "b", 2);
    drawn(store, &Kit::new(1));
    queue(store);
    let waiting = claim(store, now(store), 10);
    let gone = waiting
        .iter()
        .find(|each| each.endpoint == endpoint("a"))
        .unwrap();
    end(store, gone, Next::Deactivate);
    assert_eq!(count(store), 1, "its messages are gone");
    let told_next = |seed| {
        drawn(store, &Kit::new(seed));
        queue(store);
        told(&claim(store, now(store), 10))
    };
    assert_eq!(told_next(2), [endpoint("b")]);
    subscribed(store, entrant, "a", 5);
    assert_eq!(told_next(3), ["a", "b"].map(endpoint), "the browser came again");
}

pub fn who_ends_it_or_is_erased_is_told_nothing<S: Store>(store: &S) {
    let entrant = taking_part(store);
    subscribed(store, entrant, "a", 1);
    drawn(store, &Kit::new(1));
    queue(store);
    assert!(unsubscribe(store, entrant, &endpoint("a")).unwrap());
    assert_eq!(count(store), 0, "its messages go with the subscription");
    let other = entered(store, 5).id;
    subscribed(store, other, "b", 2);
    store
        .transaction::<_, StoreError>(|tx| tx.erase_person(other, noon()))
        .unwrap();
    assert_eq!(subscribed_of(store, other, ["b"]), [""; 0]);
    let refused = subscribe(store, &subscription(other, "b", 3));
    assert!(matches!(refused, Err(SubscribeError::UnknownEntrant)));
}
