//! The state that API calls share, and how one call is answered.

use crate::kit::{ApiCall, Contract, Shared};
use crate::stripe::account::Account;
use crate::stripe::errors::ApiError;
use crate::stripe::failures::Failures;
use crate::stripe::form;
use crate::stripe::objects;
use crate::stripe::schemas::event_definition;
use crate::stripe::webhooks::Webhooks;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard};

pub(crate) struct Server {
    pub(crate) contract: Arc<Contract>,
    pub(crate) webhooks: Webhooks,
    pub(crate) failures: Failures,
    state: Shared<State>,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) account: Account,
    pub(crate) events: Vec<Value>,
    /// The API calls so far, for `GET /control/calls`.
    pub(crate) calls: Vec<Value>,
    /// The first request with each idempotency key.
    idempotent_requests: HashMap<String, IdempotentRequest>,
}

#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// Whether this is the answer to an earlier request with the same idempotency key.
    pub(crate) is_replay: bool,
}

struct IdempotentRequest {
    path: String,
    form: Map<String, Value>,
    answer: Answer,
}

/// An operation of the API that the stand-in supports.
enum Operation<'a> {
    CreateCustomer,
    Create,
    Retrieve(&'a str),
    Confirm(&'a str),
    Cancel(&'a str),
    Refund,
}

impl<'a> Operation<'a> {
    fn find(method: &str, path: &'a str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').collect();
        match (method, parts.as_slice()) {
            ("POST", ["customers"]) => Some(Self::CreateCustomer),
            ("POST", ["payment_intents"]) => Some(Self::Create),
            ("GET", ["payment_intents", id]) => Some(Self::Retrieve(id)),
            ("POST", ["payment_intents", id, "confirm"]) => Some(Self::Confirm(id)),
            ("POST", ["payment_intents", id, "cancel"]) => Some(Self::Cancel(id)),
            ("POST", ["refunds"]) => Some(Self::Refund),
            _ => None,
        }
    }

    fn request_definition(&self) -> Option<&'static str> {
        match self {
            Self::CreateCustomer => Some("CustomerCreateParams"),
            Self::Create => Some("PaymentIntentCreateParams"),
            Self::Retrieve(_) => None,
            Self::Confirm(_) => Some("PaymentIntentConfirmParams"),
            Self::Cancel(_) => Some("PaymentIntentCancelParams"),
            Self::Refund => Some("RefundCreateParams"),
        }
    }

    fn response_definition(&self) -> &'static str {
        match self {
            Self::CreateCustomer => "Customer",
            Self::Refund => "Refund",
            _ => "PaymentIntent",
        }
    }

    fn run(
        &self,
        account: &mut Account,
        form: &Map<String, Value>,
        key: Option<&str>,
    ) -> Result<Value, ApiError> {
        match self {
            Self::CreateCustomer => account.create_customer(form),
            Self::Create => account.create(form),
            Self::Retrieve(id) => account.retrieve(id),
            Self::Confirm(id) => account.confirm(id, form, key),
            Self::Cancel(id) => account.cancel(id, form, key),
            Self::Refund => account.refund(form, key),
        }
    }
}

impl State {
    pub(crate) fn log_call(&mut self, call: &ApiCall, status: u16, is_replay: bool) {
        self.calls.push(json!({
            "method": call.method(), "path": format!("/v1/{}", call.path()),
            "idempotencyKey": call.header("idempotency-key"), "status": status, "replayed": is_replay,
        }));
    }
}

impl From<ApiError> for Answer {
    fn from(error: ApiError) -> Self {
        Self {
            status: error.status,
            body: error.body(),
            is_replay: false,
        }
    }
}

impl Server {
    pub(crate) fn new(contract: Arc<Contract>, webhooks: Webhooks) -> Self {
        Self {
            contract,
            webhooks,
            failures: Failures::default(),
            state: Shared::default(),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Answers an API call. Calls are processed one at a time.
    pub(crate) fn answer(&self, call: &ApiCall) -> Answer {
        let mut state = self.state();
        let answer = self.try_answer(&mut state, call).unwrap_or_else(Answer::from);
        state.log_call(call, answer.status, answer.is_replay);
        answer
    }

    fn try_answer(&self, state: &mut State, call: &ApiCall) -> Result<Answer, ApiError> {
        check_api_key(call)?;
        check_headers(call).map_err(|error| self.violation(call, error))?;
        let operation = Operation::find(call.method(), call.path()).ok_or_else(|| not_found(call))?;
        let form = read_form(call).map_err(|error| self.violation(call, error))?;
        if let Some(answer) = replay(state, call, &form)? {
            return Ok(answer);
        }
        self.check_request(&operation, &form)
            .map_err(|error| self.violation(call, error))?;
        if let Some(host) = call.header("host") {
            state.account.origin = format!("http://{host}");
        }
        let answer = self.run(state, &operation, &form, call.header("idempotency-key"));
        save_answer(state, call, form, &answer);
        Ok(answer)
    }

    fn run(
        &self,
        state: &mut State,
        operation: &Operation<'_>,
        form: &Map<String, Value>,
        key: Option<&str>,
    ) -> Answer {
        let result = operation.run(&mut state.account, form, key);
        self.publish_events(state);
        match result.and_then(|object| state.account.expand(object, form)) {
            Ok(body) => self.checked(operation.response_definition(), body),
            Err(error) => error.into(),
        }
    }

    /// Saves the account's new events, and queues them for the webhook endpoint.
    pub(crate) fn publish_events(&self, state: &mut State) {
        for event in state.account.take_events() {
            let kind = event["type"].as_str().unwrap_or_default();
            if let Some(problems) = self.contract.problems(&event_definition(kind), &event) {
                self.contract.record(format!("event {kind}: {problems}"));
                continue;
            }
            self.webhooks.queue(&event);
            state.events.push(event);
        }
    }

    fn check_request(&self, operation: &Operation<'_>, form: &Map<String, Value>) -> Result<(), ApiError> {
        let problems = operation
            .request_definition()
            .and_then(|definition| self.contract.form_problems(definition, form));
        match problems {
            None => Ok(()),
            Some(problems) => Err(ApiError::invalid(Some("parameter_unknown"), &problems)),
        }
    }

    /// The answer with this body, or 500 if Stripe would not answer this.
    fn checked(&self, definition: &str, body: Value) -> Answer {
        let Some(problems) = self.contract.problems(definition, &body) else {
            return Answer {
                status: 200,
                body,
                is_replay: false,
            };
        };
        self.contract.record(format!("response {definition}: {problems}"));
        let message = "The stand-in's response does not match Stripe's schema";
        ApiError::new(500, "api_error", None, message).into()
    }

    fn violation(&self, call: &ApiCall, error: ApiError) -> ApiError {
        let (method, path) = (call.method(), call.path());
        self.contract
            .record(format!("{method} /v1/{path}: {}", error.error["message"]));
        error
    }
}

fn not_found(call: &ApiCall) -> ApiError {
    let message = format!(
        "Unrecognized request URL ({}: /v1/{}).",
        call.method(),
        call.path()
    );
    ApiError::new(404, "invalid_request_error", None, &message)
}

fn check_api_key(call: &ApiCall) -> Result<(), ApiError> {
    let key = call
        .header("authorization")
        .and_then(|header| header.strip_prefix("Bearer "))
        .unwrap_or_default();
    if key.starts_with("sk_test_") || key.starts_with("rk_test_") {
        return Ok(());
    }
    let message = "You did not provide a test API key: Authorization: Bearer sk_test_…";
    Err(ApiError::new(401, "invalid_request_error", None, message))
}

fn check_headers(call: &ApiCall) -> Result<(), ApiError> {
    let release = |version: &str| version.split_once('.').map(|(_, release)| release.to_owned());
    if call.header("stripe-version").and_then(release) != release(objects::API_VERSION) {
        let message = "Stripe-Version must be a version of the release that the stand-in implements";
        return Err(ApiError::invalid(None, message));
    }
    if call.method() == "POST" && call.has_body() && !call.is_form() {
        let message = "Content-Type must be application/x-www-form-urlencoded";
        return Err(ApiError::invalid(None, message));
    }
    if call
        .header("idempotency-key")
        .is_some_and(|key| !(1..=255).contains(&key.len()))
    {
        let message = "Idempotency-Key must have 1 to 255 characters";
        return Err(ApiError::invalid(None, message));
    }
    Ok(())
}

fn read_form(call: &ApiCall) -> Result<Map<String, Value>, ApiError> {
    form::parse(&call.parameters()).map_err(|message| ApiError::invalid(None, &message))
}

/// The answer to an earlier request with the same key and the same parameters.
fn replay(state: &State, call: &ApiCall, form: &Map<String, Value>) -> Result<Option<Answer>, ApiError> {
    let first = idempotency_key(call).and_then(|key| state.idempotent_requests.get(key));
    let Some(first) = first else { return Ok(None) };
    if first.path != call.path() || first.form != *form {
        let message = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
        return Err(ApiError::new(400, "idempotency_error", None, message));
    }
    Ok(Some(Answer {
        is_replay: true,
        ..first.answer.clone()
    }))
}

fn save_answer(state: &mut State, call: &ApiCall, form: Map<String, Value>, answer: &Answer) {
    if let Some(key) = idempotency_key(call) {
        let request = IdempotentRequest {
            path: call.path().to_owned(),
            form,
            answer: answer.clone(),
        };
        state.idempotent_requests.insert(key.to_owned(), request);
    }
}

/// The idempotency key of a POST. Other methods are idempotent without one.
fn idempotency_key(call: &ApiCall) -> Option<&str> {
    call.header("idempotency-key").filter(|_| call.method() == "POST")
}
