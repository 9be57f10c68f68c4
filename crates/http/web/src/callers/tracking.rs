//! Whether a request may be tracked, and what its browser says about itself (D28).

use crate::AppState;
use crate::callers::origin::RequestOrigin;
use crate::http::description::Describe;
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use analytics::{Browser, Place, recognize};
use kernel::{Origin, Session};
use moka::sync::Cache;
use std::future::{Ready, ready};
use std::sync::LazyLock;

const SESSION: &str = "X-Analytics-Session";
const FINGERPRINT: &str = "X-Analytics-Fingerprint";

/// The origin of a request, and its browser if it may be tracked.
pub(crate) struct Tracking {
    pub(crate) origin: Origin,
    /// `None` for bots and for browsers that send `Sec-GPC: 1` or `DNT: 1`.
    pub(crate) tracked: Option<Tracked>,
}

/// What a browser says about itself. A header that cannot be read counts as absent.
pub(crate) struct Tracked {
    pub(crate) session: Option<Session>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) browser: Browser,
    pub(crate) place: Place,
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

impl Describe for Tracking {}

impl FromRequest for Tracking {
    type Error = crate::ApiError;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let origin = RequestOrigin::from_request(request, payload).into_inner();
        ready(origin.map(|RequestOrigin(origin)| read(origin, request)))
    }
}

fn read(origin: Origin, request: &HttpRequest) -> Tracking {
    let header = |name: &str| request.headers().get(name)?.to_str().ok();
    let opted_out = header("Sec-GPC") == Some("1") || header("DNT") == Some("1");
    let browser = origin
        .user_agent
        .as_deref()
        .map(cached_browser)
        .unwrap_or_default();
    let tracked = (!opted_out && !browser.is_bot).then(|| Tracked {
        session: header(SESSION).and_then(|id| Session::parse(id).ok()),
        fingerprint: header(FINGERPRINT).map(str::to_owned).and_then(read_fingerprint),
        browser,
        place: place(request),
    });
    Tracking { origin, tracked }
}

fn place(request: &HttpRequest) -> Place {
    let state = request.app_data::<web::Data<AppState>>();
    state
        .map(|state| state.geo_headers.place(request, &state.trusted_proxies))
        .unwrap_or_default()
}

/// How many user agents are cached: most visitors have one of a few.
const CACHED: u64 = 512;

/// The browsers that user agents name. Cached, because parsing takes longer than the rest of a page view.
static BROWSERS: LazyLock<Cache<String, Browser>> = LazyLock::new(|| Cache::new(CACHED));

fn cached_browser(user_agent: &str) -> Browser {
    BROWSERS.get_with_by_ref(user_agent, || recognize(Some(user_agent)))
}

/// A fingerprint: 1 to 64 hexadecimal digits.
pub(crate) fn read_fingerprint(mut text: String) -> Option<String> {
    // `fold` looks at all bytes at the same time; `all` would look at one after the other.
    let is_hex = text
        .bytes()
        .fold(true, |is_hex, b| is_hex & b.is_ascii_hexdigit());
    let valid = (1..=64).contains(&text.len()) && is_hex;
    text.make_ascii_lowercase();
    valid.then_some(text)
}
