//! `/control`: what a test does in the place of people, of their networks, and of Twilio's bad days.

use crate::Account;
use crate::callbacks::{InboundMessage, inbound_form};
use crate::carrier::{self, Change, Delivery};
use crate::failures::{Planned, Random};
use crate::server::Server;
use crate::state::Fate;
use crate::text::{Status, Text, is_e164};
use actix_web::HttpResponse;
use actix_web::web::{self, Bytes, Data, Query, ServiceConfig};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .route("/control/messages", web::get().to(messages))
        .route("/control/calls", web::get().to(calls))
        .route("/control/violations", web::get().to(violations))
        .route("/control/callbacks", web::get().to(callbacks))
        .route("/control/callbacks/deliver", web::post().to(deliver))
        .route("/control/carrier", web::post().to(change_carrier))
        .route("/control/inbound", web::post().to(send_inbound))
        .route("/control/numbers", web::post().to(set_fate))
        .route("/control/account", web::post().to(fix_account))
        .route("/control/latency", web::post().to(set_latency))
        .route("/control/failures", web::post().to(add_failure))
        .route("/control/failures", web::delete().to(clear_failures))
        .route("/control/random-failures", web::post().to(set_random_failures));
}

/// `GET /control/messages`: what was accepted, the oldest first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    /// Only those to this number.
    to: Option<String>,
    #[serde(default)]
    offset: usize,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Number {
    phone_number: String,
    fate: Fate,
}

/// Without both, every account of the right form is one.
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

/// `POST /control/inbound`: somebody sends a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Inbound {
    from: String,
    body: String,
    /// To which number; to the one that sent them the newest text, if it is not said.
    to: Option<String>,
    /// The name of a text that was sent before.
    message_sid: Option<String>,
    /// How often it arrives.
    #[serde(default = "once")]
    copies: u32,
    /// Another secret than the right one.
    auth_token: Option<String>,
}

fn once() -> u32 {
    1
}

async fn messages(server: Data<Server>, which: Query<Which>) -> HttpResponse {
    let state = server.state();
    let wanted = |text: &Text| which.to.as_deref().is_none_or(|to| to == &*text.to);
    let found: Vec<Value> = state
        .texts()
        .filter(|(_, text)| wanted(text))
        .skip(which.offset)
        .take(which.limit.unwrap_or(usize::MAX))
        .map(|(index, text)| {
            json!({
                "sid": server.sid(index), "to": text.to, "from": text.from, "body": text.body,
                "status": text.status.name(), "errorCode": text.error_code, "createdAt": text.created_at,
                "statusCallback": text.status_callback,
            })
        })
        .collect();
    let body = json!({"total": state.count(), "recipients": state.recipients(), "messages": found});
    HttpResponse::Ok().json(body)
}

async fn calls(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"calls": server.state().calls}))
}

async fn violations(server: Data<Server>) -> HttpResponse {
    let state = server.state();
    HttpResponse::Ok().json(json!({"checked": server.contract.is_some(), "violations": state.violations}))
}

async fn callbacks(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(server.carrier.to_json())
}

async fn deliver(server: Data<Server>, body: Bytes) -> HttpResponse {
    let how: Delivery = match serde_json::from_slice(&body) {
        Ok(how) => how,
        Err(error) => return wrong(&error.to_string()),
    };
    let texts: Vec<(String, Text)> = {
        let state = server.state();
        let named = |sid: &String| Some((sid.clone(), state.text(server.index_of(sid)?)?.clone()));
        if how.texts.is_empty() {
            let all = state.texts();
            all.map(|(index, text)| (server.sid(index), text.clone()))
                .collect()
        } else {
            how.texts.iter().filter_map(named).collect()
        }
    };
    HttpResponse::Ok().json(carrier::deliver(&server, &texts, &how).await)
}

async fn change_carrier(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |change: Change| {
        let release = server.carrier.change(&change);
        if let Some(url) = change.inbound_url {
            server.callbacks.set_inbound_url(url);
        }
        if release {
            for index in held(&server) {
                server.carrier.take(index);
            }
        }
        done()
    })
}

/// The texts that wait to be carried.
fn held(server: &Server) -> Vec<u32> {
    let state = server.state();
    let queued = state.texts().filter(|(_, text)| text.status == Status::Queued);
    queued.map(|(index, _)| index).collect()
}

async fn send_inbound(server: Data<Server>, body: Bytes) -> HttpResponse {
    let inbound: Inbound = match serde_json::from_slice(&body) {
        Ok(inbound) => inbound,
        Err(error) => return wrong(&error.to_string()),
    };
    match receive(&server, &inbound).await {
        Ok(said) => HttpResponse::Ok().json(said),
        Err(message) => wrong(message),
    }
}

async fn receive(server: &Server, inbound: &Inbound) -> Result<Value, &'static str> {
    if !is_e164(&inbound.from) {
        return Err("from must be a number such as +15551234567");
    }
    let (account, to) = addressee(server, inbound)?;
    server.state().hear(&inbound.from, &inbound.body);
    let token = server.state().token_of(&account);
    let token = inbound.auth_token.as_ref().unwrap_or(&token);
    let sid = inbound.message_sid.clone();
    let sid = sid.unwrap_or_else(|| server.inbound_sid());
    let form = inbound_form(&InboundMessage {
        account: &account,
        sid: &sid,
        from: &inbound.from,
        to: &to,
        body: &inbound.body,
    });
    let mut answers = Vec::new();
    if let Some(url) = server.callbacks.inbound_url() {
        for _ in 0..inbound.copies {
            let answer = server.callbacks.call(url.clone(), token, &form).await;
            let (status, body) = answer.unzip();
            answers.push(json!({"status": status, "body": body}));
        }
    }
    Ok(json!({"messageSid": sid, "answers": answers}))
}

/// The account and the number that a text is sent to.
fn addressee(server: &Server, inbound: &Inbound) -> Result<(String, String), &'static str> {
    let state = server.state();
    let newest = state.newest_to(&inbound.from);
    let account = newest.map(|text| text.account.clone());
    let account = account
        .or_else(|| state.any_account())
        .ok_or("no account has called yet")?;
    let to = inbound.to.as_deref().or(newest.map(|text| &*text.from));
    let to = to.ok_or("to is needed: no text was sent to that number yet")?;
    Ok((account.to_string(), to.to_owned()))
}

async fn set_fate(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |number: Number| {
        server.state().fates.insert(number.phone_number, number.fate);
        done()
    })
}

async fn fix_account(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |only: OnlyAccount| {
        let account = only.account_sid.zip(only.auth_token);
        server.state().fixed = account.map(|(sid, auth_token)| Account { sid, auth_token });
        done()
    })
}

async fn set_latency(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |latency: Latency| {
        server.set_latency(Duration::from_millis(latency.ms));
        done()
    })
}

async fn add_failure(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |planned: Planned| {
        server.failures.add(planned);
        done()
    })
}

async fn set_random_failures(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |random: Random| {
        server.failures.set_random(random);
        done()
    })
}

async fn clear_failures(server: Data<Server>) -> HttpResponse {
    server.failures.clear();
    done()
}

fn with_body<T: DeserializeOwned>(body: &[u8], then: impl FnOnce(T) -> HttpResponse) -> HttpResponse {
    match serde_json::from_slice(body) {
        Ok(value) => then(value),
        Err(error) => wrong(&error.to_string()),
    }
}

fn done() -> HttpResponse {
    HttpResponse::Ok().json(json!({}))
}

fn wrong(message: &str) -> HttpResponse {
    HttpResponse::BadRequest().json(json!({"error": {"message": message}}))
}
