//! What the store has of `push`.

use chrono::{DateTime, Utc};
use kernel::{DrawingId, EntrantId};
use push::{Endpoint, NewSubscription, SUBSCRIPTIONS_PER_ENTRANT, SubscriptionId, Waiting};
use std::collections::BTreeSet;

/// Subscriptions in the order in which browsers gave them, drawings whose messages were queued, and the messages.
#[derive(Clone, Default)]
pub(crate) struct PushState {
    pub(crate) subscriptions: Vec<Stored>,
    pub(crate) queued: BTreeSet<DrawingId>,
    pub(crate) waiting: Vec<(Waiting, DateTime<Utc>)>,
    pub(crate) made: i64,
}

#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) id: SubscriptionId,
    pub(crate) is_active: bool,
    pub(crate) new: NewSubscription,
}

impl PushState {
    pub(crate) fn erase(&mut self, entrant: EntrantId) {
        self.keep(|stored| stored.new.entrant != entrant);
    }

    pub(crate) fn next_id(&mut self) -> i64 {
        self.made += 1;
        self.made
    }

    /// Deletes the other subscriptions, with their messages.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(&Stored) -> bool) {
        self.subscriptions.retain(is_kept);
        let kept: BTreeSet<_> = self.subscriptions.iter().map(|stored| stored.id).collect();
        self.waiting
            .retain(|(waiting, _)| kept.contains(&waiting.subscription));
    }

    pub(crate) fn keep_newest(&mut self, entrant: EntrantId) {
        let own = self.subscriptions.iter().rev();
        let own = own.filter(|stored| stored.new.entrant == entrant);
        let surplus: Vec<_> = own
            .skip(SUBSCRIPTIONS_PER_ENTRANT)
            .map(|stored| stored.id)
            .collect();
        self.keep(|stored| !surplus.contains(&stored.id));
    }
}

impl PushState {
    pub(crate) fn endpoints_of(&self, entrant: EntrantId) -> Vec<Endpoint> {
        let subscriptions = self.subscriptions.iter();
        let own = subscriptions.filter(|stored| stored.is_active && stored.new.entrant == entrant);
        own.map(|stored| stored.new.endpoint.clone()).collect()
    }
}
