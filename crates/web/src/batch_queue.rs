//! A queue whose items are taken in batches.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Items that wait for one of several threads.
///
/// A batch takes a time of its own besides that of its items, such as a commit. So while one is worked on, items gather until
/// [`Limits::enough`] wait, for [`Limits::patience`] at most. Then another thread takes them.
pub(crate) struct BatchQueue<T> {
    state: Mutex<State<T>>,
    /// A thread may have something to do.
    ready: Condvar,
    limits: Limits,
}

/// The limits of a queue. Numbers are numbers of items.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// How many may wait.
    pub(crate) queue: usize,
    /// How many a batch has at most.
    pub(crate) batch: usize,
    /// How many have to wait for a second batch at the same time.
    pub(crate) enough: usize,
    /// How long fewer wait for the end of the first batch.
    pub(crate) patience: Duration,
}

struct State<T> {
    waiting: Vec<T>,
    /// How many batches are worked on.
    under_way: usize,
    is_closed: bool,
}

impl<T> BatchQueue<T> {
    pub(crate) const fn new(limits: Limits) -> Self {
        let state = State {
            waiting: Vec::new(),
            under_way: 0,
            is_closed: false,
        };
        Self {
            state: Mutex::new(state),
            ready: Condvar::new(),
            limits,
        }
    }

    /// Adds an item. `false` if the queue is full or closed.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = self.state();
        if state.is_closed || state.waiting.len() >= self.limits.queue {
            return false;
        }
        state.waiting.push(item);
        let length = state.waiting.len();
        drop(state);
        // Waking a thread takes a system call, so two items do it: the first one, with which an idle thread begins to wait for
        // others, and the one that makes them enough.
        if length == 1 || length == self.limits.enough {
            self.ready.notify_one();
        }
        true
    }

    /// Does `work` with each batch, until the queue is closed and empty.
    pub(crate) fn for_each_batch(&self, mut work: impl FnMut(Vec<T>)) {
        while let Some(batch) = self.take() {
            work(batch);
            self.state().under_way -= 1;
        }
    }

    /// Accepts no more items. What waits is still worked on.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        self.ready.notify_all();
    }

    /// Waits for the next batch. `None` when the queue is closed and empty.
    fn take(&self) -> Option<Vec<T>> {
        let mut state = self.state();
        while !state.has_batch(self.limits.enough) {
            if state.is_closed {
                return None;
            }
            let is_empty = state.waiting.is_empty();
            let patience = if is_empty {
                Duration::MAX
            } else {
                self.limits.patience
            };
            let is_over;
            (state, is_over) = self.wait(state, patience);
            if is_over && !state.waiting.is_empty() {
                break;
            }
        }
        state.under_way += 1;
        let batch = state.first(self.limits);
        if state.has_batch(self.limits.enough) {
            self.ready.notify_one();
        }
        Some(batch)
    }

    /// Waits for a change, for `patience` at most. Returns the state, and whether `patience` is over.
    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State<T>>,
        patience: Duration,
    ) -> (MutexGuard<'a, State<T>>, bool) {
        let result = self.ready.wait_timeout(state, patience);
        let (state, wait) = result.unwrap_or_else(PoisonError::into_inner);
        (state, wait.timed_out())
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// Whether a thread should take a batch at once.
    const fn has_batch(&self, enough: usize) -> bool {
        let is_alone = self.under_way == 0 || self.is_closed;
        !self.waiting.is_empty() && (is_alone || self.waiting.len() >= enough)
    }

    fn first(&mut self, limits: Limits) -> Vec<T> {
        let length = self.waiting.len().min(limits.batch);
        // As much room as was needed now, so that pushing rarely allocates.
        let mut rest = Vec::with_capacity(length.min(limits.enough));
        rest.extend(self.waiting.drain(length..));
        mem::replace(&mut self.waiting, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Receiver, channel};
    use std::sync::{Arc, Barrier};
    use std::thread;

    const LIMITS: Limits = Limits {
        queue: 100,
        batch: 10,
        enough: 3,
        patience: Duration::from_secs(3600),
    };

    /// Two threads that report each batch and then wait at `gate` before they finish it.
    fn two_threads(queue: &Arc<BatchQueue<u32>>, gate: &Arc<Barrier>) -> Receiver<Vec<u32>> {
        let (reports, batches) = channel();
        for _ in 0..2 {
            let (queue, gate, reports) = (queue.clone(), gate.clone(), reports.clone());
            thread::spawn(move || {
                queue.for_each_batch(|batch| {
                    reports.send(batch).unwrap();
                    gate.wait();
                });
            });
        }
        batches
    }

    #[test]
    fn a_second_batch_begins_only_with_enough_items() {
        let queue = Arc::new(BatchQueue::new(LIMITS));
        // The gate opens when both threads work on a batch.
        let batches = two_threads(&queue, &Arc::new(Barrier::new(2)));
        assert!(queue.push(1));
        assert_eq!(batches.recv().unwrap(), [1]);
        assert!(queue.push(2) && queue.push(3));
        assert!(batches.try_recv().is_err());
        assert!(queue.push(4));
        assert_eq!(batches.recv().unwrap(), [2, 3, 4]);
        queue.close();
    }

    #[test]
    fn fewer_items_wait_until_the_first_batch_is_done() {
        let queue = Arc::new(BatchQueue::new(LIMITS));
        let gate = Arc::new(Barrier::new(2));
        let batches = two_threads(&queue, &gate);
        assert!(queue.push(1));
        assert_eq!(batches.recv().unwrap(), [1]);
        assert!(queue.push(2) && queue.push(3));
        gate.wait();
        assert_eq!(batches.recv().unwrap(), [2, 3]);
        gate.wait();
        queue.close();
    }

    #[test]
    fn a_batch_that_takes_long_does_not_hold_up_the_next_one() {
        let patience = Duration::from_millis(1);
        let queue = Arc::new(BatchQueue::new(Limits { patience, ..LIMITS }));
        // The gate opens when both threads work on a batch.
        let batches = two_threads(&queue, &Arc::new(Barrier::new(2)));
        assert!(queue.push(1));
        assert_eq!(batches.recv().unwrap(), [1]);
        assert!(queue.push(2));
        assert_eq!(batches.recv().unwrap(), [2]);
        queue.close();
    }

    #[test]
    fn a_long_queue_is_worked_on_in_several_batches() {
        let queue = BatchQueue::new(LIMITS);
        assert!((0..25).all(|item| queue.push(item)));
        queue.close();
        let mut sizes = Vec::new();
        queue.for_each_batch(|batch| sizes.push(batch.len()));
        assert_eq!(sizes, [10, 10, 5]);
    }

    #[test]
    fn a_full_or_closed_queue_takes_no_item() {
        let queue = BatchQueue::new(LIMITS);
        assert!((0..100).all(|item| queue.push(item)));
        assert!(!queue.push(100));
        let queue = BatchQueue::new(LIMITS);
        queue.close();
        assert!(!queue.push(1));
    }

    /// With every number of items that is enough, no item is lost or taken twice, and no thread sleeps while one waits.
    #[test]
    fn every_item_is_worked_on_once() {
        const ITEMS: usize = 2_000;
        for enough in 1..6 {
            let limits = Limits {
                queue: 4 * ITEMS,
                batch: 7,
                enough,
                ..LIMITS
            };
            let (queue, done) = (BatchQueue::<usize>::new(limits), AtomicUsize::new(0));
            let taken: Vec<_> = (0..4 * ITEMS).map(|_| AtomicUsize::new(0)).collect();
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        queue.for_each_batch(|batch| {
                            for item in batch {
                                taken[item].fetch_add(1, Ordering::Relaxed);
                                done.fetch_add(1, Ordering::Relaxed);
                            }
                        });
                    });
                }
                let pushing: Vec<_> = (0..4)
                    .map(|part| {
                        let queue = &queue;
                        scope.spawn(move || assert!((0..ITEMS).all(|n| queue.push(part * ITEMS + n))))
                    })
                    .collect();
                pushing.into_iter().for_each(|thread| thread.join().unwrap());
                // The queue empties without being closed.
                while done.load(Ordering::Relaxed) < 4 * ITEMS {
                    thread::yield_now();
                }
                queue.close();
            });
            assert!(taken.iter().all(|times| times.load(Ordering::Relaxed) == 1));
        }
    }
}
