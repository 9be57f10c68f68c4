//! A site over the fakes, and requests to it.

use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::{Bytes, Data};
use fakes::{FakeSeeds, FakeSms, FixedClock, MemStore, PlainSealer, SeededEntropy};
use futures_util::future::join_all;
use kernel::Raffle;
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use serde_json::{Value, json};
use sms::ConsentDefault;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use usecases::campaigns::SmsRules;
use web::{
    AdminSignIn, Administrator, AppState, BlockingPool, Client, CoalescingCache, Collector, HeaderSettings,
    MemoryLimiter, NoLimits, PasswordCheck, SecurityHeaders, SiteSecrets, SmsServices, TrustedProxies,
    VisitorTokens,
};

/// The whole site over a store of its own.
macro_rules! application {
    ($store:expr, $state:expr) => {{
        let collector = Collector::start($store.clone()).unwrap();
        web::application(Data::new($store.clone()), Data::new($state), Data::new(collector))
    }};
}

/// The administrator's password.
pub(crate) const PASSWORD: &str = "correct horse";

/// Knows the administrator's password without the work of hashing, and counts how often it was asked.
#[derive(Default)]
pub(crate) struct CountingCheck(AtomicUsize);

impl CountingCheck {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl PasswordCheck for CountingCheck {
    fn fits(&self, password: &SecretString) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst);
        password.expose_secret() == PASSWORD
    }
}

/// What signs tokens; the sevens are `a_site`'s own.
pub(crate) fn secrets(current: u8, previous: &[u8]) -> SiteSecrets {
    let secret = |byte| SecretSlice::from(vec![byte; 32]);
    SiteSecrets::new(secret(current), previous.iter().copied().map(secret).collect())
}

/// `anna`, whose password this knows.
pub(crate) fn anna(secrets: &SiteSecrets, password: Arc<dyn PasswordCheck>, limited: bool) -> AdminSignIn {
    let anna = Administrator {
        username: "anna".to_owned(),
        password,
    };
    AdminSignIn::new(secrets, Some(anna), limited).unwrap()
}

/// Every site has seeds of its own, as every process has.
static SITES: AtomicU64 = AtomicU64::new(0);

pub(crate) fn a_site() -> AppState {
    AppState {
        clock: Arc::new(FixedClock::default()),
        entropy: Arc::new(SeededEntropy::default()),
        seeds: Arc::new(FakeSeeds::new(SITES.fetch_add(1, Ordering::Relaxed))),
        sealer: Arc::new(PlainSealer::default()),
        public_origin: "https://example.org".to_owned(),
        visitors: VisitorTokens::new(&secrets(7, &[]), false),
        admin: anna(&secrets(7, &[]), Arc::new(CountingCheck::default()), true),
        consent_default: ConsentDefault::None,
        trusted_proxies: TrustedProxies::default(),
        limiter: Arc::new(NoLimits),
        flows: BlockingPool::start(4).unwrap(),
        drawings: BlockingPool::in_background("drawing", 64).unwrap(),
        time_zone: chrono_tz::America::New_York,
        dashboard: CoalescingCache::default(),
        fraud_accounts_per_ip: 3,
        payments: None,
        sms: sms(),
        client: Client::absent(),
        headers: SecurityHeaders::new(&HeaderSettings::default()),
    }
}

/// No account, and no quiet hours.
pub(crate) fn sms() -> SmsServices {
    let rules = SmsRules {
        public_origin: "https://example.org".to_owned(),
        time_zone: chrono_tz::America::New_York,
        quiet_hours: None,
        monthly_cap: 1,
    };
    SmsServices {
        environment: None,
        callbacks: Arc::new(FakeSms::default()),
        rules: Arc::new(rules),
        max_per_second: 10,
    }
}

pub(crate) fn with_limits(state: AppState) -> AppState {
    AppState {
        limiter: Arc::new(MemoryLimiter::new()),
        ..state
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
pub(crate) async fn ask_all(store: &MemStore, state: AppState, requests: Vec<TestRequest>) -> Vec<Answer> {
    let app = init_service(application!(store, state)).await;
    let mut answers = Vec::new();
    for request in requests {
        answers.push(send(&app, request).await);
    }
    answers
}

/// Sends requests to one site, all at once, and tells of each answer as it comes.
pub(crate) async fn ask_at_once(
    store: &MemStore,
    state: AppState,
    requests: Vec<TestRequest>,
    heard: impl Fn(&Answer),
) -> Vec<Answer> {
    let app = init_service(application!(store, state)).await;
    let ask = async |request| {
        let answer = send(&app, request).await;
        heard(&answer);
        answer
    };
    join_all(requests.into_iter().map(ask)).await
}

pub(crate) async fn ask(store: &MemStore, request: TestRequest) -> Answer {
    ask_all(store, a_site(), vec![request]).await.remove(0)
}

/// Opens the first commitment of a raffle, as the program does when it starts.
pub(crate) fn open_commitment(store: &MemStore, raffle: Raffle) {
    usecases::commitments::ensure_open(store, a_site().drawing_tools(), raffle).unwrap();
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

pub(crate) fn login(username: &str, password: &str) -> TestRequest {
    let body = json!({"username": username, "password": password});
    post("/api/admin/login", &body.to_string())
}

/// Signs the administrator in, and gives the session's token.
pub(crate) async fn sign_in(store: &MemStore) -> String {
    let answer = ask(store, login("anna", PASSWORD)).await;
    answer.json()["sessionToken"].as_str().unwrap().to_owned()
}

/// The request, from within a session.
pub(crate) fn signed(request: TestRequest, token: &str) -> TestRequest {
    request.insert_header(("Authorization", format!("Bearer {token}")))
}

pub(crate) fn post(path: &str, body: &str) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_owned())
}

pub(crate) fn get(path: &str) -> TestRequest {
    TestRequest::get().uri(path)
}
