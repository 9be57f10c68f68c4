//! How messages are delivered: the settings that tests change, and the queue.

use crate::kit::Shared;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use url::Url;

pub(crate) struct Carrier {
    pub(crate) settings: Shared<Settings>,
    pub(crate) queue: mpsc::UnboundedSender<u32>,
    pub(crate) counts: Shared<Counts>,
}

#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) hold: bool,
    pub(crate) callbacks: bool,
    pub(crate) copies: usize,
    pub(crate) order: Order,
}

/// `GET /control/callbacks`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Messages that are not delivered yet.
    pub(crate) waiting: u64,
    /// Callbacks that were answered with a 2xx status.
    pub(crate) accepted: u64,
    /// Callbacks that were answered otherwise, or not at all.
    pub(crate) refused: u64,
}

/// The order in which callbacks are sent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Order {
    /// In the order of the statuses.
    #[default]
    #[serde(rename = "given")]
    Chronological,
    Reversed,
    Shuffled,
}

/// `POST /control/carrier`: changes the settings that are given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Change {
    /// Whether messages stay queued.
    pub(crate) hold: Option<bool>,
    /// Whether callbacks are sent as messages are delivered. `POST /control/callbacks/deliver` sends them in any case.
    pub(crate) callbacks: Option<bool>,
    /// How often each callback is sent.
    pub(crate) copies: Option<usize>,
    /// The order of each message's callbacks.
    pub(crate) order: Option<Order>,
    /// The URL of the webhook for incoming messages.
    pub(crate) inbound_url: Option<Url>,
}

/// `POST /control/callbacks/deliver`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Delivery {
    /// The SIDs of the messages; without any, all messages, oldest first.
    pub(crate) texts: Vec<String>,
    pub(crate) order: Order,
    /// The seed of a shuffled order.
    pub(crate) seed: u64,
    pub(crate) copies: usize,
    /// An auth token to sign with, other than the right one.
    pub(crate) auth_token: Option<String>,
}

impl Default for Delivery {
    fn default() -> Self {
        Self {
            texts: Vec::new(),
            order: Order::Chronological,
            seed: 0,
            copies: 1,
            auth_token: None,
        }
    }
}

impl Carrier {
    pub(crate) fn new(callbacks: bool) -> (Self, mpsc::UnboundedReceiver<u32>) {
        let (queue, queued) = mpsc::unbounded_channel();
        let settings = Settings {
            hold: false,
            callbacks,
            copies: 1,
            order: Order::Chronological,
        };
        let carrier = Self {
            settings: Shared::new(settings),
            queue,
            counts: Shared::default(),
        };
        (carrier, queued)
    }

    /// Delivers a message in the background, unless messages are held.
    pub(crate) fn queue(&self, index: u32) {
        if self.settings.lock().hold {
            return;
        }
        self.counts.lock().waiting += 1;
        // Without a receiver the stand-in is stopping.
        let _ = self.queue.send(index);
    }

    /// Changes the settings. Returns whether messages that were held are to be delivered now.
    pub(crate) fn change(&self, change: &Change) -> bool {
        let mut settings = self.settings.lock();
        let was_held = settings.hold;
        settings.hold = change.hold.unwrap_or(settings.hold);
        settings.callbacks = change.callbacks.unwrap_or(settings.callbacks);
        settings.copies = change.copies.unwrap_or(settings.copies);
        settings.order = change.order.unwrap_or(settings.order);
        was_held && !settings.hold
    }

    pub(crate) fn to_json(&self) -> Value {
        let counts = *self.counts.lock();
        json!({"waiting": counts.waiting, "accepted": counts.accepted, "refused": counts.refused})
    }
}
