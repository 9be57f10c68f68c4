//! What the calls share, and how one call of the API is answered.

use crate::account::{Account, Refusal};
use crate::contract::Contract;
use crate::failures::Failures;
use crate::form;
use crate::objects;
use crate::webhooks::Webhooks;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) struct Server {
    pub(crate) contract: Option<Contract>,
    pub(crate) webhooks: Webhooks,
    pub(crate) failures: Failures,
    state: Mutex<State>,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) account: Account,
    pub(crate) events: Vec<Value>,
    pub(crate) calls: Vec<Value>,
    /// What was asked, answered or told against the contract.
    pub(crate) violations: Vec<String>,
    kept: HashMap<String, Kept>,
}

/// A call of the API, as far as the stand-in looks at it.
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    /// Behind `/v1/`.
    pub(crate) path: &'a str,
    pub(crate) query: &'a str,
    pub(crate) body: &'a [u8],
    pub(crate) authorization: Option<&'a str>,
    pub(crate) version: Option<&'a str>,
    pub(crate) content_type: Option<&'a str>,
    pub(crate) idempotency_key: Option<&'a str>,
}

#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// Whether this is the answer to an earlier call with the same key.
    pub(crate) replayed: bool,
}

/// The answer that belongs to an idempotency key, and what was asked.
struct Kept {
    path: String,
    form: Map<String, Value>,
    answer: Answer,
}

/// What the stand-in can do, and the types of question and answer.
enum Operation<'a> {
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
            Self::Create => Some("PaymentIntentCreateParams"),
            Self::Retrieve(_) => None,
            Self::Confirm(_) => Some("PaymentIntentConfirmParams"),
            Self::Cancel(_) => Some("PaymentIntentCancelParams"),
            Self::Refund => Some("RefundCreateParams"),
        }
    }

    fn response_definition(&self) -> &'static str {
        match self {
            Self::Refund => "Refund",
            _ => "PaymentIntent",
        }
    }

    fn run(
        &self,
        account: &mut Account,
        form: &Map<String, Value>,
        key: Option<&str>,
    ) -> Result<Value, Refusal> {
        match self {
            Self::Create => account.create(form),
            Self::Retrieve(id) => account.retrieve(id),
            Self::Confirm(id) => account.confirm(id, form, key),
            Self::Cancel(id) => account.cancel(id, form, key),
            Self::Refund => account.refund(form, key),
        }
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Self {
            status: refusal.status,
            body: json!({ "error": refusal.error }),
            replayed: false,
        }
    }
}

impl Server {
    pub(crate) fn new(contract: Option<Contract>, webhooks: Webhooks) -> Self {
        Self {
            contract,
            webhooks,
            failures: Failures::default(),
            state: Mutex::default(),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a call of the API. All calls come one after the other.
    pub(crate) fn answer(&self, call: &Call<'_>) -> Answer {
        let mut state = self.state();
        let answer = self.try_answer(&mut state, call).unwrap_or_else(Answer::from);
        state.calls.push(json!({
            "method": call.method, "path": format!("/v1/{}", call.path), "idempotencyKey": call.idempotency_key,
            "status": answer.status, "replayed": answer.replayed,
        }));
        answer
    }

    fn try_answer(&self, state: &mut State, call: &Call<'_>) -> Result<Answer, Refusal> {
        check_key(call)?;
        check_headers(call).map_err(|refusal| blame(state, call, refusal))?;
        let operation = Operation::find(call.method, call.path).ok_or_else(|| {
            let message = format!("Unrecognized request URL ({}: /v1/{}).", call.method, call.path);
            Refusal::new(404, "invalid_request_error", None, &message)
        })?;
        let form = read_form(call).map_err(|refusal| blame(state, call, refusal))?;
        if let Some(answer) = replay(state, call, &form)? {
            return Ok(answer);
        }
        self.check_request(&operation, &form)
            .map_err(|refusal| blame(state, call, refusal))?;
        let answer = self.run(state, &operation, &form, call.idempotency_key);
        keep(state, call, form, &answer);
        Ok(answer)
    }

    fn run(
        &self,
        state: &mut State,
        operation: &Operation<'_>,
        form: &Map<String, Value>,
        key: Option<&str>,
    ) -> Answer {
        let done = operation.run(&mut state.account, form, key);
        self.tell_of_changes(state);
        match done.and_then(|object| state.account.expand(object, form)) {
            Ok(body) => self.checked(state, operation.response_definition(), body),
            Err(refusal) => refusal.into(),
        }
    }

    /// Keeps the events that came up, and has them sent.
    pub(crate) fn tell_of_changes(&self, state: &mut State) {
        for event in state.account.take_events() {
            let kind = event["type"].as_str().unwrap_or_default();
            let problems = self.problems(&event_definition(kind), &event);
            if let Some(problems) = problems {
                state.violations.push(format!("event {kind}: {problems}"));
                continue;
            }
            self.webhooks.queue(&event);
            state.events.push(event);
        }
    }

    fn check_request(&self, operation: &Operation<'_>, form: &Map<String, Value>) -> Result<(), Refusal> {
        let (Some(contract), Some(definition)) = (&self.contract, operation.request_definition()) else {
            return Ok(());
        };
        let typed = contract.typed(definition, form);
        match contract.problems(definition, &typed) {
            None => Ok(()),
            Some(problems) => Err(Refusal::invalid(Some("parameter_unknown"), &problems)),
        }
    }

    fn checked(&self, state: &mut State, definition: &str, body: Value) -> Answer {
        let Some(problems) = self.problems(definition, &body) else {
            return Answer {
                status: 200,
                body,
                replayed: false,
            };
        };
        state.violations.push(format!("answer {definition}: {problems}"));
        Refusal::new(
            500,
            "api_error",
            None,
            "The stand-in's answer is not what Stripe would say",
        )
        .into()
    }

    fn problems(&self, definition: &str, value: &Value) -> Option<String> {
        self.contract.as_ref()?.problems(definition, value)
    }
}

/// `payment_intent.succeeded` is a `PaymentIntentSucceededEvent`.
fn event_definition(kind: &str) -> String {
    let words = kind.split(['.', '_']).map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.chain(["Event".to_owned()]).collect()
}

fn blame(state: &mut State, call: &Call<'_>, refusal: Refusal) -> Refusal {
    state.violations.push(format!(
        "{} /v1/{}: {}",
        call.method, call.path, refusal.error["message"]
    ));
    refusal
}

fn check_key(call: &Call<'_>) -> Result<(), Refusal> {
    let key = call
        .authorization
        .and_then(|header| header.strip_prefix("Bearer "))
        .unwrap_or_default();
    if key.starts_with("sk_test_") || key.starts_with("rk_test_") {
        return Ok(());
    }
    let message = "You did not provide a test API key: Authorization: Bearer sk_test_…";
    Err(Refusal::new(401, "invalid_request_error", None, message))
}

fn check_headers(call: &Call<'_>) -> Result<(), Refusal> {
    let release = objects::API_VERSION.split_once('.').map(|(_, name)| name);
    if call
        .version
        .and_then(|version| version.split_once('.'))
        .map(|(_, name)| name)
        != release
    {
        let message = "Stripe-Version must name a version of the release that the stand-in speaks";
        return Err(Refusal::invalid(None, message));
    }
    let form = call
        .content_type
        .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
    if call.method == "POST" && !call.body.is_empty() && !form {
        return Err(Refusal::invalid(
            None,
            "Content-Type must be application/x-www-form-urlencoded",
        ));
    }
    if call
        .idempotency_key
        .is_some_and(|key| !(1..=255).contains(&key.len()))
    {
        return Err(Refusal::invalid(
            None,
            "Idempotency-Key must have 1 to 255 characters",
        ));
    }
    Ok(())
}

fn read_form(call: &Call<'_>) -> Result<Map<String, Value>, Refusal> {
    let text = if call.method == "GET" {
        call.query.as_bytes()
    } else {
        call.body
    };
    form::parse(text).map_err(|message| Refusal::invalid(None, &message))
}

/// The answer to an earlier call with this key, if it asked for the same.
fn replay(state: &State, call: &Call<'_>, form: &Map<String, Value>) -> Result<Option<Answer>, Refusal> {
    let kept = call
        .idempotency_key
        .filter(|_| call.method == "POST")
        .and_then(|key| state.kept.get(key));
    let Some(kept) = kept else { return Ok(None) };
    if kept.path != call.path || kept.form != *form {
        let message = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
        return Err(Refusal::new(400, "idempotency_error", None, message));
    }
    Ok(Some(Answer {
        replayed: true,
        ..kept.answer.clone()
    }))
}

fn keep(state: &mut State, call: &Call<'_>, form: Map<String, Value>, answer: &Answer) {
    if let (Some(key), "POST") = (call.idempotency_key, call.method) {
        let kept = Kept {
            path: call.path.to_owned(),
            form,
            answer: answer.clone(),
        };
        state.kept.insert(key.to_owned(), kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_find_their_definitions() {
        assert_eq!(
            event_definition("payment_intent.payment_failed"),
            "PaymentIntentPaymentFailedEvent"
        );
        assert_eq!(
            event_definition("charge.dispute.closed"),
            "ChargeDisputeClosedEvent"
        );
    }
}
