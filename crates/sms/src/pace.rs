use std::time::Duration;

/// Spreads texts evenly over time: at most so many a second, and in every second as many as there are.
///
/// A schedule, not a bucket: a text that comes late because a timer fired late does not push back the next ones, but
/// time in which there was nothing to send is not made up for.
#[derive(Debug, Clone)]
pub struct Pace {
    step: Duration,
    next: Duration,
}

/// What a late timer may be made up for.
const SLACK: Duration = Duration::from_millis(5);

impl Pace {
    /// So many a second, at least one.
    pub fn new(per_second: u32) -> Self {
        Self {
            step: Duration::from_secs(1) / per_second.max(1),
            next: Duration::ZERO,
        }
    }

    /// When the next text may be sent, on the same clock as `now`; it is counted as sent then.
    pub fn next_slot(&mut self, now: Duration) -> Duration {
        let slot = self.next.max(now.saturating_sub(SLACK));
        self.next = slot + self.step;
        slot
    }

    /// Lets everything wait until then.
    pub fn pause_until(&mut self, then: Duration) {
        self.next = self.next.max(then);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When texts leave that are always there, on timers that fire up to `late` late.
    fn sent(per_second: u32, count: usize, late: Duration) -> Vec<Duration> {
        let mut pace = Pace::new(per_second);
        let mut now = Duration::ZERO;
        (0..count)
            .map(|n| {
                let slot = pace.next_slot(now);
                if slot > now {
                    now = slot + late * u32::try_from(n % 3).unwrap() / 2;
                }
                now
            })
            .collect()
    }

    #[test]
    fn every_second_has_as_many_as_allowed_within_one_in_a_hundred() {
        for (per_second, late) in [(10, 1), (100, 1), (1_000, 1), (5_000, 2)] {
            let late = Duration::from_millis(late);
            let times = sent(per_second, per_second as usize * 10, late);
            for second in 1..9u64 {
                let within = Duration::from_secs(second)..Duration::from_secs(second + 1);
                let count = times.iter().filter(|time| within.contains(time)).count() as f64;
                let off = (count - f64::from(per_second)).abs();
                assert!(
                    off <= (f64::from(per_second) / 100.0).max(1.0),
                    "{per_second}: {count}"
                );
            }
        }
    }

    #[test]
    fn idle_time_is_not_made_up_for() {
        let mut pace = Pace::new(10);
        pace.next_slot(Duration::ZERO);
        let later = Duration::from_secs(60);
        assert!(pace.next_slot(later) <= later);
        assert!(pace.next_slot(later) > later);
    }

    #[test]
    fn a_pause_moves_everything() {
        let mut pace = Pace::new(10);
        pace.pause_until(Duration::from_secs(2));
        assert_eq!(pace.next_slot(Duration::ZERO), Duration::from_secs(2));
        assert_eq!(pace.next_slot(Duration::ZERO), Duration::from_millis(2_100));
    }
}
