//! Errors as Stripe's API returns them.

use serde_json::{Value, json};

/// An error response.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    pub(crate) status: u16,
    /// The object under `error` in the body.
    pub(crate) error: Value,
}

impl ApiError {
    /// A 400 of type `invalid_request_error`.
    pub(crate) fn invalid(code: Option<&str>, message: &str) -> Self {
        Self::new(400, "invalid_request_error", code, message)
    }

    pub(crate) fn new(status: u16, kind: &str, code: Option<&str>, message: &str) -> Self {
        let mut error = json!({"type": kind, "message": message});
        if let Some(code) = code {
            error["code"] = json!(code);
        }
        Self { status, error }
    }

    /// A 404: there is no object with this id.
    pub(crate) fn missing(object: &str, id: &str) -> Self {
        let message = format!("No such {object}: '{id}'");
        Self::new(404, "invalid_request_error", Some("resource_missing"), &message)
    }

    pub(crate) fn body(&self) -> Value {
        json!({"error": self.error})
    }
}
