//! The entrant that a browser created, by its cookie (D4).

use crate::callers::right::Right;
use crate::http::description::Describe;
use crate::{ApiError, AppState, RequestPools, Store};
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use kernel::EntrantId;
use raffle::{BrowserStanding, BrowserToken};
use std::marker::PhantomData;
use std::pin::Pin;

/// 403: the browser did not create the entrant.
pub(crate) const fn another_browser() -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "another_browser",
        "Please open this page in the browser that you entered with.",
    )
}

/// The entrant that this browser created, if any. A token that is not valid or was signed out (D75) counts as no token.
pub(crate) struct BrowserEntrant<S> {
    token: Option<BrowserToken>,
    /// Whom the token named before they were erased.
    erased: Option<EntrantId>,
    store: PhantomData<fn() -> S>,
}

impl<S> BrowserEntrant<S> {
    /// The entrant, if there is one.
    pub(crate) fn entrant(&self) -> Option<EntrantId> {
        self.token.map(|token| token.entrant)
    }

    /// The entrant, if there is one or was one until an erasure.
    pub(crate) fn named(&self) -> Option<EntrantId> {
        self.entrant().or(self.erased)
    }

    /// The entrant, if there is one, with the right to their data.
    pub(crate) fn own(&self) -> Option<(EntrantId, Right)> {
        self.entrant().map(|entrant| (entrant, Right::granted()))
    }

    /// The token, if it names an entrant.
    pub(crate) const fn token(&self) -> Option<BrowserToken> {
        self.token
    }

    /// Whether this is a browser of the entrant with this id.
    pub(crate) fn is(&self, id: EntrantId) -> bool {
        self.entrant() == Some(id)
    }

    /// The right to one's own data, if this is a browser of the entrant with this id.
    pub(crate) fn right_to(&self, id: EntrantId) -> Option<Right> {
        self.is(id).then(Right::granted)
    }

    /// The token, if this is a browser of the entrant with this id.
    ///
    /// # Errors
    /// 403 `another_browser`.
    pub(crate) fn must_be(&self, id: EntrantId) -> Result<BrowserToken, ApiError> {
        self.token
            .filter(|token| token.entrant == id)
            .ok_or_else(another_browser)
    }
}

impl<S> Describe for BrowserEntrant<S> {}

impl<S: Store> FromRequest for BrowserEntrant<S> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::of(&request).await })
    }
}

impl<S: Store> BrowserEntrant<S> {
    /// The entrant of the browser that sent a request.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn of(request: &HttpRequest) -> Result<Self, ApiError> {
        let (Some(state), Some(pools)) = (
            request.app_data::<web::Data<AppState>>(),
            request.app_data::<web::Data<RequestPools<S>>>(),
        ) else {
            return Err(ApiError::internal());
        };
        let Some(token) = state.visitors.token(request, state.clock.now()) else {
            return Ok(Self::with(None, None));
        };
        let standing = pools
            .visitor_reads
            .run(move |store| usecases::entrants::browser_standing(store, &token))
            .await?;
        Ok(match standing {
            BrowserStanding::Own => Self::with(Some(token), None),
            BrowserStanding::Erased => Self::with(None, Some(token.entrant)),
            BrowserStanding::Unknown => Self::with(None, None),
        })
    }

    const fn with(token: Option<BrowserToken>, erased: Option<EntrantId>) -> Self {
        Self {
            token,
            erased,
            store: PhantomData,
        }
    }
}
