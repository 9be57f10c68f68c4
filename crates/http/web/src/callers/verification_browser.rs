//! The cookie that binds a browser to the verifications that it began.

use crate::AppState;
use crate::http::description::Describe;
use actix_web::cookie::{Cookie, time};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use kernel::Entropy;
use std::convert::Infallible;
use std::future::{Ready, ready};
use verification::{BrowserHash, BrowserSecret};

/// How long the cookie lives: longer than any code.
const LIFE: time::Duration = time::Duration::hours(1);

/// The secret of a browser, sent by it or made for it.
pub(crate) struct VerificationBrowser {
    secret: Option<BrowserSecret>,
}

impl VerificationBrowser {
    /// The hash of the browser's secret, if it sent one.
    pub(crate) fn hash(&self) -> Option<BrowserHash> {
        self.secret.as_ref().map(BrowserSecret::hash)
    }

    /// The browser's secret, or a new one.
    pub(crate) fn secret(self, entropy: &dyn Entropy) -> BrowserSecret {
        self.secret.unwrap_or_else(|| BrowserSecret::random(entropy))
    }
}

/// The cookie with this secret.
pub(crate) fn verification_cookie(state: &AppState, secret: &BrowserSecret) -> Cookie<'static> {
    state.visitors.site_cookie(name(state), secret.to_text(), LIFE)
}

/// Browsers accept the `__Host-` prefix only from a secure origin.
const fn name(state: &AppState) -> &'static str {
    if state.visitors.secure() {
        "__Host-verification"
    } else {
        "verification"
    }
}

impl Describe for VerificationBrowser {}

impl FromRequest for VerificationBrowser {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let secret = request.app_data::<web::Data<AppState>>().and_then(|state| {
            let cookie = request.cookie(name(state))?;
            BrowserSecret::parse(cookie.value())
        });
        ready(Ok(Self { secret }))
    }
}
