//! What the store has of `claims`.

use chrono::{DateTime, Utc};
use claims::{Claim, ClaimEvent, ClaimFilter, ClaimId, TokenHash};
use kernel::{EntrantId, MessageId};
use people::ClaimLine;
use std::collections::BTreeSet;

/// The claims of drawn entrants.
#[derive(Clone, Default)]
pub(crate) struct ClaimState {
    pub(crate) claims: Vec<(TokenHash, Claim)>,
    pub(crate) events: Vec<(ClaimId, ClaimEvent)>,
    pub(crate) texts: BTreeSet<(ClaimId, MessageId)>,
}

impl ClaimState {
    /// An entrant's claims.
    pub(crate) fn of_entrant(&self, entrant: EntrantId) -> impl Iterator<Item = &Claim> {
        let claims = self.claims.iter().map(|(_, claim)| claim);
        claims.filter(move |claim| claim.entrant == entrant)
    }

    /// What staff see of an entrant's claims, the newest first.
    pub(crate) fn lines_of(&self, entrant: EntrantId) -> Vec<ClaimLine> {
        let newest_first = self.matching(ClaimFilter::All).rev();
        let line = |claim: &Claim| ClaimLine {
            id: claim.id.get(),
            drawing: claim.drawing.get(),
            rank: i64::from(claim.rank),
            status: claim.status.as_str().to_owned(),
            created_at: claim.created_at,
        };
        newest_first
            .filter(|claim| claim.entrant == entrant)
            .map(line)
            .collect()
    }

    pub(crate) fn matching(&self, filter: ClaimFilter) -> impl DoubleEndedIterator<Item = &Claim> {
        let claims = self.claims.iter().map(|(_, claim)| claim);
        claims.filter(move |claim| filter.matches(claim))
    }

    /// Whether a claim of the entrant has not ended.
    pub(crate) fn has_open(&self, entrant: EntrantId) -> bool {
        let mut claims = self.claims.iter().map(|(_, claim)| claim);
        claims.any(|claim| claim.entrant == entrant && claim.ended_at.is_none())
    }

    /// Whether the entrant was asked to claim a prize.
    pub(crate) fn has_any(&self, entrant: EntrantId) -> bool {
        let mut claims = self.claims.iter().map(|(_, claim)| claim);
        claims.any(|claim| claim.entrant == entrant)
    }

    /// The ids of the claims of an entrant.
    pub(crate) fn ids_of(&self, entrant: EntrantId) -> Vec<String> {
        let claims = self.claims.iter().map(|(_, claim)| claim);
        let own = claims.filter(|claim| claim.entrant == entrant);
        own.map(|claim| claim.id.to_string()).collect()
    }

    /// Erases what the claims of an entrant say about the person.
    pub(crate) fn erase(&mut self, entrant: EntrantId, at: DateTime<Utc>) {
        let claims = self.claims.iter_mut().map(|(_, claim)| claim);
        for claim in claims.filter(|claim| claim.entrant == entrant) {
            claim.sealed_details = None;
            claim.browser = None;
            claim.call_code = None;
            claim.public_winner = None;
            claim.details_erased_at.get_or_insert(at);
            if let Some(rejection) = &mut claim.rejection {
                "erased".clone_into(&mut rejection.note);
                rejection.objection = None;
            }
            let events = self.events.iter_mut().filter(|(of, _)| *of == claim.id);
            events.for_each(|(_, event)| event.note = None);
        }
    }

    pub(crate) fn find(&self, is: impl Fn(&Claim) -> bool) -> Option<Claim> {
        let mut claims = self.claims.iter().map(|(_, claim)| claim);
        claims.find(|claim| is(claim)).cloned()
    }
}
