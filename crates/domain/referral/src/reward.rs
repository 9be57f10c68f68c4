//! Who earns what for a friend, when it is taken back, and when it is given back.

use kernel::EntrantId;
use raffle::{EntryKind, LedgerRow};

/// Entries a referrer earns for each friend who enters through the link.
pub const REWARD: i64 = 1;

/// Who earns something for a sign-up: the entrant whose link it was, unless somebody was credited for the number before it was
/// erased.
pub fn earner(referrer: Option<EntrantId>, was_credited: bool) -> Option<EntrantId> {
    referrer.filter(|_| !was_credited)
}

/// The row of the ledger that gives the referrer the reward for a friend.
pub const fn reward_for(friend: EntrantId) -> LedgerRow {
    LedgerRow {
        kind: EntryKind::Referral,
        delta: REWARD,
        cause: friend.get(),
    }
}

/// A credited friend: what the referrer earned, and whether it is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Credit {
    /// Who earned it.
    pub referrer: EntrantId,
    /// The friend.
    pub friend: EntrantId,
    /// The entries that the sign-up earned.
    pub earned: i64,
    /// Whether they are taken back.
    pub is_reversed: bool,
    /// How often they were taken back.
    pub reversals: i64,
    /// Whether the referrer has moved to another raffle since: the entry was taken out then, and nothing is taken or given any
    /// more (D56a).
    pub is_moved_out: bool,
}

/// What a flag or its end changes: the credit, and the row of the ledger, if entries change.
pub type CreditChange = (Credit, Option<LedgerRow>);

impl Credit {
    /// The credit of a friend that was just given.
    pub const fn new(referrer: EntrantId, friend: EntrantId) -> Self {
        Self {
            referrer,
            friend,
            earned: reward_for(friend).delta,
            is_reversed: false,
            reversals: 0,
            is_moved_out: false,
        }
    }

    /// The friend was flagged: takes back what the sign-up earned. `None` if it is taken back.
    pub fn reverse(self) -> Option<CreditChange> {
        let reversed = Self {
            is_reversed: true,
            reversals: self.reversals + 1,
            ..self
        };
        let row = self.row(EntryKind::ReferralReversed, -self.earned);
        (!self.is_reversed).then_some((reversed, row))
    }

    /// The flag was removed: gives it back. `None` if it is not taken back.
    pub fn restore(self) -> Option<CreditChange> {
        let restored = Self {
            is_reversed: false,
            ..self
        };
        let row = self.row(EntryKind::ReferralRestored, self.earned);
        self.is_reversed.then_some((restored, row))
    }

    fn row(self, kind: EntryKind, delta: i64) -> Option<LedgerRow> {
        let row = LedgerRow {
            kind,
            delta,
            cause: self.friend.get(),
        };
        (!self.is_moved_out).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raffle::Entries;

    const ANN: EntrantId = EntrantId::new(1);
    const BOB: EntrantId = EntrantId::new(2);

    fn bonus(rows: &[LedgerRow]) -> i64 {
        Entries::of(rows.iter().copied()).bonus
    }

    #[test]
    fn a_friend_earns_the_referrer_one_entry() {
        assert_eq!(bonus(&[reward_for(BOB)]), 1);
        assert_eq!(earner(Some(ANN), false), Some(ANN));
        assert_eq!(earner(None, false), None);
    }

    #[test]
    fn a_number_that_was_credited_before_it_was_erased_earns_nobody_anything() {
        assert_eq!(earner(Some(ANN), true), None);
    }

    #[test]
    fn a_flag_takes_the_entry_back_once_and_its_end_gives_it_back_once() {
        let credit = Credit::new(ANN, BOB);
        assert_eq!(credit.restore(), None);
        let (reversed, taken) = credit.reverse().unwrap();
        let taken = taken.unwrap();
        assert_eq!(bonus(&[reward_for(BOB), taken]), 0);
        assert_eq!(reversed.reverse(), None);
        let (restored, given) = reversed.restore().unwrap();
        assert_eq!(bonus(&[reward_for(BOB), taken, given.unwrap()]), 1);
        assert_eq!(restored.restore(), None);
        let (again, _) = restored.reverse().unwrap();
        assert_eq!((reversed.reversals, again.reversals), (1, 2));
    }

    #[test]
    fn nothing_is_taken_or_given_for_a_friend_of_before_a_move() {
        let credit = Credit {
            is_moved_out: true,
            ..Credit::new(ANN, BOB)
        };
        let (reversed, taken) = credit.reverse().unwrap();
        let (restored, given) = reversed.restore().unwrap();
        assert_eq!((taken, given), (None, None));
        assert_eq!((reversed.is_reversed, restored.is_reversed), (true, false));
    }
}
