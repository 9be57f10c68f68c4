//! Who opens the link of a claim: the token of the link, and the cookie of a browser that asked for a code or proved the number.

use crate::http::description::{Describe, Description};
use crate::{ApiError, AppState};
use actix_web::cookie::{Cookie, time};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use claims::ClaimToken;
use kernel::{BrowserSecret, Entropy};
use std::future::{Ready, ready};
use usecases::claims::winner::Visitor;

/// How long the cookie lives: longer than a claim takes in most cases. The winner can prove the number again.
const LIFE: time::Duration = time::Duration::days(120);

/// A visitor with a link that could be the link of a claim. Any other link is a 404.
pub(crate) struct ClaimVisitor {
    pub(crate) visitor: Visitor,
    cookie: ClaimCookie,
}

impl ClaimVisitor {
    /// The browser's secret, or a new one.
    pub(crate) fn secret(&self, entropy: &dyn Entropy) -> BrowserSecret {
        self.cookie.secret(entropy)
    }
}

/// The secret of a browser that asked for a code or proved a number before.
pub(crate) struct ClaimCookie(Option<BrowserSecret>);

impl ClaimCookie {
    /// The browser's secret, or a new one.
    pub(crate) fn secret(&self, entropy: &dyn Entropy) -> BrowserSecret {
        match &self.0 {
            Some(secret) => secret.clone(),
            None => BrowserSecret::random(entropy),
        }
    }

    fn of(state: &AppState, request: &HttpRequest) -> Self {
        let cookie = request.cookie(name(state));
        Self(cookie.and_then(|cookie| BrowserSecret::parse(cookie.value())))
    }
}

impl Describe for ClaimCookie {
    fn describe(_: &mut Description) {}
}

impl FromRequest for ClaimCookie {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<AppState>>();
        ready(Ok(state.map_or(Self(None), |state| Self::of(state, request))))
    }
}

/// The cookie with this secret. All claims of a browser share it.
pub(crate) fn claim_cookie(state: &AppState, secret: &BrowserSecret) -> Cookie<'static> {
    state.visitors.site_cookie(name(state), secret.to_text(), LIFE)
}

/// Browsers accept the `__Host-` prefix only from a secure origin.
const fn name(state: &AppState) -> &'static str {
    if state.visitors.secure() {
        "__Host-claim"
    } else {
        "claim"
    }
}

impl Describe for ClaimVisitor {
    fn describe(call: &mut Description) {
        let meaning = "The secret of the link in the text: 32 lowercase hex digits.";
        call.in_path::<String>(Some(meaning));
        call.error("404", "No claim has this token");
    }
}

impl FromRequest for ClaimVisitor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request).ok_or_else(ApiError::not_found))
    }
}

fn read(request: &HttpRequest) -> Option<ClaimVisitor> {
    let state = request.app_data::<web::Data<AppState>>()?;
    let token = ClaimToken::parse(request.match_info().get("token")?)?;
    let cookie = ClaimCookie::of(state, request);
    Some(ClaimVisitor {
        visitor: Visitor {
            token,
            browser: cookie.0.as_ref().map(BrowserSecret::hash),
            own: state.visitors.dated(request, state.clock.now()),
        },
        cookie,
    })
}
