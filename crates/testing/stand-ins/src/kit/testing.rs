//! For tests: a stand-in with an HTTP client, and a receiver of webhooks. Anything unexpected panics.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::print_stderr,
    reason = "only tests use this: anything unexpected fails the test, and skipped checks are printed"
)]

use crate::kit::{Provider, StandIn, contracts_folder};
use actix_web::dev::ServerHandle;
use actix_web::http::header::HeaderMap;
use actix_web::web::{self, Bytes};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};

/// How long a webhook may take to arrive.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(60);

/// A file of the providers' schemas and examples, as JSON. Without `TOMBOLA_CONTRACTS` there is none, and the reason
/// for a skipped check is printed.
pub fn contract_file(name: &str) -> Option<Value> {
    let Some(folder) = contracts_folder() else {
        eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so {name} was not compared");
        return None;
    };
    let text = std::fs::read(folder.join(name)).expect("the file can be read");
    Some(serde_json::from_slice(&text).expect("the file is JSON"))
}

/// A running stand-in, and a client for it.
#[derive(Debug)]
pub struct TestStandIn {
    stand_in: StandIn,
    /// The client.
    pub http: reqwest::Client,
}

impl TestStandIn {
    /// Starts the stand-in.
    pub async fn start(provider: impl Provider) -> Self {
        let http = reqwest::Client::builder().no_proxy().build();
        Self {
            stand_in: StandIn::start(provider).await.expect("the stand-in starts"),
            http: http.expect("the client can be built"),
        }
    }

    /// Stops the stand-in.
    pub async fn stop(self) {
        self.stand_in.stop().await;
    }

    /// Stops the stand-in, and expects that all requests, responses and webhooks matched the provider's schemas.
    pub async fn stop_without_violations(self) {
        let found = self.get("/control/violations").await;
        self.stop().await;
        assert_eq!(found["violations"], json!([]));
        if found["checked"] == false {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so the schemas were not compared");
        }
    }

    /// The base URL of the provider's API.
    pub fn base(&self) -> String {
        self.stand_in.url()
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.stand_in.url())
    }

    /// The JSON at a path.
    pub async fn get(&self, path: &str) -> Value {
        status_and_json(self.http.get(self.url(path))).await.1
    }

    /// Posts to `/control/{path}`. Returns the status and the JSON.
    pub async fn control(&self, path: &str, body: Value) -> (u16, Value) {
        let request = self.http.post(self.url(&format!("/control/{path}")));
        status_and_json(request.body(body.to_string())).await
    }

    /// Posts to `/control/{path}` and expects 200.
    pub async fn set(&self, path: &str, body: Value) {
        let (status, response) = self.control(path, body).await;
        assert_eq!(status, 200, "{path} {response}");
    }

    /// How many requests, responses and webhooks did not match the provider's schemas.
    pub async fn violations(&self) -> usize {
        let found = self.get("/control/violations").await;
        found["violations"].as_array().map_or(0, Vec::len)
    }

    /// Posts each body to its control path, and expects 400 with a reason.
    pub async fn expect_bad_requests(&self, requests: impl IntoIterator<Item = (String, Value)>) {
        for (path, body) in requests {
            let (status, response) = self.control(&path, body).await;
            assert_eq!(status, 400, "{path}");
            assert!(response["error"]["message"].is_string(), "{path} {response}");
        }
    }
}

/// Sends a request. Returns the status and the JSON of the response.
pub async fn status_and_json(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.expect("there is a response");
    let status = response.status().as_u16();
    let body = response.bytes().await.expect("the response has a body");
    (
        status,
        serde_json::from_slice(&body).expect("the response is JSON"),
    )
}

/// A server that receives webhooks at one URL.
#[derive(Debug)]
pub struct WebhookReceiver {
    /// The URL of the webhook.
    pub url: String,
    received: Mutex<mpsc::UnboundedReceiver<ReceivedWebhook>>,
    server: ServerHandle,
}

/// A webhook that the receiver answered with success.
#[derive(Debug)]
pub struct ReceivedWebhook {
    headers: HeaderMap,
    /// The query of the URL.
    pub query: String,
    /// The body.
    pub body: Bytes,
}

impl ReceivedWebhook {
    /// The value of a header that must be there.
    pub fn header(&self, name: &str) -> String {
        let value = self.headers.get(name).expect("the header is there");
        value.to_str().expect("the header is text").to_owned()
    }
}

impl WebhookReceiver {
    /// Starts to listen. `respond` makes each response.
    pub async fn start(respond: impl Fn() -> HttpResponse + Send + Sync + 'static) -> Self {
        let (sender, received) = mpsc::unbounded_channel();
        let respond = Arc::new(respond);
        let app = move || {
            let (sender, respond) = (sender.clone(), Arc::clone(&respond));
            let receive = move |request: HttpRequest, body: Bytes| {
                let response = respond();
                if response.status().is_success() {
                    // Without a receiver the test is over.
                    let _ = sender.send(ReceivedWebhook {
                        headers: request.headers().clone(),
                        query: request.query_string().to_owned(),
                        body,
                    });
                }
                async { response }
            };
            App::new().route("/hook", web::post().to(receive))
        };
        let http = HttpServer::new(app)
            .workers(1)
            .disable_signals()
            .bind("127.0.0.1:0")
            .expect("there is a free port");
        let address = *http.addrs().first().expect("there is an address");
        let running = http.run();
        let server = running.handle();
        tokio::spawn(running);
        Self {
            url: format!("http://{address}/hook"),
            received: Mutex::new(received),
            server,
        }
    }

    /// Waits for the next webhook.
    pub async fn next(&self) -> ReceivedWebhook {
        let mut received = self.received.lock().await;
        let next = tokio::time::timeout(ARRIVAL_TIMEOUT, received.recv()).await;
        next.expect("a webhook arrives in time")
            .expect("the receiver still listens")
    }

    /// Whether no webhook has arrived that was not read yet.
    pub async fn is_empty(&self) -> bool {
        self.received.lock().await.try_recv().is_err()
    }

    /// Stops to listen.
    pub async fn stop(&self) {
        self.server.stop(false).await;
    }
}
