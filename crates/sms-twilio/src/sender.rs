use crate::answers::{Message, MessageList, NoText, Refusal};
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

/// Where Twilio's API is.
pub const API_BASE: &str = "https://api.twilio.com";

/// How many connections wait for the next text: as many as there are texts under way at once.
const IDLE_CONNECTIONS: usize = 128;
/// Shorter than whoever is between us and Twilio might wait before closing one.
const IDLE: Duration = Duration::from_secs(30);
/// The most texts in a page of a list that Twilio gives.
const PAGE_SIZE: &str = "1000";
/// Nobody got as many texts as these pages hold.
const PAGES: usize = 20;
/// How far Twilio's clock may be behind ours.
const CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(2);

/// How long calls may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Until there is a connection.
    pub connecting: Duration,
    /// Until the whole answer is there.
    pub whole_call: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connecting: Duration::from_secs(3),
            whole_call: Duration::from_secs(8),
        }
    }
}

/// Twilio, as the provider of texts.
pub struct TwilioSms {
    client: Client,
    base: Url,
}

impl TwilioSms {
    /// With the root of the API: scheme, host and port, without a version; [`API_BASE`] unless it is a stand-in.
    ///
    /// # Errors
    /// When the machine's certificates cannot be used.
    pub fn new(api_base: Url, patience: Timeouts) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .user_agent(concat!("Tombola/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(patience.connecting)
            .timeout(patience.whole_call)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .pool_idle_timeout(IDLE)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()?;
        Ok(Self {
            client,
            base: api_base,
        })
    }

    /// The address of the account's texts.
    fn messages(&self, credentials: &Credentials) -> Url {
        let mut url = self.base.clone();
        // An account's name needs no escapes: it is letters and digits.
        url.set_path(&format!(
            "/2010-04-01/Accounts/{}/Messages.json",
            credentials.account_sid()
        ));
        url
    }

    /// All texts from our number to that one.
    async fn list(&self, credentials: &Credentials, query: &MessageQuery) -> Result<Vec<Message>, NoText> {
        // Not by date: a text that is still queued at Twilio has none, and would not be found.
        let mut next = Some(self.messages(credentials));
        if let Some(url) = &mut next {
            url.query_pairs_mut()
                .append_pair("To", query.to.as_e164())
                .append_pair("From", credentials.phone().as_e164())
                .append_pair("PageSize", PAGE_SIZE);
        }
        let mut found = Vec::new();
        for _ in 0..PAGES {
            let Some(url) = next else { return Ok(found) };
            let page: MessageList = ask(self.client.get(url), credentials).await?;
            found.extend(page.messages);
            next = page.next_page_uri.map(|uri| self.next_page(&uri)).transpose()?;
        }
        Err(NoText::Unreadable { status: 200 })
    }

    /// The address of the next page, which must be Twilio's: our secret goes along.
    fn next_page(&self, uri: &str) -> Result<Url, NoText> {
        let url = self.base.join(uri).ok();
        url.filter(|url| url.origin() == self.base.origin())
            .ok_or(NoText::Unreadable { status: 200 })
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
        let call = self
            .client
            .post(self.messages(credentials))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        let message: Message = ask(call, credentials).await?;
        let text = message.text().ok_or(NoText::Unreadable { status: 201 })?;
        Ok(text)
    }

    async fn find_message(
        &self,
        credentials: &Credentials,
        query: &MessageQuery,
    ) -> Result<Option<ProviderMessage>, MessageQueryError> {
        let earliest = query.since - CLOCK_DIFFERENCE;
        let found = self.list(credentials, query).await?;
        let newest = found
            .iter()
            .filter(|message| message.has(&query.needle))
            .filter_map(|message| Some((message.created_at()?, message)))
            .filter(|(created_at, _)| *created_at >= earliest)
            .max_by_key(|(created_at, _)| *created_at);
        Ok(newest.and_then(|(_, message)| message.text()))
    }
}

/// One call, and what is answered with success.
async fn ask<T: DeserializeOwned>(call: RequestBuilder, credentials: &Credentials) -> Result<T, NoText> {
    let call = call.basic_auth(credentials.account_sid(), Some(credentials.auth_token()));
    let answer = call.send().await.map_err(NoText::unanswered)?;
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer.bytes().await;
    if status.is_success() {
        let body = body.map_err(NoText::unanswered)?;
        return serde_json::from_slice(&body).map_err(|_| NoText::Unreadable {
            status: status.as_u16(),
        });
    }
    // What an error says in its body may be missing: its status counts.
    let body = body.unwrap_or_default();
    Err(NoText::Refused(Refusal::new(status.as_u16(), &headers, &body)))
}
