//! The proof of a drawing as JSON: `docs/drawing.md`, sections 1.7 and 2.9. `tombola drawing verify` reads it.

mod second;

use chrono::{DateTime, Utc};
use drawing::{DrawingId, Leaf, Proof, ProvenLeaf, Record, SCHEME, moment_text, parse_moment};
pub use second::Proof2Document;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Everything that is needed to check a drawing, except its list. `docs/drawing.md` describes the check.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ProofView)]
#[serde(rename_all = "camelCase")]
pub struct ProofDocument {
    #[schema(example = "tombola-drawing/1")]
    scheme: String,
    drawing: i64,
    #[schema(example = "garden-bag")]
    landing_page: String,
    /// The SHA-256 of the seed, published before the drawing.
    commitment: String,
    /// When the commitment was published, in UTC with microseconds.
    #[schema(example = "2025-08-01T12:00:00.000000Z")]
    committed_at: String,
    /// The source of the seed: `os`.
    seed_source: String,
    seed: String,
    /// The root of the tree of all entrants.
    root: String,
    total_participants: u64,
    total_entries: u64,
    winning_entry_number: u64,
    #[schema(example = "2025-09-01T12:00:00.000000Z")]
    drawn_at: String,
    /// The last four digits of the winner's phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "4567")]
    winner_last4: Option<String>,
    winner: ProvenLeafDocument,
    /// The last leaf, which proves the number of leaves.
    last: ProvenLeafDocument,
    verification_hash: String,
    audit_log_hash: String,
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

/// A proof of either version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyProof {
    /// Of `tombola-drawing/1`.
    First(Box<Proof>),
    /// Of `tombola-drawing/2`.
    Second(Box<drawing::v2::Proof>),
}

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

/// The member that decides how the others are read.
#[derive(Deserialize)]
struct Head {
    scheme: String,
}

impl AnyProof {
    /// Reads a proof of either version from JSON.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, UnreadableProof> {
        let head: Head = serde_json::from_str(text)?;
        match head.scheme.as_str() {
            drawing::v2::SCHEME => {
                let document: Proof2Document = serde_json::from_str(text)?;
                Ok(Self::Second(Box::new(document.try_into()?)))
            }
            _ => {
                let document: ProofDocument = serde_json::from_str(text)?;
                Ok(Self::First(Box::new(document.try_into()?)))
            }
        }
    }
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

impl From<&Proof> for ProofDocument {
    fn from(proof: &Proof) -> Self {
        let record = &proof.record;
        Self {
            scheme: SCHEME.to_owned(),
            drawing: record.drawing.get(),
            landing_page: record.raffle.to_string(),
            commitment: record.commitment.to_string(),
            committed_at: moment_text(record.committed_at),
            seed_source: record.seed_source.as_str().to_owned(),
            seed: record.seed.reveal(),
            root: record.root.to_string(),
            total_participants: record.participants,
            total_entries: record.entries,
            winning_entry_number: record.winning_entry_number,
            drawn_at: moment_text(record.drawn_at),
            winner_last4: proof.winner_last4.clone(),
            winner: (&proof.winner).into(),
            last: (&proof.last).into(),
            verification_hash: proof.verification_hash.to_string(),
            audit_log_hash: proof.audit_log_hash.to_string(),
        }
    }
}

impl TryFrom<ProofDocument> for Proof {
    type Error = NotAProof;

    fn try_from(document: ProofDocument) -> Result<Self, NotAProof> {
        if document.scheme != SCHEME {
            return Err(NotAProof("scheme"));
        }
        let source = read("seedSource", &document.seed_source)?;
        Ok(Self {
            record: Record {
                drawing: DrawingId::new(document.drawing),
                raffle: read("landingPage", &document.landing_page)?,
                commitment: read("commitment", &document.commitment)?,
                committed_at: read_moment("committedAt", &document.committed_at)?,
                seed_source: source,
                seed: read("seed", &document.seed)?,
                root: read("root", &document.root)?,
                participants: document.total_participants,
                entries: document.total_entries,
                winning_entry_number: document.winning_entry_number,
                drawn_at: read_moment("drawnAt", &document.drawn_at)?,
            },
            winner: read_leaf("winner", &document.winner)?,
            last: read_leaf("last", &document.last)?,
            verification_hash: read("verificationHash", &document.verification_hash)?,
            audit_log_hash: read("auditLogHash", &document.audit_log_hash)?,
            winner_last4: document.winner_last4,
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
