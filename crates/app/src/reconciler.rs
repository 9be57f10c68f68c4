//! A background thread that asks the payment provider about purchases that have stayed open.

use crate::SystemClock;
use crate::sender::TokioRunner;
use chrono::{DateTime, Utc};
use kernel::Clock;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use store_postgres::PgStore;
use tokio::sync::oneshot;
use usecases::reconcile::{ReconcileError, ReconcileLog, keep_reconciling};
use web::PaymentGateway;

/// The running thread. Every server has one; each purchase is claimed by one of them at a time.
pub(crate) struct Reconciler {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Reconciler {
    pub(crate) fn start(store: PgStore, gateway: Arc<PaymentGateway>) -> io::Result<Self> {
        // Before any request is served: a purchase that begins later is checked when it is due.
        let start = SystemClock.now();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("reconciler".to_owned())
            .spawn(move || actix_web::rt::System::new().block_on(run(&store, &gateway, start, stopped)))?;
        Ok(Self { stop, thread })
    }

    /// Stops at once, even during a call to the provider: the next start asks again.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("the reconciler panicked");
        }
    }
}

async fn run(
    store: &PgStore,
    gateway: &PaymentGateway,
    start: DateTime<Utc>,
    stopped: oneshot::Receiver<()>,
) {
    tokio::select! {
        _ = stopped => {}
        () = keep_reconciling(store, &TokioRunner, &SystemClock, &*gateway.payments, &Log, start) => {}
    }
}

struct Log;

impl ReconcileLog for Log {
    fn reconciled(&self, count: usize) {
        metrics::counter!("purchases_reconciled_total").increment(count as u64);
    }

    fn failed(&self, purchase: Option<&pricing::Purchase>, error: &ReconcileError) {
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        match purchase {
            Some(purchase) => {
                tracing::warn!(purchase = %purchase.id, %error, cause, "cannot reconcile a purchase");
            }
            None => tracing::warn!(%error, cause, "cannot read the purchases to reconcile"),
        }
    }
}
