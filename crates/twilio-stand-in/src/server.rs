//! What the calls share, and how one call of the API is answered.

use crate::Account;
use crate::callbacks::Callbacks;
use crate::carrier::Carrier;
use crate::contract::{Contract, Kind};
use crate::failures::Failures;
use crate::form::Form;
use crate::list::Query;
use crate::refusal::Refusal;
use crate::state::State;
use crate::text::{Text, rfc2822};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::Rng;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) struct Server {
    pub(crate) contract: Option<Contract>,
    pub(crate) carrier: Carrier,
    pub(crate) callbacks: Callbacks,
    pub(crate) failures: Failures,
    state: Mutex<State>,
    latency_ms: AtomicU64,
    /// The first half of the names that are given here: random, because databases outlive the stand-in.
    run: u64,
    inbound: AtomicU32,
}

/// A call of the API, as far as the stand-in looks at it.
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    /// Behind `/2010-04-01/`.
    pub(crate) path: &'a str,
    /// The body, or for reading the query.
    pub(crate) form: Form,
    pub(crate) authorization: Option<&'a str>,
    pub(crate) content_type: Option<&'a str>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// What the stand-in can do.
#[derive(Clone, Copy)]
enum Operation<'a> {
    Create,
    List,
    Fetch(&'a str),
    Account,
}

impl<'a> Operation<'a> {
    /// The account that is asked, and for what.
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

    fn answer_kind(self) -> Kind {
        match self {
            Self::Create | Self::Fetch(_) => Kind::Message,
            Self::List => Kind::List,
            Self::Account => Kind::Account,
        }
    }
}

impl Call<'_> {
    /// The name of what it asks for, in the count of calls.
    pub(crate) fn name(&self) -> &'static str {
        Operation::find(self.method, self.path).map_or("other", |(_, operation)| operation.name())
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self {
            status: refusal.status,
            body: refusal.body(),
        }
    }
}

impl Server {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the stand-in's source of randomness"
    )]
    pub(crate) fn new(
        contract: Option<Contract>,
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
            state: Mutex::new(State::new(account)),
            latency_ms: AtomicU64::default(),
            run: rand::rng().next_u64(),
            inbound: AtomicU32::new(0),
        };
        server.set_latency(latency);
        server
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn latency(&self) -> Duration {
        Duration::from_millis(self.latency_ms.load(Ordering::Relaxed))
    }

    pub(crate) fn set_latency(&self, latency: Duration) {
        let milliseconds = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
        self.latency_ms.store(milliseconds, Ordering::Relaxed);
    }

    /// The name of the text at this place.
    pub(crate) fn sid(&self, index: u32) -> String {
        format!("SM{:016x}{index:016x}", self.run)
    }

    /// A name for a text that somebody sends.
    pub(crate) fn inbound_sid(&self) -> String {
        let number = self.inbound.fetch_add(1, Ordering::Relaxed);
        format!("SM{:016x}1{number:015x}", self.run)
    }

    /// The place of the text with this name.
    pub(crate) fn index_of(&self, sid: &str) -> Option<u32> {
        let digits = sid.strip_prefix(&format!("SM{:016x}", self.run))?;
        u32::from_str_radix(digits, 16).ok()
    }

    /// Answers a call of the API.
    pub(crate) fn answer(&self, call: &Call<'_>) -> Answer {
        let Some((account, operation)) = Operation::find(call.method, call.path) else {
            return Refusal::new(20404).into();
        };
        match self.try_answer(call, account, operation) {
            Ok(body) => self.checked(operation, body),
            Err(refusal) => refusal.into(),
        }
    }

    fn try_answer(&self, call: &Call<'_>, account: &str, operation: Operation<'_>) -> Result<Value, Refusal> {
        let account = self.sign_in(call, account)?;
        match operation {
            Operation::Create => self.create(call, &account),
            Operation::List => self.list(call, &account),
            Operation::Fetch(sid) => self.fetch(&account, sid),
            Operation::Account => Ok(account_resource(&account)),
        }
    }

    fn sign_in(&self, call: &Call<'_>, account: &str) -> Result<Arc<str>, Refusal> {
        let (sid, auth_token) = credentials(call).ok_or_else(|| Refusal::new(20003))?;
        if sid != account {
            return Err(Refusal::new(20003));
        }
        self.state().sign_in(&sid, &auth_token)
    }

    fn create(&self, call: &Call<'_>, account: &Arc<str>) -> Result<Value, Refusal> {
        self.check(call)?;
        let text = Text::read(account, &call.form)?;
        let taken = text.clone();
        let index = self.state().keep(text)?;
        self.carrier.take(index);
        Ok(taken.resource(&self.sid(index)))
    }

    fn list(&self, call: &Call<'_>, account: &str) -> Result<Value, Refusal> {
        let query = Query::read(&call.form)?;
        let before = match query.after {
            None => None,
            Some(sid) => Some(self.index_of(sid).ok_or_else(|| Refusal::new(20404))?),
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
            .map(|(index, text)| text.resource(&self.sid(*index)))
            .collect();
        Ok(json!({
            "end": start + messages.len().saturating_sub(1), "first_page_uri": uri(0, None), "messages": messages,
            "next_page_uri": next, "page": query.page, "page_size": query.page_size, "previous_page_uri": null,
            "start": start, "uri": uri(query.page, query.after),
        }))
    }

    fn fetch(&self, account: &str, sid: &str) -> Result<Value, Refusal> {
        let index = self.index_of(sid).ok_or_else(|| Refusal::new(20404))?;
        let state = self.state();
        let text = state.text(index).filter(|text| &*text.account == account);
        text.map(|text| text.resource(sid))
            .ok_or_else(|| Refusal::new(20404))
    }

    /// That a call is what Twilio would understand.
    fn check(&self, call: &Call<'_>) -> Result<(), Refusal> {
        let is_form = call
            .content_type
            .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
        let problems = if is_form {
            self.contract
                .as_ref()
                .and_then(|contract| contract.problems_of_call(&call.form))
        } else {
            Some("Content-Type must be application/x-www-form-urlencoded".to_owned())
        };
        let Some(problems) = problems else { return Ok(()) };
        self.state().violations.push(format!("call: {problems}"));
        Err(Refusal::not_understood(problems))
    }

    fn checked(&self, operation: Operation<'_>, body: Value) -> Answer {
        let kind = operation.answer_kind();
        let status = if matches!(operation, Operation::Create) {
            201
        } else {
            200
        };
        let contract = self.contract.as_ref();
        let Some(problems) = contract.and_then(|contract| contract.problems_of_answer(kind, &body)) else {
            return Answer { status, body };
        };
        self.state()
            .violations
            .push(format!("answer to {}: {problems}", operation.name()));
        Refusal::with_message(
            20500,
            "The stand-in's answer is not what Twilio would say".to_owned(),
        )
        .into()
    }
}

/// Name and secret of HTTP's Basic authentication.
fn credentials(call: &Call<'_>) -> Option<(String, String)> {
    let encoded = call.authorization?.strip_prefix("Basic ")?;
    let decoded = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (sid, auth_token) = decoded.split_once(':')?;
    Some((sid.to_owned(), auth_token.to_owned()))
}

fn account_resource(sid: &str) -> Value {
    let uri = format!("/2010-04-01/Accounts/{sid}");
    json!({
        "auth_token": null, "date_created": rfc2822(Some(0)), "date_updated": rfc2822(Some(0)),
        "friendly_name": "Stand-in", "owner_account_sid": sid, "sid": sid, "status": "active",
        "subresource_uris": {"messages": format!("{uri}/Messages.json")}, "type": "Full", "uri": format!("{uri}.json"),
    })
}
