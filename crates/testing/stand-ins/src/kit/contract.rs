use crate::kit::Shared;
use anyhow::Context;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder with the providers' schemas, which `TOMBOLA_CONTRACTS` names.
pub fn contracts_folder() -> Option<PathBuf> {
    std::env::var_os("TOMBOLA_CONTRACTS")
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
}

/// A provider's schemas (JSON Schema 2020-12), and the violations that were found. Without schemas nothing is checked.
#[derive(Debug, Default)]
pub struct Contract {
    schemas: Option<Schemas>,
    violations: Shared<Vec<String>>,
}

#[derive(Debug)]
struct Schemas {
    definitions: Value,
    /// One validator for all schemas: `{"<name>": value}` must be valid. Compiled once, because it takes a second.
    validator: Validator,
    /// Whether a `number` in a form must be an integer.
    integers_only: bool,
}

impl Contract {
    /// Reads a document of schemas. `named` chooses the schemas to check with from the document, by name.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a document of schemas.
    pub fn read(file: &Path, named: impl Fn(&Value) -> Map<String, Value>) -> anyhow::Result<Self> {
        let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let document: Value = serde_json::from_slice(&text).context("the schemas are not JSON")?;
        let schemas = Schemas::compile(&document, named(&document))?;
        Ok(Self {
            schemas: Some(schemas),
            violations: Shared::default(),
        })
    }

    /// Takes only integers in forms, for schemas that say `number` where the API wants an integer.
    #[must_use]
    pub fn with_integers_only(mut self) -> Self {
        if let Some(schemas) = &mut self.schemas {
            schemas.integers_only = true;
        }
        self
    }

    /// What is wrong with a value that should be valid under the named schema.
    pub fn problems(&self, name: &str, value: &Value) -> Option<String> {
        self.schemas.as_ref()?.problems(name, value)
    }

    /// What is wrong with a form that should be valid under the named schema.
    pub fn form_problems(&self, name: &str, form: &Map<String, Value>) -> Option<String> {
        let schemas = self.schemas.as_ref()?;
        schemas.problems(name, &schemas.typed(name, form))
    }

    /// A form whose strings are converted to the types of the named definition, where they can be. An array with one
    /// string stands for that string where the schema does not want an array.
    pub fn typed_form(&self, name: &str, form: &Map<String, Value>) -> Value {
        match &self.schemas {
            Some(schemas) => schemas.typed(name, form),
            None => Value::Object(form.clone()),
        }
    }

    /// A definition of the document.
    pub fn definition(&self, name: &str) -> Option<&Value> {
        self.schemas.as_ref()?.definitions.get(name)
    }

    /// Remembers a violation, for `GET /control/violations`.
    pub fn record(&self, violation: String) {
        self.violations.lock().push(violation);
    }

    /// Whether there are schemas, and all violations so far.
    pub(crate) fn report(&self) -> Value {
        json!({"checked": self.schemas.is_some(), "violations": *self.violations.lock()})
    }
}

impl Schemas {
    fn compile(document: &Value, named: Map<String, Value>) -> anyhow::Result<Self> {
        let definitions = document.get("$defs").cloned();
        let definitions = definitions.context("the schemas have no $defs")?;
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": definitions,
            "type": "object",
            "properties": named,
            "additionalProperties": false,
        });
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| anyhow::anyhow!("the schemas cannot be compiled: {error}"))?;
        Ok(Self {
            definitions,
            validator,
            integers_only: false,
        })
    }

    fn problems(&self, name: &str, value: &Value) -> Option<String> {
        let named = json!({ name: value });
        if self.validator.is_valid(&named) {
            return None;
        }
        let errors = self.validator.iter_errors(&named).take(3);
        let problems: Vec<String> = errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        Some(problems.join("; ").chars().take(600).collect())
    }

    fn typed(&self, name: &str, form: &Map<String, Value>) -> Value {
        let schema = json!({"$ref": format!("#/$defs/{name}")});
        self.typed_value(&schema, &Value::Object(form.clone()))
    }

    fn typed_value(&self, schema: &Value, value: &Value) -> Value {
        let choices = self.choices(schema);
        let items = choices.iter().find_map(|choice| choice.get("items"));
        match (value, items) {
            (Value::String(text), _) => self.typed_leaf(&choices, text),
            (Value::Object(fields), Some(items)) if is_list(fields) => fields
                .values()
                .map(|item| self.typed_value(items, item))
                .collect(),
            (Value::Object(fields), _) => Value::Object(self.typed_fields(&choices, fields)),
            (Value::Array(values), Some(items)) => {
                values.iter().map(|item| self.typed_value(items, item)).collect()
            }
            (Value::Array(values), None) => match values.as_slice() {
                [only] => self.typed_value(schema, only),
                _ => value.clone(),
            },
            _ => value.clone(),
        }
    }

    fn typed_fields(&self, choices: &[&Value], fields: &Map<String, Value>) -> Map<String, Value> {
        let typed = |name: &String, field| self.typed_value(field_schema(choices, name), field);
        fields
            .iter()
            .map(|(name, field)| (name.clone(), typed(name, field)))
            .collect()
    }

    fn typed_leaf(&self, choices: &[&Value], text: &str) -> Value {
        let may_be = |name: &str| choices.iter().any(|choice| has_type(choice, name));
        if may_be("boolean")
            && let Ok(value) = text.parse::<bool>()
        {
            return json!(value);
        }
        if may_be("string") || !(may_be("number") || may_be("integer")) {
            return json!(text);
        }
        match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(whole), _) => json!(whole),
            (_, Ok(fraction)) if fraction.is_finite() && !self.integers_only => json!(fraction),
            _ => json!(text),
        }
    }

    /// The schemas that a value may match, with references and alternatives resolved.
    fn choices<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.definitions.get(reference.trim_start_matches("#/$defs/"));
            return target.map_or_else(Vec::new, |target| self.choices(target));
        }
        match schema.get("anyOf").and_then(Value::as_array) {
            Some(alternatives) => alternatives.iter().flat_map(|one| self.choices(one)).collect(),
            None => vec![schema],
        }
    }
}

/// Whether these are the fields of a list: `0`, `1`, `2`.
fn is_list(fields: &Map<String, Value>) -> bool {
    fields.keys().all(|key| key.parse::<usize>().is_ok())
}

fn field_schema<'a>(choices: &[&'a Value], name: &str) -> &'a Value {
    let property = |choice: &&'a Value| choice.get("properties").and_then(|fields| fields.get(name));
    let additional = |choice: &&'a Value| choice.get("additionalProperties");
    choices
        .iter()
        .find_map(property)
        .or_else(|| choices.iter().find_map(additional))
        .unwrap_or(&Value::Null)
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> Contract {
        let document = json!({"$defs": {
            "Order": {
                "type": "object",
                "properties": {
                    "amount": {"type": "integer"},
                    "price": {"type": "number"},
                    "paid": {"anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/Never"}]},
                    "tags": {"type": "array", "items": {"type": "integer"}},
                    "name": {"type": ["string", "integer"]},
                },
                "required": ["amount"],
                "additionalProperties": false,
            },
            "Never": {"enum": ["never"]},
        }});
        let named = json!({"Order": {"$ref": "#/$defs/Order"}});
        let schemas = Schemas::compile(&document, named.as_object().unwrap().clone()).unwrap();
        Contract {
            schemas: Some(schemas),
            violations: Shared::default(),
        }
    }

    fn form(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_form_gets_the_types_of_its_definition() {
        let contract = contract();
        for (sent, typed) in [
            (
                json!({"amount": "5", "price": "0.5", "paid": "true", "name": "7"}),
                json!({"amount": 5, "price": 0.5, "paid": true, "name": "7"}),
            ),
            (
                json!({"amount": "5", "tags": {"0": "1", "1": "2"}, "paid": "never"}),
                json!({"amount": 5, "tags": [1, 2], "paid": "never"}),
            ),
            (
                json!({"amount": ["5"], "tags": ["1"], "name": ["x"]}),
                json!({"amount": 5, "tags": [1], "name": "x"}),
            ),
        ] {
            let sent = form(sent);
            assert_eq!(contract.typed_form("Order", &sent), typed);
            assert_eq!(contract.form_problems("Order", &sent), None);
        }
        for wrong in [
            json!({}),
            json!({"amount": "5.5"}),
            json!({"amount": ["5", "6"]}),
            json!({"amount": "5", "paid": "perhaps"}),
            json!({"amount": "5", "unknown": "1"}),
        ] {
            assert!(
                contract.form_problems("Order", &form(wrong.clone())).is_some(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn numbers_can_be_limited_to_integers() {
        let contract = contract().with_integers_only();
        let price =
            |price: &str| contract.form_problems("Order", &form(json!({"amount": "5", "price": price})));
        assert_eq!(price("1"), None);
        assert!(price("0.5").is_some());
    }

    #[test]
    fn violations_are_reported_and_unknown_names_are_invalid() {
        let contract = contract();
        assert!(contract.problems("NoSuchSchema", &json!({})).is_some());
        contract.record("POST /orders: wrong".to_owned());
        assert_eq!(
            contract.report(),
            json!({"checked": true, "violations": ["POST /orders: wrong"]})
        );
    }

    #[test]
    fn without_schemas_everything_is_valid() {
        let contract = Contract::default();
        assert_eq!(contract.problems("Order", &json!({})), None);
        assert_eq!(contract.form_problems("Order", &Map::new()), None);
        assert_eq!(contract.report(), json!({"checked": false, "violations": []}));
    }
}
