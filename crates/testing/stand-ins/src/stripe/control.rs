//! `/control`: what a test, or the page of the demo, does for customers and their banks.

use crate::kit::{Contract, accepted, control_scope, response};
use crate::stripe::account::BankDecision;
use crate::stripe::errors::ApiError;
use crate::stripe::failures::Failure;
use crate::stripe::server::{Server, State};
use crate::stripe::webhooks::{Delivery, Settings};
use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::middleware::DefaultHeaders;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Any page may read the responses: the stand-in has no real money.
const CORS: (&str, &str) = ("access-control-allow-origin", "*");

pub(crate) fn routes(config: &mut ServiceConfig, contract: &Arc<Contract>) {
    let scope = control_scope(contract)
        .route("/events", web::get().to(events))
        .route("/events/{id}/signed", web::get().to(signed_event))
        .route("/calls", web::get().to(calls))
        .route("/intents", web::get().to(intents))
        .route("/customers", web::get().to(customers))
        .route("/failures", web::post().to(add_failure))
        .route("/webhooks", web::post().to(change_webhooks))
        .route("/webhooks/deliver", web::post().to(deliver))
        .route("/intents/{id}/pay", web::post().to(pay))
        .route("/intents/{id}/complete-action", web::post().to(complete_action))
        .route("/intents/{id}/dispute", web::post().to(dispute))
        .route("/intents/{id}/close-dispute", web::post().to(close_dispute))
        .route("/intents/{id}/fail-refund", web::post().to(fail_refund))
        .route(
            "/intents/{id}/{action}",
            web::method(Method::OPTIONS).to(preflight),
        );
    config.service(scope.wrap(DefaultHeaders::new().add(CORS)));
}

/// `POST /control/intents/{id}/pay`: what the customer's browser does.
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
    outcome: BankDecision,
}

/// `POST /control/intents/{id}/dispute`: opens a dispute, and closes it if there is an outcome.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispute {
    outcome: Option<DisputeOutcome>,
    /// Whether the bank only asks.
    #[serde(default)]
    inquiry: bool,
}

/// `POST /control/intents/{id}/close-dispute`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CloseDispute {
    outcome: DisputeOutcome,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum DisputeOutcome {
    Won,
    Lost,
    WarningClosed,
}

impl DisputeOutcome {
    const fn status(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::WarningClosed => "warning_closed",
        }
    }
}

async fn events(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"events": server.state().events}))
}

async fn signed_event(server: Data<Server>, id: Path<String>) -> HttpResponse {
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

async fn intents(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"intents": server.state().account.intents()}))
}

async fn customers(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"customers": server.state().account.customers()}))
}

async fn add_failure(server: Data<Server>, failure: Json<Failure>) -> HttpResponse {
    server.failures.add(failure.into_inner());
    accepted()
}

async fn change_webhooks(server: Data<Server>, settings: Json<Settings>) -> HttpResponse {
    server.webhooks.change(settings.into_inner());
    accepted()
}

async fn deliver(server: Data<Server>, delivery: Json<Delivery>) -> HttpResponse {
    let mut events = {
        let state = server.state();
        if delivery.events.is_empty() {
            state.events.clone()
        } else {
            find_events(&state, &delivery.events)
        }
    };
    if delivery.reversed {
        events.reverse();
    }
    HttpResponse::Ok().json(server.webhooks.deliver(&events, &delivery).await)
}

async fn pay(server: Data<Server>, id: Path<String>, pay: Json<Pay>) -> HttpResponse {
    change(&server, |state| {
        let intent = state.account.retrieve(&id)?;
        if let Some(secret) = &pay.client_secret
            && intent["client_secret"] != **secret
        {
            return Err(ApiError::invalid(
                Some("payment_intent_invalid_parameter"),
                "The client_secret provided does not match.",
            ));
        }
        state.account.pay(&id, &pay.payment_method, None)
    })
}

async fn complete_action(
    server: Data<Server>,
    id: Path<String>,
    action: Json<CompleteAction>,
) -> HttpResponse {
    change(&server, |state| {
        state.account.complete_action(&id, action.outcome)
    })
}

async fn dispute(server: Data<Server>, id: Path<String>, dispute: Json<Dispute>) -> HttpResponse {
    change(&server, |state| {
        let opened = state.account.dispute(&id, dispute.inquiry)?;
        match dispute.outcome {
            Some(outcome) => state.account.close_dispute(&id, outcome.status()),
            None => Ok(opened),
        }
    })
}

async fn close_dispute(server: Data<Server>, id: Path<String>, close: Json<CloseDispute>) -> HttpResponse {
    change(&server, |state| {
        state.account.close_dispute(&id, close.outcome.status())
    })
}

async fn fail_refund(server: Data<Server>, id: Path<String>) -> HttpResponse {
    change(&server, |state| state.account.fail_refund(&id))
}

async fn preflight() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header(("access-control-allow-methods", "POST"))
        .insert_header(("access-control-allow-headers", "content-type"))
        .finish()
}

/// Changes the account and publishes the events of the change.
fn change(server: &Server, change: impl FnOnce(&mut State) -> Result<Value, ApiError>) -> HttpResponse {
    let mut state = server.state();
    let changed = change(&mut state);
    server.publish_events(&mut state);
    match changed {
        Ok(object) => HttpResponse::Ok().json(object),
        Err(error) => response(error.status).json(error.body()),
    }
}

fn find_events(state: &State, ids: &[String]) -> Vec<Value> {
    ids.iter()
        .filter_map(|id| state.events.iter().find(|event| event["id"] == **id))
        .cloned()
        .collect()
}
