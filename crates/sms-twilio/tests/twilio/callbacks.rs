use sms::{ProviderStatus, SmsCallbacks};
use sms_twilio::TwilioCallbacks;

const SID: &str = "SM00000000000000000000000000000001";

fn parameters(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn a_callback_says_how_far_which_text_has_come() {
    for (name, status) in [
        ("accepted", ProviderStatus::Accepted),
        ("queued", ProviderStatus::Accepted),
        ("sending", ProviderStatus::Accepted),
        ("sent", ProviderStatus::Accepted),
        ("delivered", ProviderStatus::Delivered),
        ("read", ProviderStatus::Delivered),
        ("undelivered", ProviderStatus::Undelivered),
        ("failed", ProviderStatus::Failed),
        ("canceled", ProviderStatus::Failed),
    ] {
        let told = parameters(&[
            ("To", "+15551234567"),
            ("MessageSid", SID),
            ("MessageStatus", name),
        ]);
        let text = TwilioCallbacks.read_status(&told).unwrap();
        assert_eq!(
            (text.id.as_str(), text.status, text.failure),
            (SID, status, None),
            "{name}"
        );
    }
}

#[test]
fn a_callback_says_why_a_text_did_not_arrive() {
    let told = [
        ("MessageSid", SID),
        ("MessageStatus", "undelivered"),
        ("ErrorCode", "30007"),
    ];
    let text = TwilioCallbacks.read_status(&parameters(&told)).unwrap();
    assert_eq!(text.failure.unwrap().to_string(), "30007 Filtered by the carrier");
}

#[test]
fn what_is_not_about_a_text_of_ours_says_nothing() {
    for told in [
        &[("MessageSid", SID)][..],
        &[("MessageStatus", "sent")],
        &[("MessageSid", "SM/1"), ("MessageStatus", "sent")],
        &[("MessageSid", SID), ("MessageStatus", "received")],
        &[("MessageSid", SID), ("MessageStatus", "")],
    ] {
        assert_eq!(TwilioCallbacks.read_status(&parameters(told)), None, "{told:?}");
    }
}
