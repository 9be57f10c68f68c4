//! What the store has of `drawing`.

use super::steps::StepsState;
use drawing::rules::Rules;
use drawing::{Chunk, DrawingId, ListPart, LogEntry, PublishedList};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// Drawings and their data. Ids are never reused, even after a rollback, so all copies of the state share the last id.
#[derive(Clone, Default)]
pub(crate) struct DrawingState {
    pub(crate) last_id: Arc<AtomicI64>,
    pub(crate) chunks: BTreeMap<(DrawingId, u32), Chunk>,
    pub(crate) parts: BTreeMap<(DrawingId, u32), Arc<ListPart>>,
    pub(crate) lists: BTreeMap<DrawingId, PublishedList>,
    pub(crate) log: Vec<LogEntry>,
    /// The versions of the official rules, by number.
    pub(crate) rules: BTreeMap<u32, Rules>,
    pub(crate) steps: StepsState,
}

impl DrawingState {
    /// The last of a drawing's chunks for which `begins` holds.
    pub(crate) fn last_chunk(&self, drawing: DrawingId, begins: impl Fn(&&Chunk) -> bool) -> Option<Chunk> {
        let chunks = self.chunks.range((drawing, 0)..=(drawing, u32::MAX));
        chunks.map(|(_, chunk)| chunk).take_while(begins).last().cloned()
    }
}
