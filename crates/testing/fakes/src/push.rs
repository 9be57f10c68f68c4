//! Push subscriptions and the messages that wait for them, in memory.

use crate::mem_store::MemTx;
use crate::state::push::Stored;
use chrono::{DateTime, Utc};
use kernel::{DrawingId, EntrantId, StoreError};
use push::{
    Attempt, Deliveries, DeliveryId, Endpoint, MESSAGE_LIFE, NewSubscription, Next, SubscriptionId,
    Subscriptions, Waiting,
};

impl Subscriptions for MemTx {
    fn subscribe(&mut self, new: &NewSubscription) -> Result<bool, StoreError> {
        if !self.0.entrants.iter().any(|known| known.id == new.entrant) {
            return Ok(false);
        }
        let push = &mut self.0.push;
        let known = push
            .subscriptions
            .iter()
            .position(|stored| stored.new.endpoint == new.endpoint);
        let id = match known {
            Some(place) => push.subscriptions.remove(place).id,
            None => SubscriptionId::new(push.next_id()),
        };
        push.subscriptions.push(Stored {
            id,
            is_active: true,
            new: new.clone(),
        });
        push.keep_newest(new.entrant);
        Ok(true)
    }

    fn unsubscribe(&mut self, entrant: EntrantId, endpoint: &Endpoint) -> Result<bool, StoreError> {
        let push = &mut self.0.push;
        let before = push.subscriptions.len();
        push.keep(|stored| stored.new.entrant != entrant || stored.new.endpoint != *endpoint);
        Ok(push.subscriptions.len() < before)
    }
}

impl Deliveries for MemTx {
    fn queue_result(&mut self, now: DateTime<Utc>) -> Result<Option<DrawingId>, StoreError> {
        let new = self.0.drawing.steps.results().find(|(state, drawn_at)| {
            *drawn_at > now - MESSAGE_LIFE && !self.0.push.queued.contains(&state.id)
        });
        let Some((state, drawn_at)) = new else {
            return Ok(None);
        };
        let (drawing, raffle) = (state.id, state.plan.raffle);
        let prize = state.plan.prize.words.name.clone();
        let takes_part = |id| {
            let entrant = self.0.entrants.iter().find(|known| known.id == id);
            entrant.is_some_and(|entrant| entrant.raffle == raffle)
        };
        let subscriptions = self.0.push.subscriptions.iter();
        let told: Vec<_> = subscriptions
            .filter(|stored| stored.is_active && takes_part(stored.new.entrant))
            .cloned()
            .collect();
        let push = &mut self.0.push;
        push.queued.insert(drawing);
        for stored in told {
            let waiting = Waiting {
                id: DeliveryId::new(push.next_id()),
                subscription: stored.id,
                endpoint: stored.new.endpoint,
                keys: stored.new.keys,
                drawing,
                prize: prize.clone(),
                drawn_at,
                attempts: 0,
            };
            push.waiting.push((waiting, now));
        }
        Ok(Some(drawing))
    }

    fn claim_deliveries(
        &mut self,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Waiting>, StoreError> {
        let waiting = &mut self.0.push.waiting;
        waiting.sort_by_key(|(waiting, due)| (*due, waiting.id));
        let due = waiting.iter_mut().filter(|(_, due)| *due <= now);
        Ok(due
            .take(limit as usize)
            .map(|(waiting, due)| {
                waiting.attempts += 1;
                *due = until;
                waiting.clone()
            })
            .collect())
    }

    fn record_attempts(&mut self, attempts: &[Attempt]) -> Result<(), StoreError> {
        let push = &mut self.0.push;
        for attempt in attempts {
            match attempt.next {
                Next::Done => push.waiting.retain(|(waiting, _)| waiting.id != attempt.id),
                Next::Deactivate => {
                    let mut subscriptions = push.subscriptions.iter_mut();
                    if let Some(stored) = subscriptions.find(|stored| stored.id == attempt.subscription) {
                        stored.is_active = false;
                    }
                    push.waiting
                        .retain(|(waiting, _)| waiting.subscription != attempt.subscription);
                }
                Next::RetryAt(at) => {
                    let mut waiting = push.waiting.iter_mut();
                    if let Some((_, due)) = waiting.find(|(waiting, _)| waiting.id == attempt.id) {
                        *due = at;
                    }
                }
            }
        }
        Ok(())
    }

    fn count_deliveries(&self) -> Result<i64, StoreError> {
        Ok(i64::try_from(self.0.push.waiting.len()).unwrap_or(i64::MAX))
    }
}
