use crate::{
    Appeal, AppealCase, AppealId, AppealOutcome, AppealStatus, DecisionOutcome, Detected, FlagOutcome,
    FlaggedEntrant, FlaggedFilter, FlaggedSort, FraudRules, Hold, NewAppeal, NewFlag, NewSharedNetwork,
    SharedNetwork, SharedNetworkId, Verdict,
};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, PageRequest, SortOrder, StoreError};

/// The flags, which exclude entrants from drawings. While an entrant is flagged, the entry that their sign-up earned
/// their referrer is taken back, in the ledger and the counter. Whatever changes a flag does this in the same transaction.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Flags {
    /// Flags an entrant. The store sets the time of the flag.
    fn flag(&mut self, flag: &NewFlag) -> Result<FlagOutcome, StoreError>;

    /// Removes the flag of an entrant. Detection does not flag that entrant again. An open appeal is accepted, without a
    /// note, and a mark as a duplicate is removed.
    fn unflag(&mut self, entrant: EntrantId, at: DateTime<Utc>) -> Result<FlagOutcome, StoreError>;

    /// Flags whom [`FraudRules::examine`] finds on the next suspicious networks, with the evidence, and returns how many
    /// were flagged. It skips entrants whom staff unflagged, and checks only networks that have new accounts since they
    /// were checked, a bounded number of them in one call.
    fn flag_suspicious(&mut self, rules: &FraudRules) -> Result<Detected, StoreError>;

    /// The entrant with the flag, if the entrant is flagged now.
    fn find_flagged(&self, entrant: EntrantId) -> Result<Option<FlaggedEntrant>, StoreError>;

    /// A part of the flagged entrants that match, sorted by a column.
    fn list_flagged(
        &self,
        filter: &FlaggedFilter,
        sort: FlaggedSort,
        order: SortOrder,
        page: PageRequest,
    ) -> Result<Vec<FlaggedEntrant>, StoreError>;

    /// The number of flagged entrants that match.
    fn count_flagged(&self, filter: &FlaggedFilter) -> Result<i64, StoreError>;
}

/// The appeals of flagged entrants.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Appeals {
    /// The hold on an entrant's entries, if the entrant is flagged.
    fn find_hold(&self, entrant: EntrantId) -> Result<Option<Hold>, StoreError>;

    /// The newest appeal of an entrant.
    fn newest_appeal(&self, entrant: EntrantId) -> Result<Option<Appeal>, StoreError>;

    /// The newest appeals of an entrant with the flags that they are about, the newest first, at most a hundred.
    fn appeals_of(&self, entrant: EntrantId) -> Result<Vec<AppealCase>, StoreError>;

    /// Adds an appeal of an entrant who is flagged and has no open one. Of several calls at the same time, one adds it.
    fn add_appeal(&mut self, new: &NewAppeal) -> Result<AppealOutcome, StoreError>;

    /// Decides an open appeal. It leaves the flag; [`Flags::unflag`] in the same transaction removes it.
    fn decide_appeal(&mut self, id: AppealId, verdict: &Verdict) -> Result<DecisionOutcome, StoreError>;

    /// The appeal with this id.
    fn find_appeal(&self, id: AppealId) -> Result<Option<AppealCase>, StoreError>;

    /// A part of the appeals with this status, or of all: open ones first, the oldest first; then the others, the one that
    /// was decided last first.
    fn list_appeals(
        &self,
        status: Option<AppealStatus>,
        page: PageRequest,
    ) -> Result<Vec<AppealCase>, StoreError>;

    /// The number of appeals with this status, or of all.
    fn count_appeals(&self, status: Option<AppealStatus>) -> Result<i64, StoreError>;
}

/// The networks that many people share. Accounts on them are not flagged only for being there.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SharedNetworks {
    /// Lists a network. `None` if it is listed already; nothing has changed then.
    fn add_shared_network(
        &mut self,
        new: &NewSharedNetwork,
        at: DateTime<Utc>,
    ) -> Result<Option<SharedNetworkId>, StoreError>;

    /// Removes a network from the list, and returns it. The next detection checks all its accounts again.
    fn remove_shared_network(&mut self, id: SharedNetworkId) -> Result<Option<SharedNetwork>, StoreError>;

    /// A part of the shared networks, the newest first.
    fn list_shared_networks(&self, page: PageRequest) -> Result<Vec<SharedNetwork>, StoreError>;

    /// The number of shared networks.
    fn count_shared_networks(&self) -> Result<i64, StoreError>;
}

/// All store ports of fraud. Every type that implements them implements this.
pub trait FraudStore: Flags + Appeals + SharedNetworks {}

impl<T> FraudStore for T where T: Flags + Appeals + SharedNetworks {}
