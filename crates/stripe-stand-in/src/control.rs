//! `/control`: what a test, or the page of a demo, does in the payer's and in the bank's place.

use crate::account::{Outcome, Refusal};
use crate::failures::Failure;
use crate::server::{Server, State};
use crate::webhooks::{Change, Delivery};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Bytes, Data, Path, ServiceConfig};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .route("/control/events", web::get().to(events))
        .route("/control/events/{id}/signed", web::get().to(signed))
        .route("/control/calls", web::get().to(calls))
        .route("/control/violations", web::get().to(violations))
        .route("/control/intents", web::get().to(intents))
        .route("/control/failures", web::post().to(add_failure))
        .route("/control/webhooks", web::post().to(change_webhooks))
        .route("/control/webhooks/deliver", web::post().to(deliver))
        .route("/control/intents/{id}/pay", web::post().to(pay))
        .route(
            "/control/intents/{id}/complete-action",
            web::post().to(complete_action),
        )
        .route("/control/intents/{id}/dispute", web::post().to(dispute))
        .route(
            "/control/intents/{id}/{action}",
            web::method(Method::OPTIONS).to(preflight),
        );
}

/// `POST /control/intents/{id}/pay`: what the payer's browser does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Pay {
    payment_method: String,
    /// Must be the intent's own, if it is given.
    client_secret: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompleteAction {
    outcome: ActionOutcome,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum ActionOutcome {
    Succeed,
    Fail,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispute {
    outcome: DisputeOutcome,
}

#[derive(PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum DisputeOutcome {
    Won,
    Lost,
}

async fn events(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"events": server.state().events}))
}

async fn signed(server: Data<Server>, id: Path<String>) -> HttpResponse {
    let event = find_events(&server.state(), std::slice::from_ref(&*id));
    let Some(event) = event.first() else {
        return HttpResponse::NotFound().finish();
    };
    let (body, signature) = server.webhooks.signed(event);
    HttpResponse::Ok().json(json!({"body": body, "signature": signature}))
}

async fn calls(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"calls": server.state().calls}))
}

async fn violations(server: Data<Server>) -> HttpResponse {
    let state = server.state();
    HttpResponse::Ok().json(json!({"checked": server.contract.is_some(), "violations": state.violations}))
}

async fn intents(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"intents": server.state().account.intents()}))
}

async fn add_failure(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |failure: Failure| {
        server.failures.add(failure);
        HttpResponse::Ok().json(json!({}))
    })
}

async fn change_webhooks(server: Data<Server>, body: Bytes) -> HttpResponse {
    with_body(&body, |change: Change| {
        server.webhooks.change(change);
        HttpResponse::Ok().json(json!({}))
    })
}

async fn deliver(server: Data<Server>, body: Bytes) -> HttpResponse {
    let how: Delivery = match serde_json::from_slice(&body) {
        Ok(how) => how,
        Err(error) => return wrong(&error),
    };
    let mut events = {
        let state = server.state();
        if how.events.is_empty() {
            state.events.clone()
        } else {
            find_events(&state, &how.events)
        }
    };
    if how.reversed {
        events.reverse();
    }
    HttpResponse::Ok().json(server.webhooks.deliver(&events, &how).await)
}

async fn pay(server: Data<Server>, id: Path<String>, body: Bytes) -> HttpResponse {
    with_body(&body, |pay: Pay| {
        changed(&server, |state| {
            let intent = state.account.retrieve(&id)?;
            if pay
                .client_secret
                .is_some_and(|secret| intent["client_secret"] != secret)
            {
                return Err(Refusal::invalid(
                    Some("payment_intent_invalid_parameter"),
                    "The client_secret provided does not match.",
                ));
            }
            state.account.pay(&id, &pay.payment_method, None)
        })
    })
}

async fn complete_action(server: Data<Server>, id: Path<String>, body: Bytes) -> HttpResponse {
    with_body(&body, |action: CompleteAction| {
        let outcome = match action.outcome {
            ActionOutcome::Succeed => Outcome::Succeeds,
            ActionOutcome::Fail => Outcome::Fails,
        };
        changed(&server, |state| state.account.complete_action(&id, outcome))
    })
}

async fn dispute(server: Data<Server>, id: Path<String>, body: Bytes) -> HttpResponse {
    with_body(&body, |dispute: Dispute| {
        let lost = dispute.outcome == DisputeOutcome::Lost;
        changed(&server, |state| state.account.dispute(&id, lost))
    })
}

async fn preflight() -> HttpResponse {
    open(HttpResponse::NoContent())
        .insert_header(("access-control-allow-methods", "POST"))
        .insert_header(("access-control-allow-headers", "content-type"))
        .finish()
}

fn changed(server: &Server, change: impl FnOnce(&mut State) -> Result<Value, Refusal>) -> HttpResponse {
    let mut state = server.state();
    let done = change(&mut state);
    server.tell_of_changes(&mut state);
    match done {
        Ok(object) => open(HttpResponse::Ok()).json(object),
        Err(refusal) => {
            let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::BAD_REQUEST);
            open(HttpResponse::build(status)).json(json!({"error": refusal.error}))
        }
    }
}

/// Any page may read this: there is nothing here but play money.
fn open(mut response: HttpResponseBuilder) -> HttpResponseBuilder {
    response.insert_header(("access-control-allow-origin", "*"));
    response
}

fn find_events(state: &State, ids: &[String]) -> Vec<Value> {
    ids.iter()
        .filter_map(|id| state.events.iter().find(|event| event["id"] == **id))
        .cloned()
        .collect()
}

fn with_body<T: DeserializeOwned>(body: &[u8], then: impl FnOnce(T) -> HttpResponse) -> HttpResponse {
    match serde_json::from_slice(body) {
        Ok(value) => then(value),
        Err(error) => wrong(&error),
    }
}

fn wrong(error: &serde_json::Error) -> HttpResponse {
    open(HttpResponse::BadRequest()).json(json!({"error": {"message": error.to_string()}}))
}
