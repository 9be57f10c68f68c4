//! A sign-up as one intent: what the domains of entrants, referrals, texts and analytics store when somebody enters.
//!
//! There are two ways to store it, with the same result. [`add`] calls the ports of the domains one after the other, inside a
//! transaction of the caller, and says why it adds nobody. [`SignUps`] leaves it to the store, which can add many entrants in one
//! statement: nearly every sign-up is of a new number, and needs no more than that.

use analytics::{Collection, NewStep, Session, StepData, StepName};
use chrono::{DateTime, Utc};
use kernel::{EntrantId, Origin, ReferralCode, StoreError};
use raffle::{Entrant, Entrants, Entries, NewEntrant};
use referral::{NewReferral, Referrals};
use sms::{Consent, Consents, FORM_WORDING, MessageKind, NewConsent, NewMessage, Outbox};

/// What a sign-up stores.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// The entrant.
    pub entrant: NewEntrant,
    /// The referral code of the link, if there was one.
    pub friend_code: Option<ReferralCode>,
    /// The consent to campaign messages to record, if any.
    pub consent: Option<Consent>,
    /// The browser session, for the funnel; `None` when the visitor is not tracked.
    pub session: Option<Session>,
}

/// What became of a sign-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The entrant was added, with everything else.
    Added,
    /// The phone number is taken; nothing has changed.
    NumberTaken,
    /// No entrant has that referral code; nothing has changed.
    UnknownReferralCode,
}

/// Sign-ups in a form that a store can run as one statement.
pub trait SignUps {
    /// Does what [`add`] does for each sign-up that is sure to be [`Outcome::Added`]. Returns the ids of those, also when this
    /// is a repetition and they were added before; the order means nothing. Of the others nothing is stored, and [`add`] in a
    /// transaction tells the reason, or does it. Of two sign-ups with one number, one is added.
    ///
    /// For [`kernel::UnitOfWork::statement`].
    ///
    /// # Errors
    /// As [`Entrants::add_entrant`], and [`StoreError::Duplicate`] of [`kernel::UniqueKey::PhoneNumber`] when something is kept
    /// of one of the numbers, which takes more steps. Nothing is stored then.
    fn sign_up(&mut self, sign_ups: &[SignUp]) -> Result<Vec<EntrantId>, StoreError>;
}

impl SignUp {
    /// The entrant as this sign-up adds it.
    pub fn added(&self) -> Entrant {
        let new = &self.entrant;
        Entrant {
            id: new.id,
            phone: new.phone.clone(),
            referral_code: new.referral_code.clone(),
            raffle: new.raffle,
            entries: Entries::NEW,
            created_at: new.created_at,
        }
    }

    /// The consent to record, if any.
    pub fn new_consent(&self) -> Option<NewConsent> {
        let new = &self.entrant;
        let consent = self.consent?;
        Some(form_consent(new.id, consent, &new.origin, new.created_at))
    }

    fn welcome(&self) -> NewMessage {
        let new = &self.entrant;
        NewMessage {
            kind: MessageKind::Welcome,
            entrant: Some(new.id),
            phone: new.phone.clone(),
            body: None,
            at: new.created_at,
        }
    }

    fn step(&self) -> Option<NewStep> {
        let new = &self.entrant;
        self.session.as_ref().map(|session| NewStep {
            session: session.clone(),
            raffle: Some(new.raffle),
            step: StepName::SignUp,
            entrant: Some(new.id),
            data: StepData::flag("referred", self.friend_code.is_some()),
            time_spent: None,
            at: new.created_at,
        })
    }

    fn referral(&self, referrer: EntrantId) -> NewReferral {
        let new = &self.entrant;
        NewReferral {
            referrer,
            referred: new.id,
            referred_phone: new.phone.clone(),
            address: new.origin.address,
            created_at: new.created_at,
        }
    }
}

/// A consent as it is given with the form.
pub fn form_consent(entrant: EntrantId, consent: Consent, origin: &Origin, at: DateTime<Utc>) -> NewConsent {
    NewConsent {
        entrant,
        consent,
        wording: FORM_WORDING,
        address: origin.address,
        user_agent: origin.user_agent.clone(),
        at,
    }
}

/// Adds an entrant once: entrant, base entry, consent, welcome message, funnel step, and the reward of the referrer. Call it in
/// a transaction.
///
/// # Errors
/// As [`Entrants::add_entrant`].
pub fn add<Tx>(tx: &mut Tx, sign_up: &SignUp) -> Result<Outcome, StoreError>
where
    Tx: Entrants + Referrals + Consents + Outbox + Collection,
{
    let new = &sign_up.entrant;
    let referrer = match &sign_up.friend_code {
        None => None,
        Some(code) => match tx.find_referrer(code)? {
            None => return Ok(Outcome::UnknownReferralCode),
            referrer => referrer,
        },
    };
    let Some(id) = tx.add_entrant(new)? else {
        return Ok(Outcome::NumberTaken);
    };
    let recalled = tx.recall_number(id, &new.phone, new.created_at)?;
    if let Some(consent) = sign_up.new_consent() {
        tx.record_consent(&consent)?;
    }
    tx.queue_message(&sign_up.welcome())?;
    if let Some(step) = sign_up.step() {
        tx.record_step(&step)?;
    }
    // Last, because it locks the referrer's row, which others may be waiting for.
    if let Some(referrer) = referrer.filter(|_| !recalled.was_credited) {
        tx.credit_referral(&sign_up.referral(referrer), referral::REWARD)?;
    }
    if recalled.was_flagged {
        tx.flag_again(id)?;
    }
    Ok(Outcome::Added)
}
