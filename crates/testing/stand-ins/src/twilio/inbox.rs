//! `GET /inbox`: the newest messages as a page, for a person who tries out a demo.

use crate::twilio::message::Message;
use crate::twilio::server::Server;
use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Data;
use std::fmt::Write;

/// How many messages the page shows.
const NEWEST: usize = 50;

const HEAD: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta http-equiv=\"refresh\" content=\"3\">\
    <title>Texts of the demo</title><style>\
    body{margin:0 auto;padding:24px 16px;max-width:640px;color:#2a2016;background:#fbf6ea;font:16px/1.5 system-ui,sans-serif}\
    h1{margin:0 0 4px;font-size:24px}ol{margin:24px 0 0;padding:0;list-style:none}\
    li{margin:0 0 16px;padding:12px 16px;border:1px solid #d9cba9;border-radius:12px;background:#fff}\
    p{margin:0;white-space:pre-line;overflow-wrap:anywhere}small{color:#6b5c3d}\
    </style></head><body><main><h1>Texts of the demo</h1>\
    <p>No text leaves this machine. The newest is at the top; this page refreshes every 3 seconds.</p>";

pub(crate) async fn inbox(server: Data<Server>) -> HttpResponse {
    let state = server.state();
    let newest: Vec<&Message> = state
        .messages()
        .rev()
        .take(NEWEST)
        .map(|(_, message)| message)
        .collect();
    HttpResponse::Ok()
        .content_type(ContentType::html())
        .body(page(&newest))
}

fn page(newest: &[&Message]) -> String {
    let mut page = HEAD.to_owned();
    if newest.is_empty() {
        page.push_str("<p>There are none yet.</p>");
    }
    page.push_str("<ol>");
    for message in newest {
        let (to, status, body) = (escape(&message.to), message.status.name(), escape(&message.body));
        // Writing to a string never fails.
        let _ = write!(page, "<li><small>To {to}, {status}</small><p>{body}</p></li>");
    }
    page.push_str("</ol></main></body></html>");
    page
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
