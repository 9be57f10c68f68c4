//! Adds the entrants of many requests in one statement. A request gets its response once its entrant is stored.

use crate::blocking_pool::{DEADLINE, too_many_wait};
use crate::{ApiError, Store};
use crossbeam_channel::{Receiver, Sender, unbounded};
use kernel::{StoreError, run_until};
use metrics::{Gauge, Histogram};
use raffle::Entrant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};
use tokio::sync::oneshot;
use tokio::time::timeout;
use usecases::entering::{SignUp, enter_together};

/// The threads that add entrants, each with a connection. While one of them commits, the next batch gathers for the other.
pub const SIGN_UP_THREADS: u32 = 2;
/// How many sign-ups may wait. When the queue is full, requests get 503.
const QUEUE: usize = 2 * 1024;
/// How many sign-ups one statement stores at most, so that no statement takes long.
const BATCH: usize = 64;
/// A sign-up that has less time left is not begun, because its request might get 503 while it is stored.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// The queue of the threads that add entrants.
pub struct SignUpQueue {
    waiting: Sender<Waiting>,
    /// How many may wait. A bounded channel would keep the memory of all places.
    most: usize,
    length: Gauge,
}

struct Waiting {
    sign_up: SignUp,
    queued: Instant,
    added: oneshot::Sender<Result<Option<Entrant>, NotStored>>,
}

/// Why a statement did not store its sign-ups. Each request logs it, with its own request id.
#[derive(Clone)]
enum NotStored {
    Failed(Arc<StoreError>),
    Panicked,
}

/// What the threads measure.
#[derive(Clone)]
struct Measures {
    length: Gauge,
    wait: Histogram,
    batch: Histogram,
}

impl SignUpQueue {
    /// Starts the threads, which end after this is dropped and the queue is empty. `store` should have a connection for each.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start<S: Store>(store: S) -> io::Result<Self> {
        Self::start_with(SIGN_UP_THREADS, QUEUE, move |sign_ups| {
            enter_together(&store, sign_ups)
        })
    }

    fn start_with(
        threads: u32,
        most: usize,
        enter: impl Fn(&[SignUp]) -> Result<Vec<Option<Entrant>>, StoreError> + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, queue) = unbounded();
        let measures = Measures {
            length: metrics::gauge!("request_queue_length", "pool" => "sign_ups"),
            wait: metrics::histogram!("request_queue_wait_seconds", "pool" => "sign_ups"),
            batch: metrics::histogram!("sign_ups_in_a_batch"),
        };
        for n in 0..threads {
            let (enter, queue, measures) = (enter.clone(), queue.clone(), measures.clone());
            let work = move || {
                while let Some(batch) = next_batch(&queue, &measures) {
                    add(&enter, batch);
                }
            };
            thread::Builder::new().name(format!("sign_ups-{n}")).spawn(work)?;
        }
        Ok(Self {
            waiting: sender,
            most,
            length: measures.length,
        })
    }

    /// Waits until the entrant is stored. `None`: nothing is stored yet, and it needs a transaction of its own.
    pub(crate) async fn enter(&self, sign_up: SignUp) -> Result<Option<Entrant>, ApiError> {
        let (added, result) = oneshot::channel();
        let waiting = Waiting {
            sign_up,
            queued: Instant::now(),
            added,
        };
        self.length.increment(1);
        if self.waiting.len() >= self.most || self.waiting.send(waiting).is_err() {
            self.length.decrement(1);
            return Err(too_many_wait());
        }
        match timeout(DEADLINE, result).await {
            Ok(Ok(result)) => result.map_err(ApiError::from),
            Ok(Err(_)) | Err(_) => Err(ApiError::unavailable()),
        }
    }
}

impl From<NotStored> for ApiError {
    fn from(why: NotStored) -> Self {
        match why {
            NotStored::Failed(error) => Self::from(&*error),
            NotStored::Panicked => Self::internal(),
        }
    }
}

/// The sign-ups that wait and have time left, or `None` when the queue was dropped.
fn next_batch(queue: &Receiver<Waiting>, measures: &Measures) -> Option<Vec<Waiting>> {
    let first = queue.recv().ok()?;
    let mut batch = vec![first];
    batch.extend(queue.try_iter().take(BATCH - 1));
    measures.length.decrement(batch.len() as f64);
    measures.batch.record(batch.len() as f64);
    for waiting in &batch {
        measures.wait.record(waiting.queued.elapsed());
    }
    // The others are dropped, so their requests get 503.
    batch.retain(|waiting| waiting.queued.elapsed() + LEAST_TIME < DEADLINE);
    Some(batch)
}

fn add(enter: &impl Fn(&[SignUp]) -> Result<Vec<Option<Entrant>>, StoreError>, batch: Vec<Waiting>) {
    let Some(deadline) = batch.iter().map(|waiting| waiting.queued + DEADLINE).min() else {
        return;
    };
    let (sign_ups, requests): (Vec<_>, Vec<_>) = batch.into_iter().map(|w| (w.sign_up, w.added)).unzip();
    let entered = catch_unwind(AssertUnwindSafe(|| run_until(deadline, || enter(&sign_ups))));
    let entered = entered.map_or(Err(NotStored::Panicked), |result| {
        result.map_err(|error| NotStored::Failed(Arc::new(error)))
    });
    // A send fails if the request has ended meanwhile.
    match entered {
        Ok(entrants) => {
            for (request, entrant) in requests.into_iter().zip(entrants) {
                let _ = request.send(Ok(entrant));
            }
        }
        Err(error) => {
            for request in requests {
                let _ = request.send(Err(error.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use futures_util::future::{join, join_all};
    use kernel::{EntrantId, Origin, PersonSalt, Phone, Raffle, ReferralCode};
    use raffle::NewEntrant;
    use std::sync::mpsc::channel;
    use std::sync::{Barrier, Mutex};

    fn sign_up(n: u32) -> SignUp {
        SignUp {
            entrant: NewEntrant {
                id: EntrantId::new(i64::from(n) + 1),
                phone: Phone::from_e164(&format!("+1555{n:07}")).unwrap(),
                person_salt: PersonSalt::new([7; 32]),
                referral_code: ReferralCode::parse("CDFG3467").unwrap(),
                raffle: Raffle::GardenBag,
                event_id: None,
                origin: Origin::default(),
                fingerprint: None,
                created_at: DateTime::UNIX_EPOCH,
            },
            friend_code: None,
            consent: None,
            session: None,
        }
    }

    #[actix_web::test]
    async fn sign_ups_that_gather_are_stored_together() {
        let sizes = Arc::new(Mutex::new(Vec::new()));
        let gate = Arc::new(Barrier::new(2));
        let (log, wait) = (sizes.clone(), gate.clone());
        let queue = SignUpQueue::start_with(1, QUEUE, move |sign_ups| {
            let is_first = {
                let mut sizes = log.lock().unwrap();
                sizes.push(sign_ups.len());
                sizes.len() == 1
            };
            if is_first {
                wait.wait();
            }
            Ok(sign_ups.iter().map(|sign_up| Some(sign_up.added())).collect())
        });
        let queue = queue.unwrap();
        let all = join_all((0..50).map(|n| queue.enter(sign_up(n))));
        let open = async {
            tokio::task::spawn_blocking(move || gate.wait()).await.unwrap();
        };
        let (all, ()) = join(all, open).await;
        for (n, entered) in (0..50).zip(all) {
            assert_eq!(entered, Ok(Some(sign_up(n).added())), "each gets its own");
        }
        let sizes = sizes.lock().unwrap();
        assert_eq!(sizes.iter().sum::<usize>(), 50);
        assert!(sizes.len() <= 2, "{sizes:?}");
    }

    #[actix_web::test]
    async fn each_request_gets_the_error_of_its_statement() {
        let queue = SignUpQueue::start_with(1, QUEUE, |sign_ups| {
            let number = sign_ups[0].entrant.phone.as_e164();
            assert!(!number.ends_with('2'), "on purpose");
            match number.ends_with('1') {
                true => Err(StoreError::Unavailable("on purpose".into())),
                false => Ok(vec![None; sign_ups.len()]),
            }
        });
        let queue = queue.unwrap();
        assert_eq!(queue.enter(sign_up(1)).await, Err(ApiError::unavailable()));
        assert_eq!(queue.enter(sign_up(2)).await, Err(ApiError::internal()));
        assert_eq!(queue.enter(sign_up(3)).await, Ok(None), "the thread goes on");
    }

    #[actix_web::test]
    async fn a_full_queue_is_unavailable() {
        let (begun, begin) = channel();
        let (release, blocked) = channel::<()>();
        let blocked = Arc::new(Mutex::new(blocked));
        let queue = SignUpQueue::start_with(1, 1, move |sign_ups| {
            let _ = begun.send(());
            let _ = blocked.lock().unwrap().recv();
            Ok(vec![None; sign_ups.len()])
        });
        let queue = queue.unwrap();
        let crowd = async {
            tokio::task::spawn_blocking(move || begin.recv())
                .await
                .unwrap()
                .unwrap();
            let refused = async {
                let refused = queue.enter(sign_up(3)).await;
                drop(release);
                refused
            };
            join(queue.enter(sign_up(2)), refused).await
        };
        let (first, (second, third)) = join(queue.enter(sign_up(1)), crowd).await;
        assert_eq!((first, second), (Ok(None), Ok(None)));
        assert_eq!(third, Err(too_many_wait()));
    }

    #[test]
    fn a_sign_up_with_little_time_left_is_not_begun() {
        let (sender, queue) = unbounded();
        let queued_at = |queued| {
            let (added, result) = oneshot::channel();
            let waiting = Waiting {
                sign_up: sign_up(1),
                queued,
                added,
            };
            sender.send(waiting).unwrap();
            result
        };
        let late = queued_at(Instant::now().checked_sub(DEADLINE).unwrap());
        let _early = queued_at(Instant::now());
        let measures = Measures {
            length: Gauge::noop(),
            wait: Histogram::noop(),
            batch: Histogram::noop(),
        };
        assert_eq!(next_batch(&queue, &measures).unwrap().len(), 1);
        assert!(late.blocking_recv().is_err());
    }
}
