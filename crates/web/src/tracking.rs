//! Whether a request may be tracked, and whose it is (D26 to D28).

use crate::address::RequestOrigin;
use actix_web::http::header::HeaderMap;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use analytics::{Browser, Session, recognize};
use kernel::Origin;
use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Ready, ready};

const SESSION: &str = "X-Analytics-Session";
const FINGERPRINT: &str = "X-Analytics-Fingerprint";

/// Who sent a request, as far as it may be known.
pub(crate) struct Tracking {
    pub(crate) origin: Origin,
    /// `None` for bots, and for people who do not want to be tracked.
    pub(crate) tracked: Option<Tracked>,
}

/// What a browser says about itself. A header that makes no sense is no header.
pub(crate) struct Tracked {
    pub(crate) session: Option<Session>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) browser: Browser,
}

impl Tracking {
    /// The browser's session, for the funnel.
    pub(crate) fn session(&self) -> Option<Session> {
        self.tracked.as_ref()?.session.clone()
    }

    /// The browser's fingerprint.
    pub(crate) fn fingerprint(&self) -> Option<String> {
        self.tracked.as_ref()?.fingerprint.clone()
    }
}

impl FromRequest for Tracking {
    type Error = crate::ApiError;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let origin = RequestOrigin::from_request(request, payload).into_inner();
        ready(origin.map(|RequestOrigin(origin)| read(origin, request.headers())))
    }
}

fn read(origin: Origin, headers: &HeaderMap) -> Tracking {
    let header = |name: &str| headers.get(name)?.to_str().ok();
    let objects = header("Sec-GPC") == Some("1") || header("DNT") == Some("1");
    let browser = origin.user_agent.as_deref().map(recognized).unwrap_or_default();
    let tracked = (!objects && !browser.is_bot).then(|| Tracked {
        session: header(SESSION).and_then(|id| Session::parse(id).ok()),
        fingerprint: header(FINGERPRINT).and_then(read_fingerprint),
        browser,
    });
    Tracking { origin, tracked }
}

/// How many user agents are remembered: most visitors have one of a few.
const REMEMBERED: usize = 512;

thread_local! {
    static BROWSERS: RefCell<HashMap<String, Browser>> = RefCell::default();
}

/// What a user agent says, which takes longer to read than all the rest of a page view.
fn recognized(user_agent: &str) -> Browser {
    BROWSERS.with_borrow_mut(|browsers| {
        if let Some(browser) = browsers.get(user_agent) {
            return browser.clone();
        }
        if browsers.len() >= REMEMBERED {
            browsers.clear();
        }
        let browser = recognize(Some(user_agent));
        browsers.insert(user_agent.to_owned(), browser.clone());
        browser
    })
}

/// 1 to 64 hexadecimal digits.
pub(crate) fn read_fingerprint(text: &str) -> Option<String> {
    let valid = (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    valid.then(|| text.to_ascii_lowercase())
}
