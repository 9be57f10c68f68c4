//! The objects of the Stripe account, and how payments, refunds and disputes change them.

use crate::stripe::errors::ApiError;
use crate::stripe::form;
use crate::stripe::objects;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The amounts that Stripe charges in US dollars, in cents.
const AMOUNTS: std::ops::RangeInclusive<i64> = 50..=99_999_999;
/// The supported parameters of `POST /v1/payment_intents`. Others are rejected rather than ignored.
const CREATE_FIELDS: [&str; 7] = [
    "amount",
    "automatic_payment_methods",
    "currency",
    "customer",
    "description",
    "expand",
    "metadata",
];

/// How the customer's authentication at the bank ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum BankDecision {
    Succeed,
    Fail,
}

#[derive(Default)]
pub(crate) struct Account {
    /// Where the last call found the stand-in.
    pub(crate) origin: String,
    intents: BTreeMap<String, Value>,
    charges: BTreeMap<String, Value>,
    customers: BTreeMap<String, Value>,
    /// The dispute over each charge, by the id of the charge.
    disputes: BTreeMap<String, Value>,
    refunds: Vec<Value>,
    /// Events that are not published yet.
    new_events: Vec<Value>,
}

impl Account {
    pub(crate) fn intents(&self) -> Vec<&Value> {
        self.intents.values().collect()
    }

    pub(crate) fn take_events(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.new_events)
    }

    pub(crate) fn create(&mut self, form: &Map<String, Value>) -> Result<Value, ApiError> {
        if let Some(unknown) = form.keys().find(|name| !CREATE_FIELDS.contains(&name.as_str())) {
            return Err(ApiError::invalid(
                Some("parameter_unknown"),
                &format!("The stand-in does not support {unknown}"),
            ));
        }
        let amount = integer(form, "amount")?;
        if !AMOUNTS.contains(&amount) {
            let code = if amount < *AMOUNTS.start() {
                "amount_too_small"
            } else {
                "amount_too_large"
            };
            return Err(ApiError::invalid(
                Some(code),
                "Amount must be at least $0.50 and no more than $999,999.99 usd",
            ));
        }
        let currency = text(form, "currency").to_ascii_lowercase();
        if currency != "usd" {
            return Err(ApiError::invalid(None, &format!("Invalid currency: {currency}")));
        }
        let customer = text(form, "customer");
        if !customer.is_empty() && !self.customers.contains_key(customer) {
            return Err(ApiError {
                status: 400,
                ..ApiError::missing("customer", customer)
            });
        }
        let intent = objects::payment_intent(amount, &currency, form);
        self.save_intent(&intent);
        Ok(intent)
    }

    pub(crate) fn create_customer(&mut self, form: &Map<String, Value>) -> Result<Value, ApiError> {
        if let Some(unknown) = form.keys().find(|name| name.as_str() != "metadata") {
            return Err(ApiError::invalid(
                Some("parameter_unknown"),
                &format!("The stand-in does not support {unknown}"),
            ));
        }
        let customer = objects::customer(form);
        let id = customer["id"].as_str().unwrap_or_default().to_owned();
        self.customers.insert(id, customer.clone());
        Ok(customer)
    }

    pub(crate) fn customers(&self) -> Vec<&Value> {
        self.customers.values().collect()
    }

    pub(crate) fn retrieve(&self, id: &str) -> Result<Value, ApiError> {
        self.intents
            .get(id)
            .cloned()
            .ok_or_else(|| ApiError::missing("payment_intent", id))
    }

    /// Confirms with the secret key. There is no page, so a redirect needs a `return_url`.
    pub(crate) fn confirm(
        &mut self,
        id: &str,
        form: &Map<String, Value>,
        key: Option<&str>,
    ) -> Result<Value, ApiError> {
        let intent = self.retrieve(id)?;
        let may_redirect = intent["automatic_payment_methods"]["allow_redirects"] == "always";
        if may_redirect && !form.contains_key("return_url") {
            return Err(ApiError::invalid(
                None,
                "Some payment methods might redirect your customer: you must provide a `return_url`.",
            ));
        }
        self.pay(id, text(form, "payment_method"), key)
    }

    /// Pays with one of Stripe's test payment methods.
    pub(crate) fn pay(&mut self, id: &str, method: &str, key: Option<&str>) -> Result<Value, ApiError> {
        let mut intent = self.retrieve(id)?;
        expect_status(&intent, &["requires_payment_method", "requires_action"])?;
        let known = [
            "pm_card_visa",
            "pm_card_mastercard",
            "pm_card_chargeDeclined",
            "pm_card_threeDSecure2Required",
        ];
        if !known.contains(&method) {
            return Err(ApiError {
                status: 400,
                ..ApiError::missing("PaymentMethod", method)
            });
        }
        intent["payment_method"] = json!(objects::new_id("pm"));
        intent["last_payment_error"] = Value::Null;
        intent["next_action"] = Value::Null;
        match method {
            "pm_card_chargeDeclined" => Err(self.decline(intent, key)),
            "pm_card_threeDSecure2Required" => Ok(self.require_action(intent, key)),
            _ => Ok(self.succeed(intent, key)),
        }
    }

    /// The customer has authenticated at the bank, or failed to.
    pub(crate) fn complete_action(&mut self, id: &str, decision: BankDecision) -> Result<Value, ApiError> {
        let mut intent = self.retrieve(id)?;
        expect_status(&intent, &["requires_action"])?;
        intent["next_action"] = Value::Null;
        if decision == BankDecision::Succeed {
            return Ok(self.succeed(intent, None));
        }
        let error = json!({
            "type": "invalid_request_error", "code": "payment_intent_authentication_failure",
            "message": "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
        });
        Ok(self.fail(intent, error, None))
    }

    pub(crate) fn cancel(
        &mut self,
        id: &str,
        form: &Map<String, Value>,
        key: Option<&str>,
    ) -> Result<Value, ApiError> {
        let mut intent = self.retrieve(id)?;
        expect_status(&intent, &["requires_payment_method", "requires_action"])?;
        intent["status"] = json!("canceled");
        intent["next_action"] = Value::Null;
        intent["canceled_at"] = json!(objects::now());
        intent["cancellation_reason"] = json!(form.get("cancellation_reason"));
        self.save_intent(&intent);
        self.add_event("payment_intent.canceled", &intent, key);
        Ok(intent)
    }

    pub(crate) fn refund(&mut self, form: &Map<String, Value>, key: Option<&str>) -> Result<Value, ApiError> {
        let mut charge = self.charge_to_refund(form)?;
        let left = charge["amount"].as_i64().unwrap_or(0) - charge["amount_refunded"].as_i64().unwrap_or(0);
        if left == 0 {
            return Err(ApiError::invalid(
                Some("charge_already_refunded"),
                &format!("Charge {} has already been refunded.", charge["id"]),
            ));
        }
        let amount = if form.contains_key("amount") {
            integer(form, "amount")?
        } else {
            left
        };
        if !(1..=left).contains(&amount) {
            return Err(ApiError::invalid(
                None,
                "Refund amount is greater than unrefunded amount on charge",
            ));
        }
        charge["amount_refunded"] = json!(charge["amount_refunded"].as_i64().unwrap_or(0) + amount);
        charge["refunded"] = json!(amount == left);
        let refund = objects::refund(&charge, amount, form);
        self.refunds.push(refund.clone());
        self.save_charge(&charge);
        self.add_event("charge.refunded", &charge, key);
        self.add_event("refund.created", &refund, key);
        Ok(refund)
    }

    /// The newest refund of a payment fails: the money comes back.
    pub(crate) fn fail_refund(&mut self, id: &str) -> Result<Value, ApiError> {
        let mut charge = self.charge_of(&self.retrieve(id)?)?;
        let mut made = self.refunds.iter_mut().rev();
        let newest = made.find(|refund| refund["charge"] == charge["id"] && refund["status"] == "succeeded");
        let Some(refund) = newest else {
            return Err(ApiError::invalid(None, "This charge has no refund."));
        };
        refund["status"] = json!("failed");
        refund["failure_reason"] = json!("unknown");
        let refund = refund.clone();
        let amount = |object: &Value, name: &str| object[name].as_i64().unwrap_or(0);
        charge["amount_refunded"] = json!(amount(&charge, "amount_refunded") - amount(&refund, "amount"));
        charge["refunded"] = json!(false);
        self.save_charge(&charge);
        for kind in ["refund.failed", "refund.updated"] {
            self.add_event(kind, &refund, None);
        }
        Ok(refund)
    }

    /// The customer's bank opens a dispute, or an inquiry that may become one.
    pub(crate) fn dispute(&mut self, id: &str, is_inquiry: bool) -> Result<Value, ApiError> {
        let intent = self.retrieve(id)?;
        expect_status(&intent, &["succeeded"])?;
        let mut charge = self.charge_of(&intent)?;
        if charge["disputed"] == true {
            return Err(ApiError::invalid(None, "This charge is disputed already."));
        }
        charge["disputed"] = json!(true);
        self.save_charge(&charge);
        let mut dispute = objects::dispute(&charge);
        if is_inquiry {
            dispute["status"] = json!("warning_needs_response");
        }
        self.save_dispute(&dispute);
        self.add_event("charge.dispute.created", &dispute, None);
        Ok(dispute)
    }

    /// The customer's bank closes the dispute with this status.
    pub(crate) fn close_dispute(&mut self, id: &str, status: &str) -> Result<Value, ApiError> {
        let charge = self.charge_of(&self.retrieve(id)?)?;
        let dispute = charge["id"].as_str().and_then(|id| self.disputes.get(id));
        let is_open = |status: &Value| status == "needs_response" || status == "warning_needs_response";
        let open = dispute.filter(|dispute| is_open(&dispute["status"]));
        let Some(mut dispute) = open.cloned() else {
            return Err(ApiError::invalid(None, "This charge has no open dispute."));
        };
        dispute["status"] = json!(status);
        self.save_dispute(&dispute);
        self.add_event("charge.dispute.closed", &dispute, None);
        Ok(dispute)
    }

    /// Replaces ids with their objects, where the request expands them.
    pub(crate) fn expand(&self, mut object: Value, query: &Map<String, Value>) -> Result<Value, ApiError> {
        for name in form::list(query, "expand") {
            let whole = match (name, object[name].as_str()) {
                ("latest_charge" | "charge", Some(id)) => self.charges.get(id),
                ("payment_intent", Some(id)) => self.intents.get(id),
                ("latest_charge", None) if object["object"] == "payment_intent" => continue,
                _ => None,
            };
            let whole = whole.ok_or_else(|| {
                ApiError::invalid(None, &format!("This property cannot be expanded ({name})."))
            })?;
            object[name] = whole.clone();
        }
        Ok(object)
    }

    fn succeed(&mut self, mut intent: Value, key: Option<&str>) -> Value {
        let charge = objects::charge(&intent, None, &self.origin);
        self.save_charge(&charge);
        intent["latest_charge"] = charge["id"].clone();
        intent["amount_received"] = intent["amount"].clone();
        intent["status"] = json!("succeeded");
        self.save_intent(&intent);
        self.add_event("payment_intent.succeeded", &intent, key);
        intent
    }

    fn require_action(&mut self, mut intent: Value, key: Option<&str>) -> Value {
        intent["status"] = json!("requires_action");
        intent["next_action"] = json!({
            "type": "use_stripe_sdk",
            "use_stripe_sdk": {"type": "three_d_secure_redirect", "source": objects::new_id("src")},
        });
        self.save_intent(&intent);
        self.add_event("payment_intent.requires_action", &intent, key);
        intent
    }

    fn decline(&mut self, mut intent: Value, key: Option<&str>) -> ApiError {
        let charge = objects::charge(&intent, Some("card_declined"), &self.origin);
        self.save_charge(&charge);
        intent["latest_charge"] = charge["id"].clone();
        let error = json!({
            "type": "card_error", "code": "card_declined", "decline_code": "generic_decline",
            "charge": charge["id"], "message": "Your card was declined.",
        });
        let intent = self.fail(intent, error.clone(), key);
        let mut error = ApiError { status: 402, error };
        error.error["payment_intent"] = intent;
        error
    }

    fn fail(&mut self, mut intent: Value, error: Value, key: Option<&str>) -> Value {
        intent["status"] = json!("requires_payment_method");
        intent["payment_method"] = Value::Null;
        intent["last_payment_error"] = error;
        self.save_intent(&intent);
        self.add_event("payment_intent.payment_failed", &intent, key);
        intent
    }

    fn charge_to_refund(&self, form: &Map<String, Value>) -> Result<Value, ApiError> {
        let charge = match (text(form, "charge"), text(form, "payment_intent")) {
            ("", "") => {
                return Err(ApiError::invalid(
                    Some("parameter_missing"),
                    "One of charge or payment_intent is required.",
                ));
            }
            ("", intent) => self.charge_of(&self.retrieve(intent)?)?,
            (charge, _) => self
                .charges
                .get(charge)
                .cloned()
                .ok_or_else(|| ApiError::missing("charge", charge))?,
        };
        if charge["disputed"] == true {
            return Err(ApiError::invalid(
                Some("charge_disputed"),
                "This charge has been charged back.",
            ));
        }
        if charge["paid"] != true {
            return Err(ApiError::invalid(None, "This charge has not been paid."));
        }
        Ok(charge)
    }

    fn charge_of(&self, intent: &Value) -> Result<Value, ApiError> {
        let charge = intent["latest_charge"]
            .as_str()
            .and_then(|id| self.charges.get(id));
        charge.cloned().ok_or_else(|| {
            ApiError::invalid(
                None,
                &format!(
                    "This PaymentIntent ({}) does not have a successful charge to refund.",
                    intent["id"]
                ),
            )
        })
    }

    fn save_intent(&mut self, intent: &Value) {
        self.intents.insert(
            intent["id"].as_str().unwrap_or_default().to_owned(),
            intent.clone(),
        );
    }

    fn save_charge(&mut self, charge: &Value) {
        self.charges.insert(
            charge["id"].as_str().unwrap_or_default().to_owned(),
            charge.clone(),
        );
    }

    fn save_dispute(&mut self, dispute: &Value) {
        let charge = dispute["charge"].as_str().unwrap_or_default();
        self.disputes.insert(charge.to_owned(), dispute.clone());
    }

    fn add_event(&mut self, kind: &str, object: &Value, key: Option<&str>) {
        self.new_events.push(objects::event(kind, object, key));
    }
}

fn expect_status(intent: &Value, allowed: &[&str]) -> Result<(), ApiError> {
    let status = intent["status"].as_str().unwrap_or_default();
    if allowed.contains(&status) {
        return Ok(());
    }
    let mut error = ApiError::invalid(
        Some("payment_intent_unexpected_state"),
        &format!("This PaymentIntent's status is {status}: it cannot be changed in this way."),
    );
    error.error["payment_intent"] = intent.clone();
    Err(error)
}

fn text<'a>(form: &'a Map<String, Value>, name: &str) -> &'a str {
    form.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn integer(form: &Map<String, Value>, name: &str) -> Result<i64, ApiError> {
    text(form, name).parse().map_err(|_| {
        ApiError::invalid(
            Some("parameter_invalid_integer"),
            &format!("Invalid integer: {name}"),
        )
    })
}
