//! Carries texts to people, and tells how far they have come.

use crate::callbacks::status_form;
use crate::server::Server;
use crate::text::{Status, Text};
use futures_util::StreamExt;
use futures_util::stream;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;
use url::Url;

/// How many texts are carried at once: so many callbacks are under way at most.
const AT_ONCE: usize = 32;

pub(crate) struct Carrier {
    settings: Mutex<Settings>,
    queue: mpsc::UnboundedSender<u32>,
    count: Mutex<Count>,
}

#[derive(Clone, Copy)]
struct Settings {
    hold: bool,
    callbacks: bool,
    copies: usize,
    order: Order,
}

/// `GET /control/callbacks`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Count {
    /// Texts that are still on their way.
    waiting: u64,
    /// Callbacks that were answered with success.
    accepted: u64,
    /// Callbacks that were not.
    refused: u64,
}

/// In which order callbacks are sent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Order {
    /// As it happened.
    #[default]
    Given,
    Reversed,
    Shuffled,
}

/// `POST /control/carrier`: what is given changes, the rest stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Change {
    /// Whether texts stay where they are, queued.
    hold: Option<bool>,
    /// Whether callbacks are sent as texts come along; they can be delivered by hand in any case.
    callbacks: Option<bool>,
    /// How often each callback is sent.
    copies: Option<usize>,
    /// The order of each text's callbacks.
    order: Option<Order>,
    /// Where the texts go that people send.
    pub(crate) inbound_url: Option<Url>,
}

/// `POST /control/callbacks/deliver`.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Delivery {
    /// Of which texts; of all, as they were sent, if none are named.
    pub(crate) texts: Vec<String>,
    order: Order,
    /// What a shuffled order depends on.
    seed: u64,
    copies: usize,
    /// Another secret than the right one.
    auth_token: Option<String>,
}

impl Default for Delivery {
    fn default() -> Self {
        Self {
            texts: Vec::new(),
            order: Order::Given,
            seed: 0,
            copies: 1,
            auth_token: None,
        }
    }
}

/// A callback to be sent.
struct Callback<'a> {
    text: &'a Text,
    sid: &'a str,
    status: Status,
}

impl Carrier {
    pub(crate) fn new(callbacks: bool) -> (Self, mpsc::UnboundedReceiver<u32>) {
        let (queue, waiting) = mpsc::unbounded_channel();
        let settings = Settings {
            hold: false,
            callbacks,
            copies: 1,
            order: Order::Given,
        };
        let carrier = Self {
            settings: Mutex::new(settings),
            queue,
            count: Mutex::default(),
        };
        (carrier, waiting)
    }

    /// Has a text carried in the background, unless texts are held.
    pub(crate) fn take(&self, index: u32) {
        if self.settings().hold {
            return;
        }
        self.count().waiting += 1;
        // Without a receiver the stand-in is stopping.
        let _ = self.queue.send(index);
    }

    /// Whether texts that were held are to be taken now.
    pub(crate) fn change(&self, change: &Change) -> bool {
        let mut settings = self.settings();
        let was_held = settings.hold;
        settings.hold = change.hold.unwrap_or(settings.hold);
        settings.callbacks = change.callbacks.unwrap_or(settings.callbacks);
        settings.copies = change.copies.unwrap_or(settings.copies);
        settings.order = change.order.unwrap_or(settings.order);
        was_held && !settings.hold
    }

    pub(crate) fn to_json(&self) -> Value {
        let count = *self.count();
        json!({"waiting": count.waiting, "accepted": count.accepted, "refused": count.refused})
    }

    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Carries what is taken until the stand-in stops.
pub(crate) async fn carry(server: &Server, waiting: mpsc::UnboundedReceiver<u32>) {
    let waiting = stream::unfold(waiting, async |mut waiting| {
        let index = waiting.recv().await?;
        Some((index, waiting))
    });
    waiting
        .for_each_concurrent(AT_ONCE, |index| carry_one(server, index))
        .await;
}

async fn carry_one(server: &Server, index: u32) {
    let passed_on = server.state().pass_on(index);
    if let Some(text) = passed_on {
        let settings = *server.carrier.settings();
        if settings.callbacks && text.status_callback.is_some() {
            tell(server, &text, index, settings).await;
        }
    }
    server.carrier.count().waiting -= 1;
}

async fn tell(server: &Server, text: &Text, index: u32, settings: Settings) {
    let sid = server.sid(index);
    let callbacks = text.history().into_iter().map(|status| Callback {
        text,
        sid: &sid,
        status,
    });
    for callback in arranged(callbacks, settings.copies, settings.order, index.into()) {
        send(server, &callback, None).await;
    }
}

/// Sends callbacks by hand, and says what was answered.
pub(crate) async fn deliver(server: &Server, texts: &[(String, Text)], how: &Delivery) -> Value {
    let callbacks = texts.iter().flat_map(|(sid, text)| {
        let callback = move |status| Callback { text, sid, status };
        text.history().into_iter().map(callback)
    });
    let mut sent = Vec::new();
    for callback in arranged(callbacks, how.copies, how.order, how.seed) {
        let status = send(server, &callback, how.auth_token.as_deref()).await;
        sent.push(json!({"sid": callback.sid, "messageStatus": callback.status.name(), "status": status}));
    }
    json!({ "deliveries": sent })
}

fn arranged<'a>(
    callbacks: impl Iterator<Item = Callback<'a>>,
    copies: usize,
    order: Order,
    seed: u64,
) -> Vec<Callback<'a>> {
    let copied = callbacks.flat_map(|callback| {
        let Callback { text, sid, status } = callback;
        std::iter::repeat_with(move || Callback { text, sid, status }).take(copies)
    });
    let mut all: Vec<Callback<'a>> = copied.collect();
    match order {
        Order::Given => {}
        Order::Reversed => all.reverse(),
        Order::Shuffled => all.shuffle(&mut StdRng::seed_from_u64(seed)),
    }
    all
}

/// The status of the answer, if there is one.
async fn send(server: &Server, callback: &Callback<'_>, auth_token: Option<&str>) -> Option<u16> {
    let Callback { text, sid, status } = callback;
    let url = text.status_callback.as_deref()?.parse().ok()?;
    let token = auth_token.map_or_else(|| server.state().token_of(&text.account), str::to_owned);
    // What went wrong is known at the end only.
    let is_end = *status == text.status;
    let error = text.error_code.filter(|_| is_end).map(|code| code.to_string());
    let form = status_form(text, sid, *status, error.as_deref().unwrap_or_default());
    let answered = server.callbacks.call(url, &token, &form).await;
    let given = answered.map(|(status, _)| status);
    let is_accepted = given.is_some_and(|given| (200..300).contains(&given));
    let mut count = server.carrier.count();
    if is_accepted {
        count.accepted += 1;
    } else {
        count.refused += 1;
    }
    given
}
