//! Texts, with a stand-in for the provider: killed, stopped, cut off and refused, each recipient still gets one.

use crate::server::{PATIENCE, Server};
use crate::stand_in::StandIn;
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::time::{Duration, Instant};
use twilio_stand_in::{Account, Config};

const SID: &str = "AC0123456789abcdef0123456789abcdef";
const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const ADMIN: [(&str, &str); 2] = [
    ("ADMIN_USERNAME", "admin"),
    ("ADMIN_PASSWORD", "only-for-the-tests"),
];
/// For a whole campaign on a bad day, on a busy machine.
const LONG: Duration = Duration::from_secs(600);

/// Entrants from the first number on who consented; every hundredth opted out, the next was flagged, and the one after
/// took the consent back.
fn seed(database: &TestDatabase, entrants: u32) {
    let mut connection = connect(&database.url);
    execute(
        &mut connection,
        &format!(
            "INSERT INTO users (phone_number, referral_code, landing_page, is_flagged, flagged_at)
             SELECT '+1555' || lpad(n::text, 7, '0'), upper(lpad(to_hex(n), 8, '0')), 'garden-bag', n % 100 = 1,
                    CASE WHEN n % 100 = 1 THEN now() END
             FROM generate_series(0, {entrants} - 1) AS n"
        ),
    );
    execute(
        &mut connection,
        "INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at)
         SELECT id, 'sms_campaigns', 'test', 'form', true, now() FROM users",
    );
    execute(
        &mut connection,
        "INSERT INTO user_consent (user_id, consent_type, version, act, granted)
         SELECT id, 'sms_campaigns', 'test', 'form', false FROM users WHERE phone_number LIKE '%02'",
    );
    execute(
        &mut connection,
        "INSERT INTO sms_opt_outs (phone_number, opted_out, changed_at)
         SELECT phone_number, true, now() FROM users WHERE phone_number LIKE '%00'",
    );
}

/// Of so many entrants, those who are to get a text.
const fn reachable(entrants: u32) -> usize {
    (entrants - entrants / 100 * 3) as usize
}

struct Scene {
    database: TestDatabase,
    provider: StandIn,
    address: String,
    per_second: &'static str,
}

impl Scene {
    fn new(config: Config, per_second: &'static str) -> Self {
        let start = || twilio_stand_in::StandIn::start(config);
        let provider = StandIn::start(start, |provider| (provider.url(), provider.stop()));
        // Callbacks come to where the program said it is, also after it was started anew.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        Self {
            database: TestDatabase::new(),
            provider,
            address,
            per_second,
        }
    }

    fn start_with(&self, more: &[(&str, &str)]) -> Server {
        let origin = format!("http://{}", self.address);
        let variables = [
            ("BIND_ADDR", self.address.as_str()),
            ("PUBLIC_ORIGIN", origin.as_str()),
            ("RATE_LIMITS", "off"),
            ("TWILIO_API_BASE", self.provider.url.as_str()),
            ("TWILIO_ACCOUNT_SID", SID),
            ("TWILIO_AUTH_TOKEN", TOKEN),
            ("TWILIO_PHONE_NUMBER", "+15550000000"),
            ("SMS_MAX_PER_SECOND", self.per_second),
            ("SITE_TIME_ZONE", "UTC"),
        ];
        Server::start(&self.database.url, &[&variables[..], &ADMIN, more].concat())
    }

    fn start(&self) -> Server {
        self.start_with(&[])
    }

    fn provider_has(&self) -> u64 {
        self.provider.get("/control/messages?limit=0")["total"]
            .as_u64()
            .unwrap()
    }

    fn wait_for_texts(&self, count: u64) {
        wait_for(LONG, || (self.provider_has() >= count).then_some(()));
    }

    fn number(&self, sql: &str) -> i64 {
        number(&mut connect(&self.database.url), sql)
    }

    /// Every recipient has one text, and nobody else has any: by the provider's own record.
    fn assert_each_once(&self, recipients: usize) {
        let record = self.provider.get("/control/messages");
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for message in record["messages"].as_array().unwrap() {
            *counts.entry(message["to"].as_str().unwrap()).or_default() += 1;
        }
        let doubled: Vec<_> = counts.iter().filter(|(_, count)| **count > 1).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
        assert_eq!(counts.len(), recipients);
        for unwanted in ["00", "01", "02"] {
            assert!(counts.keys().all(|to| !to.ends_with(unwanted)), "{unwanted}");
        }
        assert_eq!(self.provider.get("/control/violations")["violations"], json!([]));
    }
}

fn wait_for<T>(patience: Duration, mut condition: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(started.elapsed() < patience, "waited for {patience:?}");
        // A moment, so that waiting does not take the processors from what is waited for.
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

/// A session in the console.
struct Staff(String);

impl Staff {
    fn sign_in(server: &Server) -> Self {
        let [(_, name), (_, password)] = ADMIN;
        let body = json!({"username": name, "password": password});
        let (status, answer) = server.post("/api/admin/login", &body.to_string());
        assert_eq!(status, 200, "{answer}");
        Self(json_of(&answer)["sessionToken"].as_str().unwrap().to_owned())
    }

    fn get(&self, server: &Server, path: &str) -> Value {
        let (status, answer) = server.get_with(path, &[("X-Session-Token", &self.0)]);
        assert_eq!(status, 200, "{path}: {answer}");
        json_of(&answer)
    }

    fn post(&self, server: &Server, path: &str, body: &Value) -> Value {
        let request = ureq::post(server.url(path))
            .header("Content-Type", "application/json")
            .header("X-Session-Token", &self.0);
        let mut answer = request.send(body.to_string()).unwrap();
        json_of(&answer.body_mut().read_to_string().unwrap())
    }

    fn schedule(&self, server: &Server) -> i64 {
        let template =
            json!({"name": "June", "landingPage": "garden-bag", "messageTemplate": "Look: {LINK}"});
        let template = self.post(server, "/api/admin/sms/templates", &template);
        let campaign = json!({
            "templateId": template["id"], "campaignName": "June", "targetAudience": "all",
            "scheduledDate": "2020-01-01T00:00:00Z"
        });
        let campaign = self.post(server, "/api/admin/sms/campaigns/schedule", &campaign);
        campaign["id"].as_i64().unwrap()
    }

    fn wait_for_the_end(&self, server: &Server, campaign: i64) -> Value {
        wait_for(LONG, || {
            let found = self.get(server, &format!("/api/admin/sms/campaigns/{campaign}"));
            (found["campaign"]["status"] != "pending" && found["campaign"]["status"] != "sending")
                .then_some(found)
        })
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn kill(mut server: Server) {
    server.signal("KILL");
    server.wait();
}

/// Bytes that differ from moment to moment, for the moments of killing.
fn any_below(most: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(Instant::now()) % most
}

#[test]
fn killed_at_twenty_moments_of_a_campaign_on_a_bad_day_every_recipient_gets_one_text() {
    const ENTRANTS: u32 = 10_000;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "2000");
    scene.provider.post(
        "/control/random-failures",
        &json!({
            "rate": 0.3, "seed": 7, "atMostPerNumber": 3, "retryAfter": 0,
            "kinds": ["tooMany", "unavailable", "error", "errorAfter", "drop", "dropBefore"]
        }),
    );
    let mut server = scene.start();
    seed(&scene.database, ENTRANTS);
    let campaign = Staff::sign_in(&server).schedule(&server);
    for killing in 1..=20 {
        // Somewhere within the next twentieth of the texts.
        let share = recipients as u64 / 21;
        let so_far = scene.provider_has();
        let at = (so_far + 1 + any_below(share)).min(share * killing + share);
        scene.wait_for_texts(at.max(1));
        kill(server);
        server = scene.start();
    }
    let staff = Staff::sign_in(&server);
    let ended = staff.wait_for_the_end(&server, campaign);
    assert_eq!(ended["campaign"]["status"], "sent", "{ended}");
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    assert_eq!(
        (&ended["report"]["waiting"], &ended["report"]["unknown"]),
        (&json!(0), &json!(0)),
        "{ended}"
    );
    scene.assert_each_once(recipients);
}

#[test]
fn of_two_processes_one_sends_and_the_other_takes_over() {
    const ENTRANTS: u32 = 1_000;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "100");
    let first = scene.start();
    seed(&scene.database, ENTRANTS);
    let second = scene.start_with(&[("BIND_ADDR", "127.0.0.1:0")]);
    let staff = Staff::sign_in(&second);
    let campaign = staff.schedule(&second);
    scene.wait_for_texts(100);
    kill(first);
    let before = scene.provider_has();
    let died = Instant::now();
    scene.wait_for_texts(before + 1 + 100);
    assert!(died.elapsed() < Duration::from_secs(60), "{:?}", died.elapsed());
    let ended = staff.wait_for_the_end(&second, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
}

#[test]
fn cut_off_from_the_database_nothing_is_lost_or_doubled() {
    const ENTRANTS: u32 = 1_000;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "200");
    let server = scene.start();
    seed(&scene.database, ENTRANTS);
    let staff = Staff::sign_in(&server);
    let campaign = staff.schedule(&server);
    let (address, query) = scene.database.url.split_once('?').unwrap();
    let (cluster, name) = address.rsplit_once('/').unwrap();
    let mut elsewhere = connect(&format!("{cluster}/postgres?{query}"));
    for at in [100, 300, 500] {
        scene.wait_for_texts(at);
        execute(
            &mut elsewhere,
            &format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS false"),
        );
        execute(
            &mut elsewhere,
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        );
        // As long as a restart takes, at least: until the program has noticed.
        wait_for(PATIENCE, || {
            let (status, _) = server.get("/readyz");
            (status == 503).then_some(())
        });
        execute(
            &mut elsewhere,
            &format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS true"),
        );
    }
    let ended = staff.wait_for_the_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
}

#[test]
fn a_stop_hands_back_what_was_claimed_and_leaves_nothing_in_doubt() {
    const ENTRANTS: u32 = 1_000;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(
        Config {
            latency: Duration::from_millis(200),
            ..Config::default()
        },
        "100",
    );
    let mut server = scene.start();
    seed(&scene.database, ENTRANTS);
    let campaign = Staff::sign_in(&server).schedule(&server);
    scene.wait_for_texts(150);
    let asked = Instant::now();
    server.signal("TERM");
    assert!(server.wait().success());
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    let open = "SELECT count(*) AS n FROM sms_sent_messages WHERE status IN ('sending', 'unknown')";
    assert_eq!(scene.number(open), 0);
    let server = scene.start();
    let staff = Staff::sign_in(&server);
    let ended = staff.wait_for_the_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
}

#[test]
fn who_sends_stop_during_a_campaign_gets_none_of_it() {
    const ENTRANTS: u32 = 300;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "20");
    let server = scene.start();
    let inbound = server.url("/api/twilio/inbound");
    scene
        .provider
        .post("/control/carrier", &json!({"inboundUrl": inbound}));
    seed(&scene.database, ENTRANTS);
    let staff = Staff::sign_in(&server);
    let campaign = staff.schedule(&server);
    scene.wait_for_texts(5);
    let (late, early) = ("+15550000299", "+15550000003");
    for from in [late, early] {
        let told = json!({"from": from, "to": "+15550000000", "body": " stop "});
        let answer = scene.provider.post("/control/inbound", &told);
        assert_eq!(answer["answers"][0]["status"], 200, "{answer}");
    }
    let ended = staff.wait_for_the_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients - 1, "{ended}");
    assert_eq!(
        ended["report"]["skipped"],
        json!([{"reason": "opted_out", "count": 1}]),
        "we did not even ask the provider"
    );
    scene.assert_each_once(recipients - 1);
    let again = json!({"from": late, "to": "+15550000000", "body": "START"});
    scene.provider.post("/control/inbound", &again);
    assert_eq!(
        scene.number("SELECT count(*) AS n FROM sms_opt_outs WHERE opted_out AND phone_number LIKE '%99'"),
        0
    );
}

#[test]
fn refused_credentials_stop_everything_until_right_ones_are_saved() {
    const ENTRANTS: u32 = 200;
    let recipients = reachable(ENTRANTS);
    let account = Account {
        sid: SID.replace("AC0", "AC1"),
        auth_token: TOKEN.to_owned(),
    };
    let right = account.sid.clone();
    let scene = Scene::new(
        Config {
            account: Some(account),
            ..Config::default()
        },
        "100",
    );
    let server = scene.start();
    seed(&scene.database, ENTRANTS);
    let staff = Staff::sign_in(&server);
    let campaign = staff.schedule(&server);
    let status = wait_for(PATIENCE, || {
        let status = staff.get(&server, "/api/admin/sms/status");
        (status["halted"] == "credentials_refused").then_some(status)
    });
    assert_eq!(status["source"], "environment");
    assert_eq!(scene.provider_has(), 0);
    let saved = json!({
        "TWILIO_ACCOUNT_SID": right, "TWILIO_AUTH_TOKEN": TOKEN, "TWILIO_PHONE_NUMBER": "+15550000000"
    });
    assert_eq!(
        staff.post(&server, "/api/admin/save-credentials", &saved)["success"],
        true
    );
    let ended = staff.wait_for_the_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
    let status = staff.get(&server, "/api/admin/sms/status");
    assert_eq!(
        (&status["source"], &status["halted"]),
        (&json!("console"), &Value::Null)
    );
}

#[test]
fn a_sign_up_and_a_drawing_send_their_texts() {
    let scene = Scene::new(Config::default(), "100");
    let server = scene.start();
    assert_eq!(server.register("(555) 123-4567").0, 201);
    assert_eq!(server.register("555-123-4567").0, 200, "again: no second text");
    let message = |wanted: &str| {
        wait_for(PATIENCE, || {
            let record = scene.provider.get("/control/messages");
            let messages = record["messages"].as_array().unwrap().clone();
            messages
                .into_iter()
                .find(|message| message["body"].as_str().unwrap().contains(wanted))
        })
    };
    let code = "SELECT length(referral_code)::bigint AS n FROM users";
    assert_eq!(scene.number(code), 8);
    assert_eq!(message("/garden-bag/ref/")["to"], "+15551234567");
    let staff = Staff::sign_in(&server);
    staff.post(
        &server,
        "/api/admin/drawing/perform",
        &json!({"landingPage": "garden-bag"}),
    );
    assert_eq!(message("You won!")["to"], "+15551234567");
    assert_eq!(scene.provider_has(), 2);
}
