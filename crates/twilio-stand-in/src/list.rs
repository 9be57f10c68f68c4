//! Which texts a list asks for.

use crate::form::Form;
use crate::refusal::Refusal;
use crate::text::Text;
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
const PAGE_SIZE: usize = 50;
const LARGEST_PAGE: usize = 1000;

pub(crate) struct Query<'a> {
    pub(crate) to: Option<&'a str>,
    from: Option<&'a str>,
    /// First and last millisecond of sending. A text that was not sent yet has none, and no date finds it.
    sent: Option<(i64, i64)>,
    pub(crate) page: usize,
    pub(crate) page_size: usize,
    /// The name of the last text of the page before.
    pub(crate) after: Option<&'a str>,
}

impl<'a> Query<'a> {
    pub(crate) fn read(form: &'a Form) -> Result<Self, Refusal> {
        if let Some(name) = form.stranger(&FIELDS) {
            let message = format!("The stand-in does not know {name}");
            return Err(Refusal::not_understood(message));
        }
        let page_size = whole(form, "PageSize")?.unwrap_or(PAGE_SIZE);
        Ok(Self {
            to: form.get("To"),
            from: form.get("From"),
            sent: sent_between(form)?,
            page: whole(form, "Page")?.unwrap_or(0),
            page_size: page_size.clamp(1, LARGEST_PAGE),
            after: form
                .get("PageToken")
                .map(|token| token.strip_prefix("PA").unwrap_or(token)),
        })
    }

    pub(crate) fn wants(&self, text: &Text) -> bool {
        self.to.is_none_or(|to| to == &*text.to)
            && self.from.is_none_or(|from| from == &*text.from)
            && self
                .sent
                .is_none_or(|(first, last)| text.sent_at.is_some_and(|sent| (first..=last).contains(&sent)))
    }

    /// The address of a page of this list.
    pub(crate) fn uri(&self, account: &str, form: &Form, page: usize, after: Option<&str>) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let own = ["Page", "PageSize", "PageToken"];
        for (name, value) in form
            .pairs()
            .iter()
            .filter(|(name, _)| !own.contains(&name.as_str()))
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

fn whole(form: &Form, name: &str) -> Result<Option<usize>, Refusal> {
    let wrong = |_| Refusal::not_understood(format!("Invalid {name}"));
    form.get(name).map(str::parse).transpose().map_err(wrong)
}

/// The moments that the filters by date leave, both ends included.
fn sent_between(form: &Form) -> Result<Option<(i64, i64)>, Refusal> {
    let mut range = (i64::MIN, i64::MAX);
    let mut filtered = false;
    for (name, is_first, is_last) in [
        ("DateSent", true, true),
        ("DateSent>", true, false),
        ("DateSent<", false, true),
    ] {
        let Some(text) = form.get(name) else { continue };
        let (first, last) =
            moments(text).ok_or_else(|| Refusal::not_understood(format!("Invalid {name}")))?;
        range.0 = if is_first { range.0.max(first) } else { range.0 };
        range.1 = if is_last { range.1.min(last) } else { range.1 };
        filtered = true;
    }
    Ok(filtered.then_some(range))
}

/// The first and the last millisecond of a day, such as `2026-11-21`, or of a second, such as `2026-11-21T08:00:00Z`.
fn moments(text: &str) -> Option<(i64, i64)> {
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
        sent_between(&Form::parse(query.as_bytes())).unwrap()
    }

    #[test]
    fn dates_are_days_or_seconds_and_both_ends_belong_to_them() {
        let day = 86_400_000;
        assert_eq!(between("To=1"), None);
        assert_eq!(between("DateSent=1970-01-02"), Some((day, 2 * day - 1)));
        assert_eq!(between("DateSent>=1970-01-02"), Some((day, i64::MAX)));
        assert_eq!(between("DateSent%3C=1970-01-02"), Some((i64::MIN, 2 * day - 1)));
        assert_eq!(
            between("DateSent%3E=1970-01-01T00:00:05Z&DateSent%3C=1970-01-01T00:00:06Z"),
            Some((5000, 6999))
        );
        assert!(sent_between(&Form::parse(b"DateSent=yesterday")).is_err());
    }
}
