//! What allowed a text.

use crate::campaign_audiences::to_numbers;
use crate::campaigns::{CAMPAIGNS, campaign_body, with};
use crate::provider_callbacks_inbound::{INBOUND, inbound_message};
use crate::sms_console::{SCHEDULE, SmsConsole, phone};
use serde_json::{Value, json};

const MESSAGES: &str = "/api/admin/sms/messages";

impl SmsConsole {
    async fn evidence_of(&self, campaign: &Value, n: u32) -> Value {
        let number = phone(n).replace('+', "%2B");
        let found = self
            .get(&format!(
                "{CAMPAIGNS}/{}/text?phoneNumber={number}",
                campaign["id"]
            ))
            .await;
        assert_eq!(found.status, 200, "{:?}", found.bytes);
        let id = &found.json()["id"];
        self.get(&format!("{MESSAGES}/{id}/evidence")).await.json()
    }
}

#[actix_web::test]
async fn a_text_to_an_entrant_names_the_consent_and_one_to_a_listed_number_the_basis() {
    let console = SmsConsole::new().await;
    console.register_entrant(1, "garden-bag").await;
    let body = campaign_body(&console.create_template().await);
    let listed = to_numbers(&body, &[phone(1), phone(2)]);
    let listed = with(&listed, "consentBasis", json!(" They signed up at our booth. "));
    let campaign = console.schedule_campaign(&listed).await;
    assert_eq!(campaign["consentBasis"], "They signed up at our booth.");
    let (.., details) = console.last_audit_entry().await;
    assert_eq!(details["consentBasis"], "They signed up at our booth.");
    console.deliver_messages().await;

    let entrants = json!({
        "wording": sms::FORM_WORDING.sentence, "act": "form", "at": "2025-08-01T12:00:00Z", "ipAddress": "192.0.2.7",
        "optOuts": [], "monthCount": 1, "localTime": "2025-08-01T08:00:00-04:00",
        "consentBasis": "They signed up at our booth.",
    });
    assert_eq!(console.evidence_of(&campaign, 1).await, entrants);
    let listed_only = json!({
        "wording": null, "act": null, "at": null, "ipAddress": null, "optOuts": [], "monthCount": 1,
        "localTime": "2025-08-01T08:00:00-04:00", "consentBasis": "They signed up at our booth.",
    });
    assert_eq!(console.evidence_of(&campaign, 2).await, listed_only);

    let stop = inbound_message("SM1", &phone(1), "STOP");
    console.post_callback(INBOUND, &stop).await;
    let changed = console.evidence_of(&campaign, 1).await;
    let opted_out = json!([{"optedOut": true, "at": "2025-08-01T12:00:00Z"}]);
    assert_eq!(
        (&changed["act"], &changed["optOuts"]),
        (&json!("form"), &opted_out)
    );
}

#[actix_web::test]
async fn a_list_without_a_basis_says_so_and_other_audiences_have_none() {
    let console = SmsConsole::new().await;
    let body = campaign_body(&console.create_template().await);
    for basis in [json!(null), json!("  ")] {
        let listed = with(&to_numbers(&body, &[phone(1)]), "consentBasis", basis);
        assert_eq!(
            console.schedule_campaign(&listed).await["consentBasis"],
            "not stated"
        );
    }
    let all = with(&body, "consentBasis", json!("Nobody asked"));
    assert_eq!(console.schedule_campaign(&all).await["consentBasis"], Value::Null);
    for wrong in ["x".repeat(201), "a\nb".to_owned()] {
        let listed = with(&to_numbers(&body, &[phone(1)]), "consentBasis", json!(wrong));
        let refused = console.post(SCHEDULE, &listed).await;
        assert_eq!(refused.error(), "400 validation consentBasis");
    }
}

#[actix_web::test]
async fn evidence_is_for_texts_that_there_are() {
    let console = SmsConsole::with_sent_campaign().await;
    let missing = console.get(&format!("{MESSAGES}/999/evidence")).await;
    assert_eq!(missing.error(), "404 not_found");
    let campaign = console.newest_campaign().await;
    let path = format!("{CAMPAIGNS}/{}/text", campaign["id"]);
    let not_sent = console.get(&format!("{path}?phoneNumber=5551239999")).await;
    assert_eq!(not_sent.error(), "404 not_found");
    let no_number = console.get(&path).await;
    assert_eq!(no_number.error(), "400 validation phoneNumber");
    let no_campaign = console
        .get(&format!("{CAMPAIGNS}/999/text?phoneNumber=5551239999"))
        .await;
    assert_eq!(no_campaign.error(), "404 not_found");
}
