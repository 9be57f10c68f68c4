//! The proof of a drawing as JSON: `docs/drawing.md`. `tombola drawing verify` reads it.

use chrono::{DateTime, Utc};
use drawing::beacon::Round;
use drawing::steps::LateRound;
use drawing::{
    BeaconChoice, DrawingId, Drawn, Leaf, LogEntry, NewLogEntry, Outcome, Proof, ProvenLeaf, ProvenRank,
    SCHEME, moment_text, parse_moment,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Everything that is needed to check a drawing, except its list. `docs/drawing.md` describes the check.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ProofView)]
#[serde(rename_all = "camelCase")]
pub struct ProofDocument {
    #[schema(example = "tombola-drawing/1")]
    scheme: String,
    status: StatusDocument,
    drawing: i64,
    #[schema(example = "summer-box")]
    landing_page: String,
    /// The calendar month that the drawing belongs to.
    #[schema(example = "2026-11")]
    period: String,
    /// `regular`, or `additional` for a second drawing in a period.
    #[schema(example = "regular")]
    kind: String,
    /// Only entries from before this time count, in UTC with microseconds.
    #[schema(example = "2026-12-01T05:00:00.000000Z")]
    cut_off: String,
    /// The SHA-256 of the seed, published in the announcement.
    commitment: String,
    /// When the commitment was published.
    #[schema(example = "2026-11-01T05:00:00.000000Z")]
    committed_at: String,
    /// The source of the seed: `os`.
    seed_source: String,
    seed: String,
    /// The root of the tree of all entrants.
    root: String,
    /// The hash of all weights.
    weights_hash: String,
    total_participants: u64,
    total_entries: u64,
    /// The version of what the raffle says that promises the prize: the text whose SHA-256 the announcement has. Null where an
    /// additional drawing names a prize of its own.
    #[schema(required)]
    version: Option<String>,
    announcement: LogEntryDocument,
    seal: LogEntryDocument,
    beacon: BeaconDocument,
    /// The last leaf, which proves the number of leaves.
    last: ProvenLeafDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winning_entry_number: Option<u64>,
    /// The same as rank 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<ProvenLeafDocument>,
    /// The winner and the alternates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<RankDocument>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "2026-12-01T17:00:04.000000Z")]
    drawn_at: Option<String>,
    /// The last four digits of the winner's phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "4567")]
    winner_last4: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verification_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    audit_log_hash: Option<String>,
    /// The round of a void drawing, when it came after the seal of the one that replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    late_round: Option<LateRoundDocument>,
}

/// The round of a void drawing that came too late.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = LateRoundView)]
#[serde(rename_all = "camelCase")]
struct LateRoundDocument {
    /// The signature of the round.
    signature: String,
    /// The entry that would have won.
    entry_number: u64,
}

impl LateRoundDocument {
    fn read(self) -> Result<LateRound, NotAProof> {
        Ok(LateRound {
            signature: read("lateRound", &self.signature)?,
            entry_number: self.entry_number,
        })
    }
}

/// A leaf, and the sibling hashes on its path to the root, the lowest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ProvenLeafView)]
pub(crate) struct ProvenLeafDocument {
    leaf: LeafDocument,
    path: Vec<String>,
}

/// An entrant's line in the list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = LeafView)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LeafDocument {
    index: u64,
    first_entry: u64,
    weight: u64,
    blinded_id: String,
}

/// A part of the document that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} cannot be read")]
pub struct NotAProof(&'static str);

/// The text is not a proof.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableProof {
    /// It is not the JSON of a proof.
    #[error("is not the proof of a drawing")]
    Json(#[from] serde_json::Error),
    /// A value in it has another spelling, or the scheme is not known.
    #[error("is not a proof of a known scheme")]
    Value(#[from] NotAProof),
}

/// Reads a proof from JSON.
///
/// # Errors
/// What is wrong with it.
pub fn proof_from_json(text: &str) -> Result<Proof, UnreadableProof> {
    let document: ProofDocument = serde_json::from_str(text)?;
    Ok(document.try_into()?)
}

/// What became of a drawing after its seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProofStatusView)]
#[serde(rename_all = "lowercase")]
enum StatusDocument {
    /// It waits for its round.
    Sealed,
    /// It has a winner.
    Drawn,
    /// It is void, because no beacon came.
    Void,
}

/// An entry of the log. Its hash covers all other members.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = LogEntryView)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogEntryDocument {
    id: i64,
    #[schema(example = "drawing_sealed")]
    action: String,
    drawing: Option<i64>,
    /// JSON as text, because the hash covers its exact spelling.
    details: String,
    random_seed: Option<String>,
    participant_count: Option<u64>,
    verification_hash: Option<String>,
    /// The number of the session in the console.
    session: Option<i64>,
    /// In UTC with microseconds.
    #[schema(example = "2026-12-01T05:00:00.000000Z")]
    at: String,
    previous: String,
    hash: String,
}

/// The round of the beacon that decides a drawing.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = BeaconValueView)]
#[serde(rename_all = "camelCase")]
struct BeaconDocument {
    /// The hash that names the beacon's chain, or `off`.
    chain_hash: String,
    /// 0 when the beacon is off.
    round: u64,
    /// The SHA-256 of the signature; zeros when the beacon is off. Absent before the drawing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    randomness: Option<String>,
    /// `null` when the beacon is off. Absent before the drawing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<Option<String>>,
    /// Since when the round is due, while the drawing waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waiting_since: Option<String>,
    /// Present when the beacon is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "The operator could have known the winner of this drawing.")]
    warning: Option<String>,
}

/// What the proof of a drawing without a beacon says, and the page of the drawing.
fn warning(beacon: BeaconChoice) -> Option<&'static str> {
    (beacon == BeaconChoice::Off).then_some("The operator could have known the winner of this drawing.")
}

/// An entrant who was drawn.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = RankView)]
#[serde(rename_all = "camelCase")]
struct RankDocument {
    /// From 0, the winner.
    rank: u32,
    entry_number: u64,
    leaf: LeafDocument,
    path: Vec<String>,
}

impl From<&Leaf> for LeafDocument {
    fn from(leaf: &Leaf) -> Self {
        Self {
            index: leaf.index,
            first_entry: leaf.first_entry,
            weight: leaf.weight,
            blinded_id: leaf.blinded_id.to_string(),
        }
    }
}

impl From<&ProvenLeaf> for ProvenLeafDocument {
    fn from(proven: &ProvenLeaf) -> Self {
        Self {
            leaf: (&proven.leaf).into(),
            path: proven.path.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<&LogEntry> for LogEntryDocument {
    fn from(log: &LogEntry) -> Self {
        let entry = &log.entry;
        Self {
            id: log.id,
            action: entry.action.to_string(),
            drawing: entry.drawing.map(DrawingId::get),
            details: entry.details.clone(),
            random_seed: entry.random_seed.map(|seed| seed.reveal()),
            participant_count: entry.participant_count,
            verification_hash: entry.verification_hash.map(|hash| hash.to_string()),
            session: entry.session,
            at: moment_text(entry.at),
            previous: log.previous.to_string(),
            hash: log.hash.to_string(),
        }
    }
}

impl LogEntryDocument {
    fn to_entry(&self, name: &'static str) -> Result<LogEntry, NotAProof> {
        // The hashed text has one line for each member, so no member may have two.
        if self.details.contains('\n') {
            return Err(NotAProof(name));
        }
        Ok(LogEntry {
            id: self.id,
            entry: NewLogEntry {
                action: read(name, &self.action)?,
                drawing: self.drawing.map(DrawingId::new),
                details: self.details.clone(),
                random_seed: read_given(name, self.random_seed.as_deref())?,
                participant_count: self.participant_count,
                verification_hash: read_given(name, self.verification_hash.as_deref())?,
                session: self.session,
                at: read_moment(name, &self.at)?,
            },
            previous: read(name, &self.previous)?,
            hash: read(name, &self.hash)?,
        })
    }
}

fn read<T: std::str::FromStr>(name: &'static str, text: &str) -> Result<T, NotAProof> {
    text.parse().map_err(|_| NotAProof(name))
}

fn read_moment(name: &'static str, text: &str) -> Result<DateTime<Utc>, NotAProof> {
    parse_moment(text).ok_or(NotAProof(name))
}

fn read_leaf(name: &'static str, document: &ProvenLeafDocument) -> Result<ProvenLeaf, NotAProof> {
    let hashes = document.path.iter().map(|hash| read(name, hash));
    Ok(ProvenLeaf {
        leaf: Leaf {
            index: document.leaf.index,
            first_entry: document.leaf.first_entry,
            weight: document.leaf.weight,
            blinded_id: read(name, &document.leaf.blinded_id)?,
        },
        path: hashes.collect::<Result<_, _>>()?,
    })
}

fn read_given<T: std::str::FromStr>(name: &'static str, text: Option<&str>) -> Result<Option<T>, NotAProof> {
    text.map(|text| read(name, text)).transpose()
}

impl From<&ProvenRank> for RankDocument {
    fn from(rank: &ProvenRank) -> Self {
        let ProvenLeafDocument { leaf, path } = (&rank.proven).into();
        Self {
            rank: rank.rank,
            entry_number: rank.entry_number,
            leaf,
            path,
        }
    }
}

impl TryFrom<RankDocument> for ProvenRank {
    type Error = NotAProof;

    fn try_from(document: RankDocument) -> Result<Self, NotAProof> {
        let RankDocument {
            rank,
            entry_number,
            leaf,
            path,
        } = document;
        Ok(Self {
            rank,
            entry_number,
            proven: read_leaf("ranks", &ProvenLeafDocument { leaf, path })?,
        })
    }
}

impl From<&Proof> for ProofDocument {
    fn from(proof: &Proof) -> Self {
        let drawn = proof.drawn();
        let (status, waiting_since) = match &proof.outcome {
            Outcome::Sealed { waiting_since } => (StatusDocument::Sealed, *waiting_since),
            Outcome::Drawn(_) => (StatusDocument::Drawn, None),
            Outcome::Void { .. } => (StatusDocument::Void, None),
        };
        let late = match &proof.outcome {
            Outcome::Void { late } => late.as_ref(),
            Outcome::Sealed { .. } | Outcome::Drawn(_) => None,
        };
        Self {
            scheme: SCHEME.to_owned(),
            status,
            drawing: proof.drawing.get(),
            landing_page: proof.raffle.to_string(),
            period: proof.period.to_string(),
            kind: proof.kind.to_string(),
            cut_off: moment_text(proof.cut_off),
            commitment: proof.commitment.to_string(),
            committed_at: moment_text(proof.committed_at),
            seed_source: proof.seed_source.to_string(),
            seed: proof.seed.reveal(),
            root: proof.root.to_string(),
            weights_hash: proof.weights_hash.to_string(),
            total_participants: proof.participants,
            total_entries: proof.entries,
            version: proof.version.clone(),
            announcement: (&proof.announcement).into(),
            seal: (&proof.seal).into(),
            beacon: BeaconDocument {
                chain_hash: proof.beacon.to_string(),
                round: proof.round.map_or(0, Round::number),
                randomness: drawn.map(|drawn| drawn.randomness.to_string()),
                signature: drawn.map(|drawn| drawn.signature.map(|signature| signature.to_string())),
                waiting_since: waiting_since.map(moment_text),
                warning: warning(proof.beacon).map(str::to_owned),
            },
            last: (&proof.last).into(),
            winning_entry_number: drawn.map(|drawn| drawn.winning_entry_number),
            winner: drawn.map(|drawn| (&drawn.winner).into()),
            ranks: drawn.map(|drawn| drawn.ranks.iter().map(Into::into).collect()),
            drawn_at: drawn.map(|drawn| moment_text(drawn.drawn_at)),
            winner_last4: drawn.and_then(|drawn| drawn.winner_last4.clone()),
            verification_hash: drawn.map(|drawn| drawn.verification_hash.to_string()),
            audit_log_hash: drawn.map(|drawn| drawn.audit_log_hash.to_string()),
            late_round: late.map(|late| LateRoundDocument {
                signature: late.signature.to_string(),
                entry_number: late.entry_number,
            }),
        }
    }
}

impl TryFrom<ProofDocument> for Proof {
    type Error = NotAProof;

    fn try_from(mut document: ProofDocument) -> Result<Self, NotAProof> {
        if document.scheme != SCHEME {
            return Err(NotAProof("scheme"));
        }
        let outcome = document.take_outcome()?;
        let beacon = &document.beacon;
        let choice = read("beacon", &beacon.chain_hash)?;
        if beacon.warning.as_deref() != warning(choice) {
            return Err(NotAProof("warning"));
        }
        let round = Round::new(beacon.round);
        if round.is_none() && beacon.round != 0 {
            return Err(NotAProof("round"));
        }
        Ok(Self {
            drawing: DrawingId::new(document.drawing),
            raffle: read("landingPage", &document.landing_page)?,
            period: read("period", &document.period)?,
            kind: read("kind", &document.kind)?,
            cut_off: read_moment("cutOff", &document.cut_off)?,
            commitment: read("commitment", &document.commitment)?,
            committed_at: read_moment("committedAt", &document.committed_at)?,
            seed_source: read("seedSource", &document.seed_source)?,
            seed: read("seed", &document.seed)?,
            root: read("root", &document.root)?,
            weights_hash: read("weightsHash", &document.weights_hash)?,
            participants: document.total_participants,
            entries: document.total_entries,
            version: document.version,
            announcement: document.announcement.to_entry("announcement")?,
            seal: document.seal.to_entry("seal")?,
            last: read_leaf("last", &document.last)?,
            beacon: choice,
            round,
            outcome,
        })
    }
}

impl ProofDocument {
    /// The outcome. A drawing without a result must not have any member of one: who reads the proof would see a winner whom
    /// nobody checked.
    fn take_outcome(&mut self) -> Result<Outcome, NotAProof> {
        let has_result = self.winning_entry_number.is_some()
            || self.winner.is_some()
            || self.ranks.is_some()
            || self.drawn_at.is_some()
            || self.winner_last4.is_some()
            || self.verification_hash.is_some()
            || self.audit_log_hash.is_some()
            || self.beacon.randomness.is_some()
            || self.beacon.signature.is_some();
        let waiting_since = self.beacon.waiting_since.as_deref();
        let waiting_since = waiting_since
            .map(|text| read_moment("waitingSince", text))
            .transpose()?;
        let late = self.late_round.take().map(LateRoundDocument::read).transpose()?;
        if late.is_some() && self.status != StatusDocument::Void {
            return Err(NotAProof("lateRound"));
        }
        match self.status {
            StatusDocument::Drawn => self.take_result().map(Box::new).map(Outcome::Drawn),
            _ if has_result => Err(NotAProof("status")),
            StatusDocument::Sealed => Ok(Outcome::Sealed { waiting_since }),
            StatusDocument::Void => Ok(Outcome::Void { late }),
        }
    }

    fn take_result(&mut self) -> Result<Drawn, NotAProof> {
        let text = |name, text: &Option<String>| text.clone().ok_or(NotAProof(name));
        let winner = self.winner.take().ok_or(NotAProof("winner"))?;
        let ranks = self.ranks.take().ok_or(NotAProof("ranks"))?;
        let signature = self.beacon.signature.take().flatten();
        Ok(Drawn {
            signature: read_given("signature", signature.as_deref())?,
            randomness: read("randomness", &text("randomness", &self.beacon.randomness)?)?,
            winning_entry_number: self.winning_entry_number.ok_or(NotAProof("winningEntryNumber"))?,
            winner: read_leaf("winner", &winner)?,
            ranks: ranks
                .into_iter()
                .map(TryInto::try_into)
                .collect::<Result<_, _>>()?,
            drawn_at: read_moment("drawnAt", &text("drawnAt", &self.drawn_at)?)?,
            verification_hash: read(
                "verificationHash",
                &text("verificationHash", &self.verification_hash)?,
            )?,
            audit_log_hash: read("auditLogHash", &text("auditLogHash", &self.audit_log_hash)?)?,
            winner_last4: self.winner_last4.take(),
        })
    }
}
