//! Requests of one kind cannot stop the others, and readiness (docs/adr/0013).

use crate::sms_console::{ENVIRONMENT_TOKEN, SmsConsole, status_callback_path};
use crate::support::{StillTime, app_state, authorized, get, post, register, request_pools, send, send_all};
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use chrono::{DateTime, Utc};
use fakes::{FixedClock, MemStore};
use futures_util::future::{Either, join, join_all, select};
use kernel::{Clock, StoreError, UnitOfWork};
use raffle::Entrants;
use serde_json::json;
use sms::ProviderStatus;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use web::{AppState, Collector, Readiness};

/// A clock that stops the threads of the console and of callbacks until it is dropped.
#[derive(Default)]
struct StoppingClock {
    stopped: Mutex<usize>,
    may_go: Mutex<bool>,
    changed: Condvar,
}

impl StoppingClock {
    fn release(&self) {
        *self.may_go.lock().unwrap() = true;
        self.changed.notify_all();
    }

    fn count_stopped(&self) -> usize {
        *self.stopped.lock().unwrap()
    }
}

impl Clock for StoppingClock {
    fn now(&self) -> DateTime<Utc> {
        let thread = thread::current();
        let name = thread.name().unwrap_or_default();
        if name.starts_with("console") || name.starts_with("callbacks") {
            *self.stopped.lock().unwrap() += 1;
            let waits = self.may_go.lock().unwrap();
            drop(self.changed.wait_while(waits, |may_go| !*may_go).unwrap());
        }
        FixedClock::default().now()
    }
}

/// Lets the threads go, also when the test fails.
struct Release(Arc<StoppingClock>);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// The number of threads of a pool in these tests, and of places in its queue.
const THREADS: usize = 8;
const QUEUE: usize = 4;

#[actix_web::test]
async fn visitors_are_served_while_the_console_and_the_callbacks_are_stuck() {
    let console = SmsConsole::with_sent_campaign().await;
    let sent = console.message_to(1);
    let path = status_callback_path(&sent);
    let report = console
        .sms
        .status_callback(&sent.message.id, ProviderStatus::Delivered, None);
    let callback = || {
        let url = format!("https://example.org{path}");
        SmsConsole::signed_callback(&path, &report, ENVIRONMENT_TOKEN, &url)
    };
    let staff = || authorized(get("/api/admin/audit-log"), &console.token);

    let clock = Arc::new(StoppingClock::default());
    let release = Release(clock.clone());
    let state = AppState {
        clock: clock.clone(),
        ..console.state()
    };
    let readiness = state.readiness.clone();
    let store = &console.store;
    let collector = Data::new(Collector::start(store.clone()).unwrap());
    let pools = Data::new(request_pools(store, THREADS + QUEUE));
    let app = init_service(web::application(pools, Data::new(state), collector)).await;
    let status = async |request: TestRequest| {
        let peer = "192.0.2.7:4711".parse().unwrap();
        call_service(&app, request.peer_addr(peer).to_request())
            .await
            .status()
            .as_u16()
    };

    let sent_to = store.read::<_, StoreError>(|tx| tx.find_entrant_by_phone(&sent.outgoing.to));
    let known = format!("/api/users/{}", sent_to.unwrap().unwrap().id);
    let time = StillTime::begin();
    let stuck = join_all((0..THREADS + QUEUE).flat_map(|_| [status(staff()), status(callback())]));
    let visitors = async {
        while clock.count_stopped() < 2 * THREADS {
            tokio::task::yield_now().await;
        }
        // All threads of both pools are stuck.
        for n in 0..50 {
            let phone = format!(r#"{{"phoneNumber": "55598700{n:02}"}}"#);
            assert_eq!(status(register(&phone)).await, 201);
            assert_eq!(status(get(&known)).await, 200);
        }
        assert_eq!(status(get("/readyz")).await, 200);
        // A probe counts for three seconds of real time, and entering may have taken longer on a busy machine.
        readiness.record_probe(true);
        assert_eq!(status(get("/readyz/writes")).await, 200);
        assert_eq!(status(get("/healthz")).await, 200);
    };
    // As long as the time stands still, the stuck requests get no answer, and visitors who wait for them neither.
    let visitors = pin!(visitors);
    let first = select(visitors, stuck).await;
    assert!(
        matches!(first, Either::Left(_)),
        "no visitor was served meanwhile"
    );
    drop((time, release));
}

#[actix_web::test]
async fn a_callback_waits_longer_than_staff_because_it_is_not_repeated() {
    let console = SmsConsole::with_sent_campaign().await;
    let sent = console.message_to(1);
    let path = status_callback_path(&sent);
    let report = console
        .sms
        .status_callback(&sent.message.id, ProviderStatus::Delivered, None);
    let url = format!("https://example.org{path}");
    let callback = SmsConsole::signed_callback(&path, &report, ENVIRONMENT_TOKEN, &url);
    let clock = Arc::new(StoppingClock::default());
    let release = Release(clock.clone());
    let state = AppState {
        clock,
        ..console.state()
    };
    let collector = Data::new(Collector::start(console.store.clone()).unwrap());
    let pools = Data::new(request_pools(&console.store, QUEUE));
    let app = init_service(web::application(pools, Data::new(state), collector)).await;
    let status = async |request: TestRequest| {
        let response = call_service(&app, request.to_request()).await;
        response.status().as_u16()
    };
    let staff = async {
        let refused = status(authorized(get("/api/admin/audit-log"), &console.token)).await;
        drop(release);
        refused
    };
    // The callback comes first, so it would be the first to be refused.
    assert_eq!(join(status(callback), staff).await, (200, 503));
}

#[actix_web::test]
async fn a_full_queue_of_callbacks_refuses_callbacks_only() {
    let console = SmsConsole::with_sent_campaign().await;
    let clock = Arc::new(StoppingClock::default());
    let release = Release(clock.clone());
    let sent = console.message_to(1);
    let path = status_callback_path(&sent);
    let report = console
        .sms
        .status_callback(&sent.message.id, ProviderStatus::Delivered, None);
    let callback = || {
        let url = format!("https://example.org{path}");
        SmsConsole::signed_callback(&path, &report, ENVIRONMENT_TOKEN, &url)
    };
    let state = AppState {
        clock: clock.clone(),
        ..console.state()
    };
    let collector = Data::new(Collector::start(console.store.clone()).unwrap());
    let pools = Data::new(request_pools(&console.store, QUEUE));
    let app = init_service(web::application(pools, Data::new(state), collector)).await;
    let status = async |request: TestRequest| {
        let response = call_service(&app, request.to_request()).await;
        response.status().as_u16()
    };
    let surplus = 10;
    let callbacks = (0..THREADS + QUEUE + surplus).map(|_| async {
        let status = status(callback()).await;
        if status == 503 {
            // At least one was refused at once, while all others wait.
            clock.release();
        }
        status
    });
    let statuses = join_all(callbacks).await;
    drop(release);
    let refused = statuses.iter().filter(|status| **status == 503).count();
    assert!(refused >= 1, "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [200, 503].contains(status)),
        "{statuses:?}"
    );
    assert_eq!(status(register(r#"{"phoneNumber": "5551234567"}"#)).await, 201);
}

#[actix_web::test]
async fn pages_are_ready_without_a_database_and_writes_are_not() {
    let readiness = Readiness::default();
    let paths = ["/readyz", "/readyz/writes", "/healthz"];
    for (wrote, expected) in [
        (None, 503),
        (Some(true), 200),
        (Some(false), 503),
        (Some(true), 200),
    ] {
        if let Some(wrote) = wrote {
            readiness.record_probe(wrote);
        }
        let state = AppState {
            readiness: readiness.clone(),
            ..app_state()
        };
        let responses = send_all(&MemStore::default(), state, paths.map(get).into()).await;
        let statuses: Vec<_> = responses
            .iter()
            .map(|response| response.status.as_u16())
            .collect();
        assert_eq!(statuses, [200, expected, 200], "{wrote:?}");
        let writes = if expected == 200 { "ready" } else { "unavailable" };
        assert_eq!(
            responses[0].json(),
            json!({"status": "ready", "pages": "ready", "writes": writes})
        );
        if expected == 503 {
            assert_eq!(responses[1].error(), "503 unavailable");
            assert_eq!(responses[1].header("retry-after"), "5");
        }
    }
}

#[actix_web::test]
async fn health_checks_do_not_use_the_store() {
    let store = MemStore::default();
    store.fail_next(kernel::StoreError::Conflict);
    assert_eq!(send(&store, get("/readyz")).await.status, 200);
    assert_eq!(send(&store, get("/healthz")).await.status, 200);
    let unused = send(
        &store,
        post("/api/users/register", r#"{"phoneNumber": "5551234567"}"#),
    )
    .await;
    assert_eq!(unused.error(), "503 unavailable");
}
