use crate::{DrawingId, Hash, SCHEME, Seed, SeedSource};
use chrono::{DateTime, SecondsFormat, Utc};
use kernel::Raffle;

/// The public record of a drawing: everything that its verification hash covers (section 1.6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The drawing's id.
    pub drawing: DrawingId,
    /// The raffle.
    pub raffle: Raffle,
    /// The hash of the seed, published before the drawing.
    pub commitment: Hash,
    /// When the commitment was published, in whole microseconds.
    pub committed_at: DateTime<Utc>,
    /// Where the seed came from.
    pub seed_source: SeedSource,
    /// The seed.
    pub seed: Seed,
    /// The Merkle root of the entrants' leaves.
    pub root: Hash,
    /// How many entrants there were.
    pub participants: u64,
    /// How many entries they held.
    pub entries: u64,
    /// The number of the winning entry, from 1.
    pub winning_entry_number: u64,
    /// The time of the drawing, in whole microseconds.
    pub drawn_at: DateTime<Utc>,
}

impl Record {
    /// The text that is hashed.
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

    /// The hash of the text.
    pub fn verification_hash(&self) -> Hash {
        Hash::of(self.text())
    }
}

/// A timestamp as it is hashed and published: UTC with microseconds.
pub fn moment_text(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Micros, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    fn record() -> Record {
        let noon: DateTime<Utc> = "2025-08-01T12:00:00Z".parse().unwrap();
        Record {
            drawing: DrawingId::new(7),
            raffle: Raffle::FreshSips,
            commitment: Hash::new([1; 32]),
            committed_at: noon,
            seed_source: SeedSource::Os,
            seed: Seed::new([2; 32]),
            root: Hash::new([3; 32]),
            participants: 4,
            entries: 12,
            winning_entry_number: 9,
            drawn_at: noon + TimeDelta::microseconds(1_500),
        }
    }

    #[test]
    fn the_text_has_a_line_for_each_field() {
        let expected = [
            "tombola-drawing/1 record",
            "drawing 7",
            "raffle fresh-sips",
            "commitment 0101010101010101010101010101010101010101010101010101010101010101",
            "committedAt 2025-08-01T12:00:00.000000Z",
            "seedSource os",
            "seed 0202020202020202020202020202020202020202020202020202020202020202",
            "root 0303030303030303030303030303030303030303030303030303030303030303",
            "totalParticipants 4",
            "totalEntries 12",
            "winningEntryNumber 9",
            "drawnAt 2025-08-01T12:00:00.001500Z",
            "",
        ];
        assert_eq!(record().text(), expected.join("\n"));
    }

    #[test]
    fn the_verification_hash_is_the_hash_of_the_text() {
        assert_eq!(record().verification_hash(), Hash::of(record().text()));
    }
}
