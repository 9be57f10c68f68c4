//! Entering a raffle.

use analytics::{Collection, Session};
use chrono::{DateTime, Utc};
use kernel::{
    Clock, EntrantId, Entropy, EventId, Origin, PersonSalt, Phone, Raffle, ReferralCode, StoreError,
    UniqueKey, UnitOfWork,
};
use raffle::{Entrant, Entrants, NewEntrant};
use referral::Referrals;
pub use sign_up::SignUp;
use sign_up::{Outcome, SignUps, form_consent};
use sms::{Consent, ConsentAct, Consents, Outbox};
use std::collections::HashSet;

/// A request to enter a raffle.
#[derive(Debug, Clone)]
pub struct EnterCommand {
    /// The phone number to enter.
    pub phone: Phone,
    /// The raffle to enter.
    pub raffle: Raffle,
    /// The referral code of the link, if there was one.
    pub referral_code: Option<ReferralCode>,
    /// The client's id for this sign-up.
    pub event_id: Option<EventId>,
    /// The consent to campaign messages to record, if any.
    pub consent: Option<Consent>,
    /// Where the request came from.
    pub origin: Origin,
    /// The browser's fingerprint, a hash.
    pub fingerprint: Option<String>,
    /// The browser session, for the funnel; `None` when the visitor is not tracked.
    pub session: Option<Session>,
}

/// The entrant, new or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// The entrant.
    pub entrant: Entrant,
    /// Whether the entrant was added just now; if not, nothing has changed.
    pub is_new: bool,
}

/// Why no entrant was added.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// No entrant has that referral code.
    #[error("unknown referral code")]
    UnknownReferralCode,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many ids and referral codes are tried. With ten million entrants, one try in 5,000 draws a taken code, and one in
/// 450 million a taken id.
const TRIES: usize = 5;

/// Adds an entrant once: entrant, base entry, consent, welcome message, funnel step, and the reward of the referrer,
/// all or nothing.
///
/// A phone number that is taken returns its entrant unchanged, with no second entry and no reward.
///
/// # Errors
/// [`EnterError::UnknownReferralCode`]: no entrant was added; the page then offers to enter without a code.
pub fn enter<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    command: &EnterCommand,
) -> Result<Entered, EnterError>
where
    S: UnitOfWork<Tx: SignUps + Entrants + Referrals + Consents + Outbox + Collection>,
{
    let sign_up = draw(clock, entropy, command);
    let together = enter_together(store, std::slice::from_ref(&sign_up))?;
    match together.into_iter().next().flatten() {
        Some(entrant) => Ok(Entered {
            entrant,
            is_new: true,
        }),
        None => enter_alone(store, clock, entropy, command, None),
    }
}

/// The sign-up of a command, as of now, with an id, a code and a salt drawn at random.
pub fn draw(clock: &dyn Clock, entropy: &dyn Entropy, command: &EnterCommand) -> SignUp {
    command.sign_up(&Draws::new(entropy), clock.now())
}

/// Adds many entrants in one statement. Returns those that it added, in the order of the sign-ups; the others may need more than
/// that, so their commands take [`enter_alone`].
///
/// # Errors
/// When the store is unavailable, or fails with a single sign-up.
pub fn enter_together<S>(store: &S, sign_ups: &[SignUp]) -> Result<Vec<Option<Entrant>>, StoreError>
where
    S: UnitOfWork<Tx: SignUps>,
{
    let stored: HashSet<EntrantId> = match store.statement(|tx| tx.sign_up(sign_ups)) {
        Ok(ids) => ids.into_iter().collect(),
        // One of them keeps all from being stored. Alone, each gets its own answer.
        Err(StoreError::Duplicate(_)) => HashSet::new(),
        Err(StoreError::Failed(_)) if sign_ups.len() > 1 => HashSet::new(),
        Err(error) => return Err(error),
    };
    let added = |sign_up: &SignUp| stored.contains(&sign_up.entrant.id).then(|| sign_up.added());
    Ok(sign_ups.iter().map(added).collect())
}

/// Adds an entrant in a transaction of its own. `own`: the entrant that the visitor token of the browser names; if that entrant
/// has the number, a ticked box renews the consent to campaign messages.
///
/// # Errors
/// As [`enter`].
pub fn enter_alone<S>(
    store: &S,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    command: &EnterCommand,
    own: Option<EntrantId>,
) -> Result<Entered, EnterError>
where
    S: UnitOfWork<Tx: Entrants + Referrals + Consents + Outbox + Collection>,
{
    let now = clock.now();
    with_draws(entropy, |draws| {
        store.transaction(|tx| {
            let entered = add_entrant(tx, &command.sign_up(draws, now))?;
            if !entered.is_new && is_own(tx, own, &entered)? {
                renew_consent(tx, command, entered.entrant.id, now)?;
            }
            Ok(entered)
        })
    })
}

impl EnterCommand {
    /// The sign-up of a new entrant with these draws.
    pub(crate) fn sign_up(&self, draws: &Draws, now: DateTime<Utc>) -> SignUp {
        SignUp {
            entrant: NewEntrant {
                id: draws.id,
                phone: self.phone.clone(),
                person_salt: draws.person_salt,
                referral_code: draws.own_code.clone(),
                raffle: self.raffle,
                event_id: self.event_id.clone(),
                origin: self.origin.clone(),
                fingerprint: self.fingerprint.clone(),
                created_at: now,
            },
            friend_code: self.referral_code.clone(),
            consent: self.consent,
            session: self.session.clone(),
        }
    }
}

/// Whether a browser's token names the entrant.
fn is_own(tx: &impl Entrants, own: Option<EntrantId>, entered: &Entered) -> Result<bool, StoreError> {
    let Some(named) = own else {
        return Ok(false);
    };
    let named = tx.find_entrant(named)?;
    Ok(named.is_some_and(|named| named.id == entered.entrant.id))
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

/// Adds the entrant in a transaction that the caller has opened, or finds the one with the number.
pub(crate) fn add_entrant<Tx>(tx: &mut Tx, sign_up: &SignUp) -> Result<Entered, EnterError>
where
    Tx: Entrants + Referrals + Consents + Outbox + Collection,
{
    match sign_up::add(tx, sign_up)? {
        Outcome::Added => Ok(Entered {
            entrant: sign_up.added(),
            is_new: true,
        }),
        Outcome::NumberTaken => existing_entrant(tx, &sign_up.entrant.phone),
        Outcome::UnknownReferralCode => Err(EnterError::UnknownReferralCode),
    }
}

/// Records the consent of a repeated sign-up, after a token or a code has proved the number. Only a ticked box counts,
/// and only if no consent stands.
pub(crate) fn renew_consent(
    tx: &mut impl Consents,
    command: &EnterCommand,
    entrant: EntrantId,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let is_ticked = |consent: &Consent| consent.granted && consent.act == ConsentAct::Form;
    let Some(consent) = command.consent.filter(is_ticked) else {
        return Ok(());
    };
    if tx.has_campaign_consent(entrant)? {
        return Ok(());
    }
    tx.record_consent(&form_consent(entrant, consent, &command.origin, now))
}

/// The entrant whose link it was, if there was one.
pub(crate) fn find_referrer(
    tx: &impl Referrals,
    command: &EnterCommand,
) -> Result<Option<EntrantId>, EnterError> {
    let Some(code) = &command.referral_code else {
        return Ok(None);
    };
    let referrer = tx.find_referrer(code)?;
    referrer.map(Some).ok_or(EnterError::UnknownReferralCode)
}

fn existing_entrant(tx: &impl Entrants, phone: &Phone) -> Result<Entered, EnterError> {
    // If the entrant was erased between the two statements, `with_draws` runs the transaction again.
    let taken = StoreError::Duplicate(UniqueKey::PhoneNumber);
    let entrant = tx.find_entrant_by_phone(phone)?.ok_or(taken)?;
    Ok(Entered {
        entrant,
        is_new: false,
    })
}
