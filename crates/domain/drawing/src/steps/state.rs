use super::{Announced, Drawn, DrawnRank, LateRound, Logged, Plan, Sealed, VoidDetails, Voided};
use crate::beacon::{BeaconSignature, HostAnswer};
use crate::{BeaconChoice, BeaconValue, DrawFacts, DrawingId, Record, Replaced};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Phone;

/// How far a drawing is.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum DrawingStatus {
    /// It is announced, and its list is not frozen.
    Announced,
    /// Its list and its seed are public, and its round is not.
    Sealed,
    /// It has a winner.
    Drawn,
    /// It is void. A sealed one is drawn after all when its round comes before another drawing with its list is sealed.
    Void,
}

impl DrawingStatus {
    /// Its name in rows and in the API.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A drawing with all its steps so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingState {
    /// Its id.
    pub id: DrawingId,
    /// What is fixed.
    pub plan: Plan,
    /// How far it is.
    pub status: DrawingStatus,
    /// Its newest announcement.
    pub announcement: Logged<Announced>,
    /// Its seal, once it is sealed.
    pub seal: Option<Logged<Sealed>>,
    /// Its result, once it is drawn.
    pub result: Option<Logged<Drawn>>,
    /// Why it is void, or was before it was drawn after all.
    pub void: Option<Logged<Voided>>,
    /// Its round, when it came too late for a void drawing.
    pub late: Option<Logged<LateRound>>,
}

/// How long after its round was due a sealed drawing may be made void.
const VOIDABLE_AFTER: TimeDelta = TimeDelta::days(7);

impl DrawingState {
    /// Whether the schedule announced it, and not staff.
    pub const fn is_scheduled(&self) -> bool {
        self.plan.session.is_none()
    }

    /// Whether it is void because nobody could be drawn.
    pub fn was_empty(&self) -> bool {
        let was_empty = |void: &Logged<Voided>| void.step.reason == Voided::EMPTY;
        self.seal.is_none() && self.void.as_ref().is_some_and(was_empty)
    }

    /// Whether it is void and was never sealed, so that its seed is still secret.
    pub fn has_unused_seed(&self) -> bool {
        self.status == DrawingStatus::Void && self.seal.is_none()
    }

    /// From when on it may be made void: a week after its round was due. `None` unless it is sealed and waits for a beacon.
    pub fn voidable_at(&self) -> Option<DateTime<Utc>> {
        let is_sealed = self.status == DrawingStatus::Sealed;
        let round_at = self.announcement.step.round_at.filter(|_| is_sealed)?;
        round_at.checked_add_signed(VOIDABLE_AFTER)
    }

    /// What the hosts of the beacon answered when it was made void.
    pub fn host_answers(&self) -> Vec<HostAnswer> {
        let details = self.void.as_ref().map(|void| void.entry.entry.details.as_str());
        let details = details.and_then(|details| VoidDetails::from_details(details).ok());
        details.map_or_else(Vec::new, |details| details.hosts)
    }

    /// Its list, for a drawing that replaces it. `None` until it is sealed.
    pub fn list(&self) -> Option<Replaced> {
        let seal = &self.seal.as_ref()?.step;
        Some(Replaced {
            drawing: self.id,
            root: seal.root,
            weights_hash: seal.weights_hash,
        })
    }

    /// Since when it has waited for its round; `None` unless it is sealed and its round is due.
    pub fn waiting_since(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let is_sealed = self.status == DrawingStatus::Sealed;
        let due = self.announcement.step.round_at.filter(|_| is_sealed);
        due.filter(|due| *due <= now)
    }

    /// The winner, once it is drawn.
    pub fn winner(&self) -> Option<&DrawnRank> {
        self.rank(0)
    }

    /// Whom a rank drew: 0 is the winner.
    pub fn rank(&self, rank: u32) -> Option<&DrawnRank> {
        let ranks = &self.result.as_ref()?.step.ranks;
        ranks.get(usize::try_from(rank).ok()?)
    }

    /// The winner's phone number at the time of the drawing, once it is drawn and until the person is erased.
    pub fn winner_phone(&self) -> Option<&Phone> {
        self.result.as_ref()?.step.winner_phone.as_ref()
    }

    /// The number of the winning entry, once it is drawn.
    pub fn winning_entry_number(&self) -> Option<u64> {
        self.winner().map(|winner| winner.entry_number)
    }

    /// How many entrants are on its list, once it is sealed.
    pub fn participants(&self) -> Option<u64> {
        Some(self.seal.as_ref()?.step.participants)
    }

    /// How many entries they hold, once it is sealed.
    pub fn entries(&self) -> Option<u64> {
        Some(self.seal.as_ref()?.step.entries)
    }

    /// The announced round with this signature; none of them when the beacon is off. `None` when one of them is missing.
    pub fn beacon_value(&self, signature: Option<BeaconSignature>) -> Option<BeaconValue> {
        match (self.plan.beacon, self.announcement.step.round, signature) {
            (BeaconChoice::Off, None, None) => Some(BeaconValue::OFF),
            (BeaconChoice::Chain(chain), Some(round), Some(signature)) => {
                Some(BeaconValue::signed(chain, round, signature))
            }
            _ => None,
        }
    }

    /// What decides the winner, with this value of the beacon; `None` until it is sealed.
    pub fn facts(&self, beacon: BeaconValue) -> Option<DrawFacts> {
        let seal = &self.seal.as_ref()?.step;
        Some(DrawFacts {
            opening: self.announcement.entry.hash,
            seed: seal.seed,
            root: seal.root,
            weights_hash: seal.weights_hash,
            participants: seal.participants,
            entries: seal.entries,
            beacon,
        })
    }

    /// The public record of a result; `None` until the drawing is sealed.
    pub fn record_of(
        &self,
        facts: DrawFacts,
        entry_numbers: Vec<u64>,
        drawn_at: DateTime<Utc>,
    ) -> Option<Record> {
        Some(Record {
            drawing: self.id,
            raffle: self.plan.raffle,
            period: self.plan.period,
            kind: self.plan.kind,
            seal: self.seal.as_ref()?.entry.hash,
            facts,
            entry_numbers,
            drawn_at,
        })
    }

    /// The public record, once it is drawn.
    pub fn record(&self) -> Option<Record> {
        let result = self.result.as_ref()?;
        let facts = self.facts(self.beacon_value(result.step.signature)?)?;
        let entry_numbers = result.step.ranks.iter().map(|rank| rank.entry_number).collect();
        self.record_of(facts, entry_numbers, result.entry.entry.at)
    }
}
