//! The cookie that binds a browser to the codes that it asked for, and to the claims whose number it proved.

use crate::AppState;
use crate::http::cookies::own_cookie;
use crate::http::description::Describe;
use actix_web::cookie::{Cookie, time};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use codes::{BrowserHash, BrowserSecret};
use kernel::Entropy;
use std::convert::Infallible;
use std::future::{Ready, ready};

/// How long the cookie lives: longer than a claim takes in most cases. The winner can prove the number again.
const LIFE: time::Duration = time::Duration::days(120);

/// The secret of a browser that asked for a code before, if it did.
pub(crate) struct CodeBrowser(Option<BrowserSecret>);

impl CodeBrowser {
    pub(crate) fn of(state: &AppState, request: &HttpRequest) -> Self {
        let cookie = own_cookie(request, name(state));
        Self(cookie.and_then(|secret| BrowserSecret::parse(&secret)))
    }

    /// The hash of the browser's secret, if it sent one.
    pub(crate) fn hash(&self) -> Option<BrowserHash> {
        self.0.as_ref().map(BrowserSecret::hash)
    }

    /// The browser's secret, or a new one.
    pub(crate) fn secret(&self, entropy: &dyn Entropy) -> BrowserSecret {
        match &self.0 {
            Some(secret) => secret.clone(),
            None => BrowserSecret::random(entropy),
        }
    }
}

/// The cookie with this secret.
pub(crate) fn code_cookie(state: &AppState, secret: &BrowserSecret) -> Cookie<'static> {
    state.visitors.site_cookie(name(state), secret.to_text(), LIFE)
}

/// Browsers accept the `__Host-` prefix only from a secure origin.
const fn name(state: &AppState) -> &'static str {
    if state.visitors.secure() {
        "__Host-browser"
    } else {
        "browser"
    }
}

impl Describe for CodeBrowser {}

impl FromRequest for CodeBrowser {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<AppState>>();
        ready(Ok(state.map_or(Self(None), |state| Self::of(state, request))))
    }
}
