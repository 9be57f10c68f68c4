//! Calls of whoever uses the stand-in, signed as Twilio signs them.

use crate::text::{Status, Text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use url::Url;

const TIME_OUT: Duration = Duration::from_secs(15);

pub(crate) struct Callbacks {
    client: reqwest::Client,
    inbound_url: Mutex<Option<Url>>,
}

/// What was answered: nothing, if there was no answer.
pub(crate) type CallAnswer = Option<(u16, String)>;

/// A text that somebody sends.
pub(crate) struct InboundMessage<'a> {
    pub(crate) account: &'a str,
    pub(crate) sid: &'a str,
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    pub(crate) body: &'a str,
}

impl Callbacks {
    pub(crate) fn new(inbound_url: Option<Url>) -> anyhow::Result<Self> {
        Ok(Self {
            client: reqwest::Client::builder().timeout(TIME_OUT).no_proxy().build()?,
            inbound_url: Mutex::new(inbound_url),
        })
    }

    pub(crate) fn set_inbound_url(&self, url: Url) {
        *self.lock() = Some(url);
    }

    pub(crate) fn inbound_url(&self) -> Option<Url> {
        self.lock().clone()
    }

    /// Posts a form, with a signature over the address as it is called.
    pub(crate) async fn call(&self, url: Url, auth_token: &str, form: &[(&str, &str)]) -> CallAnswer {
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
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        Some((status, answer.text().await.ok()?))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Url>> {
        self.inbound_url.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The parameters of a callback that says how far a text has come.
pub(crate) fn status_form<'a>(
    text: &'a Text,
    sid: &'a str,
    status: Status,
    error_code: &'a str,
) -> Vec<(&'static str, &'a str)> {
    let mut form = vec![
        ("AccountSid", &*text.account),
        ("ApiVersion", "2010-04-01"),
        ("From", &*text.from),
        ("MessageSid", sid),
        ("MessageStatus", status.name()),
        ("SmsSid", sid),
        ("SmsStatus", status.name()),
        ("To", &*text.to),
    ];
    if !error_code.is_empty() {
        form.push(("ErrorCode", error_code));
    }
    form
}

/// The parameters of a text that somebody sends.
pub(crate) fn inbound_form<'a>(text: &InboundMessage<'a>) -> Vec<(&'static str, &'a str)> {
    vec![
        ("AccountSid", text.account),
        ("ApiVersion", "2010-04-01"),
        ("Body", text.body),
        ("From", text.from),
        ("FromCity", ""),
        ("FromCountry", "US"),
        ("FromState", ""),
        ("FromZip", ""),
        ("MessageSid", text.sid),
        ("NumMedia", "0"),
        ("NumSegments", "1"),
        ("SmsMessageSid", text.sid),
        ("SmsSid", text.sid),
        ("SmsStatus", "received"),
        ("To", text.to),
        ("ToCity", ""),
        ("ToCountry", "US"),
        ("ToState", ""),
        ("ToZip", ""),
    ]
}

/// The header `X-Twilio-Signature`.
fn sign(auth_token: &str, url: &str, form: &[(&str, &str)]) -> String {
    let mut sorted = form.to_vec();
    sorted.sort_unstable();
    let parameters: String = sorted.iter().flat_map(|(name, value)| [*name, *value]).collect();
    // A key of any length will do.
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
    use serde_json::Value;

    #[test]
    fn signatures_are_those_of_twilios_own_clients() {
        let Some(folder) = crate::contracts_folder() else {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so Twilio's own signatures were not compared");
            return;
        };
        let text = std::fs::read(folder.join("test-vectors.json")).unwrap();
        let vectors: Value = serde_json::from_slice(&text).unwrap();
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
