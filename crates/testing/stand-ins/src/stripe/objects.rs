//! Stripe's objects, with every field that the API always sends.

use crate::kit::{random_bytes, unix_millis};
use serde_json::{Map, Value, json};

/// The version of the API that the stand-in implements.
pub(crate) const API_VERSION: &str = "2026-10-28.endive";

/// The time now, in seconds since 1970.
pub(crate) fn now() -> i64 {
    unix_millis() / 1000
}

/// A new id, such as `pi_9f0c…`.
pub(crate) fn new_id(prefix: &str) -> String {
    format!("{prefix}_{}", hex::encode(random_bytes::<12>()))
}

pub(crate) fn payment_intent(amount: i64, currency: &str, form: &Map<String, Value>) -> Value {
    let id = new_id("pi");
    let automatic = form.get("automatic_payment_methods");
    let redirects = automatic
        .and_then(|methods| methods.get("allow_redirects"))
        .and_then(Value::as_str)
        .unwrap_or("always");
    json!({
        "id": id, "object": "payment_intent", "amount": amount, "amount_capturable": 0, "amount_details": {"tip": {}},
        "amount_received": 0, "allowed_payment_method_types": null, "application": null, "application_fee_amount": null,
        "automatic_payment_methods":
            automatic.map(|_| json!({"enabled": true, "allow_redirects": redirects})),
        "canceled_at": null, "cancellation_reason": null, "capture_method": "automatic_async",
        "client_secret": format!("{id}_{}", new_id("secret")), "confirmation_method": "automatic", "created": now(),
        "currency": currency, "customer": form.get("customer"), "customer_account": null, "description": form.get("description"),
        "excluded_payment_method_types": null, "last_payment_error": null, "latest_charge": null, "livemode": false,
        "managed_payments": null, "metadata": form.get("metadata").cloned().unwrap_or_else(|| json!({})),
        "next_action": null, "on_behalf_of": null, "payment_method": null,
        "payment_method_configuration_details": null,
        "payment_method_options": {"card": {"installments": null, "mandate_options": null, "network": null, "request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"], "payment_record": null, "processing": null, "receipt_email": null,
        "review": null, "setup_future_usage": null, "shipping": null, "source": null, "statement_descriptor": null,
        "statement_descriptor_suffix": null, "status": "requires_payment_method", "transfer_data": null,
        "transfer_group": null,
    })
}

pub(crate) fn customer(form: &Map<String, Value>) -> Value {
    json!({
        "id": new_id("cus"), "object": "customer", "address": null, "balance": 0, "created": now(), "currency": null,
        "customer_account": null, "default_source": null, "delinquent": false, "description": null, "discount": null,
        "email": null, "invoice_prefix": null,
        "invoice_settings":
            {"custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null},
        "livemode": false, "metadata": form.get("metadata").cloned().unwrap_or_else(|| json!({})), "name": null,
        "next_invoice_sequence": 1, "phone": null, "preferred_locales": [], "shipping": null, "tax_exempt": "none",
        "test_clock": null,
    })
}

/// The charge of a payment intent: paid, or declined with this code. The receipt is at this origin.
pub(crate) fn charge(intent: &Value, declined: Option<&str>, origin: &str) -> Value {
    let paid = declined.is_none();
    let amount = intent["amount"].clone();
    json!({
        "id": new_id("ch"), "object": "charge", "amount": amount,
        "amount_captured": if paid { amount } else { json!(0) }, "amount_refunded": 0, "application": null,
        "application_fee": null, "application_fee_amount": null,
        "balance_transaction": paid.then(|| new_id("txn")),
        "billing_details": {
            "address": {"city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null},
            "email": null, "name": null, "phone": null, "tax_id": null,
        },
        "calculated_statement_descriptor": "STAND-IN", "captured": paid, "created": now(),
        "currency": intent["currency"], "customer": intent["customer"], "description": intent["description"], "disputed": false,
        "failure_balance_transaction": null, "failure_code": declined,
        "failure_message": declined.map(|_| "Your card was declined."), "fraud_details": {}, "livemode": false,
        "metadata": intent["metadata"], "on_behalf_of": null,
        "outcome": {
            "advice_code": null, "network_advice_code": null, "network_decline_code": null,
            "network_status": if paid { "approved_by_network" } else { "declined_by_network" },
            "reason": declined, "seller_message": if paid { "Payment complete." } else { "The bank declined." },
            "type": if paid { "authorized" } else { "issuer_declined" },
        },
        "paid": paid, "payment_intent": intent["id"], "payment_method": intent["payment_method"],
        "payment_method_details": {"type": "card", "card": {
            "amount_authorized": intent["amount"], "authorization_code": null, "brand": "visa", "checks": null,
            "country": "US", "electronic_commerce_indicator": null, "exp_month": 8, "exp_year": 2040, "funding": "credit",
            "installments": null, "last4": "4242", "mandate": null, "network": "visa", "network_transaction_id": null,
            "regulated_status": null, "three_d_secure": null, "transaction_link_id": null, "wallet": null,
        }},
        "receipt_email": null, "receipt_number": null,
        "receipt_url": paid.then(|| format!("{origin}/browser/receipt")), "refunded": false, "review": null,
        "shipping": null, "source": null, "source_transfer": null, "statement_descriptor": null,
        "statement_descriptor_suffix": null, "status": if paid { "succeeded" } else { "failed" },
        "transfer_data": null, "transfer_group": null,
    })
}

pub(crate) fn refund(charge: &Value, amount: i64, form: &Map<String, Value>) -> Value {
    json!({
        "id": new_id("re"), "object": "refund", "amount": amount, "balance_transaction": new_id("txn"),
        "charge": charge["id"], "created": now(), "currency": charge["currency"], "customer": null,
        "customer_account": null, "destination_details": {"card": {"type": "refund"}, "type": "card"},
        "metadata": form.get("metadata").cloned().unwrap_or_else(|| json!({})),
        "payment_intent": charge["payment_intent"], "payment_method": charge["payment_method"],
        "reason": form.get("reason"), "receipt_number": null, "source_transfer_reversal": null,
        "status": "succeeded", "transfer_reversal": null,
    })
}

/// A dispute over a charge.
pub(crate) fn dispute(charge: &Value) -> Value {
    let evidence: Map<String, Value> = EVIDENCE
        .iter()
        .map(|name| ((*name).to_owned(), Value::Null))
        .chain([("enhanced_evidence".to_owned(), json!({}))])
        .collect();
    json!({
        "id": new_id("du"), "object": "dispute", "amount": charge["amount"], "balance_transactions": [],
        "charge": charge["id"], "created": now(), "currency": charge["currency"], "enhanced_eligibility_types": [],
        "evidence": evidence,
        "evidence_details": {
            "due_by": now() + 7 * 24 * 3600, "enhanced_eligibility": {}, "has_evidence": false, "past_due": false,
            "submission_count": 0, "submission_method": "not_submitted",
        },
        "intended_submission_method": "manual", "is_charge_refundable": false, "livemode": false, "metadata": {},
        "payment_intent": charge["payment_intent"], "reason": "fraudulent", "status": "needs_response",
    })
}

pub(crate) fn event(kind: &str, object: &Value, idempotency_key: Option<&str>) -> Value {
    json!({
        "id": new_id("evt"), "object": "event", "api_version": API_VERSION, "created": now(),
        "data": {"object": object}, "livemode": false, "pending_webhooks": 1,
        "request": {"id": new_id("req"), "idempotency_key": idempotency_key}, "type": kind,
    })
}

const EVIDENCE: [&str; 27] = [
    "access_activity_log",
    "billing_address",
    "cancellation_policy",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_communication",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "customer_signature",
    "duplicate_charge_documentation",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "service_documentation",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_documentation",
    "shipping_tracking_number",
    "uncategorized_file",
    "uncategorized_text",
];
