use std::time::Duration;

/// Spreads messages evenly over time, at a maximum rate per second.
///
/// It is a schedule and not a token bucket: a message that is late because a timer fired late does not delay the next
/// ones, but idle time earns no burst.
#[derive(Debug, Clone)]
pub struct Pace {
    step: Duration,
    next: Duration,
}

/// How late a timer may fire without delaying the next messages.
const SLACK: Duration = Duration::from_millis(5);

impl Pace {
    /// A pace of so many messages per second, at least one.
    pub fn new(per_second: u32) -> Self {
        Self {
            step: Duration::from_secs(1) / per_second.max(1),
            next: Duration::ZERO,
        }
    }

    /// When the next message may be sent, on the same clock as `now`. It counts as sent then.
    pub fn next_slot(&mut self, now: Duration) -> Duration {
        let slot = self.next.max(now.saturating_sub(SLACK));
        self.next = slot + self.step;
        slot
    }

    /// Sends nothing before `then`.
    pub fn pause_until(&mut self, then: Duration) {
        self.next = self.next.max(then);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times at which messages are sent if there are always more, with timers that fire up to `late` late.
    fn send_times(per_second: u32, count: usize, late: Duration) -> Vec<Duration> {
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
    fn the_rate_is_met_in_every_second_within_one_percent() {
        for (per_second, late) in [(10, 1), (100, 1), (1_000, 1), (5_000, 2)] {
            let late = Duration::from_millis(late);
            let times = send_times(per_second, per_second as usize * 10, late);
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
    fn idle_time_earns_no_burst() {
        let mut pace = Pace::new(10);
        pace.next_slot(Duration::ZERO);
        let later = Duration::from_secs(60);
        assert!(pace.next_slot(later) <= later);
        assert!(pace.next_slot(later) > later);
    }

    #[test]
    fn a_pause_delays_all_messages() {
        let mut pace = Pace::new(10);
        pace.pause_until(Duration::from_secs(2));
        assert_eq!(pace.next_slot(Duration::ZERO), Duration::from_secs(2));
        assert_eq!(pace.next_slot(Duration::ZERO), Duration::from_millis(2_100));
    }
}
