use crate::announcement::{ThisScheme, read, write};
use crate::beacon::{BeaconSignature, Round};
use crate::{DrawFacts, DrawingId, DrawingKind, Hash, InvalidDetails, Period, SCHEME, moment_text, text};
use chrono::{DateTime, Utc};
use raffle::RaffleKey;
use serde::{Deserialize, Serialize};

/// The public record of a drawing: everything that its verification hash covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The drawing's id.
    pub drawing: DrawingId,
    /// The raffle.
    pub raffle: RaffleKey,
    /// The month that the drawing belongs to.
    pub period: Period,
    /// Whether it is the drawing of that month.
    pub kind: DrawingKind,
    /// The hash of the seal's entry.
    pub seal: Hash,
    /// What decided the drawing.
    pub facts: DrawFacts,
    /// The entry of each rank, in order.
    pub entry_numbers: Vec<u64>,
    /// The time of the drawing, in whole microseconds.
    pub drawn_at: DateTime<Utc>,
}

impl Record {
    /// The text that is hashed.
    pub fn text(&self) -> String {
        let facts = &self.facts;
        let signature = facts.beacon.signature.map(|signature| signature.to_string());
        let entry_numbers: Vec<String> = self.entry_numbers.iter().map(ToString::to_string).collect();
        format!(
            "{SCHEME} record\n\
             drawing {}\n\
             raffle {}\n\
             period {}\n\
             kind {}\n\
             opening {}\n\
             seal {}\n\
             seed {}\n\
             root {}\n\
             weightsHash {}\n\
             totalParticipants {}\n\
             totalEntries {}\n\
             beacon {}\n\
             round {}\n\
             signature {}\n\
             randomness {}\n\
             entryNumbers {}\n\
             drawnAt {}\n",
            self.drawing,
            self.raffle,
            self.period,
            self.kind,
            facts.opening,
            self.seal,
            facts.seed.reveal(),
            facts.root,
            facts.weights_hash,
            facts.participants,
            facts.entries,
            facts.beacon.beacon,
            facts.beacon.round_number(),
            signature.as_deref().unwrap_or("-"),
            facts.beacon.randomness,
            entry_numbers.join(","),
            moment_text(self.drawn_at),
        )
    }

    /// The hash of the text.
    pub fn verification_hash(&self) -> Hash {
        Hash::of(self.text())
    }

    /// What the drawing's entry in the log says.
    pub fn drawn_details(&self) -> DrawnDetails {
        let facts = &self.facts;
        DrawnDetails {
            raffle: self.raffle,
            seal: self.seal,
            root: facts.root,
            entries: facts.entries,
            round: facts.beacon.round,
            signature: facts.beacon.signature,
            entry_numbers: self.entry_numbers.clone(),
        }
    }
}

/// What an entry `drawing_performed` says, besides the verification hash, the seed and the number of entrants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnDetails {
    /// The raffle.
    pub raffle: RaffleKey,
    /// The hash of the seal's entry.
    pub seal: Hash,
    /// The Merkle root of the entrants' leaves.
    pub root: Hash,
    /// How many entries they hold.
    pub entries: u64,
    /// The beacon's round; `None`, written as 0, when the beacon is off.
    pub round: Option<Round>,
    /// The round's signature; `None` when the beacon is off.
    pub signature: Option<BeaconSignature>,
    /// The entry of each rank, in order.
    pub entry_numbers: Vec<u64>,
}

/// The members in the order of the specification.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Members {
    #[serde(with = "text")]
    scheme: ThisScheme,
    #[serde(with = "text")]
    landing_page: RaffleKey,
    #[serde(with = "text")]
    seal: Hash,
    #[serde(with = "text")]
    root: Hash,
    total_entries: u64,
    #[serde(with = "text::round_or_zero")]
    round: Option<Round>,
    #[serde(with = "text::or_null")]
    signature: Option<BeaconSignature>,
    entry_numbers: Vec<u64>,
}

impl DrawnDetails {
    /// The details of the entry, as one line of JSON.
    pub fn details(&self) -> String {
        write(&Members {
            scheme: ThisScheme,
            landing_page: self.raffle,
            seal: self.seal,
            root: self.root,
            total_entries: self.entries,
            round: self.round,
            signature: self.signature,
            entry_numbers: self.entry_numbers.clone(),
        })
    }

    /// Reads the details of an entry.
    ///
    /// # Errors
    /// When a member is missing, unknown, or not spelled as [`DrawnDetails::details`] spells it.
    pub fn from_details(details: &str) -> Result<Self, InvalidDetails> {
        let members: Members = read(details)?;
        Ok(Self {
            raffle: members.landing_page,
            seal: members.seal,
            root: members.root,
            entries: members.total_entries,
            round: members.round,
            signature: members.signature,
            entry_numbers: members.entry_numbers,
        })
    }
}
