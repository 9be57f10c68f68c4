//! A background thread that asks the payment provider about purchases that have stayed open.

use crate::SystemClock;
use crate::worker::{Priority, TokioRunner, Worker};
use kernel::Clock;
use std::error::Error;
use std::sync::Arc;
use store_postgres::PgStore;
use usecases::drawings::DrawingTimes;
use usecases::reconcile::{ReconcileError, ReconcileLog, keep_reconciling};
use web::PaymentGateway;

/// Starts the thread, unless nothing can be bought. Every server has one; each purchase is claimed by one of them at a time.
/// A stop does not wait for the provider's answer: the next start asks again.
pub(crate) fn start(
    store: PgStore,
    gateway: Option<Arc<PaymentGateway>>,
    times: DrawingTimes,
) -> anyhow::Result<Option<Worker>> {
    let Some(gateway) = gateway else {
        return Ok(None);
    };
    // A purchase that begins later is checked when it is due.
    let start = SystemClock.now();
    let worker = Worker::start("reconcile", Priority::Normal, move |stopped| {
        stopped.cuts_off(async move {
            let payments = &*gateway.payments;
            keep_reconciling(&store, &TokioRunner, &SystemClock, payments, times, &Log, start).await;
        })
    });
    worker.map(Some)
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
