//! The switch for campaign texts on an entrant's page (D42).

use crate::entrants::{AskedEntrant, FindEntrantError, find_in};
use kernel::{Clock, Origin, StoreError, UnitOfWork};
use raffle::{Entrant, Entrants};
use sms::{Consent, ConsentAct, Consents, NewConsent, OptOuts, SWITCH_WORDING};

/// Whether an entrant gets campaign texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsentState {
    /// Whether the entrant has consented.
    pub granted: bool,
    /// Whether the number has opted out of all texts. Only a text from it that says START lifts that.
    pub has_opted_out: bool,
}

/// Why the switch is not shown or not changed.
#[derive(Debug, thiserror::Error)]
pub enum ConsentError {
    /// There is no such entrant.
    #[error("unknown entrant")]
    UnknownEntrant,
    /// The browser did not create the entrant.
    #[error("another browser")]
    AnotherBrowser,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<FindEntrantError> for ConsentError {
    fn from(error: FindEntrantError) -> Self {
        match error {
            FindEntrantError::UnknownEntrant => Self::UnknownEntrant,
            FindEntrantError::Store(error) => Self::Store(error),
        }
    }
}

/// Whether an entrant gets campaign texts, for the browser that entered.
///
/// # Errors
/// [`ConsentError`].
pub fn find<S>(store: &S, asked: AskedEntrant) -> Result<ConsentState, ConsentError>
where
    S: UnitOfWork<Tx: Entrants + Consents + OptOuts>,
{
    store.snapshot(|tx| {
        let entrant = own_entrant(tx, asked)?;
        Ok(state_of(tx, &entrant)?)
    })
}

/// Records that an entrant wants campaign texts, or none, if it is not so already.
///
/// # Errors
/// [`ConsentError`].
pub fn set<S>(
    store: &S,
    clock: &dyn Clock,
    asked: AskedEntrant,
    granted: bool,
    origin: &Origin,
) -> Result<ConsentState, ConsentError>
where
    S: UnitOfWork<Tx: Entrants + Consents + OptOuts>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let entrant = own_entrant(tx, asked)?;
        if tx.has_campaign_consent(entrant.id)? != granted {
            tx.record_consent(&NewConsent {
                entrant: entrant.id,
                consent: Consent {
                    granted,
                    act: ConsentAct::Switch,
                },
                wording: SWITCH_WORDING,
                address: origin.address,
                user_agent: origin.user_agent.clone(),
                at,
            })?;
        }
        Ok(state_of(tx, &entrant)?)
    })
}

fn own_entrant(tx: &impl Entrants, asked: AskedEntrant) -> Result<Entrant, ConsentError> {
    let found = find_in(tx, asked)?;
    match found.is_own {
        true => Ok(found.found),
        false => Err(ConsentError::AnotherBrowser),
    }
}

fn state_of(tx: &(impl Consents + OptOuts), entrant: &Entrant) -> Result<ConsentState, StoreError> {
    Ok(ConsentState {
        granted: tx.has_campaign_consent(entrant.id)?,
        has_opted_out: tx.has_opted_out(&entrant.phone)?,
    })
}
