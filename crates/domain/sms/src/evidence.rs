//! What allowed a text (D42).

use crate::countries::{NORTH_AMERICA, area_codes};
use crate::{CampaignId, ConsentBasis, Keyword, MessageId, StoredConsent, TrackingId};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use kernel::{Phone, StoreError};

/// A text by which a number opted out, or in again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptOutChange {
    /// Whether it opted out.
    pub opted_out: bool,
    /// When.
    pub at: DateTime<Utc>,
}

/// The STOP and START of a number, oldest first: those that it texted, and the present state, which stays when replies are
/// cleared and which providers may set too.
pub fn opt_out_changes(
    said: impl IntoIterator<Item = (Keyword, DateTime<Utc>)>,
    now: Option<OptOutChange>,
) -> Vec<OptOutChange> {
    let change = |(keyword, at): (Keyword, _)| {
        Some(OptOutChange {
            opted_out: keyword.opts_out()?,
            at,
        })
    };
    let mut changes: Vec<_> = said.into_iter().filter_map(change).chain(now).collect();
    changes.sort_by_key(|change| (change.at, change.opted_out));
    changes.dedup();
    changes
}

/// What allowed a text, and what was known about its recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageEvidence {
    /// The recipient's number.
    pub phone: Phone,
    /// The consent of the entrant that allowed a campaign text.
    pub consent: Option<StoredConsent>,
    /// Why the numbers of the campaign's list may be texted.
    pub consent_basis: Option<ConsentBasis>,
    /// The number's STOP and START, oldest first. Clearing SMS data leaves the newest only.
    pub opt_outs: Vec<OptOutChange>,
    /// The campaign texts to the number that count for the month of this text.
    pub month_count: i64,
    /// When the provider accepted it.
    pub sent_at: Option<DateTime<Utc>>,
}

/// Evidence for texts.
///
/// Every method fails with [`StoreError`] when the store does.
pub trait SendingEvidence {
    /// The evidence for a text. Months begin and end in `zone`.
    fn find_evidence(&self, id: MessageId, zone: Tz) -> Result<Option<MessageEvidence>, StoreError>;

    /// The text of a campaign whose link has one of these tracking ids.
    fn find_campaign_message(
        &self,
        campaign: CampaignId,
        links: &[TrackingId],
    ) -> Result<Option<MessageId>, StoreError>;
}

/// The local time at each place where a number's area code is in use, in the order of the table of area codes. A number of an
/// unknown area code has Eastern time, as for its hours; a number outside of North America that of `site`.
pub fn local_times(phone: &Phone, at: DateTime<Utc>, site: Tz) -> Vec<DateTime<Tz>> {
    let zones = match phone.as_e164().strip_prefix(NORTH_AMERICA) {
        Some(national) => zones_of(national),
        None => vec![site],
    };
    zones.into_iter().map(|zone| at.with_timezone(&zone)).collect()
}

fn zones_of(national: &str) -> Vec<Tz> {
    let area = area_codes().find(|area| national.starts_with(area.code));
    let names = area.map_or("", |area| area.zones);
    let zones: Vec<Tz> = names.split(';').filter_map(|zone| zone.parse().ok()).collect();
    match zones.is_empty() {
        true => vec![chrono_tz::America::New_York],
        false => zones,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(phone: &str) -> Vec<String> {
        let at = "2026-11-22T20:00:00Z".parse().unwrap();
        let phone = Phone::from_e164(phone).unwrap();
        let times = local_times(&phone, at, chrono_tz::Europe::London);
        times
            .iter()
            .map(|time| time.format("%H:%M %:z").to_string())
            .collect()
    }

    #[test]
    fn the_changes_of_a_number_are_what_it_said_and_its_present_state() {
        let at = |minute| DateTime::UNIX_EPOCH + chrono::TimeDelta::minutes(minute);
        let change = |opted_out, minute| OptOutChange {
            opted_out,
            at: at(minute),
        };
        let said = [
            (Keyword::Start, at(3)),
            (Keyword::Stop, at(1)),
            (Keyword::Help, at(2)),
        ];
        let texted = [change(true, 1), change(false, 3)];
        assert_eq!(opt_out_changes(said, None), texted);
        assert_eq!(
            opt_out_changes(said, Some(change(false, 3))),
            texted,
            "START set it"
        );
        let by_provider = change(true, 4);
        assert_eq!(
            opt_out_changes(said, Some(by_provider)),
            [texted[0], texted[1], by_provider]
        );
        assert_eq!(
            opt_out_changes([], Some(by_provider)),
            [by_provider],
            "replies were cleared"
        );
    }

    #[test]
    fn a_text_has_the_local_time_of_each_zone_of_its_area_code() {
        assert_eq!(times("+12125551234"), ["15:00 -05:00"]);
        let mut of_two_zones = times("+18505551234");
        of_two_zones.sort();
        assert_eq!(of_two_zones, ["14:00 -06:00", "15:00 -05:00"]);
        assert_eq!(times("+15555551234"), ["15:00 -05:00"], "an unknown area code");
        assert_eq!(times("+442071838750"), ["20:00 +00:00"]);
    }
}
