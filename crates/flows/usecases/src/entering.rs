//! Entering a raffle.

use crate::drawings::{DrawingTimes, keeps_its_people};
use analytics::{Collection, NewStep, StepData, StepName};
use chrono::{DateTime, Utc};
use drawing::steps::DrawingSteps;
use kernel::{
    Clock, Consent, ConsentAct, EntrantId, Entropy, PersonSalt, Phone, ReferralCode, Session, StoreError,
    UniqueKey, UnitOfWork,
};
use raffle::{Entrant, Entrants, HeldRaffles, NewEntrant, NotOpen, RaffleKey, Raffles, SignUp};
use referral::{NewReferral, Referrals};
use sms::{Consents, FORM_WORDING, MessageKind, NewConsent, NewMessage, Outbox};

/// The entrant, new or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// The entrant.
    pub entrant: Entrant,
    /// Whether the entrant was added just now.
    pub is_new: bool,
    /// The raffle that the entrant was in before, if they moved just now. If the entrant neither is new nor moved, nothing has
    /// changed.
    pub moved_from: Option<RaffleKey>,
}

/// The entrant that the visitor token of a browser names. The token proves the number, so this entrant may move to another raffle.
#[derive(Debug, Clone, Copy)]
pub struct OwnEntrant {
    /// The entrant.
    pub id: EntrantId,
    /// When drawings take place, which decides whether the entrant moves.
    pub times: DrawingTimes,
}

/// What proves the number of a sign-up.
#[derive(Clone, Copy)]
pub(crate) enum Proof {
    /// The visitor token, if the browser has one.
    Token(Option<OwnEntrant>),
    /// A code that was sent to the number.
    Code(DrawingTimes),
}

impl Proof {
    /// Whether it is the number of this entrant, who may move then.
    fn for_entrant(self, id: EntrantId) -> Option<DrawingTimes> {
        match self {
            Self::Token(own) => own.filter(|own| own.id == id).map(|own| own.times),
            Self::Code(times) => Some(times),
        }
    }
}

/// Why no entrant was added.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// No entrant has that referral code.
    #[error("unknown referral code")]
    UnknownReferralCode,
    /// The raffle cannot be entered.
    #[error(transparent)]
    NotOpen(#[from] NotOpen),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many ids and referral codes are tried. With ten million entrants, one try in 5,000 draws a taken code, and one in
/// 450 million a taken id.
const TRIES: usize = 5;

/// Enters a raffle. `own`: the entrant that the visitor token of the browser names; if that entrant has the number, a ticked box
/// renews the consent to campaign messages, and the entrant may move from a raffle that is over to this one.
///
/// Otherwise a phone number that is taken returns its entrant unchanged, with no second entry and no reward.
///
/// # Errors
/// [`EnterError`]: no entrant was added. After an unknown referral code, the page offers to enter without one.
pub fn enter<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    sign_up: &SignUp,
    own: Option<OwnEntrant>,
) -> Result<Entered, EnterError>
where
    S: UnitOfWork<Tx: Raffles + Entrants + Referrals + Consents + Outbox + Collection + DrawingSteps>,
{
    let now = clock.now();
    with_draws(entropy, |draws| {
        store.transaction(|tx| {
            let entered = add_entrant(tx, sign_up, draws, now, Proof::Token(own))?;
            if !entered.is_new && own.is_some_and(|own| own.id == entered.entrant.id) {
                renew_consent(tx, sign_up, entered.entrant.id, now)?;
            }
            Ok(entered)
        })
    })
}

/// Adds an entrant once: entrant, base entry, consent, welcome message, funnel step, and the reward of the referrer. Finds the
/// entrant if the number is taken (D3), and moves them if their own raffle is over. Call it in a transaction.
pub(crate) fn add_entrant<Tx>(
    tx: &mut Tx,
    sign_up: &SignUp,
    draws: &Draws,
    now: DateTime<Utc>,
    proof: Proof,
) -> Result<Entered, EnterError>
where
    Tx: Raffles + Entrants + Referrals + Consents + Outbox + Collection + DrawingSteps,
{
    let held = tx.hold_raffles()?;
    let raffle = held.open(sign_up.raffle)?.key;
    let referrer = find_referrer(tx, sign_up)?;
    let new = new_entrant(sign_up, raffle, draws, now);
    let Some(id) = tx.add_entrant(&new)? else {
        let entrant = existing_entrant(tx, &sign_up.phone)?;
        return match proof.for_entrant(entrant.id) {
            Some(times) => Ok(stay_or_move(tx, &held, times, entrant, raffle)?),
            None => Ok(Entered::unchanged(entrant)),
        };
    };
    let recalled = tx.recall_number(id, &new.phone, now)?;
    if let Some(consent) = sign_up.consent {
        tx.record_consent(&form_consent(id, consent, sign_up, now))?;
    }
    tx.queue_message(&welcome(&new))?;
    if let Some(session) = &sign_up.session {
        tx.record_step(&sign_up_step(sign_up, session, &new))?;
    }
    // Last, because it locks the referrer's row, which others may be waiting for.
    if let Some(referrer) = referral::earner(referrer, recalled.was_credited) {
        tx.credit_referral(&referral(referrer, &new))?;
    }
    if recalled.was_flagged {
        tx.flag_again(id)?;
    }
    Ok(Entered {
        entrant: new.added(),
        is_new: true,
        moved_from: None,
    })
}

fn welcome(new: &NewEntrant) -> NewMessage {
    NewMessage {
        kind: MessageKind::Welcome,
        entrant: Some(new.id),
        phone: new.phone.clone(),
        body: None,
        at: new.created_at,
    }
}

fn sign_up_step(sign_up: &SignUp, session: &Session, new: &NewEntrant) -> NewStep {
    NewStep {
        session: session.clone(),
        raffle: Some(new.raffle),
        step: StepName::SignUp,
        entrant: Some(new.id),
        data: StepData::flag("referred", sign_up.referral_code.is_some()),
        time_spent: None,
        at: new.created_at,
    }
}

fn referral(referrer: EntrantId, new: &NewEntrant) -> NewReferral {
    NewReferral {
        referrer,
        referred: new.id,
        referred_phone: new.phone.clone(),
        address: new.origin.address,
        created_at: new.created_at,
    }
}

/// A consent as it is given with the form.
fn form_consent(entrant: EntrantId, consent: Consent, sign_up: &SignUp, now: DateTime<Utc>) -> NewConsent {
    NewConsent {
        entrant,
        consent,
        wording: FORM_WORDING,
        address: sign_up.origin.address,
        user_agent: sign_up.origin.user_agent.clone(),
        at: now,
    }
}

fn new_entrant(sign_up: &SignUp, raffle: RaffleKey, draws: &Draws, now: DateTime<Utc>) -> NewEntrant {
    NewEntrant {
        id: draws.id,
        phone: sign_up.phone.clone(),
        person_salt: draws.person_salt,
        referral_code: draws.own_code.clone(),
        raffle,
        event_id: sign_up.event_id.clone(),
        origin: sign_up.origin.clone(),
        fingerprint: sign_up.fingerprint.clone(),
        created_at: now,
    }
}

/// What is drawn at random for a new entrant before the transaction begins.
pub(crate) struct Draws {
    id: EntrantId,
    own_code: ReferralCode,
    person_salt: PersonSalt,
}

impl Draws {
    fn new(entropy: &dyn Entropy) -> Self {
        Self {
            id: EntrantId::random(entropy),
            own_code: referral::new_code(entropy),
            person_salt: PersonSalt::random(entropy),
        }
    }
}

/// Runs a transaction that may add an entrant, again with other draws when one of them is taken, or when the entrant with the
/// number was erased meanwhile.
pub(crate) fn with_draws<T>(
    entropy: &dyn Entropy,
    transaction: impl Fn(&Draws) -> Result<T, EnterError>,
) -> Result<T, EnterError> {
    let mut tries = 0;
    loop {
        tries += 1;
        match transaction(&Draws::new(entropy)) {
            Err(EnterError::Store(StoreError::Duplicate(
                UniqueKey::EntrantId | UniqueKey::ReferralCode | UniqueKey::PhoneNumber,
            ))) if tries < TRIES => {}
            result => return result,
        }
    }
}

/// Records the consent of a repeated sign-up, after a token or a code has proved the number. Only a ticked box counts,
/// and only if no consent stands.
pub(crate) fn renew_consent(
    tx: &mut impl Consents,
    sign_up: &SignUp,
    entrant: EntrantId,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let is_ticked = |consent: &Consent| consent.granted && consent.act == ConsentAct::Form;
    let Some(consent) = sign_up.consent.filter(is_ticked) else {
        return Ok(());
    };
    if tx.has_campaign_consent(entrant)? {
        return Ok(());
    }
    tx.record_consent(&form_consent(entrant, consent, sign_up, now))
}

/// The entrant whose link it was, if there was one.
pub(crate) fn find_referrer(tx: &impl Referrals, sign_up: &SignUp) -> Result<Option<EntrantId>, EnterError> {
    let Some(code) = &sign_up.referral_code else {
        return Ok(None);
    };
    let referrer = tx.find_referrer(code)?;
    referrer.map(Some).ok_or(EnterError::UnknownReferralCode)
}

fn existing_entrant(tx: &impl Entrants, phone: &Phone) -> Result<Entrant, EnterError> {
    // If the entrant was erased between the two statements, `with_draws` runs the transaction again.
    let taken = StoreError::Duplicate(UniqueKey::PhoneNumber);
    Ok(tx.find_entrant_by_phone(phone)?.ok_or(taken)?)
}

/// An entrant who proved the number enters another raffle, which is open: their own one keeps them while it is open or a regular
/// drawing of it is still to come, and then they move (D56a). Nobody is credited for it.
pub(crate) fn stay_or_move(
    tx: &mut (impl Entrants + DrawingSteps),
    held: &HeldRaffles,
    times: DrawingTimes,
    entrant: Entrant,
    to: RaffleKey,
) -> Result<Entered, StoreError> {
    let (id, from) = (entrant.id, entrant.raffle);
    let own = held.raffles.find(from);
    let own = own.ok_or_else(|| StoreError::corrupt("users", "landing_page", id.get()))?;
    if from == to || keeps_its_people(tx, times, own, held.since)? {
        return Ok(Entered::unchanged(entrant));
    }
    let has_moved = tx.move_entrant(id, from, to)?;
    // Another request may have moved them first.
    let entrant = tx.find_entrant(id)?.ok_or(StoreError::Conflict)?;
    Ok(Entered {
        moved_from: has_moved.then_some(from),
        ..Entered::unchanged(entrant)
    })
}

impl Entered {
    /// The number had entered before, and nothing has changed.
    pub(crate) const fn unchanged(entrant: Entrant) -> Self {
        Self {
            entrant,
            is_new: false,
            moved_from: None,
        }
    }
}
