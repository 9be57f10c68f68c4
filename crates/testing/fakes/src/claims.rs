use crate::mem_store::MemTx;
use crate::state::{next_id, storable};
use claims::{
    CallCodeHash, Claim, ClaimEvent, ClaimFilter, ClaimId, ClaimStatus, ClaimTexts, Claims, NewClaim,
    NewEvent, TokenHash,
};
use kernel::{DrawingId, EntrantId, MessageId, PageRequest, StoreError};
use sms::{MessageStatus, Outbox};

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
            call_code: None,
            browser: None,
            verified: None,
            notifications: 0,
            last_notification_at: None,
            reminders: 0,
            sealed_details: None,
            submitted_at: None,
            rejection: None,
            approved_at: None,
            approved_by_two: false,
            confirmed_by_two: false,
            public_winner: None,
            shipment: None,
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

    fn find_claim_by_call_code(&self, code: &CallCodeHash) -> Result<Option<Claim>, StoreError> {
        let has_it = |claim: &Claim| claim.call_code.is_some_and(|(hash, _)| hash == *code);
        Ok(self.0.claims.find(has_it))
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

    fn claims_of_entrant(&self, entrant: EntrantId) -> Result<Vec<Claim>, StoreError> {
        let all = self.0.claims.matching(ClaimFilter::All);
        let mut claims: Vec<_> = all.filter(|claim| claim.entrant == entrant).cloned().collect();
        claims.sort_by_key(|claim| std::cmp::Reverse(claim.id));
        Ok(claims)
    }

    fn newest_named_claim(&self) -> Result<Option<Claim>, StoreError> {
        let all = self.0.claims.matching(ClaimFilter::All);
        let named = all.filter(|claim| claim.public_winner.is_some());
        Ok(named.max_by_key(|claim| claim.drawing).cloned())
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
