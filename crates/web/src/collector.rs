//! Stores the events of many requests together. A request gets its response once its event is stored.

use crate::batch_queue::{BatchQueue, Limits};
use crate::blocking_pool::DEADLINE;
use crate::{ApiError, Store};
use analytics::Event;
use futures_util::FutureExt;
use kernel::StoreError;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// The threads that store events, each with a connection. While one of them commits, the other one stores the next batch.
const THREADS: usize = 2;
const LIMITS: Limits = Limits {
    // When the queue is full, requests get 503.
    queue: 8 * 1024,
    // So that no transaction takes long.
    batch: 1024,
    // Of 64, 96, 128, 160, 192 and 256, this one stored the most views a second.
    enough: 96,
    // Much longer than a commit: a connection may hang.
    patience: Duration::from_millis(100),
};

/// The queue of the threads that store events.
pub struct Collector(Arc<BatchQueue<Waiting>>);

type Outcome = Result<(), ApiError>;

struct Waiting {
    /// On the heap, because it is large and passes through several lists.
    event: Box<Event>,
    deadline: Instant,
    request: Request,
}

/// A request that waits for the outcome, and the network thread that it runs on.
struct Request {
    stored: oneshot::Sender<Outcome>,
    network_thread: NetworkThread,
}

impl Collector {
    /// Starts the threads, which end after this is dropped and the queue is empty.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start<S: Store>(store: S) -> io::Result<Self> {
        Self::start_with(THREADS, LIMITS, move |events| {
            usecases::collection::collect(&store, events)
        })
    }

    fn start_with(
        threads: usize,
        limits: Limits,
        store: impl Fn(&[Box<Event>]) -> Result<(), StoreError> + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let collector = Self(Arc::new(BatchQueue::new(limits)));
        for n in 0..threads {
            let (store, queue) = (store.clone(), collector.0.clone());
            let work = move || queue.for_each_batch(|batch| write(&store, in_time(batch)));
            thread::Builder::new()
                .name(format!("collector-{n}"))
                .spawn(work)?;
        }
        Ok(collector)
    }

    /// Queues the event, and waits until it is stored. Not an `async fn`, whose future would have room for the event.
    pub(crate) fn collect(&self, event: Event) -> impl Future<Output = Outcome> + use<> {
        let (stored, outcome) = oneshot::channel();
        let waiting = Waiting {
            event: Box::new(event),
            deadline: Instant::now() + DEADLINE,
            request: Request {
                stored,
                network_thread: NetworkThread::current(),
            },
        };
        if !self.0.push(waiting) {
            metrics::counter!("events_refused_total").increment(1);
        }
        timeout(DEADLINE, outcome).map(|outcome| match outcome {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(ApiError::unavailable()),
        })
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The events whose requests still wait. The others have got 503 already.
fn in_time(mut batch: Vec<Waiting>) -> Vec<Waiting> {
    let now = Instant::now();
    batch.retain(|waiting| waiting.deadline > now);
    batch
}

fn write(store: &impl Fn(&[Box<Event>]) -> Result<(), StoreError>, batch: Vec<Waiting>) {
    let (events, requests): (Vec<_>, Vec<_>) = batch.into_iter().map(|w| (w.event, w.request)).unzip();
    if events.is_empty() {
        return;
    }
    metrics::histogram!("events_in_a_batch").record(events.len() as f64);
    match attempt(store, &events) {
        // One event that cannot be stored must not fail the others: each gets its own transaction.
        Err(error) if error == ApiError::internal() && events.len() > 1 => {
            for (request, event) in requests.into_iter().zip(events) {
                let outcome = attempt(store, std::slice::from_ref(&event));
                answer([(request, event, outcome)]);
            }
        }
        outcome => {
            let requests = requests.into_iter().zip(events);
            answer(requests.map(|(request, event)| (request, event, outcome.clone())));
        }
    }
}

/// Stores events. A panic is an error like any other, and the thread continues.
fn attempt(store: &impl Fn(&[Box<Event>]) -> Result<(), StoreError>, events: &[Box<Event>]) -> Outcome {
    let outcome = catch_unwind(AssertUnwindSafe(|| store(events).map_err(ApiError::from)));
    outcome.unwrap_or(Err(ApiError::internal()))
}

/// Passes answers to the network threads, to each in one piece.
fn answer(outcomes: impl IntoIterator<Item = (Request, Box<Event>, Outcome)>) {
    let mut pieces: Vec<(NetworkThread, Vec<Answer>)> = Vec::new();
    let outcomes = outcomes.into_iter();
    let most = outcomes.size_hint().0;
    for (request, event, outcome) in outcomes {
        let answer = Answer {
            stored: request.stored,
            outcome,
            event,
        };
        let is_same = |(thread, _): &&mut (NetworkThread, _)| thread.is(&request.network_thread);
        match pieces.iter_mut().find(is_same) {
            Some((_, piece)) => piece.push(answer),
            None => {
                let mut piece = Vec::with_capacity(most);
                piece.push(answer);
                pieces.push((request.network_thread, piece));
            }
        }
    }
    for (network_thread, piece) in pieces {
        network_thread.pass_on(piece);
    }
}

/// The outcome for one request.
struct Answer {
    stored: oneshot::Sender<Outcome>,
    outcome: Outcome,
    /// Goes back to the thread that allocated it, because freeing the memory of another thread takes a lock.
    event: Box<Event>,
}

/// Wakes the requests of one network thread.
///
/// The collector wakes the thread once for a batch, and the thread wakes its own requests. To wake each request from
/// the collector would take a lock that the network thread also takes, and often a system call.
#[derive(Clone)]
struct NetworkThread(mpsc::UnboundedSender<Vec<Answer>>);

thread_local! {
    static CURRENT: RefCell<Option<NetworkThread>> = const { RefCell::new(None) };
}

impl NetworkThread {
    /// The thread that this runs on. The first call starts the task that wakes its requests.
    fn current() -> Self {
        CURRENT.with_borrow_mut(|current| match current {
            Some(thread) if !thread.0.is_closed() => thread.clone(),
            _ => current.insert(Self::start()).clone(),
        })
    }

    fn start() -> Self {
        let (sender, mut pieces) = mpsc::unbounded_channel::<Vec<Answer>>();
        actix_web::rt::spawn(async move {
            while let Some(piece) = pieces.recv().await {
                for Answer {
                    stored,
                    outcome,
                    event,
                } in piece
                {
                    // The receiver is gone if the deadline has passed.
                    let _ = stored.send(outcome);
                    drop(event);
                }
            }
        });
        Self(sender)
    }

    fn is(&self, other: &Self) -> bool {
        self.0.same_channel(&other.0)
    }

    /// If the thread has ended, so have its requests.
    fn pass_on(&self, piece: Vec<Answer>) {
        let _ = self.0.send(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analytics::{NewStep, Session, StepData, StepName};
    use chrono::DateTime;
    use futures_util::future::{join, join_all, join3};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Barrier, Mutex};

    fn event(id: &str) -> Event {
        Event::Step(NewStep {
            session: Session::parse(id).unwrap(),
            raffle: None,
            step: StepName::FormStart,
            entrant: None,
            data: StepData::default(),
            time_spent: None,
            at: DateTime::UNIX_EPOCH,
        })
    }

    fn is(event: &Event, id: &str) -> bool {
        matches!(event, Event::Step(step) if step.session.as_str() == id)
    }

    #[actix_web::test]
    async fn a_request_that_waits_holds_no_room_for_its_event() {
        let collector = Collector::start_with(1, LIMITS, |_| Ok(())).unwrap();
        let stored = collector.collect(event("0"));
        assert!(size_of_val(&stored) < size_of::<Event>());
        assert_eq!(stored.await, Ok(()));
    }

    #[actix_web::test]
    async fn events_that_gather_during_a_commit_are_stored_together() {
        let sizes = Arc::new(Mutex::new(Vec::new()));
        let gate = Arc::new(Barrier::new(2));
        let (log, wait) = (sizes.clone(), gate.clone());
        let collector = Collector::start_with(1, LIMITS, move |events| {
            let mut sizes = log.lock().unwrap();
            sizes.push(events.len());
            if sizes.len() == 1 {
                wait.wait();
            }
            Ok(())
        });
        let collector = collector.unwrap();
        let first = collector.collect(event("0"));
        let rest = join_all((1..100).map(|n| collector.collect(event(&n.to_string()))));
        let open = async {
            // The first event is being stored, and the others wait in the queue.
            tokio::task::spawn_blocking(move || gate.wait()).await.unwrap();
        };
        let (first, rest, ()) = join3(first, rest, open).await;
        assert!(first.is_ok() && rest.iter().all(Result::is_ok));
        // How many events the first batch has depends on the threads; the second batch has all others.
        let sizes = sizes.lock().unwrap();
        assert_eq!(sizes.iter().sum::<usize>(), 100);
        assert!(sizes.len() <= 2, "{sizes:?}");
    }

    #[actix_web::test]
    async fn an_event_that_cannot_be_stored_does_not_fail_the_others() {
        let collector = Collector::start_with(1, LIMITS, |events| {
            if events.iter().any(|event| is(event, "bad")) {
                return Err(StoreError::Failed("on purpose".into()));
            }
            assert!(!events.iter().any(|event| is(event, "panic")), "on purpose");
            Ok(())
        });
        let collector = collector.unwrap();
        let ids = ["good", "bad", "fine", "panic", "last"];
        let results = join_all(ids.map(|id| collector.collect(event(id)))).await;
        let failed = Err(ApiError::internal());
        assert_eq!(results, [Ok(()), failed.clone(), Ok(()), failed, Ok(())]);
    }

    #[actix_web::test]
    async fn a_full_queue_is_unavailable() {
        let (begun, begin) = channel();
        let (release, blocked) = channel::<()>();
        let blocked = Arc::new(Mutex::new(blocked));
        let limits = Limits { queue: 1, ..LIMITS };
        let collector = Collector::start_with(1, limits, move |_| {
            let _ = begun.send(());
            let _ = blocked.lock().unwrap().recv();
            Ok(())
        });
        let collector = collector.unwrap();
        let crowd = async {
            // The first event is being stored, so that one event may wait and one is too many.
            tokio::task::spawn_blocking(move || begin.recv())
                .await
                .unwrap()
                .unwrap();
            let waiting = collector.collect(event("waits"));
            let refused = async {
                let refused = collector.collect(event("too many")).await;
                drop(release);
                refused
            };
            join(waiting, refused).await
        };
        let (first, crowd) = join(collector.collect(event("first")), crowd).await;
        assert_eq!((first, crowd), (Ok(()), (Ok(()), Err(ApiError::unavailable()))));
    }
}
