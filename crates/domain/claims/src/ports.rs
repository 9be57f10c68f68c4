use crate::{CallCodeHash, Claim, ClaimEvent, ClaimId, ClaimStatus, NewClaim, NewEvent, TokenHash};
use kernel::{DatabaseClock, DrawingId, EntrantId, MessageId, PageRequest, StoreError};

/// Which claims to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimFilter {
    /// All.
    All,
    /// Those with this status.
    Status(ClaimStatus),
    /// Those that wait for the winner and need a call.
    NeedsCall,
    /// Those that staff must do something about: submitted, rejected with an objection and not ended, or in need of a call.
    WaitsForStaff,
}

impl ClaimFilter {
    /// Whether a claim is among them.
    pub fn matches(self, claim: &Claim) -> bool {
        let needs_call = claim.needs_call && claim.status.waits_for_winner();
        let has_objection = claim
            .rejection
            .as_ref()
            .is_some_and(|rejection| rejection.objection.is_some());
        match self {
            Self::All => true,
            Self::Status(status) => claim.status == status,
            Self::NeedsCall => needs_call,
            Self::WaitsForStaff => {
                let objected =
                    claim.status == ClaimStatus::Rejected && claim.ended_at.is_none() && has_objection;
                needs_call || objected || claim.status == ClaimStatus::Submitted
            }
        }
    }
}

/// What became of the texts of a claim, codes included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClaimTexts {
    /// Whether one of them was delivered.
    pub delivered: bool,
    /// Whether one of them may still be delivered: it is open, or the provider has it.
    pub on_the_way: bool,
}

/// Claims of winners. At most one for each rank of a drawing; none is ever deleted.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Claims: DatabaseClock {
    /// Adds a pending claim. `None` when the drawing's rank has one already.
    fn add_claim(&mut self, new: &NewClaim) -> Result<Option<ClaimId>, StoreError>;

    /// The claim with this id.
    fn find_claim(&self, id: ClaimId) -> Result<Option<Claim>, StoreError>;

    /// The claim whose link has this token.
    fn find_claim_by_token(&self, token: &TokenHash) -> Result<Option<Claim>, StoreError>;

    /// The claim with this code of a call.
    fn find_claim_by_call_code(&self, code: &CallCodeHash) -> Result<Option<Claim>, StoreError>;

    /// The claim, locked until the transaction ends.
    fn lock_claim(&mut self, id: ClaimId) -> Result<Option<Claim>, StoreError>;

    /// Stores what a step changed. The claim must be locked; its drawing, rank, entrant and creation never change.
    fn save_claim(&mut self, claim: &Claim) -> Result<(), StoreError>;

    /// One page of the claims, newest first (by id).
    fn list_claims(&self, filter: ClaimFilter, page: PageRequest) -> Result<Vec<Claim>, StoreError>;

    /// How many claims there are.
    fn count_claims(&self, filter: ClaimFilter) -> Result<i64, StoreError>;

    /// The claims of these drawings, by drawing and rank.
    fn claims_of(&self, drawings: &[DrawingId]) -> Result<Vec<Claim>, StoreError>;

    /// The claims of an entrant, newest first (by id).
    fn claims_of_entrant(&self, entrant: EntrantId) -> Result<Vec<Claim>, StoreError>;

    /// The claim of the newest drawing that was approved and names its winner.
    fn newest_named_claim(&self) -> Result<Option<Claim>, StoreError>;

    /// The claims that time can change: not ended, or with details that were not erased. By id.
    fn list_live_claims(&self) -> Result<Vec<Claim>, StoreError>;

    /// Adds to the history of a claim. Events are never changed or deleted.
    fn add_claim_event(&mut self, event: &NewEvent) -> Result<(), StoreError>;

    /// The history of a claim, oldest first.
    fn list_claim_events(&self, claim: ClaimId) -> Result<Vec<ClaimEvent>, StoreError>;

    /// Remembers that a queued text belongs to a claim.
    fn link_claim_text(&mut self, claim: ClaimId, message: MessageId) -> Result<(), StoreError>;

    /// What became of the claim's texts.
    fn claim_texts(&self, claim: ClaimId) -> Result<ClaimTexts, StoreError>;
}
