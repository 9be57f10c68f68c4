//! The entrant that a browser created, by its cookie (D4).

use crate::callers::right::Right;
use crate::http::cookies::own_cookie;
use crate::http::description::Describe;
use crate::{ApiError, AppState, RequestPool, Store};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use kernel::EntrantId;
use std::convert::Infallible;
use std::future::{Ready, ready};

/// The entrant that this browser created, if any; they may have been erased since. A token that is not valid counts as no
/// token.
pub(crate) struct BrowserEntrant(Option<EntrantId>);

impl BrowserEntrant {
    /// The entrant, if there is one.
    pub(crate) fn entrant(&self) -> Option<EntrantId> {
        self.0
    }

    /// The entrant, if there is one, with the right to their data.
    pub(crate) fn own(&self) -> Option<(EntrantId, Right)> {
        self.0.map(|entrant| (entrant, Right::granted()))
    }

    /// Whether this browser's token names the entrant with this id.
    pub(crate) fn names(&self, id: EntrantId) -> bool {
        self.0 == Some(id)
    }

    /// The right to one's own data, if this browser's token names the entrant with this id.
    pub(crate) fn right_to(&self, id: EntrantId) -> Option<Right> {
        self.names(id).then(Right::granted)
    }

    /// Whether this browser's token names the entrant with this id, who was not erased.
    pub(crate) async fn is<S: Store>(&self, pool: &RequestPool<S>, id: EntrantId) -> Result<bool, ApiError> {
        Ok(self.names(id)
            && pool
                .run(move |store: &S| usecases::entrants::exists(store, id))
                .await?)
    }
}

impl Describe for BrowserEntrant {}

impl FromRequest for BrowserEntrant {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let entrant = request.app_data::<web::Data<AppState>>().and_then(|state| {
            let token = own_cookie(request, state.visitors.cookie_name())?;
            state.visitors.read(&token, state.clock.now())
        });
        ready(Ok(Self(entrant)))
    }
}
