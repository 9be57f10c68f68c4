//! Somebody whom the stand-in calls.

use actix_web::dev::ServerHandle;
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};

pub(crate) const TWIML: &str = "<Response><Message>Help</Message></Response>";

pub(crate) struct Listener {
    pub(crate) url: String,
    arrived: Mutex<mpsc::UnboundedReceiver<Call>>,
    server: ServerHandle,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) signature: String,
    pub(crate) query: String,
    form: BTreeMap<String, String>,
}

impl Call {
    pub(crate) fn get(&self, name: &str) -> &str {
        self.form.get(name).map(String::as_str).unwrap_or_default()
    }
}

impl Listener {
    pub(crate) async fn open() -> Self {
        let (heard, arrived) = mpsc::unbounded_channel();
        let heard = Data::new(heard);
        let app = move || {
            App::new()
                .app_data(heard.clone())
                .route("/hook", web::post().to(hear))
        };
        let http = HttpServer::new(app)
            .workers(1)
            .disable_signals()
            .bind("127.0.0.1:0")
            .unwrap();
        let url = format!("http://{}/hook", http.addrs()[0]);
        let running = http.run();
        let server = running.handle();
        tokio::spawn(running);
        Self {
            url,
            arrived: Mutex::new(arrived),
            server,
        }
    }

    /// The call that arrives next.
    pub(crate) async fn next(&self) -> Call {
        let mut arrived = self.arrived.lock().await;
        let next = tokio::time::timeout(Duration::from_secs(60), arrived.recv());
        next.await.expect("nothing arrived").unwrap()
    }

    /// The statuses that the next calls tell of.
    pub(crate) async fn statuses(&self, count: usize) -> Vec<String> {
        let mut statuses = Vec::new();
        for _ in 0..count {
            statuses.push(self.next().await.get("MessageStatus").to_owned());
        }
        statuses
    }

    pub(crate) async fn nothing_waits(&self) -> bool {
        self.arrived.lock().await.try_recv().is_err()
    }

    pub(crate) async fn close(self) {
        self.server.stop(false).await;
    }
}

async fn hear(request: HttpRequest, body: Bytes, heard: Data<mpsc::UnboundedSender<Call>>) -> HttpResponse {
    let signature = request.headers().get("x-twilio-signature").unwrap();
    let call = Call {
        signature: signature.to_str().unwrap().to_owned(),
        query: request.query_string().to_owned(),
        form: url::form_urlencoded::parse(&body).into_owned().collect(),
    };
    heard.send(call).unwrap();
    HttpResponse::Ok().content_type("text/xml").body(TWIML)
}
