use crate::{Content, RaffleKey, Version};
use chrono::{DateTime, Utc};
use kernel::{StaffName, StoreError};
use std::collections::BTreeMap;

/// What staff write of a raffle before they publish it. Each raffle has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The raffle.
    pub raffle: RaffleKey,
    /// Counts up from 1 with each change, so that nobody overwrites what somebody else has changed meanwhile.
    pub revision: i64,
    /// What it says.
    pub content: Content,
    /// When it was saved.
    pub saved_at: DateTime<Utc>,
    /// Who saved it; `None` for the drafts that a new site has.
    pub saved_by: Option<StaffName>,
}

impl Draft {
    /// What staff see of the raffle: what counts now, or without that the draft.
    pub fn shown<'a>(&'a self, in_force: Option<&'a Version>) -> &'a Content {
        in_force.map_or(&self.content, |version| &version.content)
    }
}

/// The drafts of raffles.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait Drafts {
    /// The draft of a raffle; `None` if there is no such raffle.
    fn find_draft(&self, raffle: RaffleKey) -> Result<Option<Draft>, StoreError>;

    /// The drafts of all raffles.
    fn list_drafts(&self) -> Result<BTreeMap<RaffleKey, Draft>, StoreError>;

    /// The draft of a raffle, and nobody else changes or publishes it until this unit of work ends.
    fn lock_draft(&mut self, raffle: RaffleKey) -> Result<Option<Draft>, StoreError>;

    /// Stores the draft of a raffle in the place of the one before. Call [`Drafts::lock_draft`] before, or add the raffle.
    fn save_draft(&mut self, draft: &Draft) -> Result<(), StoreError>;
}
