//! The answers about people.

mod conversions;

use crate::callers::right::{ShownAddress, ShownNumber};
use crate::http::names::{Name, Named};
use crate::http::views::LandingPageView;
use crate::routes::appeals::AppealStatusView;
use crate::routes::staff::evidence::EvidenceView;
use chrono::{DateTime, Utc};
use people::DataSource;
use serde::Serialize;
use utoipa::ToSchema;

/// An entrant in the list of people.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonRowView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required, value_type = Option<String>)]
    phone_number: Option<ShownNumber>,
    referral_code: String,
    landing_page: LandingPageView,
    total_entries: i64,
    is_flagged: bool,
    is_duplicate: bool,
    tags: Vec<String>,
    created_at: DateTime<Utc>,
}

/// A page of the entrants who match.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PeopleView {
    people: Vec<PersonRowView>,
    /// The number of all who match, at most 1,000.
    total: i64,
    /// Whether there are no more than `total`.
    is_total_exact: bool,
}

/// All tags that entrants have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonTagsView {
    pub(super) tags: Vec<String>,
}

/// What staff noted about an entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonNotesView {
    tags: Vec<String>,
    notes: String,
}

pub(crate) type DataSourceView = Name<DataSource>;

impl Named for DataSource {
    const VIEW: &'static str = "DataSourceView";
    const ABOUT: Option<&'static str> = Some("How an entrant came.");
}

/// Who an entrant is, and what they have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonProfileView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required, value_type = Option<String>)]
    phone_number: Option<ShownNumber>,
    referral_code: String,
    landing_page: LandingPageView,
    created_at: DateTime<Utc>,
    #[schema(required, value_type = Option<String>)]
    ip_address: Option<ShownAddress>,
    #[schema(required)]
    user_agent: Option<String>,
    is_flagged: bool,
    total_entries: i64,
    base_entries: i64,
    bonus_entries: i64,
    paid_entries: i64,
    /// Those of the paid entries that a dispute holds out of drawings.
    held_entries: i64,
    /// Whether they texted STOP.
    has_opted_out: bool,
    /// Whether they consented to texts of campaigns.
    sms_campaigns: bool,
    data_source: DataSourceView,
    #[schema(required)]
    import_batch_id: Option<String>,
    #[schema(required)]
    consent_basis: Option<String>,
    /// When they were erased.
    #[schema(required)]
    erased_at: Option<DateTime<Utc>>,
}

/// Another entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonRefView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required, value_type = Option<String>)]
    phone_number: Option<ShownNumber>,
}

/// The other entry of a mark.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DuplicateView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required, value_type = Option<String>)]
    phone_number: Option<ShownNumber>,
    /// Why staff marked it.
    reason: String,
    merged_at: DateTime<Utc>,
}

/// A row of the ledger.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerLineView {
    id: i64,
    kind: String,
    delta: i64,
    cause_id: i64,
    created_at: DateTime<Utc>,
}

/// A friend who entered through the link.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonReferralView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required, value_type = Option<String>)]
    phone_number: Option<ShownNumber>,
    /// Whether the entry for the friend is taken back.
    is_reversed: bool,
    created_at: DateTime<Utc>,
}

/// A purchase.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonPurchaseView {
    id: i64,
    /// Cents.
    amount: i64,
    entries_added: i64,
    status: String,
    created_at: DateTime<Utc>,
    #[schema(required)]
    completed_at: Option<DateTime<Utc>>,
    #[schema(required)]
    refunded_at: Option<DateTime<Utc>>,
    /// What came back to us, because a refund failed, in cents; its entries count again.
    failed_refunds: i64,
}

/// A text to the entrant. `/api/admin/sms/messages/{id}/evidence` says why it could be sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonTextView {
    id: i64,
    kind: String,
    #[schema(required)]
    campaign_name: Option<String>,
    status: String,
    /// Null for a secret text, and for one that is not composed yet.
    #[schema(required)]
    body: Option<String>,
    created_at: DateTime<Utc>,
    #[schema(required)]
    sent_at: Option<DateTime<Utc>>,
}

/// A text from the entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonReplyView {
    id: i64,
    body: String,
    #[schema(required)]
    keyword: Option<String>,
    created_at: DateTime<Utc>,
}

/// A flag of the entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonFlagView {
    reason: String,
    /// What fraud detection found; empty for a flag of staff.
    evidence: Vec<EvidenceView>,
    flagged_at: DateTime<Utc>,
    /// Null while it stands.
    #[schema(required)]
    unflagged_at: Option<DateTime<Utc>>,
}

/// An appeal of the entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonAppealView {
    id: i64,
    message: String,
    status: AppealStatusView,
    #[schema(required)]
    note: Option<String>,
    created_at: DateTime<Utc>,
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
}

/// A claim of the entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonClaimView {
    id: i64,
    drawing_id: i64,
    /// From 0.
    rank: i64,
    status: String,
    created_at: DateTime<Utc>,
}

/// The ledger: the newest 100, and the number of all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LedgerLinesView {
    total: i64,
    rows: Vec<LedgerLineView>,
}

/// Friends: the newest 100, and the number of all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonReferralsView {
    total: i64,
    rows: Vec<PersonReferralView>,
}

/// Purchases: the newest 100, and the number of all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonPurchasesView {
    total: i64,
    rows: Vec<PersonPurchaseView>,
}

/// Texts to the entrant: the newest 100, and the number of all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonTextsView {
    total: i64,
    rows: Vec<PersonTextView>,
}

/// Texts from the entrant: the newest 100, and the number of all.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonRepliesView {
    total: i64,
    rows: Vec<PersonReplyView>,
}

/// A move to another raffle, once the one before was over. It took the entries and gave one for the sign-up.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonMoveView {
    from: LandingPageView,
    to: LandingPageView,
    moved_at: DateTime<Utc>,
}

/// Everything about an entrant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonView {
    profile: PersonProfileView,
    /// Through whose link they entered.
    #[schema(required)]
    referred_by: Option<PersonRefView>,
    /// The entry that this one is a duplicate of.
    #[schema(required)]
    duplicate_of: Option<DuplicateView>,
    /// The duplicates of this entry.
    duplicates: Vec<DuplicateView>,
    tags: Vec<String>,
    notes: String,
    ledger: LedgerLinesView,
    referrals: PersonReferralsView,
    purchases: PersonPurchasesView,
    texts: PersonTextsView,
    replies: PersonRepliesView,
    /// The flag that they have now, and those that ended with an accepted appeal.
    flags: Vec<PersonFlagView>,
    appeals: Vec<PersonAppealView>,
    claims: Vec<PersonClaimView>,
    /// From one raffle to another, the oldest first.
    moves: Vec<PersonMoveView>,
}
