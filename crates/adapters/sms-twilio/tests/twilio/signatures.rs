//! Signatures that Twilio's own clients made, accept and reject.

use serde_json::Value;
use sms::SmsCallbacks;
use sms_twilio::TwilioCallbacks;

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// The parameters of a case: an object, or a list if a name is repeated.
fn parameters(case: &Value) -> Vec<(String, String)> {
    match &case["form_params"] {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| pair(name, value.as_str().unwrap()))
            .collect(),
        Value::Array(pairs) => pairs
            .iter()
            .map(|one| pair(one[0].as_str().unwrap(), one[1].as_str().unwrap()))
            .collect(),
        // A JSON body has no parameters: its hash is in the URL.
        _ => Vec::new(),
    }
}

#[test]
fn signatures_are_checked_as_twilios_clients_do() {
    let Some(vectors) = stand_ins::kit::testing::contract_file("test-vectors.json") else {
        return;
    };
    let mut compared = 0;
    for list in ["form", "json", "sdk_run"] {
        for case in vectors["twilio"][list].as_array().unwrap() {
            let text = |name: &str| case[name].as_str().unwrap();
            let url = if list == "json" {
                text("url")
            } else {
                text("url_received")
            };
            let is_valid = TwilioCallbacks.signature_holds(
                text("auth_token"),
                url,
                &parameters(case),
                text("signature"),
            );
            assert_eq!(is_valid, text("expect") == "accept", "{}", text("name"));
            compared += 1;
        }
    }
    assert_eq!(compared, 15, "all cases were compared");
}

const TOKEN: &str = "12345";
const URL: &str = "https://mycompany.com/myapp.php?foo=1&bar=2";
/// The signature of `URL` without parameters, with `TOKEN`.
const SIGNATURE: &str = "zYQTYrRWXE7LtzbG4PfP7/bkkGo=";
/// The same with an empty token.
const SIGNATURE_WITHOUT_TOKEN: &str = "t5xDBY6aFLdRIWN5NLeL/ANHa6A=";

fn is_valid(token: &str, url: &str, parameters: &[(String, String)], signature: &str) -> bool {
    TwilioCallbacks.signature_holds(token, url, parameters, signature)
}

#[test]
fn altered_requests_and_foreign_signatures_are_rejected() {
    assert!(is_valid(TOKEN, URL, &[], SIGNATURE));
    for (token, url, parameters, signature) in [
        ("12346", URL, vec![], SIGNATURE),
        (
            TOKEN,
            "https://mycompany.com/myapp.php?foo=1&bar=3",
            vec![],
            SIGNATURE,
        ),
        (
            TOKEN,
            "https://mycompany.org/myapp.php?foo=1&bar=2",
            vec![],
            SIGNATURE,
        ),
        (
            TOKEN,
            "http://mycompany.com/myapp.php?foo=1&bar=2",
            vec![],
            SIGNATURE,
        ),
        (TOKEN, URL, vec![pair("Body", "STOP")], SIGNATURE),
        (TOKEN, URL, vec![], ""),
        (TOKEN, URL, vec![], "not base64"),
        (TOKEN, URL, vec![], &SIGNATURE[4..]),
        (TOKEN, "not a URL", vec![], SIGNATURE),
    ] {
        assert!(!is_valid(token, url, &parameters, signature), "{url} {signature}");
    }
}

#[test]
fn no_signature_is_valid_without_an_auth_token() {
    assert!(!is_valid("", URL, &[], SIGNATURE_WITHOUT_TOKEN));
}
