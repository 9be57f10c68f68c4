use crate::{DrawingId, LogAction, LogBreak, LogEntry, verify_log};

/// A part of the log that somebody saved: entries without a gap, whose chain of hashes holds. It may start at any entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogCopy(Vec<LogEntry>);

impl LogCopy {
    /// The copy with these entries, in order.
    ///
    /// # Errors
    /// The first place where the chain does not hold.
    pub fn new(entries: Vec<LogEntry>) -> Result<Self, LogBreak> {
        // What the first entry follows is known only if it is the first of the whole log.
        let first = entries.first().filter(|first| first.id > 1);
        let before = first.map(|first| (first.id - 1, first.previous));
        entries
            .iter()
            .try_fold(before, |last, entry| verify_log(last, entry).map(Some))?;
        Ok(Self(entries))
    }

    /// Its entries, in order.
    pub fn entries(&self) -> &[LogEntry] {
        &self.0
    }

    /// The entry with this number.
    pub fn find(&self, id: i64) -> Option<&LogEntry> {
        let first = self.0.first()?.id;
        let place = usize::try_from(id.checked_sub(first)?).ok()?;
        self.0.get(place)
    }

    /// The entries about a drawing with this action, in order.
    pub fn of(&self, drawing: DrawingId, action: LogAction) -> Vec<&LogEntry> {
        let is_it = |log: &&LogEntry| log.entry.drawing == Some(drawing) && log.entry.action == action;
        self.0.iter().filter(is_it).collect()
    }

    /// Whether it has this entry.
    pub fn has(&self, entry: &LogEntry) -> bool {
        self.find(entry.id)
            .is_some_and(|copied| copied.hash == entry.hash)
    }

    /// Whether it has another entry with the same number: then there are two versions of the log.
    pub fn contradicts(&self, entry: &LogEntry) -> bool {
        self.find(entry.id)
            .is_some_and(|copied| copied.hash != entry.hash)
    }
}
