use chrono::{DateTime, Utc};
use kernel::StoredText;
use std::fmt;

/// How a prize was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipment {
    /// Who carries it, such as UPS. At most [`Shipment::CARRIER_CHARS`] characters.
    pub carrier: StoredText,
    /// The carrier's number of the parcel.
    pub tracking_number: TrackingNumber,
    /// When staff sent it.
    pub at: DateTime<Utc>,
}

/// The pages on which the carriers of the United States show a parcel; its number follows.
const TRACKING_PAGES: [(&str, &str); 4] = [
    ("usps", "https://tools.usps.com/go/TrackConfirmAction?tLabels="),
    ("ups", "https://www.ups.com/track?tracknum="),
    ("fedex", "https://www.fedex.com/fedextrack/?trknbr="),
    (
        "dhl",
        "https://www.dhl.com/us-en/home/tracking/tracking-express.html?submit=1&tracking-id=",
    ),
];

impl Shipment {
    /// The most characters of a carrier's name.
    pub const CARRIER_CHARS: usize = 40;

    /// Where the carrier shows the parcel, if it is one that we know.
    pub fn tracking_url(&self) -> Option<String> {
        let name = self.carrier.as_str();
        let known = TRACKING_PAGES
            .iter()
            .find(|(carrier, _)| carrier.eq_ignore_ascii_case(name));
        known.map(|(_, page)| format!("{page}{}", self.tracking_number))
    }
}

/// A carrier's number of a parcel: 6 to 40 letters, digits and dashes. Spaces, which labels have for the eye, are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingNumber(String);

/// The text is not the number of a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Enter the tracking number: 6 to 40 letters, digits and dashes")]
pub struct TrackingNumberError;

impl TrackingNumber {
    /// Reads the number as it stands on a label or in the carrier's message.
    ///
    /// # Errors
    /// [`TrackingNumberError`].
    pub fn parse(text: &str) -> Result<Self, TrackingNumberError> {
        let number: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let is_known = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let is_valid = (6..=40).contains(&number.len()) && number.chars().all(is_known);
        is_valid.then_some(Self(number)).ok_or(TrackingNumberError)
    }

    /// Its letters and digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TrackingNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    fn sent_with(carrier: &str, number: &str) -> Shipment {
        Shipment {
            carrier: StoredText::line(carrier, Shipment::CARRIER_CHARS).unwrap(),
            tracking_number: TrackingNumber::parse(number).unwrap(),
            at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn numbers_are_read_as_labels_have_them() {
        for (text, number) in [
            ("1Z 999 AA1 01 2345 6784", "1Z999AA10123456784"),
            (" 9400-1000-0000\u{a0}0000\t0000 00 ", "9400-1000-00000000000000"),
            ("123456", "123456"),
        ] {
            assert_eq!(TrackingNumber::parse(text).unwrap().as_str(), number);
        }
        let long = "1".repeat(41);
        for text in ["", "12345", &long, "1Z999/AA1", "1Z999&x=AA1", "número1"] {
            assert_eq!(TrackingNumber::parse(text), Err(TrackingNumberError), "{text}");
        }
    }

    #[test]
    fn known_carriers_show_the_parcel() {
        for (carrier, host) in [
            ("UPS", "www.ups.com"),
            ("usps", "tools.usps.com"),
            ("FedEx", "www.fedex.com"),
            ("DHL", "www.dhl.com"),
        ] {
            let url = sent_with(carrier, "1Z 999AA1").tracking_url().unwrap();
            assert!(
                url.starts_with(&format!("https://{host}/")) && url.ends_with("=1Z999AA1"),
                "{url}"
            );
        }
        assert_eq!(sent_with("Aunt May", "123456").tracking_url(), None);
    }
}
