//! A claim and its steps. Every method checks whether the claim allows the step now, and changes nothing when it does not.

use crate::{
    CALL_CODE_LIFE, CallCodeHash, ClaimId, ClaimStatus, DETAILS_LIFE, Deadline, OBJECTION_WINDOW,
    RejectReason, Shipment, TokenHash, VerifiedBy,
};
use chrono::{DateTime, Utc};
use kernel::{BrowserHash, DrawingId, EntrantId, StoredText};

/// A claim to be stored, for a rank whose turn has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewClaim {
    /// The drawing.
    pub drawing: DrawingId,
    /// The rank; 0 was drawn first.
    pub rank: u32,
    /// The entrant who was drawn.
    pub entrant: EntrantId,
    /// The hash of the token in the claim's link.
    pub token: TokenHash,
    /// The present moment.
    pub at: DateTime<Utc>,
}

/// A rejection by staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Why.
    pub reason: RejectReason,
    /// What the winner reads about it.
    pub note: String,
    /// When the time to object began: with the rejection, or later when a dispute paused the claim since.
    pub at: DateTime<Utc>,
    /// Whether a second person approved it.
    pub by_two: bool,
    /// What the winner says against it.
    pub objection: Option<Objection>,
}

impl Rejection {
    /// Until when the winner may object and staff may still approve.
    pub fn object_until(&self) -> DateTime<Utc> {
        self.at + OBJECTION_WINDOW
    }
}

/// What a rejected winner says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// The message.
    pub message: String,
    /// When it was sent.
    pub at: DateTime<Utc>,
}

/// What may be published of a winner who agreed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicWinner {
    /// The first name.
    pub first_name: String,
    /// The state, by its two letters.
    pub state: String,
}

/// The claim of one rank of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The id.
    pub id: ClaimId,
    /// The drawing.
    pub drawing: DrawingId,
    /// The rank; 0 was drawn first.
    pub rank: u32,
    /// The entrant who was drawn.
    pub entrant: EntrantId,
    /// How far it has come.
    pub status: ClaimStatus,
    /// When the rank's turn came.
    pub created_at: DateTime<Utc>,
    /// The time that the winner has; `None` until a text arrived or a call was noted.
    pub deadline: Option<Deadline>,
    /// Since when an open dispute pauses the claim.
    pub paused_at: Option<DateTime<Utc>>,
    /// Whether no text can reach the winner, so that staff must call.
    pub needs_call: bool,
    /// The code of a call that can be entered once, and when it was made.
    pub call_code: Option<(CallCodeHash, DateTime<Utc>)>,
    /// The browser that proved the number.
    pub browser: Option<BrowserHash>,
    /// How and when the number was proved first. A call that confirmed it counts instead.
    pub verified: Option<(VerifiedBy, DateTime<Utc>)>,
    /// Whether a second person agreed when staff confirmed the number.
    pub confirmed_by_two: bool,
    /// How many texts told the winner about the claim, the first included; codes do not count.
    pub notifications: u32,
    /// When the last of them was queued.
    pub last_notification_at: Option<DateTime<Utc>>,
    /// How many reminders were due and are done.
    pub reminders: u32,
    /// The winner's [`crate::ClaimDetails`], encrypted.
    pub sealed_details: Option<Vec<u8>>,
    /// When the details were submitted.
    pub submitted_at: Option<DateTime<Utc>>,
    /// The newest rejection. It stays when staff approve after an objection.
    pub rejection: Option<Rejection>,
    /// When staff approved it.
    pub approved_at: Option<DateTime<Utc>>,
    /// Whether a second person agreed to the approval.
    pub approved_by_two: bool,
    /// What may be published, once it is approved.
    pub public_winner: Option<PublicWinner>,
    /// How the prize was sent, if staff said so.
    pub shipment: Option<Shipment>,
    /// When the prize was delivered.
    pub delivered_at: Option<DateTime<Utc>>,
    /// When it ended for good: delivered, or lost with the objection window over.
    pub ended_at: Option<DateTime<Utc>>,
    /// When the details were erased.
    pub details_erased_at: Option<DateTime<Utc>>,
}

/// Why a claim does not take a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRefusal {
    /// The winner's time is over.
    #[error("the deadline has passed")]
    Expired,
    /// Its status does not allow the step.
    #[error("the status does not allow it")]
    WrongStatus,
    /// A dispute about counted entries is open.
    #[error("a dispute pauses the claim")]
    Paused,
    /// Another browser proved the number.
    #[error("another browser")]
    AnotherBrowser,
    /// The winner has objected already.
    #[error("objected before")]
    ObjectedBefore,
    /// The time to object is over.
    #[error("the time to object is over")]
    ObjectionWindowOver,
    /// A text reached the winner, so staff need not call.
    #[error("the winner can be texted")]
    NeedsNoCall,
}

impl Claim {
    /// Whether the winner may prove the number, in this or another browser.
    ///
    /// # Errors
    /// [`ClaimRefusal::Expired`]; [`ClaimRefusal::WrongStatus`] for a claim that ended otherwise.
    pub fn check_provable(&self, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        match self.status {
            ClaimStatus::Pending | ClaimStatus::CodeVerified => self.check_deadline(now),
            ClaimStatus::Submitted | ClaimStatus::Rejected | ClaimStatus::Verified | ClaimStatus::Shipped => {
                Ok(())
            }
            ClaimStatus::Expired => Err(ClaimRefusal::Expired),
            ClaimStatus::Declined | ClaimStatus::Unreachable | ClaimStatus::Delivered => {
                Err(ClaimRefusal::WrongStatus)
            }
        }
    }

    fn check_deadline(&self, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        match self.has_passed(now) {
            true => Err(ClaimRefusal::Expired),
            false => Ok(()),
        }
    }

    /// Whether the deadline has passed. It rests during a pause.
    pub fn has_passed(&self, now: DateTime<Utc>) -> bool {
        let now = self.paused_at.unwrap_or(now);
        self.deadline.is_some_and(|deadline| deadline.has_passed(now))
    }

    /// The end of the winner's time, while it runs.
    pub fn expires_at(&self) -> Option<DateTime<Utc>> {
        let deadline = self.deadline.filter(|_| self.status.waits_for_winner())?;
        Some(deadline.expires_at())
    }

    /// Binds a browser that brought the code that was sent for it.
    ///
    /// # Errors
    /// As [`Claim::check_provable`].
    pub fn prove_by_code(&mut self, browser: BrowserHash, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_provable(now)?;
        self.bind(browser, VerifiedBy::Code, now);
        Ok(())
    }

    /// Binds the browser that holds the winner's visitor token from before the seal.
    ///
    /// # Errors
    /// As [`Claim::check_provable`]; [`ClaimRefusal::NeedsNoCall`] when a code can be sent: `can_text`.
    pub fn prove_by_token(
        &mut self,
        browser: BrowserHash,
        can_text: bool,
        now: DateTime<Utc>,
    ) -> Result<(), ClaimRefusal> {
        self.check_provable(now)?;
        if can_text {
            return Err(ClaimRefusal::NeedsNoCall);
        }
        self.bind(browser, VerifiedBy::VisitorToken, now);
        Ok(())
    }

    fn bind(&mut self, browser: BrowserHash, by: VerifiedBy, now: DateTime<Utc>) {
        self.browser = Some(browser);
        self.verify(by, now);
    }

    fn verify(&mut self, by: VerifiedBy, now: DateTime<Utc>) {
        self.verified.get_or_insert((by, now));
        if self.status == ClaimStatus::Pending {
            self.status = ClaimStatus::CodeVerified;
        }
        // Whoever proved the number heard of the claim, whatever became of the texts.
        self.start_deadline(now);
    }

    /// Stores the winner's details.
    ///
    /// # Errors
    /// [`ClaimRefusal`]: another browser, the time is over, a dispute, or another status.
    pub fn submit(
        &mut self,
        browser: Option<&BrowserHash>,
        sealed_details: Vec<u8>,
        now: DateTime<Utc>,
    ) -> Result<(), ClaimRefusal> {
        self.check_winners_turn(browser, now)?;
        if self.paused_at.is_some() {
            return Err(ClaimRefusal::Paused);
        }
        self.status = ClaimStatus::Submitted;
        self.sealed_details = Some(sealed_details);
        self.submitted_at = Some(now);
        Ok(())
    }

    /// The winner does not want the prize.
    ///
    /// # Errors
    /// [`ClaimRefusal`]: another browser, the time is over, or another status.
    pub fn decline(&mut self, browser: Option<&BrowserHash>, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_winners_turn(browser, now)?;
        self.end(ClaimStatus::Declined, now);
        Ok(())
    }

    /// The winner's own steps, from the browser that proved the number.
    fn check_winners_turn(
        &self,
        browser: Option<&BrowserHash>,
        now: DateTime<Utc>,
    ) -> Result<(), ClaimRefusal> {
        match self.status {
            ClaimStatus::Pending | ClaimStatus::CodeVerified => self.check_deadline(now)?,
            ClaimStatus::Expired => return Err(ClaimRefusal::Expired),
            _ => return Err(ClaimRefusal::WrongStatus),
        }
        self.check_browser(browser)
    }

    fn check_browser(&self, browser: Option<&BrowserHash>) -> Result<(), ClaimRefusal> {
        match self.is_bound_to(browser) {
            true => Ok(()),
            false => Err(ClaimRefusal::AnotherBrowser),
        }
    }

    /// Whether this browser proved the number.
    pub fn is_bound_to(&self, browser: Option<&BrowserHash>) -> bool {
        browser.is_some() && self.browser.as_ref() == browser
    }

    /// The rejected winner objects, once.
    ///
    /// # Errors
    /// [`ClaimRefusal`].
    pub fn object(
        &mut self,
        browser: Option<&BrowserHash>,
        message: &StoredText,
        now: DateTime<Utc>,
    ) -> Result<(), ClaimRefusal> {
        self.check_browser(browser)?;
        let is_open = self.is_objection_open(now);
        let rejected = self.status == ClaimStatus::Rejected;
        let rejection = self.rejection.as_mut().filter(|_| rejected);
        let rejection = rejection.ok_or(ClaimRefusal::WrongStatus)?;
        if rejection.objection.is_some() {
            return Err(ClaimRefusal::ObjectedBefore);
        }
        if !is_open {
            return Err(ClaimRefusal::ObjectionWindowOver);
        }
        rejection.objection = Some(Objection {
            message: message.as_str().to_owned(),
            at: now,
        });
        Ok(())
    }

    /// Whether a rejection can still be objected to or withdrawn. Once the claim has ended, the next rank was asked.
    pub fn is_objection_open(&self, now: DateTime<Utc>) -> bool {
        let rejection = self.rejection.as_ref();
        self.status == ClaimStatus::Rejected
            && self.ended_at.is_none()
            && rejection.is_some_and(|rejection| now < rejection.object_until())
    }

    /// Whether an approval takes back what two people decided, so that it takes two.
    pub fn needs_two_to_approve(&self) -> bool {
        let rejection = self.rejection.as_ref();
        self.status == ClaimStatus::Rejected && rejection.is_some_and(|rejection| rejection.by_two)
    }

    /// Staff approve the details, also after a rejection while its objection window is open. `by_two`: whether a second person
    /// agreed.
    ///
    /// # Errors
    /// [`ClaimRefusal::Paused`], [`ClaimRefusal::WrongStatus`].
    pub fn approve(
        &mut self,
        public_winner: Option<PublicWinner>,
        by_two: bool,
        now: DateTime<Utc>,
    ) -> Result<(), ClaimRefusal> {
        if self.status != ClaimStatus::Submitted && !self.is_objection_open(now) {
            return Err(ClaimRefusal::WrongStatus);
        }
        if self.paused_at.is_some() {
            return Err(ClaimRefusal::Paused);
        }
        self.status = ClaimStatus::Verified;
        self.approved_at = Some(now);
        self.approved_by_two = by_two;
        self.public_winner = public_winner;
        Ok(())
    }

    /// Staff reject the details. `by_two`: whether a second person approved it.
    ///
    /// # Errors
    /// [`ClaimRefusal::WrongStatus`].
    pub fn reject(
        &mut self,
        reason: RejectReason,
        note: &StoredText,
        by_two: bool,
        now: DateTime<Utc>,
    ) -> Result<(), ClaimRefusal> {
        if self.status != ClaimStatus::Submitted {
            return Err(ClaimRefusal::WrongStatus);
        }
        self.status = ClaimStatus::Rejected;
        self.rejection = Some(Rejection {
            reason,
            note: note.as_str().to_owned(),
            at: now,
            by_two,
            objection: None,
        });
        Ok(())
    }

    /// Staff sent the prize. A second shipment replaces the first: its number was wrong, or the parcel was lost.
    ///
    /// # Errors
    /// [`ClaimRefusal::WrongStatus`].
    pub fn ship(&mut self, shipment: Shipment) -> Result<(), ClaimRefusal> {
        self.check_approved()?;
        self.status = ClaimStatus::Shipped;
        self.shipment = Some(shipment);
        Ok(())
    }

    /// The prize was delivered.
    ///
    /// # Errors
    /// [`ClaimRefusal::WrongStatus`].
    pub fn deliver(&mut self, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_approved()?;
        self.delivered_at = Some(now);
        self.end(ClaimStatus::Delivered, now);
        Ok(())
    }

    const fn check_approved(&self) -> Result<(), ClaimRefusal> {
        match self.status {
            ClaimStatus::Verified | ClaimStatus::Shipped => Ok(()),
            _ => Err(ClaimRefusal::WrongStatus),
        }
    }

    /// Staff called the winner, who has 14 days from the first call unless a text arrived before.
    ///
    /// # Errors
    /// As [`Claim::check_waiting`].
    pub fn note_call(&mut self, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_waiting(now)?;
        self.start_deadline(now);
        Ok(())
    }

    /// Staff spoke with the winner on the drawn number. `by_two`: whether a second person agreed.
    ///
    /// # Errors
    /// As [`Claim::check_waiting`]; [`ClaimRefusal::NeedsNoCall`] when texts reach the winner.
    pub fn confirm_number(&mut self, by_two: bool, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_waiting(now)?;
        self.check_needs_call()?;
        self.verify(VerifiedBy::Call, now);
        // The call counts, whatever proved the number before: its code opens the claim in another browser.
        self.verified = Some((VerifiedBy::Call, now));
        self.confirmed_by_two = by_two;
        Ok(())
    }

    /// Remembers a code to be read out to the winner, whose number staff have confirmed. The one before ends.
    ///
    /// # Errors
    /// As [`Claim::check_waiting`]; [`ClaimRefusal::WrongStatus`] when no call confirmed the number.
    pub fn make_call_code(&mut self, hash: CallCodeHash, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_waiting(now)?;
        if !matches!(self.verified, Some((VerifiedBy::Call, _))) {
            return Err(ClaimRefusal::WrongStatus);
        }
        self.call_code = Some((hash, now));
        Ok(())
    }

    /// Binds the browser in which the code of a call was entered. The code ends.
    ///
    /// # Errors
    /// As [`Claim::check_waiting`]; [`ClaimRefusal::AnotherBrowser`] when the claim has no such code any more.
    pub fn bind_after_call(&mut self, browser: BrowserHash, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_waiting(now)?;
        let valid = self
            .call_code
            .is_some_and(|(_, made)| now < made + CALL_CODE_LIFE);
        if !valid {
            return Err(ClaimRefusal::AnotherBrowser);
        }
        self.call_code = None;
        self.browser = Some(browser);
        Ok(())
    }

    /// Nobody answered: staff give up. Whether they called often enough is checked by [`crate::may_be_unreachable`].
    ///
    /// # Errors
    /// As [`Claim::check_waiting`]; [`ClaimRefusal::NeedsNoCall`] when texts reach the winner;
    /// [`ClaimRefusal::WrongStatus`] when the number was proved.
    pub fn give_up(&mut self, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        self.check_waiting(now)?;
        self.check_needs_call()?;
        if self.status != ClaimStatus::Pending {
            return Err(ClaimRefusal::WrongStatus);
        }
        self.end(ClaimStatus::Unreachable, now);
        Ok(())
    }

    /// Whether the claim waits for the winner, in time.
    ///
    /// # Errors
    /// [`ClaimRefusal::Expired`], [`ClaimRefusal::WrongStatus`].
    pub fn check_waiting(&self, now: DateTime<Utc>) -> Result<(), ClaimRefusal> {
        match self.status {
            ClaimStatus::Pending | ClaimStatus::CodeVerified => self.check_deadline(now),
            ClaimStatus::Expired => Err(ClaimRefusal::Expired),
            _ => Err(ClaimRefusal::WrongStatus),
        }
    }

    const fn check_needs_call(&self) -> Result<(), ClaimRefusal> {
        match self.needs_call {
            true => Ok(()),
            false => Err(ClaimRefusal::NeedsNoCall),
        }
    }

    /// Whether the winner's time would be over by now, had a text arrived at once. A text that has not arrived since then
    /// is not waited for: its receipt may have got lost, or there is no account to send it with.
    pub fn is_overdue_for_text(&self, now: DateTime<Utc>) -> bool {
        Deadline::starting(self.created_at).has_passed(now)
    }

    /// Starts the winner's time, unless it runs already.
    pub fn start_deadline(&mut self, now: DateTime<Utc>) {
        self.deadline.get_or_insert(Deadline::starting(now));
    }

    /// Counts a text that tells the winner about the claim.
    pub fn count_notification(&mut self, now: DateTime<Utc>) {
        self.notifications += 1;
        self.last_notification_at = Some(now);
    }

    /// Pauses the claim while a dispute about counted entries is open, and lets it go on afterwards with the time that was
    /// left.
    pub fn set_paused(&mut self, has_open_dispute: bool, now: DateTime<Utc>) {
        match (self.paused_at, has_open_dispute) {
            (None, true) => self.paused_at = Some(now),
            (Some(since), false) => {
                self.paused_at = None;
                self.deadline = self.deadline.map(|deadline| deadline.moved(now - since));
                self.extend_objection(since, now);
            }
            _ => {}
        }
    }

    /// Staff cannot approve while a dispute is open, so the window to object gets back the time that it lost.
    fn extend_objection(&mut self, since: DateTime<Utc>, now: DateTime<Utc>) {
        if let Some(rejection) = &mut self.rejection {
            rejection.at += now - since.max(rejection.at);
        }
    }

    /// Whether a reminder is due now. One is sent, however many were due while no server ran.
    pub fn take_reminder(&mut self, now: DateTime<Utc>) -> bool {
        let waits = self.status.waits_for_winner() && self.paused_at.is_none() && !self.has_passed(now);
        let Some(deadline) = self.deadline.filter(|_| waits) else {
            return false;
        };
        let due = deadline.reminders_due(now);
        let is_due = due > self.reminders;
        self.reminders = self.reminders.max(due);
        is_due
    }

    /// Ends a claim whose time is over: the winner's, or that to object. `true` if it ended now, so that the next rank is
    /// asked.
    pub fn expire(&mut self, now: DateTime<Utc>) -> bool {
        if self.paused_at.is_some() {
            return false;
        }
        if self.status.waits_for_winner() && self.has_passed(now) {
            self.end(ClaimStatus::Expired, now);
            return true;
        }
        let rejected = self.status == ClaimStatus::Rejected && self.ended_at.is_none();
        if rejected && !self.is_objection_open(now) {
            self.end(ClaimStatus::Rejected, now);
            return true;
        }
        false
    }

    /// Erases the details, the shipment, the browser and the objection when they were kept for long enough. `true` if there
    /// were details, and they were erased now.
    pub fn erase_details(&mut self, now: DateTime<Utc>) -> bool {
        let is_due = self.ended_at.is_some_and(|ended| now >= ended + DETAILS_LIFE);
        if !is_due || self.details_erased_at.is_some() {
            return false;
        }
        let had_details = self.sealed_details.take().is_some();
        self.shipment = None;
        self.browser = None;
        self.details_erased_at = Some(now);
        if let Some(rejection) = &mut self.rejection {
            rejection.objection = None;
        }
        had_details
    }

    /// Whether the claim ended without a prize, for good: the next rank's turn has come.
    pub const fn is_passed_on(&self) -> bool {
        self.status.is_lost() && self.ended_at.is_some()
    }

    /// Ends the claim of somebody who was erased after the list was sealed: nobody can be reached.
    pub fn end_for_erased(&mut self, now: DateTime<Utc>) {
        self.end(ClaimStatus::Unreachable, now);
        self.details_erased_at = Some(now);
    }

    fn end(&mut self, status: ClaimStatus, now: DateTime<Utc>) {
        self.status = status;
        self.ended_at = Some(now);
        self.call_code = None;
    }
}
