use crate::{answers, reasons, signature};
use sms::{ProviderMessage, ProviderMessageId, SmsCallbacks};

/// Knows Twilio's calls to us.
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
        signature::holds(auth_token, url, parameters, signature)
    }

    fn read_status(&self, parameters: &[(String, String)]) -> Option<ProviderMessage> {
        let code = value(parameters, "ErrorCode").and_then(|code| code.parse().ok());
        Some(ProviderMessage {
            id: ProviderMessageId::parse(value(parameters, "MessageSid")?)?,
            status: answers::status(value(parameters, "MessageStatus")?)?,
            failure: code.map(reasons::failure),
        })
    }
}

fn value<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = parameters.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.as_str())
}
