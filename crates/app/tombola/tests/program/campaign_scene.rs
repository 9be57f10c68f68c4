//! A campaign against the Twilio stand-in: the database, the provider, servers and a console session.

use crate::proxy::Front;
use crate::server::{Server, wait_within};
use crate::stand_in::StandIn;
use crate::support::{TestDatabase, connect, execute, number};
use serde_json::{Value, json};
use stand_ins::twilio::Config;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub(crate) const SID: &str = "AC0123456789abcdef0123456789abcdef";

pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";

pub(crate) const ADMIN: [(&str, &str); 2] = [
    ("ADMIN_USERNAME", "admin"),
    ("ADMIN_PASSWORD", "only-for-the-tests"),
];

/// A timeout for a whole campaign with provider errors, on a busy machine.
const LONG: Duration = Duration::from_secs(600);

/// Adds entrants who consented. Of each hundred, the first opted out, the second is flagged and the third withdrew the
/// consent.
pub(crate) fn seed(database: &TestDatabase, entrants: u32) {
    let mut connection = connect(&database.admin_url);
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

/// How many of these entrants may get a message.
pub(crate) const fn reachable(entrants: u32) -> usize {
    (entrants - entrants / 100 * 3) as usize
}

pub(crate) struct Scene {
    pub(crate) database: TestDatabase,
    pub(crate) provider: StandIn,
    front: Front,
    per_second: &'static str,
}

impl Scene {
    pub(crate) fn new(config: Config, per_second: &'static str) -> Self {
        let start = || stand_ins::kit::StandIn::start(config);
        let provider = StandIn::start(start, |provider| (provider.url(), provider.stop()));
        Self {
            database: TestDatabase::new(),
            provider,
            front: Front::open(),
            per_second,
        }
    }

    /// Where the site is, whichever server answers.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.front.address)
    }

    /// Starts a server that gets no callbacks.
    pub(crate) fn start_beside(&self) -> Server {
        let origin = self.origin();
        let variables = [
            ("PUBLIC_ORIGIN", origin.as_str()),
            ("RATE_LIMITS", "off"),
            ("TWILIO_API_BASE", self.provider.url.as_str()),
            ("TWILIO_ACCOUNT_SID", SID),
            ("TWILIO_AUTH_TOKEN", TOKEN),
            ("TWILIO_PHONE_NUMBER", "+15550000000"),
            ("SMS_MAX_PER_SECOND", self.per_second),
            ("SITE_TIME_ZONE", "UTC"),
        ];
        Server::start(&self.database.url, &[&variables[..], &ADMIN].concat())
    }

    /// Starts a server to which the callbacks go, as they did to the one before it.
    pub(crate) fn start(&self) -> Server {
        let server = self.start_beside();
        self.front.lead_to(&server.address);
        server
    }

    pub(crate) fn message_count(&self) -> u64 {
        self.provider.get("/control/messages?limit=0")["total"]
            .as_u64()
            .unwrap()
    }

    pub(crate) fn wait_for_messages(&self, count: u64) {
        wait_within(LONG, || (self.message_count() >= count).then_some(()));
    }

    pub(crate) fn number(&self, sql: &str) -> i64 {
        number(&mut connect(&self.database.admin_url), sql)
    }

    /// Checks the provider's record: every recipient got one message, and nobody else got any.
    pub(crate) fn assert_each_once(&self, recipients: usize) {
        let record = self.provider.get("/control/messages");
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for message in record["messages"].as_array().unwrap() {
            *counts.entry(message["to"].as_str().unwrap()).or_default() += 1;
        }
        let duplicates: Vec<_> = counts.iter().filter(|(_, count)| **count > 1).collect();
        assert!(duplicates.is_empty(), "{duplicates:?}");
        assert_eq!(counts.len(), recipients);
        for unwanted in ["00", "01", "02"] {
            assert!(counts.keys().all(|to| !to.ends_with(unwanted)), "{unwanted}");
        }
        assert_eq!(self.provider.get("/control/violations")["violations"], json!([]));
    }
}

/// A session in the console.
pub(crate) struct Staff(String);

impl Staff {
    pub(crate) fn sign_in(server: &Server) -> Self {
        let [(_, name), (_, password)] = ADMIN;
        let body = json!({"username": name, "password": password});
        let (status, answer) = server.post("/api/admin/login", &body.to_string());
        assert_eq!(status, 200, "{answer}");
        Self(json_of(&answer)["sessionToken"].as_str().unwrap().to_owned())
    }

    pub(crate) fn get(&self, server: &Server, path: &str) -> Value {
        let (status, answer) = server.get_with(path, &[("X-Session-Token", &self.0)]);
        assert_eq!(status, 200, "{path}: {answer}");
        json_of(&answer)
    }

    pub(crate) fn post(&self, server: &Server, path: &str, body: &Value) -> Value {
        let request = ureq::post(server.url(path))
            .header("Content-Type", "application/json")
            .header("X-Session-Token", &self.0);
        let mut answer = request.send(body.to_string()).unwrap();
        json_of(&answer.body_mut().read_to_string().unwrap())
    }

    pub(crate) fn schedule(&self, server: &Server) -> i64 {
        let template =
            json!({"name": "June", "landingPage": "garden-bag", "messageTemplate": "Look: {LINK}"});
        let template = self.post(server, "/api/admin/sms/templates", &template);
        let campaign = json!({
            "templateId": template["id"], "campaignName": "June", "targetAudience": "all",
            "startNow": true
        });
        let campaign = self.post(server, "/api/admin/sms/campaigns/schedule", &campaign);
        campaign["id"].as_i64().unwrap()
    }

    pub(crate) fn wait_for_campaign_end(&self, server: &Server, campaign: i64) -> Value {
        wait_within(LONG, || {
            let found = self.get(server, &format!("/api/admin/sms/campaigns/{campaign}"));
            (found["campaign"]["status"] != "pending" && found["campaign"]["status"] != "sending")
                .then_some(found)
        })
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

pub(crate) fn kill(mut server: Server) {
    server.signal("KILL");
    server.wait();
}

/// A random number below `limit`, to vary the time of a kill.
pub(crate) fn random_below(limit: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(Instant::now()) % limit
}
