use crate::beacon::{BeaconSignature, BeaconVerifier, Chain, Round};
use crate::steps::LateRound;
use crate::{
    Announcement, BeaconChoice, BeaconValue, DrawFacts, DrawingId, DrawingKind, Hash, LogAction, LogCopy,
    LogEntry, Period, ProvenLeaf, Rank, Record, SealDetails, Seed, SeedSource,
};
use chrono::{DateTime, Utc};
use raffle::RaffleKey;

/// Everything needed to check a drawing, except the list. All values are claims until they are checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The drawing's id.
    pub drawing: DrawingId,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The month that the drawing belongs to.
    pub period: Period,
    /// Whether it is the drawing of that month.
    pub kind: DrawingKind,
    /// Only entries from before this time count.
    pub cut_off: DateTime<Utc>,
    /// The hash of the seed.
    pub commitment: Hash,
    /// When the commitment was published: the time of the announcement.
    pub committed_at: DateTime<Utc>,
    /// Where the seed came from.
    pub seed_source: SeedSource,
    /// The seed.
    pub seed: Seed,
    /// The Merkle root of the entrants' leaves.
    pub root: Hash,
    /// The hash of their weights.
    pub weights_hash: Hash,
    /// How many entrants there are.
    pub participants: u64,
    /// How many entries they hold.
    pub entries: u64,
    /// The version that promises the prize, byte for byte as it was published; `None` where an additional drawing names a prize of its own.
    pub version: Option<String>,
    /// The entry `drawing_announced` of the log.
    pub announcement: LogEntry,
    /// The entry `drawing_sealed` of the log.
    pub seal: LogEntry,
    /// The last leaf, which proves the size of the list.
    pub last: ProvenLeaf,
    /// The beacon that was announced.
    pub beacon: BeaconChoice,
    /// The beacon's round; `None`, written as 0, when the beacon is off.
    pub round: Option<Round>,
    /// What became of the drawing after the seal.
    pub outcome: Outcome,
}

/// What became of a drawing after its seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It waits for its round.
    Sealed {
        /// Since when the round is due.
        waiting_since: Option<DateTime<Utc>>,
    },
    /// It has a winner.
    Drawn(Box<Drawn>),
    /// It is void: the round did not come.
    Void {
        /// The round, when it came after the seal of the drawing that replaces this one.
        late: Option<LateRound>,
    },
}

/// The result in a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The round's signature; `None` when the beacon is off.
    pub signature: Option<BeaconSignature>,
    /// The round's randomness; zeros when the beacon is off.
    pub randomness: Hash,
    /// The entry of the winner.
    pub winning_entry_number: u64,
    /// The winner's leaf.
    pub winner: ProvenLeaf,
    /// The winner and the alternates.
    pub ranks: Vec<ProvenRank>,
    /// The time of the drawing.
    pub drawn_at: DateTime<Utc>,
    /// The hash of the record.
    pub verification_hash: Hash,
    /// The hash of the entry `drawing_performed` of the log.
    pub audit_log_hash: Hash,
    /// The last four digits of the winner's phone number. They may leave the proof when the winner's data is erased.
    pub winner_last4: Option<String>,
}

/// An entrant who was drawn, with their leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenRank {
    /// The rank, from 0.
    pub rank: u32,
    /// The number of the drawn entry.
    pub entry_number: u64,
    /// The entrant's leaf.
    pub proven: ProvenLeaf,
}

/// One check of a proof, in the order of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumIter, strum::EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Check {
    /// The announcement is an entry of the log and announced this drawing.
    Announcement,
    /// The prize is the one that the published version promises.
    Prize,
    /// The seal is an entry of the log, came in time, and froze this list.
    Seal,
    /// The seed is the one that was committed to.
    Seed,
    /// The list has as many entrants and entries as the proof claims.
    LastLeaf,
    /// The randomness is the beacon's.
    Beacon,
    /// Everybody who was drawn was on the list.
    RankLeaves,
    /// The winner and the alternates follow from the announcement, the seal and the randomness.
    Draw,
    /// The verification hash is the hash of the record.
    Record,
    /// The late round of a void drawing is the beacon's, and would have drawn this entry.
    LateRound,
    /// The published list is the one that was sealed.
    List,
    /// The copy of the log has the announcement and the seal, or does not contradict them.
    Witness,
}

impl Check {
    /// The statement that the check proves.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Announcement => "the drawing was announced as the proof says",
            Self::Prize => "the prize is the one that was published",
            Self::Seal => "the list and the seed were sealed in time",
            Self::Seed => "the seed is the one that was announced",
            Self::LastLeaf => "the last leaf is under the root, and gives the totals",
            Self::Beacon => "the randomness is the one of the announced round",
            Self::RankLeaves => "the leaves of the winner and the alternates are under the root",
            Self::Draw => "the winner and the alternates follow from the seal and the randomness",
            Self::Record => "the verification hash sums up this drawing",
            Self::LateRound => "the late round would have drawn this entry",
            Self::List => "the list is complete and has the root",
            Self::Witness => "the copy of the log does not contradict the proof",
        }
    }
}

/// The chains whose keys the program knows, and how it verifies their signatures.
#[derive(Clone, Copy)]
pub struct KnownChains<'a> {
    /// The chains: those that the program pins, and one that the caller trusts.
    pub chains: &'a [Chain],
    /// Verifies their signatures.
    pub verifier: &'a dyn BeaconVerifier,
}

impl KnownChains<'_> {
    fn find(&self, beacon: BeaconChoice) -> Option<&Chain> {
        self.chains
            .iter()
            .find(|chain| beacon == BeaconChoice::Chain(chain.chain_hash))
    }
}

/// Why the operator could have known the winner before the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreknowledge {
    /// The drawing was announced without a beacon.
    BeaconOff,
    /// The program does not know the beacon's chain.
    UnknownChain,
}

/// What a copy of the log says about the time of a seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealTime {
    /// The copy has the seal, and was saved before the drawing.
    BeforeBeacon,
    /// Nobody shows when the seal was published.
    NotWitnessed,
}

impl SealTime {
    /// The finding, in the words of all verifiers.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::BeforeBeacon => "sealed before the beacon",
            Self::NotWitnessed => "time of seal not witnessed",
        }
    }
}

impl Foreknowledge {
    /// The finding, in the words of all verifiers.
    pub const SENTENCE: &'static str = "the operator could have known the winner";

    /// Why.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::BeaconOff => "the beacon was off",
            Self::UnknownChain => "the program does not know the beacon's chain",
        }
    }
}

/// What the checks of a proof found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Every check that applies, and whether it passes.
    pub checks: Vec<(Check, bool)>,
    /// Why the operator could have known the winner, if so. This does not make a proof invalid.
    pub foreknowledge: Option<Foreknowledge>,
    /// Whether the time of the seal is witnessed. A missing witness does not make a proof invalid.
    pub seal_time: SealTime,
}

impl Verdict {
    /// Whether all checks pass.
    pub fn is_valid(&self) -> bool {
        self.checks.iter().all(|(_, passes)| *passes)
    }

    /// The checks that do not pass.
    pub fn failed(&self) -> Vec<Check> {
        let failed = self.checks.iter().filter(|(_, passes)| !passes);
        failed.map(|(check, _)| *check).collect()
    }
}

/// Checks that need only the proof and the beacon's key, while the drawing waits for its round.
const OF_THE_SEAL: [Check; 5] = [
    Check::Announcement,
    Check::Prize,
    Check::Seal,
    Check::Seed,
    Check::LastLeaf,
];
/// The checks of the result.
const OF_THE_RESULT: [Check; 4] = [Check::Beacon, Check::RankLeaves, Check::Draw, Check::Record];

impl Proof {
    /// Checks the proof. The list is checked with [`crate::ListCheck`].
    pub fn verdict(&self, known: KnownChains<'_>) -> Verdict {
        let mut checks = OF_THE_SEAL.map(|check| (check, self.passes(check))).to_vec();
        if let Some(drawn) = self.drawn() {
            checks.extend(OF_THE_RESULT.map(|check| (check, self.result_passes(check, drawn, known))));
        }
        if let Outcome::Void { late: Some(late) } = &self.outcome {
            checks.push((Check::LateRound, self.late_round_holds(late, known)));
        }
        Verdict {
            checks,
            foreknowledge: self.foreknowledge(known),
            seal_time: SealTime::NotWitnessed,
        }
    }

    /// Checks the proof together with a copy of the log that the caller saved before the round.
    pub fn verdict_with_witness(&self, known: KnownChains<'_>, copy: &LogCopy) -> Verdict {
        let mut verdict = self.verdict(known);
        let passes = self.agrees_with(copy);
        verdict.checks.push((Check::Witness, passes));
        let is_witnessed =
            passes && self.beacon != BeaconChoice::Off && copy.has(&self.seal) && !self.is_drawn_in(copy);
        if is_witnessed {
            verdict.seal_time = SealTime::BeforeBeacon;
        }
        verdict
    }

    /// The result; `None` if there is none yet, or never.
    pub fn drawn(&self) -> Option<&Drawn> {
        match &self.outcome {
            Outcome::Drawn(drawn) => Some(drawn),
            Outcome::Sealed { .. } | Outcome::Void { .. } => None,
        }
    }

    /// What decided the drawing, with this result.
    pub fn facts_of(&self, drawn: &Drawn) -> DrawFacts {
        self.facts_with(drawn.signature, drawn.randomness)
    }

    fn facts_with(&self, signature: Option<BeaconSignature>, randomness: Hash) -> DrawFacts {
        DrawFacts {
            opening: self.announcement.hash,
            seed: self.seed,
            root: self.root,
            weights_hash: self.weights_hash,
            participants: self.participants,
            entries: self.entries,
            beacon: BeaconValue {
                beacon: self.beacon,
                round: self.round,
                signature,
                randomness,
            },
        }
    }

    /// The record of the drawing, with this result.
    pub fn record_of(&self, drawn: &Drawn) -> Record {
        Record {
            drawing: self.drawing,
            raffle: self.raffle,
            period: self.period,
            kind: self.kind,
            seal: self.seal.hash,
            facts: self.facts_of(drawn),
            entry_numbers: drawn.ranks.iter().map(|rank| rank.entry_number).collect(),
            drawn_at: drawn.drawn_at,
        }
    }

    fn foreknowledge(&self, known: KnownChains<'_>) -> Option<Foreknowledge> {
        match self.beacon {
            BeaconChoice::Off => Some(Foreknowledge::BeaconOff),
            chain if known.find(chain).is_none() => Some(Foreknowledge::UnknownChain),
            _ => None,
        }
    }

    fn passes(&self, check: Check) -> bool {
        match check {
            Check::Announcement => self.is_announced(),
            Check::Prize => self.is_promised(),
            Check::Seal => self.is_sealed(),
            Check::Seed => self.seed.commitment() == self.commitment,
            Check::LastLeaf => self.totals_hold(),
            _ => false,
        }
    }

    fn result_passes(&self, check: Check, drawn: &Drawn, known: KnownChains<'_>) -> bool {
        match check {
            Check::Beacon => self.beacon_holds(drawn, known),
            Check::RankLeaves => self.ranks_are_included(drawn),
            Check::Draw => self.ranks_follow(drawn),
            Check::Record => self.record_of(drawn).verification_hash() == drawn.verification_hash,
            _ => false,
        }
    }

    fn announced(&self) -> Option<Announcement> {
        Announcement::from_details(&self.announcement.entry.details).ok()
    }

    fn is_announced(&self) -> bool {
        let (log, entry) = (&self.announcement, &self.announcement.entry);
        let is_entry = log.has_its_hash()
            && entry.action == LogAction::DrawingAnnounced
            && entry.drawing == Some(self.drawing)
            && entry.at == self.committed_at;
        is_entry
            && self.announced().is_some_and(|announced| {
                announced.raffle == self.raffle
                    && announced.period == self.period
                    && announced.kind == self.kind
                    && announced.beacon == self.beacon
                    && announced.round == self.round
                    && announced.commitment == self.commitment
                    && announced.seed_source == self.seed_source
            })
    }

    fn is_promised(&self) -> bool {
        let version = self.version.as_deref();
        self.announced().is_some_and(|announced| {
            let may_be_own = announced.version.is_some() || announced.kind == DrawingKind::Additional;
            may_be_own
                && announced
                    .prize
                    .is_promised_by(announced.version.as_ref(), version)
        })
    }

    fn is_sealed(&self) -> bool {
        let (log, entry) = (&self.seal, &self.seal.entry);
        let is_entry = log.has_its_hash()
            && entry.action == LogAction::DrawingSealed
            && entry.drawing == Some(self.drawing)
            && log.id > self.announcement.id
            && entry.random_seed == Some(self.seed)
            && entry.participant_count == Some(self.participants);
        let (Some(announced), Ok(sealed)) = (self.announced(), SealDetails::from_details(&entry.details))
        else {
            return false;
        };
        is_entry
            && announced.seal_before.is_none_or(|before| entry.at <= before)
            && announced.cut_off.is_none_or(|cut_off| cut_off == self.cut_off)
            && announced
                .replaces
                .is_none_or(|replaced| replaced.is_taken_by(&sealed, self.committed_at, entry.at))
            && sealed.opening == self.announcement.hash
            && sealed.round == self.round
            && sealed.cut_off == self.cut_off
            && sealed.root == self.root
            && sealed.weights_hash == self.weights_hash
            && sealed.entries == self.entries
    }

    fn totals_hold(&self) -> bool {
        let leaf = &self.last.leaf;
        leaf.index.checked_add(1) == Some(self.participants)
            && leaf.first_entry.checked_add(leaf.weight) == self.entries.checked_add(1)
            && self.last.is_under(&self.root, self.participants)
    }

    fn beacon_holds(&self, drawn: &Drawn, known: KnownChains<'_>) -> bool {
        let value = self.facts_of(drawn).beacon;
        let seal_before = self.announced().and_then(|announced| announced.seal_before);
        if !value.is_consistent() {
            return false;
        }
        let (Some(round), Some(signature)) = (value.round, value.signature) else {
            return seal_before.is_none();
        };
        known.find(self.beacon).is_none_or(|chain| {
            let round_at = chain.time_of(round);
            known.verifier.verifies(chain, round, &signature)
                && seal_before
                    .zip(round_at)
                    .is_some_and(|(before, round_at)| before < round_at)
        })
    }

    fn late_round_holds(&self, late: &LateRound, known: KnownChains<'_>) -> bool {
        let is_signed = self.round.is_some_and(|round| {
            known
                .find(self.beacon)
                .is_none_or(|chain| known.verifier.verifies(chain, round, &late.signature))
        });
        let facts = self.facts_with(Some(late.signature), late.signature.randomness());
        is_signed && facts.first_entry() == Some(late.entry_number)
    }

    fn ranks_are_included(&self, drawn: &Drawn) -> bool {
        let is_under = |rank: &ProvenRank| rank.proven.is_under(&self.root, self.participants);
        drawn.ranks.iter().all(is_under)
    }

    fn ranks_follow(&self, drawn: &Drawn) -> bool {
        // An entry of somebody who has no rank in the proof ends the search: somebody is missing.
        let holder = |entry| {
            let rank = drawn.ranks.iter().find(|rank| rank.proven.leaf.holds(entry));
            rank.map(|rank| rank.proven.leaf.index).ok_or(())
        };
        let claimed = drawn.ranks.iter().map(|rank| Rank {
            rank: rank.rank,
            entry_number: rank.entry_number,
            index: rank.proven.leaf.index,
        });
        let follow = self
            .facts_of(drawn)
            .ranks(holder)
            .is_ok_and(|ranks| ranks.into_iter().eq(claimed));
        follow
            && drawn.ranks.first().is_some_and(|first| {
                first.entry_number == drawn.winning_entry_number && first.proven == drawn.winner
            })
    }

    fn agrees_with(&self, copy: &LogCopy) -> bool {
        let other_seal = copy.of(self.drawing, LogAction::DrawingSealed);
        [&self.announcement, &self.seal]
            .into_iter()
            .all(|entry| !copy.contradicts(entry))
            && other_seal.into_iter().all(|seal| seal.hash == self.seal.hash)
    }

    fn is_drawn_in(&self, copy: &LogCopy) -> bool {
        !copy.of(self.drawing, LogAction::DrawingPerformed).is_empty()
    }
}
