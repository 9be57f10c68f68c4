//! A background thread that asks the payment provider about purchases that have stayed open.

use crate::SystemClock;
use chrono::TimeDelta;
use std::error::Error;
use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use store_postgres::PgStore;
use tokio::sync::oneshot;
use tokio::time::sleep;
use usecases::reconcile::ReconcileError;
use web::PaymentGateway;

/// How often it runs.
const INTERVAL: Duration = Duration::from_secs(20);
/// How long a purchase must be open without news. The first run has no minimum age. Each run takes at most 50 purchases,
/// those that have waited longest.
const MIN_AGE: TimeDelta = TimeDelta::minutes(3);

/// The running thread. Every server has one; each purchase is claimed by one of them at a time.
pub(crate) struct Reconciler {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Reconciler {
    pub(crate) fn start(store: PgStore, gateway: std::sync::Arc<PaymentGateway>) -> io::Result<Self> {
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("reconciler".to_owned())
            .spawn(move || actix_web::rt::System::new().block_on(run(&store, &gateway, stopped)))?;
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

async fn run(store: &PgStore, gateway: &PaymentGateway, mut stopped: oneshot::Receiver<()>) {
    let mut min_age = TimeDelta::zero();
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            () = reconcile(store, gateway, min_age) => {}
        }
        min_age = MIN_AGE;
        tokio::select! {
            _ = &mut stopped => return,
            () = sleep(INTERVAL) => {}
        }
    }
}

async fn reconcile(store: &PgStore, gateway: &PaymentGateway, min_age: TimeDelta) {
    let log_error = |purchase: &pricing::Purchase, error: &ReconcileError| {
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        tracing::warn!(purchase = %purchase.id, %error, cause, "cannot reconcile a purchase");
    };
    let outcome =
        usecases::reconcile::reconcile(store, &SystemClock, &*gateway.payments, min_age, log_error).await;
    match outcome {
        Ok(count) => metrics::counter!("purchases_reconciled_total").increment(count as u64),
        Err(error) => tracing::warn!(%error, "cannot read the purchases to reconcile"),
    }
}
