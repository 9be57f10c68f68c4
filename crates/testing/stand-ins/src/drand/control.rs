//! `/control`: the faults that a test asks for, the calls that came, and the chain file.

use crate::drand::Server;
use crate::drand::faults::Fault;
use crate::kit::{Contract, accepted, control_scope};
use actix_web::web::{self, Data, Json, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;
use std::sync::Arc;

pub(crate) fn routes(config: &mut ServiceConfig, contract: &Arc<Contract>) {
    let scope = control_scope(contract)
        .route("/chain", web::get().to(chain))
        .route("/calls", web::get().to(calls))
        .route("/faults", web::post().to(add_fault))
        .route("/faults", web::delete().to(clear_faults));
    config.service(scope);
}

/// `GET /control/chain`: the chain file, whose only host is the one that was called.
async fn chain(server: Data<Server>, request: HttpRequest) -> HttpResponse {
    let connection = request.connection_info();
    let host = format!("{}://{}", connection.scheme(), connection.host());
    HttpResponse::Ok().json(server.network.chain_file(&[host]))
}

/// `GET /control/calls`: how often each round was asked for.
async fn calls(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json(json!({"rounds": *server.calls.lock()}))
}

async fn add_fault(server: Data<Server>, fault: Json<Fault>) -> HttpResponse {
    server.faults.add(fault.into_inner());
    accepted()
}

async fn clear_faults(server: Data<Server>) -> HttpResponse {
    server.faults.clear();
    accepted()
}
