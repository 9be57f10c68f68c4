//! Twilio's schemas of requests and responses.

use crate::kit::Contract;
use serde_json::{Map, Value, json};
use std::path::Path;

const FILE: &str = "twilio-api-v2010.jsonschema.json";
const LIST_RESPONSE: &str =
    "/x-operations/GET ~12010-04-01~1Accounts~1{AccountSid}~1Messages.json/responses/200";

/// The parameters of a request that creates a message.
pub(crate) const CREATE_MESSAGE: &str = "request.CreateMessage";
/// A message in a response.
pub(crate) const MESSAGE: &str = "api.v2010.account.message";
/// An account in a response.
pub(crate) const ACCOUNT: &str = "api.v2010.account";
/// A page of a list of messages in a response.
pub(crate) const MESSAGE_LIST: &str = "message list";

/// Reads the schemas in this folder. Without a folder nothing is checked.
pub(crate) fn read(folder: Option<&Path>) -> anyhow::Result<Contract> {
    match folder {
        Some(folder) => Contract::read(&folder.join(FILE), requests_and_responses),
        None => Ok(Contract::default()),
    }
}

fn requests_and_responses(document: &Value) -> Map<String, Value> {
    let definition = |name: &str| (name.to_owned(), json!({"$ref": format!("#/$defs/{name}")}));
    let mut schemas: Map<String, Value> = [CREATE_MESSAGE, MESSAGE, ACCOUNT]
        .map(definition)
        .into_iter()
        .collect();
    // A missing schema is `false`, under which nothing is valid.
    let list = document.pointer(LIST_RESPONSE).cloned();
    schemas.insert(MESSAGE_LIST.to_owned(), list.unwrap_or(Value::Bool(false)));
    schemas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::FormFields;
    use crate::kit::testing::contract_file;
    use crate::twilio::message::Message;
    use std::collections::BTreeSet;

    /// Twilio's schemas, if they are there.
    fn contract() -> Option<Contract> {
        contract_file(FILE)?;
        Some(read(crate::kit::contracts_folder().as_deref()).unwrap())
    }

    fn names(object: &Value) -> BTreeSet<&String> {
        object.as_object().unwrap().keys().collect()
    }

    #[test]
    fn a_message_has_every_field_of_twilios_schema_and_wrong_values_are_problems() {
        let Some(contract) = contract() else { return };
        let form = FormFields::parse(b"To=%2B15551234567&From=%2B15557654321&Body=Hello");
        let message = Message::read(&format!("AC{:032}", 0).into(), &form).unwrap();
        let message = message.resource(&format!("SM{:032}", 0));
        assert_eq!(contract.problems(MESSAGE, &message), None);
        let schema = &contract.definition(MESSAGE).unwrap()["properties"];
        assert_eq!(names(&message), names(schema));
        for (name, wrong) in [
            ("status", json!("perhaps")),
            ("sid", json!("SM1")),
            ("error_code", json!("30003")),
            ("body", json!(1)),
        ] {
            let mut message = message.clone();
            message[name] = wrong;
            assert!(contract.problems(MESSAGE, &message).is_some(), "{name}");
        }
    }

    #[test]
    fn the_requests_of_twilios_client_pass_and_requests_that_it_would_not_send_do_not() {
        let Some(contract) = contract() else { return };
        let samples = contract_file("sdk-wire-samples.json").unwrap();
        let mut samples = samples["samples"].as_array().unwrap().iter();
        let sample = samples.find(|sample| sample["path"].as_str().unwrap().ends_with("/Messages.json"));
        let body = sample.unwrap()["body"].as_str().unwrap();
        let problems = |form: &str| {
            let form = FormFields::parse(form.as_bytes());
            contract.form_problems(CREATE_MESSAGE, &form.to_arrays())
        };
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

    #[test]
    fn lists_and_accounts_are_checked() {
        let Some(contract) = contract() else { return };
        assert_eq!(contract.problems(MESSAGE_LIST, &json!({"messages": []})), None);
        assert!(
            contract
                .problems(MESSAGE_LIST, &json!({"messages": [1]}))
                .is_some()
        );
        assert!(contract.problems(ACCOUNT, &json!({"sid": 1})).is_some());
    }
}
