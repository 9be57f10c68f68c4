mod rules;
mod steps;

use crate::mem_store::MemTx;
use chrono::{DateTime, TimeDelta, Utc};
use drawing::{
    Candidate, Chunk, CutOffs, DrawingId, DrawingLog, Drawings, EntriesByKind, FrozenEntrants, Hash, LeftOut,
    ListForm, ListPart, ListProgress, LogEntry, PublishedList, PublishedLists, RaffleStatistics,
};
use kernel::{DatabaseClock, EntrantId, PersonTag, StoreError};
use raffle::{Entrant, Entries, EntryKind, RaffleKey, RaffleMove};
use std::collections::HashSet;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{self};

/// Later than every row.
const NO_CUT_OFF: DateTime<Utc> = DateTime::<Utc>::MAX_UTC;

impl MemTx {
    /// The entrants who can win, with their entries from before the cut-off.
    fn participants(
        &self,
        raffle: RaffleKey,
        cut_off: DateTime<Utc>,
    ) -> impl Iterator<Item = (EntrantId, Entries)> {
        let entered = self.entered(raffle, cut_off);
        let can_win = |(id, entries): &(EntrantId, Entries)| {
            !self.0.fraud.flags.contains_key(id) && weight(entries) > 0
        };
        entered.filter(can_win)
    }

    /// The entrants of a raffle, with their entries from before the cut-off.
    fn entered(
        &self,
        raffle: RaffleKey,
        cut_off: DateTime<Utc>,
    ) -> impl Iterator<Item = (EntrantId, Entries)> {
        let raffle_of = move |of: &Entrant| RaffleMove::raffle_at(self.0.moves_of(of.id), of.raffle, cut_off);
        let entrants = self.0.entrants.iter().filter(move |of| raffle_of(of) == raffle);
        entrants.map(move |of| {
            let rows = self.0.ledger.iter().filter(|posted| posted.of == of.id);
            let early = rows.filter(|posted| posted.at < cut_off).map(|posted| posted.row);
            (of.id, Entries::of(early))
        })
    }
}

fn weight(entries: &Entries) -> u64 {
    u64::try_from(entries.in_drawings()).unwrap_or(0)
}

fn by_kind(entries: &Entries) -> EntriesByKind {
    let counted = |entries| u64::try_from(entries).unwrap_or(0);
    EntriesByKind {
        base: counted(entries.base),
        imported: 0,
        bonus: counted(entries.bonus),
        purchased: counted(entries.paid - entries.held),
    }
}

impl Drawings for MemTx {
    /// Nothing to lock: transactions run one at a time.
    fn begin_drawing(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn reserve_drawing_id(&mut self) -> Result<DrawingId, StoreError> {
        let last = self.0.drawing.last_id.fetch_add(1, atomic::Ordering::Relaxed);
        Ok(DrawingId::new(last + 1))
    }

    fn raffle_statistics(&self) -> Result<Vec<RaffleStatistics>, StoreError> {
        let statistics = |raffle: RaffleKey| RaffleStatistics {
            raffle,
            participants: self.participants(raffle, NO_CUT_OFF).map(|_| 1).sum(),
            entries: self
                .participants(raffle, NO_CUT_OFF)
                .map(|(_, entries)| weight(&entries))
                .sum(),
        };
        Ok(self.0.public_raffles().into_iter().map(statistics).collect())
    }
}

impl MemTx {
    fn tag_of(&self, id: EntrantId) -> Result<PersonTag, StoreError> {
        let missing = StoreError::Corrupt {
            table: "users",
            column: "person_tag",
            row: id.get(),
        };
        self.0.persons.get(&id).map(|(_, tag)| *tag).ok_or(missing)
    }
}

impl FrozenEntrants for MemTx {
    fn read_participants(
        &self,
        raffle: RaffleKey,
        cut_off: DateTime<Utc>,
        after: Option<PersonTag>,
        limit: u32,
        each: &mut dyn FnMut(Candidate),
    ) -> Result<(), StoreError> {
        let candidates = self.participants(raffle, cut_off).map(|(id, entries)| {
            Ok(Candidate {
                id,
                entries: by_kind(&entries),
                tag: self.tag_of(id)?,
            })
        });
        let mut candidates: Vec<Candidate> = candidates.collect::<Result<_, StoreError>>()?;
        candidates.sort_by_key(|candidate| candidate.tag);
        let above = candidates
            .into_iter()
            .filter(|candidate| after.is_none_or(|after| candidate.tag > after));
        above.take(limit as usize).for_each(each);
        Ok(())
    }

    fn tags_of(&self, entrants: &[EntrantId]) -> Result<Vec<PersonTag>, StoreError> {
        entrants.iter().map(|id| self.tag_of(*id)).collect()
    }

    fn imported_entries(&self, raffle: RaffleKey, cut_off: DateTime<Utc>) -> Result<u64, StoreError> {
        let listed: HashSet<EntrantId> = self.participants(raffle, cut_off).map(|(id, _)| id).collect();
        let has_moved = |id| self.0.moves_of(id).any(|each| each.at < cut_off);
        let rows = self.0.ledger.iter().filter(|posted| {
            let is_early = posted.row.kind == EntryKind::Imported && posted.at < cut_off;
            is_early && listed.contains(&posted.of) && !has_moved(posted.of)
        });
        Ok(rows
            .map(|posted| u64::try_from(posted.row.delta).unwrap_or(0))
            .sum())
    }

    fn left_out(&self, raffle: RaffleKey, cut_off: DateTime<Utc>) -> Result<LeftOut, StoreError> {
        let recently = self.0.clock.now() - TimeDelta::hours(48);
        let mut left_out = LeftOut::default();
        for (id, entries) in self.entered(raffle, cut_off) {
            let is_flagged_by_mark = self.0.people.mark_of(id).is_some_and(|mark| mark.has_set_flag);
            match self.0.fraud.flags.get(&id).map(|flag| flag.at) {
                Some(_) if entries.total() > 0 && is_flagged_by_mark => left_out.duplicate += 1,
                Some(at) if entries.total() > 0 => {
                    left_out.flagged += 1;
                    left_out.flagged_last_48_hours += u64::from(at >= recently);
                }
                None if entries.held > 0 => left_out.disputed += 1,
                _ => {}
            }
        }
        Ok(left_out)
    }

    fn add_chunks(&mut self, drawing: DrawingId, chunks: &[Chunk]) -> Result<(), StoreError> {
        let numbered = chunks
            .iter()
            .map(|chunk| ((drawing, chunk.number), chunk.clone()));
        self.0.drawing.chunks.extend(numbered);
        Ok(())
    }

    fn chunk_roots(&self, drawing: DrawingId) -> Result<Vec<Hash>, StoreError> {
        let chunks = self.0.drawing.chunks.range((drawing, 0)..=(drawing, u32::MAX));
        Ok(chunks.map(|(_, chunk)| chunk.root).collect())
    }

    fn find_chunk(&self, drawing: DrawingId, number: u32) -> Result<Option<Chunk>, StoreError> {
        Ok(self.0.drawing.chunks.get(&(drawing, number)).cloned())
    }

    fn find_chunk_with_entry(&self, drawing: DrawingId, entry: u64) -> Result<Option<Chunk>, StoreError> {
        Ok(self
            .0
            .drawing
            .last_chunk(drawing, |chunk| chunk.first_entry <= entry))
    }

    fn find_chunk_with_tag(&self, drawing: DrawingId, tag: &PersonTag) -> Result<Option<Chunk>, StoreError> {
        Ok(self
            .0
            .drawing
            .last_chunk(drawing, |chunk| chunk.first_tag <= *tag))
    }
}

impl PublishedLists for MemTx {
    fn unpublished_lists(&self) -> Result<Vec<DrawingId>, StoreError> {
        let state = &self.0.drawing;
        let mut ids: Vec<DrawingId> = state.chunks.keys().map(|(id, _)| *id).collect();
        ids.dedup();
        ids.retain(|id| !state.lists.contains_key(id));
        ids.reverse();
        Ok(ids)
    }

    fn list_progress(&self, drawing: DrawingId) -> Result<ListProgress, StoreError> {
        let mut parts = self.0.drawing.parts.range((drawing, 0)..=(drawing, u32::MAX));
        let last = parts.next_back().map(|(_, part)| part.progress());
        Ok(last.unwrap_or_default())
    }

    fn add_list_part(&mut self, drawing: DrawingId, part: &ListPart) -> Result<bool, StoreError> {
        let place = self.0.drawing.parts.entry((drawing, part.number));
        let is_free = matches!(place, Entry::Vacant(_));
        place.or_insert_with(|| Arc::new(part.clone()));
        Ok(is_free)
    }

    fn add_list(&mut self, drawing: DrawingId, list: &PublishedList) -> Result<bool, StoreError> {
        let place = self.0.drawing.lists.entry(drawing);
        let is_free = matches!(place, Entry::Vacant(_));
        place.or_insert(*list);
        Ok(is_free)
    }

    fn find_list(&self, drawing: DrawingId) -> Result<Option<PublishedList>, StoreError> {
        Ok(self.0.drawing.lists.get(&drawing).copied())
    }

    fn find_list_part(
        &self,
        drawing: DrawingId,
        form: ListForm,
        offset: u64,
    ) -> Result<Option<ListPart>, StoreError> {
        let mut parts = self.0.drawing.parts.range((drawing, 0)..=(drawing, u32::MAX));
        let found = parts.find(|(_, part)| match form {
            ListForm::Csv => part.csv.contains(&offset),
            ListForm::Gzip => part.deflated.contains(&offset),
        });
        Ok(found.map(|(_, part)| ListPart::clone(part)))
    }
}

impl DatabaseClock for MemTx {
    fn database_time(&self) -> Result<DateTime<Utc>, StoreError> {
        Ok(self.0.clock.now())
    }
}

impl CutOffs for MemTx {
    /// Nothing to wait for: transactions run one at a time.
    fn wait_for_earlier_transactions(&self, cut_off: DateTime<Utc>) -> Result<(), StoreError> {
        match self.0.clock.now() < cut_off {
            true => Err(StoreError::Unavailable("the cut-off has not come".into())),
            false => Ok(()),
        }
    }
}

impl DrawingLog for MemTx {
    fn last_log_entry(&self) -> Result<Option<(i64, Hash)>, StoreError> {
        Ok(self.0.drawing.log.last().map(|entry| (entry.id, entry.hash)))
    }

    fn add_log_entry(&mut self, entry: &LogEntry) -> Result<(), StoreError> {
        self.0.drawing.log.push(entry.clone());
        Ok(())
    }

    fn list_log(&self, after: i64, limit: u32) -> Result<Vec<LogEntry>, StoreError> {
        let entries = self.0.drawing.log.iter().filter(|entry| entry.id > after);
        Ok(entries.take(limit as usize).cloned().collect())
    }
}
