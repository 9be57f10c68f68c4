//! Entering a raffle: spec sections 2 and 5, decisions D1 to D6.

use analytics::{Collection, NewStep, Session, StepName};
use chrono::{DateTime, Utc};
use kernel::{
    Clock, Entropy, EventId, Origin, Phone, Raffle, ReferralCode, StoreError, UniqueKey, UnitOfWork,
};
use raffle::{Entrant, Entrants, Entries, NewEntrant};
use referral::{NewReferral, Referrals};
use sms::{CAMPAIGN_WORDING, Consent, Consents, MessageKind, NewConsent, NewMessage, Outbox};

/// Somebody asks to be let in.
#[derive(Debug, Clone)]
pub struct EnterCommand {
    /// The phone number to enter.
    pub phone: Phone,
    /// The raffle to enter.
    pub raffle: Raffle,
    /// The code in the link that brought them, if any.
    pub referral_code: Option<ReferralCode>,
    /// The client's name for this sign-up.
    pub event_id: Option<EventId>,
    /// What is to be recorded about campaign texts.
    pub consent: Option<Consent>,
    /// Where the request came from.
    pub origin: Origin,
    /// A hash that the browser makes of its traits.
    pub fingerprint: Option<String>,
    /// The browser session, for the funnel; none for who is not tracked (D28).
    pub session: Option<Session>,
}

/// Somebody is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// Who.
    pub entrant: Entrant,
    /// Whether they entered just now; if not, nothing has changed.
    pub is_new: bool,
}

/// Why nobody was let in.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// Nobody has that referral code.
    #[error("unknown referral code")]
    UnknownReferralCode,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many fresh referral codes are tried. With ten million entrants one try in 5,000 meets a taken code.
const CODE_TRIES: usize = 5;

/// Lets somebody in once: entrant, base entry, consent, welcome text, step of the funnel, and the referrer's reward, all
/// or nothing.
///
/// A phone number that is in already is answered as it stands, with no second entry and no credit.
///
/// # Errors
/// [`EnterError::UnknownReferralCode`] lets nobody in; the page then offers to enter without one.
pub fn enter<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    command: &EnterCommand,
) -> Result<Entered, EnterError>
where
    S: UnitOfWork<Tx: Entrants + Referrals + Consents + Outbox + Collection>,
{
    let now = clock.now();
    let mut tries = 0;
    loop {
        let own_code = referral::new_code(entropy);
        tries += 1;
        match enter_with_code(store, command, own_code, now) {
            Err(EnterError::Store(StoreError::Duplicate(UniqueKey::ReferralCode))) if tries < CODE_TRIES => {}
            done => return done,
        }
    }
}

fn enter_with_code<S>(
    store: &S,
    command: &EnterCommand,
    own_code: ReferralCode,
    now: DateTime<Utc>,
) -> Result<Entered, EnterError>
where
    S: UnitOfWork<Tx: Entrants + Referrals + Consents + Outbox + Collection>,
{
    let new = NewEntrant {
        phone: command.phone.clone(),
        referral_code: own_code,
        raffle: command.raffle,
        event_id: command.event_id.clone(),
        origin: command.origin.clone(),
        fingerprint: command.fingerprint.clone(),
        created_at: now,
    };
    store.transaction(|tx| {
        let referrer = match &command.referral_code {
            Some(code) => Some(tx.find_referrer(code)?.ok_or(EnterError::UnknownReferralCode)?),
            None => None,
        };
        let Some(id) = tx.add_entrant(&new)? else {
            return already_in(tx, &new.phone);
        };
        if let Some(consent) = command.consent {
            tx.record_consent(&NewConsent {
                entrant: id,
                consent,
                wording: CAMPAIGN_WORDING,
                address: new.origin.address,
                user_agent: new.origin.user_agent.clone(),
                at: now,
            })?;
        }
        tx.queue_message(&NewMessage {
            kind: MessageKind::Welcome,
            entrant: Some(id),
            phone: new.phone.clone(),
            body: None,
            at: now,
        })?;
        if let Some(session) = &command.session {
            tx.record_step(&NewStep {
                session: session.clone(),
                raffle: Some(new.raffle),
                step: StepName::SignUp,
                entrant: Some(id),
                time_spent: None,
                at: now,
            })?;
        }
        // Last, because it locks the referrer's row: a popular one must be held no longer than needed.
        if let Some(referrer) = referrer {
            let referral = NewReferral {
                referrer,
                referred: id,
                referred_phone: new.phone.clone(),
                address: new.origin.address,
                created_at: now,
            };
            tx.credit_referral(&referral, referral::REWARD)?;
        }
        let entrant = Entrant {
            id,
            phone: new.phone.clone(),
            referral_code: new.referral_code.clone(),
            raffle: new.raffle,
            entries: Entries::NEW,
            created_at: now,
        };
        Ok(Entered {
            entrant,
            is_new: true,
        })
    })
}

fn already_in(tx: &impl Entrants, phone: &Phone) -> Result<Entered, EnterError> {
    // Gone between the two statements: somebody deleted that entrant just now, so trying again is right.
    let entrant = tx.find_entrant_by_phone(phone)?.ok_or(StoreError::Conflict)?;
    Ok(Entered {
        entrant,
        is_new: false,
    })
}
