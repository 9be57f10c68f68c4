use crate::{Entries, RaffleKey};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, EventId, Origin, PersonSalt, PersonTag, Phone, ReferralCode};

/// A person who entered a raffle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// The entrant's id.
    pub id: EntrantId,
    /// The phone number, which no other entrant has.
    pub phone: Phone,
    /// The code at the end of the entrant's referral link.
    pub referral_code: ReferralCode,
    /// The raffle that the entrant is in.
    pub raffle: RaffleKey,
    /// The entrant's entries.
    pub entries: Entries,
    /// When the entrant entered.
    pub created_at: DateTime<Utc>,
}

/// An entrant moved to another raffle (D56a).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaffleMove {
    /// The raffle that the entrant was in.
    pub from: RaffleKey,
    /// The raffle that the entrant is in since.
    pub to: RaffleKey,
    /// When, by the store's clock: the time of the rows of the ledger.
    pub at: DateTime<Utc>,
}

impl RaffleMove {
    /// The raffle that an entrant was in at a moment: before the first of the moves since, or where the entrant is now.
    pub fn raffle_at<'a>(
        moves: impl IntoIterator<Item = &'a Self>,
        now: RaffleKey,
        moment: DateTime<Utc>,
    ) -> RaffleKey {
        let mut moves = moves.into_iter();
        moves.find(|each| moment <= each.at).map_or(now, |next| next.from)
    }
}

/// An entrant to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntrant {
    /// A fresh random id, probably not taken.
    pub id: EntrantId,
    /// The phone number.
    pub phone: Phone,
    /// Fresh random bytes for the tag.
    pub person_salt: PersonSalt,
    /// A fresh referral code, probably not taken.
    pub referral_code: ReferralCode,
    /// The raffle to enter.
    pub raffle: RaffleKey,
    /// The client's id for this sign-up, which is reported once.
    pub event_id: Option<EventId>,
    /// Where the request came from.
    pub origin: Origin,
    /// The browser's fingerprint, a hash.
    pub fingerprint: Option<String>,
    /// The time of the sign-up.
    pub created_at: DateTime<Utc>,
}

impl NewEntrant {
    /// The tag that binds the entrant to the number in the lists of drawings.
    pub fn person_tag(&self) -> PersonTag {
        PersonTag::of(&self.person_salt, &self.phone)
    }

    /// The entrant as the store adds it.
    pub fn added(self) -> Entrant {
        Entrant {
            id: self.id,
            phone: self.phone,
            referral_code: self.referral_code,
            raffle: self.raffle,
            entries: Entries::NEW,
            created_at: self.created_at,
        }
    }
}

/// What is kept of an erased person by the number, for 13 months.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recalled {
    /// Somebody got an entry for the sign-up of the number. Nobody gets another one.
    pub was_credited: bool,
    /// The person was flagged.
    pub was_flagged: bool,
}
