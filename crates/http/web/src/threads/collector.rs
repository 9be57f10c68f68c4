//! Stores the events of many requests together. A request gets its response once its event is stored.

use crate::threads::blocking_pool::DEADLINE;
use crate::{ApiError, Store};
use analytics::Event;
use kernel::StoreError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use std::{io, thread};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// How many events may wait. When the queue is full, requests get 503.
const QUEUE: usize = 8 * 1024;
/// How many events one transaction stores at most, so that none takes long.
const BATCH: usize = 1024;

/// The queue of the thread that stores events.
pub struct Collector(mpsc::Sender<Waiting>);

type Outcome = Result<(), ApiError>;

struct Waiting {
    event: Event,
    deadline: Instant,
    stored: oneshot::Sender<Outcome>,
}

impl Collector {
    /// Starts the thread, which ends after this is dropped and the queue is empty. While it commits, the next events gather.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start<S: Store>(store: S) -> io::Result<Self> {
        Self::start_with(QUEUE, move |events| usecases::collection::collect(&store, events))
    }

    fn start_with(
        queue: usize,
        store: impl Fn(&[Event]) -> Result<(), StoreError> + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, mut waiting) = mpsc::channel(queue);
        let work = move || {
            let mut batch = Vec::new();
            while waiting.blocking_recv_many(&mut batch, BATCH) > 0 {
                write(&store, batch.drain(..));
            }
        };
        thread::Builder::new().name("collector".to_owned()).spawn(work)?;
        Ok(Self(sender))
    }

    /// Queues the event, and waits until it is stored.
    pub(crate) async fn collect(&self, event: Event) -> Outcome {
        let (stored, outcome) = oneshot::channel();
        let waiting = Waiting {
            event,
            deadline: Instant::now() + DEADLINE,
            stored,
        };
        if self.0.try_send(waiting).is_err() {
            metrics::counter!("events_refused_total").increment(1);
            return Err(ApiError::unavailable());
        }
        match timeout(DEADLINE, outcome).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(ApiError::unavailable()),
        }
    }
}

/// Stores the events whose requests still wait. The others have got 503 already.
fn write(store: &impl Fn(&[Event]) -> Result<(), StoreError>, batch: impl Iterator<Item = Waiting>) {
    let now = Instant::now();
    let in_time = batch.filter(|waiting| waiting.deadline > now);
    let (events, requests): (Vec<_>, Vec<_>) = in_time.map(|w| (w.event, w.stored)).unzip();
    if events.is_empty() {
        return;
    }
    metrics::histogram!("events_in_a_batch").record(events.len() as f64);
    let together = attempt(store, &events);
    // One event that cannot be stored must not fail the others: each gets its own transaction.
    let is_apart = together == Err(ApiError::internal()) && events.len() > 1;
    for (event, request) in events.iter().zip(requests) {
        let outcome = match is_apart {
            true => attempt(store, std::slice::from_ref(event)),
            false => together.clone(),
        };
        // The send fails if the deadline has passed meanwhile.
        let _ = request.send(outcome);
    }
}

/// Stores events. A panic is an error like any other, and the thread continues.
fn attempt(store: &impl Fn(&[Event]) -> Result<(), StoreError>, events: &[Event]) -> Outcome {
    let outcome = catch_unwind(AssertUnwindSafe(|| store(events).map_err(ApiError::from)));
    outcome.unwrap_or(Err(ApiError::internal()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analytics::{NewStep, StepData, StepName};
    use chrono::DateTime;
    use futures_util::future::{join, join_all, join3};
    use kernel::Session;
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
    async fn events_that_gather_during_a_commit_are_stored_together() {
        let sizes = Arc::new(Mutex::new(Vec::new()));
        let gate = Arc::new(Barrier::new(2));
        let (log, wait) = (sizes.clone(), gate.clone());
        let collector = Collector::start_with(QUEUE, move |events| {
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
        let collector = Collector::start_with(QUEUE, |events| {
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
        let collector = Collector::start_with(1, move |_| {
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
