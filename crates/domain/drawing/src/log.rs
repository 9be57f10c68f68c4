use crate::{DrawingId, Hash, SCHEME, Seed, moment_text};
use chrono::{DateTime, Utc};

/// The kind of a log entry.
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
pub enum LogAction {
    /// A drawing was announced.
    DrawingAnnounced,
    /// The list of a drawing was frozen and published, with its seed.
    DrawingSealed,
    /// A drawing was performed.
    DrawingPerformed,
    /// A drawing was made void.
    DrawingVoid,
    /// The round of a void drawing came after the seal of the one that replaces it.
    LateRound,
    /// A seal came too late.
    SealRefused,
    /// Figures about the rest of the data were recorded.
    Checkpoint,
    /// Staff decided when a raffle opens, or that it does not.
    RaffleOpens,
    /// Staff decided when a raffle closes, or that it does not.
    RaffleCloses,
}

impl LogAction {
    /// Its name in rows and in the hashed text.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A log entry to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLogEntry {
    /// The action.
    pub action: LogAction,
    /// The drawing that it is about, if any.
    pub drawing: Option<DrawingId>,
    /// Details, as JSON on one line.
    pub details: String,
    /// The seed that the drawing revealed.
    pub random_seed: Option<Seed>,
    /// How many entrants there were.
    pub participant_count: Option<u64>,
    /// The drawing's verification hash.
    pub verification_hash: Option<Hash>,
    /// The console session that did it.
    pub session: Option<i64>,
    /// The time, in whole microseconds.
    pub at: DateTime<Utc>,
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number: one more than the previous entry's.
    pub id: i64,
    /// Its content.
    pub entry: NewLogEntry,
    /// The hash of the entry before it.
    pub previous: Hash,
    /// The hash of this entry.
    pub hash: Hash,
}

impl LogEntry {
    /// Appends an entry after the last one (its number and hash); `None` makes the first entry.
    pub fn after(last: Option<(i64, Hash)>, entry: NewLogEntry) -> Self {
        let (last_id, previous) = last.unwrap_or((0, Hash::ZERO));
        let mut entry = Self {
            id: last_id + 1,
            entry,
            previous,
            hash: Hash::ZERO,
        };
        entry.hash = Hash::of(entry.text());
        entry
    }

    /// Whether its hash is the hash of its text.
    pub fn has_its_hash(&self) -> bool {
        Hash::of(self.text()) == self.hash
    }

    /// The text that is hashed.
    pub fn text(&self) -> String {
        let entry = &self.entry;
        format!(
            "{SCHEME} log\n\
             id {}\n\
             action {}\n\
             drawing {}\n\
             details {}\n\
             randomSeed {}\n\
             participantCount {}\n\
             verificationHash {}\n\
             session {}\n\
             at {}\n\
             previous {}\n",
            self.id,
            entry.action.as_str(),
            or_dash(entry.drawing),
            entry.details,
            or_dash(entry.random_seed.map(|seed| seed.reveal())),
            or_dash(entry.participant_count),
            or_dash(entry.verification_hash),
            or_dash(entry.session),
            moment_text(entry.at),
            self.previous,
        )
    }
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// The first place where a log was tampered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogBreak {
    /// The entry before this one is missing.
    #[error("entry {0} does not follow the one before it")]
    Gap(i64),
    /// This entry does not hold the hash of the entry before it.
    #[error("entry {0} does not hold the hash of the entry before it")]
    WrongPreviousHash(i64),
    /// This entry's content does not match its hash.
    #[error("entry {0} was changed")]
    Changed(i64),
}

/// Checks that an entry follows the last one (its number and hash), and returns this entry's number and hash.
///
/// # Errors
/// When it does not follow, or its content does not match its hash.
pub fn verify_log(last: Option<(i64, Hash)>, entry: &LogEntry) -> Result<(i64, Hash), LogBreak> {
    let (last_id, last_hash) = last.unwrap_or((0, Hash::ZERO));
    if entry.id != last_id + 1 {
        return Err(LogBreak::Gap(entry.id));
    }
    if entry.previous != last_hash {
        return Err(LogBreak::WrongPreviousHash(entry.id));
    }
    if !entry.has_its_hash() {
        return Err(LogBreak::Changed(entry.id));
    }
    Ok((entry.id, entry.hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    fn entry(n: u64) -> NewLogEntry {
        NewLogEntry {
            action: LogAction::DrawingPerformed,
            drawing: Some(DrawingId::new(7)),
            details: "{}".to_owned(),
            random_seed: Some(Seed::new([1; 32])),
            participant_count: Some(n),
            verification_hash: Some(Hash::ZERO),
            session: Some(3),
            at: DateTime::UNIX_EPOCH,
        }
    }

    fn log(length: u64) -> Vec<LogEntry> {
        let mut last = None;
        (0..length)
            .map(|n| {
                let next = LogEntry::after(last, entry(n));
                last = Some((next.id, next.hash));
                next
            })
            .collect()
    }

    fn verify(log: &[LogEntry]) -> Result<Option<(i64, Hash)>, LogBreak> {
        log.iter()
            .try_fold(None, |last, entry| verify_log(last, entry).map(Some))
    }

    #[test]
    fn an_unchanged_log_is_valid() {
        assert_eq!(verify(&[]), Ok(None));
        let log = log(5);
        assert_eq!(verify(&log), Ok(Some((5, log[4].hash))));
    }

    #[test]
    fn missing_renumbered_and_changed_entries_are_detected() {
        let whole = log(5);
        assert_eq!(verify(&whole[1..]), Err(LogBreak::Gap(2)));
        let without_third: Vec<_> = [&whole[..2], &whole[3..]].concat();
        assert_eq!(verify(&without_third), Err(LogBreak::Gap(4)));
        let mut renumbered = without_third;
        renumbered[2].id = 3;
        assert_eq!(verify(&renumbered), Err(LogBreak::WrongPreviousHash(3)));
        renumbered[2].previous = renumbered[1].hash;
        assert_eq!(verify(&renumbered), Err(LogBreak::Changed(3)));
        renumbered[2].hash = Hash::of(renumbered[2].text());
        assert_eq!(
            verify(&renumbered),
            Err(LogBreak::Gap(5)),
            "every later entry would have to change too"
        );
        renumbered[3].id = 4;
        assert_eq!(verify(&renumbered), Err(LogBreak::WrongPreviousHash(4)));
    }

    #[test]
    fn every_field_is_in_the_hash() {
        let original = &log(2)[1];
        let change = |change: fn(&mut NewLogEntry)| {
            let mut changed = original.clone();
            change(&mut changed.entry);
            verify_log(Some((1, original.previous)), &changed)
        };
        assert!(change(|_| ()).is_ok());
        let changes: [fn(&mut NewLogEntry); 8] = [
            |entry| entry.action = LogAction::DrawingVoid,
            |entry| entry.drawing = None,
            |entry| entry.details = "{ }".to_owned(),
            |entry| entry.random_seed = None,
            |entry| entry.participant_count = Some(2),
            |entry| entry.verification_hash = None,
            |entry| entry.session = Some(4),
            |entry| entry.at += chrono::TimeDelta::microseconds(1),
        ];
        for (n, one) in changes.into_iter().enumerate() {
            assert_eq!(change(one), Err(LogBreak::Changed(2)), "change {n}");
        }
    }

    #[test]
    fn names_are_those_of_rows_and_of_what_is_hashed() {
        let names: Vec<_> = LogAction::iter().map(LogAction::as_str).collect();
        let expected = [
            "drawing_announced",
            "drawing_sealed",
            "drawing_performed",
            "drawing_void",
            "late_round",
            "seal_refused",
            "checkpoint",
            "raffle_opens",
            "raffle_closes",
        ];
        assert_eq!(names, expected);
        for action in LogAction::iter() {
            assert_eq!(
                (action.to_string(), action.as_str().parse()),
                (action.as_str().to_owned(), Ok(action))
            );
        }
    }
}
