//! Webhooks and status callbacks, signed as Twilio signs them.

use crate::kit::Shared;
use crate::twilio::message::{Message, Status};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use std::time::Duration;
use url::Url;

const TIMEOUT: Duration = Duration::from_secs(15);

pub(crate) struct Callbacks {
    client: reqwest::Client,
    inbound_url: Shared<Option<Url>>,
}

/// The status and body of the response, if there was one.
pub(crate) type CallbackResponse = Option<(u16, String)>;

/// A message that a person sends.
pub(crate) struct IncomingMessage<'a> {
    pub(crate) account: &'a str,
    pub(crate) sid: &'a str,
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    pub(crate) body: &'a str,
}

impl Callbacks {
    pub(crate) fn new(inbound_url: Option<Url>) -> anyhow::Result<Self> {
        Ok(Self {
            client: reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build()?,
            inbound_url: Shared::new(inbound_url),
        })
    }

    pub(crate) fn set_inbound_url(&self, url: Url) {
        *self.inbound_url.lock() = Some(url);
    }

    pub(crate) fn inbound_url(&self) -> Option<Url> {
        self.inbound_url.lock().clone()
    }

    /// Posts a form, signed over the URL and the form.
    pub(crate) async fn post(&self, url: Url, auth_token: &str, form: &[(&str, &str)]) -> CallbackResponse {
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(form)
            .finish();
        let request = self
            .client
            .post(url.clone())
            .header("content-type", "application/x-www-form-urlencoded; charset=utf-8")
            .header("user-agent", "TwilioProxy/1.1")
            .header("x-twilio-signature", sign(auth_token, url.as_str(), form))
            .body(body);
        let response = request.send().await.ok()?;
        let status = response.status().as_u16();
        Some((status, response.text().await.ok()?))
    }
}

/// The parameters of a status callback.
pub(crate) fn status_form<'a>(
    message: &'a Message,
    sid: &'a str,
    status: Status,
    error_code: &'a str,
) -> Vec<(&'static str, &'a str)> {
    let mut form = vec![
        ("AccountSid", &*message.account),
        ("ApiVersion", "2010-04-01"),
        ("From", &*message.from),
        ("MessageSid", sid),
        ("MessageStatus", status.name()),
        ("SmsSid", sid),
        ("SmsStatus", status.name()),
        ("To", &*message.to),
    ];
    if !error_code.is_empty() {
        form.push(("ErrorCode", error_code));
    }
    form
}

/// The parameters of the webhook for an incoming message.
pub(crate) fn inbound_form<'a>(message: &IncomingMessage<'a>) -> Vec<(&'static str, &'a str)> {
    vec![
        ("AccountSid", message.account),
        ("ApiVersion", "2010-04-01"),
        ("Body", message.body),
        ("From", message.from),
        ("FromCity", ""),
        ("FromCountry", "US"),
        ("FromState", ""),
        ("FromZip", ""),
        ("MessageSid", message.sid),
        ("NumMedia", "0"),
        ("NumSegments", "1"),
        ("SmsMessageSid", message.sid),
        ("SmsSid", message.sid),
        ("SmsStatus", "received"),
        ("To", message.to),
        ("ToCity", ""),
        ("ToCountry", "US"),
        ("ToState", ""),
        ("ToZip", ""),
    ]
}

/// The `X-Twilio-Signature` header.
fn sign(auth_token: &str, url: &str, form: &[(&str, &str)]) -> String {
    let mut sorted = form.to_vec();
    sorted.sort_unstable();
    let parameters: String = sorted.iter().flat_map(|(name, value)| [*name, *value]).collect();
    // A key may have any length.
    Hmac::<Sha1>::new_from_slice(auth_token.as_bytes())
        .map(|mac| {
            mac.chain_update(url)
                .chain_update(parameters)
                .finalize()
                .into_bytes()
        })
        .map(|signature| STANDARD.encode(signature))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_the_same_as_those_of_twilios_clients() {
        let Some(vectors) = crate::kit::testing::contract_file("test-vectors.json") else {
            return;
        };
        let cases = vectors["twilio"]["sdk_run"].as_array().unwrap();
        assert_eq!(cases.len(), 2);
        for case in cases {
            let form: Vec<(&str, &str)> = case["form_params"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
                .collect();
            let text = |name: &str| case[name].as_str().unwrap();
            let signature = sign(text("auth_token"), text("url_received"), &form);
            assert_eq!(signature, text("signature"), "{}", text("name"));
        }
    }
}
