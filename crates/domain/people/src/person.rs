use crate::Notes;
use chrono::{DateTime, Utc};
use kernel::{EntrantId, MessageId, Phone, ReferralCode};
use raffle::RaffleKey;
use std::net::IpAddr;

/// An entrant in the list of people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRow {
    /// The id.
    pub id: EntrantId,
    /// The number; `None` once it was erased.
    pub phone: Option<Phone>,
    /// Their referral code.
    pub referral_code: ReferralCode,
    /// The raffle.
    pub raffle: RaffleKey,
    /// All their entries.
    pub total_entries: i64,
    /// Whether they are left out of drawings.
    pub is_flagged: bool,
    /// Whether staff marked them as the same person as another entry.
    pub is_duplicate: bool,
    /// Their tags.
    pub tags: Vec<String>,
    /// When they entered.
    pub created_at: DateTime<Utc>,
}

/// How an entrant came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DataSource {
    /// They entered on the site.
    Site,
    /// Staff imported them.
    Import,
}

/// Who an entrant is, and what they have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The same as in the list.
    pub row: PersonRow,
    /// The address that they entered from.
    pub address: Option<IpAddr>,
    /// The browser that they entered with.
    pub user_agent: Option<String>,
    /// Entries for entering.
    pub base_entries: i64,
    /// Entries for friends.
    pub bonus_entries: i64,
    /// Entries that they bought.
    pub paid_entries: i64,
    /// Those of the bought entries that a dispute holds.
    pub held_entries: i64,
    /// Whether they texted STOP.
    pub has_opted_out: bool,
    /// Whether they consented to texts of campaigns.
    pub sms_campaigns: bool,
    /// How they came.
    pub data_source: DataSource,
    /// The import that they came with.
    pub import_batch: Option<String>,
    /// Why they may be texted, in the words of whoever imported them.
    pub consent_basis: Option<String>,
    /// When they were erased; only their id and their entries are left then.
    pub erased_at: Option<DateTime<Utc>>,
}

/// Another entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonRef {
    /// The id.
    pub id: EntrantId,
    /// The number; `None` once it was erased.
    pub phone: Option<Phone>,
}

/// The other entry of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateRef {
    /// The other entry.
    pub person: PersonRef,
    /// Why staff marked it.
    pub reason: String,
    /// When.
    pub merged_at: DateTime<Utc>,
}

/// The newest rows of a list, at most [`Newest::MOST`], and the number of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Newest<T> {
    /// The number of all.
    pub total: i64,
    /// The newest, the newest first.
    pub rows: Vec<T>,
}

impl Newest<()> {
    /// The most rows of each list.
    pub const MOST: u32 = 100;
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerLine {
    /// The number of the row.
    pub id: i64,
    /// Why, by the name in the ledger.
    pub kind: String,
    /// How many entries.
    pub delta: i64,
    /// What caused it.
    pub cause: i64,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// A friend who entered through the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferralLine {
    /// The friend.
    pub friend: PersonRef,
    /// Whether the entry for the friend is taken back.
    pub is_reversed: bool,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// A purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseLine {
    /// The id.
    pub id: i64,
    /// The price, in cents.
    pub amount: i64,
    /// How many entries.
    pub entries: i64,
    /// The status, by its name.
    pub status: String,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
    /// When it was paid.
    pub completed_at: Option<DateTime<Utc>>,
    /// When all of it was given back.
    pub refunded_at: Option<DateTime<Utc>>,
    /// What came back to us, because a refund failed, in cents.
    pub failed_refunds: i64,
}

/// A text to the entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    /// The id.
    pub id: MessageId,
    /// Why it was sent, by its name.
    pub kind: String,
    /// The campaign, if it still exists.
    pub campaign: Option<String>,
    /// The status, by its name.
    pub status: String,
    /// The text; `None` for a secret one, and for a welcome that is not composed yet.
    pub body: Option<String>,
    /// When it was queued.
    pub created_at: DateTime<Utc>,
    /// When the provider accepted it.
    pub sent_at: Option<DateTime<Utc>>,
}

/// A text from the entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyLine {
    /// The id.
    pub id: i64,
    /// The text.
    pub body: String,
    /// The keyword that it is, by its name.
    pub keyword: Option<String>,
    /// When it came.
    pub created_at: DateTime<Utc>,
}

/// A claim of the entrant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimLine {
    /// The id.
    pub id: i64,
    /// The drawing.
    pub drawing: i64,
    /// The rank, from 0.
    pub rank: i64,
    /// The status, by its name.
    pub status: String,
    /// When they were asked.
    pub created_at: DateTime<Utc>,
}

/// Everything that the store has about an entrant but flags and appeals, which are another domain's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Who they are.
    pub profile: Profile,
    /// Tags and notes of staff.
    pub notes: Notes,
    /// Through whose link they entered.
    pub referred_by: Option<PersonRef>,
    /// The entry that this one is a duplicate of.
    pub duplicate_of: Option<DuplicateRef>,
    /// The newest duplicates of this entry, at most [`Newest::MOST`].
    pub duplicates: Vec<DuplicateRef>,
    /// The ledger.
    pub ledger: Newest<LedgerLine>,
    /// Friends.
    pub referrals: Newest<ReferralLine>,
    /// Purchases.
    pub purchases: Newest<PurchaseLine>,
    /// Texts to them.
    pub texts: Newest<TextLine>,
    /// Texts from them.
    pub replies: Newest<ReplyLine>,
    /// The newest claims, at most [`Newest::MOST`].
    pub claims: Vec<ClaimLine>,
}
