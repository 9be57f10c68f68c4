use sms::{ProviderStatus, SmsCallbacks};
use sms_twilio::TwilioCallbacks;

const SID: &str = "SM00000000000000000000000000000001";

fn parameters(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn a_status_callback_has_the_id_and_status_of_a_message() {
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
        let callback = parameters(&[
            ("To", "+15551234567"),
            ("MessageSid", SID),
            ("MessageStatus", name),
        ]);
        let text = TwilioCallbacks.read_status(&callback).unwrap();
        assert_eq!(
            (text.id.as_str(), text.status, text.failure),
            (SID, status, None),
            "{name}"
        );
    }
}

#[test]
fn a_status_callback_of_an_undelivered_message_has_an_error_code() {
    let callback = [
        ("MessageSid", SID),
        ("MessageStatus", "undelivered"),
        ("ErrorCode", "30007"),
    ];
    let text = TwilioCallbacks.read_status(&parameters(&callback)).unwrap();
    assert_eq!(text.failure.unwrap().to_string(), "30007 Filtered by the carrier");
}

#[test]
fn a_callback_without_a_known_status_or_id_is_not_read() {
    for callback in [
        &[("MessageSid", SID)][..],
        &[("MessageStatus", "sent")],
        &[("MessageSid", "SM/1"), ("MessageStatus", "sent")],
        &[("MessageSid", SID), ("MessageStatus", "received")],
        &[("MessageSid", SID), ("MessageStatus", "")],
    ] {
        assert_eq!(
            TwilioCallbacks.read_status(&parameters(callback)),
            None,
            "{callback:?}"
        );
    }
}
