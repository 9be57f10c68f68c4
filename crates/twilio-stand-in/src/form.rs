//! Form-encoded bodies and queries: names with values, in the order in which they came.

/// What was asked, as strings: types are the schema's business.
#[derive(Debug, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    pub(crate) fn parse(text: &[u8]) -> Self {
        Self(url::form_urlencoded::parse(text).into_owned().collect())
    }

    /// The first value with this name, unless it is empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let pair = self.0.iter().find(|(key, _)| key == name);
        pair.map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// A name that is none of these.
    pub(crate) fn stranger(&self, known: &[&str]) -> Option<&str> {
        let names = self.0.iter().map(|(name, _)| name.as_str());
        names.into_iter().find(|name| !known.contains(name))
    }
}
