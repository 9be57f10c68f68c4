//! `/browser`: what a customer's browser loads instead of Stripe's script and frames, in the demo and in browser tests.

use actix_web::HttpResponse;
use actix_web::web::{self, ServiceConfig};

const SCRIPT: &str = include_str!("../../browser/stripe.js");
const FIELDS: &str = include_str!("../../browser/fields.html");
const RECEIPT: &str = include_str!("../../browser/receipt.html");
const QUESTION: &str = include_str!("../../browser/question.html");

pub(crate) fn routes(config: &mut ServiceConfig) {
    for (path, mime, text) in [
        ("/browser/stripe.js", "text/javascript; charset=utf-8", SCRIPT),
        ("/browser/fields", "text/html; charset=utf-8", FIELDS),
        ("/browser/receipt", "text/html; charset=utf-8", RECEIPT),
        ("/browser/question", "text/html; charset=utf-8", QUESTION),
    ] {
        let answer = move || async move { HttpResponse::Ok().content_type(mime).body(text) };
        config.route(path, web::get().to(answer));
    }
}
