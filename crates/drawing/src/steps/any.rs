use super::{DrawingState, DrawingStatus};
use crate::{Drawing, DrawingId, Hash};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Phone, Raffle};

/// A drawing of either version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyDrawing {
    /// Of `tombola-drawing/1`: always drawn.
    First(Box<Drawing>),
    /// Of `tombola-drawing/2`, in any state.
    Second(Box<DrawingState>),
}

impl AnyDrawing {
    /// Its id.
    pub fn id(&self) -> DrawingId {
        match self {
            Self::First(drawing) => drawing.record.drawing,
            Self::Second(state) => state.id,
        }
    }

    /// The raffle.
    pub fn raffle(&self) -> Raffle {
        match self {
            Self::First(drawing) => drawing.record.raffle,
            Self::Second(state) => state.plan.raffle,
        }
    }

    /// How far it is.
    pub fn status(&self) -> DrawingStatus {
        match self {
            Self::First(_) => DrawingStatus::Drawn,
            Self::Second(state) => state.status,
        }
    }

    /// When it was drawn in version 1, and announced in version 2.
    pub fn created_at(&self) -> DateTime<Utc> {
        match self {
            Self::First(drawing) => drawing.record.drawn_at,
            Self::Second(state) => state.plan.at,
        }
    }

    /// When it was drawn.
    pub fn drawn_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::First(drawing) => Some(drawing.record.drawn_at),
            Self::Second(state) => Some(state.result.as_ref()?.entry.entry.at),
        }
    }

    /// How many entrants are on its list, once it is sealed.
    pub fn participants(&self) -> Option<u64> {
        match self {
            Self::First(drawing) => Some(drawing.record.participants),
            Self::Second(state) => Some(state.seal.as_ref()?.step.participants),
        }
    }

    /// How many entries they hold, once it is sealed.
    pub fn entries(&self) -> Option<u64> {
        match self {
            Self::First(drawing) => Some(drawing.record.entries),
            Self::Second(state) => Some(state.seal.as_ref()?.step.entries),
        }
    }

    /// The number of the winning entry, once it is drawn.
    pub fn winning_entry_number(&self) -> Option<u64> {
        match self {
            Self::First(drawing) => Some(drawing.record.winning_entry_number),
            Self::Second(state) => Some(state.winner()?.entry_number),
        }
    }

    /// The winner, once it is drawn.
    pub fn winner(&self) -> Option<EntrantId> {
        match self {
            Self::First(drawing) => Some(drawing.winner),
            Self::Second(state) => Some(state.winner()?.entrant),
        }
    }

    /// The winner's phone number at the time of the drawing, once it is drawn and until the person is erased.
    pub fn winner_phone(&self) -> Option<&Phone> {
        match self {
            Self::First(drawing) => drawing.winner_phone.as_ref(),
            Self::Second(state) => state.result.as_ref()?.step.winner_phone.as_ref(),
        }
    }

    /// The hash of its record, once it is drawn.
    pub fn verification_hash(&self) -> Option<Hash> {
        match self {
            Self::First(drawing) => Some(drawing.verification_hash),
            Self::Second(state) => Some(state.result.as_ref()?.step.verification_hash),
        }
    }

    /// The hash of the entry `drawing_performed` in the log, once it is drawn.
    pub fn audit_log_hash(&self) -> Option<Hash> {
        match self {
            Self::First(drawing) => Some(drawing.audit_log_hash),
            Self::Second(state) => Some(state.result.as_ref()?.entry.hash),
        }
    }
}
