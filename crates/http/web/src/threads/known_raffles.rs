use chrono::{DateTime, Utc};
use raffle::{RaffleKey, RaffleList};
use std::sync::{Arc, PoisonError, RwLock};

/// The raffles as they were a moment ago, for pages and for what is measured on them. Whatever decides something asks the
/// store.
#[derive(Clone, Default)]
pub struct KnownRaffles(Arc<RwLock<Arc<RaffleList>>>);

impl KnownRaffles {
    /// Starts with these.
    pub fn new(raffles: RaffleList) -> Self {
        let known = Self::default();
        known.set(raffles);
        known
    }

    /// The newest list.
    pub fn get(&self) -> Arc<RaffleList> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes a newer list.
    pub fn set(&self, raffles: RaffleList) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(raffles);
    }

    /// The raffle of whoever names none.
    pub fn default_at(&self, moment: DateTime<Utc>) -> Option<RaffleKey> {
        self.get().default_at(moment).map(|raffle| raffle.key)
    }

    /// The label of a raffle in metrics: its key, or `other` while this server does not know it.
    pub fn label(&self, raffle: RaffleKey) -> String {
        let known = self.get().find(raffle).map(|known| known.key.to_string());
        known.unwrap_or_else(|| "other".to_owned())
    }
}
