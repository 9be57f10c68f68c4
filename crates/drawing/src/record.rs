use crate::{DrawingId, Hash, SCHEME, Seed, SeedSource};
use chrono::{DateTime, SecondsFormat, Utc};
use kernel::Raffle;

/// What a drawing was: all that its verification hash sums up (section 6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Which drawing.
    pub drawing: DrawingId,
    /// Of which raffle.
    pub raffle: Raffle,
    /// What had been published of the seed.
    pub commitment: Hash,
    /// When that was, in whole microseconds.
    pub committed_at: DateTime<Utc>,
    /// Where the seed came from.
    pub seed_source: SeedSource,
    /// The seed.
    pub seed: Seed,
    /// The root over the entrants.
    pub root: Hash,
    /// How many entrants there were.
    pub participants: u64,
    /// How many entries they held.
    pub entries: u64,
    /// The entry that won.
    pub winning_entry_number: u64,
    /// When it was drawn, in whole microseconds.
    pub drawn_at: DateTime<Utc>,
}

impl Record {
    /// As the text that is hashed.
    pub fn text(&self) -> String {
        format!(
            "{SCHEME} record\n\
             drawing {}\n\
             raffle {}\n\
             commitment {}\n\
             committedAt {}\n\
             seedSource {}\n\
             seed {}\n\
             root {}\n\
             totalParticipants {}\n\
             totalEntries {}\n\
             winningEntryNumber {}\n\
             drawnAt {}\n",
            self.drawing,
            self.raffle,
            self.commitment,
            moment_text(self.committed_at),
            self.seed_source.as_str(),
            self.seed.reveal(),
            self.root,
            self.participants,
            self.entries,
            self.winning_entry_number,
            moment_text(self.drawn_at),
        )
    }

    /// The hash that sums it up.
    pub fn verification_hash(&self) -> Hash {
        Hash::of(self.text())
    }
}

/// A moment as it is hashed and published: UTC with microseconds.
pub fn moment_text(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Micros, true)
}
