use crate::beacon::{ChainHash, Round};
use crate::rules::RulesStamp;
use crate::{AnnouncedPrize, DrawingId, Hash, Period, SCHEME, SealDetails, SeedSource, VersionStamp, text};
use chrono::{DateTime, TimeDelta, Utc};
use raffle::RaffleKey;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Whether a drawing is the one of its period.
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
pub enum DrawingKind {
    /// The drawing of its raffle and period.
    Regular,
    /// A further drawing in the same period.
    Additional,
}

impl DrawingKind {
    /// Its name in records, proofs and rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The beacon that a drawing was announced with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BeaconChoice {
    /// None: the operator could have known the winner.
    Off,
    /// A round of this chain.
    Chain(ChainHash),
}

impl BeaconChoice {
    const OFF: &str = "off";
}

impl fmt::Display for BeaconChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str(Self::OFF),
            Self::Chain(chain) => chain.fmt(f),
        }
    }
}

impl FromStr for BeaconChoice {
    type Err = crate::InvalidHex;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            Self::OFF => Ok(Self::Off),
            chain => chain.parse().map(Self::Chain),
        }
    }
}

/// The name of the scheme, and no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThisScheme;

impl fmt::Display for ThisScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SCHEME)
    }
}

impl FromStr for ThisScheme {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text == SCHEME {
            true => Ok(Self),
            false => Err("another scheme"),
        }
    }
}

/// What an entry `drawing_announced` says: everything that is fixed before the list is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The raffle.
    pub raffle: RaffleKey,
    /// The month that the drawing belongs to.
    pub period: Period,
    /// Whether it is the drawing of that month.
    pub kind: DrawingKind,
    /// Only entries from before this time count. Without it, those from before the seal count.
    pub cut_off: Option<DateTime<Utc>>,
    /// The beacon.
    pub beacon: BeaconChoice,
    /// The beacon's round; `None`, written as 0, when the beacon is off.
    pub round: Option<Round>,
    /// A later seal is refused. `None` when the beacon is off.
    pub seal_before: Option<DateTime<Utc>>,
    /// The hash of the seed.
    pub commitment: Hash,
    /// Where the seed came from.
    pub seed_source: SeedSource,
    /// Why there is an additional drawing.
    pub reason: Option<String>,
    /// The prize.
    pub prize: AnnouncedPrize,
    /// The version that promises it; `None` where an additional drawing names a prize of its own.
    pub version: Option<VersionStamp>,
    /// The void drawing whose list this one takes.
    pub replaces: Option<Replaced>,
    /// The official rules of its period.
    pub rules: RulesStamp,
}

/// A void drawing whose list another one takes as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replaced {
    /// The void drawing.
    #[serde(with = "drawing_number")]
    pub drawing: DrawingId,
    /// The Merkle root of its list.
    #[serde(with = "text")]
    pub root: Hash,
    /// The hash of the weights of its list.
    #[serde(with = "text")]
    pub weights_hash: Hash,
}

impl Replaced {
    /// For how long the announcement is public before the seal: as long, the round of the void drawing overturns the void.
    pub const NOTICE: TimeDelta = TimeDelta::hours(24);

    /// Whether a seal takes this list, and comes late enough after its announcement.
    pub fn is_taken_by(&self, sealed: &SealDetails, announced_at: DateTime<Utc>, at: DateTime<Utc>) -> bool {
        (self.root, self.weights_hash) == (sealed.root, sealed.weights_hash)
            && at - announced_at >= Self::NOTICE
    }
}

/// A drawing as its number.
mod drawing_number {
    use crate::DrawingId;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(id: &DrawingId, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(id.get())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DrawingId, D::Error> {
        i64::deserialize(deserializer).map(DrawingId::new)
    }
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
    period: Period,
    #[serde(with = "text")]
    kind: DrawingKind,
    #[serde(with = "text::moment_or_null")]
    cut_off: Option<DateTime<Utc>>,
    #[serde(with = "text")]
    beacon: BeaconChoice,
    #[serde(with = "text::round_or_zero")]
    round: Option<Round>,
    #[serde(with = "text::moment_or_null")]
    seal_before: Option<DateTime<Utc>>,
    #[serde(with = "text")]
    commitment: Hash,
    #[serde(with = "text")]
    seed_source: SeedSource,
    #[serde(deserialize_with = "text::null_or")]
    reason: Option<String>,
    prize: AnnouncedPrize,
    #[serde(deserialize_with = "text::null_or")]
    version: Option<VersionStamp>,
    #[serde(deserialize_with = "text::null_or")]
    replaces: Option<Replaced>,
    rules: RulesStamp,
}

/// The details of an entry of the log cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the details cannot be read: {0}")]
pub struct InvalidDetails(pub(crate) String);

/// Reads details from one line of JSON.
pub(crate) fn read<T: DeserializeOwned>(details: &str) -> Result<T, InvalidDetails> {
    if details.contains('\n') {
        return Err(InvalidDetails("they have more than one line".to_owned()));
    }
    serde_json::from_str(details).map_err(|error| InvalidDetails(error.to_string()))
}

/// Writes details as one line of JSON. It cannot fail: all keys are strings.
pub(crate) fn write(members: &impl Serialize) -> String {
    serde_json::to_string(members).unwrap_or_default()
}

impl Announcement {
    /// The details of the entry, as one line of JSON.
    pub fn details(&self) -> String {
        write(&Members {
            scheme: ThisScheme,
            landing_page: self.raffle,
            period: self.period,
            kind: self.kind,
            cut_off: self.cut_off,
            beacon: self.beacon,
            round: self.round,
            seal_before: self.seal_before,
            commitment: self.commitment,
            seed_source: self.seed_source,
            reason: self.reason.clone(),
            prize: self.prize.clone(),
            version: self.version,
            replaces: self.replaces,
            rules: self.rules,
        })
    }

    /// Reads the details of an entry.
    ///
    /// # Errors
    /// When a member is missing, unknown, or not spelled as [`Announcement::details`] spells it.
    pub fn from_details(details: &str) -> Result<Self, InvalidDetails> {
        let members: Members = read(details)?;
        if !members.prize.has_no_negative_value() || members.version.is_some_and(|version| version.number < 1)
        {
            return Err(InvalidDetails("a value or a number is too small".to_owned()));
        }
        Ok(Self {
            raffle: members.landing_page,
            period: members.period,
            kind: members.kind,
            cut_off: members.cut_off,
            beacon: members.beacon,
            round: members.round,
            seal_before: members.seal_before,
            commitment: members.commitment,
            seed_source: members.seed_source,
            reason: members.reason,
            prize: members.prize,
            version: members.version,
            replaces: members.replaces,
            rules: members.rules,
        })
    }
}
