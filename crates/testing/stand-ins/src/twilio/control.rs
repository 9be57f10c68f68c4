//! `/control`: what a test does for people and their carriers, and the failures that it asks for.

use crate::kit::{Contract, accepted, bad_request, control_scope};
use crate::twilio::Account;
use crate::twilio::callbacks::{IncomingMessage, inbound_form};
use crate::twilio::carrier::{Change, Delivery};
use crate::twilio::delivery;
use crate::twilio::failures::{PlannedFailure, RandomFailures};
use crate::twilio::message::{Message, Status, is_e164};
use crate::twilio::server::Server;
use crate::twilio::state::Outcome;
use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Query, ServiceConfig};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn routes(config: &mut ServiceConfig, contract: &Arc<Contract>) {
    let scope = control_scope(contract)
        .route("/messages", web::get().to(messages))
        .route("/calls", web::get().to(calls))
        .route("/callbacks", web::get().to(callbacks))
        .route("/callbacks/deliver", web::post().to(deliver))
        .route("/carrier", web::post().to(change_carrier))
        .route("/inbound", web::post().to(send_inbound))
        .route("/numbers", web::post().to(set_outcome))
        .route("/account", web::post().to(set_only_account))
        .route("/latency", web::post().to(set_latency))
        .route("/failures", web::post().to(add_failure))
        .route("/failures", web::delete().to(clear_failures))
        .route("/random-failures", web::post().to(set_random_failures));
    config.service(scope);
}

/// `GET /control/messages`: accepted messages, oldest first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageFilter {
    /// Only messages to this number.
    to: Option<String>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Number {
    phone_number: String,
    fate: Outcome,
}

/// `POST /control/account`: the only account. Without both fields, every well-formed account is accepted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OnlyAccount {
    account_sid: Option<String>,
    auth_token: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Latency {
    ms: u64,
}

/// `POST /control/inbound`: a person sends a message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Inbound {
    from: String,
    body: String,
    /// The recipient; by default the sender of the newest message to this person.
    to: Option<String>,
    /// The SID of an earlier message, to repeat it.
    message_sid: Option<String>,
    /// How often the webhook is sent.
    #[serde(default = "once")]
    copies: u32,
    /// An auth token to sign with, other than the right one.
    auth_token: Option<String>,
}

fn once() -> u32 {
    1
}

async fn messages(server: Data<Server>, filter: Query<MessageFilter>) -> HttpResponse {
    let state = server.state();
    let matches = |message: &Message| filter.to.as_deref().is_none_or(|to| to == &*message.to);
    let found: Vec<Value> = state
        .messages()
        .filter(|(_, message)| matches(message))
        .skip(filter.offset)
        .take(filter.limit.unwrap_or(usize::MAX))
        .map(|(index, message)| {
            json!({
                "sid": server.sid(index), "to": message.to, "from": message.from, "body": message.body,
                "status": message.status.name(), "errorCode": message.error_code, "createdAt": message.created_at,
                "statusCallback": message.status_callback,
            })
        })
        .collect();
    let body = json!({"total": state.count(), "recipients": state.recipients(), "messages": found});
    HttpResponse::Ok().json(body)
}

async fn calls(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"calls": server.state().calls}))
}

async fn callbacks(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(server.carrier.to_json())
}

async fn deliver(server: Data<Server>, delivery: Json<Delivery>) -> HttpResponse {
    let messages: Vec<(String, Message)> = {
        let state = server.state();
        let named = |sid: &String| Some((sid.clone(), state.message(server.index_of(sid)?)?.clone()));
        if delivery.texts.is_empty() {
            let all = state.messages();
            all.map(|(index, message)| (server.sid(index), message.clone()))
                .collect()
        } else {
            delivery.texts.iter().filter_map(named).collect()
        }
    };
    HttpResponse::Ok().json(delivery::deliver(&server, &messages, &delivery).await)
}

async fn change_carrier(server: Data<Server>, change: Json<Change>) -> HttpResponse {
    let is_released = server.carrier.change(&change);
    if let Some(url) = &change.inbound_url {
        server.callbacks.set_inbound_url(url.clone());
    }
    if is_released {
        for index in queued(&server) {
            server.carrier.queue(index);
        }
    }
    accepted()
}

/// The messages that are still queued.
fn queued(server: &Server) -> Vec<u32> {
    let state = server.state();
    let queued = state
        .messages()
        .filter(|(_, message)| message.status == Status::Queued);
    queued.map(|(index, _)| index).collect()
}

async fn send_inbound(server: Data<Server>, inbound: Json<Inbound>) -> HttpResponse {
    match receive(&server, &inbound).await {
        Ok(answers) => HttpResponse::Ok().json(answers),
        Err(reason) => bad_request(&reason),
    }
}

async fn receive(server: &Server, inbound: &Inbound) -> Result<Value, &'static str> {
    if !is_e164(&inbound.from) {
        return Err("from must be a number such as +15551234567");
    }
    let (account, to) = recipient(server, inbound)?;
    server.state().apply_keyword(&inbound.from, &inbound.body);
    let token = server.state().auth_token_of(&account);
    let token = inbound.auth_token.as_ref().unwrap_or(&token);
    let sid = inbound.message_sid.clone();
    let sid = sid.unwrap_or_else(|| server.incoming_sid());
    let form = inbound_form(&IncomingMessage {
        account: &account,
        sid: &sid,
        from: &inbound.from,
        to: &to,
        body: &inbound.body,
    });
    let mut answers = Vec::new();
    if let Some(url) = server.callbacks.inbound_url() {
        for _ in 0..inbound.copies {
            let response = server.callbacks.post(url.clone(), token, &form).await;
            let (status, body) = response.unzip();
            answers.push(json!({"status": status, "body": body}));
        }
    }
    Ok(json!({"messageSid": sid, "answers": answers}))
}

/// The account and the number that an incoming message is sent to.
fn recipient(server: &Server, inbound: &Inbound) -> Result<(String, String), &'static str> {
    let state = server.state();
    let newest = state.newest_to(&inbound.from);
    let account = newest.map(|message| message.account.clone());
    let account = account
        .or_else(|| state.any_account())
        .ok_or("no account has called yet")?;
    let to = inbound.to.as_deref().or(newest.map(|message| &*message.from));
    let to = to.ok_or("to is required: no message was sent to that number yet")?;
    Ok((account.to_string(), to.to_owned()))
}

async fn set_outcome(server: Data<Server>, number: Json<Number>) -> HttpResponse {
    let Number { phone_number, fate } = number.into_inner();
    server.state().outcomes.insert(phone_number, fate);
    accepted()
}

async fn set_only_account(server: Data<Server>, only: Json<OnlyAccount>) -> HttpResponse {
    let OnlyAccount {
        account_sid,
        auth_token,
    } = only.into_inner();
    let account = account_sid.zip(auth_token);
    server.state().only_account = account.map(|(sid, auth_token)| Account { sid, auth_token });
    accepted()
}

async fn set_latency(server: Data<Server>, latency: Json<Latency>) -> HttpResponse {
    server.set_latency(Duration::from_millis(latency.ms));
    accepted()
}

async fn add_failure(server: Data<Server>, failure: Json<PlannedFailure>) -> HttpResponse {
    server.failures.add(failure.into_inner());
    accepted()
}

async fn set_random_failures(server: Data<Server>, random: Json<RandomFailures>) -> HttpResponse {
    server.failures.set_random(random.into_inner());
    accepted()
}

async fn clear_failures(server: Data<Server>) -> HttpResponse {
    server.failures.clear();
    accepted()
}
