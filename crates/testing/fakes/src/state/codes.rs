//! What the store has of `codes`, and of sign-ups that wait for them.

use chrono::{DateTime, Utc};
use codes::{CodeId, Holder, NewCode, Subject};
use kernel::{EntrantId, Phone};
use raffle::{SignUpId, WaitingSignUp};

/// Codes that were sent, and sign-ups that wait.
#[derive(Clone, Default)]
pub(crate) struct CodeState {
    pub(crate) codes: Vec<Stored>,
    pub(crate) last_id: i64,
    /// Each with when it was sent.
    pub(crate) sign_ups: Vec<(WaitingSignUp, DateTime<Utc>)>,
}

#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) id: CodeId,
    pub(crate) new: NewCode,
    pub(crate) wrong_tries: u32,
    pub(crate) is_completed: bool,
}

impl CodeState {
    /// Erases unfinished sign-ups of a number, and what says whose the others were.
    pub(crate) fn erase(&mut self, entrant: EntrantId, phone: &Phone) {
        for (stored, _) in &mut self.sign_ups {
            stored.sign_up = stored.sign_up.take().filter(|sign_up| sign_up.phone != *phone);
            stored.entered = stored.entered.filter(|(of, _)| *of != entrant);
        }
        for stored in &mut self.codes {
            stored.new.entrant = stored.new.entrant.filter(|of| *of != entrant);
        }
    }

    pub(crate) fn of(&mut self, subject: Subject, holder: Holder) -> impl Iterator<Item = &mut Stored> {
        let codes = self.codes.iter_mut();
        codes.filter(move |stored| {
            stored.new.request.subject == subject && stored.new.request.holder == holder
        })
    }

    pub(crate) fn change_sign_up(&mut self, id: SignUpId, change: impl FnOnce(&mut WaitingSignUp)) {
        let mut stored = self.sign_ups.iter_mut();
        if let Some((stored, _)) = stored.find(|(stored, _)| stored.id == id) {
            change(stored);
        }
    }
}
