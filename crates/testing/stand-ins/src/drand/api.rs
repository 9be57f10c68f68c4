//! The API of drand's HTTP relays, as far as Tombola uses it.

use crate::drand::faults::{Fault, FaultKind};
use crate::drand::network::Signed;
use crate::drand::{Server, now_millis};
use crate::kit::{broken_response, response};
use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_TYPE, LOCATION};
use actix_web::web::{Data, Path};
use serde_json::json;
use std::time::Duration;

/// More than anybody should read.
const HUGE: usize = 1 << 20;

/// `GET /chains`: the hashes of all chains.
pub(crate) async fn chains(server: Data<Server>) -> HttpResponse {
    HttpResponse::Ok().json([server.network.chain_hash()])
}

/// `GET /{chain hash}/info`.
pub(crate) async fn info(server: Data<Server>, chain_hash: Path<String>) -> HttpResponse {
    if *chain_hash != server.network.chain_hash() {
        return unknown_chain();
    }
    HttpResponse::Ok().json(server.network.info())
}

/// `GET /{chain hash}/public/{round}`, where the round is a number or `latest`.
pub(crate) async fn round(server: Data<Server>, path: Path<(String, String)>) -> HttpResponse {
    let (chain_hash, round) = path.into_inner();
    *server.calls.lock().entry(round.clone()).or_default() += 1;
    if chain_hash != server.network.chain_hash() {
        return unknown_chain();
    }
    let newest = server.network.newest(now_millis());
    let round = match (round.as_str(), round.parse()) {
        ("latest", _) | (_, Ok(0)) => newest,
        (_, Ok(round)) => round,
        (_, Err(_)) => return text(400, "Failed to parse round parameter"),
    };
    if round > newest.saturating_add(1) || round == 0 {
        return too_early();
    }
    until_due(&server, round).await;
    match server.faults.take() {
        None => answer(&server.network.sign(round)),
        Some(fault) => faulty(&server, round, &fault).await,
    }
}

/// A relay holds a call for the next round until that round is due.
async fn until_due(server: &Server, round: u64) {
    let wait = server.network.due_millis(round).saturating_sub(now_millis());
    if wait > 0 {
        tokio::time::sleep(Duration::from_millis(wait)).await;
    }
}

async fn faulty(server: &Server, round: u64, fault: &Fault) -> HttpResponse {
    let right = server.network.sign(round);
    let next = server.network.sign(round + 1);
    match fault.kind {
        FaultKind::Away => text(503, "Service Unavailable"),
        FaultKind::Drop => broken_response(response(200)),
        // The server drops this when the caller closes the connection.
        FaultKind::Hang => std::future::pending().await,
        FaultKind::Slow => {
            tokio::time::sleep(fault.delay()).await;
            answer(&right)
        }
        FaultKind::NotYet => too_early(),
        FaultKind::NotFound => text(404, "Not Found"),
        FaultKind::WrongSignature => answer(&server.impostor.sign(round)),
        FaultKind::SwappedSignature => answer(&Signed { round, ..next }),
        FaultKind::AnotherRound => answer(&next),
        FaultKind::WrongRandomness => answer(&Signed {
            randomness: next.randomness,
            ..right
        }),
        FaultKind::UpperCase => with_signature(right, str::to_uppercase),
        FaultKind::Doubled => with_signature(right, |signature| signature.repeat(2)),
        FaultKind::Garbage => text(200, "<!doctype html><title>Not a beacon</title>"),
        FaultKind::Binary => HttpResponse::Ok().body(vec![0xff; 100]),
        FaultKind::Empty => HttpResponse::Ok().finish(),
        FaultKind::Huge => HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, "application/json"))
            .body(" ".repeat(HUGE) + &body(&right)),
        FaultKind::Redirect => HttpResponse::Found()
            .insert_header((
                LOCATION,
                format!("/{}/public/{round}", server.network.chain_hash()),
            ))
            .finish(),
    }
}

fn with_signature(signed: Signed, change: impl Fn(&str) -> String) -> HttpResponse {
    answer(&Signed {
        signature: change(&signed.signature),
        ..signed
    })
}

fn answer(signed: &Signed) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/json"))
        .body(body(signed))
}

fn body(signed: &Signed) -> String {
    let Signed {
        round,
        signature,
        randomness,
    } = signed;
    json!({"round": round, "randomness": randomness, "signature": signature}).to_string()
}

/// What drand's relays answer for a round that is not there yet.
fn too_early() -> HttpResponse {
    text(425, "Requested future beacon")
}

fn unknown_chain() -> HttpResponse {
    text(400, "unknown chain hash")
}

/// An error of a relay: one line of text.
fn text(status: u16, line: &str) -> HttpResponse {
    response(status)
        .insert_header((CONTENT_TYPE, "text/plain; charset=utf-8"))
        .body(format!("{line}\n"))
}
