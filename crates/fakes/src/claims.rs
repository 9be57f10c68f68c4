use crate::mem_store::{MemTx, next_id, storable};
use chrono::{DateTime, Utc};
use claims::{
    Claim, ClaimEvent, ClaimFilter, ClaimId, ClaimStatus, ClaimTexts, Claims, EventKind, NewClaim, NewEvent,
    TokenHash,
};
use kernel::{DrawingId, EntrantId, MessageId, PageRequest, StoreError};
use people::ClaimLine;
use sms::{MessageStatus, Outbox};
use std::collections::BTreeSet;

/// The claims of drawn entrants.
#[derive(Clone, Default)]
pub(crate) struct ClaimState {
    claims: Vec<(TokenHash, Claim)>,
    events: Vec<(ClaimId, ClaimEvent)>,
    texts: BTreeSet<(ClaimId, MessageId)>,
}

impl ClaimState {
    /// An entrant's claims, the newest first.
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

    fn matching(&self, filter: ClaimFilter) -> impl DoubleEndedIterator<Item = &Claim> {
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
            claim.code = None;
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

    fn find(&self, is: impl Fn(&Claim) -> bool) -> Option<Claim> {
        let mut claims = self.claims.iter().map(|(_, claim)| claim);
        claims.find(|claim| is(claim)).cloned()
    }
}

impl Claims for MemTx {
    fn add_claim(&mut self, new: &NewClaim) -> Result<Option<ClaimId>, StoreError> {
        let claims = &mut self.0.claims.claims;
        let has_one =
            |(_, claim): &(TokenHash, Claim)| claim.drawing == new.drawing && claim.rank == new.rank;
        if claims.iter().any(has_one) {
            return Ok(None);
        }
        let id = ClaimId::new(next_id(claims.len()));
        let claim = Claim {
            id,
            drawing: new.drawing,
            rank: new.rank,
            entrant: new.entrant,
            status: ClaimStatus::Pending,
            created_at: new.at,
            deadline: None,
            paused_at: None,
            needs_call: false,
            code: None,
            browser: None,
            verified: None,
            notifications: 0,
            last_notification_at: None,
            reminders: 0,
            sealed_details: None,
            submitted_at: None,
            rejection: None,
            approved_at: None,
            public_winner: None,
            delivered_at: None,
            ended_at: None,
            details_erased_at: None,
        };
        claims.push((new.token, claim));
        Ok(Some(id))
    }

    fn find_claim(&self, id: ClaimId) -> Result<Option<Claim>, StoreError> {
        Ok(self.0.claims.find(|claim| claim.id == id))
    }

    fn find_claim_by_token(&self, token: &TokenHash) -> Result<Option<Claim>, StoreError> {
        let mut claims = self.0.claims.claims.iter();
        let found = claims.find(|(hash, _)| hash == token);
        Ok(found.map(|(_, claim)| claim.clone()))
    }

    fn lock_claim(&mut self, id: ClaimId) -> Result<Option<Claim>, StoreError> {
        self.find_claim(id)
    }

    fn save_claim(&mut self, claim: &Claim) -> Result<(), StoreError> {
        let rejection = claim.rejection.as_ref();
        storable(rejection.map(|rejection| rejection.note.as_str()))?;
        let objection = rejection.and_then(|rejection| rejection.objection.as_ref());
        storable(objection.map(|objection| objection.message.as_str()))?;
        let mut claims = self.0.claims.claims.iter_mut();
        if let Some((_, stored)) = claims.find(|(_, stored)| stored.id == claim.id) {
            *stored = claim.clone();
        }
        Ok(())
    }

    fn list_claims(&self, filter: ClaimFilter, page: PageRequest) -> Result<Vec<Claim>, StoreError> {
        let newest_first = self.0.claims.matching(filter).rev();
        let part = newest_first.skip(page.offset as usize).take(page.limit as usize);
        Ok(part.cloned().collect())
    }

    fn count_claims(&self, filter: ClaimFilter) -> Result<i64, StoreError> {
        let count = self.0.claims.matching(filter).count();
        Ok(i64::try_from(count).unwrap_or(i64::MAX))
    }

    fn claims_of(&self, drawings: &[DrawingId]) -> Result<Vec<Claim>, StoreError> {
        let of_drawings = self.0.claims.matching(ClaimFilter::All);
        let of_drawings = of_drawings.filter(|claim| drawings.contains(&claim.drawing));
        let mut claims: Vec<_> = of_drawings.cloned().collect();
        claims.sort_by_key(|claim| (claim.drawing, claim.rank));
        Ok(claims)
    }

    fn list_live_claims(&self) -> Result<Vec<Claim>, StoreError> {
        let is_live = |claim: &&Claim| claim.ended_at.is_none() || claim.details_erased_at.is_none();
        let live = self.0.claims.matching(ClaimFilter::All).filter(is_live);
        Ok(live.cloned().collect())
    }

    fn add_claim_event(&mut self, event: &NewEvent) -> Result<(), StoreError> {
        storable(event.note.as_deref())?;
        let stored = ClaimEvent {
            kind: event.kind,
            note: event.note.clone(),
            session: event.session,
            at: event.at,
        };
        self.0.claims.events.push((event.claim, stored));
        Ok(())
    }

    fn list_claim_events(&self, claim: ClaimId) -> Result<Vec<ClaimEvent>, StoreError> {
        let events = self.0.claims.events.iter().filter(|(of, _)| *of == claim);
        Ok(events.map(|(_, event)| event.clone()).collect())
    }

    fn code_times(&self, claim: ClaimId, since: DateTime<Utc>) -> Result<Vec<DateTime<Utc>>, StoreError> {
        let mut events = self.list_claim_events(claim)?;
        events.retain(|event| event.kind == EventKind::CodeSent && event.at > since);
        Ok(events.into_iter().map(|event| event.at).collect())
    }

    fn link_claim_text(&mut self, claim: ClaimId, message: MessageId) -> Result<(), StoreError> {
        self.0.claims.texts.insert((claim, message));
        Ok(())
    }

    fn claim_texts(&self, claim: ClaimId) -> Result<ClaimTexts, StoreError> {
        let mut texts = ClaimTexts::default();
        for (_, message) in self.0.claims.texts.iter().filter(|(of, _)| *of == claim) {
            let status = self.find_message(*message)?.map(|message| message.status);
            texts.delivered |= status == Some(MessageStatus::Delivered);
            texts.on_the_way |=
                status.is_some_and(|status| status.is_open() || status == MessageStatus::Sent);
        }
        Ok(texts)
    }
}
