//! Ids in paths.

use crate::ApiError;
use crate::http::description::{Describe, Description};
use actix_web::dev::Payload;
use actix_web::web::Path;
use actix_web::{FromRequest, HttpRequest};
use std::future::{Ready, ready};

/// The id that is the only parameter of a path. Text that is not a number is not an id, so it is a 404 (D4).
pub(crate) struct PathId<T>(pub(crate) T);

impl<T: From<i64>> FromRequest for PathId<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let number = Path::<i64>::from_request(request, payload).into_inner();
        ready(match number {
            Ok(number) => Ok(Self(T::from(number.into_inner()))),
            Err(_) => Err(ApiError::not_found()),
        })
    }
}

impl<T> Describe for PathId<T> {
    fn describe(call: &mut Description) {
        call.in_path::<i64>(None);
    }
}
