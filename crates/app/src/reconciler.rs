//! Asks the payment provider about purchases whose end we have not heard of, while the server runs.

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

/// How often.
const EVERY: Duration = Duration::from_secs(20);
/// For how long nothing must have been heard of a purchase. At the start they are all asked about.
const QUIET_FOR: TimeDelta = TimeDelta::minutes(3);

/// A thread that asks. Several servers may have one each; each purchase is one's at a time.
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

    /// Ends at once, also while the provider is being asked: what it says is asked for again at the next start.
    pub(crate) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("the reconciler panicked");
        }
    }
}

async fn run(store: &PgStore, gateway: &PaymentGateway, mut stopped: oneshot::Receiver<()>) {
    let mut quiet_for = TimeDelta::zero();
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            () = reconcile(store, gateway, quiet_for) => {}
        }
        quiet_for = QUIET_FOR;
        tokio::select! {
            _ = &mut stopped => return,
            () = sleep(EVERY) => {}
        }
    }
}

async fn reconcile(store: &PgStore, gateway: &PaymentGateway, quiet_for: TimeDelta) {
    let log_error = |purchase: &pricing::Purchase, error: &ReconcileError| {
        let cause = error.source().map(ToString::to_string).unwrap_or_default();
        tracing::warn!(purchase = %purchase.id, %error, cause, "the end of a purchase is still not known");
    };
    let outcome =
        usecases::reconcile::reconcile(store, &SystemClock, &*gateway.payments, quiet_for, log_error).await;
    match outcome {
        Ok(asked) => metrics::counter!("purchases_reconciled_total").increment(asked as u64),
        Err(error) => tracing::warn!(%error, "cannot tell which purchases to ask about"),
    }
}
