//! A background thread that takes the steps of winners' claims that time brings: deadlines, reminders, the next rank. Pages name
//! the last winner within a second too.

use crate::worker::{Priority, Worker};
use actix_web::web::Data;
use claims::{ClaimFilter, ClaimStatus};
use kernel::StoreError;
use std::time::Duration;
use store_postgres::PgStore;
use usecases::claims::{advance, count, last_winner};
use web::AppState;

/// How often it looks at the claims.
const INTERVAL: Duration = Duration::from_secs(1);

/// The statuses in which somebody has something to do.
const WAITING: [ClaimStatus; 4] = [
    ClaimStatus::Pending,
    ClaimStatus::CodeVerified,
    ClaimStatus::Submitted,
    ClaimStatus::Verified,
];

/// Starts the thread. Every server has one; each step of a claim is taken by one of them.
pub(crate) fn start(store: PgStore, state: Data<AppState>) -> anyhow::Result<Worker> {
    Worker::every("advance-claims", Priority::Idle, INTERVAL, move |_| {
        look(&store, &state);
        INTERVAL
    })
}

fn look(store: &PgStore, state: &AppState) {
    match advance(store, state.claim_tools()) {
        Ok(advanced) => {
            for (claim, error) in advanced.failures {
                tracing::error!(%claim, %error, "cannot take the steps of a claim");
            }
        }
        Err(error) => tracing::warn!(%error, "cannot look at the claims"),
    }
    match last_winner(store) {
        Ok(winner) => state.client.name_last_winner(winner),
        Err(error) => tracing::warn!(%error, "cannot look for the last winner"),
    }
    if let Err(error) = record(store) {
        tracing::warn!(%error, "cannot count the claims");
    }
}

fn record(store: &PgStore) -> Result<(), StoreError> {
    for status in WAITING {
        let claims = count(store, ClaimFilter::Status(status))?;
        gauge(status.as_str(), claims);
    }
    gauge("needs_call", count(store, ClaimFilter::NeedsCall)?);
    gauge("staff", count(store, ClaimFilter::WaitsForStaff)?);
    Ok(())
}

fn gauge(status: &'static str, claims: i64) {
    #[expect(clippy::cast_precision_loss, reason = "a metric is a floating-point number")]
    metrics::gauge!("claims_waiting", "status" => status).set(claims as f64);
}
