//! Evidence of fraud, as the console's answers show it.

use fraud::Evidence;
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

/// What fraud detection found about an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvidenceView {
    #[schema(value_type = EvidenceKindView)]
    kind: &'static str,
    /// A number of accounts or sign-ups; for `one_referrer` the share of the network's accounts, from 0 to 1.
    #[schema(value_type = f64, example = 4)]
    value: Number,
    /// For `one_referrer`: the entrant whose code it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    referrer_id: Option<i64>,
}

/// The kinds of evidence.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "for the description only; `Evidence` has the names")]
pub(crate) enum EvidenceKindView {
    /// How many accounts the network has.
    SharedNetwork,
    /// How many accounts of the network have this account's fingerprint.
    SameFingerprint,
    /// The most sign-ups from the network within ten minutes, this one among them.
    Burst,
    /// How many of the network's accounts came through one code.
    OneReferrer,
}

impl From<&Evidence> for EvidenceView {
    fn from(evidence: &Evidence) -> Self {
        let share = || Number::from_f64(evidence.value()).unwrap_or_else(|| 0.into());
        let (value, referrer_id) = match *evidence {
            Evidence::SharedNetwork { accounts } | Evidence::SameFingerprint { accounts } => {
                (accounts.into(), None)
            }
            Evidence::Burst { sign_ups } => (sign_ups.into(), None),
            Evidence::OneReferrer { referrer, .. } => (share(), Some(referrer.get())),
        };
        Self {
            kind: evidence.kind(),
            value,
            referrer_id,
        }
    }
}

/// All evidence about an account.
pub(super) fn views(evidence: &[Evidence]) -> Vec<EvidenceView> {
    evidence.iter().map(EvidenceView::from).collect()
}
