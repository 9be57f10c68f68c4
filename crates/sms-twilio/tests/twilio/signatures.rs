//! What Twilio's own clients sign, accept and reject.

use serde_json::Value;
use sms::SmsCallbacks;
use sms_twilio::TwilioCallbacks;

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// Parameters as an object, or as a list where a name is there twice.
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
        // A JSON body is no parameter: the address has its hash.
        _ => Vec::new(),
    }
}

#[test]
fn signatures_are_those_of_twilios_own_clients() {
    let Some(folder) = twilio_stand_in::contracts_folder() else {
        eprintln!("skipped: TOMBOLA_CONTRACTS is not set, so Twilio's own signatures were not compared");
        return;
    };
    let text = std::fs::read(folder.join("test-vectors.json")).unwrap();
    let vectors: Value = serde_json::from_slice(&text).unwrap();
    let mut compared = 0;
    for list in ["form", "json", "sdk_run"] {
        for case in vectors["twilio"][list].as_array().unwrap() {
            let text = |name: &str| case[name].as_str().unwrap();
            let url = if list == "json" {
                text("url")
            } else {
                text("url_received")
            };
            let held = TwilioCallbacks.signature_holds(
                text("auth_token"),
                url,
                &parameters(case),
                text("signature"),
            );
            assert_eq!(held, text("expect") == "accept", "{}", text("name"));
            compared += 1;
        }
    }
    assert_eq!(compared, 15, "all of them were compared");
}

const TOKEN: &str = "12345";
const URL: &str = "https://mycompany.com/myapp.php?foo=1&bar=2";
/// Over that address and no parameters, with that token.
const SIGNATURE: &str = "zYQTYrRWXE7LtzbG4PfP7/bkkGo=";
/// The same with no token.
const UNKEYED: &str = "t5xDBY6aFLdRIWN5NLeL/ANHa6A=";

fn holds(token: &str, url: &str, parameters: &[(String, String)], signature: &str) -> bool {
    TwilioCallbacks.signature_holds(token, url, parameters, signature)
}

#[test]
fn what_was_changed_or_signed_by_somebody_else_is_not_accepted() {
    assert!(holds(TOKEN, URL, &[], SIGNATURE));
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
        (TOKEN, "no address", vec![], SIGNATURE),
    ] {
        assert!(!holds(token, url, &parameters, signature), "{url} {signature}");
    }
}

#[test]
fn nothing_holds_without_a_secret() {
    assert!(!holds("", URL, &[], UNKEYED));
}
