//! The switch for campaign texts on an entrant's page.

use crate::entrants::{FindEntrantError, find_in};
use kernel::{Clock, Consent, ConsentAct, EntrantId, Origin, StoreError, UnitOfWork};
use raffle::{Entrant, Entrants};
use sms::{Consents, NewConsent, OptOuts, SWITCH_WORDING};

/// Whether an entrant gets campaign texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsentState {
    /// Whether the entrant has consented.
    pub granted: bool,
    /// Whether the number has opted out of all texts. Only a text from it that says START lifts that.
    pub has_opted_out: bool,
}

/// Whether an entrant gets campaign texts.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn find<S>(store: &S, entrant: EntrantId) -> Result<ConsentState, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Consents + OptOuts>,
{
    store.snapshot(|tx| {
        let entrant = find_in(tx, entrant)?;
        Ok(state_of(tx, &entrant)?)
    })
}

/// Records that an entrant wants campaign texts, or none, if it is not so already.
///
/// # Errors
/// [`FindEntrantError::UnknownEntrant`].
pub fn set<S>(
    store: &S,
    clock: &dyn Clock,
    entrant: EntrantId,
    granted: bool,
    origin: &Origin,
) -> Result<ConsentState, FindEntrantError>
where
    S: UnitOfWork<Tx: Entrants + Consents + OptOuts>,
{
    let at = clock.now();
    store.transaction(|tx| {
        let entrant = find_in(tx, entrant)?;
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

fn state_of(tx: &(impl Consents + OptOuts), entrant: &Entrant) -> Result<ConsentState, StoreError> {
    Ok(ConsentState {
        granted: tx.has_campaign_consent(entrant.id)?,
        has_opted_out: tx.has_opted_out(&entrant.phone)?,
    })
}
