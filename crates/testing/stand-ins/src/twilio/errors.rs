//! Errors as Twilio's API returns them.

use serde_json::{Value, json};

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: u16,
    code: u32,
    message: String,
}

impl ApiError {
    /// An error with Twilio's message for this error code.
    pub(crate) fn new(code: u32) -> Self {
        Self::with_message(code, message_of(code).to_owned())
    }

    pub(crate) fn with_message(code: u32, message: String) -> Self {
        let status = status_of(code);
        Self {
            status,
            code,
            message,
        }
    }

    /// A 400 for a request that the stand-in does not support, although Twilio might.
    pub(crate) fn unsupported(message: String) -> Self {
        Self::with_message(20001, message)
    }

    pub(crate) fn body(&self) -> Value {
        json!({
            "code": self.code, "message": self.message, "status": self.status,
            "more_info": format!("https://www.twilio.com/docs/errors/{}", self.code),
        })
    }
}

fn status_of(code: u32) -> u16 {
    match code {
        20003 => 401,
        20404 => 404,
        20429 => 429,
        20500 => 500,
        20503 => 503,
        _ => 400,
    }
}

/// Twilio's message for an error code.
pub(crate) fn message_of(code: u32) -> &'static str {
    match code {
        20003 => "Authenticate",
        20404 => "The requested resource was not found",
        20429 => "Too Many Requests",
        20500 => "Internal Server Error",
        20503 => "Service Unavailable",
        21211 => "Invalid 'To' Phone Number",
        21212 => "Invalid 'From' Phone Number",
        21266 => "'To' and 'From' number cannot be the same",
        21408 => "Permission to send an SMS has not been enabled for the region indicated by the 'To' number",
        21602 => "Message body is required.",
        21603 => "A 'From' phone number is required.",
        21604 => "A 'To' phone number is required.",
        21609 => "The 'StatusCallback' URL is not a valid fully qualified URL",
        21610 => "Attempt to send to unsubscribed recipient",
        21612 => "The 'To' phone number is not currently reachable via SMS",
        21614 => "'To' number is not a valid mobile number",
        21617 => "The concatenated message body exceeds the 1600 character limit.",
        30003 => "Unreachable destination handset",
        30005 => "Unknown destination handset",
        30006 => "Landline or unreachable carrier",
        30007 => "Message filtered",
        _ => "This error was requested",
    }
}
