//! The filters and pages of a list of messages.

use crate::kit::FormFields;
use crate::twilio::errors::ApiError;
use crate::twilio::message::Message;
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta};

const FIELDS: [&str; 8] = [
    "To",
    "From",
    "DateSent",
    "DateSent<",
    "DateSent>",
    "Page",
    "PageSize",
    "PageToken",
];
const DEFAULT_PAGE_SIZE: usize = 50;
const MAX_PAGE_SIZE: usize = 1000;

pub(crate) struct ListQuery<'a> {
    pub(crate) to: Option<&'a str>,
    from: Option<&'a str>,
    /// The first and last millisecond of sending. A message that was not sent yet matches no date.
    sent_between: Option<(i64, i64)>,
    pub(crate) page: usize,
    pub(crate) page_size: usize,
    /// The SID of the last message of the previous page.
    pub(crate) after: Option<&'a str>,
}

impl<'a> ListQuery<'a> {
    pub(crate) fn read(form: &'a FormFields) -> Result<Self, ApiError> {
        if let Some(name) = form.first_unknown(&FIELDS) {
            let message = format!("The stand-in does not support {name}");
            return Err(ApiError::unsupported(message));
        }
        let page_size = integer(form, "PageSize")?.unwrap_or(DEFAULT_PAGE_SIZE);
        Ok(Self {
            to: form.get("To"),
            from: form.get("From"),
            sent_between: sent_between(form)?,
            page: integer(form, "Page")?.unwrap_or(0),
            page_size: page_size.clamp(1, MAX_PAGE_SIZE),
            after: form
                .get("PageToken")
                .map(|token| token.strip_prefix("PA").unwrap_or(token)),
        })
    }

    pub(crate) fn matches(&self, message: &Message) -> bool {
        self.to.is_none_or(|to| to == &*message.to)
            && self.from.is_none_or(|from| from == &*message.from)
            && self.sent_between.is_none_or(|(first, last)| {
                message.sent_at.is_some_and(|sent| (first..=last).contains(&sent))
            })
    }

    /// The URI of a page of this list.
    pub(crate) fn uri(&self, account: &str, form: &FormFields, page: usize, after: Option<&str>) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let paging = ["Page", "PageSize", "PageToken"];
        for (name, value) in form
            .pairs()
            .iter()
            .filter(|(name, _)| !paging.contains(&name.as_str()))
        {
            query.append_pair(name, value);
        }
        query.append_pair("PageSize", &self.page_size.to_string());
        query.append_pair("Page", &page.to_string());
        if let Some(sid) = after {
            query.append_pair("PageToken", &format!("PA{sid}"));
        }
        format!("/2010-04-01/Accounts/{account}/Messages.json?{}", query.finish())
    }
}

fn integer(form: &FormFields, name: &str) -> Result<Option<usize>, ApiError> {
    let wrong = |_| ApiError::unsupported(format!("Invalid {name}"));
    form.get(name).map(str::parse).transpose().map_err(wrong)
}

/// The time span that the `DateSent` filters allow, in milliseconds, both ends included.
fn sent_between(form: &FormFields) -> Result<Option<(i64, i64)>, ApiError> {
    let mut range = (i64::MIN, i64::MAX);
    let mut filtered = false;
    for (name, is_first, is_last) in [
        ("DateSent", true, true),
        ("DateSent>", true, false),
        ("DateSent<", false, true),
    ] {
        let Some(text) = form.get(name) else { continue };
        let (first, last) =
            time_span(text).ok_or_else(|| ApiError::unsupported(format!("Invalid {name}")))?;
        range.0 = if is_first { range.0.max(first) } else { range.0 };
        range.1 = if is_last { range.1.min(last) } else { range.1 };
        filtered = true;
    }
    Ok(filtered.then_some(range))
}

/// The first and last millisecond of a day, such as `2026-11-21`, or of a second, such as `2026-11-21T08:00:00Z`.
fn time_span(text: &str) -> Option<(i64, i64)> {
    let (start, length) = match text.parse::<NaiveDate>() {
        Ok(day) => (day.and_time(NaiveTime::MIN).and_utc(), TimeDelta::days(1)),
        Err(_) => (
            DateTime::parse_from_rfc3339(text).ok()?.to_utc(),
            TimeDelta::seconds(1),
        ),
    };
    let first = start.timestamp_millis();
    Some((first, first + length.num_milliseconds() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(query: &str) -> Option<(i64, i64)> {
        sent_between(&FormFields::parse(query.as_bytes())).unwrap()
    }

    #[test]
    fn dates_are_days_or_seconds_and_both_ends_are_included() {
        let day = 86_400_000;
        assert_eq!(between("To=1"), None);
        assert_eq!(between("DateSent=1970-01-02"), Some((day, 2 * day - 1)));
        assert_eq!(between("DateSent>=1970-01-02"), Some((day, i64::MAX)));
        assert_eq!(between("DateSent%3C=1970-01-02"), Some((i64::MIN, 2 * day - 1)));
        assert_eq!(
            between("DateSent%3E=1970-01-01T00:00:05Z&DateSent%3C=1970-01-01T00:00:06Z"),
            Some((5000, 6999))
        );
        assert!(sent_between(&FormFields::parse(b"DateSent=yesterday")).is_err());
    }
}
