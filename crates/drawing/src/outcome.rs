use crate::{CommitmentId, Hash, Record, SaltKey};
use kernel::{EntrantId, IdempotencyKey, Phone, Raffle};

/// A drawing about to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDrawing {
    /// What it was.
    pub record: Record,
    /// The commitment that it uses up.
    pub commitment: CommitmentId,
    /// What the salts come from.
    pub salt_key: SaltKey,
    /// Who won.
    pub winner: EntrantId,
    /// The winner's number at that moment.
    pub winner_phone: Phone,
    /// Where in the list the winner is.
    pub winner_index: u64,
    /// The client's name for it.
    pub idempotency_key: Option<IdempotencyKey>,
    /// In which session of the console it was performed.
    pub session: i64,
}

/// A drawing that was performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// What it was.
    pub record: Record,
    /// The hash that sums it up.
    pub verification_hash: Hash,
    /// The hash of the log's entry.
    pub audit_log_hash: Hash,
    /// What the salts come from. Not to be published.
    pub salt_key: SaltKey,
    /// Who won.
    pub winner: EntrantId,
    /// The winner's number at that moment.
    pub winner_phone: Phone,
    /// Where in the list the winner is.
    pub winner_index: u64,
}

impl Drawing {
    /// How a winner is found: there is one way (the spec's default).
    pub const METHOD: &str = "random";
}

/// By what drawings are sorted; those that are equal, by their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DrawingSort {
    /// When they were performed.
    #[default]
    CreatedAt,
    /// The raffle's key.
    Raffle,
    /// The entry that won.
    WinningEntryNumber,
    /// How many entrants there were.
    TotalParticipants,
    /// How many entries they held.
    TotalEntries,
}

/// Which way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortOrder {
    /// The largest or newest first.
    #[default]
    Descending,
    /// The smallest or oldest first.
    Ascending,
}

/// Who could win a raffle now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaffleStatistics {
    /// Which raffle.
    pub raffle: Raffle,
    /// How many could.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: u64,
}

impl RaffleStatistics {
    /// Entries for each of them; 0 when there is nobody.
    pub fn average_entries(&self) -> f64 {
        if self.participants == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "an average is rounded anyway")]
        let average = self.entries as f64 / self.participants as f64;
        average
    }
}
