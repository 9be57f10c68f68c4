//! `tombola admin approve`: approves a proposal on the server, when nobody else can. The audit log says that it was the
//! operator.

use crate::config::Config;
use crate::{SystemClock, rollups, serve};
use anyhow::{Context, anyhow};
use staff::ApprovalId;
use std::sync::Arc;
use store_postgres::PgStore;
use usecases::approvals::{self, ApprovalError, ApprovalTools, Decider, Outcome};
use usecases::clearing::{self, BatchSizes};
use usecases::drawings::Performed;
use web::{MemoryLimiter, approval_tools};

/// Approves the proposal, carries it out, and returns lines that say so.
///
/// # Errors
/// When there is no such proposal, it is decided or too old, or the call fails.
pub fn run(config: &Config, id: i64) -> anyhow::Result<String> {
    let store = rollups::open(config)?;
    let state =
        actix_web::rt::System::new().block_on(serve::state(config, Arc::new(MemoryLimiter::new())))?;
    let tools =
        approval_tools(&state, &store).map_err(|error| anyhow!("cannot read the settings: {error}"))?;
    let (approval, outcome) = approve(&store, &tools, ApprovalId::new(id))?;
    let result = finish(&store, outcome)?;
    Ok(format!(
        "approved on the server: {}\n{result}",
        approval.proposal.summary
    ))
}

fn approve(
    store: &PgStore,
    tools: &ApprovalTools<'_>,
    id: ApprovalId,
) -> anyhow::Result<(staff::Approval, Outcome)> {
    match approvals::approve(store, tools, Decider::Operator, id) {
        Err(ApprovalError::Failed(error)) if error.is_final() => {
            approvals::record_failure(store, &SystemClock, Decider::Operator, id, &error.to_string())?;
            Err(anyhow::Error::from(error).context("it was approved, and cannot be carried out"))
        }
        decided => decided.with_context(|| format!("proposal {id}")),
    }
}

/// Finishes what the server would do in the background, and says what the call returned.
fn finish(store: &PgStore, outcome: Outcome) -> anyhow::Result<String> {
    Ok(match outcome {
        Outcome::Invited(_) => "whoever proposed it finds the link under Approvals\n".to_owned(),
        Outcome::ImportAgreed => "whoever proposed it sends the same file again\n".to_owned(),
        Outcome::Clearing(job) => {
            clearing::run(store, &SystemClock, job.id(), BatchSizes::default(), || true)?;
            "the data is deleted\n".to_owned()
        }
        Outcome::Drawing(performed) => match *performed {
            Performed::Drawn(drawing) => format!("drawing {} has a winner\n", drawing.id),
            Performed::Waiting(drawing) => format!("drawing {} is announced\n", drawing.id),
        },
        Outcome::Changed(_)
        | Outcome::CredentialsSaved
        | Outcome::PackagesShown
        | Outcome::ClaimDecided(_)
        | Outcome::Published(_)
        | Outcome::Raffle(_)
        | Outcome::Erasure(_) => String::new(),
    })
}
