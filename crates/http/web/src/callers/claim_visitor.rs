//! Who opens the link of a claim: the token of the link, and the cookie of a browser that asked for a code or proved the number.

use crate::callers::code_browser::CodeBrowser;
use crate::callers::visitor::BrowserEntrant;
use crate::http::description::{Describe, Description};
use crate::identity::address::client_address;
use crate::identity::limits::subscriber;
use crate::{ApiError, AppState, Store};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use claims::ClaimToken;
use kernel::{BrowserSecret, Entropy};
use std::marker::PhantomData;
use std::pin::Pin;
use usecases::claims::winner::Visitor;

/// A visitor with a link that could be the link of a claim. Any other link is a 404.
pub(crate) struct ClaimVisitor<S> {
    pub(crate) visitor: Visitor,
    browser: CodeBrowser,
    store: PhantomData<fn() -> S>,
}

impl<S> ClaimVisitor<S> {
    /// The browser's secret, or a new one.
    pub(crate) fn secret(&self, entropy: &dyn Entropy) -> BrowserSecret {
        self.browser.secret(entropy)
    }
}

impl<S> Describe for ClaimVisitor<S> {
    fn describe(call: &mut Description) {
        let meaning = "The secret of the link in the text: 32 lowercase hex digits.";
        call.in_path::<String>(Some(meaning));
        call.error("404", "No claim has this token");
    }
}

impl<S: Store> FromRequest for ClaimVisitor<S> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { read(&request).await })
    }
}

async fn read<S: Store>(request: &HttpRequest) -> Result<ClaimVisitor<S>, ApiError> {
    let state = request
        .app_data::<web::Data<AppState>>()
        .ok_or_else(ApiError::internal)?;
    let token = request.match_info().get("token").and_then(ClaimToken::parse);
    let token = token.ok_or_else(ApiError::not_found)?;
    let browser = CodeBrowser::of(state, request);
    let own = BrowserEntrant::<S>::of(request).await?.token();
    Ok(ClaimVisitor {
        visitor: Visitor {
            token,
            browser: browser.hash(),
            own: own.map(|token| (token.entrant, token.issued_at)),
            network: client_address(request, &state.trusted_proxies).map(subscriber),
        },
        browser,
        store: PhantomData,
    })
}
