//! Checks what is asked and answered against Stripe's own types, as JSON Schema.

use anyhow::Context;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::path::Path;

const FILE: &str = "stripe-2026-10-28.endive.jsonschema.json";

/// The schemas of the calls, answers and events that the stand-in knows.
pub(crate) struct Contract {
    definitions: Value,
    /// One validator for all of them: `{"<definition>": value}` must hold. Compiled once, since it takes a second.
    validator: Validator,
}

impl Contract {
    /// Reads the schemas in this folder.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join(FILE);
        let text = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let document: Value = serde_json::from_slice(&text).context("the schemas are no JSON")?;
        let definitions = document
            .get("$defs")
            .cloned()
            .context("the schemas have no $defs")?;
        let names = roots(&document);
        let properties: Map<String, Value> = names
            .into_iter()
            .map(|name| (name.clone(), json!({"$ref": format!("#/$defs/{name}")})))
            .collect();
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": definitions,
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        let validator =
            jsonschema::validator_for(&schema).map_err(|error| anyhow::anyhow!("the schemas: {error}"))?;
        Ok(Self {
            definitions,
            validator,
        })
    }

    /// What is wrong with `value`, if it is to be a `definition`.
    pub(crate) fn problems(&self, definition: &str, value: &Value) -> Option<String> {
        let named = json!({ definition: value });
        let problems: Vec<String> = self
            .validator
            .iter_errors(&named)
            .take(3)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        (!problems.is_empty()).then(|| problems.join("; ").chars().take(600).collect())
    }

    /// A form's tree with the types that `definition` says, where its strings can be read so.
    pub(crate) fn typed(&self, definition: &str, form: &Map<String, Value>) -> Value {
        let schema = json!({"$ref": format!("#/$defs/{definition}")});
        self.typed_value(&schema, &Value::Object(form.clone()))
    }

    fn typed_value(&self, schema: &Value, value: &Value) -> Value {
        let choices = self.choices(schema);
        match value {
            Value::String(text) => typed_leaf(&choices, text),
            Value::Object(fields) => match choices.iter().find_map(|choice| choice.get("items")) {
                Some(items) if fields.keys().all(|key| key.parse::<usize>().is_ok()) => fields
                    .values()
                    .map(|item| self.typed_value(items, item))
                    .collect(),
                _ => Value::Object(
                    fields
                        .iter()
                        .map(|(name, field)| {
                            (
                                name.clone(),
                                self.typed_value(field_schema(&choices, name), field),
                            )
                        })
                        .collect(),
                ),
            },
            other => other.clone(),
        }
    }

    /// The schemas that a value may follow, without references and alternatives.
    fn choices<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let name = reference.trim_start_matches("#/$defs/");
            return self
                .definitions
                .get(name)
                .map_or_else(Vec::new, |target| self.choices(target));
        }
        match schema.get("anyOf").and_then(Value::as_array) {
            Some(alternatives) => alternatives.iter().flat_map(|one| self.choices(one)).collect(),
            None => vec![schema],
        }
    }
}

fn field_schema<'a>(choices: &[&'a Value], name: &str) -> &'a Value {
    let property = |choice: &&'a Value| choice.get("properties").and_then(|fields| fields.get(name));
    let any = |choice: &&'a Value| choice.get("additionalProperties");
    choices
        .iter()
        .find_map(property)
        .or_else(|| choices.iter().find_map(any))
        .unwrap_or(&Value::Null)
}

fn typed_leaf(choices: &[&Value], text: &str) -> Value {
    let may_be = |name: &str| choices.iter().any(|choice| has_type(choice, name));
    if may_be("boolean")
        && let Ok(value) = text.parse::<bool>()
    {
        return json!(value);
    }
    if (may_be("number") || may_be("integer"))
        && !may_be("string")
        && let Ok(value) = text.parse::<i64>()
    {
        return json!(value);
    }
    json!(text)
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

/// The definitions of the calls, answers and events that the document lists.
fn roots(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for list in ["x-operations", "x-events"] {
        collect_references(document.get(list).unwrap_or(&Value::Null), &mut found);
    }
    found
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    let Value::Object(fields) = value else { return };
    for (name, field) in fields {
        match field.as_str() {
            Some(reference) if name == "$ref" => {
                found.push(reference.trim_start_matches("#/$defs/").to_owned());
            }
            _ => collect_references(field, found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{form, objects};

    /// Stripe's types, where they are.
    fn contract() -> Option<Contract> {
        let folder = crate::contracts_folder();
        if folder.is_none() {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so there are no types to check against");
        }
        folder.map(|folder| Contract::read(&folder).unwrap())
    }

    #[test]
    fn objects_are_what_stripe_sends_and_less_is_noticed() {
        let Some(contract) = contract() else { return };
        let form = form::parse(b"automatic_payment_methods[enabled]=true").unwrap();
        let intent = objects::payment_intent(500, "usd", &form);
        let charge = objects::charge(&intent, None);
        let declined = objects::charge(&intent, Some("card_declined"));
        let dispute = objects::dispute(&charge);
        let refund = objects::refund(&charge, 500, &form);
        for (definition, object) in [
            ("PaymentIntent", &intent),
            ("Refund", &refund),
            (
                "PaymentIntentSucceededEvent",
                &objects::event("payment_intent.succeeded", &intent, None),
            ),
            (
                "ChargeRefundedEvent",
                &objects::event("charge.refunded", &charge, None),
            ),
            (
                "ChargeRefundedEvent",
                &objects::event("charge.refunded", &declined, Some("key")),
            ),
            (
                "ChargeDisputeClosedEvent",
                &objects::event("charge.dispute.closed", &dispute, None),
            ),
        ] {
            assert_eq!(contract.problems(definition, object), None, "{definition}");
            let mut less = object.clone();
            less.as_object_mut().unwrap().remove("id");
            assert!(contract.problems(definition, &less).is_some(), "{definition}");
        }
        let mut odd = intent;
        odd["status"] = json!("perhaps");
        assert!(contract.problems("PaymentIntent", &odd).is_some());
        assert!(contract.problems("NoSuchDefinition", &json!({})).is_some());
    }

    #[test]
    fn forms_get_the_types_that_stripe_says() {
        let Some(contract) = contract() else { return };
        let body = b"amount=500&currency=usd&metadata[a]=7&expand[]=x&automatic_payment_methods[enabled]=true&customer=12";
        let typed = contract.typed("PaymentIntentCreateParams", &form::parse(body).unwrap());
        let expected = json!({
            "amount": 500, "currency": "usd", "metadata": {"a": "7"}, "expand": ["x"],
            "automatic_payment_methods": {"enabled": true}, "customer": "12",
        });
        assert_eq!(typed, expected);
    }
}
