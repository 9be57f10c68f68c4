use raffle::RaffleKey;

/// The entrants who could win a raffle now, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaffleStatistics {
    /// The raffle.
    pub raffle: RaffleKey,
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
    use raffle::fixtures::GARDEN_BAG;

    #[test]
    fn the_average_is_entries_per_entrant() {
        let average = |participants, entries| {
            let raffle = GARDEN_BAG;
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
