use crate::{CommitmentId, Hash, Record, SaltKey};
use kernel::{EntrantId, IdempotencyKey, Phone, Raffle};

/// A drawing to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDrawing {
    /// The public record of the drawing.
    pub record: Record,
    /// The commitment that it uses.
    pub commitment: CommitmentId,
    /// The key that the salts are derived from. Secret.
    pub salt_key: SaltKey,
    /// The entrant who won.
    pub winner: EntrantId,
    /// The winner's phone number at the time of the drawing.
    pub winner_phone: Phone,
    /// The winner's position in the list, from 0.
    pub winner_index: u64,
    /// The client's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// The console session that performed it.
    pub session: i64,
}

/// A drawing that was performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The public record of the drawing.
    pub record: Record,
    /// The hash of the record.
    pub verification_hash: Hash,
    /// The hash of its entry in the log.
    pub audit_log_hash: Hash,
    /// The key that the salts are derived from. Secret.
    pub salt_key: SaltKey,
    /// The entrant who won.
    pub winner: EntrantId,
    /// The winner's phone number at the time of the drawing; none once the person is erased.
    pub winner_phone: Option<Phone>,
    /// The winner's position in the list, from 0.
    pub winner_index: u64,
}

impl Drawing {
    /// The selection method in the API. There is only this one.
    pub const METHOD: &str = "random";
}

/// The column that drawings are sorted by. Equal ones are sorted by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DrawingSort {
    /// The time of the drawing.
    #[default]
    CreatedAt,
    /// The raffle's key.
    Raffle,
    /// The number of the winning entry.
    WinningEntryNumber,
    /// How many entrants there were.
    TotalParticipants,
    /// How many entries they held.
    TotalEntries,
}

/// The entrants who could win a raffle now, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaffleStatistics {
    /// The raffle.
    pub raffle: Raffle,
    /// How many entrants could win.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: u64,
}

impl RaffleStatistics {
    /// The average number of entries per entrant; 0 without entrants.
    pub fn average_entries(&self) -> f64 {
        if self.participants == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "an average is rounded anyway")]
        let average = self.entries as f64 / self.participants as f64;
        average
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_entries_per_entrant() {
        let average = |participants, entries| {
            let raffle = Raffle::GardenBag;
            let statistics = RaffleStatistics {
                raffle,
                participants,
                entries,
            };
            statistics.average_entries()
        };
        assert_eq!((average(0, 0), average(2, 5), average(4, 4)), (0.0, 2.5, 1.0));
    }
}
