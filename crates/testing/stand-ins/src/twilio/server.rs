//! The state that API calls share, and how one call is answered.

use crate::kit::{ApiCall, Contract, FormFields, Shared, random_bytes};
use crate::twilio::Account;
use crate::twilio::callbacks::Callbacks;
use crate::twilio::carrier::Carrier;
use crate::twilio::errors::ApiError;
use crate::twilio::failures::Failures;
use crate::twilio::list::ListQuery;
use crate::twilio::message::{Message, rfc2822};
use crate::twilio::schemas;
use crate::twilio::state::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

pub(crate) struct Server {
    pub(crate) contract: Arc<Contract>,
    pub(crate) carrier: Carrier,
    pub(crate) callbacks: Callbacks,
    pub(crate) failures: Failures,
    state: Shared<State>,
    latency_ms: AtomicU64,
    /// The first half of the SIDs that this stand-in assigns: random, because databases outlive the stand-in.
    sid_prefix: u64,
    incoming_messages: AtomicU32,
}

/// An API call with its parameters.
pub(crate) struct Call<'a> {
    call: &'a ApiCall,
    pub(crate) form: FormFields,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// An operation of the API that the stand-in supports.
#[derive(Clone, Copy)]
enum Operation<'a> {
    Create,
    List,
    Fetch(&'a str),
    Account,
}

impl<'a> Operation<'a> {
    /// The SID of the account in the path, and the operation.
    fn find(method: &str, path: &'a str) -> Option<(&'a str, Self)> {
        let path = path.strip_prefix("Accounts/")?.strip_suffix(".json")?;
        let mut parts = path.split('/');
        let account = parts.next()?;
        let operation = match (method, parts.next(), parts.next(), parts.next()) {
            ("GET", None, None, None) => Self::Account,
            ("POST", Some("Messages"), None, None) => Self::Create,
            ("GET", Some("Messages"), None, None) => Self::List,
            ("GET", Some("Messages"), Some(sid), None) => Self::Fetch(sid),
            _ => return None,
        };
        Some((account, operation))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::List => "list",
            Self::Fetch(_) => "fetch",
            Self::Account => "account",
        }
    }

    fn status(self) -> u16 {
        match self {
            Self::Create => 201,
            Self::List | Self::Fetch(_) | Self::Account => 200,
        }
    }

    fn response_schema(self) -> &'static str {
        match self {
            Self::Create | Self::Fetch(_) => schemas::MESSAGE,
            Self::List => schemas::MESSAGE_LIST,
            Self::Account => schemas::ACCOUNT,
        }
    }
}

impl<'a> Call<'a> {
    pub(crate) fn new(call: &'a ApiCall) -> Self {
        Self {
            call,
            form: call.parameters(),
        }
    }

    pub(crate) fn method(&self) -> &str {
        self.call.method()
    }

    /// The name of the operation, for `GET /control/calls`.
    pub(crate) fn name(&self) -> &'static str {
        self.operation()
            .map_or("other", |(_, operation)| operation.name())
    }

    fn operation(&self) -> Option<(&str, Operation<'_>)> {
        Operation::find(self.call.method(), self.call.path())
    }

    /// The username and password of HTTP basic authentication.
    fn credentials(&self) -> Option<(String, String)> {
        let encoded = self.call.header("authorization")?.strip_prefix("Basic ")?;
        let decoded = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
        let (sid, auth_token) = decoded.split_once(':')?;
        Some((sid.to_owned(), auth_token.to_owned()))
    }
}

impl From<ApiError> for Answer {
    fn from(error: ApiError) -> Self {
        Self {
            status: error.status,
            body: error.body(),
        }
    }
}

impl Server {
    pub(crate) fn new(
        contract: Arc<Contract>,
        account: Option<Account>,
        carrier: Carrier,
        callbacks: Callbacks,
        latency: Duration,
    ) -> Self {
        let server = Self {
            contract,
            carrier,
            callbacks,
            failures: Failures::default(),
            state: Shared::new(State::new(account)),
            latency_ms: AtomicU64::default(),
            sid_prefix: u64::from_be_bytes(random_bytes()),
            incoming_messages: AtomicU32::new(0),
        };
        server.set_latency(latency);
        server
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    pub(crate) fn latency(&self) -> Duration {
        Duration::from_millis(self.latency_ms.load(Ordering::Relaxed))
    }

    pub(crate) fn set_latency(&self, latency: Duration) {
        let milliseconds = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
        self.latency_ms.store(milliseconds, Ordering::Relaxed);
    }

    /// The SID of the message with this index.
    pub(crate) fn sid(&self, index: u32) -> String {
        format!("SM{:016x}{index:016x}", self.sid_prefix)
    }

    /// A new SID for an incoming message.
    pub(crate) fn incoming_sid(&self) -> String {
        let number = self.incoming_messages.fetch_add(1, Ordering::Relaxed);
        format!("SM{:016x}1{number:015x}", self.sid_prefix)
    }

    /// The index of the message with this SID.
    pub(crate) fn index_of(&self, sid: &str) -> Option<u32> {
        let digits = sid.strip_prefix(&format!("SM{:016x}", self.sid_prefix))?;
        u32::from_str_radix(digits, 16).ok()
    }

    /// Answers an API call.
    pub(crate) fn answer(&self, call: &Call<'_>) -> Answer {
        let Some((account, operation)) = call.operation() else {
            return ApiError::new(20404).into();
        };
        match self.run(call, account, operation) {
            Ok(body) => self.checked(operation, body),
            Err(error) => error.into(),
        }
    }

    fn run(&self, call: &Call<'_>, account: &str, operation: Operation<'_>) -> Result<Value, ApiError> {
        let account = self.authenticate(call, account)?;
        match operation {
            Operation::Create => self.create(call, &account),
            Operation::List => self.list(call, &account),
            Operation::Fetch(sid) => self.fetch(&account, sid),
            Operation::Account => Ok(account_resource(&account)),
        }
    }

    fn authenticate(&self, call: &Call<'_>, account: &str) -> Result<Arc<str>, ApiError> {
        let (sid, auth_token) = call.credentials().ok_or_else(|| ApiError::new(20003))?;
        if sid != account {
            return Err(ApiError::new(20003));
        }
        self.state().authenticate(&sid, &auth_token)
    }

    fn create(&self, call: &Call<'_>, account: &Arc<str>) -> Result<Value, ApiError> {
        self.check_request(call)?;
        let message = Message::read(account, &call.form)?;
        let queued = message.clone();
        let index = self.state().accept(message)?;
        self.carrier.queue(index);
        Ok(queued.resource(&self.sid(index)))
    }

    fn list(&self, call: &Call<'_>, account: &str) -> Result<Value, ApiError> {
        let query = ListQuery::read(&call.form)?;
        let before = match query.after {
            None => None,
            Some(sid) => Some(self.index_of(sid).ok_or_else(|| ApiError::new(20404))?),
        };
        let mut found = self.state().list(account, &query, before);
        let has_more = found.len() > query.page_size;
        found.truncate(query.page_size);
        let uri = |page, after: Option<&str>| query.uri(account, &call.form, page, after);
        let last = found.last().map(|(index, _)| self.sid(*index));
        let next = last
            .filter(|_| has_more)
            .map(|sid| uri(query.page + 1, Some(&sid)));
        let start = query.page * query.page_size;
        let messages: Vec<Value> = found
            .iter()
            .map(|(index, message)| message.resource(&self.sid(*index)))
            .collect();
        Ok(json!({
            "end": start + messages.len().saturating_sub(1), "first_page_uri": uri(0, None), "messages": messages,
            "next_page_uri": next, "page": query.page, "page_size": query.page_size, "previous_page_uri": null,
            "start": start, "uri": uri(query.page, query.after),
        }))
    }

    fn fetch(&self, account: &str, sid: &str) -> Result<Value, ApiError> {
        let index = self.index_of(sid).ok_or_else(|| ApiError::new(20404))?;
        let state = self.state();
        let message = state
            .message(index)
            .filter(|message| &*message.account == account);
        let message = message.ok_or_else(|| ApiError::new(20404))?;
        Ok(message.resource(sid))
    }

    fn check_request(&self, call: &Call<'_>) -> Result<(), ApiError> {
        let problems = if call.call.is_form() {
            self.contract
                .form_problems(schemas::CREATE_MESSAGE, &call.form.to_arrays())
        } else {
            Some("Content-Type must be application/x-www-form-urlencoded".to_owned())
        };
        let Some(problems) = problems else { return Ok(()) };
        self.contract.record(format!("request: {problems}"));
        Err(ApiError::unsupported(problems))
    }

    /// The answer with this body, or 500 if Twilio would not answer this.
    fn checked(&self, operation: Operation<'_>, body: Value) -> Answer {
        let Some(problems) = self.contract.problems(operation.response_schema(), &body) else {
            let status = operation.status();
            return Answer { status, body };
        };
        self.contract
            .record(format!("response to {}: {problems}", operation.name()));
        let message = "The stand-in's response does not match Twilio's schema";
        ApiError::with_message(20500, message.to_owned()).into()
    }
}

fn account_resource(sid: &str) -> Value {
    let uri = format!("/2010-04-01/Accounts/{sid}");
    json!({
        "auth_token": null, "date_created": rfc2822(Some(0)), "date_updated": rfc2822(Some(0)),
        "friendly_name": "Stand-in", "owner_account_sid": sid, "sid": sid, "status": "active",
        "subresource_uris": {"messages": format!("{uri}/Messages.json")}, "type": "Full", "uri": format!("{uri}.json"),
    })
}
