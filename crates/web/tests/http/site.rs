//! A site over the fakes, and requests to it.

use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::{Bytes, Data};
use fakes::{FixedClock, MemStore, SeededEntropy};
use secrecy::SecretSlice;
use serde_json::Value;
use sms::ConsentDefault;
use std::sync::Arc;
use web::{
    Client, FlowThreads, HeaderSettings, MemoryLimiter, NoLimits, SecurityHeaders, Site, TrustedProxies,
    VisitorTokens,
};

pub(crate) fn a_site() -> Site {
    Site {
        clock: Arc::new(FixedClock::default()),
        entropy: Arc::new(SeededEntropy::default()),
        visitors: VisitorTokens::new(&SecretSlice::from(vec![7; 32]), false),
        consent_default: ConsentDefault::None,
        trusted_proxies: TrustedProxies::default(),
        limiter: Arc::new(NoLimits),
        flows: FlowThreads::start(4).unwrap(),
        time_zone: chrono_tz::America::New_York,
        client: Client::absent(),
        headers: SecurityHeaders::new(&HeaderSettings::default()),
    }
}

pub(crate) fn with_limits(site: Site) -> Site {
    Site {
        limiter: Arc::new(MemoryLimiter::new()),
        ..site
    }
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("no JSON: {:?}", self.bytes))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// `status code fields`, such as `400 validation phoneNumber`.
    pub(crate) fn error(&self) -> String {
        let json = self.json();
        assert!(
            json["error"].as_str().is_some_and(|sentence| sentence.len() > 10),
            "{json}"
        );
        let fields = json["fields"]
            .as_object()
            .map(|fields| fields.keys().cloned().collect::<Vec<_>>());
        let words = [
            self.status.as_str(),
            json["code"].as_str().unwrap(),
            &fields.unwrap_or_default().join(","),
        ];
        words.join(" ").trim().to_owned()
    }
}

/// Sends requests, one after the other, to one site.
pub(crate) async fn ask_all(store: &MemStore, site: Site, requests: Vec<TestRequest>) -> Vec<Answer> {
    let app = init_service(web::application(Data::new(store.clone()), Data::new(site))).await;
    let mut answers = Vec::new();
    for request in requests {
        answers.push(send(&app, request).await);
    }
    answers
}

pub(crate) async fn ask(store: &MemStore, request: TestRequest) -> Answer {
    ask_all(store, a_site(), vec![request]).await.remove(0)
}

async fn send<A, B>(app: &A, request: TestRequest) -> Answer
where
    A: Service<actix_http::Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
    B: MessageBody,
{
    let response = call_service(
        app,
        request.peer_addr("192.0.2.7:4711".parse().unwrap()).to_request(),
    )
    .await;
    let (status, headers) = (response.status(), response.headers().clone());
    Answer {
        status,
        headers,
        bytes: read_body(response).await,
    }
}

pub(crate) fn register(body: &str) -> TestRequest {
    post("/api/users/register", body)
}

pub(crate) fn register_referred(body: &str) -> TestRequest {
    post("/api/users/register-referred", body)
}

fn post(path: &str, body: &str) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_owned())
}

pub(crate) fn get(path: &str) -> TestRequest {
    TestRequest::get().uri(path)
}
