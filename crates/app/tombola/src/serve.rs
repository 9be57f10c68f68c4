//! `tombola serve`: wires the ports to their adapters, and finishes open requests when it stops.

use crate::client;
use crate::config::{AdminPassword, Config, Environment};
use crate::connections::ConnectionLimits;
use crate::database::{DatabaseUrls, check_role};
use crate::listen::{bind, listen};
use crate::pools::Stores;
use crate::privacy::FileJournal;
use crate::redis_limiter::RedisLimiter;
use crate::workers::Workers;
use crate::{OsEntropy, OsSeeds, SystemClock};
use actix_web::dev::ServerHandle;
use actix_web::{App, HttpServer, web::Data};
use anyhow::{Context, anyhow};
use beacon_drand::{BlsVerifier, DrandBeacon};
use chrono::TimeDelta;
use drawing::beacon::Beacon;
use fraud::FraudRules;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use payments_stripe::{StripeConfig, StripePayments, StripeWebhooks, Timeouts};
use pictures::ChildMaker;
use push::EndpointRules;
use secrecy::ExposeSecret;
use sms_twilio::TwilioCallbacks;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;
use std::time::Duration;
use store_postgres::PgStore;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{Instant, interval, sleep, sleep_until};
use url::Url;
use usecases::campaigns::SmsRules;
use usecases::drawings::Schedule;
use web::{
    AdminSignIn, Administrator, AppState, Argon2Hash, ClaimServices, Client, ClientSettings, CoalescingCache,
    CodeServices, Collector, DashboardCache, DrawingSettings, HeaderSettings, KnownCredentials,
    MemoryLimiter, NoLimits, PaymentGateway, PictureQueue, PrivacyServices, PushSettings, RateLimiter,
    Readiness, SecurityHeaders, SignInSettings, SmsServices, StaffSettings, Stopping, VisitorTokens,
};

/// How old the totals behind the odds of entrants may be: counting a million entrants takes a second.
const RAFFLE_TOTALS_AGE: Duration = Duration::from_secs(60);
/// How long a graceful stop may take (D33): a little less than supervisors wait.
const STOP_WITHIN: Duration = Duration::from_secs(9);
/// How often idle rate limits are evicted and the pool's metrics are updated.
const TICK: Duration = Duration::from_secs(15);
/// Histogram buckets in seconds, from 1 ms to 10 s.
const LATENCY_BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Serves until SIGTERM or SIGINT.
///
/// # Errors
/// When the database cannot be migrated, its role could change logs in production, or the server cannot listen on an address.
pub fn serve(config: &Config) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        // On a thread of its own, because what does not need the database takes as long.
        let database = scope.spawn(|| prepare_database(config));
        actix_web::rt::System::new().block_on(run(config, database))
    })
}

fn prepare_database(config: &Config) -> anyhow::Result<()> {
    let applied = DatabaseUrls::from(&config.database).prepare()?;
    tracing::info!(applied, "the database is up to date");
    check_role(config)
}

async fn run(config: &Config, database: ScopedJoinHandle<'_, anyhow::Result<()>>) -> anyhow::Result<()> {
    // First, because what is started before it records no metrics.
    let metrics_handle = start_metrics(config).await?;
    let number_keys = config.keys.number_keys().context("SECRET_KEY")?;
    let stores = Stores::new(&config.database, &number_keys);
    let store = stores.workers.clone();
    let pools = Data::new(
        stores
            .request_pools(&config.database)
            .context("cannot start a thread")?,
    );
    let memory_limiter = Arc::new(MemoryLimiter::new());
    let state = Data::new(state(config, memory_limiter.clone()).await?);
    database
        .join()
        .map_err(|_| anyhow!("the thread that prepares the database panicked"))??;

    let name = state.admin.environment_name();
    usecases::accounts::keep_environment_account(&store, &*state.clock, name).context("ADMIN_USERNAME")?;
    usecases::start_settings::record(&store, &*state.clock, &start_settings(&state))
        .context("cannot record changed settings")?;
    publish_rules(&store, &state)?;
    let raffles =
        usecases::raffles::shown(&store, state.clock.now()).context("cannot ask for the raffles")?;
    state.raffles.set(raffles.list.clone());
    state
        .client
        .start_showing(raffles)
        .context("cannot show the raffles")?;
    let first_owner_url = first_owner_url(config, &store, &state)?;

    let listener =
        bind(config.bind).with_context(|| format!("BIND_ADDR: cannot listen on {}", config.bind))?;
    let address = listener.local_addr()?;
    let (stopping, is_stopping) = watch::channel(false);
    let collector = Data::new(Collector::start(store).context("cannot start a thread")?);
    let stop = Stop {
        announced: state.stopping.clone(),
        drain: config.drain,
        senders: stopping,
    };
    let served = state.clone();
    let application = move || web::application(pools.clone(), served.clone(), collector.clone());
    let server = listen(listener, connection_limits(config), STOP_WITHIN, application)?;
    if let Some(url) = first_owner_url {
        print_first_owner(&url)?;
    }
    announce(config, address);
    actix_web::rt::spawn(stop_on_signal(server.handle(), stop));
    let serving = actix_web::rt::spawn(server);
    // The server begins to answer. Its work in the background starts after that, so that no visitor waits for it.
    yield_now().await;

    let workers = Workers::start(config, &stores, &state, &is_stopping)?;
    actix_web::rt::spawn(tick(stores, memory_limiter, metrics_handle));
    serving.await?.context("the server failed")?;
    workers.stop();
    tracing::info!("stopped");
    Ok(())
}

fn connection_limits(config: &Config) -> ConnectionLimits {
    ConnectionLimits {
        per_address: config.connections_per_address,
        trusted: config.trusted_proxies.clone(),
        write_timeout: config.write_timeout,
    }
}

/// A link that makes the first owner, while nobody has an account on a server for development (D72).
fn first_owner_url(config: &Config, store: &PgStore, state: &AppState) -> anyhow::Result<Option<String>> {
    if !config.offers_first_owner() {
        return Ok(None);
    }
    let link = usecases::accounts::first_owner(store, &state.staff_tools());
    let link = link.context("cannot make a link for the first owner")?;
    Ok(link.map(|link| state.first_owner_url(&link.token)))
}

/// Not through the log, which may be kept: the link holds a secret.
fn print_first_owner(url: &str) -> anyhow::Result<()> {
    let text = format!(
        "\nNobody can sign in to the console yet. This link makes the first owner, once, within 24 hours:\n  {url}\n\n"
    );
    std::io::stderr()
        .write_all(text.as_bytes())
        .context("cannot write")
}

/// Stores the official rules as a new version when the settings, or this program, make another text than before.
/// The settings that decide who may do what alone, and how winners are drawn, by their variables.
fn start_settings(state: &AppState) -> [(&'static str, String); 5] {
    let drawings = state.drawing_tools();
    let named = |is_on, [on, off]: [&str; 2]| if is_on { on } else { off }.to_owned();
    [
        ("DRAWING_BEACON", drawings.beacon_choice().to_string()),
        (
            "DRAWING_SCHEDULE",
            named(drawings.schedule == Schedule::Monthly, ["monthly", "manual"]),
        ),
        ("ENTRY_CAP_PER_MONTH", state.entry_cap.get().to_string()),
        (
            "STAFF_TOTP",
            named(state.staff.totp_required, ["required", "optional"]),
        ),
        ("TWO_PERSON", named(state.staff.two_person, ["on", "off"])),
    ]
}

fn publish_rules(store: &PgStore, state: &AppState) -> anyhow::Result<()> {
    let newest = usecases::rules::publish(store, state.time_zone, &state.rules_text())
        .context("cannot store the official rules")?;
    let head = newest.head;
    tracing::info!(version = head.stamp.version, hash = %head.stamp.hash, from = %head.from, "the official rules");
    Ok(())
}

/// The hosts of the beacon that decides new drawings, if there is one.
fn beacon(config: &Config) -> anyhow::Result<Option<Arc<dyn Beacon>>> {
    let Some(chain) = config.drawings.chain.clone() else {
        return Ok(None);
    };
    let beacon = DrandBeacon::new(chain, beacon_drand::Timeouts::default()).context("DRAWING_BEACON")?;
    Ok(Some(Arc::new(beacon)))
}

/// What requests share.
///
/// # Errors
/// When a setting cannot be used.
pub(crate) async fn state(config: &Config, memory_limiter: Arc<MemoryLimiter>) -> anyhow::Result<AppState> {
    let visitors = VisitorTokens::new(config.keys.visitor_tokens(), config.is_production());
    let client = load_client(config, visitors.cookie_name())?;
    let headers = SecurityHeaders::new(&HeaderSettings {
        production: config.is_production(),
        stripe: config.stripe.is_some(),
        stand_in: config.stand_in.clone(),
        ads_pixel: config.ads_pixel.is_some(),
        script_hashes: client.script_hashes.clone(),
        style_hashes: client.style_hashes.clone(),
    });
    let limiter: Arc<dyn RateLimiter> = match &config.redis {
        _ if !config.rate_limits => Arc::new(NoLimits),
        Some(redis) => Arc::new(RedisLimiter::new(redis, memory_limiter)?),
        None => memory_limiter,
    };
    Ok(AppState {
        clock: Arc::new(SystemClock),
        entropy: Arc::new(OsEntropy),
        seeds: Arc::new(OsSeeds),
        seed_sealer: Arc::new(config.keys.sealer::<drawing::Secrets, _>(OsEntropy)),
        drawings: DrawingSettings {
            schedule: config.drawings.schedule,
            beacon: config.drawings.chain.clone(),
            delay: TimeDelta::from_std(config.drawings.delay).context("DRAWING_DELAY")?,
            production: config.is_production(),
            verifier: Arc::new(BlsVerifier),
            hosts: beacon(config)?,
        },
        public_origin: config.public_origin.clone(),
        site: config.site.clone(),
        security_contact: config.security_contact.clone(),
        visitors,
        phone_verification: phone_verification(config),
        codes: codes(config)?,
        claims: claims(config)?,
        privacy: PrivacyServices {
            keys: config.keys.request_keys().context("SECRET_KEY")?,
            journal: Arc::new(FileJournal::configured(config)),
        },
        push: push_settings(config),
        admin: AdminSignIn::new(SignInSettings {
            administrator: administrator(config)?,
            tokens: config.keys.staff_tokens(),
            browsers: config.keys.staff_browsers(),
            limited: config.rate_limits,
            secure: config.public_origin.starts_with("https://"),
        })?,
        staff: StaffSettings {
            sealer: Arc::new(config.keys.sealer::<staff::TotpSecret, _>(OsEntropy)),
            totp_required: config.totp_required,
            two_person: config.two_person,
        },
        consent_default: config.sms.consent_default,
        trusted_proxies: config.trusted_proxies.clone(),
        geo_headers: config.geo_headers.clone(),
        limiter,
        readiness: Readiness::default(),
        raffles: web::KnownRaffles::default(),
        time_zone: config.time_zone,
        dashboard: DashboardCache::default(),
        raffle_totals: CoalescingCache::lasting(RAFFLE_TOTALS_AGE),
        entry_cap: config.entry_cap,
        fraud_rules: fraud_rules(config),
        payments: payments(config)?,
        sms: sms(config),
        pictures: PictureQueue::start(Arc::new(picture_maker()?))?,
        client,
        headers,
        stopping: Stopping::default(),
    })
}

/// This program, in a process of its own for each upload.
fn picture_maker() -> anyhow::Result<ChildMaker> {
    let program = std::env::current_exe().context("cannot find this program")?;
    Ok(ChildMaker::new(program, "make-picture"))
}

/// In development, a stand-in on this machine may take the messages.
fn push_settings(config: &Config) -> PushSettings {
    PushSettings {
        public_key: config.push.as_ref().map(|vapid| vapid.public_key().to_owned()),
        endpoints: match config.environment {
            Environment::Production => EndpointRules::KnownServices,
            Environment::Development => EndpointRules::KnownServicesAndLoopback,
        },
    }
}

/// Where nobody proves a phone number, an account is flagged just for its network; where people do, families share one.
fn fraud_rules(config: &Config) -> FraudRules {
    FraudRules {
        accounts_per_network: config.fraud_accounts_per_ip,
        flag_shared_networks: !config.phone_verification,
    }
}

/// Without Stripe's keys nothing can be bought, and the pages show no packages.
fn payments(config: &Config) -> anyhow::Result<Option<Arc<PaymentGateway>>> {
    let Some(stripe) = &config.stripe else {
        tracing::info!("STRIPE_SECRET_KEY: not set, so nothing can be bought");
        return Ok(None);
    };
    let provider = StripeConfig {
        secret_key: stripe.secret_key.clone(),
        api_base: stripe.api_base.parse().context("STRIPE_API_BASE")?,
        patience: Timeouts::default(),
    };
    Ok(Some(Arc::new(PaymentGateway {
        publishable_key: stripe.publishable_key.clone(),
        payments: Arc::new(StripePayments::new(provider, Arc::new(OsEntropy))?),
        webhooks: Arc::new(StripeWebhooks::new(stripe.webhook_secret.clone())),
    })))
}

/// How winners claim their prizes.
pub(crate) fn claims(config: &Config) -> anyhow::Result<ClaimServices> {
    let (key, earlier_keys) = config.keys.claim_keys().context("SECRET_KEY")?;
    Ok(ClaimServices {
        key,
        earlier_keys,
        texts: Arc::new(config.keys.sealer::<sms::SealedText, _>(OsEntropy)),
        details: Arc::new(config.keys.sealer::<claims::ClaimSecrets, _>(OsEntropy)),
    })
}

/// How one-time codes are sent.
pub(crate) fn codes(config: &Config) -> anyhow::Result<CodeServices> {
    Ok(CodeServices {
        key: config.keys.code_key().context("SECRET_KEY")?,
        sealer: Arc::new(config.keys.sealer::<sms::SealedText, _>(OsEntropy)),
        host: host(config)?,
        limits: config.rate_limits,
    })
}

/// The host of the site, without a port.
fn host(config: &Config) -> anyhow::Result<String> {
    let origin: Url = config.public_origin.parse().context("PUBLIC_ORIGIN")?;
    Ok(origin.host_str().context("PUBLIC_ORIGIN")?.to_owned())
}

/// Whether numbers are proved with a code.
fn phone_verification(config: &Config) -> bool {
    if !config.phone_verification {
        tracing::info!("PHONE_VERIFICATION: off, so anybody can enter anybody's number");
    }
    config.phone_verification
}

fn sms(config: &Config) -> SmsServices {
    if config.twilio.is_none() {
        tracing::info!(
            "TWILIO_ACCOUNT_SID: not set, so no texts are sent unless staff save an account in the console"
        );
    }
    SmsServices {
        environment: config.twilio.clone(),
        sealer: Arc::new(config.keys.sealer::<sms::Credentials, _>(OsEntropy)),
        known: KnownCredentials::default(),
        callbacks: Arc::new(TwilioCallbacks),
        rules: Arc::new(SmsRules {
            public_origin: config.public_origin.clone(),
            site_name: config.site.name.clone(),
            time_zone: config.time_zone,
            hours: config.sms.hours.clone(),
            monthly_cap: config.sms.monthly_cap,
            daily_budget: config.sms.daily_budget,
            countries: config.sms.countries.clone(),
        }),
        max_per_second: config.sms.max_per_second,
        tracking_origins: config.sms.tracking_origins.clone(),
    }
}

fn administrator(config: &Config) -> anyhow::Result<Option<Administrator>> {
    let Some(admin) = &config.admin else {
        tracing::warn!(
            "ADMIN_USERNAME: not set, so nobody can sign in to the console; set it, and ADMIN_PASSWORD_HASH to the output of `tombola admin hash-password`"
        );
        return Ok(None);
    };
    let password = match &admin.password {
        AdminPassword::Hash(hash) => Argon2Hash::parse(hash.expose_secret()),
        AdminPassword::Plain(password) => {
            let salt = config.keys.admin_password_salt();
            Argon2Hash::salted(password, salt.expose_secret())
        }
    };
    Ok(Some(Administrator {
        username: admin.username.clone(),
        password: Arc::new(password.context("ADMIN_PASSWORD_HASH")?),
    }))
}

fn load_client(config: &Config, visitor_cookie: &'static str) -> anyhow::Result<Client> {
    let settings = ClientSettings {
        origin: config.public_origin.clone(),
        time_zone: config.time_zone,
        site: config.site.clone(),
        visitor_cookie,
        retention_days: config.retention.days.to_string(),
        ads_pixel: config.ads_pixel.clone(),
        stand_in: config.stand_in.clone(),
        inbox: demo_inbox(config),
        phone_verification: config.phone_verification,
    };
    client::load(config.client_dir.as_deref(), &settings)
}

/// In a demo whose sign-ups need a code, the page of the stand-in on which the codes arrive.
fn demo_inbox(config: &Config) -> Option<String> {
    let shows_codes = config.stand_in.is_some() && config.phone_verification;
    let stand_in = config.twilio_api_base.trim_end_matches('/');
    shows_codes.then(|| format!("{stand_in}/inbox"))
}

fn announce(config: &Config, address: SocketAddr) {
    if config.environment == Environment::Development {
        tracing::warn!(
            "APP_ENV is development: the default keys are public and the checks are loose; not for real visitors"
        );
    }
    if let Some(stand_in) = &config.stand_in {
        tracing::warn!(%stand_in, "DEMO is on: every page says so, and payments go to the stand-in");
    }
    let version = env!("CARGO_PKG_VERSION");
    tracing::info!(%address, origin = config.public_origin, version, "serving");
}

/// Records metrics, and serves them on their own address, which only the operator's network should reach.
async fn start_metrics(config: &Config) -> anyhow::Result<Option<PrometheusHandle>> {
    let Some(address) = config.metrics else {
        return Ok(None);
    };
    let metrics_handle = PrometheusBuilder::new()
        .set_buckets(&LATENCY_BUCKETS)?
        .install_recorder()
        .context("cannot record metrics")?;
    let handle = Data::new(metrics_handle.clone());
    let render = |metrics_handle: Data<PrometheusHandle>| std::future::ready(metrics_handle.render());
    let listener = bind(address).with_context(|| format!("METRICS_ADDR: cannot listen on {address}"))?;
    let address = listener.local_addr()?;
    let server = HttpServer::new(move || {
        App::new()
            .app_data(handle.clone())
            .route("/metrics", actix_web::web::get().to(render))
    })
    .workers(1)
    .disable_signals()
    .listen(listener)?
    .run();
    actix_web::rt::spawn(server);
    tracing::info!(%address, "serving metrics at /metrics");
    Ok(Some(metrics_handle))
}

async fn tick(stores: Stores, limiter: Arc<MemoryLimiter>, metrics_handle: Option<PrometheusHandle>) {
    let mut ticks = interval(TICK);
    loop {
        ticks.tick().await;
        limiter.evict_idle();
        stores.record_connections();
        forget_codes(stores.workers.clone()).await;
        if let Some(metrics_handle) = &metrics_handle {
            metrics_handle.run_upkeep();
        }
    }
}

/// Forgets sign-ups whose code has expired, and codes that no limit counts. Several servers may do so at the same time.
async fn forget_codes(store: PgStore) {
    let forget = move || usecases::phone_verification::forget(&store, &SystemClock);
    if let Ok(Err(error)) = tokio::task::spawn_blocking(forget).await {
        tracing::warn!(%error, "cannot forget sign-ups whose code has expired");
    }
}

/// What the server does when it is told to stop.
struct Stop {
    /// Makes `/readyz` answer 503, and every answer close its connection.
    announced: Stopping,
    /// How long requests are still accepted after that.
    drain: Duration,
    /// Ends the senders of texts and of push messages.
    senders: watch::Sender<bool>,
}

/// SIGTERM: announces the stop and goes on for a while, so that proxies send their requests elsewhere and every kept
/// connection gets an answer that closes it. Then, or on SIGINT at once, the server finishes open requests, for at most
/// [`STOP_WITHIN`].
async fn stop_on_signal(server: ServerHandle, stop: Stop) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("cannot listen for signals");
        return;
    };
    let drains = tokio::select! {
        _ = terminate.recv() => true,
        _ = interrupt.recv() => false,
    };
    stop.announced.begin();
    let _ = stop.senders.send(true);
    if drains {
        tracing::info!(seconds = stop.drain.as_secs(), "draining: not ready any more");
        tokio::select! {
            () = sleep(stop.drain) => {}
            _ = interrupt.recv() => {}
        }
    }
    tracing::info!("stopping: finishing open requests");
    let deadline = Instant::now() + STOP_WITHIN;
    tokio::select! {
        () = server.stop(true) => {}
        () = sleep_until(deadline) => {
            tracing::warn!("some requests did not end in time");
            server.stop(false).await;
        }
        _ = interrupt.recv() => server.stop(false).await,
    }
}
