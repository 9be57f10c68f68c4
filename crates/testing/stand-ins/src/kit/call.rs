use crate::kit::FormFields;
use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{Error, FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;

/// A call of the provider's API. Its route must end in `{path:.*}`.
#[derive(Debug)]
pub struct ApiCall {
    request: HttpRequest,
    body: Bytes,
}

impl ApiCall {
    /// The HTTP method, such as `POST`.
    pub fn method(&self) -> &str {
        self.request.method().as_str()
    }

    /// The path after the prefix of the API, such as `payment_intents`.
    pub fn path(&self) -> &str {
        self.request.match_info().query("path")
    }

    /// The value of a header, if it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.request.headers().get(name)?.to_str().ok()
    }

    /// Whether the call has a body.
    pub fn has_body(&self) -> bool {
        !self.body.is_empty()
    }

    /// Whether `Content-Type` says that the body is form-encoded.
    pub fn is_form(&self) -> bool {
        self.header("content-type")
            .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"))
    }

    /// The parameters: of the query for GET, of the body otherwise.
    pub fn parameters(&self) -> FormFields {
        match self.method() {
            "GET" => FormFields::parse(self.request.query_string().as_bytes()),
            _ => FormFields::parse(&self.body),
        }
    }
}

impl FromRequest for ApiCall {
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self, Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = Bytes::from_request(request, payload);
        let request = request.clone();
        Box::pin(async move {
            Ok(Self {
                request,
                body: body.await?,
            })
        })
    }
}
