use serde_json::{Map, Value};

/// Form-encoded fields, in the order in which they were sent. Values are strings: types are the schema's business.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FormFields(Vec<(String, String)>);

impl FormFields {
    /// Decodes a body or a query.
    pub fn parse(text: &[u8]) -> Self {
        Self(url::form_urlencoded::parse(text).into_owned().collect())
    }

    /// The first value with this name, unless it is empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(key, _)| key == name)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }

    /// All names with their values.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// The first name that is not among the known ones.
    pub fn first_unknown(&self, known: &[&str]) -> Option<&str> {
        let mut names = self.0.iter().map(|(name, _)| name.as_str());
        names.find(|name| !known.contains(name))
    }

    /// The fields as JSON, each an array of its values, for [`Contract::form_problems`](crate::kit::Contract::form_problems).
    pub fn to_arrays(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        for (name, value) in &self.0 {
            let values = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(values) = values {
                values.push(Value::String(value.clone()));
            }
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_keep_their_order_and_repeated_names_become_arrays() {
        let fields = FormFields::parse(b"To=%2B1&MediaUrl=a&MediaUrl=b+c&From=");
        assert_eq!(fields.get("To"), Some("+1"));
        assert_eq!(fields.get("MediaUrl"), Some("a"));
        assert_eq!(fields.get("From"), None);
        assert_eq!(fields.first_unknown(&["To", "From"]), Some("MediaUrl"));
        assert_eq!(
            Value::Object(fields.to_arrays()),
            json!({"To": ["+1"], "MediaUrl": ["a", "b c"], "From": [""]})
        );
    }
}
