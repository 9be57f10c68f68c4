use crate::responses::{CallError, ErrorResponse, Message, MessageList};
use async_trait::async_trait;
use chrono::TimeDelta;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder};
use serde::de::DeserializeOwned;
use sms::{
    Credentials, MessageQuery, MessageQueryError, OutgoingMessage, ProviderMessage, SendError, SmsSender,
};
use std::time::Duration;
use url::Url;
use url::form_urlencoded::Serializer;

/// The base URL of Twilio's API.
pub const API_BASE: &str = "https://api.twilio.com";

/// The most idle connections: as many as messages are sent at once.
const IDLE_CONNECTIONS: usize = 128;
/// How long a connection may be idle: shorter than a proxy might wait before closing it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest page of a list of messages that Twilio allows.
const PAGE_SIZE: &str = "1000";
/// The most pages to read: no phone number has that many messages.
const MAX_PAGES: usize = 20;
/// How far Twilio's clock may be behind ours.
const CLOCK_SKEW: TimeDelta = TimeDelta::minutes(2);

/// The timeouts of a call.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The timeout for connecting.
    pub connect_timeout: Duration,
    /// The timeout for the whole call.
    pub total_timeout: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(3),
            total_timeout: Duration::from_secs(8),
        }
    }
}

/// Messages through Twilio.
pub struct TwilioSms {
    client: Client,
    base: Url,
}

impl TwilioSms {
    /// Takes the scheme, host and port of the API, without a version: [`API_BASE`], or the address of a stand-in.
    ///
    /// # Errors
    /// When the certificates of the system cannot be used.
    pub fn new(api_base: Url, patience: Timeouts) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .user_agent(concat!("Tombola/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(patience.connect_timeout)
            .timeout(patience.total_timeout)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()?;
        Ok(Self {
            client,
            base: api_base,
        })
    }

    /// The URL of the account's messages.
    fn messages(&self, credentials: &Credentials) -> Url {
        let mut url = self.base.clone();
        // An account SID has only letters and digits, so it needs no escaping.
        url.set_path(&format!(
            "/2010-04-01/Accounts/{}/Messages.json",
            credentials.account_sid()
        ));
        url
    }

    /// All messages from our phone number to a recipient.
    async fn list(&self, credentials: &Credentials, query: &MessageQuery) -> Result<Vec<Message>, CallError> {
        // No filter by date: a queued message has none, and would not be found.
        let mut next = Some(self.messages(credentials));
        if let Some(url) = &mut next {
            url.query_pairs_mut()
                .append_pair("To", query.to.as_e164())
                .append_pair("From", credentials.phone().as_e164())
                .append_pair("PageSize", PAGE_SIZE);
        }
        let mut found = Vec::new();
        for _ in 0..MAX_PAGES {
            let Some(url) = next else { return Ok(found) };
            let page: MessageList = call(self.client.get(url), credentials).await?;
            found.extend(page.messages);
            next = page.next_page_uri.map(|uri| self.next_page(&uri)).transpose()?;
        }
        Err(CallError::Unreadable { status: 200 })
    }

    /// The URL of the next page. It must be on the same host, because the request has our credentials.
    fn next_page(&self, uri: &str) -> Result<Url, CallError> {
        let url = self.base.join(uri).ok();
        url.filter(|url| url.origin() == self.base.origin())
            .ok_or(CallError::Unreadable { status: 200 })
    }
}

#[async_trait]
impl SmsSender for TwilioSms {
    async fn send_message(
        &self,
        credentials: &Credentials,
        text: &OutgoingMessage,
    ) -> Result<ProviderMessage, SendError> {
        let form = Serializer::new(String::new())
            .append_pair("To", text.to.as_e164())
            .append_pair("From", credentials.phone().as_e164())
            .append_pair("Body", &text.body)
            .append_pair("StatusCallback", &text.status_callback)
            .finish();
        let request = self
            .client
            .post(self.messages(credentials))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        let message: Message = call(request, credentials).await?;
        let text = message.text().ok_or(CallError::Unreadable { status: 201 })?;
        Ok(text)
    }

    async fn find_message(
        &self,
        credentials: &Credentials,
        query: &MessageQuery,
    ) -> Result<Option<ProviderMessage>, MessageQueryError> {
        let earliest = query.since - CLOCK_SKEW;
        let found = self.list(credentials, query).await?;
        let newest = found
            .iter()
            .filter(|message| message.contains(&query.needle))
            .filter_map(|message| Some((message.created_at()?, message)))
            .filter(|(created_at, _)| *created_at >= earliest)
            .max_by_key(|(created_at, _)| *created_at);
        Ok(newest.and_then(|(_, message)| message.text()))
    }
}

/// Sends a request. Returns the body of a successful response.
async fn call<T: DeserializeOwned>(
    request: RequestBuilder,
    credentials: &Credentials,
) -> Result<T, CallError> {
    let request = request.basic_auth(credentials.account_sid(), Some(credentials.auth_token()));
    let response = request.send().await.map_err(CallError::no_response)?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.bytes().await;
    if status.is_success() {
        let body = body.map_err(CallError::no_response)?;
        return serde_json::from_slice(&body).map_err(|_| CallError::Unreadable {
            status: status.as_u16(),
        });
    }
    // The body of an error may be missing: the status is enough.
    let body = body.unwrap_or_default();
    Err(CallError::Response(ErrorResponse::new(
        status.as_u16(),
        &headers,
        &body,
    )))
}
