//! What everybody reads of the claims of a drawing.

use crate::http::names::{Name, Named};
use crate::routes::claims::views::{RejectionReasonView, VerificationMethodView};
use chrono::{DateTime, Utc};
use claims::PublicStatus;
use serde::Serialize;
use usecases::claims::{PublicClaim, PublicRecord};
use utoipa::ToSchema;

type ClaimRecordStatusView = Name<PublicStatus>;

impl Named for PublicStatus {
    const VIEW: &'static str = "ClaimRecordStatusView";
    const ABOUT: Option<&'static str> = Some("How far a claim is, as everybody reads it.");
}

/// What everybody reads of a claim.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimRecordView {
    /// 0 for the entry that was drawn first.
    rank: u32,
    status: ClaimRecordStatusView,
    /// The deadline of a claim that is awaited; while the winner can object to a rejection, the end of that time.
    until: Option<DateTime<Utc>>,
    /// Why it was rejected.
    reason: Option<RejectionReasonView>,
    /// How many people decided it: 1 or 2.
    decided_by: Option<u8>,
    /// How the winner proved the number.
    verified_by: Option<VerificationMethodView>,
    /// How many people confirmed the number after a call: 1 or 2.
    confirmed_by: Option<u8>,
    /// Only if the winner agreed.
    first_name: Option<String>,
    /// Only if the winner agreed.
    #[schema(example = "NY")]
    state: Option<String>,
}

/// The claims of a drawing, by rank.
pub(crate) fn claim_records(record: &PublicRecord) -> Vec<ClaimRecordView> {
    record.claims.iter().map(view).collect()
}

fn view(claim: &PublicClaim) -> ClaimRecordView {
    let winner = claim.winner.as_ref();
    ClaimRecordView {
        rank: claim.rank,
        status: claim.status.into(),
        until: claim.until,
        reason: claim.reason.map(Into::into),
        decided_by: claim.decided_by,
        verified_by: claim.verified_by.map(Into::into),
        confirmed_by: claim.confirmed_by,
        first_name: winner.map(|winner| winner.first_name.clone()),
        state: winner.map(|winner| winner.state.clone()),
    }
}
