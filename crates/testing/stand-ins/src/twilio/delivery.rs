//! Delivers messages to people, and sends status callbacks.

use crate::twilio::callbacks::status_form;
use crate::twilio::carrier::{Delivery, Order, Settings};
use crate::twilio::message::{Message, Status};
use crate::twilio::server::Server;
use futures_util::StreamExt;
use futures_util::stream;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// How many messages are delivered at once, which is also the most callbacks in progress.
const CONCURRENCY: usize = 32;

/// A status callback.
#[derive(Clone, Copy)]
struct Callback<'a> {
    message: &'a Message,
    sid: &'a str,
    status: Status,
}

/// Delivers queued messages until the stand-in stops.
pub(crate) async fn deliver_queued(server: &Server, queued: mpsc::UnboundedReceiver<u32>) {
    let queued = stream::unfold(queued, async |mut queued| {
        let index = queued.recv().await?;
        Some((index, queued))
    });
    queued
        .for_each_concurrent(CONCURRENCY, |index| deliver_message(server, index))
        .await;
}

async fn deliver_message(server: &Server, index: u32) {
    let delivered = server.state().deliver(index);
    if let Some(message) = delivered {
        let settings = *server.carrier.settings.lock();
        if settings.callbacks && message.status_callback.is_some() {
            send_callbacks(server, &message, index, settings).await;
        }
    }
    server.carrier.counts.lock().waiting -= 1;
}

async fn send_callbacks(server: &Server, message: &Message, index: u32, settings: Settings) {
    let sid = server.sid(index);
    let callbacks = message.history().into_iter().map(|status| Callback {
        message,
        sid: &sid,
        status,
    });
    for callback in ordered(callbacks, settings.copies, settings.order, index.into()) {
        send(server, &callback, None).await;
    }
}

/// Sends the callbacks of messages now, and reports the status of each response.
pub(crate) async fn deliver(server: &Server, messages: &[(String, Message)], delivery: &Delivery) -> Value {
    let callbacks = messages.iter().flat_map(|(sid, message)| {
        let callback = move |status| Callback { message, sid, status };
        message.history().into_iter().map(callback)
    });
    let mut sent = Vec::new();
    for callback in ordered(callbacks, delivery.copies, delivery.order, delivery.seed) {
        let status = send(server, &callback, delivery.auth_token.as_deref()).await;
        sent.push(json!({"sid": callback.sid, "messageStatus": callback.status.name(), "status": status}));
    }
    json!({ "deliveries": sent })
}

/// The callbacks with their copies, in this order.
fn ordered<'a>(
    callbacks: impl Iterator<Item = Callback<'a>>,
    copies: usize,
    order: Order,
    seed: u64,
) -> Vec<Callback<'a>> {
    let copied = callbacks.flat_map(|callback| std::iter::repeat_n(callback, copies));
    let mut all: Vec<Callback<'a>> = copied.collect();
    match order {
        Order::Chronological => {}
        Order::Reversed => all.reverse(),
        Order::Shuffled => all.shuffle(&mut StdRng::seed_from_u64(seed)),
    }
    all
}

/// Sends a callback. Returns the status of the response, if there is one.
async fn send(server: &Server, callback: &Callback<'_>, auth_token: Option<&str>) -> Option<u16> {
    let Callback { message, sid, status } = callback;
    let url = message.status_callback.as_deref()?.parse().ok()?;
    let token = auth_token.map_or_else(|| server.state().auth_token_of(&message.account), str::to_owned);
    // Only the last status has the error code.
    let is_last = *status == message.status;
    let error = message
        .error_code
        .filter(|_| is_last)
        .map(|code| code.to_string());
    let form = status_form(message, sid, *status, error.as_deref().unwrap_or_default());
    let response = server.callbacks.post(url, &token, &form).await;
    let response_status = response.map(|(status, _)| status);
    let is_accepted = response_status.is_some_and(|status| (200..300).contains(&status));
    let mut counts = server.carrier.counts.lock();
    if is_accepted {
        counts.accepted += 1;
    } else {
        counts.refused += 1;
    }
    response_status
}
