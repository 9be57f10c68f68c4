//! What a push service's answer means, over real connections.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use chrono::{DateTime, Utc};
use kernel::Clock;
use push::{Endpoint, EndpointRules, PushMessage, PushOutcome, PushService, SubscriptionKeys};
use push_web::{Timeouts, Vapid, VapidKeys, WebPush};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// For an answer that never comes.
const SHORT: Duration = Duration::from_millis(200);
/// For answers that come, however busy the machine is.
const LONG: Duration = Duration::from_secs(30);

struct Epoch;

impl Clock for Epoch {
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}

fn web_push(patience: Duration) -> WebPush {
    let vapid = Vapid::new(&VapidKeys::generate().unwrap(), "mailto:hello@example.org").unwrap();
    let timeouts = Timeouts {
        connect_timeout: patience,
        total_timeout: patience,
    };
    WebPush::new(vapid, timeouts, Arc::new(Epoch)).unwrap()
}

fn message(port: u16) -> PushMessage {
    let endpoint = format!("http://127.0.0.1:{port}/push/7");
    PushMessage {
        endpoint: Endpoint::parse(&endpoint, EndpointRules::KnownServicesAndLoopback).unwrap(),
        keys: SubscriptionKeys::parse(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap(),
        payload: b"{}".to_vec(),
        topic: "drawing-7".to_owned(),
        ttl: Duration::from_secs(60),
    }
}

/// Reads a whole request, because closing a connection with unread bytes resets it. Returns its head.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.unwrap().parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    head
}

/// Serves one request with this answer. Returns what became of the message, and the head of the request.
async fn answered(answer: &'static str) -> (PushOutcome, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let message = message(listener.local_addr().unwrap().port());
    let serve = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let head = read_request(&mut stream).await;
        stream.write_all(answer.as_bytes()).await.unwrap();
        if answer.is_empty() {
            std::future::pending::<()>().await;
        }
        head
    };
    let patience = if answer.is_empty() { SHORT } else { LONG };
    let web_push = web_push(patience);
    let push = web_push.push(&message);
    if answer.is_empty() {
        return tokio::select! {
            outcome = push => (outcome, String::new()),
            request = serve => panic!("{request}"),
        };
    }
    let (outcome, request) = tokio::join!(push, serve);
    (outcome, request)
}

#[tokio::test]
async fn each_answer_has_its_outcome() {
    let later = |seconds| PushOutcome::Later {
        after: Some(Duration::from_secs(seconds)),
    };
    let none = PushOutcome::Later { after: None };
    for (answer, expected) in [
        (
            "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
            PushOutcome::Accepted,
        ),
        (
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            PushOutcome::Gone,
        ),
        (
            "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n",
            PushOutcome::Gone,
        ),
        (
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
            PushOutcome::Refused(403),
        ),
        (
            "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n",
            PushOutcome::Refused(413),
        ),
        (
            "HTTP/1.1 429 Slow\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n",
            later(90),
        ),
        (
            "HTTP/1.1 503 Busy\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n",
            later(5),
        ),
        ("HTTP/1.1 500 Error\r\nContent-Length: 0\r\n\r\n", none),
        ("no HTTP\r\n\r\n", none),
        ("", none), // no answer in time
        (
            "HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            PushOutcome::Refused(307),
        ),
    ] {
        assert_eq!(answered(answer).await.0, expected, "{answer:?}");
    }
}

#[tokio::test]
async fn a_push_service_that_cannot_be_reached_is_tried_later() {
    let nobodys = 1; // no program may listen there: it is a port of the system
    assert_eq!(
        web_push(LONG).push(&message(nobodys)).await,
        PushOutcome::Later { after: None }
    );
}

#[tokio::test]
async fn a_request_says_how_long_it_is_kept_and_what_it_replaces() {
    let (_, request) = answered("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n").await;
    for line in [
        "post /push/7 ",
        "ttl: 60",
        "topic: drawing-7",
        "urgency: normal",
        "content-encoding: aes128gcm",
    ] {
        assert!(request.contains(line), "{line} in {request}");
    }
    assert!(request.contains("vapid t="));
}
