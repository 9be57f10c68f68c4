//! The answers about people.

use crate::routes::appeals::AppealStatusView;
use crate::routes::staff::evidence::{self, EvidenceView};
use crate::views::LandingPageView;
use analytics::{AppealCase, AppealStatus, FlaggedEntrant};
use chrono::{DateTime, Utc};
use kernel::Phone;
use people::{
    ClaimLine, DataSource, DuplicateRef, LedgerLine, Newest, Notes, PersonRef, PersonRow, Profile,
    PurchaseLine, ReferralLine, ReplyLine, TextLine,
};
use serde::Serialize;
use usecases::people::{PeopleList, PersonFile};
use utoipa::ToSchema;

/// An entrant in the list of people.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonRowView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required)]
    phone_number: Option<String>,
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

/// How an entrant came.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DataSourceView {
    Site,
    Import,
}

/// Who an entrant is, and what they have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonProfileView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required)]
    phone_number: Option<String>,
    referral_code: String,
    landing_page: LandingPageView,
    created_at: DateTime<Utc>,
    #[schema(required)]
    ip_address: Option<String>,
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
    #[schema(required)]
    phone_number: Option<String>,
}

/// The other entry of a mark.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DuplicateView {
    id: i64,
    /// In full; null once it was erased.
    #[schema(required)]
    phone_number: Option<String>,
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
    #[schema(required)]
    phone_number: Option<String>,
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
}

fn number(phone: Option<&Phone>) -> Option<String> {
    phone.map(|phone| phone.as_e164().to_owned())
}

fn views<T, V: From<T>>(rows: Vec<T>) -> Vec<V> {
    rows.into_iter().map(V::from).collect()
}

impl From<PersonRow> for PersonRowView {
    fn from(row: PersonRow) -> Self {
        Self {
            id: row.id.get(),
            phone_number: number(row.phone.as_ref()),
            referral_code: row.referral_code.to_string(),
            landing_page: row.raffle.into(),
            total_entries: row.total_entries,
            is_flagged: row.is_flagged,
            is_duplicate: row.is_duplicate,
            tags: row.tags,
            created_at: row.created_at,
        }
    }
}

impl From<PeopleList> for PeopleView {
    fn from(list: PeopleList) -> Self {
        Self {
            people: views(list.people),
            total: list.total,
            is_total_exact: list.is_total_exact,
        }
    }
}

impl From<Notes> for PersonNotesView {
    fn from(noted: Notes) -> Self {
        Self {
            tags: noted.tags,
            notes: noted.notes,
        }
    }
}

impl From<DataSource> for DataSourceView {
    fn from(source: DataSource) -> Self {
        match source {
            DataSource::Site => Self::Site,
            DataSource::Import => Self::Import,
        }
    }
}

impl From<Profile> for PersonProfileView {
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.row.id.get(),
            phone_number: number(profile.row.phone.as_ref()),
            referral_code: profile.row.referral_code.to_string(),
            landing_page: profile.row.raffle.into(),
            created_at: profile.row.created_at,
            ip_address: profile.address.map(|address| address.to_string()),
            user_agent: profile.user_agent,
            is_flagged: profile.row.is_flagged,
            total_entries: profile.row.total_entries,
            base_entries: profile.base_entries,
            bonus_entries: profile.bonus_entries,
            paid_entries: profile.paid_entries,
            held_entries: profile.held_entries,
            has_opted_out: profile.has_opted_out,
            sms_campaigns: profile.sms_campaigns,
            data_source: profile.data_source.into(),
            import_batch_id: profile.import_batch,
            consent_basis: profile.consent_basis,
            erased_at: profile.erased_at,
        }
    }
}

impl From<PersonRef> for PersonRefView {
    fn from(person: PersonRef) -> Self {
        Self {
            id: person.id.get(),
            phone_number: number(person.phone.as_ref()),
        }
    }
}

impl From<DuplicateRef> for DuplicateView {
    fn from(mark: DuplicateRef) -> Self {
        Self {
            id: mark.person.id.get(),
            phone_number: number(mark.person.phone.as_ref()),
            reason: mark.reason,
            merged_at: mark.merged_at,
        }
    }
}

impl From<LedgerLine> for LedgerLineView {
    fn from(line: LedgerLine) -> Self {
        Self {
            id: line.id,
            kind: line.kind,
            delta: line.delta,
            cause_id: line.cause,
            created_at: line.created_at,
        }
    }
}

impl From<ReferralLine> for PersonReferralView {
    fn from(line: ReferralLine) -> Self {
        Self {
            id: line.friend.id.get(),
            phone_number: number(line.friend.phone.as_ref()),
            is_reversed: line.is_reversed,
            created_at: line.created_at,
        }
    }
}

impl From<PurchaseLine> for PersonPurchaseView {
    fn from(line: PurchaseLine) -> Self {
        Self {
            id: line.id,
            amount: line.amount,
            entries_added: line.entries,
            status: line.status,
            created_at: line.created_at,
            completed_at: line.completed_at,
            refunded_at: line.refunded_at,
        }
    }
}

impl From<TextLine> for PersonTextView {
    fn from(line: TextLine) -> Self {
        Self {
            id: line.id.get(),
            kind: line.kind,
            campaign_name: line.campaign,
            status: line.status,
            body: line.body,
            created_at: line.created_at,
            sent_at: line.sent_at,
        }
    }
}

impl From<ReplyLine> for PersonReplyView {
    fn from(line: ReplyLine) -> Self {
        Self {
            id: line.id,
            body: line.body,
            keyword: line.keyword,
            created_at: line.created_at,
        }
    }
}

impl From<ClaimLine> for PersonClaimView {
    fn from(line: ClaimLine) -> Self {
        Self {
            id: line.id,
            drawing_id: line.drawing,
            rank: line.rank,
            status: line.status,
            created_at: line.created_at,
        }
    }
}

impl From<&FlaggedEntrant> for PersonFlagView {
    fn from(flagged: &FlaggedEntrant) -> Self {
        Self {
            reason: flagged.reason.clone(),
            evidence: evidence::views(&flagged.evidence),
            flagged_at: flagged.flagged_at,
            unflagged_at: None,
        }
    }
}

impl From<&AppealCase> for PersonFlagView {
    fn from(case: &AppealCase) -> Self {
        Self {
            reason: case.reason.clone(),
            evidence: evidence::views(&case.evidence),
            flagged_at: case.flagged_at,
            unflagged_at: case.appeal.decided_at,
        }
    }
}

impl From<AppealCase> for PersonAppealView {
    fn from(case: AppealCase) -> Self {
        Self {
            id: case.appeal.id.get(),
            message: case.appeal.message,
            status: case.appeal.status.into(),
            note: case.appeal.note,
            created_at: case.appeal.created_at,
            decided_at: case.appeal.decided_at,
        }
    }
}

impl From<Newest<LedgerLine>> for LedgerLinesView {
    fn from(newest: Newest<LedgerLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<Newest<ReferralLine>> for PersonReferralsView {
    fn from(newest: Newest<ReferralLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<Newest<PurchaseLine>> for PersonPurchasesView {
    fn from(newest: Newest<PurchaseLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<Newest<TextLine>> for PersonTextsView {
    fn from(newest: Newest<TextLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

impl From<Newest<ReplyLine>> for PersonRepliesView {
    fn from(newest: Newest<ReplyLine>) -> Self {
        Self {
            total: newest.total,
            rows: views(newest.rows),
        }
    }
}

/// The flag that stands, and those that an accepted appeal ended. Of others only the log of staff's actions knows.
fn flags(file: &PersonFile) -> Vec<PersonFlagView> {
    let ended = file.appeals.iter();
    let ended = ended.filter(|case| case.appeal.status == AppealStatus::Accepted);
    file.flag
        .iter()
        .map(PersonFlagView::from)
        .chain(ended.map(PersonFlagView::from))
        .collect()
}

impl From<PersonFile> for PersonView {
    fn from(file: PersonFile) -> Self {
        let flags = flags(&file);
        let person = file.person;
        Self {
            profile: person.profile.into(),
            referred_by: person.referred_by.map(Into::into),
            duplicate_of: person.duplicate_of.map(Into::into),
            duplicates: views(person.duplicates),
            tags: person.notes.tags,
            notes: person.notes.notes,
            ledger: person.ledger.into(),
            referrals: person.referrals.into(),
            purchases: person.purchases.into(),
            texts: person.texts.into(),
            replies: person.replies.into(),
            flags,
            appeals: views(file.appeals),
            claims: views(person.claims),
        }
    }
}
