//! Sending messages through the Twilio stand-in: even after kills, outages and errors, each recipient gets one message.

use crate::campaign_scene::{SID, Scene, Staff, TOKEN, kill, random_below, reachable, seed};
use crate::server::wait_for;
use crate::support::{connect, execute};
use serde_json::{Value, json};
use stand_ins::twilio::{Account, Config};
use std::time::Duration;

#[test]
fn with_kills_and_provider_errors_every_recipient_gets_one_message() {
    kill_often(1_000, 2);
}

mod slow {
    #[test]
    fn with_twenty_kills_and_provider_errors_every_recipient_gets_one_message() {
        super::kill_often(10_000, 20);
    }
}

fn kill_often(entrants: u32, kills: u64) {
    let recipients = reachable(entrants);
    let scene = Scene::new(Config::default(), "2000");
    scene.provider.post(
        "/control/random-failures",
        &json!({
            "rate": 0.3, "seed": 7, "atMostPerNumber": 3, "retryAfter": 0,
            "kinds": ["tooMany", "unavailable", "error", "errorAfter", "drop", "dropBefore"]
        }),
    );
    let mut server = scene.start();
    seed(&scene.database, entrants);
    let campaign = Staff::sign_in(&server).schedule(&server);
    for kill_number in 1..=kills {
        // A random point within the next part of the messages.
        let share = recipients as u64 / (kills + 1);
        let so_far = scene.message_count();
        let count = (so_far + 1 + random_below(share)).min(share * kill_number + share);
        scene.wait_for_messages(count.max(1));
        kill(server);
        // The time of a lease is tested below.
        let mut connection = connect(&scene.database.admin_url);
        execute(&mut connection, "UPDATE sms_dispatcher SET expires_at = now()");
        server = scene.start();
    }
    let staff = Staff::sign_in(&server);
    let ended = staff.wait_for_campaign_end(&server, campaign);
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
fn when_the_sending_process_dies_the_other_takes_over() {
    const ENTRANTS: u32 = 400;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "100");
    let first = scene.start();
    seed(&scene.database, ENTRANTS);
    let second = scene.start_beside();
    let staff = Staff::sign_in(&second);
    let campaign = staff.schedule(&second);
    scene.wait_for_messages(100);
    kill(first);
    let before = scene.message_count();
    let lease = "SELECT count(*) AS n FROM sms_dispatcher WHERE expires_at < now() + interval '1 minute'";
    assert_eq!(
        scene.number(lease),
        1,
        "the dead process has it for a minute at most"
    );
    scene.wait_for_messages(before + 1 + 100);
    let ended = staff.wait_for_campaign_end(&second, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
}

#[test]
fn database_outages_lose_and_duplicate_no_message() {
    const ENTRANTS: u32 = 400;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "200");
    let server = scene.start();
    seed(&scene.database, ENTRANTS);
    let staff = Staff::sign_in(&server);
    let campaign = staff.schedule(&server);
    let (address, query) = scene.database.admin_url.split_once('?').unwrap();
    let (cluster, name) = address.rsplit_once('/').unwrap();
    let mut admin = connect(&format!("{cluster}/postgres?{query}"));
    for count in [50, 150, 250] {
        scene.wait_for_messages(count);
        execute(
            &mut admin,
            &format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS false"),
        );
        execute(
            &mut admin,
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
        );
        // Wait until the program has noticed the outage.
        wait_for(|| {
            let (status, _) = server.get("/readyz/writes");
            (status == 503).then_some(())
        });
        execute(
            &mut admin,
            &format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS true"),
        );
    }
    let ended = staff.wait_for_campaign_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
}

#[test]
fn a_stop_releases_claimed_messages_and_leaves_none_unknown() {
    const ENTRANTS: u32 = 400;
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
    scene.wait_for_messages(150);
    server.signal("TERM");
    assert!(server.wait().success());
    assert!(!server.has_logged("messages are still in flight"));
    let open = "SELECT count(*) AS n FROM sms_sent_messages WHERE status IN ('sending', 'unknown')";
    assert_eq!(scene.number(open), 0);
    let server = scene.start();
    let staff = Staff::sign_in(&server);
    let ended = staff.wait_for_campaign_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
}

#[test]
fn a_recipient_who_sends_stop_during_a_campaign_gets_no_message() {
    const ENTRANTS: u32 = 300;
    let recipients = reachable(ENTRANTS);
    let scene = Scene::new(Config::default(), "100");
    let server = scene.start();
    let inbound = format!("{}/api/twilio/inbound", scene.origin());
    scene
        .provider
        .post("/control/carrier", &json!({"inboundUrl": inbound}));
    seed(&scene.database, ENTRANTS);
    let staff = Staff::sign_in(&server);
    let campaign = staff.schedule(&server);
    scene.wait_for_messages(5);
    // Nothing more is claimed until both have said so.
    let mut holder = connect(&scene.database.admin_url);
    execute(&mut holder, "BEGIN");
    execute(&mut holder, "SELECT FROM sms_dispatcher FOR UPDATE");
    let (late, early) = ("+15550000299", "+15550000003");
    for from in [late, early] {
        let message = json!({"from": from, "to": "+15550000000", "body": " stop "});
        let answer = scene.provider.post("/control/inbound", &message);
        assert_eq!(answer["answers"][0]["status"], 200, "{answer}");
    }
    execute(&mut holder, "COMMIT");
    let ended = staff.wait_for_campaign_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients - 1, "{ended}");
    assert_eq!(
        ended["report"]["skipped"],
        json!([{"reason": "opted_out", "count": 1}]),
        "the provider was not called"
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
fn rejected_credentials_halt_sending_until_new_ones_are_saved() {
    const ENTRANTS: u32 = 200;
    let recipients = reachable(ENTRANTS);
    let account = Account {
        sid: SID.replace("AC0", "AC1"),
        auth_token: TOKEN.to_owned(),
    };
    let valid_sid = account.sid.clone();
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
    let status = wait_for(|| {
        let status = staff.get(&server, "/api/admin/sms/status");
        (status["halted"] == "credentials_refused").then_some(status)
    });
    assert_eq!(status["source"], "environment");
    assert_eq!(scene.message_count(), 0);
    let saved = json!({
        "TWILIO_ACCOUNT_SID": valid_sid, "TWILIO_AUTH_TOKEN": TOKEN, "TWILIO_PHONE_NUMBER": "+15550000000"
    });
    assert_eq!(
        staff.post(&server, "/api/admin/save-credentials", &saved)["success"],
        true
    );
    let ended = staff.wait_for_campaign_end(&server, campaign);
    assert_eq!(ended["campaign"]["sentCount"], recipients, "{ended}");
    scene.assert_each_once(recipients);
    let status = staff.get(&server, "/api/admin/sms/status");
    assert_eq!(
        (&status["source"], &status["halted"]),
        (&json!("console"), &Value::Null)
    );
}

#[test]
fn a_sign_up_a_drawing_and_a_claim_send_their_messages() {
    let scene = Scene::new(Config::default(), "100");
    let server = scene.start();
    assert_eq!(server.register("(555) 123-4567").0, 201);
    assert_eq!(
        server.register("555-123-4567").0,
        200,
        "entering again sends no second text"
    );
    let message = |wanted: &str| {
        wait_for(|| {
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
    let won = message("you may have won our free");
    assert_eq!(won["to"], "+15551234567");
    assert_eq!(scene.message_count(), 2);

    // The link in the text leads to the claim, and the code that it asks for proves the number.
    let (_, rest) = won["body"].as_str().unwrap().split_once("/claim/").unwrap();
    let claim = format!("/api/claims/{}", rest.split(' ').next().unwrap());
    let shown: Value = serde_json::from_str(&server.get(&claim).1).unwrap();
    assert_eq!(shown["status"], "pending", "{shown}");
    let (status, cookie) = server.post_for_cookie(&format!("{claim}/code"), &[], "");
    assert_eq!(status, 202);
    let text = message("is your Tombola code");
    let code = text["body"].as_str().unwrap().split(' ').next().unwrap();
    let body = json!({"code": code}).to_string();
    let (status, verified) = server.send("POST", &format!("{claim}/verify"), &[("Cookie", &cookie)], &body);
    assert_eq!(status, 200, "{verified}");
    let verified: Value = serde_json::from_str(&verified).unwrap();
    assert_eq!(verified["status"], "code_verified");
    assert!(verified["expiresAt"].is_string(), "{verified}");
    let secrets = "SELECT count(*) AS n FROM sms_sent_messages WHERE message_body LIKE '%/claim/%' OR kind = 'code' AND message_body IS NOT NULL";
    assert_eq!(scene.number(secrets), 0, "neither the link nor the code is kept");
}
