//! The application on the fakes, and requests to it.

use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::{Bytes, Data};
use chrono::TimeDelta;
use claims::ClaimKey;
use codes::CodeKey;
use drawing::beacon::{BeaconSignature, BeaconVerifier, Chain, Round};
use fakes::{FakePictures, FakeSeeds, FakeSms, FixedClock, MemStore, PlainSealer, SeededEntropy};
use fraud::FraudRules;
use futures_util::future::{join, join_all};
use kernel::StaffName;
use pricing::EntryCap;
use privacy::{Journal, JournalEntry, JournalError, RequestKey, RequestKeys};
use push::EndpointRules;
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use serde_json::{Value, json};
use sms::ConsentDefault;
use staff::PasswordTag;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use usecases::accounts::AccountError;
use usecases::campaigns::SmsRules;
use usecases::drawings::Schedule;
use web::{
    AdminSignIn, Administrator, AppState, ClaimServices, Client, CoalescingCache, CodeServices, Collector,
    DashboardCache, DrawingSettings, GeoHeaders, HeaderSettings, KnownCredentials, MemoryLimiter, NoLimits,
    PasswordCheck, PictureQueue, PoolSize, PrivacyServices, PushSettings, Readiness, RequestPool,
    RequestPools, SecurityHeaders, SignInSettings, SiteIdentity, SmsServices, StaffSettings, StaffToken,
    Stopping, TokenKeys, TokenKind, TrackingOrigins, TrustedProxies, Turns, VisitorTokens,
};

/// The whole application.
macro_rules! application {
    ($store:expr, $state:expr) => {{
        keep_administrator($store, &$state);
        let collector = Collector::start($store.clone()).unwrap();
        let pools = Data::new(request_pools($store, 1024));
        web::application(pools, Data::new($state), Data::new(collector))
    }};
}

/// The administrator's password.
pub(crate) const PASSWORD: &str = "correct horse";

/// Compares with the administrator's password without hashing, and counts how often it is called.
#[derive(Default)]
pub(crate) struct CountingPasswordCheck(AtomicUsize);

impl CountingPasswordCheck {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl PasswordCheck for CountingPasswordCheck {
    fn verify(&self, password: &SecretString) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst);
        password.expose_secret() == PASSWORD
    }

    fn tag(&self) -> PasswordTag {
        [7; 32]
    }
}

/// Keys of tokens. [`app_state`] uses `token_keys(7, &[])`.
pub(crate) fn token_keys<K: TokenKind>(current: u8, previous: &[u8]) -> TokenKeys<K> {
    let key = |byte| SecretSlice::from(vec![byte; 32]);
    let previous: Vec<_> = previous.iter().copied().map(key).collect();
    TokenKeys::new(&key(current), &previous)
}

/// The sign-in of the administrator `anna`.
pub(crate) fn admin_sign_in(
    tokens: TokenKeys<StaffToken>,
    password: Arc<dyn PasswordCheck>,
    limited: bool,
) -> AdminSignIn {
    let anna = Administrator {
        username: StaffName::parse("anna").unwrap(),
        password,
    };
    AdminSignIn::new(SignInSettings {
        administrator: Some(anna),
        tokens,
        browsers: token_keys(7, &[]),
        limited,
        secure: false,
    })
    .unwrap()
}

/// A second factor is optional.
pub(crate) fn staff_settings() -> StaffSettings {
    StaffSettings {
        sealer: Arc::new(PlainSealer::default()),
        totp_required: false,
        two_person: false,
    }
}

/// Keeps the account of the administrator, as the server does when it starts. A failure that a test planned for its request
/// still happens there.
pub(crate) fn keep_administrator(store: &MemStore, state: &AppState) {
    let name = state.admin.environment_name();
    let kept = usecases::accounts::keep_environment_account(store, &*state.clock, name);
    match kept {
        Ok(()) => (),
        Err(AccountError::Store(planned)) => store.fail_next(planned),
        Err(other) => panic!("{other}"),
    }
}

/// Each application gets its own random seeds, as each process does.
static APPLICATIONS: AtomicU64 = AtomicU64::new(0);

/// An application without a payment provider, an SMS account, rate limits or pages.
pub(crate) fn app_state() -> AppState {
    let application = APPLICATIONS.fetch_add(1, Ordering::Relaxed);
    AppState {
        clock: Arc::new(FixedClock::default()),
        entropy: Arc::new(SeededEntropy::new(application)),
        seeds: Arc::new(FakeSeeds::new(application)),
        seed_sealer: Arc::new(PlainSealer::default()),
        drawings: drawing_settings(),
        public_origin: "https://example.org".to_owned(),
        site: site(),
        security_contact: None,
        visitors: VisitorTokens::new(token_keys(7, &[]), false),
        phone_verification: false,
        codes: code_services(),
        claims: claim_services(),
        privacy: privacy_services(),
        push: PushSettings {
            public_key: None,
            endpoints: EndpointRules::KnownServices,
        },
        admin: admin_sign_in(
            token_keys(7, &[]),
            Arc::new(CountingPasswordCheck::default()),
            true,
        ),
        staff: staff_settings(),
        consent_default: ConsentDefault::None,
        trusted_proxies: TrustedProxies::default(),
        geo_headers: GeoHeaders::default(),
        limiter: Arc::new(NoLimits),
        readiness: Readiness::default(),
        raffles: web::KnownRaffles::new(raffle::fixtures::four()),
        time_zone: chrono_tz::America::New_York,
        dashboard: DashboardCache::default(),
        raffle_totals: CoalescingCache::lasting(Duration::ZERO),
        entry_cap: EntryCap::DEFAULT,
        fraud_rules: FraudRules {
            accounts_per_network: 3,
            flag_shared_networks: true,
        },
        payments: None,
        sms: sms_services(),
        pictures: PictureQueue::start(Arc::new(FakePictures)).unwrap(),
        client: Client::absent(),
        headers: SecurityHeaders::new(&HeaderSettings::default()),
        stopping: Stopping::default(),
    }
}

/// Who runs the site of the tests.
pub(crate) fn site() -> SiteIdentity {
    SiteIdentity {
        name: "Bees & Co.".to_owned(),
        contact_email: Some("hello@example.org".to_owned()),
        sponsor_name: None,
        sponsor_address: None,
    }
}

/// One-time codes, without limits.
pub(crate) fn code_services() -> CodeServices {
    CodeServices {
        key: CodeKey::new(&[7; 32]).unwrap(),
        sealer: Arc::new(PlainSealer::default()),
        host: "example.org".to_owned(),
        limits: false,
    }
}

/// Winners' claims.
pub(crate) fn claim_services() -> ClaimServices {
    ClaimServices {
        key: claim_key(),
        earlier_keys: Vec::new(),
        texts: Arc::new(PlainSealer::default()),
        details: Arc::new(PlainSealer::default()),
    }
}

/// Requests for data, with a journal that takes every entry.
pub(crate) fn privacy_services() -> PrivacyServices {
    PrivacyServices {
        keys: RequestKeys {
            current: RequestKey::new(&[7; 32]).unwrap(),
            earlier: Vec::new(),
        },
        journal: Arc::new(NoJournal),
    }
}

struct NoJournal;

impl Journal for NoJournal {
    fn append(&self, _: JournalEntry) -> Result<(), JournalError> {
        Ok(())
    }
}

/// The key of [`claim_services`].
pub(crate) fn claim_key() -> ClaimKey {
    ClaimKey::new(&[7; 32]).unwrap()
}

/// Staff announce drawings, without a beacon.
pub(crate) fn drawing_settings() -> DrawingSettings {
    DrawingSettings {
        schedule: Schedule::Manual,
        beacon: None,
        delay: TimeDelta::seconds(120),
        production: false,
        verifier: Arc::new(KnownSignature),
        hosts: None,
    }
}

/// The signature that [`KnownSignature`] accepts for every round.
pub(crate) const SIGNATURE: [u8; 48] = [7; 48];

/// Accepts one signature for every round. Real signatures are verified in `beacon-bls`.
struct KnownSignature;

impl BeaconVerifier for KnownSignature {
    fn verifies(&self, _: &Chain, _: Round, signature: &BeaconSignature) -> bool {
        *signature.as_bytes() == SIGNATURE
    }
}

/// Pools of eight threads each.
pub(crate) fn request_pools(store: &MemStore, queue: usize) -> RequestPools<MemStore> {
    let pool = |name| {
        let size = PoolSize { threads: 8, queue };
        RequestPool::start(name, size, store.clone()).unwrap()
    };
    RequestPools {
        visitor_reads: pool("visitor_reads"),
        visitor_writes: pool("visitor_writes"),
        visitor_codes: pool("visitor_codes"),
        turns: Turns::default(),
        callbacks: pool("callbacks"),
        console: pool("console"),
        console_writes: pool("console_writes"),
        drawings: RequestPool::in_background("drawings", 64, store.clone()).unwrap(),
        clearing: RequestPool::in_background("clearing", 8, store.clone()).unwrap(),
    }
}

/// Without an account and without quiet hours.
pub(crate) fn sms_services() -> SmsServices {
    let rules = SmsRules {
        public_origin: "https://example.org".to_owned(),
        site_name: "Tombola".to_owned(),
        time_zone: chrono_tz::America::New_York,
        hours: None,
        monthly_cap: 1,
        daily_budget: sms::DailyBudget::new(10_000),
        countries: sms::SmsCountries::default(),
    };
    SmsServices {
        environment: None,
        sealer: Arc::new(PlainSealer::default()),
        known: KnownCredentials::default(),
        callbacks: Arc::new(FakeSms::default()),
        rules: Arc::new(rules),
        max_per_second: 10,
        tracking_origins: TrackingOrigins::Any,
    }
}

pub(crate) fn with_rate_limits(state: AppState) -> AppState {
    AppState {
        limiter: Arc::new(MemoryLimiter::new()),
        ..state
    }
}

pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {:?}", self.bytes))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The status, the error code and the names of the invalid fields, such as `400 validation phoneNumber`.
    pub(crate) fn error(&self) -> String {
        let json = self.json();
        assert!(
            json["error"].as_str().is_some_and(|sentence| sentence.len() > 10),
            "{json}"
        );
        let fields = json["fields"]
            .as_object()
            .map(|fields| fields.keys().cloned().collect::<Vec<_>>());
        let parts = [
            self.status.as_str(),
            json["code"].as_str().unwrap(),
            &fields.unwrap_or_default().join(","),
        ];
        parts.join(" ").trim().to_owned()
    }
}

/// Sends requests to one application, one after the other.
pub(crate) async fn send_all(store: &MemStore, state: AppState, requests: Vec<TestRequest>) -> Vec<Response> {
    let app = init_service(application!(store, state)).await;
    let _still = StillTime::begin();
    let mut responses = Vec::new();
    for request in requests {
        responses.push(dispatch(&app, request).await);
    }
    responses
}

/// Time that stands still until this is dropped, so that no deadline passes, however busy the machine is: Tokio does not move a
/// paused clock on while one of its threads works.
pub(crate) struct StillTime(Option<mpsc::Sender<()>>);

impl StillTime {
    pub(crate) fn begin() -> Self {
        let (guard, dropped) = mpsc::channel();
        tokio::time::pause();
        tokio::task::spawn_blocking(move || dropped.recv());
        Self(Some(guard))
    }
}

impl Drop for StillTime {
    fn drop(&mut self) {
        tokio::time::resume();
        self.0.take();
    }
}

/// Sends one request to a new application with these pools.
pub(crate) async fn send_with_pools(
    store: &MemStore,
    pools: RequestPools<MemStore>,
    request: TestRequest,
) -> Response {
    let collector = Data::new(Collector::start(store.clone()).unwrap());
    let state = app_state();
    keep_administrator(store, &state);
    let app = web::application(Data::new(pools), Data::new(state), collector);
    dispatch(&init_service(app).await, request).await
}

/// Sends requests to one application concurrently, and calls `on_response` with each response as it arrives.
pub(crate) async fn send_concurrently(
    store: &MemStore,
    state: AppState,
    requests: Vec<TestRequest>,
    on_response: impl Fn(&Response),
) -> Vec<Response> {
    let app = init_service(application!(store, state)).await;
    let send = async |request| {
        let response = dispatch(&app, request).await;
        on_response(&response);
        response
    };
    join_all(requests.into_iter().map(send)).await
}

/// Sends requests to one application concurrently. `meanwhile` runs once all of them have been sent.
pub(crate) async fn send_while(
    store: &MemStore,
    state: AppState,
    requests: Vec<TestRequest>,
    meanwhile: impl Future<Output = ()>,
) -> Vec<Response> {
    let app = init_service(application!(store, state)).await;
    let responses = join_all(requests.into_iter().map(|request| dispatch(&app, request)));
    join(responses, meanwhile).await.0
}

/// Sends one request to a new application.
pub(crate) async fn send(store: &MemStore, request: TestRequest) -> Response {
    send_all(store, app_state(), vec![request]).await.remove(0)
}

async fn dispatch<A, B>(app: &A, request: TestRequest) -> Response
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
    Response {
        status,
        headers,
        bytes: read_body(response).await,
    }
}

/// A request that enters a raffle.
/// An entrant of garden-bag, and the cookie of the browser that entered.
pub(crate) struct Own {
    pub(crate) id: i64,
    cookie: String,
}

impl Own {
    pub(crate) async fn entered(store: &MemStore, n: u32) -> Self {
        let body = json!({"phoneNumber": format!("555123{n:04}")}).to_string();
        let response = send(store, register(&body)).await;
        let cookie = response.header("set-cookie").split(';').next().unwrap();
        Self {
            id: response.json()["user"]["id"].as_i64().unwrap(),
            cookie: cookie.to_owned(),
        }
    }

    /// The path of something of this entrant.
    pub(crate) fn path(&self, end: &str) -> String {
        format!("/api/users/{}/{end}", self.id)
    }

    /// A request of the browser that entered.
    pub(crate) fn with_cookie(&self, request: TestRequest) -> TestRequest {
        request.insert_header(("Cookie", self.cookie.clone()))
    }

    /// Sends a request of the browser that entered to a new application.
    pub(crate) async fn send(&self, store: &MemStore, request: TestRequest) -> Response {
        send(store, self.with_cookie(request)).await
    }
}

pub(crate) fn register(body: &str) -> TestRequest {
    post("/api/users/register", body)
}

/// A request that enters a raffle with a referral code.
pub(crate) fn register_referred(body: &str) -> TestRequest {
    post("/api/users/register-referred", body)
}

pub(crate) fn login(username: &str, password: &str) -> TestRequest {
    let body = json!({"username": username, "password": password});
    post("/api/admin/login", &body.to_string())
}

/// Signs the administrator in and returns the session token.
pub(crate) async fn sign_in(store: &MemStore) -> String {
    let response = send(store, login("anna", PASSWORD)).await;
    response.json()["sessionToken"].as_str().unwrap().to_owned()
}

/// The request with a session token.
pub(crate) fn authorized(request: TestRequest, token: &str) -> TestRequest {
    request.insert_header(("Authorization", format!("Bearer {token}")))
}

/// Reads a path of the console.
pub(crate) async fn get_with_session(store: &MemStore, token: &str, path: &str) -> Response {
    send(store, authorized(get(path), token)).await
}

/// Posts to a path of the console.
pub(crate) async fn post_with_session(store: &MemStore, token: &str, path: &str, body: &Value) -> Response {
    send(store, authorized(post(path, &body.to_string()), token)).await
}

pub(crate) fn post(path: &str, body: &str) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_owned())
}

pub(crate) fn put(path: &str, body: &Value) -> TestRequest {
    TestRequest::put()
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_string())
}

pub(crate) fn get(path: &str) -> TestRequest {
    TestRequest::get().uri(path)
}

/// A CSV file without its byte order mark and the quotes that its cells do not need.
pub(crate) fn csv_text(file: &Response) -> String {
    assert_eq!(file.status, 200, "{:?}", file.bytes);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    let cells = file.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(cells);
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in reader.records() {
        writer.write_record(&row.unwrap()).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}
