//! `kill -9` while page views arrive.

use crate::server::{Server, wait_until};
use crate::support::{TestDatabase, connect, number};
use std::sync::mpsc::{Sender, channel};

const THREADS: usize = 8;

/// The number of acknowledged views before the kill.
const BEFORE_KILL: usize = 1000;

#[test]
fn a_view_is_stored_with_its_link_and_the_place_that_a_trusted_proxy_names() {
    let database = TestDatabase::new();
    let variables = [
        ("TRUSTED_PROXIES", "127.0.0.1"),
        ("GEO_HEADERS", "country=CF-IPCountry,city=CF-IPCity"),
    ];
    let server = Server::start(&database.url, &variables);
    let view = |session: &str, tracking_id: &str| {
        ureq::post(server.url("/api/analytics/page-view"))
            .header("Content-Type", "application/json")
            .header("User-Agent", "Mozilla/5.0 Firefox/143.0")
            .header("CF-IPCountry", "US")
            .header("CF-IPCity", "Boston")
            .send(format!(
                r#"{{"page": "planter-garden", "sessionId": "{session}", "smsTrackingId": "{tracking_id}"}}"#
            ))
            .unwrap();
    };
    view("known", "garden-2345bcdfghjkm");
    view("odd", "<script>");
    let stored = "SELECT count(*) AS n FROM page_views WHERE country = 'US' AND city = 'Boston'
        AND sms_tracking_id IS NOT DISTINCT FROM CASE session_id WHEN 'known' THEN 'garden-2345bcdfghjkm' END";
    assert_eq!(number(&mut connect(&database.admin_url), stored), 2);
}

const NOT_FOLDED: &str = "
    SELECT (SELECT count(*) FROM page_views) - (SELECT coalesce(sum(views), 0)::bigint FROM analytics_pages) AS n";

#[test]
fn every_acknowledged_view_survives_a_kill_and_is_counted_once() {
    let database = TestDatabase::new();
    let mut server = Server::start(&database.url, &[("RATE_LIMITS", "off")]);
    let acknowledged = kill_under_load(&server);
    assert!(!server.wait().success());
    assert!(acknowledged.len() >= BEFORE_KILL, "{}", acknowledged.len());

    let _again = Server::start(&database.url, &[]);
    let mut connection = connect(&database.admin_url);
    let sessions = acknowledged.join("', '");
    let stored = format!("SELECT count(*) AS n FROM page_views WHERE session_id IN ('{sessions}')");
    assert_eq!(
        usize::try_from(number(&mut connection, &stored)),
        Ok(acknowledged.len())
    );
    wait_until(|| number(&mut connection, NOT_FOLDED) == 0);
}

/// Posts views, kills the program, and returns the sessions of the acknowledged views.
fn kill_under_load(server: &Server) -> Vec<String> {
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let sender = sender.clone();
            scope.spawn(move || post_views(server, thread, &sender));
        }
        drop(sender);
        let mut acknowledged: Vec<String> = receiver.iter().take(BEFORE_KILL).collect();
        server.signal("KILL");
        acknowledged.extend(receiver.iter());
        acknowledged
    })
}

/// Posts views, each of a new session, until the program does not respond.
fn post_views(server: &Server, thread: usize, acknowledged: &Sender<String>) {
    for n in 0.. {
        // UUIDs version 7, as browsers generate them.
        let session = format!("0190a000-0000-7000-8000-{thread:04x}{n:08x}");
        let request = ureq::post(server.url("/api/analytics/page-view"))
            .header("Content-Type", "application/json")
            .header("User-Agent", "Mozilla/5.0 Firefox/143.0");
        let body = format!(r#"{{"page": "garden-bag", "sessionId": "{session}"}}"#);
        if request.send(body).is_err() || acknowledged.send(session).is_err() {
            return;
        }
    }
}
