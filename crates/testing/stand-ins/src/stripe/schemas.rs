//! Stripe's schemas of requests, responses and events.

use crate::kit::Contract;
use serde_json::{Map, Value, json};
use std::path::Path;

const FILE: &str = "stripe-2026-10-28.endive.jsonschema.json";

/// Reads the schemas in this folder. Without a folder nothing is checked.
pub(crate) fn read(folder: Option<&Path>) -> anyhow::Result<Contract> {
    match folder {
        // They say `number` for every integer.
        Some(folder) => Ok(Contract::read(&folder.join(FILE), operations_and_events)?.with_integers_only()),
        None => Ok(Contract::default()),
    }
}

/// The schemas that the document lists for operations and events, by the names of their definitions.
fn operations_and_events(document: &Value) -> Map<String, Value> {
    let mut schemas = Map::new();
    collect_references(&document["x-operations"], &mut schemas);
    collect_references(&document["x-events"], &mut schemas);
    schemas
}

fn collect_references(value: &Value, schemas: &mut Map<String, Value>) {
    let Value::Object(fields) = value else { return };
    for (name, field) in fields {
        match field.as_str() {
            Some(reference) if name == "$ref" => {
                let definition = reference.trim_start_matches("#/$defs/");
                schemas.insert(definition.to_owned(), json!({"$ref": reference}));
            }
            _ => collect_references(field, schemas),
        }
    }
}

/// The definition of an event: `payment_intent.succeeded` is a `PaymentIntentSucceededEvent`.
pub(crate) fn event_definition(kind: &str) -> String {
    let words = kind.split(['.', '_']).map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.chain(["Event".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::FormFields;
    use crate::stripe::{form, objects};

    /// Stripe's schemas, if they are there.
    fn contract() -> Option<Contract> {
        crate::kit::testing::contract_file(FILE)?;
        Some(read(crate::kit::contracts_folder().as_deref()).unwrap())
    }

    fn parse(body: &[u8]) -> Map<String, Value> {
        form::parse(&FormFields::parse(body)).unwrap()
    }

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

    #[test]
    fn objects_match_stripes_schemas_and_a_missing_field_is_a_problem() {
        let Some(contract) = contract() else { return };
        let form = parse(b"automatic_payment_methods[enabled]=true");
        let intent = objects::payment_intent(500, "usd", &form);
        let charge = objects::charge(&intent, None, "http://127.0.0.1");
        let declined = objects::charge(&intent, Some("card_declined"), "http://127.0.0.1");
        let dispute = objects::dispute(&charge);
        let refund = objects::refund(&charge, 500, &form);
        let event = |kind: &str, object: &Value| (event_definition(kind), objects::event(kind, object, None));
        for (definition, object) in [
            ("PaymentIntent".to_owned(), intent.clone()),
            ("Refund".to_owned(), refund),
            ("Customer".to_owned(), objects::customer(&form)),
            event("payment_intent.succeeded", &intent),
            event("charge.refunded", &charge),
            event("charge.refunded", &declined),
            event("charge.dispute.closed", &dispute),
        ] {
            assert_eq!(contract.problems(&definition, &object), None, "{definition}");
            let mut without_id = object;
            without_id.as_object_mut().unwrap().remove("id");
            assert!(
                contract.problems(&definition, &without_id).is_some(),
                "{definition}"
            );
        }
        let mut unknown_status = intent;
        unknown_status["status"] = json!("perhaps");
        assert!(contract.problems("PaymentIntent", &unknown_status).is_some());
        assert!(contract.problems("NoSuchDefinition", &json!({})).is_some());
    }

    #[test]
    fn forms_get_the_types_of_stripes_schemas() {
        let Some(contract) = contract() else { return };
        let body = b"amount=500&currency=usd&metadata[a]=7&expand[]=x&automatic_payment_methods[enabled]=true&customer=12";
        let typed = contract.typed_form("PaymentIntentCreateParams", &parse(body));
        let expected = json!({
            "amount": 500, "currency": "usd", "metadata": {"a": "7"}, "expand": ["x"],
            "automatic_payment_methods": {"enabled": true}, "customer": "12",
        });
        assert_eq!(typed, expected);
    }
}
