//! Checks what is asked and answered against Twilio's own types, as JSON Schema.

use crate::form::Form;
use anyhow::Context;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::path::Path;

const FILE: &str = "twilio-api-v2010.jsonschema.json";
const MESSAGES: &str = "/2010-04-01/Accounts/{AccountSid}/Messages.json";

/// The schemas of the calls and answers that the stand-in knows, each compiled once.
pub(crate) struct Contract {
    definitions: Value,
    create: Validator,
    message: Validator,
    list: Validator,
    account: Validator,
}

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Message,
    List,
    Account,
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
        let operation = |method: &str| document.get("x-operations")?.get(format!("{method} {MESSAGES}"));
        let list = operation("GET").and_then(|list| list.pointer("/responses/200"));
        let create = operation("POST").and_then(|create| create.get("request"));
        let definition = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
        Ok(Self {
            create: compile(&definitions, create.context("no schema of a call")?)?,
            list: compile(&definitions, list.context("no schema of a list")?)?,
            message: compile(&definitions, &definition("api.v2010.account.message"))?,
            account: compile(&definitions, &definition("api.v2010.account"))?,
            definitions,
        })
    }

    /// What is wrong with a call that asks for a text.
    pub(crate) fn problems_of_call(&self, form: &Form) -> Option<String> {
        match self.typed(form) {
            Ok(typed) => problems(&self.create, &typed),
            Err(repeated) => Some(format!("{repeated} is there twice")),
        }
    }

    /// What is wrong with an answer.
    pub(crate) fn problems_of_answer(&self, kind: Kind, body: &Value) -> Option<String> {
        let validator = match kind {
            Kind::Message => &self.message,
            Kind::List => &self.list,
            Kind::Account => &self.account,
        };
        problems(validator, body)
    }

    /// A form with the types that the schema says, where its strings can be read so; else the name that is there twice.
    fn typed(&self, form: &Form) -> Result<Value, String> {
        let mut fields = Map::new();
        for (name, text) in form.pairs() {
            let kind = self.kind_of(name);
            if kind == Some("array") {
                let list = fields.entry(name).or_insert_with(|| json!([]));
                list.as_array_mut()
                    .into_iter()
                    .for_each(|list| list.push(json!(text)));
            } else if fields.insert(name.clone(), typed_leaf(kind, text)).is_some() {
                return Err(name.clone());
            }
        }
        Ok(Value::Object(fields))
    }

    fn kind_of(&self, name: &str) -> Option<&str> {
        let parameters = self.definitions.get("request.CreateMessage")?.get("properties")?;
        parameters.get(name)?.get("type")?.as_str()
    }
}

fn compile(definitions: &Value, schema: &Value) -> anyhow::Result<Validator> {
    let mut schema = schema.as_object().cloned().context("a schema is no object")?;
    schema.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    schema.insert("$defs".to_owned(), definitions.clone());
    jsonschema::validator_for(&Value::Object(schema)).map_err(|error| anyhow::anyhow!("the schemas: {error}"))
}

fn problems(validator: &Validator, value: &Value) -> Option<String> {
    if validator.is_valid(value) {
        return None;
    }
    let problems: Vec<String> = validator
        .iter_errors(value)
        .take(3)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    Some(problems.join("; ").chars().take(600).collect())
}

fn typed_leaf(kind: Option<&str>, text: &str) -> Value {
    let typed = match kind {
        Some("boolean") => text.parse().ok().map(Value::Bool),
        Some("integer") => text.parse::<i64>().ok().map(Value::from),
        Some("number") => text.parse::<f64>().ok().map(Value::from),
        _ => None,
    };
    typed.unwrap_or_else(|| json!(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use std::collections::BTreeSet;

    /// Twilio's types, where they are.
    fn contract() -> Option<Contract> {
        let folder = crate::contracts_folder();
        if folder.is_none() {
            eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so there are no types to check against");
        }
        folder.map(|folder| Contract::read(&folder).unwrap())
    }

    fn names(object: &Value) -> BTreeSet<&String> {
        object.as_object().unwrap().keys().collect()
    }

    #[test]
    fn a_text_has_every_field_that_twilio_sends_and_what_is_odd_is_noticed() {
        let Some(contract) = contract() else { return };
        let form = Form::parse(b"To=%2B15551234567&From=%2B15557654321&Body=Hello");
        let text = Text::read(&format!("AC{:032}", 0).into(), &form).unwrap();
        let message = text.resource(&format!("SM{:032}", 0));
        assert_eq!(contract.problems_of_answer(Kind::Message, &message), None);
        let schema = &contract.definitions["api.v2010.account.message"]["properties"];
        assert_eq!(names(&message), names(schema));
        for (name, odd) in [
            ("status", json!("perhaps")),
            ("sid", json!("SM1")),
            ("error_code", json!("30003")),
            ("body", json!(1)),
        ] {
            let mut message = message.clone();
            message[name] = odd;
            let problems = contract.problems_of_answer(Kind::Message, &message);
            assert!(problems.is_some(), "{name}");
        }
    }

    #[test]
    fn what_twilios_own_client_sends_passes_and_what_it_would_not_is_noticed() {
        let Some(contract) = contract() else { return };
        let file = crate::contracts_folder().unwrap().join("sdk-wire-samples.json");
        let samples: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let sample = samples["samples"]
            .as_array()
            .unwrap()
            .iter()
            .find(|sample| sample["path"].as_str().unwrap().ends_with("/Messages.json"));
        let body = sample.unwrap()["body"].as_str().unwrap();
        let problems = |form: &str| contract.problems_of_call(&Form::parse(form.as_bytes()));
        assert_eq!(problems(body), None);
        assert_eq!(
            problems("To=1&MediaUrl=a&MediaUrl=b&MaxPrice=0.5&ForceDelivery=true"),
            None
        );
        for wrong in [
            "Body=a",
            "To=1&To=2",
            "To=1&Price=2",
            "To=1&Attempt=often",
            "To=1&ForceDelivery=perhaps",
            "To=1&ContentRetention=perhaps",
            "To=1&MessagingServiceSid=MG1",
        ] {
            assert!(problems(wrong).is_some(), "{wrong}");
        }
    }
}
