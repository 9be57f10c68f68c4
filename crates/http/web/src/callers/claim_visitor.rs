//! Who opens the link of a claim: the token of the link, and the cookie of a browser that asked for a code or proved the number.

use crate::callers::code_browser::CodeBrowser;
use crate::http::description::{Describe, Description};
use crate::identity::address::client_address;
use crate::identity::limits::subscriber;
use crate::{ApiError, AppState};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use claims::ClaimToken;
use kernel::{BrowserSecret, Entropy};
use std::future::{Ready, ready};
use usecases::claims::winner::Visitor;

/// A visitor with a link that could be the link of a claim. Any other link is a 404.
pub(crate) struct ClaimVisitor {
    pub(crate) visitor: Visitor,
    browser: CodeBrowser,
}

impl ClaimVisitor {
    /// The browser's secret, or a new one.
    pub(crate) fn secret(&self, entropy: &dyn Entropy) -> BrowserSecret {
        self.browser.secret(entropy)
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
    let browser = CodeBrowser::of(state, request);
    Some(ClaimVisitor {
        visitor: Visitor {
            token,
            browser: browser.hash(),
            own: state.visitors.dated(request, state.clock.now()),
            network: client_address(request, &state.trusted_proxies).map(subscriber),
        },
        browser,
    })
}
