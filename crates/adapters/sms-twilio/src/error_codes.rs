//! Our own messages for Twilio's error codes: Twilio's may contain phone numbers and message texts.

use sms::Failure;

/// The failure with this error code.
pub(crate) fn failure(code: u32) -> Failure {
    Failure {
        code: Some(code),
        sentence: sentence(code).to_owned(),
    }
}

fn sentence(code: u32) -> &'static str {
    match code {
        21211 | 21217 | 21401 | 21421 => "Invalid number",
        21212 => "Invalid sender",
        21214 | 21612 => "Number cannot be reached",
        21266 => "Sender and recipient are the same",
        21408 => "Texts to this region are not enabled",
        21602 | 21619 => "Empty text",
        21605 | 21617 => "Text too long",
        21606 | 21659 | 21660 => "The sender is not a number of the account that can send texts",
        21608 => "Number not verified, which a trial account needs",
        21609 => "Invalid address for callbacks",
        21610 => "Opted out",
        21614 => "Not a mobile number",
        30001 => "Too many texts waiting",
        30002 => "Account suspended",
        30003 => "Unreachable phone",
        30004 => "Blocked",
        30005 => "Unknown phone",
        30006 => "Landline or unreachable carrier",
        30007 => "Filtered by the carrier",
        30008 => "Unknown error of the carrier",
        30022 | 30023 => "The carrier's limit was reached",
        30032 | 30034 => "The sender is not registered",
        30036 => "Not delivered in time",
        _ => "Refused by the provider",
    }
}
