use crate::{error_codes, responses, signature};
use sms::{ProviderMessage, ProviderMessageId, SmsCallbacks};

/// Verifies and reads Twilio's callbacks.
#[derive(Debug, Default, Clone, Copy)]
pub struct TwilioCallbacks;

impl SmsCallbacks for TwilioCallbacks {
    fn signature_holds(
        &self,
        auth_token: &str,
        url: &str,
        parameters: &[(String, String)],
        signature: &str,
    ) -> bool {
        signature::is_valid(auth_token, url, parameters, signature)
    }

    fn read_status(&self, parameters: &[(String, String)]) -> Option<ProviderMessage> {
        let code = value(parameters, "ErrorCode").and_then(|code| code.parse().ok());
        Some(ProviderMessage {
            id: ProviderMessageId::parse(value(parameters, "MessageSid")?)?,
            status: responses::status(value(parameters, "MessageStatus")?)?,
            failure: code.map(error_codes::failure),
        })
    }
}

fn value<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = parameters.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.as_str())
}
