use crate::{Announcement, DrawingKind, DrawnDetails, Replaced, SealDetails};
use crate::{DrawingId, Hash, LogAction, LogEntry, Period};
use raffle::RaffleKey;
use std::collections::HashMap;

/// What the log says must not happen. Its chain of hashes can hold nevertheless: whoever writes the log writes the hashes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LogFault {
    /// The details of an entry cannot be read.
    #[error("entry {0}: the details of drawing {1} cannot be read")]
    Details(i64, DrawingId),
    /// Another announcement, although the seal was not refused.
    #[error("entry {0} announces drawing {1} again")]
    SecondAnnouncement(i64, DrawingId),
    /// Another seal of the same drawing: the operator could choose between them.
    #[error("entry {0} is a second seal of drawing {1}")]
    SecondSeal(i64, DrawingId),
    /// The seal belongs to another announcement than the newest.
    #[error("entry {0}: the seal of drawing {1} does not belong to its newest announcement")]
    OtherAnnouncement(i64, DrawingId),
    /// The seed is not the one that was announced.
    #[error("entry {0}: the seed of drawing {1} is not the one that was announced")]
    OtherSeed(i64, DrawingId),
    /// The seal is later than announced.
    #[error("entry {0}: the seal of drawing {1} came too late")]
    LateSeal(i64, DrawingId),
    /// Another result of the same drawing.
    #[error("entry {0} performs drawing {1} a second time")]
    SecondResult(i64, DrawingId),
    /// The result belongs to another seal.
    #[error("entry {0}: the result of drawing {1} does not belong to its seal")]
    OtherSeal(i64, DrawingId),
    /// Something happened to a drawing that was void.
    #[error("entry {0} is about drawing {1}, which was void before")]
    AfterVoid(i64, DrawingId),
    /// A void drawing was drawn although another one with its list was sealed, or its round is called late although none was.
    #[error("entry {0} takes the round of the void drawing {1} at the wrong time")]
    WrongTimeOfRound(i64, DrawingId),
    /// The void drawing of this month, or the one that it names, has another list.
    #[error("entry {0}: drawing {1} does not take the list of the void drawing")]
    OtherList(i64, DrawingId),
    /// A drawing that has a result was made void.
    #[error("entry {0} makes drawing {1} void, which has a result")]
    VoidAfterResult(i64, DrawingId),
    /// Another regular drawing of the same raffle and month.
    #[error("entry {0}: drawing {1} is a second regular drawing of {2} in {3}")]
    SecondOfPeriod(i64, DrawingId, RaffleKey, Period),
}

/// Follows the log entry by entry, and finds what must not happen. A log that starts later than its first entry is followed
/// as far as it is known.
#[derive(Debug, Default)]
pub struct LogRules {
    drawings: HashMap<i64, Story>,
    /// The regular drawings that are sealed.
    regular: HashMap<(RaffleKey, Period), DrawingId>,
    /// The newest void ones that were sealed.
    void: HashMap<(RaffleKey, Period), DrawingId>,
    starts_at_first_entry: bool,
}

/// What happened to a drawing so far.
#[derive(Debug, Default)]
struct Story {
    announced: Option<(LogEntry, Announcement)>,
    is_refused: bool,
    seal: Option<(Hash, SealDetails)>,
    is_performed: bool,
    is_void: bool,
    /// Whether another drawing with its list is sealed.
    is_replaced: bool,
    is_late: bool,
}

impl LogRules {
    /// Takes the next entry of the log.
    ///
    /// # Errors
    /// When it must not follow the entries before it.
    pub fn push(&mut self, log: &LogEntry) -> Result<(), LogFault> {
        self.starts_at_first_entry |= log.id == 1;
        let Some(drawing) = log.entry.drawing else {
            return Ok(());
        };
        match log.entry.action {
            LogAction::DrawingAnnounced => self.announced(log, drawing),
            LogAction::DrawingSealed => self.sealed(log, drawing),
            LogAction::DrawingPerformed => self.performed(log, drawing),
            LogAction::DrawingVoid => self.void(log, drawing),
            LogAction::LateRound => self.late_round(log, drawing),
            LogAction::SealRefused => {
                self.story(log, drawing)?.is_refused = true;
                Ok(())
            }
            LogAction::Checkpoint | LogAction::RaffleOpens | LogAction::RaffleCloses => Ok(()),
        }
    }

    fn story(&mut self, log: &LogEntry, drawing: DrawingId) -> Result<&mut Story, LogFault> {
        let story = self.drawings.entry(drawing.get()).or_default();
        match story.is_void {
            true => Err(LogFault::AfterVoid(log.id, drawing)),
            false => Ok(story),
        }
    }

    fn announced(&mut self, log: &LogEntry, drawing: DrawingId) -> Result<(), LogFault> {
        let announcement =
            Announcement::from_details(&log.entry.details).map_err(|_| LogFault::Details(log.id, drawing))?;
        let story = self.story(log, drawing)?;
        let is_second = story.announced.is_some() && !story.is_refused;
        if is_second || story.seal.is_some() || story.is_performed {
            return Err(LogFault::SecondAnnouncement(log.id, drawing));
        }
        story.announced = Some((log.clone(), announcement));
        story.is_refused = false;
        Ok(())
    }

    fn sealed(&mut self, log: &LogEntry, drawing: DrawingId) -> Result<(), LogFault> {
        let sealed =
            SealDetails::from_details(&log.entry.details).map_err(|_| LogFault::Details(log.id, drawing))?;
        let is_whole = self.starts_at_first_entry;
        let story = self.story(log, drawing)?;
        if story.seal.is_some() || story.is_performed {
            return Err(LogFault::SecondSeal(log.id, drawing));
        }
        story.seal = Some((log.hash, sealed.clone()));
        let Some((opening, announcement)) = &story.announced else {
            return match is_whole {
                true => Err(LogFault::OtherAnnouncement(log.id, drawing)),
                false => Ok(()),
            };
        };
        if sealed.opening != opening.hash || story.is_refused {
            return Err(LogFault::OtherAnnouncement(log.id, drawing));
        }
        let commitment = log.entry.random_seed.map(|seed| seed.commitment());
        if commitment != Some(announcement.commitment) {
            return Err(LogFault::OtherSeed(log.id, drawing));
        }
        if announcement
            .seal_before
            .is_some_and(|before| log.entry.at > before)
        {
            return Err(LogFault::LateSeal(log.id, drawing));
        }
        let (announced_at, announcement) = (opening.entry.at, announcement.clone());
        let takes_list = |replaced: Replaced| {
            replaced.is_taken_by(&sealed, announced_at, log.entry.at) && self.replace(replaced)
        };
        if !announcement.replaces.is_none_or(takes_list) {
            return Err(LogFault::OtherList(log.id, drawing));
        }
        self.add_regular(log, drawing, &announcement)
    }

    /// Whether the drawing that another one replaces is void and has this list, as far as it is known.
    fn replace(&mut self, replaced: Replaced) -> bool {
        let Some(story) = self.drawings.get_mut(&replaced.drawing.get()) else {
            return !self.starts_at_first_entry;
        };
        story.is_replaced = true;
        let has_list = |(_, sealed): &(Hash, SealDetails)| {
            (sealed.root, sealed.weights_hash) == (replaced.root, replaced.weights_hash)
        };
        story.is_void && story.seal.as_ref().map_or(!self.starts_at_first_entry, has_list)
    }

    /// A month has one regular drawing, which has the list of the void one before it.
    fn add_regular(
        &mut self,
        log: &LogEntry,
        drawing: DrawingId,
        announcement: &Announcement,
    ) -> Result<(), LogFault> {
        if announcement.kind == DrawingKind::Additional {
            return Ok(());
        }
        let month = (announcement.raffle, announcement.period);
        let replaced = announcement.replaces.map(|replaced| replaced.drawing);
        let void = self.void.get(&month).copied().filter(|void| *void != drawing);
        if void.is_some() && void != replaced {
            return Err(LogFault::OtherList(log.id, drawing));
        }
        match self.regular.insert(month, drawing) {
            None => Ok(()),
            Some(_) => Err(LogFault::SecondOfPeriod(log.id, drawing, month.0, month.1)),
        }
    }

    fn performed(&mut self, log: &LogEntry, drawing: DrawingId) -> Result<(), LogFault> {
        let is_whole = self.starts_at_first_entry;
        let story = self.drawings.entry(drawing.get()).or_default();
        if std::mem::replace(&mut story.is_performed, true) {
            return Err(LogFault::SecondResult(log.id, drawing));
        }
        let drawn =
            DrawnDetails::from_details(&log.entry.details).map_err(|_| LogFault::Details(log.id, drawing))?;
        match &story.seal {
            Some((seal, _)) if drawn.seal == *seal => {}
            None if !is_whole => {}
            _ => return Err(LogFault::OtherSeal(log.id, drawing)),
        }
        if !std::mem::take(&mut story.is_void) {
            return Ok(());
        }
        if story.is_replaced {
            return Err(LogFault::WrongTimeOfRound(log.id, drawing));
        }
        match story.announced.clone() {
            Some((_, announcement)) => self.add_regular(log, drawing, &announcement),
            None => Ok(()),
        }
    }

    /// A round is late when another drawing with the list of the void one was sealed.
    fn late_round(&mut self, log: &LogEntry, drawing: DrawingId) -> Result<(), LogFault> {
        let is_whole = self.starts_at_first_entry;
        let story = self.drawings.entry(drawing.get()).or_default();
        let is_known = is_whole || story.announced.is_some();
        let is_right = story.is_void && story.is_replaced || !is_known;
        match std::mem::replace(&mut story.is_late, true) || !is_right {
            true => Err(LogFault::WrongTimeOfRound(log.id, drawing)),
            false => Ok(()),
        }
    }

    fn void(&mut self, log: &LogEntry, drawing: DrawingId) -> Result<(), LogFault> {
        let story = self.story(log, drawing)?;
        if story.is_performed {
            return Err(LogFault::VoidAfterResult(log.id, drawing));
        }
        story.is_void = true;
        let month = |(_, announced): &(LogEntry, Announcement)| (announced.raffle, announced.period);
        let month = story
            .announced
            .as_ref()
            .filter(|_| story.seal.is_some())
            .map(month);
        if let Some(month) = month.filter(|month| self.regular.get(month) == Some(&drawing)) {
            self.regular.remove(&month);
            self.void.insert(month, drawing);
        }
        Ok(())
    }
}
